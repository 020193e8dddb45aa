"""An inspection on a terminal of 80 columns."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sim.cli import screen
from sim.report.findings import number, percent

if TYPE_CHECKING:
    from rich.console import Console

    from sim.inspection.bets import BetCheck
    from sim.inspection.inspection import Inspection
    from sim.inspection.profiles import Profile
    from sim.inspection.result import Result
    from sim.spinlog.log import SpinLog

MOST_REJECTED = 20
STANDS_OUT = 0.05


def show(found: "Inspection", log: "SpinLog") -> None:
    """Print what was counted, every test, what stands out, what could not run, bets, profiles and the verdict."""
    from sim.spinlog.sheet import by_reason

    console = screen.console()

    def say(text: str) -> None:
        console.print(screen.clean(text), soft_wrap=not console.is_terminal)

    say(f"{log.name}: {found.n} valid spins by {found.rulebook}")
    if found.excluded:
        say("without a result: " + ", ".join(f"{count} {code}" for code, count in found.excluded.items()))
    rejections = by_reason(log.rejected)
    for each in rejections[:MOST_REJECTED]:
        say(f"rejected: {each.file or log.name}: {each.where}: {each.reason}")
    if len(rejections) > MOST_REJECTED:
        rows = sum(len(each.lines) for each in rejections[MOST_REJECTED:])
        say(f"rejected: {rows} more rows, for {len(rejections) - MOST_REJECTED} reasons; --json lists all")
    for remark in (*log.remarks, *found.notes):
        say(f"noticed: {remark}")
    ran = [test for test in found.tests if test.p is not None]
    if ran:
        print()
        _tests(console, ran, found.alpha)
        for test in ran:
            if test.p is not None and test.p < STANDS_OUT and test.where:
                say(f"{test.id}: {test.where}; {test.measure}")
    else:
        print()
    for why, tests in _not_run(found.tests).items():
        say(f"{', '.join(tests)}: {why}")
    if found.bets:
        print()
        _bets(console, found.bets, found.alpha)
    for profile in found.profiles:
        print()
        _profile(console, profile)
    print()
    say(found.verdict.sentence)


def _tests(console: "Console", tests: Sequence["Result"], alpha: float) -> None:
    columns = ("test", "n", "statistic", "df", "p", "Holm p", "effect", f"{100 * (1 - alpha):g} %", "finds")
    table = screen.table(*columns, right=columns[1:])
    table.padding = (0, 1, 0, 0)
    for test in tests:
        table.add_row(
            test.id,
            str(test.n),
            number(test.statistic),
            "" if test.df is None else str(test.df),
            number(test.p),
            number(test.p_holm),
            percent(test.effect),
            "" if test.interval is None else f"{percent(test.interval[0])}..{percent(test.interval[1])}",
            percent(test.detectable) or "none",
        )
    screen.show(console, table)
    lines = (
        "effect, its interval and what this n finds with 90 % power (at the level that",
        "the family leaves to one test) are in percent; finds none: of no size.",
    )
    for line in lines:
        print(line)


def _not_run(tests: Sequence["Result"]) -> dict[str, list[str]]:
    """Return why tests could not run -> their ids."""
    reasons: dict[str, list[str]] = {}
    for test in tests:
        if test.p is None:
            known = f"{percent(test.effect)} % of {test.n}, " if test.effect is not None else ""
            reasons.setdefault(f"{known}{test.why_not}", []).append(test.id)
    return reasons


def _bets(console: "Console", bets: Sequence["BetCheck"], alpha: float) -> None:
    from sim.rules.bets import compact

    title = f"{100 * (1 - alpha):g} % for all"
    table = screen.table(
        "bet", "excess", title, "break-even", "", "most often", right=("excess", title, "break-even")
    )
    for bet in bets:
        table.add_row(
            screen.clean(bet.bet),
            percent(bet.excess),
            f"{percent(bet.interval[0])}..{percent(bet.interval[1])}",
            percent(float(bet.break_even)),
            bet.standing,
            screen.clean(compact(bet.symbols)),
        )
    screen.show(console, table)


def _profile(console: "Console", profile: "Profile") -> None:
    print(f"{profile.name} ({profile.source}): {percent(profile.false_alarm)} % of even wheels fail")
    table = screen.table("criterion", "", "alarms", "found", right=("alarms",))
    table.padding = (0, 1, 0, 0)
    for one in profile.criteria:
        word = {True: "passed", False: "failed", None: "not judged"}[one.passed]
        table.add_row(screen.clean(one.what), word, f"{percent(one.false_alarm)} %", screen.clean(one.remark))
    screen.show(console, table)
