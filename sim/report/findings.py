"""An inspection as plain values for a JSON document, and its numbers as text."""

from dataclasses import asdict
from typing import Any

from sim.inspection.bets import BetCheck
from sim.inspection.inspection import Inspection
from sim.spinlog.log import SpinLog


def plain(found: Inspection, log: SpinLog) -> dict[str, Any]:
    """Return an inspection and the log that it is of as values that JSON knows; what is not known is null."""
    return {
        "rulebook": found.rulebook,
        "alpha": found.alpha,
        "n": found.n,
        "excluded": found.excluded,
        "rejected": [
            {"line": row.line, "reason": row.reason, **({"file": row.file} if row.file else {})}
            for row in log.rejected
        ],
        "remarks": [*log.remarks, *found.notes],
        "tests": [asdict(test) for test in found.tests],
        "pockets": [asdict(pocket) for pocket in found.pockets],
        "bets": [_bet(bet) for bet in found.bets],
        "profiles": [asdict(profile) for profile in found.profiles],
        "verdict": found.verdict.word,
        "sentence": found.verdict.sentence,
        "bound": found.verdict.bound,
        "inputs": [asdict(each) for each in log.inputs],
    }


def _bet(bet: BetCheck) -> dict[str, Any]:
    return {**asdict(bet), "chance": str(bet.chance), "break_even": str(bet.break_even)}


def number(value: float | None) -> str:
    """A value with three significant digits, at most six characters; whole numbers in full."""
    if value is None:
        return ""
    if value == int(value) and abs(value) < 1e9:
        return str(int(value))
    if abs(value) >= 1000:
        return f"{value:.0f}"
    if abs(value) < 0.001:
        return f"{value:.1e}".replace("e-0", "e-")
    return f"{value:.3g}"


def percent(share: float | None) -> str:
    """A share in percent with three significant digits, at most two decimals."""
    if share is None:
        return ""
    value = 100.0 * share
    digits = 0 if abs(value) >= 99.5 else 1 if abs(value) >= 9.95 else 2
    return f"{value:.{digits}f}"
