"""The verbs put together, and how a command line ends: output, faults, exit code."""

import errno
import os
import sys
from collections.abc import Sequence

import typer

from sim.cli import balance, listing, odds, picture, play, screen, spin, validate
from sim.cli.flags import fault_line, usage_line
from sim.documents.faults import BadInput

app = typer.Typer(
    name="fairwheel",
    help="Casino wheels, from physical parameters to the outcome that the law of the game prescribes.",
    epilog="Begin with: fairwheel spin macau-boule --spins 5 --bet star=5",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for verb in (spin, play, balance, listing, odds, validate, picture):
    app.command(verb.NAME, epilog=verb.EXAMPLE)(verb.run)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code.

    arguments: what follows the program's name; those of the process by default.
    Exit codes: 0 done; 1 output refused; 2 bad input, a line per fault; 130 interrupted; 141 reader gone.
    """
    screen.prepare()
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = app(words or ["--help"], prog_name="fairwheel", standalone_mode=False)
        sys.stdout.flush()
    except BadInput as error:
        screen.complain(fault_line(fault) for fault in error.faults)
        return 2
    except typer.TyperException as error:
        screen.complain([usage_line(error)])
        return 2
    except BrokenPipeError:
        screen.silence()
        return 141
    except OSError as error:
        if error.errno not in {errno.ENOSPC, errno.EIO}:
            raise
        screen.silence()
        screen.complain([f"output: cannot be written: {os.strerror(error.errno)}"])
        return 1
    except KeyboardInterrupt:
        return 130
    return code if isinstance(code, int) else 0
