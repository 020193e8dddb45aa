"""One inspection: every test that a log allows, as one family, and the verdict."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sim.inspection.bets import BetCheck, check_bets
from sim.inspection.bias import extremes, omnibus, pocket_limits, posterior, too_even
from sim.inspection.board import Board, Ints, Spins
from sim.inspection.groups import drift, homogeneity, invalid, throws
from sim.inspection.independence import colour_runs, correlation, lag1
from sim.inspection.lab import azimuth
from sim.inspection.profiles import Profile, profile
from sim.inspection.result import FEWEST_SPINS, Finding, Result, cannot, family
from sim.inspection.sectors import IDS as SECTOR_IDS
from sim.inspection.sectors import sectors
from sim.rules.rulebook import Rulebook

Word = Literal["biased", "investigate", "no evidence of bias", "not assessable"]


@dataclass(frozen=True, slots=True)
class Pocket:
    """One cell: how often it came, and its excess over an even share, relative.

    mean, low, high: a posteriori (Dirichlet), for this cell alone. least, most: limits that hold for all together.
    """

    name: str
    count: int
    expected: float
    mean: float
    low: float
    high: float
    least: float
    most: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """word: what the rule of the family says. sentence: the word with its bound or its reasons.

    bound: the excess of a cell that is excluded at the family's confidence, relative; None when not assessable.
    """

    word: Word
    sentence: str
    bound: float | None = None

    @property
    def exit_code(self) -> int:
        """0 no evidence, 1 investigate or biased, 3 not assessable."""
        return {"no evidence of bias": 0, "investigate": 1, "biased": 1, "not assessable": 3}[self.word]


@dataclass(frozen=True, slots=True)
class Inspection:
    """All that an inspection of a log says. n: valid spins. excluded: reason -> spins without a result."""

    rulebook: str
    alpha: float
    n: int
    excluded: dict[str, int]
    pockets: tuple[Pocket, ...]
    tests: tuple[Result, ...]
    bets: tuple[BetCheck, ...]
    profiles: tuple[Profile, ...]
    verdict: Verdict
    notes: tuple[str, ...] = ()


def inspect(
    rulebook: Rulebook, board: Board, spins: Spins, *, alpha: float = 0.01, profiles: Sequence[str] = ()
) -> Inspection:
    """Return the inspection of a log's spins at the family-wise level alpha. Profiles are named as in `PROFILES`."""
    confidence = 1.0 - alpha
    findings = [
        *_pockets(board, spins, confidence),
        *_ring(rulebook, board, spins, confidence),
        *_order(board, spins, confidence),
        *_lab(board, spins, confidence),
        *_groups(board, spins, confidence),
        *_wheel(spins, confidence),
    ]
    tests = family(findings, alpha)
    known = spins.symbols[spins.symbols >= 0]
    counted = np.bincount(known, minlength=len(board.symbols))
    by_symbol = {symbol: int(count) for symbol, count in zip(board.symbols, counted, strict=True)}
    bets = check_bets(rulebook, by_symbol, confidence) if len(known) else ()
    by_id = {test.id: test for test in tests}
    cells = _table(board, spins.cells, confidence)
    return Inspection(
        rulebook=rulebook.id,
        alpha=alpha,
        n=len(spins.cells),
        excluded=dict(spins.excluded),
        pockets=cells,
        tests=tests,
        bets=bets,
        profiles=tuple(profile(name, spins.cells, board.names, board.shares, by_id) for name in profiles),
        verdict=judge(tests, bets, cells, alpha),
        notes=_notes(rulebook, board),
    )


def judge(
    tests: Sequence[Result], bets: Sequence[BetCheck], cells: Sequence[Pocket], alpha: float
) -> Verdict:
    """Return the verdict: biased when some Holm p < alpha; investigate when some is < 5 alpha or a bet's whole
    interval lies beyond break-even; no evidence otherwise; not assessable when no test could run.
    """
    ran = sorted(((test.p_holm, test) for test in tests if test.p_holm is not None), key=lambda one: one[0])
    if not ran:
        reasons = dict.fromkeys(test.why_not for test in tests if test.why_not)
        return Verdict("not assessable", f"not assessable: {next(iter(reasons), 'no spins')}")
    bound = max((cell.most for cell in cells), default=None)
    beyond = [bet.bet for bet in bets if bet.standing == "exceeded"]
    levels: tuple[tuple[Word, float], ...] = (("biased", alpha), ("investigate", 5 * alpha))
    for word, level in levels:
        named = [f"{test.id} (Holm p {p:.2g}{_at(test)})" for p, test in ran if p < level]
        if word == "investigate":
            named += [f"{bet} beyond break-even" for bet in beyond]
        if named:
            return Verdict(word, f"{word}: {'; '.join(named)}", bound)
    if bound is None:
        return Verdict("not assessable", "not assessable: no valid spin")
    sentence = f"no evidence of bias above {100 * bound:.3g} % at {100 * (1 - alpha):g} % confidence"
    return Verdict("no evidence of bias", sentence, bound)


def _at(test: Result) -> str:
    return f", {test.where}" if test.where else ""


def _pockets(board: Board, spins: Spins, confidence: float) -> list[Finding]:
    """F1 on the cells, then on the symbols, then on what pays alike, as far as these differ."""
    counts = np.bincount(spins.cells, minlength=len(board.shares))
    findings = [
        omnibus(counts, board.shares, confidence),
        omnibus(counts, board.shares, confidence, "F1.g"),
    ]
    if len(set(board.shares)) == 1:
        findings += extremes(counts, board.names, confidence)
    else:
        why = "needs equal cells: log the section (rest_index)"
        findings += [cannot(one, len(spins.cells), why) for one in ("F1.largest", "F1.range")]
    findings.append(too_even(counts, board.shares, confidence))
    known = spins.symbols[spins.symbols >= 0]
    by_symbol = np.bincount(known, minlength=len(board.symbols))
    if len(board.symbols) not in {len(board.names), 1}:
        findings.append(omnibus(by_symbol, board.symbol_shares, confidence, "F1.numbers"))
    classes, member = np.unique(np.asarray(board.prizes, dtype=np.int64), return_inverse=True)
    if 1 < len(classes) < len(board.symbols):
        shares = np.bincount(member, weights=board.symbol_shares).astype(np.float64)
        by_class = np.bincount(member, weights=by_symbol).astype(np.int64)
        findings.append(omnibus(by_class, shares, confidence, "F1.classes"))
    return findings


def _ring(rulebook: Rulebook, board: Board, spins: Spins, confidence: float) -> list[Finding]:
    if board.ring:
        return sectors(np.bincount(spins.cells, minlength=len(board.names)), board.names, confidence)
    if board.names != board.symbols:
        why = "needs holes that stand on one ring"
    elif max(rulebook.cells.values()) > 1:
        why = "needs the hole (rest_index) in the log: several holes carry the same symbol"
    else:
        why = "needs holes in the order of one ring: --scenario, or the hole (rest_index) in the log"
    return [cannot(identity, len(spins.cells), why) for identity in SECTOR_IDS]


def _order(board: Board, spins: Spins, confidence: float) -> list[Finding]:
    findings = [lag1(spins.cells, len(board.names), board.ring, confidence)]
    drops = spins.drop[np.isfinite(spins.drop)]
    if len(drops):
        findings.append(correlation("F3.lag1_drop", drops, confidence))
    elif not spins.pegged:
        why = f"needs {FEWEST_SPINS} spins with the azimuth of the drop (drop_angle_deg)"
        findings.append(cannot("F3.lag1_drop", 0, why))
    if not board.colours:
        return [*findings, cannot("F3.runs", len(spins.cells), "needs a rulebook that names colours")]
    kinds = np.unique(np.array(board.colours), return_inverse=True)[1]
    return [*findings, colour_runs(kinds[spins.symbols[spins.symbols >= 0]], confidence)]


def _lab(board: Board, spins: Spins, confidence: float) -> list[Finding]:
    if spins.pegged:
        return []
    findings = [
        azimuth("F4.harmonic", spins.drop, confidence, "the azimuth of the drop (drop_angle_deg)"),
    ]
    if np.isfinite(spins.band).any():
        findings.append(azimuth("F4.band", spins.band, confidence, "the azimuth of the first touch"))
    if spins.still and board.ring:
        why = "the plate stands still: F2.harmonic is the same"
        return [*findings, cannot("F4.rest", len(spins.cells), why)]
    return [
        *findings,
        azimuth("F4.rest", spins.rest, confidence, "the lab azimuth of the rest (rest_angle_deg)"),
    ]


def _groups(board: Board, spins: Spins, confidence: float) -> list[Finding]:
    findings = [
        homogeneity(name, labels, spins.cells, len(board.names), confidence)
        for name, labels in spins.groups.items()
    ]
    return [*findings, drift(spins.cells, board.shares, confidence)]


def _wheel(spins: Spins, confidence: float) -> list[Finding]:
    if not spins.pegged:
        return []
    return [
        throws(spins.turns, spins.throwers, confidence),
        invalid(spins.void, spins.throwers, confidence),
    ]


def _table(board: Board, cells: Ints, confidence: float) -> tuple[Pocket, ...]:
    counts = np.bincount(cells, minlength=len(board.names))
    if not len(cells):
        return ()
    rows = zip(
        board.names,
        counts,
        board.shares,
        posterior(counts, board.shares, confidence),
        pocket_limits(counts, board.shares, confidence),
        strict=True,
    )
    return tuple(
        Pocket(name, int(count), float(share) * len(cells), *after, *bounds)
        for name, count, share, after, bounds in rows
    )


def _notes(rulebook: Rulebook, board: Board) -> tuple[str, ...]:
    if rulebook.layout.labels == "free" and board.ring and board.names == board.symbols:
        return ("the order of the labels is taken as the order of the ring",)
    return ()
