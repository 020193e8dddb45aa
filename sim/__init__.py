"""fairwheel: casino wheels, from physical parameters to the outcome that the law prescribes.

From Python: `load_scenario`, `simulate` (a great many spins, as arrays), `spin` (one, with all that happened in it).
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim.api import load_scenario, simulate, spin

__version__ = "0.1.0"
__all__ = ["load_scenario", "simulate", "spin"]


def __getattr__(name: str) -> Any:
    """Import a call when it is first asked for, so that ``import sim`` stays light."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from sim import api

    return getattr(api, name)
