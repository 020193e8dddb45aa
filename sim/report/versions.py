"""What computed a result."""

import platform
from importlib.metadata import version

from sim import __version__


def versions() -> dict[str, str]:
    """Return the versions of fairwheel, Python and the libraries that decide a spin's bits."""
    libraries = {name: version(name) for name in ("numpy", "numba", "pymunk")}
    return {"fairwheel": __version__, "python": platform.python_version(), **libraries}
