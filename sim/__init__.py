"""fairwheel: casino wheels, from physical parameters to the outcome that the law prescribes."""

__version__ = "0.1.0"
