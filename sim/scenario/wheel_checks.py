"""Pegged wheels that cannot exist or cannot be integrated, those that look wrong, and the line that names one."""

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from sim.documents.faults import Fault
from sim.scenario.hollows import mm
from sim.scenario.pegged_wheel import Peg, WheelScenario

Reason = tuple[tuple[str, ...], str]
"""Dotted paths of the values that clash, the one to mend first; and what is wrong."""

LEAST_SPREAD = 0.7
"""Turns in one standard deviation below which the push itself prefers some sections."""
MOST_SWING = 0.3
"""Largest step in units of 1/(angular frequency of the clapper); twice that is still stable, not accurate."""


def wheel_refusals(scenario: WheelScenario) -> list[Fault]:
    """Every reason why the wheel is physically impossible, each at one of the values that make it so."""
    found = [
        *_ring(scenario),
        *_pegs(scenario),
        *_clapper(scenario),
        *_imbalance(scenario),
        *_push(scenario),
        *_step(scenario),
    ]
    return [scenario.clash(*reason) for reason in found]


def neighbours(pegs: tuple[Peg, ...]) -> Iterator[tuple[Peg, Peg]]:
    """Each peg and the next one, counter-clockwise, the last and the first too."""
    round_about = sorted(pegs, key=lambda peg: peg.angle % math.tau)
    yield from pairwise([*round_about, *round_about[:1]])


def _ring(scenario: WheelScenario) -> Iterator[Reason]:
    machine = scenario.machine
    if len(machine.number_ring) != machine.pegs.count:
        yield (
            ("machine.number_ring", "machine.pegs.count"),
            f"must have one symbol for each of the {machine.pegs.count} sections; given {len(machine.number_ring)}",
        )


def _pegs(scenario: WheelScenario) -> Iterator[Reason]:
    """The pegs on the wheel, apart from each other, and the tip between them."""
    machine = scenario.machine
    pegs, edge = machine.pegs, machine.wheel.diameter / 2
    if pegs.reach > edge:
        yield (
            ("machine.pegs.circle_radius", "machine.pegs.radius", "machine.wheel.diameter"),
            f"the pegs stand over the edge: their outer side must lie within {mm(edge)}; given {mm(pegs.reach)}",
        )
    for i, fault in enumerate(pegs.faults):
        if fault.peg >= pegs.count:
            yield (
                (f"machine.pegs.faults.{i}.peg", "machine.pegs.count"),
                f"there is no such peg; allowed: 0 to {pegs.count - 1}; given {fault.peg}",
            )
        if fault.missing and (fault.angle or fault.radius):
            yield (f"machine.pegs.faults.{i}",), "a missing peg has neither angle nor radius"
        if fault.radius is not None and fault.radius > pegs.radius:
            yield (
                (f"machine.pegs.faults.{i}.radius", "machine.pegs.radius"),
                f"a peg does not grow: must be at most {mm(pegs.radius)}; given {mm(fault.radius)}",
            )
    if len(pegs.standing) < 3:
        yield ("machine.pegs.faults",), f"leaves fewer than 3 pegs; given {len(pegs.standing)}"
        return
    places = (
        "machine.pegs.radius",
        "machine.pegs.count",
        "machine.pegs.circle_radius",
        "machine.pegs.faults",
    )
    room, one, other = min(
        (round(_room(scenario, one, other), 9), one.index, other.index)
        for one, other in neighbours(pegs.standing)
    )
    width = 2 * machine.clapper.tip_radius
    if room <= 0:
        yield (
            places,
            f"the pegs {one} and {other} overlap; the room between them must be above 0 mm; given {mm(room)}",
        )
    elif room <= width:
        yield (
            ("machine.clapper.tip_radius", *places),
            f"the tip does not fit between the pegs {one} and {other}: its width must be below the room of "
            f"{mm(room)}; given {mm(width)}",
        )


def _room(scenario: WheelScenario, one: Peg, other: Peg) -> float:
    """Room between two pegs, m."""
    chord = 2 * scenario.machine.pegs.circle_radius * math.sin((other.angle - one.angle) % math.tau / 2)
    return chord - one.radius - other.radius


def _clapper(scenario: WheelScenario) -> Iterator[Reason]:
    """The clapper reaches the pegs, lets them pass, and is let go by one before the next arrives."""
    machine = scenario.machine
    pegs, clapper = machine.pegs, machine.clapper
    overlap = ("machine.clapper.overlap", "machine.clapper.wear", "machine.clapper.arm")
    if clapper.wear >= clapper.arm:
        yield (
            ("machine.clapper.wear", "machine.clapper.arm"),
            (f"nothing is left of the arm; must be below {mm(clapper.arm)}; given {mm(clapper.wear)}"),
        )
        return
    inside = pegs.reach + clapper.tip_radius - math.hypot(*machine.resting_tip)
    if inside <= 0:
        yield (
            (*overlap, "machine.clapper.rest_angle", "machine.clapper.offset"),
            f"the clapper cannot reach: at rest its tip stands {mm(-inside)} outside the pegs",
        )
        return
    clear = clapper.arm - clapper.tip_radius
    if clapper.overlap >= clear:
        yield (
            overlap,
            f"the pegs would meet the pivot; must be below {mm(clear)}; given {mm(clapper.overlap)}",
        )
        return
    passing = machine.passing_angle
    pitch = 2 * pegs.circle_radius * math.sin(pegs.pitch / 2)
    if passing is None:
        yield overlap, f"no peg can pass: the tip never gets out of their way; given {mm(clapper.overlap)}"
        return
    swing = clapper.worn_arm * math.sin(passing) + pegs.radius + clapper.tip_radius
    if swing >= pitch:
        yield (
            (*overlap, "machine.pegs.count"),
            "larger than the gap allows: the next peg meets the arm before the tip has left the last; peg, tip and "
            f"swing need {mm(swing)} of the {mm(pitch)} from peg to peg; given an overlap of {mm(clapper.overlap)}",
        )


def _imbalance(scenario: WheelScenario) -> Iterator[Reason]:
    wheel = scenario.machine.wheel
    if wheel.imbalance.radius > wheel.diameter / 2:
        yield (
            ("machine.wheel.imbalance.radius", "machine.wheel.diameter"),
            f"lies off the wheel; at most {mm(wheel.diameter / 2)}; given {mm(wheel.imbalance.radius)}",
        )


def _push(scenario: WheelScenario) -> Iterator[Reason]:
    """Speeds have no sign; a distribution must not reach below 0."""
    for i, croupier in enumerate(scenario.push.croupiers):
        if croupier.speed.lowest < 0:
            yield (
                (f"push.croupiers.{i}.speed",),
                f"reaches below 0, to {croupier.speed.lowest:.6g} rad/s; give a min of at least 0",
            )


def _step(scenario: WheelScenario) -> Iterator[Reason]:
    """No peg passes the tip unseen, and the clapper's swing is resolved (physics.md sections 2 and 5)."""
    machine, step = scenario.machine, scenario.solver.step
    pegs, clapper = machine.pegs, machine.clapper
    fastest = max(each.speed.highest for each in scenario.push.active)
    least = min((peg.radius for peg in pegs.standing), default=pegs.radius)
    most = 0.5 * (least + clapper.tip_radius) / (pegs.circle_radius * fastest) if fastest > 0 else math.inf
    if step > most:
        yield (
            ("solver.step", "push.croupiers", "machine.pegs.radius", "machine.clapper.tip_radius"),
            f"too long: at {fastest:.4g} rad/s a peg moves {mm(pegs.circle_radius * fastest * step)} in a step, more "
            f"than half of peg and tip radius together; at most {most * 1000:.4g} ms; given {step * 1000:.6g} ms",
        )
    if clapper.worn_arm <= 0:
        return
    swing = math.sqrt((clapper.spring + clapper.weight) / clapper.moment)
    most = min(MOST_SWING / swing, 0.5 * clapper.moment / clapper.damper if clapper.damper else math.inf)
    if step > most:
        yield (
            ("solver.step", "machine.clapper.spring", "machine.clapper.damper", "machine.clapper.mass"),
            f"too long for the clapper, which swings at {swing / math.tau:.4g} turns of its phase a second; "
            f"at most {most * 1000:.4g} ms; given {step * 1000:.6g} ms",
        )


def describe_wheel(scenario: WheelScenario) -> str:
    """What the machine is, as part of a line."""
    machine = scenario.machine
    faults = f", {len(machine.pegs.faults)} with faults" if machine.pegs.faults else ""
    return (
        f"wheel {mm(machine.wheel.diameter)} and {machine.wheel.moment:.4g} kg m^2, {machine.pegs.count} pegs{faults}, "
        f"clapper {mm(machine.clapper.worn_arm)} with {mm(machine.clapper.overlap - machine.clapper.wear)} overlap, "
        f"imbalance {machine.wheel.heavy_torque:.4g} N m"
    )


def wheel_suspicions(scenario: WheelScenario, turns: float = 3.0) -> Iterator[str]:
    """What looks suspicious. turns: what the energy of a push should carry (Roda da Sorte: art. 4.3)."""
    wheel = scenario.machine.wheel
    shares = (np.arange(2000) + 0.5) / 2000
    bound = least_speed(scenario, turns)
    loss = wheel.bearing.constant + _clapper_loss(scenario) / wheel.moment
    for croupier in scenario.push.active:
        speeds = croupier.speed.quantile(shares)
        weak = float(np.mean(speeds < bound))
        if weak > 0:
            yield (
                f"{weak:.1%} of the pushes of {croupier.name} cannot carry {turns:g} turns: the bearing alone takes "
                f"what a push below {bound:.3g} rad/s has"
            )
        if loss > 0:
            spread = float((speeds**2 / (2 * loss)).std()) / math.tau
            if spread < LEAST_SPREAD:
                yield (
                    f"the pushes of {croupier.name} spread the whole rotation by at most about {spread:.2f} turns in "
                    f"one standard deviation; below {LEAST_SPREAD} even a sound wheel prefers some sections"
                )
    if wheel.heavy_torque > wheel.bearing_torque:
        yield (
            f"the wheel turns by itself: its imbalance of {wheel.heavy_torque:.3g} N m is more than the "
            f"{wheel.bearing_torque:.3g} N m with which its bearing holds it"
        )
    if scenario.machine.pegs.faults:
        yield f"pegs with faults: {', '.join(str(fault.peg) for fault in scenario.machine.pegs.faults)}"


def least_speed(scenario: WheelScenario, turns: float) -> float:
    """Speed of a push below which no wheel can make so many turns, rad/s: its energy is less than the bearing takes."""
    return math.sqrt(2 * scenario.machine.wheel.bearing.constant * math.tau * turns)


def _clapper_loss(scenario: WheelScenario) -> float:
    """Mean torque of the clapper if every peg takes just the spring's energy at the passing angle, N m.

    A quick wheel flings the tip farther, so this is the least that it takes.
    """
    machine = scenario.machine
    passing = machine.passing_angle or 0.0
    return machine.pegs.count * 0.5 * machine.clapper.spring * passing**2 / math.tau
