"""The verbs put together, and how a command line ends: output, faults, exit code."""

import errno
import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from sim import __version__
from sim.cli import (
    balance,
    batch,
    compare,
    demo,
    inspect,
    level,
    listing,
    monitor,
    odds,
    page,
    picture,
    play,
    power,
    predict,
    record,
    replay,
    screen,
    section,
    spin,
    study,
    validate,
)
from sim.cli.flags import usage_line
from sim.cli.interrupts import interruptible
from sim.documents.faults import BadInput

HELP = {"help_option_names": ["-h", "--help"]}

app = typer.Typer(
    name="fairwheel",
    add_completion=False,
    context_settings=HELP,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
VERBS = (
    spin,
    batch,
    play,
    demo,
    balance,
    inspect,
    level,
    monitor,
    power,
    predict,
    study,
    compare,
    listing,
    odds,
    validate,
    picture,
    section,
    page,
    record,
    replay,
)

for verb in VERBS:
    summary = str(verb.run.__doc__).partition("\n")[0]
    app.command(verb.NAME, epilog=verb.EXAMPLE, short_help=summary, context_settings=HELP)(verb.run)


def _show_version(asked: bool) -> None:
    if asked:
        print(f"fairwheel {__version__}")
        raise typer.Exit


@app.callback(epilog="\b\n" + "\n".join(verb.EXAMPLE for verb in VERBS))
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """Casino wheels, from physical parameters to the outcome that the law of the game prescribes."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code.

    arguments: what follows the program's name; those of the process by default.
    Exit codes: 0 done; 1 output refused; 2 bad input, a line per fault; 130 interrupted; 141 reader gone.
    """
    screen.prepare()
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with interruptible():
            code = app(words or ["--help"], prog_name="fairwheel", standalone_mode=False)
            sys.stdout.flush()
    except BadInput as error:
        screen.complain([str(fault) for fault in error.faults])
        return 2
    except typer.TyperException as error:
        screen.complain([usage_line(error)])
        return 2
    except (BrokenPipeError, SystemExit):  # the latter is how Typer tells it
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
