"""Every rule of a rulebook: what the form, the log or the scenario says of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sim.report.inspection.evidence import Evidence
from sim.report.inspection.form import Size
from sim.rules.rulebook import Article, Dimension, citations, items
from sim.spinlog.log import SpinLog

Outcome = Literal["pass", "fail", "not assessable"]
NO_TOLERANCE = "no tolerance in law"
_DECIDES = {"bets", "prizes", "special", "after_void", "payment", "limits", "opening", "late_bets"}


@dataclass(frozen=True, slots=True)
class Checked:
    """One rule. outcome: never what no law states. basis: who or what says so, or what would be needed."""

    id: str
    at: str
    rule: str
    outcome: Outcome
    basis: str


Found = tuple[Outcome, str]


def checked(evidence: Evidence) -> tuple[Checked, ...]:
    """Return every rule of the rulebook: as the inspector judges it, else as measured lengths or the log show it."""
    measured = dict(_measured(evidence))
    logged = dict(_logged(evidence))
    rows = []
    for name, article in evidence.rulebook.articles.items():
        judged = evidence.form.rules.get(name)
        if judged is not None:
            basis = f"by the inspector{': ' + judged.remark if judged.remark else ''}"
            if "no tolerance" in article.rule:
                basis += f" ({NO_TOLERANCE})"
            outcome, why = judged.result, basis
        else:
            outcome, why = measured.get(name) or logged.get(name) or _silent(evidence, name, article)
        rows.append(Checked(name, article.at, article.rule, outcome, why))
    return tuple(rows)


def _silent(evidence: Evidence, name: str, article: Article) -> Found:
    """Why nothing is said of a rule."""
    if "no tolerance" in article.rule:
        known = f"; measured: {evidence.tilt}, {evidence.tilt.source}" if evidence.tilt else ""
        return "not assessable", f"{NO_TOLERANCE}{known}"
    if article.kind == "procedure":
        return "not assessable", "what people do; needs the inspector's judgement"
    if article.kind == "equipment":
        return "not assessable", "of the apparatus; needs the inspector's judgement"
    places = {
        path[0] for path, item in items(evidence.rulebook) for _, cited in citations(item) if cited == name
    }
    if places and places <= _DECIDES:
        return "not assessable", "of bets and payment, which a spin log does not hold"
    return "not assessable", "not in the log; needs the inspector's judgement"


# --- lengths --------------------------------------------------------------------------------------------------------


def _measured(evidence: Evidence) -> Iterator[tuple[str, Found]]:
    """Yield what measured lengths say of the articles that fix them, an article once."""
    sizes = {size.of: size for size in evidence.form.dimensions if size.measured is not None}
    articles: dict[str, list[Found]] = {}
    for rule in evidence.rulebook.dimensions:
        if rule.article is not None and rule.of in sizes:
            articles.setdefault(rule.article, []).append(_of_length(rule, sizes[rule.of]))
    for article, found in articles.items():
        outcomes = {outcome for outcome, _ in found}
        worst: Outcome = (
            "fail" if "fail" in outcomes else "pass" if outcomes == {"pass"} else "not assessable"
        )
        yield article, (worst, "; ".join(why for _, why in found))


def _of_length(rule: Dimension, size: Size) -> Found:
    """A least length is met or not, unless its uncertainty covers it; an exact one has no tolerance."""
    assert size.measured is not None
    spread = size.uncertainty.value if size.uncertainty else 0.0
    apart = size.measured.value - rule.metres
    known = f"{rule.of} {size.measured}{f' ± {size.uncertainty}' if size.uncertainty else ''}"
    if rule.relation == "at_least":
        if abs(apart) < spread:
            return "not assessable", f"{known}; its uncertainty covers the least, {rule.metres:g} m"
        return ("pass" if apart >= 0 else "fail"), f"{known}; at least {rule.metres:g} m"
    if abs(apart) <= spread:
        return "pass", f"{known}; {rule.metres:g} m within the uncertainty"
    return "not assessable", f"{known}, {1000 * apart:+.4g} mm from {rule.metres:g} m; {NO_TOLERANCE}"


# --- the log --------------------------------------------------------------------------------------------------------


def _logged(evidence: Evidence) -> Iterator[tuple[str, Found]]:
    """Yield what the spins say; the first word on an article stands."""
    log, rulebook = evidence.log, evidence.rulebook
    seen: set[str] = set()
    told: list[tuple[str | None, Found | None]] = []
    launch, closing = rulebook.launch, rulebook.closing
    if launch is not None:
        told.append((launch.article, _directions(log, launch.ball, launch.plate, launch.alternate)))
    if closing is not None and closing.when == "bell":
        told.append((closing.article, _closing(log)))
    for void in rulebook.voids:
        if void.code == "MIN_TURNS" and void.turns is not None:
            told.append((void.article, _turns(log, void.turns)))
        told.append((void.article, _void(log, void.code)))
    if rulebook.throwers is not None:
        told.append((rulebook.throwers.article, _throwers(evidence)))
    if log.is_simulated and evidence.scenario is not None:
        fits: Found = ("pass", "the ring of the scenario, which is no apparatus")
        told += [(group.article, fits) for group in rulebook.symbols]
        told += [(rulebook.layout.article, fits), (rulebook.layout.alternate_article, fits)]
    for article, found in told:
        if article is not None and found is not None and article not in seen:
            seen.add(article)
            yield article, found


def _share(wrong: int, n: int, what: str, of: str = "logged") -> Found:
    if wrong:
        return "fail", f"{what} in {n - wrong} of {n} {of} spins, not in {wrong}"
    return "pass", f"{what} in all {n} {of} spins"


def _directions(log: SpinLog, ball: str | None, plate: str | None, alternate: str | None) -> Found | None:
    codes, words = log.codes("ball_dir")
    plate_codes, plate_words = log.codes("plate_dir")
    if plate == "fixed":
        still = [word == "still" for word in plate_words]
        known = plate_codes[plate_codes >= 0]
        return (
            _share(int((~np.array(still)[known]).sum()), len(known), "plate at rest") if len(known) else None
        )
    if ball is not None:
        known = codes[codes >= 0]
        if not len(known):
            return None
        wanted = "cw" if ball == "clockwise" else "ccw"
        right = np.array([word == wanted for word in words])[codes] & (codes >= 0)
        logged = codes >= 0
        what = f"ball {ball.replace('_', '-')}"
        if plate == "opposite" and (plate_codes >= 0).any():
            turning = {"cw": -1, "ccw": 1}
            logged &= plate_codes >= 0
            one = np.array([turning.get(word, 0) for word in words])[codes]
            two = np.array([turning.get(word, 0) for word in plate_words])[plate_codes]
            right &= one * two < 0
            what += ", plate opposite"
        return _share(int((logged & ~right).sum()), int(logged.sum()), what)
    if alternate == "may" and (plate_codes >= 0).any():
        counts = np.bincount(plate_codes[plate_codes >= 0], minlength=len(plate_words))
        told = ", ".join(f"{count} {word}" for word, count in zip(plate_words, counts, strict=True) if count)
        return "pass", f"either direction is allowed; logged: {told}"
    return None


def _closing(log: SpinLog) -> Found | None:
    """Bets must not close after the bell."""
    close, bell = _seconds(log, "close_time"), _seconds(log, "bell_time")
    both = np.isfinite(close) & np.isfinite(bell)
    if not both.any():
        return "not assessable", "needs close_time and bell_time in the log"
    late = int((close[both] > bell[both]).sum())
    return _share(late, int(both.sum()), "bets closed no later than the bell")


def _seconds(log: SpinLog, name: str) -> NDArray[np.float64]:
    """Moments of a log in seconds; NaN where there is none or where they are no ISO 8601."""
    nothing = np.full(len(log), np.nan)
    if name not in log.table.column_names:
        return nothing
    column = log.table.column(name)
    if pa.types.is_floating(column.type):
        return log.floats(name)
    texts = column.cast(pa.string()).to_pylist()
    try:
        moments = np.array([(text or "NaT").removesuffix("Z") for text in texts], dtype="datetime64[us]")
    except ValueError:
        return nothing
    return np.where(np.isnat(moments), np.nan, moments.astype(np.int64) / 1e6)


def _turns(log: SpinLog, least: int) -> Found:
    turns = log.floats("turns")
    known = np.isfinite(turns) & log.valid
    if not known.any():
        return "not assessable", "needs the turns of every spin in the log"
    few = int((turns[known] < least).sum())
    return _share(few, int(known.sum()), f"at least {least} turns", "valid")


def _void(log: SpinLog, code: str) -> Found | None:
    count = log.excluded.get(code, 0)
    if not count:
        return "not assessable", f"no spin of the log is void by it ({code})"
    return "pass", f"applied {'once' if count == 1 else f'{count} times'}: {code}, without a result"


def _throwers(evidence: Evidence) -> Found:
    told = evidence.words("thrower_id", 10_000)
    n = sum(count for _, count in told)
    if not n:
        return "not assessable", "needs the throwers in the log"
    name, most = told[0]
    if len(told) == 1:
        return "fail", f"one thrower, {name}, in all {n} logged spins"
    return (
        "not assessable",
        f"{len(told)} throwers, {name} most often, {100 * most / n:.0f} %; no number in law",
    )
