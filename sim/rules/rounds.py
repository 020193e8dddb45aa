"""Rounds files: a table, its players with their chips, and what they do spin by spin."""

from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from sim.documents.document import Document, Path, near, shown
from sim.documents.faults import BadInput, Fault, Mark
from sim.documents.reading import load_document
from sim.documents.units import Duration
from sim.documents.validation import validate
from sim.rules.bets import Wager, parse_bet
from sim.rules.rulebook import Model, OnPeg, Reading, Rulebook, Word, with_options
from sim.rules.script import Action
from sim.rules.table import Table, check_table

MOST_UNITS = 10**12 - 1
MOST_SEED = 2**64 - 1
DAY = 86_400.0  # s
Units = Annotated[int, Field(ge=1, le=MOST_UNITS)]


def _one_line(text: str) -> str:
    if not text.strip() or not text.isprintable() or len(text) > 80:
        raise ValueError(f"must be 1 to 80 characters that print, on one line; given {shown(text)}")
    return text


Line = Annotated[str, AfterValidator(_one_line)]


class Doing(Model):
    """What a player does at a time before (negative) or after the launch.

    bet: a bet to place, as the command line takes it, on a cloth (from 1), under a name if it is to be changed
    or withdrawn later. withdraw: the name of a bet to take back. change: that of one to put `bet` in the place of.
    on_win: whether a winning stake is taken back or left on the cloth for the next round.
    """

    at: Annotated[Duration, Field(ge=-DAY, le=DAY)]
    player: Line
    bet: Word | None = None
    cloth: Annotated[int, Field(ge=1)] | None = None
    name: Line | None = None
    withdraw: Line | None = None
    change: Line | None = None
    on_win: Literal["withdraw", "leave"] | None = None


class SpinScript(Model):
    """What the players do in one spin. note: for the reader."""

    bets: tuple[Doing, ...] = ()
    note: Line | None = None


class TableSheet(Model):
    """What the authorisation and the management set; `Table` says what each field means."""

    minimum: Units = 1
    cloths: Annotated[tuple[Units, ...], Field(min_length=1)] | None = None
    maxima: dict[str, Units] = Field(default_factory=dict)
    throwers: tuple[Line, ...] = ()


class Options(Model):
    """Choices where the regulation is silent or ambiguous; see `with_options`."""

    on_peg: OnPeg | None = None
    reading: Reading | None = None
    delay: Annotated[Duration, Field(ge=0)] | None = None


class Rounds(Model):
    """A rounds file. Either `scenario` names a machine, which is spun, or `landings` a file of recorded spins.

    rulebook: the scenario's own when absent. seed: of the physical spins. players: with their chips.
    """

    title: Line
    rulebook: Word | None = None
    scenario: Word | None = None
    landings: Word | None = None
    seed: Annotated[int, Field(ge=0, le=MOST_SEED)] | None = None
    options: Options = Options()
    table: TableSheet = TableSheet()
    players: Annotated[dict[Line, Units], Field(min_length=1)]
    spins: Annotated[tuple[SpinScript, ...], Field(min_length=1)]


def load_rounds(path: FilePath) -> tuple[Rounds, Document]:
    """Read a rounds file. Raises BadInput with every fault of its form."""
    document = load_document(path)
    rounds = validate(document, Rounds)
    faults = [document.fault(at, message) for at, message in _sources(rounds)]
    if faults:
        raise BadInput(faults)
    return rounds, document


def _sources(rounds: Rounds) -> Iterator[tuple[Path, str]]:
    """Spins come from one source, which has what it needs."""
    if (rounds.scenario is None) == (rounds.landings is None):
        given = "neither" if rounds.scenario is None else "both"
        yield ("landings",), f"spins come from a scenario or from recorded landings; given {given}"
    elif rounds.landings is not None:
        if rounds.rulebook is None:
            yield ("rulebook",), "missing; recorded landings do not say which game was played"
        if rounds.seed is not None:
            yield ("seed",), f"belongs to physical spins; recorded landings take none; given {rounds.seed}"


def chosen_rulebook(rounds: Rounds, rulebook: Rulebook, document: Document) -> Rulebook:
    """Return the rulebook with the options of the file. Raises BadInput where the game has no such choice."""
    options = rounds.options
    faults = []
    try:
        rulebook = with_options(rulebook, on_peg=options.on_peg)
    except ValueError as error:
        faults.append(document.fault(("options", "on_peg"), f"{error}; given {options.on_peg}"))
    try:
        rulebook = with_options(rulebook, reading=options.reading, delay_s=options.delay)
    except ValueError as error:
        field = "reading" if options.reading is not None else "delay"
        faults.append(document.fault(("options", field), str(error)))
    if faults:
        raise BadInput(faults)
    return rulebook


def table_of(rounds: Rounds, rulebook: Rulebook, document: Document) -> Table:
    """Return the table that a file sets up. Raises BadInput with every fault, each with its article."""
    sheet = rounds.table
    cloths = sheet.cloths or (sheet.minimum,)
    table = Table(sheet.minimum, sheet.maxima, cloths, sheet.throwers, rounds.players)
    faults = check_table(rulebook, table, Mark(document.label))
    if faults:
        raise BadInput(
            [document.fault(("table", *fault.field.split(".", 1)), fault.message) for fault in faults]
        )
    return table


def scripts_of(rounds: Rounds, rulebook: Rulebook, document: Document) -> list[tuple[Action, ...]]:
    """Return what the players do in each spin. Raises BadInput with every fault of every bet."""
    reading = _Reading(rounds, rulebook, document)
    scripts = [
        tuple(
            action
            for position, doing in enumerate(spin.bets)
            if (action := reading.action(("spins", index, "bets", position), doing)) is not None
        )
        for index, spin in enumerate(rounds.spins)
    ]
    if reading.faults:
        raise BadInput(reading.faults)
    return scripts


class _Reading:
    """Turns what players do into actions of a script, and gathers every fault."""

    def __init__(self, rounds: Rounds, rulebook: Rulebook, document: Document) -> None:
        self.rounds, self.rulebook, self.document = rounds, rulebook, document
        self.cloths = len(rounds.table.cloths or (1,))
        self.names: dict[str, str] = {}
        self.faults: list[Fault] = []

    def action(self, path: Path, doing: Doing) -> Action | None:
        """Return the action, or None when a fault was found in it."""
        before = len(self.faults)
        self._check_form(path, doing)
        if doing.player not in self.rounds.players:
            known = self.rounds.players
            message = f"no player {doing.player!r}; allowed: {', '.join(known)}{near(doing.player, known)}"
            self._fault((*path, "player"), message)
        wager = self._wager((*path, "bet"), doing.bet) if doing.bet is not None else None
        for field, name in (("withdraw", doing.withdraw), ("change", doing.change)):
            if name is not None and name not in self.names:
                self._fault(
                    (*path, field), f"no bet before this one has the name {name!r}{near(name, self.names)}"
                )
        if doing.name is not None:
            self._name((*path, "name"), doing.name, doing.player)
        if len(self.faults) > before:
            return None
        number, cloth, leave = doing.withdraw or doing.change, (doing.cloth or 1) - 1, doing.on_win == "leave"
        return Action(doing.at, doing.player, wager, number, cloth, leave, doing.name)

    def _check_form(self, path: Path, doing: Doing) -> None:
        """A bet is placed, changed for another, or withdrawn; only a new one has a cloth, a name and a wish."""
        if doing.withdraw is not None and (doing.bet is not None or doing.change is not None):
            self._fault((*path, "withdraw"), "a bet is withdrawn alone; give no bet or change beside it")
        elif doing.bet is None and doing.withdraw is None:
            self._fault((*path, "bet"), "missing; give a bet, or withdraw: NAME")
        for field in ("cloth", "name", "on_win"):
            if getattr(doing, field) is not None and (doing.withdraw or doing.change):
                self._fault(
                    (*path, field), "belongs to a new bet; a bet that is changed or withdrawn keeps its own"
                )
        if doing.cloth is not None and doing.cloth > self.cloths:
            self._fault((*path, "cloth"), f"the table has cloths 1 to {self.cloths}; given {doing.cloth}")
        payment = self.rulebook.payment
        if doing.on_win == "leave" and (payment is None or payment.leave_article is None):
            message = (
                f"{self.rulebook.id} lets no winning stake stay on the cloth; allowed: withdraw; given leave"
            )
            self._fault((*path, "on_win"), message)

    def _wager(self, path: Path, text: str) -> Wager | None:
        try:
            return parse_bet(self.rulebook, text)
        except BadInput as error:
            for fault in error.faults:
                self._fault(path, f"{fault.field}: {fault.message}; given {shown(text)}")
        return None

    def _name(self, path: Path, name: str, player: str) -> None:
        if name in self.names:
            self._fault(path, f"already names a bet of {self.names[name]}; each name once; given {name!r}")
        self.names.setdefault(name, player)

    def _fault(self, path: Path, message: str) -> None:
        self.faults.append(self.document.fault(path, message))
