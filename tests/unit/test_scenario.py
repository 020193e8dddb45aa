"""The schema of a scenario, its provenance, layers, digest, refusals and suspicions."""

import math
import pickle
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from sim.documents.faults import BadInput
from sim.documents.resources import scenario_names, shipped
from sim.scenario import describe, load_scenario, suspicions
from sim.scenario.scenario import Table

BASE = load_scenario("macau-boule")
DEFECTS = {file.stem for file in (shipped("scenarios") / "defects").glob("*.yaml")}


def write(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder / name


def faults(*overrides: str, name: str | Path = "macau-boule") -> list[str]:
    with pytest.raises(BadInput) as caught:
        load_scenario(name, overrides)
    return [str(fault) for fault in caught.value.faults]


@pytest.mark.parametrize("name", scenario_names())
def test_every_shipped_scenario_loads_and_looks_right(name: str) -> None:
    scenario = load_scenario(name)
    assert scenario.name == name
    assert name in DEFECTS or suspicions(scenario) == []
    assert "unstated" not in scenario.provenance.values()


def test_values_are_si() -> None:
    machine = BASE.machine
    assert machine.groove.radius == 0.425
    assert machine.cone.slope == math.radians(14)
    assert machine.hollow.profile == "spherical_cap"
    assert machine.number_ring[:3] == ("star", "1", "2")
    assert (BASE.ball.mass, BASE.ball.radius) == (0.11, 0.025)
    assert BASE.rim.deceleration.at(2.0) == pytest.approx(0.15 + 0.012 * 4)
    assert (BASE.launch.ball_sign, BASE.launch.plate_sign) == (-1, 1)
    assert BASE.solver.step == 0.0005


def test_frozen_and_picklable() -> None:
    with pytest.raises(Exception, match="frozen"):
        BASE.ball.mass = 1.0  # type: ignore[misc]
    for level in ("{slope: {x: 1 mm/m, y: 0 mm/m}}", "{tilt: 0 deg, low_side: 0 deg}"):
        scenario = load_scenario("macau-boule", [f"level={level}"])
        copy = pickle.loads(pickle.dumps(scenario))
        assert copy == scenario
        assert copy.sha256 == scenario.sha256
        assert copy.launch.ball_speed.quantile(0.3) == scenario.launch.ball_speed.quantile(0.3)


# Level


def level(form: str) -> tuple[float, float]:
    found = load_scenario("macau-boule", [f"level={form}"]).level
    return math.degrees(found.tilt), math.degrees(found.low_side)


def test_a_table_that_rises_towards_x_is_low_on_the_other_side() -> None:
    degrees = math.degrees(math.atan(0.001))
    assert level("{slope: {x: 1 mm/m, y: 0 mm/m}}") == pytest.approx((degrees, 180))
    assert level("{slope: {x: 0 mm/m, y: 1 mm/m}}") == pytest.approx((degrees, 270))
    assert level("{slope: {x: -1 mm/m, y: -1 mm/m}}") == pytest.approx((degrees * math.sqrt(2), 45), rel=1e-5)
    assert level("{slope: {x: 0 mm/m, y: 0 mm/m}}") == (0, 0)


def test_three_feet_give_their_plane() -> None:
    feet = ", ".join(
        f"{{azimuth: {azimuth} deg, radius: 600 mm, height: {height} mm}}"
        for azimuth, height in ((0, 1.2), (120, 0.3), (240, 0.3))
    )
    # z = a x + c through the three: a = (1.2 - 0.3) / (600 + 300).
    assert level(f"{{feet: [{feet}]}}") == pytest.approx((math.degrees(math.atan(0.001)), 180))


def test_four_feet_give_the_least_squares_plane() -> None:
    feet = ", ".join(
        f"{{azimuth: {azimuth} deg, radius: 500 mm, height: {height} mm}}"
        for azimuth, height in ((0, -1), (90, 0.7), (180, 1), (270, 0.7))
    )
    assert level(f"{{feet: [{feet}]}}") == pytest.approx((math.degrees(math.atan(0.002)), 0), abs=1e-9)


# Rim


def test_a_measured_rim_law_is_linear_between_its_rows_and_held_beyond() -> None:
    override = "rim.deceleration={table: [[2 rad/s, 0.1 rad/s^2], [4 rad/s, 0.3 rad/s^2]]}"
    law = load_scenario("macau-boule", [override]).rim.deceleration
    assert isinstance(law, Table)
    assert [law.at(speed) for speed in (0, 2, 3, 4, 9)] == pytest.approx([0.1, 0.1, 0.2, 0.3, 0.3])


# Provenance


def test_provenance_of_every_physical_value() -> None:
    provenance = BASE.provenance
    assert provenance["machine.hollows.count"].startswith("cited: Portaria")
    assert provenance["materials.hollow.friction"] == "assumed"
    assert provenance["launch.ball_speed.normal.sd"] == "assumed"
    assert provenance["machine.number_ring"] == "assumed"
    assert not [
        path for path in provenance if path.startswith("solver") or path.endswith(("kind", "profile"))
    ]
    assert "machine.hollows.count" not in BASE.assumed
    assert BASE.assumed == sorted(BASE.assumed)


def test_an_override_drops_the_inherited_source() -> None:
    scenario = load_scenario(
        "macau-boule", ["machine.hollows.count=25", "ball.mass={value: 111 g, source: measured}"]
    )
    assert scenario.provenance["machine.hollows.count"] == "unstated"
    assert "machine.hollows.count" in scenario.assumed
    assert scenario.provenance["ball.mass"] == "measured"
    assert suspicions(scenario) == ["values that do not say where they come from: 1; they count as assumed"]


def test_a_source_beside_fields_holds_for_those_without_their_own() -> None:
    row = "{restitution: {value: 0.6, source: 'measured: drop test'}, friction: 0.2, source: assumed}"
    provenance = load_scenario("macau-boule", [f"materials.cone={row}"]).provenance
    assert provenance["materials.cone.restitution"] == "measured: drop test"
    assert provenance["materials.cone.friction"] == "assumed"
    assert provenance["materials.cone.pivot_resistance"] == "assumed"


# Layers


def test_a_child_merges_mappings_and_replaces_other_forms_whole(tmp_path: Path) -> None:
    text = """
extends: macau-boule
machine:
  hollow: {profile: flat_bottom, mouth_radius: 30 mm, depth: 20 mm, lip_radius: 3 mm}
  number_ring: [a, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24]
launch:
  ball_speed: {uniform: {min: 3 m/s, max: 4 m/s}}
  plate_speed: 2 rad/s
  release_height: {uniform: {max: 5 mm}}
level: {slope: {x: 1 mm/m, y: 0 mm/m}}
"""
    scenario = load_scenario(write(tmp_path, "mine.yaml", text))
    assert scenario.name == "mine"
    assert scenario.machine.hollow.profile == "flat_bottom"
    assert scenario.machine.groove == BASE.machine.groove
    assert scenario.machine.number_ring[0] == "a"
    assert scenario.launch.ball_speed.quantile(0.5) == 3.5
    assert scenario.launch.release_height.highest == 0.005
    assert scenario.marks[("machine", "hollow", "depth")].file == str(tmp_path / "mine.yaml")
    assert scenario.marks[("machine", "groove", "radius")].file == "scenarios/macau-boule.yaml"
    assert "machine.hollow.depth" in scenario.provenance
    assert "launch.ball_speed.normal.mean" not in scenario.provenance
    assert "level.tilt" not in scenario.provenance


def test_files_extend_files_beside_them_and_not_in_circles(tmp_path: Path) -> None:
    shutil.copy(shipped("scenarios") / "macau-boule.yaml", tmp_path / "root.yaml")
    write(tmp_path, "middle.yaml", "extends: root.yaml\nball: {mass: 120 g}\n")
    top = write(tmp_path, "top.yaml", "extends: middle.yaml\nball: {diameter: 48 mm}\n")
    scenario = load_scenario(top)
    assert (scenario.ball.mass, scenario.ball.diameter, scenario.name) == (0.12, 0.048, "top")
    write(tmp_path, "root.yaml", "extends: top.yaml\n")
    assert "comes back" in faults(name=top)[0]


def test_a_long_chain_is_refused(tmp_path: Path) -> None:
    for i in range(12):
        write(tmp_path, f"s{i}.yaml", f"extends: s{i + 1}.yaml\n")
    assert "at most 8" in faults(name=tmp_path / "s0.yaml")[0]


def test_the_last_override_wins_and_reads_yaml() -> None:
    scenario = load_scenario("macau-boule", ["machine.hollow.depth=8mm", "machine.hollow.depth=9 mm"])
    assert scenario.machine.hollow.bottom == -0.009


def test_faults_of_overrides_name_their_place() -> None:
    found = faults("machine.hollow.dept=8mm", "ball.mass=3", "foo")
    assert found == [
        "--set ball.mass=3:1:17: ball.mass: a unit is missing; allowed: a mass with its unit, "
        "such as 12 g; given 3",
        "--set foo: must be PATH=VALUE, such as machine.hollow.depth=8mm; given 'foo'",
        "--set machine.hollow.dept=8mm:1:22: machine.hollow.dept: unknown field; "
        "allowed: mouth_radius, depth, lip_radius, profile; did you mean 'depth'?",
    ]
    assert "can only be given in a file" in faults("extends=macau-boule")[0]
    assert "not valid YAML" in faults("ball.mass=[3")[0]
    assert "must be a length" in faults("ball.diameter.x=3")[0]
    assert "PATH=VALUE" in faults("=3")[0]


def test_faults_of_two_files_come_together(tmp_path: Path) -> None:
    write(tmp_path, "base.yaml", "extends: macau-boule\nball: {mass: 3}\n")
    found = faults(
        "air.density=thin", name=write(tmp_path, "top.yaml", "extends: base.yaml\nrim: {inertia: x}\n")
    )
    assert [fault.split(": ")[1] for fault in found] == ["air.density", "ball.mass", "rim.inertia"]
    assert [fault.split(":")[0].rsplit("/")[-1] for fault in found] == [
        "--set air.density=thin",
        "base.yaml",
        "top.yaml",
    ]


# Digest


def test_the_digest_knows_values_and_not_their_spelling(tmp_path: Path) -> None:
    text = (shipped("scenarios") / "macau-boule.yaml").read_text()
    other = (
        text.replace("425 mm", "42.5 cm")
        .replace("110 g", "0.11 kg")
        .replace("source: assumed", "source: measured")
    )
    other = other.replace("title: Macau", "title: The Macau").replace("# Macau", "# Some")
    assert other != text
    assert load_scenario(write(tmp_path, "x.yaml", other)).sha256 == BASE.sha256
    for override in (
        "ball.mass=111 g",
        "name=x",
        "solver.step=0.25 ms",
        "rulebook=x",
        "launch.plate_speed=2 rad/s",
    ):
        assert load_scenario("macau-boule", [override]).sha256 != BASE.sha256


def test_the_digest_is_the_same_in_another_process_and_directory(tmp_path: Path) -> None:
    code = "from sim.scenario import load_scenario; print(load_scenario('macau-boule').sha256)"
    root = str(Path(__file__).parents[2])
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": root},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == BASE.sha256


def test_a_model_can_be_dumped_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scenario = load_scenario(
            "macau-boule",
            [
                "level={slope: {x: 1 mm/m, y: 0 mm/m}}",
                "rim.deceleration={table: [[1 rad/s, 1 rad/s^2], [2 rad/s, 1 rad/s^2]]}",
            ],
        )
        assert scenario.model_dump()["launch"]["plate_speed"]["normal"]["mean"] == 2.5


# Refusals and suspicions: what the corpus in tests/bad_inputs does not reach.


def test_all_impossibilities_come_at_once() -> None:
    found = faults("machine.number_ring=[1, 2]", "solver.step=5 ms", "machine.hollow.lip_radius=40 mm")
    assert [fault.split(": ")[1] for fault in found] == [
        "machine.hollow",
        "machine.number_ring",
        "solver.step",
    ]


def test_a_ball_just_enters_and_just_does_not() -> None:
    flat = "machine.hollow={profile: flat_bottom, mouth_radius: %s, depth: 30 mm, lip_radius: 3 mm}"
    load_scenario("macau-boule", [flat % "28 mm"])
    assert "cannot enter" in faults(flat % "27.9 mm")[0]
    points = "machine.hollow={profile: points, points: [[0 mm, -20 mm], [%s, -20 mm], [30 mm, 0 mm]]}"
    load_scenario("macau-boule", [points % "20 mm"])
    assert "cannot enter" in faults(points % "10 mm")[0]


def test_a_shallow_flat_hole_is_judged_at_its_lip() -> None:
    """A ball of 25 mm in a hole 4 mm deep needs a mouth of sqrt((25 + 3)^2 - (25 - 4 + 3)^2) = 14.42 mm."""
    flat = "machine.hollow={profile: flat_bottom, mouth_radius: %s, depth: 4 mm, lip_radius: 3 mm}"
    load_scenario("macau-boule", [flat % "14.43 mm"])
    assert "cannot enter" in faults(flat % "14.41 mm")[0]


def test_the_longest_step_is_half_a_radius_of_the_fastest_ball() -> None:
    """Its speed: sqrt(5^2 + 2 g h), h = (425 - 310) mm tan 14 deg + 10 mm + 14 mm."""
    height = 0.115 * math.tan(math.radians(14)) + 0.024
    most = 0.0125 / math.sqrt(25 + 2 * 9.80665 * height)
    load_scenario("macau-boule", [f"solver.step={most * 0.9999} s"])
    assert "too long" in faults(f"solver.step={most * 1.0001} s")[0]


def test_rim_exit_speed_of_each_preset() -> None:
    for preset, extra in (
        ("point_mass", 0.0),
        ("rolling", 0.0),
        ("two_contact", 0.4 / (1 + math.sin(math.radians(14)))),
    ):
        scenario = load_scenario("macau-boule", [f"rim.inertia={preset}"])
        exact = math.sqrt(9.80665 / 0.425 * math.tan(math.radians(14)) / (1 + extra))
        assert scenario.rim_exit_speed == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        (
            [
                "launch.ball_speed={value: 3.4 m/s, source: assumed}",
                "launch.ball_azimuth={value: 0 deg, source: assumed}",
            ],
            "0.00 laps",
        ),
        (["launch.plate_direction={value: same, source: assumed}"], "same direction"),
        (["launch.ball_speed={uniform: {min: 0.5 m/s, max: 5 m/s}, source: assumed}"], "too slowly"),
        (["launch.ball_speed={value: 0.5 m/s, source: assumed}"], "100.0% of the balls"),
        (["rim.deceleration.constant={value: -0.3 rad/s^2, source: assumed}"], "never leave its groove"),
        (["ball.mass={value: 5 g, source: assumed}"], "kg/m^3"),
    ],
)
def test_suspicions(overrides: list[str], words: str) -> None:
    found = suspicions(load_scenario("macau-boule", overrides))
    assert len(found) == 1, found
    assert words in found[0]


def test_spread_of_the_exit_for_a_constant_deceleration() -> None:
    """theta = (w0^2 - we^2) / (2 d), so two launch speeds in equal shares differ by (w2^2 - w1^2) / (2 d)."""
    law = "rim.deceleration={constant: 0.5 rad/s^2, linear: 0 1/s, quadratic: 0 1/rad, source: assumed}"
    launch = "launch.ball_speed={uniform: {min: 3.39 m/s, max: 3.41 m/s}, source: assumed}"
    azimuth = "launch.ball_azimuth={value: 0 deg, source: assumed}"
    (found,) = suspicions(load_scenario("macau-boule", [law, launch, azimuth]))
    laps = 3.4 / 0.425 * (0.02 / 0.425) / 0.5 / (2 * math.pi) / math.sqrt(12)
    assert f"by {laps:.2f} laps" in found


def test_describe_is_one_line_that_counts_the_assumed() -> None:
    line = describe(BASE)
    assert "\n" not in line
    assert "25 hollows" in line
    assert f"{len(BASE.assumed)} of {len(BASE.provenance)} values assumed" in line


def test_importing_the_scenario_brings_no_heavy_library() -> None:
    heavy = ("pint", "scipy", "numba", "matplotlib", "pymunk")
    code = f"import sys, sim.scenario; print([each for each in {heavy} if each in sys.modules])"
    root = str(Path(__file__).parents[2])
    run = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": root}, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"
