"""The command line: one file per verb, nothing heavy imported before its verb needs it."""

from sim.cli.app import main

__all__ = ["main"]
