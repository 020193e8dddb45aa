"""Random scenarios over the schema: a shipped one, some of its values changed, parts and faults added.

Every value of the base that is a quantity, a number or a choice can change. What comes out may be impossible; then
it is refused at load, which is counted and not played.
"""

import random
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from sim.documents.resources import find_scenario, scenario_names
from sim.scenario.layers import Layer
from sim.scenario.loading import _resolve

_QUANTITY = re.compile(r"([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)(\s*[^0-9\s].*)?")
_FIXED = {"name", "title", "rulebook", "number_ring", "diameter_of_record"}
_CHOICES = {
    "inertia": ["two_contact", "rolling", "point_mass"],
    "ball_direction": ["clockwise", "counter_clockwise"],
    "plate_direction": ["opposite", "same", "none"],
    "turns": ["rotation", "first"],
    "direction": ["alternate", "clockwise", "counter_clockwise"],
}
_PLATE_EXTRAS = (
    "machine.hollow={{profile: flat_bottom, mouth_radius: {mouth} mm, depth: {depth} mm, lip_radius: {lip} mm, "
    "fillet_radius: {fillet} mm}}",
    "machine.hollow={{profile: points, points: "
    "[[0 mm, -{depth} mm], [{half} mm, -{shallow} mm], [{mouth} mm, 0 mm]]}}",
    "machine.hollow={{profile: spherical_cap, mouth_radius: {mouth} mm, depth: {depth} mm, lip_radius: {lip} mm}}",
    "machine.plate.run_out={{axial: {small} mm, azimuth: {angle} deg}}",
    "machine.plate.eccentricity={{offset: {small} mm, azimuth: {angle} deg}}",
    "machine.groove.faults=[{{azimuth: {angle} deg, width: {depth} deg, deceleration: {small} rad/s^2}}]",
    "machine.groove.faults=[{{azimuth: {angle} deg, width: {depth} deg, slope: -{small} deg}}]",
    "machine.hollows.faults=[{{hollow: {hole}, depth: {depth} mm}}]",
    "machine.hollows.faults=[{{hollow: {hole}, raised_lip: {small} mm}}]",
    "machine.hollows.faults=[{{hollow: {hole}, restitution: 0.9, rolling_resistance: 0.05}}]",
    "ball.centre_offset={small} mm",
    "level={{tilt: {small} deg, low_side: {angle} deg}}",
    "level={{slope: {{x: {small} mm/m, y: -{lip} mm/m}}}}",
    "rim.deceleration={{table: [[1 rad/s, 0.05 rad/s^2], [4 rad/s, 0.3 rad/s^2], [9 rad/s, {small} rad/s^2]]}}",
    "objects=[{{kind: chip, diameter: 39 mm, thickness: {lip} mm, mass: 10 g, friction: 0.3, restitution: 0.4, "
    "time: {mouth} s, radius: 28{hole} mm, azimuth: {angle} deg}}]",
    "launch.plate_speed={{uniform: {{min: 0 rad/s, max: {lip} rad/s}}}}",
    "launch.ball_speed={{uniform: {{min: 0 m/s, max: {depth} m/s}}}}",
    "launch.release_height={{uniform: {{min: 0 mm, max: {depth} mm}}}}",
)
_WHEEL_EXTRAS = (
    "machine.wheel.inertia={{mass: {mouth} kg, form: disc}}",
    "machine.wheel.imbalance={{mass: {mouth} g, radius: 700 mm, angle: {angle} deg}}",
    "machine.clapper.offset={small} mm",
    "machine.clapper.rest_angle={small} deg",
    "materials.tip.restitution=0.{hole}",
    "push.phase={{normal: {{mean: {angle} deg, sd: {small} deg}}}}",
)


@cache
def bases() -> tuple[tuple[str, Layer], ...]:
    """Every shipped scenario with its layers resolved."""
    return tuple((name, _resolve(find_scenario(name))) for name in scenario_names())


def scenario_at(seed: int, index: int) -> tuple[str, Layer, list[str]]:
    """Base, its layer and the overrides of one random scenario; the same for the same seed and index."""
    draw = random.Random(f"{seed}/{index}")
    name, base = draw.choice(bases())
    leaves = list(_leaves(base.document.data, ()))
    overrides = [
        f"{'.'.join(map(str, path))}={text}"
        for path, value in draw.sample(leaves, min(len(leaves), draw.choice((0, 1, 1, 2, 3, 5, 8))))
        if (text := _changed(draw, path, value)) is not None
    ]
    extras = _WHEEL_EXTRAS if base.document.data["machine"]["kind"] == "pegged" else _PLATE_EXTRAS
    added = draw.sample(extras, draw.choice((0, 0, 1, 1, 2)))
    overrides += [extra.format(**_numbers(draw)) for extra in added]
    return name, base, [*overrides, "solver.time_limit=45 s"]


def _numbers(draw: random.Random) -> dict[str, object]:
    mouth = draw.uniform(15, 60)
    depth = draw.uniform(2, 40)
    return {
        "mouth": f"{mouth:.4f}",
        "half": f"{mouth * draw.uniform(0.2, 0.9):.4f}",
        "depth": f"{depth:.4f}",
        "shallow": f"{depth * draw.uniform(0.1, 1.0):.4f}",
        "lip": f"{draw.uniform(0, 6):.4f}",
        "fillet": f"{draw.uniform(0, 20):.4f}",
        "small": f"{draw.choice((0.0, draw.uniform(0, 0.1), draw.uniform(0, 3))):.5f}",
        "angle": f"{draw.uniform(-360, 360):.3f}",
        "hole": draw.randrange(0, 9),
    }


def _leaves(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Paths and values of what an override can name: mappings are entered, lists are not."""
    if isinstance(value, dict):
        for key, below in value.items():
            if key not in _FIXED:
                yield from _leaves(below, (*path, key))
    elif path and not isinstance(value, list):
        yield path, value


def _changed(draw: random.Random, path: tuple[Any, ...], value: Any) -> str | None:
    """Another value for a leaf, as text; None where it stays."""
    if path[-1] in _CHOICES and not isinstance(value, dict):
        return draw.choice(_CHOICES[path[-1]])
    match = _QUANTITY.fullmatch(str(value))
    if match is None or isinstance(value, bool):
        return None
    if path[-1] == "count":
        return str(max(1, round(int(value) * draw.uniform(0.3, 1.3))))
    if path == ("solver", "step"):
        return f"{float(match[1]) * draw.uniform(0.5, 2.0):.6g}{match[2]}"
    wide = draw.random() < 0.4
    factor = (
        draw.choice((0.0, -1.0))
        if draw.random() < 0.05
        else 2.0 ** draw.uniform(*((-2.5, 2.5) if wide else (-0.3, 0.3)))
    )
    number = float(match[1]) * factor if float(match[1]) else draw.uniform(-1, 1) * draw.choice((0.01, 1.0))
    return f"{number:.6g}{match[2] or ''}"
