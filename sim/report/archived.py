"""Spins that were simulated before: the folder of a batch run, and the small file that carries one spin elsewhere.

Both say the same of what decides a spin: the scenario as one text and its digest, the rulebook, the seed, the versions.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import pi, radians
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sim.documents.faults import BadInput, Fault, Mark
from sim.documents.reading import load_document
from sim.documents.validation import validate
from sim.landing import Landing, Push, Start
from sim.physics.compiled import digest
from sim.report.versions import versions
from sim.rules.outcome import Outcome
from sim.rules.rulebook import Rulebook
from sim.scenario import Scenario, WheelScenario
from sim.scenario.loading import parse_scenario
from sim.spinlog.parquet import ParquetSheet
from sim.spinlog.run_folder import RUN, Part, manifest_in, parts_of

_MOST = 2**64
_DRAWN = (
    "ball_speed_m_s", "ball_azimuth_deg", "release_height_mm", "plate_rpm", "plate_phase_deg",
    "heavy_x", "heavy_y", "heavy_z",
)  # fmt: skip
_HEAD = "# A spin of fairwheel, with all that decides it. To play it again: fairwheel replay THIS_FILE\n"


class Manifest(BaseModel):
    """What a run says of itself, as far as a spin of it needs it."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")

    scenario_text: str
    scenario_sha256: str
    rulebook: Rulebook
    seed: Annotated[int, Field(ge=0, lt=_MOST)]
    versions: dict[str, str]
    overrides: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()


class Ended(BaseModel):
    """How a spin ended, by the names of the spin log. rest_index: null in none, on a peg, or not at rest."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")

    ending: str
    rest_index: int | None
    symbol: str | None
    void_code: str | None
    duration_s: float

    def is_like(self, other: "Ended") -> bool:
        """Whether another spin ended so too, at the same time to a microsecond."""
        alike = self.model_dump(exclude={"duration_s"}) == other.model_dump(exclude={"duration_s"})
        return alike and abs(self.duration_s - other.duration_s) < 1e-6

    @property
    def words(self) -> str:
        """In a few words: ``21, pocket 21, after 28.9312 s``."""
        what = f"void {self.void_code}" if self.void_code is not None else f"{self.symbol}"
        place = f"pocket {self.rest_index}" if self.rest_index is not None else self.ending.replace("_", " ")
        return f"{what}, {place}, after {self.duration_s:.4f} s"


class ReplayFile(Manifest):
    """One spin, to be played elsewhere: its index, how it ended, and how it ended in the batch run it is from."""

    model_config = ConfigDict(extra="forbid")

    fairwheel_replay: Literal[1]
    index: Annotated[int, Field(ge=0, lt=_MOST)]
    expected: Ended
    batch: Ended | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """The folder of a batch run: its parts in order, what it says of itself, and the scenario built from that."""

    label: str
    parts: tuple[Part, ...]
    manifest: Manifest
    scenario: Scenario

    @property
    def spans(self) -> str:
        """The spins of the run as ranges: ``0 to 999, 2000 to 2999``."""
        spans: list[list[int]] = []
        for part in self.parts:
            if spans and spans[-1][1] == part.first:
                spans[-1][1] = part.last
            else:
                spans.append([part.first, part.last])
        return ", ".join(f"{first} to {last - 1}" for first, last in spans)

    def part(self, index: int) -> Part | None:
        """The part that holds a spin."""
        return next((part for part in self.parts if part.first <= index < part.last), None)


def ended(landing: Landing, outcome: Outcome) -> Ended:
    """Return how a spin ended."""
    return Ended(
        ending=landing.ending,
        rest_index=landing.pocket,
        symbol=outcome.symbol,
        void_code=outcome.void.code if outcome.void else None,
        duration_s=landing.duration,
    )


def ended_row(row: Mapping[str, Any]) -> Ended:
    """Return how a spin ended by its row in the log of a run; a clapper on a peg rests in no section."""
    rest = None if row.get("on_peg") else row["rest_index"]
    return Ended(
        ending=row["ending"],
        rest_index=rest,
        symbol=row["symbol"],
        void_code=row["void_code"],
        duration_s=row["duration_s"],
    )


def start_in(row: Mapping[str, Any], scenario: Scenario) -> Start | Push | None:
    """Return what decided a spin beside its machine, by its row in a log; None where the row does not tell all of it.

    The seed is 0: a log does not tell it.
    """
    index = row.get("spin_no") or 0
    if isinstance(scenario, WheelScenario):
        names = [each.name for each in scenario.push.active]
        push, turned = row.get("push_speed_rad_s"), row.get("push_phase_deg")
        if push is None or turned is None or row.get("thrower_id") not in names:
            return None
        return Push(0, index, names.index(row["thrower_id"]), float(push), radians(turned))
    drawn = [row.get(name) for name in _DRAWN]
    if None in drawn or row.get("ball_dir") not in ("ccw", "cw"):
        return None
    speed, azimuth, height, rpm, phase, *heavy = (float(each) for each in drawn if each is not None)
    return Start(
        seed=0,
        index=index,
        ball_speed=speed,
        ball_azimuth=radians(azimuth),
        release_height=1e-3 * height,
        ball_direction=1 if row["ball_dir"] == "ccw" else -1,
        plate_speed=rpm * pi / 30.0,
        plate_phase=radians(phase),
        heavy_side=(heavy[0], heavy[1], heavy[2]),
    )


def open_run(folder: Path) -> Run:
    """Open the folder of a batch run.

    Raises BadInput for a folder without parts or manifest, and where the scenario is not the one of its digest.
    """
    label = str(folder)
    parts = parts_of(folder, label)
    told, where = _told(folder, parts)
    manifest, scenario = manifest_of(told, where)
    return Run(label, tuple(parts), manifest, scenario)


def manifest_of(told: Any, label: str) -> tuple[Manifest, Scenario]:
    """Return what a run says of itself, and its scenario. told: plain data. label: where it stands.

    Raises BadInput, also where the scenario is not the one of its digest.
    """
    try:
        manifest = Manifest.model_validate_json(json.dumps(told))
    except ValidationError as error:
        faults = [
            Fault(Mark(label), ".".join(map(str, ("manifest", *each["loc"]))), each["msg"].lower())
            for each in error.errors(include_url=False)
        ]
        raise BadInput(faults) from None
    return manifest, _scenario(manifest, f"{label} (scenario_text)")


def _told(folder: Path, parts: list[Part]) -> tuple[Any, str]:
    """The manifest of a run and the file in which it stands: run.json, else its first part."""
    path = folder / RUN
    if path.is_file():
        try:
            return json.loads(path.read_text(encoding="utf-8"))["manifest"], str(path)
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            message = "cannot be read; a JSON object with a manifest is needed"
            raise BadInput([Fault(Mark(str(path)), "run", message)]) from None
    first = parts[0].path
    told = manifest_in(ParquetSheet(first, str(first))) if first.suffix == ".parquet" else None
    if told is None:
        message = f"holds no {RUN}; without it nobody knows what its spins are of"
        raise BadInput([Fault(Mark(str(folder)), "run", message)])
    return told, str(first)


def _scenario(manifest: Manifest, label: str) -> Scenario:
    scenario = parse_scenario(manifest.scenario_text, label)
    if scenario.sha256 != manifest.scenario_sha256:
        message = f"must be {scenario.sha256}, that of the scenario in it, not {manifest.scenario_sha256}"
        raise BadInput([Fault(Mark(label), "scenario_sha256", f"{message}; one of them was changed")])
    return scenario


def read_replay(path: Path) -> tuple[ReplayFile, Scenario]:
    """Read the file of one spin. Raises BadInput, also where its scenario is not the one of its digest."""
    document = load_document(path, str(path))
    file = validate(document, ReplayFile)
    return file, _scenario(file, f"{path} (scenario_text)")


def format_replay(manifest: Manifest, index: int, expected: Ended, batch: Ended | None) -> str:
    """Return the text of a file that carries one spin; it names the versions that play it here and now."""
    data = {
        "fairwheel_replay": 1,
        "seed": manifest.seed,
        "index": index,
        "expected": expected.model_dump(mode="json"),
        "batch": batch and batch.model_dump(mode="json"),
        "versions": _here(),
        "overrides": list(manifest.overrides),
        "assumed": list(manifest.assumed),
        "scenario_sha256": manifest.scenario_sha256,
        "scenario_text": manifest.scenario_text,
        "rulebook": manifest.rulebook.model_dump(mode="json", exclude_defaults=True),
    }
    return _HEAD + yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as blocks."""


def _block(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _block)


def _here() -> dict[str, str]:
    """What plays a spin here: versions, and the digest of the laws of motion and the engines."""
    return {**versions(), "laws": digest()}


def unlike_versions(there: Mapping[str, str]) -> str:
    """Return the versions that differ from those here, as ``numpy 2.4.6 there, 2.5.0 here``; empty when none does."""
    here = _here()
    return ", ".join(
        f"{name} {there[name]} there, {here[name]} here"
        for name in here
        if name in there and there[name] != here[name]
    )
