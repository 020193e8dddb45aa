"""Which fault does an inspection find, with how many spins? ``make detection`` extends the pools and writes the page.

``python -m docs.detection --pools N`` extends every pool to N spins first (0: takes them as they are).
"""

import sys
from dataclasses import dataclass

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure

from docs import pools
from docs.blocks import ALPHA, LENGTHS, TRUTHS, Seen, counted, dropped, inspected
from docs.examples import ROOT
from docs.pools import MACHINES, Pool
from sim.documents.writing import write_atomically
from sim.physics.compiled import digest as laws
from sim.scenario import Scenario, load_scenario

PAGE = ROOT / "docs" / "detection.md"
PICTURES = ROOT / "assets" / "pictures"
MATRIX, PLACES = "detection.png", "detection-places.png"
FOUND = 0.5
_INK = "0.15"


@dataclass(frozen=True)
class Row:
    """A fault: its scenario, its pool, what the tests say of its blocks."""

    name: str
    scenario: Scenario
    pool: Pool
    seen: list[Seen]

    def at(self, spins: int) -> list[Seen]:
        """What the tests say of blocks of so many spins, those that see most first."""
        these = [each for each in self.seen if each.spins == spins and each.hits]
        return sorted(these, key=lambda each: (-each.hits, each.test))

    def blocks(self, spins: int) -> int:
        """How many blocks of so many spins the pool gave."""
        return max((each.blocks for each in self.seen if each.spins == spins), default=0)

    @property
    def void(self) -> bool:
        """Whether no spin of the pool has a result."""
        return not self.pool.table["valid"].to_numpy().any()

    @property
    def found(self) -> bool:
        """Whether a test sees it in half of the blocks of some length."""
        return any(each.hits >= FOUND * each.blocks for each in self.seen)


def rows() -> list[Row]:
    """Every fault that has a pool, after the machines without one."""
    made = []
    for name, scenario in pools.scenarios().items():
        pool = pools.load(name)
        if pool is not None:
            print(f"{name}: {pool.table.num_rows} spins", file=sys.stderr, flush=True)
            made.append(Row(name, load_scenario(scenario), pool, inspected(name, pool)))
    return made


def page(made: list[Row]) -> str:
    """The page in Markdown."""
    faults = [row for row in made if row.name not in MACHINES]
    missing = sorted(set(pools.scenarios()) - {row.name for row in made})
    old = sorted({row.pool.laws for row in made} - {laws()})
    lines = [
        "# Detection matrix",
        "",
        "Which fault of `scenarios/defects` does `inspect` find, in how many spins, and where does it say it is?",
        "Of every fault a pool of simulated spins is cut into disjoint blocks (at most 100 of a length), and each",
        "block is inspected as a log of its own: a test sees the fault in a block where its Holm p is below the level",
        f"of the whole family, {ALPHA:g}. *located*: how often the place that the test names is right: the hollow or",
        "section, an arc that holds it, a crest within an eighth of the ring of it, an azimuth within 25 degrees. A",
        "pool too small for a block leaves the cell empty: nothing is known there, which is not the same as nothing",
        "found; *all void*: the rulebook annuls every spin of that fault. Made by `make detection`.",
        "",
        f"![How often the best test sees each fault]({_link(MATRIX)})",
        "",
    ]
    if missing:
        lines += [f"No pool yet: {', '.join(missing)}.", ""]
    if old:
        lines += [
            "Some pools were made by an earlier version of the compiled laws; remove `out/pools` for new ones.",
            "",
        ]
    lines += ["## What sees it", ""]
    head = " | ".join(f"n = {spins}" for spins in LENGTHS)
    lines += [f"| fault | pool | {head} | located |", "|---|---:|" + "---|" * (len(LENGTHS) + 1)]
    lines += [_row(row) for row in made]
    hidden = [row for row in faults if not row.found and not row.void]
    lines += ["", "## Faults that no test has seen", ""]
    if hidden:
        lines += [
            "Seen by no test in half of the blocks of any length. A fault that changes how long the machine runs (a",
            "tired bearing, a ball that is too light) leaves the results even: a log of results does not tell it, a",
            "stopwatch or a gauge does. Of the others more spins than the pool has may tell.",
            "",
        ]
        lines += [f"- {_title(row)}: {_most(row)}." for row in hidden]
    else:
        lines += ["None."]
    lines += ["", "## Where it shows", "", f"![Counts and drop zones of every fault]({_link(PLACES)})", ""]
    lines += [
        "Counts over an even share by hollow or section, with the band that 95 % of even counts keep to; where drops",
        "gather, the drop zone as a rose instead, with the circle of an even one.",
        "",
    ]
    return "\n".join(lines)


def _link(name: str) -> str:
    return f"../assets/pictures/{name}"


def _title(row: Row) -> str:
    return f"{row.name} ({row.pool.table.num_rows} spins)"


def _most(row: Row) -> str:
    best = max(row.seen, key=lambda each: each.hits / each.blocks, default=None)
    if best is None or not best.hits:
        longest = max((spins for spins in LENGTHS if row.blocks(spins)), default=0)
        return f"no test in any block, of up to {longest} spins"
    return f"at most {best.test} in {best.hits} of {best.blocks} blocks of {best.spins}"


def _row(row: Row) -> str:
    cells = [row.name, str(row.pool.table.num_rows)]
    cells += [_cell(row, spins) for spins in LENGTHS]
    return "| " + " | ".join([*cells, _located(row)]) + " |"


def _cell(row: Row, spins: int) -> str:
    blocks = row.blocks(spins)
    if not blocks:
        return "all void" if row.void and spins <= row.pool.table.num_rows else ""
    told = [f"{each.test} {each.hits}/{each.blocks}" for each in row.at(spins)[:3]]
    return "<br>".join(told) or f"none of {blocks}"


def _located(row: Row) -> str:
    placed = [each for each in row.seen if each.located is not None]
    if not placed:
        return "" if row.name in TRUTHS or row.name in MACHINES else "no place"
    best = max(placed, key=lambda each: (each.hits / each.blocks, each.spins, each.located or 0))
    where = f", last {best.where}" if best.where else ""
    return f"{best.test} n {best.spins}: {best.located}/{best.hits}{where}"


def matrix(made: list[Row]) -> Figure:
    """How often the test that sees most sees each fault, by number of spins."""
    figure = Figure(figsize=(7.2, 0.27 * len(made) + 1.3), layout="constrained")
    axes = figure.add_subplot()
    shown = np.full((len(made), len(LENGTHS)), np.nan)
    for i, row in enumerate(made):
        for j, spins in enumerate(LENGTHS):
            if row.blocks(spins):
                best = next(iter(row.at(spins)), None)
                shown[i, j] = best.hits / best.blocks if best else 0.0
                label = f"{best.test} {100 * shown[i, j]:.0f} %" if best else "none"
                axes.text(
                    j,
                    i,
                    label,
                    ha="center",
                    va="center",
                    fontsize=7,
                    color="w" if shown[i, j] > 0.5 else _INK,
                )
            else:
                why = "all void" if row.void and spins <= row.pool.table.num_rows else "no block"
                axes.text(j, i, why, ha="center", va="center", fontsize=6, color="0.6")
    axes.imshow(shown, cmap="Greys", vmin=0, vmax=1.15, aspect="auto")
    axes.set_xticks(range(len(LENGTHS)), [f"{spins} spins" for spins in LENGTHS])
    axes.set_yticks(range(len(made)), [row.name for row in made], fontsize=8)
    axes.xaxis.tick_top()
    axes.set_xticks(np.arange(len(LENGTHS) + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(len(made) + 1) - 0.5, minor=True)
    axes.grid(which="minor", color="0.85", linewidth=0.6)
    axes.tick_params(which="both", length=0)
    return figure


def places(made: list[Row]) -> Figure:
    """Counts over fair by cell, or the drop zone where that gathers."""
    columns = 5
    count = -(-len(made) // columns)
    figure = Figure(figsize=(11, 1.75 * count), layout="constrained")
    for i, row in enumerate(made):
        drops = dropped(row.pool)
        gathers = len(drops) > 0 and 2 * len(drops) * abs(np.exp(1j * drops).mean()) ** 2 > 25.0
        title = f"{row.name}\n{row.pool.table.num_rows} spins"
        if gathers and row.name != "spanish-deeper-hole":
            rose = figure.add_subplot(count, columns, i + 1, projection="polar")
            heights, edges = np.histogram(drops, 24, (0, 2 * np.pi))
            rose.bar(
                edges[:-1] + np.pi / 24,
                heights * 24 / len(drops),
                np.pi / 12,
                color="0.45",
                edgecolor="w",
                lw=0.3,
            )
            rose.plot(np.linspace(0, 2 * np.pi, 100), np.ones(100), color=_INK, linewidth=0.8)
            rose.set_yticks([])
            rose.set_xticks(np.radians([0, 90, 180, 270]))
            rose.tick_params(labelsize=6, pad=-3)
            rose.set_title(title, fontsize=7)
            continue
        bars = figure.add_subplot(count, columns, i + 1)
        ring = row.scenario.machine.ring
        over = counted(row.pool, len(ring))
        cells = TRUTHS[row.name].cells if row.name in TRUTHS else ()
        bars.bar(
            range(len(ring)),
            over,
            color=[_INK if each in cells else "0.65" for each in range(len(ring))],
            width=0.9,
        )
        band = 1.96 * np.sqrt(len(ring) / max(1, row.pool.table.num_rows))
        bars.axhspan(1 - band, 1 + band, color="0.85", zorder=0)
        bars.axhline(1, color=_INK, linewidth=0.8)
        bars.set_ylim(max(0, min(over.min(), 1 - 2 * band) * 0.95), max(over.max(), 1 + 2 * band) * 1.03)
        bars.tick_params(labelsize=6, length=2)
        bars.set_title(title, fontsize=7)
    return figure


def main(spins: int) -> None:
    """Extend the pools, write page and pictures."""
    if spins:
        pools.main(spins)
    made = rows()
    with rc_context({"svg.hashsalt": "fairwheel"}):
        for name, figure in ((MATRIX, matrix(made)), (PLACES, places(made))):
            figure.savefig(PICTURES / name, dpi=110, metadata={"Software": None})
    write_atomically(PAGE, page(made))


if __name__ == "__main__":
    main(int(sys.argv[2]) if sys.argv[1:2] == ["--pools"] else pools.SIZES[-1])
