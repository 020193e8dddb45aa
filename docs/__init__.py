"""What the documents show, made by the program itself: ``make docs``."""
