from tests.e2e.browser import browser

__all__ = ["browser"]
