"""The batch engine against MuJoCo on the same Roda: the reference wheel W7, its 52 pegs and its clapper, in MJCF."""

import statistics
import time
from collections.abc import Iterator
from math import pi

import mujoco
import numpy as np

from benchmarks import Measure, cpu_time
from sim.engines import wheel_batch
from sim.engines.draws import draw_pushes
from sim.machines import WheelMachine, build_wheel
from sim.scenario import load_scenario

STEP = 2e-4
LOOK = 500  # steps of MuJoCo between two looks at whether the wheel has come to rest
PUBLISHED = {3.0: 5.05, 4.0: 7.96, 5.0: 11.13, 6.0: 15.25}
"""Net turns by MuJoCo 4.0 at 0.2 ms, by the speed of the push, rad/s."""
SPINS = 4
BATCH = 1000
_MODEL = """
<mujoco>
  <option timestep="{step}" gravity="0 -9.81 0" cone="elliptic"/>
  <default>
    <geom solref="0.0004 1" solimp="0.999 0.9999 0.0001" friction="{friction} 0 0" condim="3"/>
    <joint solreffriction="0.0004 1"/>
  </default>
  <worldbody>
    <body>
      <joint type="hinge" axis="0 0 1" frictionloss="{bearing}"/>
      <inertial pos="0 0 0" mass="1" diaginertia="{inertia} {inertia} {inertia}"/>
      {pegs}
    </body>
    <body pos="{pivot_x} {pivot_y} 0">
      <joint type="hinge" axis="0 0 1" stiffness="{spring}" damping="{damper}" springref="0"/>
      <inertial pos="0 {middle} 0" mass="{mass}" diaginertia="{own} {own} {own}"/>
      <geom type="capsule" fromto="0 0 0 0 {tip} 0" size="{radius}" contype="0" conaffinity="1"/>
    </body>
  </worldbody>
</mujoco>
"""


def model_of(machine: WheelMachine) -> mujoco.MjModel:
    """The wheel in the plane: pegs are balls, which a capsule in their plane meets as it would cylinders."""
    wheel, clapper = machine.wheel, machine.clapper
    mass = 2.0 * clapper.weight / (9.81 * clapper.arm)
    pegs = "".join(
        f'<geom type="sphere" pos="{far * np.cos(angle)} {far * np.sin(angle)} 0" size="{radius}" contype="1" '
        'conaffinity="0"/>'
        for angle, far, radius in machine.pegs
    )
    return mujoco.MjModel.from_xml_string(
        _MODEL.format(
            step=STEP,
            friction=clapper.friction,
            bearing=wheel.inertia * wheel.constant,
            inertia=wheel.inertia,
            pegs=pegs,
            pivot_x=clapper.pivot_x,
            pivot_y=clapper.pivot_y,
            spring=clapper.spring,
            damper=clapper.damper,
            mass=mass,
            middle=-clapper.arm / 2,
            own=clapper.inertia - mass * clapper.arm**2 / 4,
            tip=-clapper.arm,
            radius=clapper.radius,
        )
    )


def turns(model: mujoco.MjModel, machine: WheelMachine, speed: float, phase: float) -> float:
    """Net turns of a push, until wheel and clapper have stayed where they are for as long as the scenario asks."""
    data = mujoco.MjData(model)
    data.qpos[0], data.qvel[0] = phase, speed
    solver = machine.solver
    stood, since = data.qpos.copy(), 0.0
    while data.time < solver.time_limit and data.time - since < solver.rest_time:
        mujoco.mj_step(model, data, LOOK)
        if (np.abs(data.qpos - stood) > (solver.rest_angle, solver.clapper_rest_angle)).any():
            stood, since = data.qpos.copy(), data.time
    return float(data.qpos[0] - phase) / (2 * pi)


def measure() -> Iterator[Measure]:
    scenario = load_scenario("roda-da-sorte")
    machine = build_wheel(scenario)
    model = model_of(machine)
    midway = pi / 2 - pi / 52
    found = {speed: turns(model, machine, speed, midway) for speed in PUBLISHED}
    worst = max(abs(found[speed] / known - 1.0) for speed, known in PUBLISHED.items())
    said = ", ".join(f"{found[speed]:.2f} at {speed:g} rad/s" for speed in PUBLISHED)
    yield Measure("Roda in MuJoCo: turns against the reference wheel", 100 * worst, "%", 5.0, note=said)
    pushes = draw_pushes(scenario, 1979, range(BATCH))[:, 1:].copy()
    apart = wheel_batch.land(machine, pushes[:SPINS])[:, wheel_batch.LANDING.index("turns_net")]
    costs, differences = [], []
    for (speed, phase), net in zip(pushes[:SPINS].tolist(), apart.tolist(), strict=True):
        begin = time.process_time()
        made = abs(turns(model, machine, speed, phase))
        costs.append(time.process_time() - begin)
        differences.append(abs(net / made - 1.0))
    each = statistics.median(costs)
    batch = cpu_time(lambda: wheel_batch.land(machine, pushes), 3) / BATCH
    yield Measure(
        "Roda: turns, batch engine against MuJoCo", 100 * max(differences), "%", 5.0, note=f"{SPINS} spins"
    )
    yield Measure("Roda: a spin in MuJoCo", each, "s", note=f"step {1e3 * STEP:g} ms, stiff contacts")
    yield Measure("Roda: a spin in the batch engine", 1e3 * batch, "ms", note="step 0.5 ms")
    yield Measure("Roda: batch engine over MuJoCo", each / batch, "x", least=300.0, note="CPU time")
