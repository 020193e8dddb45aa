"""A spin at a table as lines for a reader, and as plain data."""

from collections.abc import Iterator
from typing import Any

from sim.rules.game import Played
from sim.rules.outcome import Outcome
from sim.rules.round import Refused, Slip, Spoken
from sim.rules.rulebook import Rulebook
from sim.rules.script import Action, Result
from sim.rules.settlement import Line

INDENT = " " * 12


def lines(played: Played, rulebook: Rulebook) -> Iterator[str]:
    """Yield the lines of one spin: who throws, what lay on the cloth, what was done and said, who was paid."""
    thrower = f", {played.thrower} throws" if played.thrower is not None else ""
    by = f" ({rulebook.throwers.article})" if thrower and rulebook.throwers else ""
    yield f"round {played.round + 1}, spin {played.spin + 1}{thrower}{by}"
    for slip in played.lying:
        yield f"{INDENT}on the cloth: {_bet(slip)}, {_lying(slip, rulebook)}"
    for step in played.steps:
        if isinstance(step, Spoken):
            yield f"{_time(step.time)}“{step.text}” [{step.english}]{_by(step.article)}"
        elif isinstance(step, Outcome):
            yield from _outcome(step)
        else:
            yield f"{_time(step[0].time)}{_deed(*step)}"
    for slip, line in played.paid:
        yield f"{INDENT}{_payment(slip, line, rulebook)}"
    chips = ", ".join(f"{player} {count}" for player, count in played.chips.items())
    yield f"{INDENT}chips: {chips}; on the cloth {played.held}; house {played.house:+}"


def _time(time: float | None) -> str:
    return INDENT if time is None else f"{time:8.2f} s  "


def _by(article: str | None) -> str:
    return f" ({article})" if article else ""


def _bet(slip: Slip) -> str:
    return f"{slip.player} {slip.wager.stake} on {slip.wager.chance}"


def _lying(slip: Slip, rulebook: Rulebook) -> str:
    if slip.frozen:
        after = rulebook.after_void
        return "frozen" + _by(after.article if after else None)
    payment = rulebook.payment
    return "left from the round before" + _by(payment.leave_article if payment else None)


def _outcome(outcome: Outcome) -> Iterator[str]:
    """Yield what the spin came to; a result is told by its announcement where the game has one."""
    void = outcome.void
    if void is not None:
        by = _by(void.article) or " (no article, inferred)"
        yield f"{_time(outcome.time)}void {void.code}: {void.reason}{by}"
    for remark in outcome.remarks:
        yield f"{INDENT}remark: {remark.text}{_by(remark.article)}"


def _deed(action: Action, result: Result) -> str:
    """What a player did, and why it was refused if it was."""
    wager = action.wager
    stake = f"{wager.stake} on {wager.chance}" if wager is not None else ""
    named = f"the bet {action.number}" if isinstance(action.number, str) else f"bet {action.number}"
    if action.number is None:
        cloth = f", cloth {action.cloth + 1}" if action.cloth else ""
        deed = f"{action.player} puts {stake}{cloth}"
    elif wager is None:
        deed = f"{action.player} withdraws {named}"
    else:
        deed = f"{action.player} changes {named} to {stake}"
    if not isinstance(result, Refused):
        return deed
    back = " and returned" if action.number is None and not result.lacking else ""
    return f"{deed}: refused{back}, {result.reason}{_by(result.article)}"


def _payment(slip: Slip, line: Line, rulebook: Rulebook) -> str:
    if line.result == "lost":
        return f"collected: {_bet(slip)}{_by(line.article)}"
    prize = rulebook.prize(slip.wager.bet)
    doubt = "".join(
        f", {word}" for word in ("inferred" if prize.inferred else "", prize.status or "") if word
    )
    stake = "the stake stays" if slip.leave else "the stake back"
    by = f" ({line.article or 'no article'}{doubt})"
    return f"paid: {_bet(slip)} wins {line.net} at {prize.pays}:1, {stake}{by}"


def played_data(played: Played) -> dict[str, Any]:
    """Return one spin as plain data; round and spin are counted from 1."""
    outcome = played.outcome
    void = outcome.void
    return {
        "round": played.round + 1,
        "spin": played.spin + 1,
        "thrower": played.thrower,
        "lying": [_slip_data(slip) for slip in played.lying],
        "steps": [data for step in played.steps if (data := _step_data(step)) is not None],
        "symbol": outcome.symbol,
        "chances": list(outcome.chances),
        "void": void and {"code": void.code, "article": void.article, "reason": void.reason},
        "closing_s": outcome.closing,
        "decided_s": outcome.time,
        "remarks": [{"article": remark.article, "text": remark.text} for remark in outcome.remarks],
        "paid": [
            {
                **_slip_data(slip),
                "result": line.result,
                "net": line.net,
                "left": slip.leave and line.result == "won",
                "article": line.article,
            }
            for slip, line in played.paid
        ],
        "chips": dict(played.chips),
        "held": played.held,
        "house": played.house,
    }


def _slip_data(slip: Slip) -> dict[str, Any]:
    return {
        "player": slip.player,
        "chance": slip.wager.chance,
        "stake": slip.wager.stake,
        "cloth": slip.cloth + 1,
        "frozen": slip.frozen,
    }


def _step_data(step: tuple[Action, Result] | Spoken | Outcome) -> dict[str, Any] | None:
    if isinstance(step, Outcome):
        return None
    if isinstance(step, Spoken):
        said = {"text": step.text, "english": step.english, "article": step.article}
        return {"time_s": step.time, "said": said}
    action, result = step
    verb = "place" if action.number is None else "withdraw" if action.wager is None else "change"
    refused = None
    if isinstance(result, Refused):
        refused = {"reason": result.reason, "article": result.article}
    return {
        "time_s": action.time,
        "player": action.player,
        "does": verb,
        "bet": action.number if isinstance(action.number, str) else action.name,
        "chance": action.wager.chance if action.wager else None,
        "stake": action.wager.stake if action.wager else None,
        "refused": refused,
    }
