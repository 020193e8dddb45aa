"""One offline page: spins that play in a browser and, of a run, where its balls fell and came to rest."""

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING

from sim.machines import Machine
from sim.report.replay import Shown, asset, render_replay, replay_data, templates
from sim.report.run_pictures import RunPicture
from sim.report.versions import versions
from sim.scenario import Scenario

if TYPE_CHECKING:
    from sim.rules.rulebook import Rulebook

MOST_BYTES = 1_500_000


def page(
    scenario: Scenario,
    rulebook: "Rulebook",
    machine: Machine,
    spins: Sequence[Shown],
    *,
    run_line: str = "",
    pictures: Sequence[RunPicture] = (),
    assumed: int | None = None,
) -> str:
    """Return the page, HTML that needs nothing beside itself; the same spins give the same bytes.

    spins: at least one, of one seed, each with a trace. run_line, pictures: of the run that the spins are from.
    assumed: how many values of the scenario are; by default what the scenario itself says.
    """
    assumed = len(scenario.assumed) if assumed is None else assumed
    data = replay_data(scenario, rulebook, machine, spins)
    seed = spins[0].spin.start.seed
    indices = [shown.spin.start.index for shown in spins]
    which = f"spin {indices[0]}" if len(indices) == 1 else f"{len(indices)} spins"
    provenance = {
        "scenario": scenario.name,
        "sha256": scenario.sha256,
        "seed": seed,
        "spins": f", spin{'s' if len(indices) > 1 else ''} {', '.join(map(str, indices))}",
        "rulebook": scenario.rulebook,
        "assumed": f"{assumed} of {len(scenario.provenance)} values assumed",
        "error": f"{ceil(100 * max(each['track']['error_mm'] for each in data['spins'])) / 100:.2f}",
        "remark": _remark(pictures),
        "versions": versions(),
    }
    return (
        templates()
        .get_template("page.html.jinja")
        .render(
            title=scenario.title,
            subtitle=f"seed {seed}, {which}; by {rulebook.source}",
            style=asset("page.css"),
            fragment=render_replay(data),
            run_line=run_line,
            pictures=pictures,
            provenance=provenance,
        )
    )


def _remark(pictures: Sequence[RunPicture]) -> str:
    if not pictures:
        return ""
    return (
        " The run's pictures are the batch engine's; a spin played here can part from it after many impacts."
    )
