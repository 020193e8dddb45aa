"""The rigid engine of pegged wheels: Chipmunk lets the clapper meet the pegs, the laws turn wheel and clapper."""

from collections import deque
from math import cos, inf, pi, sin

import numpy as np
import pymunk

from sim.engines.rigid import Spin
from sim.landing import Ending, Event, EventKind, Landing, Push
from sim.machines.wheel import WheelMachine
from sim.physics.clapper import kick_clapper, kick_wheel
from sim.physics.rim import full_turn

_FIXED = 1e12  # kg: a body so heavy that it only turns, which makes its origin the pivot
_SLOP = 1e-4  # m, in which a tip that rests on a peg stays in touch; Chipmunk's default is ten centimetres
_PEG, _TIP = 1, 2


def spin(machine: WheelMachine, start: Push, trace_step: float | None = None) -> Spin:
    """Play one push until wheel and clapper are at rest, or to the time limit.

    trace_step: s between two rows of the trace; None for no trace. Of the pegs that pass, only as many
    as the wheel has, the last ones, are told (as contacts).
    """
    stand = _Stand(machine, start)
    solver = machine.solver
    rows = [stand.row()] if trace_step is not None else []
    steps = 0
    while stand.ending is None and steps * solver.step < solver.time_limit:
        steps += 1
        stand.advance(solver.step, steps * solver.step)
        if trace_step is not None and stand.time >= len(rows) * trace_step - 1e-12:
            rows.append(stand.row())
    if trace_step is not None and rows[-1][0] < stand.time:
        rows.append(stand.row())
    trace = np.array(rows) if trace_step is not None else None
    landing = stand.landing()
    if stand.ending == "rest":
        stand.note("rest", "clapper/peg" if landing.on_peg else "clapper/section", 0.0, landing.section)
    return Spin(start, landing, (*stand.events, *stand.passages, *stand.last), trace)


class _Stand:
    """One push under way: Chipmunk's two bodies, the turns counted so far, and the events."""

    def __init__(self, machine: WheelMachine, start: Push) -> None:
        self.machine = machine
        self.start = start
        self.direction = -1 if start.speed < 0.0 else 1
        self.begun = machine.clear_phase(start.phase)
        self.time = 0.0
        self.ending: Ending | None = None
        self.still_since = 0.0
        self.stood = (inf, inf)
        self.reversed = False
        self.farthest = self.path = 0.0
        self.peak = 0.0
        self.events: list[Event] = []
        self.passages: deque[Event] = deque(maxlen=len(machine.pegs))
        self.last: list[Event] = []
        self._build()
        self.note("launch", "croupier/wheel", abs(start.speed) * float(machine.pegs[0, 1]))

    def _build(self) -> None:
        machine, clapper = self.machine, self.machine.clapper
        self.space = pymunk.Space()
        self.space.collision_slop = _SLOP
        # All overlap is taken back in the next step: what is left of it lets the tip slip off a peg too soon.
        self.space.collision_bias = 0.0
        self.wheel = pymunk.Body(_FIXED, machine.wheel.inertia)
        self.wheel.angle = self.begun
        self.wheel.angular_velocity = self.start.speed
        self.arm = pymunk.Body(_FIXED, clapper.inertia)
        self.arm.position = (clapper.pivot_x, clapper.pivot_y)
        self.arm.angle = clapper.rest_angle
        self.space.add(self.wheel, self.arm)
        # Chipmunk multiplies what two shapes give: the pair's values stand on one, 1 on the other.
        self.rows: dict[pymunk.Shape, int] = {}
        for row, (angle, distance, radius) in enumerate(machine.pegs.tolist()):
            peg = pymunk.Circle(self.wheel, radius, (distance * cos(angle), distance * sin(angle)))
            peg.elasticity, peg.friction, peg.collision_type = 1.0, 1.0, _PEG
            self.rows[peg] = row
            self.space.add(peg)
        tip = pymunk.Segment(self.arm, (0.0, 0.0), (0.0, -clapper.arm), clapper.radius)
        tip.elasticity, tip.friction, tip.collision_type = clapper.restitution, clapper.friction, _TIP
        self.space.add(tip)
        self.space.on_collision(_PEG, _TIP, begin=self._met)

        def drive_wheel(body: pymunk.Body, gravity: object, damping: float, duration: float) -> None:
            body.angular_velocity = kick_wheel(body.angle, body.angular_velocity, machine.wheel, duration)

        def drive_arm(body: pymunk.Body, gravity: object, damping: float, duration: float) -> None:
            body.angular_velocity = kick_clapper(body.angle, body.angular_velocity, clapper, duration)

        self.wheel.velocity_func = drive_wheel
        self.arm.velocity_func = drive_arm

    def _met(self, arbiter: pymunk.Arbiter, space: pymunk.Space, data: object) -> None:
        """A peg and the clapper have come together; a peg met again before another is told once."""
        points = arbiter.contact_point_set.points
        peg = self.machine.peg_index[self.rows[arbiter.shapes[0]]]
        if not points or (self.passages and self.passages[-1].pocket == peg):
            return
        (x, y), (nx, ny) = points[0].point_a, arbiter.normal
        clapper = self.machine.clapper
        wheel, arm = self.wheel.angular_velocity, self.arm.angular_velocity
        across = arm * (x - clapper.pivot_x) - wheel * x
        along = -arm * (y - clapper.pivot_y) + wheel * y
        self.passages.append(self._event("contact", "peg/clapper", abs(along * nx + across * ny), peg))

    def advance(self, duration: float, time: float) -> None:
        """One step of Chipmunk's, which ends at ``time``; then the counting of turns and the judgement of rest."""
        before = self.wheel.angle
        self.time = time
        self.space.step(duration)
        solver = self.machine.solver
        wheel, arm = self.wheel.angle, self.arm.angle
        self.path += abs(wheel - before)
        self.peak = max(self.peak, abs(self.arm.angular_velocity))
        if not self.reversed:
            self.farthest = max(self.farthest, self._turned())
            self.reversed = self._turned() < self.farthest - solver.rest_angle
        stood = self.stood
        if abs(wheel - stood[0]) > solver.rest_angle or abs(arm - stood[1]) > solver.clapper_rest_angle:
            self.stood, self.still_since = (wheel, arm), time
        elif time - self.still_since >= solver.rest_time:
            self.ending = "rest"

    def _turned(self) -> float:
        """Angle turned in the direction of the push, rad."""
        return self.direction * (self.wheel.angle - self.begun)

    def _event(self, kind: EventKind, what: str, speed: float, pocket: int | None) -> Event:
        azimuth = full_turn(self.machine.bearing_of_tip(self.arm.angle))
        return Event(self.time, kind, azimuth, what, speed, pocket)

    def note(self, kind: EventKind, what: str, speed: float, pocket: int | None = None) -> None:
        """Keep an event."""
        (self.last if kind == "rest" else self.events).append(self._event(kind, what, speed, pocket))

    def row(self) -> tuple[float, ...]:
        """One row of the trace."""
        return (
            self.time,
            self.wheel.angle,
            self.wheel.angular_velocity,
            self.arm.angle,
            self.arm.angular_velocity,
        )

    def landing(self) -> Landing:
        """Where and how the spin ended."""
        section, on_peg, place = self.machine.read(self.wheel.angle, self.arm.angle, self.direction)
        settled = self.ending == "rest"
        tip = self.machine.bearing_of_tip(self.arm.angle)
        return Landing(
            pocket=section if settled and not on_peg else None,
            ending=self.ending or "time_limit",
            rest_azimuth=full_turn(tip),
            rest_azimuth_plate=full_turn(tip - self.wheel.angle),
            offset=abs(place),
            ball_turns=0.0,
            plate_turns=self.path / (2.0 * pi),
            ball_direction=0,
            plate_direction=self.direction,
            hops=0,
            drop_azimuth=None,
            band_azimuth=None,
            settling_time=None,
            duration=self.time,
            peak_speed=self.peak * self.machine.clapper.arm,
            plate_speed=self.wheel.angular_velocity,
            turns_forward=self.farthest / (2.0 * pi),
            turns_net=self._turned() / (2.0 * pi),
            section=section if settled else None,
            on_peg=on_peg if settled else None,
        )
