"""Sections of what was found: rules, sample, tests, bets, criteria, counts."""

from collections.abc import Iterator

from sim.inspection.result import Result
from sim.report.findings import number, percent
from sim.report.inspection.blocks import Block, Column, Facts, Pictures, Table, Text
from sim.report.inspection.evidence import Evidence
from sim.report.inspection.figures import pictures
from sim.report.inspection.rules import checked
from sim.rules.bets import compact
from sim.spinlog.log import SpinLog
from sim.spinlog.schema import VOID_CODES
from sim.spinlog.sheet import Rejections, by_reason

MOST_REASONS, MOST_STRETCHES = 40, 6
MOST_LISTED, ALL_STRETCHES = 3_000, 60_000
MOST_CELLS = 400
ASSUMPTIONS = {
    "F1": "every pocket is equally likely",
    "F2": "no sector of the ring is preferred",
    "F3": "spins do not depend on each other",
    "F4": "the table is level: no azimuth of the lab is preferred",
    "F5": "nothing known when bets close tells the result",
    "F6": "the same in both directions, for every thrower, ball and day",
    "F7": "throws are spread over the turn, and valid for every thrower",
}
STANDINGS = {
    "excluded": "break-even excluded",
    "possible": "break-even inside the interval",
    "exceeded": "beyond break-even",
}


def minus(text: str) -> str:
    """Return a number with a true minus sign."""
    return text.replace("-", "−") if text[:1] == "-" else text


def _span(low: float, high: float) -> str:
    return f"{minus(percent(low))} to {minus(percent(high))}"


def rules(evidence: Evidence) -> Iterator[Block]:
    """Every rule of the rulebook: pass, fail or not assessable."""
    rows = checked(evidence)
    if not rows:
        yield Text(
            f"{evidence.rulebook.title}: no regulation stands behind this rulebook, so no rule was checked."
        )
        return
    counts = {word: sum(row.outcome == word for row in rows) for word in ("pass", "fail", "not assessable")}
    yield Text(
        f"Of the {len(rows)} rules of {evidence.rulebook.id} ({evidence.rulebook.source}): "
        + ", ".join(f"{count} {word}" for word, count in counts.items())
        + ". Where the law states no tolerance, none is put in its place: such a rule is not assessable by measurement."
    )
    columns = (
        Column("Rule", 0.62),
        Column("At", 0.85),
        Column("What it says", 3.6),
        Column("Result", 0.95),
        Column("By what", 2.3),
    )
    cells = tuple((row.id, row.at, row.rule, row.outcome, row.basis) for row in rows)
    failed = frozenset(index for index, row in enumerate(rows) if row.outcome == "fail")
    yield Table(columns, cells, strong=failed)


def sample(evidence: Evidence) -> Iterator[Block]:
    """What was logged, what of it counts, what was rejected and why."""
    log, found = evidence.log, evidence.found
    first, last = evidence.days or (None, None)
    excluded = [(code, count, VOID_CODES.get(code, code)) for code, count in found.excluded.items()]
    facts = [
        ("Log", log.name),
        ("Kind", "simulated: no wheel was observed" if log.is_simulated else "observed"),
        ("Spins read", str(len(log))),
        ("Valid spins, n", str(found.n)),
        ("Without a result, excluded", ", ".join(f"{count} {code}" for code, count, _ in excluded) or "none"),
        ("Rows rejected", str(len(log.rejected))),
        ("From, to", f"{first} to {last}" if first else "no days in the log"),
    ]
    for title, column in (
        ("Ball sent", "ball_dir"),
        ("Plate or wheel turned", "plate_dir"),
        ("Throwers", "thrower_id"),
        ("Balls", "ball_id"),
    ):
        told = evidence.words(column)
        if told:
            facts.append((title, ", ".join(f"{word} {count}" for word, count in told)))
    facts.append(("Counted by", f"{len(evidence.board.names)} {_counted(evidence)}"))
    yield Facts(tuple(facts))
    if excluded:
        columns = (Column("Code", 1.4), Column("Spins", 0.6, "right"), Column("Why they have no result", 3.6))
        yield Table(
            columns, tuple((code, str(count), why) for code, count, why in excluded), "Excluded by rule"
        )
    for remark in (*log.remarks, *found.notes):
        yield Text(f"Noticed: {remark}.", "note")
    if log.rejected:
        yield from _rejected(log)


def _rejected(log: SpinLog) -> Iterator[Block]:
    """Rows that were rejected: for every reason how many and the first of them; all of them where they unfold."""
    reasons = by_reason(log.rejected)
    columns = Column("Rows", 0.7, "right"), Column("Lines", 2.6), Column("Why they were rejected", 3.6)

    def row(each: Rejections, most: int) -> tuple[str, ...]:
        file = f"{each.file}: " if each.file else ""
        return str(len(each.lines)), file + each.stretches(most), each.reason

    left = len(reasons) - MOST_REASONS
    note = "The HTML form of this report unfolds them; --json lists every line."
    note = f"{left} more reasons. {note}" if left > 0 else note
    first = tuple(row(each, MOST_STRETCHES) for each in reasons[:MOST_REASONS])
    each_one = max(MOST_STRETCHES, ALL_STRETCHES // len(reasons))
    whole = tuple(row(each, each_one) for each in reasons[:MOST_LISTED])
    yield Table(columns, first, "Rejected rows", note if whole != first else "")
    if whole != first:
        yield Table(columns, whole, folded=f"all {len(log.rejected)} rejected rows")


def _counted(evidence: Evidence) -> str:
    return "holes or sections, in the order of the ring" if evidence.board.ring else "symbols"


def drawn(evidence: Evidence) -> Iterator[Block]:
    """The pictures."""
    for row in pictures(evidence):
        yield Pictures(row)


def tests(evidence: Evidence) -> Iterator[Block]:
    """Every test that ran, what stands out, and what the others need."""
    ran = evidence.ran
    alpha = evidence.found.alpha
    if ran:
        kinds = dict.fromkeys(test.id[:2] for test in ran)
        yield Text(
            "Assumptions tested: "
            + "; ".join(f"{kind} {ASSUMPTIONS[kind]}" for kind in kinds)
            + f". One level of {100 * alpha:g} % for all {len(ran)} tests together (Holm); raw p beside it."
        )
        columns = (
            Column("Test", 1.5),
            Column("n", 0.85, "right"),
            Column("Statistic", 0.9, "right"),
            Column("df", 0.55, "right"),
            Column("p", 0.8, "right"),
            Column("Holm p", 0.8, "right"),
            Column("Effect, %", 0.95, "right"),
            Column(f"{100 * (1 - alpha):g} % interval", 1.5, "right"),
            Column("Finds, %", 0.9, "right"),
        )
        low = frozenset(
            i for i, test in enumerate(ran) if test.p_holm is not None and test.p_holm < 5 * alpha
        )
        note = (
            "Finds: the effect that this n finds with 90 % power at the level that the family leaves to one test "
            f"({evidence.level_of_one:.2g}); none: of no size. Bold: Holm p below {500 * alpha:g} %."
        )
        yield Table(columns, tuple(map(_test, ran)), note=note, strong=low)
        yield Table(
            (
                Column("Test", 1.4),
                Column("Effect measured", 4),
                Column("p by", 1.7),
                Column("Stands out", 1.9),
            ),
            tuple((test.id, test.measure, test.method, test.where or "–") for test in ran),
            "What the effects are",
        )
    missing = [test for test in evidence.found.tests if test.p is None]
    if missing:
        rows = tuple((test.id, str(test.n), _needs(test)) for test in missing)
        yield Table(
            (Column("Test", 1.4), Column("n", 0.7, "right"), Column("What it needs", 5)),
            rows,
            "Tests that could not run",
        )


def _test(test: Result) -> tuple[str, ...]:
    return (
        test.id,
        str(test.n),
        minus(number(test.statistic)),
        "" if test.df is None else str(test.df),
        number(test.p),
        number(test.p_holm),
        minus(percent(test.effect)),
        "" if test.interval is None else _span(*test.interval),
        percent(test.detectable) or "none",
    )


def _needs(test: Result) -> str:
    known = f"{percent(test.effect)} % of {test.n}; " if test.effect is not None else ""
    return f"{known}{test.why_not}"


def bets(evidence: Evidence) -> Iterator[Block]:
    """Per bet: is the excess that takes the edge away inside the interval?"""
    if not evidence.found.bets:
        yield Text("The rulebook has no bets.", "note")
        return
    alpha = evidence.found.alpha
    columns = (
        Column("Bet", 1.0),
        Column("Chance", 0.7, "right"),
        Column("Excess, %", 0.9, "right"),
        Column(f"{100 * (1 - alpha):g} % interval, %", 1.35, "right"),
        Column("Break-even, %", 1.25, "right"),
        Column("Finding", 2.2),
        Column("On", 1.7),
    )
    rows = tuple(
        (
            bet.bet,
            str(bet.chance),
            minus(percent(bet.excess)),
            _span(*bet.interval),
            minus(percent(float(bet.break_even))),
            STANDINGS[bet.standing],
            compact(bet.symbols),
        )
        for bet in evidence.found.bets
    )
    strong = frozenset(i for i, bet in enumerate(evidence.found.bets) if bet.standing == "exceeded")
    note = (
        "Excess: how much more often than on equal cells the bet won, on the symbols that came most often where the "
        "player chooses. Break-even: the excess at which the edge of the house is gone. The intervals of all bets and "
        "choices hold together."
    )
    yield Table(columns, rows, note=note, strong=strong)


def criteria(evidence: Evidence) -> Iterator[Block]:
    """Criteria of authorities that were asked for."""
    words = {True: "passed", False: "failed", None: "not judged"}
    for profile in evidence.found.profiles:
        columns = (
            Column("Criterion", 2.4),
            Column("Result", 0.8),
            Column("An even wheel fails it, %", 1.1, "right"),
            Column("Found", 2.4),
        )
        rows = tuple(
            (one.what, words[one.passed], percent(one.false_alarm), one.remark) for one in profile.criteria
        )
        failed = frozenset(i for i, one in enumerate(profile.criteria) if one.passed is False)
        note = f"Of even wheels, {percent(profile.false_alarm)} % fail one of the criteria that count."
        yield Table(columns, rows, f"{profile.name} ({profile.source})", note, failed)


def counts(evidence: Evidence) -> Iterator[Block]:
    """Every cell's count, and its limits."""
    pockets = evidence.found.pockets
    alpha = evidence.found.alpha
    columns = (
        Column("Cell", 1.6),
        Column("Count", 0.8, "right"),
        Column("Expected", 0.9, "right"),
        Column("Excess, %", 0.9, "right"),
        Column(f"{100 * (1 - alpha):g} % limits of all together, %", 1.9, "right"),
        Column("A posteriori, each alone, %", 1.9, "right"),
    )
    rows = tuple(
        (
            pocket.name,
            str(pocket.count),
            f"{pocket.expected:.1f}",
            minus(percent(pocket.count / pocket.expected - 1)),
            _span(pocket.least, pocket.most),
            _span(pocket.low, pocket.high),
        )
        for pocket in pockets[:MOST_CELLS]
    )
    left = len(pockets) - len(rows)
    if rows:
        yield Table(columns, rows, note=f"{left} more cells; --json lists all." if left else "")
