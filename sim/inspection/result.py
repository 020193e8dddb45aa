"""What one test says, and how several of them share one level."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

Detect = Callable[[float], float | None]
FEWEST_SPINS = 20


@dataclass(frozen=True, slots=True)
class Result:
    """One test of one fairness assumption.

    id: assumption and test, such as ``F1.chi_square``. n: what it counted: spins, or pairs of spins.
    statistic, df, p: None where the test could not run; then `why_not` says what it needs.
    p_holm: p adjusted for the family of tests that ran (Holm 1979).
    effect, interval, detectable: the size of what is measured, its confidence interval, and the size which this n
    would have found with 90 % power at the level that the family leaves to one test (None: none whatever);
    `measure` says of what.
    method: where the p comes from. where: the pocket, sector, azimuth or group that stands out.
    """

    id: str
    n: int
    statistic: float | None = None
    df: int | None = None
    p: float | None = None
    p_holm: float | None = None
    effect: float | None = None
    interval: tuple[float, float] | None = None
    detectable: float | None = None
    measure: str = ""
    method: str = ""
    where: str | None = None
    why_not: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A result whose detectable size still waits for the level: `detect` gives it, level -> size or None."""

    result: Result
    detect: Detect | None = None


def cannot(identity: str, n: int, why_not: str) -> Finding:
    """Return the finding of a test that cannot run."""
    return Finding(Result(identity, n, why_not=why_not))


def holm(p: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p-values (Holm 1979, Scand. J. Statist. 6, 65), in the order given."""
    order = np.argsort(p, kind="stable")
    steps = np.asarray(p, float)[order] * (len(p) - np.arange(len(p)))
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(steps))
    return [float(value) for value in adjusted]


def family(findings: Sequence[Finding], alpha: float) -> tuple[Result, ...]:
    """Return the results with Holm's p and what each would have found at the level alpha / (tests that ran)."""
    ran = [finding for finding in findings if finding.result.p is not None]
    adjusted = dict(zip((id(one) for one in ran), holm([one.result.p or 0.0 for one in ran]), strict=True))
    results = []
    for finding in findings:
        if id(finding) not in adjusted:
            results.append(finding.result)
            continue
        detectable = finding.detect(alpha / len(ran)) if finding.detect else None
        results.append(replace(finding.result, p_holm=adjusted[id(finding)], detectable=detectable))
    return tuple(results)
