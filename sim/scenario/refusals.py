"""Machines that cannot exist, and settings that cannot integrate them; each with its reason and numbers."""

import math

import numpy as np

from sim.documents.faults import Fault
from sim.scenario.base import GRAVITY
from sim.scenario.hollows import Points, mm
from sim.scenario.scenario import PlateScenario

Reason = tuple[tuple[str, ...], str]
"""Dotted paths of the values that clash, the one to mend first; and what is wrong."""

_TOUCH = 1e-9
"""Lengths that differ by less, m, are equal; designers let the mouths touch the edges of the band."""

_MOST_SWING = 0.010
"""Run-out and eccentricity, m, ten times those of a plate that nobody would turn any more."""


def refusals(scenario: PlateScenario) -> list[Fault]:
    """Every reason why the scenario is physically impossible, each at one of the values that make it so."""
    hollow, layout = _hollow(scenario), _layout(scenario)
    found = [
        *hollow,
        *layout,
        *([] if hollow or layout else _room(scenario)),
        *_groove(scenario),
        *_mount(scenario),
        *_stance(scenario),
        *_launch(scenario),
        *_chips(scenario),
        *_step(scenario, 0.0 if hollow else scenario.machine.hollow.bottom),
    ]
    return [scenario.clash(*reason) for reason in found]


def _hollow(scenario: PlateScenario) -> list[Reason]:
    """The shape of the hollow, and whether the ball gets to its bottom."""
    machine, radius, found = scenario.machine, scenario.ball.radius, list[Reason]()
    shapes = {"machine.hollow": machine.hollow}
    for i, fault in enumerate(machine.hollows.faults):
        place = f"machine.hollows.faults.{i}"
        if fault.hollow >= machine.hollows.count:
            reason = (
                f"there is no such hollow; allowed: 0 to {machine.hollows.count - 1}; given {fault.hollow}"
            )
            found.append(((f"{place}.hollow", "machine.hollows.count"), reason))
        shaped = machine.changes_at(fault.hollow).keys() & {
            "depth",
            "mouth_radius",
            "lip_radius",
            "raised_lip",
        }
        if shaped and isinstance(machine.hollow, Points):
            reason = f"a hollow drawn as points has no such measure; given {', '.join(sorted(shaped))}"
            found.append(((place, "machine.hollow"), reason))
            continue
        shapes[place] = machine.hollow_at(fault.hollow)
        lip = getattr(shapes[place], "lip_radius", 0.0)
        if fault.raised_lip > lip:
            reason = f"a lip is raised by its own radius at most, {mm(lip)}; given {mm(fault.raised_lip)}"
            found.append(((f"{place}.raised_lip",), reason))
    for place, hollow in shapes.items():
        wrong = hollow.impossible()
        found += [((place,), reason) for reason in wrong]
        if wrong:
            continue
        clearance = hollow.clearance(hollow.bottom + radius)
        if clearance < radius - _TOUCH:
            reason = (
                "the ball cannot enter its hollow: it meets the lip or the wall before the bottom; "
                f"room for its radius of {mm(radius)} is needed above the bottom; given {mm(clearance)}"
            )
            found.append(((place, "ball.diameter"), reason))
    return found


def _layout(scenario: PlateScenario) -> list[Reason]:
    """The hollows on their circles and in their band, and the symbols they carry."""
    machine, found = scenario.machine, list[Reason]()
    hollows, band = machine.hollows, machine.band
    if (hollows.layout == "two_rings") != (hollows.inner_circle_radius is not None):
        reason = "must be given with layout two_rings, and only then"
        found.append((("machine.hollows.inner_circle_radius", "machine.hollows.layout"), reason))
    if hollows.layout == "two_rings" and hollows.count % 2:
        reason = f"two rings share the hollows evenly; must be even; given {hollows.count}"
        found.append((("machine.hollows.count", "machine.hollows.layout"), reason))
    if hollows.count % len(machine.number_ring):
        reason = (
            f"must have one symbol for each of the {hollows.count} hollows, or be repeated a whole number of times; "
            f"given {len(machine.number_ring)}"
        )
        found.append((("machine.number_ring", "machine.hollows.count"), reason))
    if band.inner_radius >= band.outer_radius:
        reason = f"must be greater than inner_radius, {mm(band.inner_radius)}; given {mm(band.outer_radius)}"
        found.append((("machine.band.outer_radius", "machine.band.inner_radius"), reason))
    if machine.plate.boss_radius >= band.inner_radius:
        reason = (
            f"the boss covers the band: must be below its inner_radius, {mm(band.inner_radius)}; "
            f"given {mm(machine.plate.boss_radius)}"
        )
        found.append((("machine.plate.boss_radius", "machine.band.inner_radius"), reason))
    return found


def _room(scenario: PlateScenario) -> list[Reason]:
    """No two mouths overlap, and none reaches out of the band."""
    machine, found = scenario.machine, list[Reason]()
    band, count = machine.band, machine.hollows.count
    # A raised lip reaches out of the mouth by its radius at most.
    mouth = np.array([machine.hollow_at(i).mouth_radius + machine.raised_lip(i) for i in range(count)])
    azimuth = np.concatenate(
        [r.azimuth + 2 * np.pi * np.arange(r.hollows) / r.hollows for r in machine.hollows.rings]
    )
    circle = np.concatenate([np.full(r.hollows, r.circle_radius) for r in machine.hollows.rings])
    axes = circle * np.exp(1j * azimuth)
    apart = np.abs(axes[:, None] - axes[None, :])
    room = apart - mouth[:, None] - mouth[None, :]
    np.fill_diagonal(room, np.inf)
    one, other = np.unravel_index(room.argmin(), room.shape)
    if room[one, other] < -_TOUCH:
        reason = (
            f"the hollows overlap: of {count}, {one} and {other} lie {mm(float(apart[one, other]))} apart, centre to "
            f"centre; at least {mm(float(mouth[one] + mouth[other]))} is needed for their mouths; "
            f"given {mm(float(circle[one]))}"
        )
        clash = ("circle_radius", "count", "inner_circle_radius", "faults")
        found.append(
            ((*(f"machine.hollows.{name}" for name in clash), "machine.hollow.mouth_radius"), reason)
        )
    nearest, farthest = float((circle - mouth).min()), float((circle + mouth).max())
    if nearest < band.inner_radius - _TOUCH or farthest > band.outer_radius + _TOUCH:
        reason = (
            f"the hollows reach out of the band: they lie from {mm(nearest)} to {mm(farthest)}, "
            f"the band from {mm(band.inner_radius)} to {mm(band.outer_radius)}"
        )
        found.append(
            (("machine.hollows.circle_radius", "machine.hollow.mouth_radius", "machine.band"), reason)
        )
    return found


def _groove(scenario: PlateScenario) -> list[Reason]:
    """The ball in its groove, above the cone and below the top of the wall."""
    machine, radius, found = scenario.machine, scenario.ball.radius, list[Reason]()
    groove, edge = machine.groove, machine.band.outer_radius
    if groove.radius <= edge:
        reason = (
            f"the groove lies inside the plate: must be greater than {mm(edge)}; given {mm(groove.radius)}"
        )
        found.append((("machine.groove.radius", "machine.band.outer_radius", "ball.diameter"), reason))
    elif groove.radius - radius < edge - _TOUCH:
        reason = (
            "the ball in its groove hangs over the plate: must be at least "
            f"{mm(edge + radius)}, the radius of the plate and of the ball; given {mm(groove.radius)}"
        )
        found.append((("machine.groove.radius", "machine.band.outer_radius", "ball.diameter"), reason))
    slope = machine.cone.slope
    touch = radius * (1 - math.sin(slope)) / math.cos(slope)
    highest = touch + max(scenario.launch.release_height.highest, 0.0)
    if groove.wall_height < highest:
        reason = (
            f"the ball would be let go above its wall: it leans on it up to {mm(highest)} above the floor; "
            f"given {mm(groove.wall_height)}"
        )
        found.append((("machine.groove.wall_height", "ball.diameter", "launch.release_height"), reason))
    return found


def _mount(scenario: PlateScenario) -> list[Reason]:
    """The plate on its spindle, and the weight in the ball."""
    plate, found = scenario.machine.plate, list[Reason]()
    swings = {
        "eccentricity.offset": plate.eccentricity.offset if plate.eccentricity else 0.0,
        "run_out.axial": plate.run_out.axial if plate.run_out else 0.0,
    }
    for place, swing in swings.items():
        if swing > _MOST_SWING:
            reason = f"no plate turns in its frame so; must be at most {mm(_MOST_SWING)}; given {mm(swing)}"
            found.append(((f"machine.plate.{place}",), reason))
    offset, radius = scenario.ball.centre_offset, scenario.ball.radius
    if offset >= radius:
        reason = f"the centre of mass lies outside the ball: must be below its radius, {mm(radius)}; given {mm(offset)}"
        found.append((("ball.centre_offset", "ball.diameter"), reason))
    return found


def _stance(scenario: PlateScenario) -> list[Reason]:
    """A tilt against the slope that must bring the ball down."""
    slope, tilt = scenario.machine.cone.slope, scenario.level.tilt
    if tilt < slope:
        return []
    reason = (
        "the tilt takes away the slope of the cone on the high side: "
        f"tilt must be below {math.degrees(slope):.6g} deg; given {math.degrees(tilt):.6g} deg"
    )
    return [(("level", "machine.cone.slope"), reason)]


def _launch(scenario: PlateScenario) -> list[Reason]:
    """Speeds and heights have no sign; a distribution must not reach below 0."""
    found: list[Reason] = []
    for name in ("ball_speed", "plate_speed", "release_height"):
        lowest = getattr(scenario.launch, name).lowest
        if lowest < 0:
            reason = f"reaches below 0, to {lowest:.6g} (SI); give a min of at least 0"
            found.append(((f"launch.{name}",), reason))
    return found


def _chips(scenario: PlateScenario) -> list[Reason]:
    """Chips that fall on the plate, flat, while the spin lasts."""
    found, edge, limit = list[Reason](), scenario.machine.band.outer_radius, scenario.solver.time_limit
    for i, chip in enumerate(scenario.objects):
        place = f"objects.{i}"
        reach = chip.radius + chip.diameter / 2
        if reach > edge + _TOUCH:
            reason = f"the chip reaches over the edge of the plate, {mm(edge)}; given {mm(reach)}"
            found.append(((f"{place}.radius", f"{place}.diameter", "machine.band.outer_radius"), reason))
        if chip.thickness > chip.diameter:
            reason = f"a chip lies flat: must be at most its diameter, {mm(chip.diameter)}; given {mm(chip.thickness)}"
            found.append(((f"{place}.thickness", f"{place}.diameter"), reason))
        if chip.time > limit:
            reason = f"falls after the spin is given up, at {limit:g} s; given {chip.time:g} s"
            found.append(((f"{place}.time", "solver.time_limit"), reason))
    return found


def _step(scenario: PlateScenario, bottom: float) -> list[Reason]:
    """The ball, fallen to ``bottom`` m, must not pass through a thin thing in one step (physics.md section 2)."""
    machine, launch, step = scenario.machine, scenario.launch, scenario.solver.step
    fall = (machine.groove.radius - machine.band.outer_radius) * math.tan(machine.cone.slope)
    fall += max(launch.release_height.highest, 0.0) - bottom
    fastest = math.sqrt(launch.ball_speed.highest**2 + 2 * GRAVITY * max(fall, 0.0))
    most = 0.5 * scenario.ball.radius / fastest
    if step <= most:
        return []
    reason = (
        f"too long: at {fastest:.4g} m/s the ball moves {mm(fastest * step)} in a step, more than half its "
        f"radius, {mm(0.5 * scenario.ball.radius)}; at most {most * 1000:.4g} ms; given {step * 1000:.6g} ms"
    )
    return [(("solver.step", "launch.ball_speed", "ball.diameter", "machine.groove.radius"), reason)]
