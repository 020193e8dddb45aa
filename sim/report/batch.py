"""What a run of many spins came to, as plain data: shares with their intervals, and bets beside their exact odds."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sim.engines.tally import BINS, Tally, wilson
from sim.rules.odds import odds
from sim.rules.outcome import wins
from sim.rules.rulebook import Bet, Distinct, OneOf, Rulebook

if TYPE_CHECKING:
    from sim.engines.run import Task

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def summary(task: "Task", tally: Tally) -> dict[str, Any]:
    """Return what a run came to.

    Counts are of valid spins: ``counts`` by hollow or section, ``symbols`` by symbol; ``void`` of the others by code.
    Every share has Wilson's interval of 95 %: of a hollow and a symbol among the valid spins, of a void code among all.
    """
    scenario, rulebook = task.scenario, task.rulebook
    ring, valid = scenario.machine.ring, tally.valid
    symbols: Counter[str] = Counter()
    for symbol, count in zip(ring, tally.holes.tolist(), strict=True):
        symbols[symbol] += count
    return {
        "scenario": {"name": scenario.name, "sha256": scenario.sha256},
        "rulebook": rulebook.id,
        "seed": task.seed,
        "spins": tally.spins,
        "valid": valid,
        "void": dict(sorted(tally.void.items())),
        "counts": dict(enumerate(tally.holes.tolist())),
        "symbols": dict(symbols),
        "interval": "Wilson, 95 %",
        "half_width": tally.half_width if valid else None,
        "hollow_shares": [
            {"hollow": hollow, "symbol": symbol, **_share(count, valid), "equal": 1 / len(ring)}
            for hollow, (symbol, count) in enumerate(zip(ring, tally.holes.tolist(), strict=True))
        ],
        "symbol_shares": [
            {"symbol": symbol, **_share(count, valid), "equal": ring.count(symbol) / len(ring)}
            for symbol, count in symbols.items()
        ],
        "void_shares": [
            {"code": code, **_share(count, tally.spins)} for code, count in sorted(tally.void.items())
        ],
        "quantiles": {
            name: {str(share): tally.quantile(name, share) for share in QUANTILES}
            for name in BINS
            if tally.histograms.get(name)
        },
        "bets": _bets(rulebook, symbols, valid),
        "assumed": scenario.assumed,
        "versions": task.manifest["versions"],
    }


def _share(count: int, total: int) -> dict[str, Any]:
    low, high = wilson(count, total)
    return {"count": count, "share": count / total if total else None, "low": low, "high": high}


def _bets(rulebook: Rulebook, symbols: Counter[str], valid: int) -> list[dict[str, Any]]:
    """The edge of the house on every bet, from the spins and exact.

    Of a choice, on the symbols that came most often and on those that came least often; they are chosen by what is
    told of them, so no interval holds for them.
    """
    told = []
    for bet, exact in zip(rulebook.bets, odds(rulebook), strict=True):
        entry = {"bet": bet.bet, "pays": exact.pays, "exact_edge": float(exact.edge)}
        if isinstance(bet, OneOf | Distinct) and len(bet.of) > 1:
            often = sorted(bet.of, key=lambda symbol: -symbols[symbol])
            count = bet.count if isinstance(bet, Distinct) else 1
            for which, chosen in (("most often", often[:count]), ("least often", often[-count:])):
                edge = _edge(rulebook, bet, chosen, symbols, valid) | {"edge_low": None, "edge_high": None}
                told.append({**entry, "on": which, **edge})
        else:
            told.append({**entry, "on": None, **_edge(rulebook, bet, rulebook.covers(bet), symbols, valid)})
    return told


def _edge(
    rulebook: Rulebook, bet: Bet, chosen: Sequence[str], symbols: Counter[str], valid: int
) -> dict[str, Any]:
    won = sum(symbols[symbol] for symbol in chosen if wins(rulebook, bet, chosen, symbol))
    low, high = wilson(won, valid)
    taken = 1 + rulebook.prize(bet).pays
    return {
        "symbols": list(chosen),
        "won": won,
        "edge": 1 - won / valid * taken if valid else None,
        "edge_low": 1 - high * taken,
        "edge_high": 1 - low * taken,
    }
