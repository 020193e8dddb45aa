"""What a person or a program reads of results: documents, traces, pictures."""
