"""A sitting at the table: the rounds that a player on this side of the screen takes part in, by the rulebook."""

from dataclasses import dataclass
from typing import Literal

from sim.rules.bets import Wager
from sim.rules.ledger import Ledger
from sim.rules.outcome import Outcome
from sim.rules.round import Refused, Round, Slip, State
from sim.rules.rulebook import Rulebook
from sim.rules.settlement import Line
from sim.rules.table import Table

PLAYER = "you"
_LONG_BEFORE = -1e6  # s: bets before the launch, whose time nobody knows yet

Kind = Literal["said", "refused", "paid", "collected", "void", "bet", "remark"]


@dataclass(frozen=True, slots=True)
class Note:
    """A line of what went on at the table: s since the launch (None before it), what kind, and its words."""

    time: float | None
    kind: Kind
    text: str
    english: str = ""
    article: str | None = None


class Sitting:
    """One player's rounds at one table, moved on by the time of the spin that is shown.

    chips: with how many the player sits down. The table closes, decides and pays when the spin that is shown has come
    that far, and never takes anything back when it is shown again.
    """

    def __init__(self, rulebook: Rulebook, chips: int = 1000) -> None:
        self.rulebook = rulebook
        self.ledger = Ledger()
        self.play = Round(rulebook, self.ledger, Table(chips={PLAYER: chips}))
        self.chips = chips
        self.notes: list[Note] = []
        self.begun = self._net = 0
        self.outcome: Outcome | None = None
        self.clock: float | None = None
        self.rang = False
        self._heard = 0
        self._hear()

    @property
    def state(self) -> State:
        """Where the round stands."""
        return self.play.state

    @property
    def purse(self) -> int:
        """Chips that the player holds, beside those on the cloth."""
        return self.chips + self.ledger.net(PLAYER)

    @property
    def gain(self) -> int:
        """Chips won (lost where negative) in the round that is paid; 0 before it is."""
        return self.ledger.net(PLAYER) - self._net if self.state is State.PAID else 0

    @property
    def takes_bets(self) -> bool:
        """Whether a bet would be taken now."""
        after = self.rulebook.after_void
        reopened = self.state is State.VOID and after is not None and after.new == "accepted"
        return self.state is State.OPEN or reopened

    @property
    def said(self) -> Note | None:
        """What was last said in this round."""
        return next((note for note in reversed(self.notes[self.begun :]) if note.kind == "said"), None)

    @property
    def decided(self) -> Outcome | None:
        """The outcome, once the table knows it."""
        return self.play.outcome

    def on_cloth(self) -> tuple[Slip, ...]:
        """The bets that lie on the cloth."""
        return tuple(self.play.slips.values())

    # --- what the player does --------------------------------------------------------------------------------------

    def bet(self, wager: Wager) -> bool:
        """Put a bet down; whether it was taken. What is refused is noted with its article."""
        if self.state is State.PAID:
            self.next_round()
        try:
            self.play.place(PLAYER, wager, self._now())
        except Refused as refusal:
            self._refused(_in_words(wager), refusal)
            return False
        self._note("bet", _in_words(wager))
        return True

    def take_back(self, chance: str | None = None) -> bool:
        """Take the last bet back, or the last on a chance; whether it was given."""
        slips = [slip for slip in self.on_cloth() if chance is None or slip.wager.chance == chance]
        if not slips:
            return False
        slip = slips[-1]
        try:
            self.play.withdraw(PLAYER, slip.number, self._now())
        except Refused as refusal:
            self._refused(f"taking back {_in_words(slip.wager)}", refusal)
            return False
        self._note("bet", f"{_in_words(slip.wager)} taken back")
        return True

    # --- how the round goes on -------------------------------------------------------------------------------------

    def launch(self, outcome: Outcome) -> None:
        """A spin begins whose outcome will be this one."""
        if self.state is State.PAID:
            self.next_round()
        elif self.state is State.VOID:
            self.play.relaunch()
            self.begun = len(self.notes)
        self.outcome, self.clock, self.rang = outcome, None, self.state is not State.OPEN
        self._hear()

    def wait(self) -> None:
        """No spin is under way: what is noted from here on has no time."""
        self.clock = None

    def foresee(self, outcome: Outcome) -> None:
        """Something happened to the spin under way, so that its outcome will be another."""
        self.outcome = outcome

    def advance(self, time: float) -> None:
        """The spin has come as far as ``time``, s since the launch: close, decide and pay whatever is due."""
        outcome = self.outcome
        if outcome is None or (self.clock is not None and time <= self.clock):
            return
        self.clock = time
        if self.state is State.OPEN and outcome.closing is not None and time >= outcome.closing:
            self._close(outcome.closing)
        if self.state in (State.OPEN, State.CLOSED) and time >= outcome.time:
            self._decide(outcome)

    def next_round(self) -> None:
        """Open the next round after one that is paid."""
        self.play = self.play.follow()
        self._net = self.ledger.net(PLAYER)
        self.outcome, self.clock, self._heard = None, None, 0
        self.begun = len(self.notes)
        self._hear()

    def _close(self, time: float) -> None:
        self.play.close(max(time, self.play.time))
        self.rang = True
        self._hear()

    def _decide(self, outcome: Outcome) -> None:
        if self.state is State.OPEN and outcome.void is None:
            self._close(outcome.time)
        self.play.decide(outcome)
        self._hear()
        if outcome.void is not None:
            self._note("void", outcome.void.reason, article=outcome.void.article)
            return
        for remark in outcome.remarks:
            self._note("remark", remark.text, article=remark.article)
        for slip, line in self.play.pay():
            self._settled(slip, line)

    def _settled(self, slip: Slip, line: Line) -> None:
        bet = _in_words(slip.wager)
        if line.result == "won":
            prize = self.rulebook.prize(slip.wager.bet)
            doubt = ", inferred" if prize.inferred else ""
            self._note("paid", f"{bet} wins {line.net}, {prize.pays}:1{doubt}", article=line.article)
        else:
            self._note("collected", f"{bet} collected", article=line.article)

    def _hear(self) -> None:
        """Note what was said at the table since last time."""
        for spoken in self.play.spoken[self._heard :]:
            time = spoken.time if spoken.time is not None and spoken.time > _LONG_BEFORE / 2 else None
            self.notes.append(Note(time, "said", spoken.text, spoken.english, spoken.article))
        self._heard = len(self.play.spoken)

    def _refused(self, what: str, refusal: Refused) -> None:
        self._note("refused", f"{what} refused: {refusal.reason}", article=refusal.article)
        closing = self.rulebook.closing
        if refusal.spoken is not None and closing is not None and closing.when != "bell":
            self._note("said", refusal.spoken.text, refusal.spoken.english, refusal.spoken.article)

    def _note(self, kind: Kind, text: str, english: str = "", article: str | None = None) -> None:
        self.notes.append(Note(self.clock, kind, text, english, article))

    def _now(self) -> float:
        return max(self.play.time, _LONG_BEFORE if self.clock is None else self.clock)


def _in_words(wager: Wager) -> str:
    """A bet as it is told: how much, and on what."""
    kind, _, selection = wager.chance.partition(":")
    return f"{wager.stake} on {selection.replace(',', ', ') or kind}"


def words_of(state: State) -> str:
    """The state of a round in a few words."""
    return {
        State.OPEN: "bets open",
        State.CLOSED: "bets closed",
        State.DECIDED: "decided",
        State.PAID: "decided and paid",
        State.VOID: "void",
    }[state]
