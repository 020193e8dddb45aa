"""The rigid engine: one spin, every event, drawable. Chipmunk carries the plan view, the laws move the ball.

Chipmunk's step runs position functions, then collisions, then velocity functions, then its solver. The ball's
step, ``kick`` and ``move``, is its carrier's position function; the velocity function hands Chipmunk the result, and
what its solver makes of it between discrete bodies is an impact on top.
"""

from collections.abc import Generator, Iterator
from copy import deepcopy
from dataclasses import dataclass
from math import atan2, ceil, cos, nan, sin
from typing import TYPE_CHECKING

import numpy as np
import pymunk
from numpy.typing import NDArray

from sim.engines import watch
from sim.engines.groove import DROP_IN, in_groove, put_in_groove, rim_step
from sim.engines.stride import STRIDE, Pace, pace_of, stride_of
from sim.engines.watch import Watch, limits_of, new_watch, observe
from sim.landing import Ending, Event, EventKind, Landing, Push, Start
from sim.machines import PlateMachine
from sim.physics import rim
from sim.physics.ball import CALM, Ball, blank_ball
from sim.physics.kick import kick
from sim.physics.loose import Disc, carried, meet
from sim.physics.losses import plate_motion
from sim.physics.move import move
from sim.physics.rim import full_turn
from sim.physics.search import adopt_contacts
from sim.physics.surface import BAND, BOSS, CONE, HOLLOW, WALL, in_plate, nearest_hollow

if TYPE_CHECKING:
    from sim.scenario.scenario import Chip

_SHORT_S = 5e-3
_PARTS = {WALL: "wall", CONE: "cone", BOSS: "boss", BAND: "band", HOLLOW: "hollow"}


@dataclass(frozen=True, slots=True)
class Spin:
    """One spin: its start, its landing, its events in order of time, and its trace if one was asked for.

    trace: shape (n, n_columns), columns `sim.landing.COLUMNS` or, of a pegged wheel, `WHEEL_COLUMNS`; or None.
    chips: shape (n, n_chips, 2), m, where the chips lie in the lab at every row of the trace, in the order in which
    they fall, NaN until then; None where there are none or no trace.
    """

    start: Start | Push
    landing: Landing
    events: tuple[Event, ...]
    trace: NDArray[np.float64] | None
    chips: NDArray[np.float64] | None = None


def spin(
    machine: PlateMachine, start: Start, trace_step: float | None = None, stride: float = STRIDE
) -> Spin:
    """Play one spin from its start to rest, to the edge of the apparatus, or to the time limit.

    trace_step: s between two rows of the trace; None for no trace. stride: see `sim.engines.stride`; equal to
    that of the batch engine, this is the batch engine's spin.
    """
    table = _Table(machine, start, stride)
    rows: list[tuple[float, ...]] = []
    chips: list[list[tuple[float, float]]] = []
    for _ in table.play():
        if trace_step is not None and table.time >= len(rows) * trace_step - 1e-12:
            rows.append(table.row())
            chips.append(table.chips())
    if trace_step is not None and rows[-1][0] < table.time:
        rows.append(table.row())
        chips.append(table.chips())
    trace = np.array(rows) if trace_step is not None else None
    events = tuple(sorted(table.events, key=lambda event: event.time))
    return Spin(start, table.landing(), events, trace, np.array(chips) if rows and machine.objects else None)


class _Table:
    """One spin under way: Chipmunk's world, the ball's state, the plate's clock, and the events so far."""

    def __init__(self, machine: PlateMachine, start: Start, stride: float) -> None:
        self.machine = machine
        self.pace = pace_of(machine, stride)
        self.start = start
        self.time = 0.0
        self.events: list[Event] = []
        self.ending: Ending = "time_limit"
        self.drop_azimuth: float | None = None
        self.limits = limits_of(machine)
        self.ball = self._released()
        self.watch: Watch = new_watch(self.ball.position[0], self.ball.position[1])
        self._build_world()

    def _released(self) -> Ball:
        """The ball as it is let go."""
        machine, start = self.machine, self.start
        ball = blank_ball()
        ball.heavy[:] = start.heavy_side
        height = machine.groove_height + start.release_height
        velocity = start.ball_direction * start.ball_speed
        put_in_groove(ball, machine.rim, machine.ball_radius, height, start.ball_azimuth, velocity)
        return ball

    def _build_world(self) -> None:
        radius = self.machine.ball_radius
        self.space = pymunk.Space()
        self.plate = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
        self.plate.angle = self.start.plate_phase
        # Moments about the vertical per unit mass: Chipmunk's ball carries the vertical spin.
        self.carrier = pymunk.Body(1.0, 0.4 * radius * radius)
        self.carrier.position = (float(self.ball.position[0]), float(self.ball.position[1]))
        self.space.add(self.plate, self.carrier)
        # Chips still to fall, the last to fall first; and those on the plate.
        self.waiting = sorted(self.machine.objects, key=lambda chip: -chip.time)
        self.discs: list[tuple[Disc, pymunk.Body]] = []

    # --- the phases -------------------------------------------------------------------------------------------

    def play(self) -> Iterator[None]:
        """The whole spin, a step at a time: dropped into the groove, circling, then free until the end."""
        self._note("launch", "ball/groove", float(np.linalg.norm(self.ball.velocity)))
        yield
        if self.start.release_height == 0.0 or (yield from self._fall_into_groove()):
            yield from self._circle()
        if self.ending != "left_apparatus":
            yield from self._run_free()

    def _fall_into_groove(self) -> Generator[None, None, bool]:
        """The contact law until the ball circles on floor and wall; returns whether it came to that."""
        steady = 0.0
        for happened in self._contact_steps(self.pace._replace(stride=1.0)):
            yield
            steady = steady + self.machine.solver.step if in_groove(self.ball) else 0.0
            if steady >= DROP_IN:
                return True
            if happened & watch.ESCAPED:
                self.ending = "left_apparatus"
            if happened & (watch.BELL | watch.ESCAPED):
                break
        return False

    def _circle(self) -> Iterator[None]:
        """The rim law until the wall's load vanishes; then the ball stands in its groove, ready to roll down."""
        machine, ball, start = self.machine, self.ball, self.start
        azimuth = atan2(ball.position[1], ball.position[0])
        along = (ball.velocity[1] * cos(azimuth) - ball.velocity[0] * sin(azimuth)) * start.ball_direction
        speed, left, released = along / machine.rim.radius, False, azimuth
        place, rate = azimuth, speed

        def carry(body: pymunk.Body, duration: float) -> None:
            velocity = start.ball_direction * rate * machine.rim.radius
            put_in_groove(ball, machine.rim, machine.ball_radius, machine.groove_height, place, velocity)
            body.position = (float(ball.position[0]), float(ball.position[1]))
            body.velocity = (float(ball.velocity[0]), float(ball.velocity[1]))

        self.carrier.position_func = carry
        self.carrier.velocity_func = _unchanged
        while not left and self.time < machine.solver.time_limit:
            before, begun = (azimuth, start.ball_direction * speed), self.time
            azimuth, speed, taken, left = rim.step(
                azimuth, speed, start.ball_direction, machine.rim, rim_step(machine.rim)
            )
            # The rim law takes long steps; what is shown, and chips on the plate, go in short ones between them.
            pieces = ceil(taken / _SHORT_S)
            for piece in range(1, pieces + 1):
                share = piece / pieces
                place = _between(before, (azimuth, start.ball_direction * speed), taken, share)
                rate = (1.0 - share) * abs(before[1]) + share * speed
                self._advance(begun + share * taken - self.time)
                self.time = begun + share * taken
                yield
        self.watch.angle[0] += azimuth - released
        self.watch.last[:] = ball.position[:2]
        if left:
            adopt_contacts(ball, machine.surfaces, machine.ball_radius, self._plate()[0])
            self.drop_azimuth = full_turn(azimuth)
            self.watch.peak[0] = 0.0
            self._note("rim_exit", "ball/wall", speed * machine.rim.radius)

    def _run_free(self) -> Iterator[None]:
        """The contact law to the end."""
        for happened in self._contact_steps(self.pace):
            yield
            if happened & watch.RESTED:
                self.ending = "rest"
                self._note("rest", self._lying_on(), 0.0, self._pocket())
                return
            if happened & watch.ESCAPED:
                self.ending = "left_apparatus"
                return

    # --- one step -----------------------------------------------------------------------------------------------

    def _contact_steps(self, pace: Pace) -> Iterator[int]:
        """Steps of the contact law until the time limit; yields the bits of what each brought."""
        machine, ball = self.machine, self.ball
        surfaces, setting, step = machine.surfaces, machine.setting, machine.solver.step
        start, bearing = self.start, machine.bearing
        angle, speed = self._plate()
        before = speed
        # Whatever has to be compiled is compiled here: an interrupt within a call from Chipmunk would be lost.
        rehearsed = deepcopy(ball)
        kick(rehearsed, surfaces, setting, before, step)
        move(rehearsed, surfaces, setting, angle, speed, step)

        def carry(body: pymunk.Body, duration: float) -> None:
            # What Chipmunk's solver changed in the step before belongs to the ball.
            ball.velocity[0], ball.velocity[1] = body.velocity
            ball.spin[2] = body.angular_velocity
            kick(ball, surfaces, setting, before, duration)
            move(ball, surfaces, setting, angle, speed, duration)
            for disc, its_body in self.discs:
                self._meet(disc, its_body)
            body.position = (float(ball.position[0]), float(ball.position[1]))

        def publish(body: pymunk.Body, gravity: object, damping: float, duration: float) -> None:
            body.velocity = (float(ball.velocity[0]), float(ball.velocity[1]))
            body.angular_velocity = float(ball.spin[2])

        self.carrier.position_func = carry
        self.carrier.velocity_func = publish
        publish(self.carrier, None, 1.0, step)
        captured = np.full(1, -1)
        while self.time < machine.solver.time_limit:
            before = speed
            step = machine.solver.step * stride_of(pace, ball, self.watch, speed, captured, surfaces, setting)
            turned, speed = plate_motion(start.plate_speed, *bearing, self.time + step)
            angle = start.plate_phase + turned
            self._advance(step)
            happened = observe(self.watch, ball, self.limits, speed, self.time)
            if happened:
                self._tell(happened)
            yield happened

    def _advance(self, duration: float) -> None:
        """One step of Chipmunk's; the plate turns by its angular velocity, never by writing its angle."""
        before = self._plate()[0]
        self.time += duration
        self.plate.angular_velocity = (self._plate()[0] - before) / duration
        self.space.step(duration)
        while self.waiting and self.waiting[-1].time <= self.time:
            self._let_fall(self.waiting.pop())

    def _let_fall(self, chip: "Chip") -> None:
        """A chip lands on the plate: a rigid body that the plate carries along and that the ball meets."""
        place = np.array([chip.radius * cos(chip.azimuth), chip.radius * sin(chip.azimuth)])
        share = chip.mass / self.machine.ball_mass
        size = (0.5 * chip.diameter, chip.thickness, share, chip.friction, chip.restitution)
        disc = Disc(place, np.zeros(2), *size)
        body = pymunk.Body(share, pymunk.moment_for_circle(share, 0.0, disc.radius))
        body.position = (float(place[0]), float(place[1]))
        weight = -self.machine.setting.gravity[2]

        def rub(body: pymunk.Body, gravity: object, damping: float, duration: float) -> None:
            self._read(disc, body)
            body.velocity = carried(disc, self._plate()[1], weight, duration)

        body.velocity_func = rub
        self.space.add(body, pymunk.Circle(body, disc.radius))
        # The cone keeps it on the plate. The carrier comes last, so that its ball meets discs that have moved.
        reach = max(self.machine.plate_radius - disc.radius, 0.0)
        self.space.add(pymunk.SlideJoint(self.space.static_body, body, (0, 0), (0, 0), 0.0, reach))
        self.space.remove(self.carrier)
        self.space.add(self.carrier)
        self.discs.append((disc, body))
        self._note("contact", "object/plate", 0.0, azimuth=chip.azimuth)

    def _meet(self, disc: Disc, body: pymunk.Body) -> None:
        """The ball against one disc, whose motion Chipmunk carries."""
        self._read(disc, body)
        speed = meet(self.ball, disc, self.machine.ball_radius)
        if speed > 0.0:
            body.velocity = (float(disc.velocity[0]), float(disc.velocity[1]))
        if speed > CALM:
            self._note("contact", "ball/object", speed)

    @staticmethod
    def _read(disc: Disc, body: pymunk.Body) -> None:
        disc.place[:] = body.position
        disc.velocity[:] = body.velocity

    def _plate(self) -> tuple[float, float]:
        """Angle (rad, not wrapped) and angular velocity (rad/s) of the plate now."""
        turned, speed = plate_motion(self.start.plate_speed, *self.machine.bearing, self.time)
        return self.start.plate_phase + turned, speed

    # --- what is told of it ---------------------------------------------------------------------------------------

    def _tell(self, happened: int) -> None:
        """Turn the bits of a step into events."""
        ball, notes = self.ball, self.watch
        if happened & watch.HIT:
            hollow = int(ball.met[2])
            self._note(
                "contact",
                f"ball/{_PARTS[int(ball.met[1])]}",
                float(ball.met[0]),
                hollow if hollow >= 0 else None,
                self.time - float(ball.met[4]),
            )
        if happened & watch.HOPPED:
            took_off, flight = float(notes.hop_start[0]), float(notes.hop_time[0])
            self._note("hop", "ball/air", self._speed(), None, took_off, flight, float(notes.hop_azimuth[0]))
        if happened & watch.BELL:
            self._note("band", "ball/band", self._speed(), None, float(notes.bell[0]))
        if happened & watch.CAME_OUT:
            self._note("hollow_out", "ball/hollow", self._speed(), int(notes.left[0]))
        if happened & watch.ENTERED:
            self._note("hollow_in", "ball/hollow", self._speed(), int(notes.hollow[0]))

    def _note(
        self,
        kind: EventKind,
        what: str,
        speed: float,
        pocket: int | None = None,
        time: float | None = None,
        duration: float | None = None,
        azimuth: float | None = None,
    ) -> None:
        if azimuth is None:
            azimuth = atan2(self.ball.position[1], self.ball.position[0])
        at = self.time if time is None else time
        self.events.append(Event(at, kind, full_turn(azimuth), what, speed, pocket, duration))

    def _speed(self) -> float:
        return float(np.linalg.norm(self.ball.velocity))

    def _pocket(self) -> int | None:
        hollow = int(self.watch.hollow[0])
        return hollow if hollow >= 0 else None

    def _lying_on(self) -> str:
        return "ball/hollow" if self._pocket() is not None else "ball/plate"

    def row(self) -> tuple[float, ...]:
        """One row of the trace."""
        ball = self.ball
        return (self.time, *ball.position, self._plate()[0], *ball.velocity, *ball.spin)

    def chips(self) -> list[tuple[float, float]]:
        """Where the chips lie, m, in the order in which they fall; NaN for those still to fall."""
        lying = [(float(body.position.x), float(body.position.y)) for _, body in self.discs]
        return lying + [(nan, nan)] * len(self.waiting)

    def landing(self) -> Landing:
        """Where and how the spin ended."""
        ball, start, notes = self.ball, self.start, self.watch
        turned, speed = plate_motion(start.plate_speed, *self.machine.bearing, self.time)
        angle = start.plate_phase + turned
        azimuth = atan2(ball.position[1], ball.position[0])
        px, py, _ = in_plate(ball.position, self.machine.surfaces, cos(angle), sin(angle))
        _, offset = nearest_hollow(px, py, self.machine.surfaces)
        bell = float(notes.bell[0])
        settled = self.ending == "rest"
        return Landing(
            pocket=self._pocket() if settled else None,
            ending=self.ending,
            rest_azimuth=full_turn(azimuth),
            rest_azimuth_plate=full_turn(azimuth - angle),
            offset=float(offset),
            ball_turns=abs(float(notes.angle[0])) / (2.0 * np.pi),
            plate_turns=abs(turned) / (2.0 * np.pi),
            ball_direction=start.ball_direction,
            plate_direction=int(np.sign(start.plate_speed)),
            hops=int(notes.hops[0]),
            drop_azimuth=self.drop_azimuth,
            band_azimuth=full_turn(float(notes.bell_azimuth[0])) if bell >= 0.0 else None,
            settling_time=self.time - bell if settled and bell >= 0.0 else None,
            duration=self.time,
            peak_speed=float(notes.peak[0]),
            plate_speed=speed,
        )


def _between(before: tuple[float, float], after: tuple[float, float], taken: float, share: float) -> float:
    """Azimuth a share of the way between two of the rim law's, each with its rate (rad/s): a cubic through them."""
    (a, a_rate), (b, b_rate) = before, after
    left = 1.0 - share
    bent = left * left * share * taken * a_rate - share * share * left * taken * b_rate
    return a * left * left * (1.0 + 2.0 * share) + b * share * share * (3.0 - 2.0 * share) + bent


def _unchanged(body: pymunk.Body, gravity: object, damping: float, duration: float) -> None:
    """A velocity function for a ball whose velocity the rim law has set."""
