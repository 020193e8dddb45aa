"""A round at the table: bets placed, closed, decided and paid, or void and spun again."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NoReturn

from sim.rules.bets import Wager
from sim.rules.ledger import Entry, Ledger, What
from sim.rules.outcome import Outcome, named_winners
from sim.rules.rulebook import Rulebook
from sim.rules.settlement import Line, payment_order, settle_one
from sim.rules.table import Table


class State(StrEnum):
    """Where a round stands."""

    OPEN = "open"
    CLOSED = "closed"
    DECIDED = "decided"
    PAID = "paid"
    VOID = "void"


class Signal(StrEnum):
    """What moves a round on. BELL stands for every signal that closes the bets."""

    BELL = "bell"
    DECIDE = "decide"
    ANNUL = "annul"
    REOPEN = "reopen"
    RESPIN = "respin"
    PAY = "pay"


TRANSITIONS: dict[tuple[State, Signal], State] = {
    (State.OPEN, Signal.BELL): State.CLOSED,
    (State.OPEN, Signal.ANNUL): State.VOID,
    (State.CLOSED, Signal.ANNUL): State.VOID,
    (State.CLOSED, Signal.DECIDE): State.DECIDED,
    (State.VOID, Signal.REOPEN): State.OPEN,
    (State.VOID, Signal.RESPIN): State.CLOSED,
    (State.DECIDED, Signal.PAY): State.PAID,
}


@dataclass(frozen=True, slots=True)
class Spoken:
    """Words said at the table, in the regulation's language and in English; `time` as everywhere in a round,
    None before a round has begun."""

    text: str
    english: str
    article: str | None
    time: float | None = None


@dataclass(frozen=True, slots=True)
class Slip:
    """A bet on the cloth.

    number: from 0, of its own at the table. leave: if it wins, its stake stays for the next round.
    frozen: a void spin has fixed it.
    """

    number: int
    player: str
    wager: Wager
    time: float
    cloth: int = 0
    leave: bool = False
    frozen: bool = False


class Refused(Exception):  # noqa: N818  (the reader's word for it)
    """Something a player may not do: why, by which article (None: none states it), and what is announced.

    lacking: the chips for it are not there, so that none are returned.
    """

    def __init__(
        self, reason: str, article: str | None, spoken: Spoken | None = None, *, lacking: bool = False
    ) -> None:
        self.reason, self.article, self.spoken, self.lacking = reason, article, spoken, lacking
        super().__init__(f"{reason} ({article})" if article else reason)


class Round:
    """One round: bets until a spin is decided, with its chips in a ledger.

    Times are s after the launch of the current spin and never run backwards within it. What a player may not
    do raises Refused, and chips offered for a refused bet go straight back. A signal that does not fit
    the state raises ValueError.
    """

    def __init__(
        self, rulebook: Rulebook, ledger: Ledger, table: Table | None = None, number: int = 0
    ) -> None:
        self.rulebook, self.ledger, self.table, self.number = rulebook, ledger, table or Table(), number
        self.state = State.OPEN
        self.spin = 0
        self.time = float("-inf")
        self.slips: dict[int, Slip] = {}
        self.outcome: Outcome | None = None
        self.spoken: list[Spoken] = []
        self._placed = 0
        self._left: list[Slip] = []
        self._say("open")

    def place(self, player: str, wager: Wager, time: float, cloth: int = 0, *, leave: bool = False) -> Slip:
        """Take a bet. Raises ValueError where it is to be left and the rulebook lets no winning stake stay."""
        self._clock(time)
        payment = self.rulebook.payment
        if leave and (payment is None or payment.leave_article is None):
            raise ValueError(f"{self.rulebook.id} lets no winning stake stay on the cloth")
        refusal = (
            self._lacks(player, wager.stake) or self._closed() or self._over_limits(player, wager, cloth)
        )
        if refusal is not None:
            self._refuse(player, wager, time, refusal)
        return self._take(player, wager, time, cloth, leave)

    def withdraw(self, player: str, number: int, time: float) -> None:
        """Give a bet back to its player."""
        self._clock(time)
        slip = self._own(player, number)
        refusal = self._fixed(slip)
        if refusal is not None:
            raise refusal
        self._give_back(slip, time)

    def change(self, player: str, number: int, wager: Wager, time: float) -> Slip:
        """Put another bet in the place of one, at once or not at all; returns the new slip."""
        self._clock(time)
        slip = self._own(player, number)
        refusal = (
            self._fixed(slip)
            or self._lacks(player, wager.stake - slip.wager.stake)
            or self._over_limits(player, wager, slip.cloth, instead_of=slip)
        )
        if refusal is not None:
            raise refusal
        self._give_back(slip, time)
        return self._take(player, wager, time, slip.cloth, slip.leave)

    def close(self, time: float) -> None:
        """Ring the bell, or announce that no more bets are taken."""
        self._clock(time)
        self._move(Signal.BELL)
        closing = self.rulebook.closing
        if closing is not None:
            self._say("ask")
            self._say(closing.announcement)

    def decide(self, outcome: Outcome) -> None:
        """Take note of the outcome of the spin: a result, or a void spin, which freezes the bets.

        After a void spin new bets are taken at once where the rulebook takes them.
        """
        self._move(Signal.ANNUL if outcome.void is not None else Signal.DECIDE)
        self._clock(max(self.time, outcome.time))
        self.outcome = outcome
        if outcome.void is None:
            self._say("result", outcome)
            return
        self.slips = {number: replace(slip, frozen=True) for number, slip in self.slips.items()}
        if outcome.void.announcement is not None:
            self._say(outcome.void.announcement)

    def relaunch(self) -> None:
        """Spin again after a void spin, with new bets where the rulebook takes them; time starts anew."""
        after = self.rulebook.after_void
        reopened = after is not None and after.new == "accepted"
        self._move(Signal.REOPEN if reopened else Signal.RESPIN)
        self.spin += 1
        self.time = float("-inf")
        self.outcome = None

    def pay(self) -> list[tuple[Slip, Line]]:
        """Collect and pay in the rulebook's order; returns each bet with what became of it, in that order.

        The prize of a stake that is left goes to its player, the stake stays on the cloth.
        """
        self._move(Signal.PAY)
        assert self.outcome is not None
        slips = list(self.slips.values())
        lines = [settle_one(self.rulebook, self.outcome, slip.wager) for slip in slips]
        dealt = [(slips[index], lines[index]) for index in payment_order(self.rulebook, lines)]
        for slip, line in dealt:
            won = line.result == "won"
            what: What = "paid" if won else "collected"
            staying = line.staked if won and slip.leave else 0
            self._enter(
                slip.player, slip.wager, None, what,
                out=line.returned - staying, held=staying - line.staked, house=-line.net, article=line.article,
            )  # fmt: skip
            if staying:
                self._left.append(slip)
        self.slips = {}
        return dealt

    def follow(self) -> "Round":
        """Open the next round at the table, with the winning stakes that were left in it.

        Raises ValueError while this round is not paid.
        """
        if self.state is not State.PAID:
            raise ValueError(f"a round that is {self.state} has none after it")
        following = Round(self.rulebook, self.ledger, self.table, self.number + 1)
        following._placed = self._placed
        payment = self.rulebook.payment
        for slip in sorted(self._left, key=lambda slip: slip.number):
            following.slips[slip.number] = replace(slip, frozen=False)
            article = payment.leave_article if payment else None
            following._enter(slip.player, slip.wager, None, "left", article=article)
        return following

    def _move(self, signal: Signal) -> None:
        if (self.state, signal) not in TRANSITIONS:
            raise ValueError(f"a round that is {self.state} cannot {signal}")
        self.state = TRANSITIONS[self.state, signal]

    def _clock(self, time: float) -> None:
        if not time >= self.time:
            raise ValueError(f"time runs backwards: {time} s after {self.time} s")
        self.time = time

    def _say(self, key: str, outcome: Outcome | None = None) -> None:
        spoken = announcement(self.rulebook, key, outcome)
        if spoken is not None:
            begun = self.time > float("-inf")
            self.spoken.append(replace(spoken, time=self.time if begun else None))

    def _closed(self) -> Refused | None:
        """Return why nothing more is taken, or None while the bets are open."""
        after = self.rulebook.after_void
        reopened = self.state is State.VOID and after is not None and after.new == "accepted"
        if self.state is State.OPEN or reopened:
            return None
        closing, late = self.rulebook.closing, self.rulebook.late_bets
        article = (late.article if late else None) or (closing.article if closing else None)
        spoken = announcement(self.rulebook, closing.announcement) if closing else None
        return Refused(f"bets are not open; the round is {self.state}", article, spoken)

    def _fixed(self, slip: Slip) -> Refused | None:
        """Return why a bet can no longer be withdrawn or changed, or None."""
        after = self.rulebook.after_void
        if slip.frozen:
            return Refused(
                "the bet was made before a void spin and is frozen", after.article if after else None
            )
        return self._closed()

    def _lacks(self, player: str, stake: int) -> Refused | None:
        """Return why a player cannot put down a stake, or None: nobody plays with chips that are not there."""
        if player not in self.table.chips:
            return None
        purse = self.table.chips[player] + self.ledger.net(player)
        if stake <= purse:
            return None
        return Refused(f"{player} has {purse} chips left; {stake} are needed", None, lacking=True)

    def _over_limits(
        self, player: str, wager: Wager, cloth: int, instead_of: Slip | None = None
    ) -> Refused | None:
        """Return why a stake is too low for its cloth or too high for its player, or None."""
        limits = self.rulebook.limits
        if not 0 <= cloth < len(self.table.cloths):
            raise ValueError(f"the table has cloths 0 to {len(self.table.cloths) - 1}; given {cloth}")
        least = self.table.cloths[cloth]
        if wager.stake < least:
            article = limits.cloth_article if limits else None
            return Refused(f"the minimum of the cloth is {least}; the stake is {wager.stake}", article)
        governing = self.table.maximum(self.rulebook, wager.bet)
        if governing is None or limits is None:
            return None
        rule, most = governing
        lying = sum(
            slip.wager.stake
            for slip in self.slips.values()
            if slip.player == player and slip.wager.chance == wager.chance and slip is not instead_of
        )
        if lying + wager.stake > most:
            reason = (
                f"the maximum of a player on {wager.chance} is {most}; {lying} lie there, {wager.stake} more"
            )
            return Refused(reason, limits.per_player_article if lying else rule.article)
        return None

    def _own(self, player: str, number: int) -> Slip:
        slip = self.slips.get(number)
        if slip is None or slip.player != player:
            raise Refused(f"{player} has no such bet on the cloth", None)
        return slip

    def _take(self, player: str, wager: Wager, time: float, cloth: int, leave: bool) -> Slip:
        slip = Slip(self._placed, player, wager, time, cloth, leave)
        self._placed += 1
        self.slips[slip.number] = slip
        self._enter(player, wager, time, "placed", chips_in=wager.stake, held=wager.stake)
        return slip

    def _give_back(self, slip: Slip, time: float) -> None:
        stake = slip.wager.stake
        del self.slips[slip.number]
        self._enter(slip.player, slip.wager, time, "withdrawn", out=stake, held=-stake)

    def _refuse(self, player: str, wager: Wager, time: float, refusal: Refused) -> NoReturn:
        """Hand the chips that were offered back and say why."""
        offered = 0 if refusal.lacking else wager.stake
        self._enter(player, wager, time, "refused", chips_in=offered, out=offered, article=refusal.article)
        raise refusal

    def _enter(
        self,
        player: str,
        wager: Wager,
        time: float | None,
        what: What,
        *,
        chips_in: int = 0,
        out: int = 0,
        held: int = 0,
        house: int = 0,
        article: str | None = None,
    ) -> None:
        self.ledger.enter(
            Entry(
                self.number, self.spin, time, player, wager.chance, what, chips_in, out, held, house, article
            )
        )


def announcement(rulebook: Rulebook, key: str, outcome: Outcome | None = None) -> Spoken | None:
    """Return the words of a key with the result filled in, or None where the game has none."""
    words = rulebook.say(key)
    if words is None:
        return None
    symbol = outcome.symbol if outcome is not None and outcome.symbol is not None else ""
    bets = named_winners(rulebook, symbol) if symbol else []
    text = _fill(words.text, symbol, [bet.local_name for bet in bets])
    return Spoken(text, _fill(words.english, symbol, [bet.head for bet in bets]), words.article)


def _fill(words: str, symbol: str, chances: list[str]) -> str:
    return words.format(symbol=symbol, chances=", ".join(chances)).rstrip(" ,:")
