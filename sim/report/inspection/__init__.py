"""The inspection report: sections of one inspection, as an offline HTML file and as a PDF."""
