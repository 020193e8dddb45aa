"""A study, and machines compared, on a terminal."""

from typing import TYPE_CHECKING, Any

from sim.cli import screen
from sim.report.study.words import brief, enlarged, figure, shift

if TYPE_CHECKING:
    from rich.console import Console

    from sim.design.study_file import Study

Plain = dict[str, Any]
MOST_ROWS = 30
"""Designs that a terminal lists; of more it tells the extremes of every metric."""


def show(study: "Study", told: Plain) -> None:
    """Print every design with its metrics, how it differs from the base, and what the study was made for."""
    console = screen.console()

    def say(text: str = "") -> None:
        console.print(screen.clean(text), soft_wrap=True)

    say(f"{study.file.name}: {study.file.title}")
    say(
        f"base {told['base']['name']}, seed {told['seed']}, {told['starts']} starts, {told['assumed']} values assumed"
    )
    say(f"intervals: {told['interval']}")
    if "observer" in told:
        say(told["observer"])
    for name, about in told["metrics"].items():
        say(f"  {name}: {about['about']} ({about['unit'] or 'share or ratio'})")
    say()
    if "sensitivity" in told:
        _sensitivity(console, told)
    elif "front" in told:
        _front(console, told)
    elif "tolerances" in told:
        _tolerances(console, told["tolerances"])
    else:
        (_designs if len(told["designs"]) <= MOST_ROWS else _extremes)(console, told)
        for name, each in told["neighbours"].items():
            if each["narrower"] is not None:
                say(
                    f"{name}: between neighbours common starts make the interval {each['narrower']:.2f} times narrower "
                    f"(median of {each['pairs']} pairs)"
                )
    short = told.get("precision", {}).get("not_reached")
    if short:
        asked = told["precision"]
        say(
            f"not known as asked, {asked['asked']}, by {asked['most']} spins: designs {', '.join(map(str, short))}"
        )
    if told["designs"] and all("impossible" in each for each in told["designs"]):
        say("none of the designs can be built")
    for each in told["designs"]:
        for reason in each.get("impossible", ()):
            factors = ", ".join(each["called"])
            say(f"impossible: design {each['design']} ({factors}): {reason}")


def _designs(console: "Console", told: Plain) -> None:
    names = list(told["metrics"])
    for what, cell in (("value ± half of the 95 % interval", figure), ("difference to the base", shift)):
        console.print(what)
        rows = screen.table("design", "factors", *names, right=("design", *names))
        for each in [told["base_design"], *told["designs"]]:
            if "metrics" not in each:
                continue
            factors = ", ".join(map(brief, each["called"])) or "base"
            of_base = cell is shift and each["design"] == 0
            shown = [each["metrics"][name] for name in names]
            cells = ["" if of_base else cell(x and x["to_base"] if cell is shift else x) for x in shown]
            rows.add_row(str(each["design"]), screen.clean(factors), *cells)
        screen.show(console, rows)
        print()


def _extremes(console: "Console", told: Plain) -> None:
    """Of every metric the base's value and the designs that have least and most of it."""
    played = [each for each in told["designs"] if "metrics" in each]
    console.print(
        f"{len(told['designs'])} designs, all in --json and in the folder of --out; those with least and most of each "
        "metric:",
        soft_wrap=True,
    )
    rows = screen.table("metric", "base", "least", "of", "most", "of", right=("base", "least", "most"))
    for name in told["metrics"]:
        known = [each for each in played if (each["metrics"][name] or {}).get("value") is not None]
        if not known:
            continue
        base = told["base_design"].get("metrics", {}).get(name)
        cells = []
        for pick in (min, max):
            each = pick(known, key=lambda one: one["metrics"][name]["value"])
            cells += [figure(each["metrics"][name]), ", ".join(map(brief, each["called"]))]
        rows.add_row(name, figure(base), *map(screen.clean, cells))
    screen.show(console, rows)
    print()


def _sensitivity(console: "Console", told: Plain) -> None:
    for name, found in told["sensitivity"]["metrics"].items():
        console.print(f"{name}: {found['blocks']} blocks, {found['dropped']} dropped", soft_wrap=True)
        if not found["factors"]:
            console.print(f"  {found['why_not']}")
            continue
        columns = [key for key in found["factors"][0] if key not in ("path", "name")]
        rows = screen.table("factor", *columns, right=columns)
        for each in found["factors"]:
            rows.add_row(
                screen.clean(each["path"]),
                *("none" if each[k] is None else f"{each[k]:.3g}" for k in columns),
            )
        screen.show(console, rows)
        if found["noise"] is not None:
            console.print(f"  {100 * found['noise']:.1f} % of the variance is chance, not the factors'")
        for bar in told.get("tornado", {}).get(name, ()):
            ends = ", ".join(f"{bar[end]['at']}: {shift(bar[end])}" for end in ("low", "high"))
            console.print(screen.clean(f"  {bar['path']}: {ends}"), soft_wrap=True)
        print()


def _front(console: "Console", told: Plain) -> None:
    names = list(told["metrics"])
    console.print(f"the front, played again from fresh starts (seed {told['front_seed']}); base: last row")
    rows = screen.table("trial", "factors", *names, "constraints", right=("trial", *names))
    for each in told["front"]:
        kept = "kept" if each["keeps_constraints"] else "broken on fresh starts"
        cells = [figure(each["metrics"][name]) for name in names]
        rows.add_row(
            str(each["trial"]), screen.clean(", ".join(map(brief, each["factors"].values()))), *cells, kept
        )
    base = told["front_base"]
    rows.add_row("", "base", *(figure(base[name]) for name in names), "")
    screen.show(console, rows)
    if not told["front"]:
        console.print("no trial keeps the constraints")


def _tolerances(console: "Console", told: Plain | None) -> None:
    if told is None:
        console.print("a machine with one of the steps cannot be built; give a smaller step")
        return
    rows = screen.table("dimension", "sd", "share by 1 mm", "95 % interval", right=("sd", "share by 1 mm"))
    for each in told["responses"]:
        between = f"{100 * each['low']:+.2f} % to {100 * each['high']:+.2f} %"
        rows.add_row(each["of"], f"{each['sd_mm']:g} mm", f"{100 * each['per_mm']:+.2f} %", between)
    screen.show(console, rows)
    print()
    rows = screen.table("of the machines", "worst pocket up to", "95 % interval", "best bet up to")
    for pocket, bet in zip(told["worst_pocket"], told["best_bet"], strict=True):
        rows.add_row(
            f"{100 * pocket['share_of_machines']:g} %",
            f"{100 * pocket['excess']:+.2f} %",
            f"{100 * pocket['low']:.2f} % to {100 * pocket['high']:.2f} %",
            f"{100 * bet['expectation']:+.2f} %",
        )
    screen.show(console, rows)
    first = told["tighten"][0]
    console.print(
        f"tighten {first['of']} first: half its sd takes the worst pocket of 95 % of the machines down by "
        f"{100 * first['buys']:.2f} % to {100 * first['excess_95']:.2f} %",
        soft_wrap=True,
    )
    check = told["check"]
    if check is None:
        console.print("the machine drawn for the check cannot be built")
    elif check["slope"] is not None:
        console.print(
            f"checked on one machine whose hollows stray further ({enlarged(check['times'])}), {check['spins']} spins: "
            f"shares are {check['slope']:.2f} "
            f"[{check['slope_low']:.2f}, {check['slope_high']:.2f}] times as uneven as expected; "
            f"p {check['p_as_expected']:.3g} as expected, {check['p_all_alike']:.3g} if all were alike",
            soft_wrap=True,
        )
