import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "article(id, ...): the articles of a regulation that the test holds")
