"""``monitor``: evidence against a fair wheel while spins arrive."""

import json
import os
import select
import sys
from dataclasses import asdict
from io import BytesIO
from math import log, log10
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.cli import screen
from sim.cli.flags import Flags
from sim.cli.log import Game, cells_of, open_game
from sim.cli.options import AsJson, Maps
from sim.documents.faults import BadInput, Fault, Mark

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sim.inspection.monitor import State
    from sim.spinlog.form import Form

NAME = "monitor"
EXAMPLE = "Example: fairwheel monitor spins.csv --rules macau-boule-1979 --state wheel-7.json"
MOST_STATE = 10_000_000
CHUNK = 1 << 20


def run(
    source: Annotated[
        str, typer.Argument(metavar="LOG", help="A log that grows, or - for stdin as it comes.")
    ],
    rules: Annotated[
        str | None, typer.Option(metavar="RULEBOOK", help="A file, the name of a shipped one, or cells:N.")
    ] = None,
    scenario: Annotated[
        str | None, typer.Option(metavar="SCENARIO", help="The machine: its ring, and its rulebook.")
    ] = None,
    state: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Where it stands, kept for the next time; made when missing."),
    ] = None,
    alpha: Annotated[
        str, typer.Option(metavar="A", help="Chance of an alarm ever, on an even wheel, 1e-9 to 0.2.")
    ] = "0.001",
    maps: Maps = None,
    as_json: AsJson = False,
) -> int:
    """Follow a log with a test that may stop at any time: alarm when E reaches 1 / alpha.

    E multiplies what each spin says against equal pockets; an even wheel ever reaches 1 / alpha with a chance of
    alpha at most, however often one looks. Exit codes: 0 no alarm; 1 alarm; 2 bad input, also where the log no
    longer begins with what was seen before.
    """
    from sim.inspection.monitor import begin
    from sim.spinlog.form import form

    flags = Flags()
    level = flags.real("--alpha", alpha, 1e-9, 0.2)
    kept = None if state is None else flags.target("--state", state, (".json",))
    with flags.gathering():
        game = open_game(rules, scenario)
    with flags.gathering():
        told = form(maps or ())
    flags.check()
    at = begin(game.rulebook.id, level)
    if kept is not None and kept.exists():
        at = _load(kept, at)
    at = _follow(game, told, at, kept, as_json) if source == "-" else _advance(source, None, game, told, at)
    _keep(kept, at)
    if as_json:
        print(json.dumps(_plain(at), indent=2, allow_nan=False))
    else:
        print(_sentence(at))
    return 0 if at.alarm_at is None else 1


def _growing() -> "Iterator[tuple[bytes, bool]]":
    """Yield all of stdin so far, in whole lines, whenever nothing more has come yet; at its end once more, True."""
    content, stream = bytearray(), sys.stdin.fileno()
    while part := os.read(stream, CHUNK):
        content += part
        whole = content.rfind(b"\n") + 1
        if whole and not select.select([stream], [], [], 0)[0]:
            yield bytes(content[:whole]), False
    yield bytes(content), True


def _follow(game: Game, told: "Form", at: "State", kept: Path | None, quiet: bool) -> "State":
    """Follow stdin to its end; an alarm is told, and the state kept, as soon as it comes."""
    for content, ended in _growing():
        try:
            after = _advance("-", BytesIO(content), game, told, at)
        except BadInput:
            if ended:
                raise
            continue
        if not quiet and at.alarm_at is None and after.alarm_at is not None:
            print(_sentence(after), flush=True)
        if after != at:
            at = after
            _keep(kept, at)
    return at


def _advance(source: str, stdin: BytesIO | None, game: Game, told: "Form", at: "State") -> "State":
    """Return the state after all of a log's spins. Raises BadInput where it does not continue what was seen."""
    from sim.inspection.from_log import from_log
    from sim.inspection.monitor import Damaged, advance
    from sim.spinlog.reading import read_log

    log = read_log(source, cells_of(game), told, stdin)
    board, spins = from_log(log, game.rulebook)
    try:
        return advance(at, board.names, board.shares, spins.cells)[0]
    except Damaged:
        message = "is damaged: its numbers do not follow from the results seen; begin another"
        raise BadInput([Fault(Mark("--state"), "--state", message)]) from None
    except ValueError:
        message = (
            f"no longer begins with the {at.n} results seen before: it was rewritten or cut, or is another log; "
            "monitor it with another --state"
        )
        raise BadInput([Fault(Mark(log.name), "log", message)]) from None


def _load(path: Path, fresh: "State") -> "State":
    """Read a state of the same game and level. Raises BadInput for any other file."""
    from sim.inspection.monitor import from_plain

    def bad(message: str) -> BadInput:
        return BadInput([Fault(Mark(str(path)), "--state", message)])

    try:
        with path.open("rb") as stream:
            content = stream.read(MOST_STATE)
        state = from_plain(json.loads(content))
    except OSError as error:
        raise bad(f"cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise bad("is not a state that fairwheel monitor wrote") from None
    if state.game != fresh.game:
        raise bad(f"is of {state.game}, not of {fresh.game}")
    if state.alpha != fresh.alpha:
        raise bad(f"is at --alpha {state.alpha:g}, not {fresh.alpha:g}; the level cannot change on the way")
    return state


def _keep(path: Path | None, state: "State") -> None:
    from sim.documents.writing import write_atomically

    if path is not None:
        write_atomically(path, json.dumps(asdict(state), indent=2) + "\n", "--state")


def _plain(state: "State") -> dict[str, object]:
    """What the JSON document says."""
    shown = asdict(state) | {"n": state.n, "alarm": state.alarm_at is not None}
    return shown | {"log_threshold": -log(state.alpha)}


def _sentence(state: "State") -> str:
    threshold = f"1 / alpha = {1 / state.alpha:g}"
    now = (
        f"log10 E {state.log_e / log(10):.2f} after {state.n} valid spins, at most {state.peak / log(10):.2f}"
    )
    if state.alarm_at is None:
        return screen.clean(f"no alarm: {now}; the alarm is at {log10(1 / state.alpha):g} (E >= {threshold})")
    return screen.clean(f"alarm: E reached {threshold} at valid spin {state.alarm_at}; {now}")
