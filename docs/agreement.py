"""Whether the batch engine agrees with the rigid engine, with itself at finer steps, and capture with settling.

``make agree`` writes docs/engines.md and its pictures; exit code 1 where a bound does not hold. What is computed is
kept under out/agreement, so a stopped run goes on where it was.
"""

import sys
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from docs import agreement_pictures
from docs.agreed import (
    HEAD,
    TILTED,
    Columns,
    Row,
    capture,
    rigid_rows,
    spread,
    step_rows,
    step_series,
    stride_rows,
    wheel_rows,
)
from docs.compared import MARGINS, Series, compute, landings, scenario_of
from docs.distances import share
from docs.examples import ROOT
from sim.documents.writing import write_atomically
from sim.engines.capture import MARGIN
from sim.engines.stride import STRIDE
from sim.report.versions import versions

PAGE = ROOT / "docs" / "engines.md"
PICTURES = ROOT / "docs" / "pictures"
RIGID = {"macau-boule": 2000, "spanish-boule": 500}
"""Plate machines held against the rigid engine, and spins of each."""
WHEEL, WHEEL_SPINS = "roda-da-sorte", 500
PATHS = 100
MANY = 20_000
STEPS = {"0.5 ms": 100_000, "0.25 ms": 100_000, "0.125 ms": 100_000}
"""Solver's steps of T14, and spins at each."""
PICTURED = "macau-boule"
"""The machine whose step is varied and whose distributions are drawn."""
CAPTURED = (
    "macau-boule", "macau-boule-wide-band", "spanish-boule", "spanish-boule-nine", "spanish-boule-two-rows",
    "spanish-boule-36",
)  # fmt: skip
CAPTURED_SPINS = 10_000


def capture_series() -> dict[str, Series]:
    """The machines that capture is tried on, level and tilted."""
    plain = {name: Series(name, "settled", CAPTURED_SPINS) for name in CAPTURED}
    return plain | {f"{name}, tilted 0.3°": replace(one, overrides=TILTED) for name, one in plain.items()}


def wanted() -> list[Series]:
    """Everything that the page is made of."""
    plates = list(RIGID)
    return [
        Series(WHEEL, "batch", WHEEL_SPINS),
        *(Series(name, "batch", MANY, stride=stride) for name in plates for stride in (None, 1.0)),
        *(Series(name, "path", PATHS) for name in plates),
        *capture_series().values(),
        *(Series(name, "rigid", count) for name, count in (RIGID | {WHEEL: WHEEL_SPINS}).items()),
        *(step_series(PICTURED, step, count) for step, count in STEPS.items()),
    ]


def sections() -> Iterator[tuple[str, str, list[Row], str]]:
    """Heading, words, rows and picture (or none) of each table of figures."""
    for name, count in RIGID.items():
        rows = list(rigid_rows(name, count, PATHS))
        yield f"Rigid engine against batch engine: {name}", _RIGID, rows, "rigid" if name == PICTURED else ""
    for name in RIGID:
        yield (
            f"The stride: {name}",
            _STRIDE,
            list(stride_rows(name, MANY)),
            "stride" if name == PICTURED else "",
        )
    for one, other in zip(list(STEPS)[:-1], list(STEPS)[1:], strict=True):
        rows = list(step_rows(PICTURED, one, other, min(STEPS[one], STEPS[other])))
        yield f"Step size: {one} against {other} on {PICTURED}", _STEPS, rows, ""
    yield f"Pegged wheel: {WHEEL}", _WHEEL, list(wheel_rows(WHEEL, WHEEL_SPINS)), "turns"


_RIGID = """The same starts in both engines (T15), the rigid one in the solver's own steps; in the strides of the batch
engine its landings are the batch engine's to the bit. *Exit* is the instant at which the ball leaves its groove, *bell*
that of its first touch of the band; the path between is compared at every step of the batch engine. After some impacts
two paths part, whatever the engines: from there on distributions are compared, over the spins that rest in a hollow."""
_STRIDE = f"""On one smooth surface the batch engine takes {STRIDE:g} of the solver's steps at once, on the cone
{1.5 * STRIDE:g} and on the boss {0.5 * STRIDE:g}. With a stride of 1 it is the rigid
engine to the bit, and cheap enough for many more spins than that.
On a plate at rest most balls go the same way, so their settling times and offsets have lumps; there the means are held
instead."""
_STEPS = """Two of the solver's steps, with the default stride (T14). The instants have lumps too: fast balls all leave
their groove at one speed."""
_WHEEL = (
    """The rigid engine leaves clapper and pegs to Chipmunk; the batch engine solves their contacts itself."""
)
_CAPTURE = f"""The hollow in which capture first decides that the ball will rest, against that in which it rests once it
is settled in full, each machine level and tilted by 0.3°, margin {1e3 * MARGIN:g} mJ/kg. *At most* is the upper end of
the 95 % interval of the share of wrong decisions."""
_SWEPT = """The margin swept, over all these spins. Below zero a ball counts as decided while it still has the energy to
leave."""
_HEADING = """# Two engines

The rigid engine plays one spin in all its events; the batch engine plays a million. Both call the same compiled laws,
and this page shows that they agree. Made by `make agree`, which fails where a bound does not hold.

Intervals are at 95 %. That of a KS distance holds the distance of the two laws, by a bootstrap of the spins. Two
samples of one law are never at a distance of 0: below 2000 spins the bound is the distance that 99 % of such pairs stay
within."""


def capture_tables(found: dict[str, Columns]) -> Iterator[str]:
    """The table of machines and that of margins."""
    yield f"\n## Capture against settling in full\n\n{_CAPTURE}\n\n"
    yield "| machine | spins | rested in a hollow | decided | wrong | at most | ahead of rest | steps after it |\n"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|\n"
    for name, columns_of in found.items():
        one = capture(columns_of, MARGIN)
        most = share(one.wrong, one.decided).high
        yield (
            f"| {name} | {one.count} | {one.rested} | {one.decided} | {one.wrong} | {most:.2%} | {one.ahead:.2f} s | "
            f"{one.saved:.0%} |\n"
        )
    yield "\n![Wrong hollows and time from decision to rest against the margin](pictures/engines-capture.png)\n"
    yield f"\n{_SWEPT}\n\n| margin | decided | wrong | ahead of rest | steps after it |\n"
    yield "|---:|---:|---:|---:|---:|\n"
    for margin in MARGINS:
        one = capture(joined(found), margin)
        yield (
            f"| {1e3 * margin:g} mJ/kg | {one.decided / one.count:.2%} | {one.wrong} | {one.ahead:.2f} s | "
            f"{one.saved:.0%} |\n"
        )


def joined(found: dict[str, Columns]) -> Columns:
    """The spins of all machines together."""
    tables = list(found.values())
    return {name: np.concatenate([table[name] for table in tables]) for name in tables[0]}


def provenance() -> str:
    """What the figures are made of and with."""
    built = ", ".join(" ".join(pair) for pair in versions().items())
    names = dict.fromkeys([*RIGID, *CAPTURED, WHEEL])
    rows = "".join(f"| {name} | `{scenario_of(name).sha256}` |\n" for name in names)
    seed = Series(WHEEL, "batch", 0).seed
    return f"## Made from\n\n{built}; seed {seed}, spins from 0.\n\n| scenario | SHA-256 |\n|---|---|\n{rows}"


def draw(captured: dict[str, Columns]) -> None:
    """Draw the page's pictures."""
    name, count = PICTURED, RIGID[PICTURED]
    pairs = [
        ("rigid", Series(name, "rigid", count), Series(name, "batch", count), ("rigid", "batch"), 0.05),
        (
            "stride",
            Series(name, "batch", MANY, stride=1.0),
            Series(name, "batch", MANY),
            ("solver's steps", "default stride"),
            0.02,
        ),
    ]
    for file, *series, labels, bound in pairs:
        one, other = (spread(landings(each)) for each in series)
        both = {key: (one[key], other[key]) for key in one}
        agreement_pictures.distributions(both, labels, bound, PICTURES / f"engines-{file}.png")
    swept = [capture(joined(captured), margin) for margin in MARGINS]
    wrong, ahead = [one.wrong for one in swept], [one.ahead for one in swept]
    agreement_pictures.margins(MARGINS, MARGIN, wrong, ahead, PICTURES / "engines-capture.png")
    rigid, batch = (landings(Series(WHEEL, engine, WHEEL_SPINS)) for engine in ("rigid", "batch"))
    same = rigid["section"] == batch["section"]
    agreement_pictures.turns(rigid["turns_net"], batch["turns_net"], same, PICTURES / "engines-turns.png")


def page(captured: dict[str, Columns]) -> tuple[str, bool]:
    """The text of the page, and whether every bound holds."""
    held, text, said = True, f"{_HEADING}\n", ""
    for heading, words, rows, picture in sections():
        text += f"\n## {heading}\n\n" + ("" if words == said else f"{words}\n\n")
        text += HEAD + "".join(f"{row}\n" for row in rows)
        said = words
        text += f"\n![{heading}](pictures/engines-{picture}.png)\n" if picture else ""
        held &= all(row.holds for row in rows)
    text += "".join(capture_tables(captured))
    held &= all(capture(found, MARGIN).wrong == 0 for found in captured.values())
    return f"{text}\n{provenance()}", held


def main() -> int:
    """Write the page and its pictures; the exit code."""
    compute(wanted())
    captured = {name: landings(series) for name, series in capture_series().items()}
    text, held = page(captured)
    draw(captured)
    write_atomically(PAGE, text)
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
