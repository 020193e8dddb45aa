"""What is written of a study: its numbers as JSON, CSV and Parquet, figures, and a report for a browser."""
