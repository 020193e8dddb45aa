"""Spins as plain data for one JSON document; nothing in it depends on when or where it was computed."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import degrees
from typing import Any

from sim.landing import Event, Landing, Push, Start
from sim.report.versions import versions
from sim.rules.bets import Wager
from sim.rules.outcome import Outcome
from sim.rules.settlement import Settlement
from sim.scenario import Scenario, WheelScenario


@dataclass(frozen=True, slots=True)
class Record:
    """One spin, from what set it going to its settled bets."""

    start: Start | Push
    landing: Landing
    events: tuple[Event, ...]
    outcome: Outcome
    settlement: Settlement


@dataclass(slots=True)
class BetTotals:
    """Sums over the spins of a run of one bet: whole units, and how often it won."""

    bet: str
    won: int = 0
    staked: int = 0
    returned: int = 0

    @property
    def net(self) -> int:
        """What the player gained, whole units."""
        return self.returned - self.staked

    def as_data(self) -> dict[str, Any]:
        """Return the sums as plain data."""
        return {
            "bet": self.bet,
            "won": self.won,
            "staked": self.staked,
            "returned": self.returned,
            "net": self.net,
        }


class Totals:
    """Sums over the spins of a run."""

    def __init__(self, wagers: Sequence[Wager]) -> None:
        self.spins = self.valid = 0
        self.bets = [BetTotals(wager.chance) for wager in wagers]

    @property
    def staked(self) -> int:
        """All stakes, whole units."""
        return sum(bet.staked for bet in self.bets)

    @property
    def returned(self) -> int:
        """What came back, stakes and prizes, whole units."""
        return sum(bet.returned for bet in self.bets)

    @property
    def net(self) -> int:
        """What the player gained, whole units."""
        return self.returned - self.staked

    def add(self, record: Record) -> None:
        """Add one spin."""
        self.spins += 1
        self.valid += record.outcome.valid
        for bet, line in zip(self.bets, record.settlement.lines, strict=True):
            bet.won += line.result == "won"
            bet.staked += line.staked
            bet.returned += line.returned

    def as_data(self) -> dict[str, Any]:
        """Return the sums as plain data."""
        return {
            "spins": self.spins,
            "valid": self.valid,
            "void": self.spins - self.valid,
            "staked": self.staked,
            "returned": self.returned,
            "net": self.net,
            "bets": [bet.as_data() for bet in self.bets],
        }


def document(scenario: Scenario, seed: int, records: Sequence[Record], totals: Totals) -> dict[str, Any]:
    """Return a run as plain data. Angles are degrees in [0, 360); a name ends in its unit."""
    return {
        "scenario": {"name": scenario.name, "sha256": scenario.sha256},
        "seed": seed,
        "versions": versions(),
        "assumed": scenario.assumed,
        "spins": [_spin(scenario, record) for record in records],
        "totals": totals.as_data(),
    }


def _spin(scenario: Scenario, record: Record) -> dict[str, Any]:
    outcome, settlement = record.outcome, record.settlement
    void = outcome.void
    return {
        "index": record.start.index,
        "start": _start(scenario, record.start),
        "pocket": record.landing.pocket,
        "symbol": outcome.symbol,
        "valid": outcome.valid,
        "void": void and {"code": void.code, "article": void.article, "reason": void.reason},
        "events": [_event(event) for event in record.events],
        "landing": _landing(record.landing),
        "outcome": {
            "symbol": outcome.symbol,
            "colour": outcome.colour,
            "chances": list(outcome.chances),
            "article": outcome.article,
            "closing_s": outcome.closing,
            "remarks": [{"article": remark.article, "text": remark.text} for remark in outcome.remarks],
        },
        "settlement": {
            "staked": settlement.staked,
            "returned": settlement.returned,
            "net": settlement.net,
        },
    }


def _start(scenario: Scenario, start: Start | Push) -> dict[str, Any]:
    """What was drawn for the spin."""
    if isinstance(start, Push):
        assert isinstance(scenario, WheelScenario)
        return {
            "croupier": scenario.push.active[start.croupier].name,
            "speed_rad_s": start.speed,
            "phase_deg": degrees(start.phase),
        }
    return {
        "ball_speed_m_s": start.ball_speed,
        "ball_azimuth_deg": degrees(start.ball_azimuth),
        "release_height_m": start.release_height,
        "ball_direction": start.ball_direction,
        "plate_speed_rad_s": start.plate_speed,
        "plate_phase_deg": degrees(start.plate_phase),
        "heavy_side": list(start.heavy_side),
    }


def _event(event: Event) -> dict[str, Any]:
    return {
        "time_s": event.time,
        "kind": event.kind,
        "azimuth_deg": degrees(event.azimuth),
        "what": event.what,
        "speed_m_s": event.speed,
        "pocket": event.pocket,
        "duration_s": event.duration,
    }


def _landing(landing: Landing) -> dict[str, Any]:
    return {
        "ending": landing.ending,
        "rest_azimuth_deg": degrees(landing.rest_azimuth),
        "rest_azimuth_plate_deg": degrees(landing.rest_azimuth_plate),
        "offset_m": landing.offset,
        "ball_turns": landing.ball_turns,
        "plate_turns": landing.plate_turns,
        "ball_direction": landing.ball_direction,
        "plate_direction": landing.plate_direction,
        "hops": landing.hops,
        "drop_azimuth_deg": None if landing.drop_azimuth is None else degrees(landing.drop_azimuth),
        "band_azimuth_deg": None if landing.band_azimuth is None else degrees(landing.band_azimuth),
        "settling_time_s": landing.settling_time,
        "duration_s": landing.duration,
        "peak_speed_m_s": landing.peak_speed,
        "plate_speed_rad_s": landing.plate_speed,
        **_wheel(landing),
    }


def _wheel(landing: Landing) -> dict[str, Any]:
    """What only the landing of a pegged wheel has."""
    if landing.turns_forward is None:
        return {}
    return {
        "turns_forward": landing.turns_forward,
        "turns_net": landing.turns_net,
        "section": landing.section,
        "on_peg": landing.on_peg,
    }
