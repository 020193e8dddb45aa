"""Every fault inspected again and again: disjoint blocks of its pool, what each test says of each block.

What is found is kept under ``out/detection`` and done again when the pool has grown or the tests have changed.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from math import pi
from pathlib import Path

import numpy as np

from docs.examples import ROOT
from docs.pools import POOLS, Pool
from sim.cli.log import open_game, open_log
from sim.documents.writing import write_atomically
from sim.inspection.board import Board
from sim.inspection.from_log import from_log
from sim.inspection.inspection import inspect
from sim.inspection.result import Result
from sim.spinlog.log import SpinLog

KEPT = ROOT / "out" / "detection"
LENGTHS = (500, 2_000, 10_000, 50_000)
MOST_BLOCKS = 100
ALPHA = 0.01
_GRAIN = 50
_AZIMUTH = re.compile(r"at (\d+) deg")
_NEAR = 25.0


@dataclass(frozen=True)
class Truth:
    """Where a fault sits. cells: indices in ring order. azimuth: deg in the lab, where drops gather."""

    cells: tuple[int, ...] = ()
    azimuth: float | None = None


TRUTHS = {
    "macau-dead-hollow": Truth((7,)),
    "macau-eccentric": Truth((6,)),
    "macau-deeper-hollow": Truth((7,)),
    "macau-lively-hollow": Truth((7,)),
    "macau-raised-lip": Truth((7,)),
    "macau-wider-hollow": Truth((7,)),
    "macau-tilted": Truth(azimuth=310.0),
    "macau-groove-bump": Truth(azimuth=120.0),
    "macau-worn-groove": Truth(azimuth=200.0),
    "roda-bent-peg": Truth((6, 7)),
    "roda-missing-peg": Truth((29, 30)),
    "roda-worn-peg": Truth((8, 9)),
    "spanish-deeper-hole": Truth((2,)),
    "spanish-tilted": Truth((2,), azimuth=130.0),
}
"""Of the tilted Spanish table the low side, 40 deg, is hole 2; balls thrown counter-clockwise drop 90 deg past it."""


@dataclass(frozen=True)
class Seen:
    """What one test said of the blocks of one length.

    hits: blocks with a Holm p below the level. located: of these, those whose place is right, None where the test
    names none or the fault has none. where: the place that the last of them named.
    """

    test: str
    spins: int
    blocks: int
    hits: int
    located: int | None
    where: str | None


def inspected(name: str, pool: Pool) -> list[Seen]:
    """What the tests say of a pool's blocks; from the file that is kept, where nothing has changed."""
    stamp = {"spins": pool.table.num_rows, "laws": pool.laws, "tests": _digest(), "alpha": ALPHA}
    file = KEPT / f"{name}.json"
    if file.exists():
        told = json.loads(file.read_text(encoding="utf-8"))
        if told["stamp"] == stamp:
            return [Seen(**each) for each in told["seen"]]
    seen = list(_inspect(name, pool))
    KEPT.mkdir(parents=True, exist_ok=True)
    write_atomically(file, json.dumps({"stamp": stamp, "seen": [asdict(each) for each in seen]}, indent=1))
    return seen


def _digest() -> str:
    """Of the sources of the tests."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for path in sorted((ROOT / "sim" / "inspection").glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _inspect(name: str, pool: Pool) -> Iterator[Seen]:
    scenario = _scenario(name)
    game = open_game(None, scenario)
    log = open_log(str(POOLS / name), game)
    log = _slice(log, 0, min(len(log), pool.table.num_rows))
    for spins in LENGTHS:
        blocks = min(len(log) // spins, MOST_BLOCKS)
        results: dict[str, list[tuple[Result, bool | None]]] = {}
        for block in range(blocks):
            board, part = from_log(_even(log, block * spins, spins), game.rulebook, one_ring=game.one_ring)
            for test in inspect(game.rulebook, board, part, alpha=ALPHA).tests:
                if test.p_holm is not None:
                    results.setdefault(test.id, []).append((test, _right(test, TRUTHS.get(name), board)))
        for test, told in results.items():
            hits = [one for one in told if (one[0].p_holm or 0.0) < ALPHA]
            known = [right for _, right in hits if right is not None]
            where = hits[-1][0].where if hits else None
            yield Seen(test, spins, len(told), len(hits), sum(known) if known else None, where)


def _scenario(name: str) -> str:
    from docs.pools import scenarios

    return str(scenarios()[name])


def _slice(log: SpinLog, first: int, spins: int) -> SpinLog:
    times = None if log.times is None else log.times[first : first + spins]
    return replace(
        log, table=log.table.slice(first, spins), lines=log.lines[first : first + spins], times=times
    )


def _even(log: SpinLog, first: int, spins: int) -> SpinLog:
    """A block less its last few spins, so that few numbers of valid spins occur and their null samples are shared."""
    block = _slice(log, first, spins)
    valid = np.flatnonzero(block.valid)
    grain = max(1, spins // _GRAIN)
    kept = len(valid) // grain * grain
    return block if kept in (0, len(valid)) else _slice(block, 0, int(valid[kept]))


def _right(test: Result, truth: Truth | None, board: Board) -> bool | None:
    """Whether a test names the right place; None where it names none, or there is none."""
    if truth is None or test.where is None:
        return None
    if test.id.startswith("F4."):
        found = _AZIMUTH.search(test.where)
        if found is None or truth.azimuth is None:
            return None
        return abs((float(found[1]) - truth.azimuth + 180.0) % 360.0 - 180.0) <= _NEAR
    if not truth.cells or not board.ring:
        return None
    return _names_cell(test, truth, board)


def _names_cell(test: Result, truth: Truth, board: Board) -> bool | None:
    """Whether one of the right cells is named, lies in the arc that is named, or close to the crest that is."""
    where, count = test.where or "", len(board.names)
    place = {name: index for index, name in enumerate(board.names)}
    if test.id == "F1.largest":
        return place.get(where) in truth.cells
    if test.id == "F1.range":
        return any(place.get(each) in truth.cells for each in where.split(" and "))
    if test.id == "F2.scan":
        first, _, last = where.partition(" to ")
        if first not in place or last not in place:
            return None
        arc = {
            i % count for i in range(place[first], place[first] + (place[last] - place[first]) % count + 1)
        }
        return bool(arc & set(truth.cells))
    if test.id == "F2.harmonic" and where.startswith("crest at "):
        crest = place.get(where.removeprefix("crest at ").partition(" +- ")[0])
        if crest is None:
            return None
        away = [abs((crest - cell + count / 2) % count - count / 2) for cell in truth.cells]
        return min(away) <= count / 8
    return None


def counted(pool: Pool, cells: int) -> np.ndarray:
    """How often every cell came, over what a fair machine gives, (cells,)."""
    valid = pool.table.filter(pool.table["valid"])
    counts = np.bincount(valid["rest_index"].to_numpy(), minlength=cells)
    return np.asarray(counts * cells / max(1, counts.sum()))


def dropped(pool: Pool) -> np.ndarray:
    """Drop azimuths, rad; empty of a machine without them."""
    if "drop_angle_deg" not in pool.table.column_names:
        return np.empty(0)
    angles = pool.table["drop_angle_deg"].drop_null().to_numpy()
    return np.asarray(angles * pi / 180.0)
