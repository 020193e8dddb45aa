"""The command line: one file per verb, nothing heavy imported before its verb needs it."""

from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code, as `sim.cli.app.main` says; interrupted while it loads, too."""
    try:
        from sim.cli import app

        return app.main(arguments)
    except KeyboardInterrupt:
        return 130
