"""A table as its authorisation and management set it: stake limits, cloths, who throws."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sim.documents.faults import Fault, Mark
from sim.rules.rulebook import Bet, Maximum, Rulebook


@dataclass(frozen=True, slots=True)
class Table:
    """What is fixed at a table before play.

    minimum: the authorised minimum stake, units. maxima: per limit of the rulebook, the authorised maximum of
    one player on one chance. cloths: minimum stake of each cloth. throwers: in the order of their rotation.
    chips: with how many each player sits down, units; without bound for a player who is not named.
    """

    minimum: int = 1
    maxima: Mapping[str, int] = field(default_factory=dict)
    cloths: tuple[int, ...] = (1,)
    throwers: tuple[str, ...] = ()
    chips: Mapping[str, int] = field(default_factory=dict)

    def thrower(self, round_number: int) -> str | None:
        """Return who throws in a round, by the rotation."""
        return self.throwers[round_number % len(self.throwers)] if self.throwers else None

    def maximum(self, rulebook: Rulebook, bet: Bet) -> tuple[Maximum, int] | None:
        """Return the limit that governs a bet and its amount, or None where none is set."""
        for rule in rulebook.limits.maxima if rulebook.limits else ():
            if bet.bet in rule.bets and rule.limit in self.maxima:
                return rule, self.maxima[rule.limit]
        return None


def check_table(rulebook: Rulebook, table: Table, mark: Mark) -> list[Fault]:
    """Return the faults of a table against its rulebook: maxima, cloths, throwers; each with its article."""
    faults = []
    if table.minimum < 1:
        faults.append(Fault(mark, "minimum", f"must be at least 1; given {table.minimum}"))
    limits = rulebook.limits
    rules = {rule.limit: rule for rule in limits.maxima} if limits else {}
    for name, maximum in table.maxima.items():
        field_name = f"maxima.{name}"
        if name not in rules:
            message = f"no such limit in {rulebook.id}; allowed: {', '.join(rules) or 'none'}"
            faults.append(Fault(mark, field_name, message))
            continue
        low, high = rules[name].low * table.minimum, rules[name].high * table.minimum
        if not low <= maximum <= high:
            message = f"must be {low} to {high} ({rules[name].article}); given {maximum}"
            faults.append(Fault(mark, field_name, message))
    return [*faults, *_check_cloths(rulebook, table, mark)]


def _check_cloths(rulebook: Rulebook, table: Table, mark: Mark) -> list[Fault]:
    limits = rulebook.limits
    faults = []
    allowed = {table.minimum, table.minimum * (limits.cloth_multiple if limits else 1)}
    by = f" ({limits.cloth_article})" if limits else ""
    most = rulebook.cloths
    if most is not None and len(table.cloths) > most.most:
        message = f"must be at most {most.most} ({most.article}); given {len(table.cloths)}"
        faults.append(Fault(mark, "cloths", message))
    wrong = [cloth for cloth in table.cloths if cloth not in allowed]
    if wrong:
        choices = " or ".join(map(str, sorted(allowed)))
        faults.append(Fault(mark, "cloths", f"a cloth's minimum must be {choices}{by}; given {wrong[0]}"))
    elif table.minimum not in table.cloths:
        message = f"one cloth must keep the authorised minimum, {table.minimum}{by}; none does"
        faults.append(Fault(mark, "cloths", message))
    if rulebook.throwers and table.throwers and len(set(table.throwers)) != len(table.cloths):
        message = f"one croupier per cloth ({rulebook.throwers.article}); given {len(set(table.throwers))}"
        faults.append(Fault(mark, "throwers", f"{message} for {len(table.cloths)} cloths"))
    return faults


def check_throws(rulebook: Rulebook, table: Table, threw: Sequence[str], mark: Mark) -> list[Fault]:
    """Return a fault for every round in which somebody threw out of turn; `threw` names who did."""
    if rulebook.throwers is None or not table.throwers:
        return []
    return [
        Fault(
            mark,
            f"round {number}",
            f"{table.thrower(number)} throws ({rulebook.throwers.article}); given {name}",
        )
        for number, name in enumerate(threw)
        if name != table.thrower(number)
    ]
