"""The ledger of a table: every chip that comes in is out again, held on the cloth, or the house's."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

What = Literal["placed", "withdrawn", "refused", "collected", "paid", "left"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One movement of chips, whole units; each amount is the change that it makes.

    chips_in: brought to the table by the player. out: handed back to the player. held: on the cloth.
    house: gained by the house. Always chips_in = out + held + house.
    round, spin: numbers from 0; a void spin is followed by another of the same round.
    time: s after the launch, None for payments. chance: what the bet is on. what: `left` says that a winning
    stake lies in the next round too, which moves no chip. article: by which it was refused, collected, paid
    or left.
    """

    round: int
    spin: int
    time: float | None
    player: str
    chance: str
    what: What
    chips_in: int = 0
    out: int = 0
    held: int = 0
    house: int = 0
    article: str | None = None


@dataclass(slots=True)
class Ledger:
    """All movements at a table, in order; each is checked as it is entered."""

    entries: list[Entry] = field(default_factory=list)
    chips_in: int = 0
    out: int = 0
    held: int = 0
    house: int = 0
    nets: dict[str, int] = field(default_factory=dict)

    def enter(self, entry: Entry) -> None:
        """Add a movement. Raises ValueError when it does not balance or takes chips that are not held."""
        if entry.chips_in != entry.out + entry.held + entry.house:
            raise ValueError(
                f"in {entry.chips_in} != out {entry.out} + held {entry.held} + house {entry.house}"
            )
        if self.held + entry.held < 0:
            raise ValueError(f"only {self.held} chips are held; {-entry.held} cannot be taken")
        self.entries.append(entry)
        self.chips_in += entry.chips_in
        self.out += entry.out
        self.held += entry.held
        self.house += entry.house
        self.nets[entry.player] = self.net(entry.player) + entry.out - entry.chips_in

    @property
    def balances(self) -> bool:
        """Whether every chip in is out, held or the house's, by the totals and by adding up the entries."""
        totals = (self.chips_in, self.out, self.held, self.house)
        added = tuple(sum(column) for column in zip(*self._amounts(), strict=True)) or (0, 0, 0, 0)
        return totals == added and self.chips_in == self.out + self.held + self.house

    def net(self, player: str) -> int:
        """Return what a player has taken from the table less what the player brought to it."""
        return self.nets.get(player, 0)

    def _amounts(self) -> Iterator[tuple[int, int, int, int]]:
        for entry in self.entries:
            yield entry.chips_in, entry.out, entry.held, entry.house
