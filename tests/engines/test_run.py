"""Runs: the same bytes for any chunk, worker count and interruption; what is counted; folders that are not theirs."""

import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sim.documents.faults import BadInput
from sim.engines.parts import Folder, Form, OutputRefused
from sim.engines.play import draw, spin
from sim.engines.rulebook import rulebook_of
from sim.engines.run import Task, chunks, looks, play_chunk, pool, run, schema_of, task_of
from sim.engines.simulated import simulated
from sim.engines.tally import Tally, wilson
from sim.machines import build
from sim.rules.outcome import decide
from sim.scenario import load_scenario
from sim.spinlog.run_folder import RUN, SUMS
from sim.spinlog.schema import BY_NAME, METADATA_KEY

QUICK = ("solver.step=0.7 ms", "machine.wheel.bearing.constant=0.1 rad/s^2")


def task(chunk: int, form: Form | None = "parquet", seed: int = 7, name: str = "roda-da-sorte") -> Task:
    scenario = load_scenario(name, QUICK if name.startswith("roda") else ())
    return task_of(scenario, rulebook_of(scenario), seed, "0", chunk, form, QUICK)


def folder(path: Path, of: Task, resume: bool = False) -> Folder:
    assert of.form is not None
    made = Folder(path, of.form, of.manifest, schema_of(of))
    made.open(resume)
    made.tell({})
    return made


def carry_out(
    path: Path, of: Task, spins: int, workers: int = 1, resume: bool = False, until: float | None = None
) -> tuple[Tally, int]:
    with pool(workers) as each_chunk:
        return list(run(of, spins, each_chunk, folder(path, of, resume), until))[-1]


def counts(tally: Tally) -> tuple[object, ...]:
    return tally.spins, tally.holes.tolist(), tally.void, tally.histograms


def parts(path: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in path.iterdir() if each.name not in (RUN, SUMS)}


def columns(path: Path) -> pa.Table:
    tables = [pq.read_table(path / name) for name in sorted(parts(path))]
    return pa.concat_tables([each.replace_schema_metadata(None) for each in tables])


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_the_parts_are_the_same_for_one_worker_and_for_two(tmp_path: Path, form: Form) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    tallies = [carry_out(path, task(25, form), 190, n)[0] for n, path in ((1, one), (2, two))]
    assert parts(one) == parts(two)
    assert sorted(parts(one))[-1] == f"part-000000000175-000000000190.{form}"
    assert len(parts(one)) == 8
    assert counts(tallies[0]) == counts(tallies[1])
    assert tallies[0].spins == 190


def test_the_columns_do_not_depend_on_the_chunk(tmp_path: Path) -> None:
    for chunk in (20, 77):
        carry_out(tmp_path / str(chunk), task(chunk), 200)
    assert columns(tmp_path / "20").equals(columns(tmp_path / "77"))
    assert columns(tmp_path / "20")["spin_no"].to_pylist() == list(range(200))


def test_csv_and_parquet_hold_the_same_spins(tmp_path: Path) -> None:
    carry_out(tmp_path / "p", task(40), 80)
    carry_out(tmp_path / "c", task(40, "csv"), 80)
    csv = folder(tmp_path / "c", task(40, "csv"), resume=True)
    read = pa.concat_tables([csv.kept(range(40)), csv.kept(range(40, 80))])
    assert read.equals(columns(tmp_path / "p"))


@pytest.mark.parametrize(
    "name", ["roda-da-sorte", "roda-missing-peg", "macau-chip-on-plate", "spanish-boule-36"]
)
def test_a_row_is_its_draw_its_landing_and_its_outcome(name: str) -> None:
    """Against one spin of the rigid engine, decided by the rules of one spin, in what chaos does not tell apart."""
    scenario = load_scenario(name)
    rulebook = rulebook_of(scenario)
    table = simulated(scenario, rulebook, 7, range(3, 5))
    row = table.to_pylist()[0]
    assert set(row) <= set(BY_NAME)
    made = spin(build(scenario), draw(scenario, 7, 3))
    outcome = decide(rulebook, scenario.machine.ring, made.landing, made.events)
    assert (row["spin_no"], row["game_profile"], row["ending"]) == (3, rulebook.id, made.landing.ending)
    assert (row["close_time"] is None) == (outcome.closing is None)
    if outcome.void is not None and outcome.void.code in ("OBJECT", "MIN_TURNS"):
        assert row["void_code"] == outcome.void.code
    if row["valid"]:
        assert row["symbol"] == scenario.machine.ring[row["rest_index"]]
    assert row["valid"] == (row["symbol"] is not None) == (row["void_code"] is None)
    if "push_speed_rad_s" in row:
        assert row["push_speed_rad_s"] == made.start.speed
        assert row["turns"] == pytest.approx(made.landing.turns_forward, abs=0.01)
        assert row["roll_back_deg"] == pytest.approx(360 * (row["turns"] - row["turns_net"]))
        assert row["thrower_id"] == scenario.push.active[made.start.croupier].name
    else:
        assert row["ball_speed_m_s"] == made.start.ball_speed
        assert row["exit_s"] == pytest.approx(
            next(e.time for e in made.events if e.kind == "rim_exit"), abs=1e-9
        )
        assert row["duration_s"] == pytest.approx(row["bell_time"] + row["settling_s"])


def test_a_part_says_what_reproduces_it_and_nothing_of_the_machine(tmp_path: Path) -> None:
    of = task(50)
    carry_out(tmp_path / "run", of, 50)
    (part,) = (tmp_path / "run").glob("part-*")
    told = json.loads(pq.read_metadata(part).metadata[METADATA_KEY])
    assert (told["first"], told["last"], told["seed"], told["chunk"]) == (0, 50, 7, 50)
    assert told["overrides"] == list(QUICK)
    assert told["assumed"] == of.scenario.assumed != []
    assert {"numpy", "numba", "scipy", "pyarrow", "python", "fairwheel", "laws"} == set(told["versions"])
    again = tmp_path / "again.yaml"
    again.write_text(told["scenario_text"], encoding="utf-8")
    assert load_scenario(again).sha256 == told["scenario_sha256"] == of.scenario.sha256


def test_resumed_a_run_plays_what_is_missing_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "run"
    whole, played = carry_out(path, task(20), 100)
    before = parts(path)
    assert played == 100
    names = sorted(before)
    (path / names[1]).unlink()
    (path / names[3]).write_bytes(before[names[3]][:-100])
    (path / names[4]).write_bytes(before[names[2]])
    (path / f".{names[1]}.abc.tmp").write_bytes(b"half")
    again, played = carry_out(path, task(20), 100, resume=True)
    assert (counts(again), played) == (counts(whole), 60)
    assert parts(path) == before
    more, played = carry_out(path, task(20), 150, resume=True)
    assert (more.spins, played) == (150, 50)
    sums = (path / SUMS).read_text(encoding="utf-8")
    assert sums.splitlines() == [
        f"{hashlib.sha256(content).hexdigest()}  {name}" for name, content in sorted(parts(path).items())
    ]
    more, played = carry_out(path, task(20), 165, resume=True)
    assert (more.spins, played) == (165, 25)
    carry_out(tmp_path / "whole", task(20), 165)
    assert parts(path) == parts(tmp_path / "whole")
    assert (path / SUMS).read_bytes() == (tmp_path / "whole" / SUMS).read_bytes()


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_a_part_that_was_changed_is_played_anew(tmp_path: Path, form: Form) -> None:
    """One bit of it, a cell of it, or that of a run with another seed; also where its sum was not written whole."""
    path, other = tmp_path / "run", tmp_path / "other"
    carry_out(path, task(4, form), 12)
    carry_out(other, task(4, form, seed=8), 12)
    before = parts(path)
    name = sorted(before)[1]
    chance = random.Random(2026)
    for _ in range(20):
        content = bytearray(before[name])
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        (path / name).write_bytes(content)
        assert folder(path, task(4, form), resume=True).kept(range(4, 8)) is None
    for content in (parts(other)[name], before[name].replace(b"0", b"1"), b""):
        (path / name).write_bytes(content)
        assert carry_out(path, task(4, form), 12, resume=True)[1] == 4
        assert parts(path) == before
    sums = (path / SUMS).read_bytes()
    for torn in (sums[:-30], b"\xff\n" + sums[150:], b""):
        (path / SUMS).write_bytes(torn)
        carry_out(path, task(4, form), 12, resume=True)
        assert (path / SUMS).read_bytes() == sums


def test_very_many_spins_in_small_chunks_are_not_planned_ahead(tmp_path: Path) -> None:
    of = task(1)
    made = folder(tmp_path / "run", of)
    tally = Tally.of(52)

    def two(_: object, __: Task, planned: Iterable[range]) -> Iterator[tuple[int, bytes, Tally]]:
        for each in islice(planned, 2):
            part = Tally.of(52)
            part.spins = len(each)
            yield each.start, b"", part

    tally, _ = list(run(of, 10_000_000_000, two, made))[-1]  # type: ignore[arg-type]
    assert tally.spins == 2


def test_a_folder_of_another_run_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "run"
    carry_out(path, task(20), 50)
    before = parts(path)
    for other, words in (
        (task(20, seed=8), "which differs in seed"),
        (task(25), "which differs in chunk"),
        (task(20, "csv"), "which differs in format"),
        (
            task(20, name="roda-bent-peg"),
            "which differs in assumed, scenario, scenario_sha256, scenario_text",
        ),
    ):
        with pytest.raises(BadInput, match=words):
            folder(path, other, resume=True)
    with pytest.raises(BadInput, match="holds a run already; --resume continues it"):
        folder(path, task(20))
    with pytest.raises(BadInput, match=r"part-000000000040-000000000050.parquet, which is no part of these"):
        carry_out(path, task(20), 45, resume=True)
    assert parts(path) == before


@pytest.mark.parametrize("content", ["{", "[]", "{}", '{"manifest": 3, "format": "csv"}', "[" * 100_000])
def test_a_folder_that_holds_no_run_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / RUN).write_text(content, encoding="utf-8")
    with pytest.raises(BadInput, match=f"{RUN} that cannot be read"):
        folder(tmp_path, task(20), resume=True)
    (tmp_path / RUN).unlink()
    (tmp_path / "letter.txt").touch()
    for resume in (False, True):
        with pytest.raises(BadInput, match=r"it holds 'letter.txt' and no run.json"):
            folder(tmp_path, task(20), resume)
    assert [each.name for each in tmp_path.iterdir()] == ["letter.txt"]


def test_a_part_that_cannot_be_written_is_told_and_nothing_is_left_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run"
    made = folder(path, task(20))
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(OutputRefused, match="--out: cannot be written: No space left on device"):
        made.write(range(20), b"x" * 100)
    assert [each.name for each in path.iterdir()] == [RUN]


def test_a_run_looks_at_fixed_numbers_of_spins_only(tmp_path: Path) -> None:
    assert looks(1000, 100) == [100, 200, 400, 800, 1000]
    assert looks(100, 100) == [100]
    assert looks(7, 100) == [7]
    first, _ = carry_out(tmp_path / "a", task(25), 1000, 1, until=0.05)
    second, _ = carry_out(tmp_path / "b", task(25), 1000, 2, until=0.05)
    assert first.spins in looks(1000, 25)[:-1]
    assert counts(first) == counts(second)
    assert first.half_width < 0.05
    assert parts(tmp_path / "a") == parts(tmp_path / "b")
    (tmp_path / "a" / sorted(parts(tmp_path / "a"))[-1]).unlink()
    again, played = carry_out(tmp_path / "a", task(25), 1000, 1, resume=True, until=0.05)
    assert (counts(again), played) == (counts(first), 25)
    shorter = Tally.of(52)
    for each in chunks(0, first.spins // 2, 25):
        shorter.merge(play_chunk(task(25), each.start, each.stop)[2])
    assert shorter.half_width >= 0.05


def test_wilson_s_interval() -> None:
    from scipy.stats import binomtest

    for count, total in ((0, 10), (3, 10), (10, 10), (417, 10_000), (1, 1_000_000)):
        wanted = binomtest(count, total).proportion_ci(method="wilson")
        assert wilson(count, total) == pytest.approx((wanted.low, wanted.high), abs=1e-12)
    assert wilson(0, 0) == (0.0, 1.0)


def test_what_is_counted_is_what_the_table_holds() -> None:
    of = task(60, name="macau-boule-wide-band", form=None)
    _, content, tally = play_chunk(of, 0, 60)
    table = simulated(of.scenario, of.rulebook, 7, range(60))
    rows = table.to_pylist()
    assert content is None
    assert tally.void == Counter(row["void_code"] for row in rows if row["void_code"])
    assert tally.holes.tolist() == [
        sum(row["valid"] and row["rest_index"] == hole for row in rows) for hole in range(25)
    ]
    assert tally.valid + tally.void.total() == tally.spins == 60
    for name, width in (("settling_s", 0.01), ("hops", 1.0), ("duration_s", 0.01)):
        values = [row[name] for row in rows if row[name] is not None]
        for share in (0.05, 0.5, 0.95):
            exact = np.quantile(values, share, method="inverted_cdf")
            assert tally.quantile(name, share) == pytest.approx(exact, abs=width / 2 + 1e-9)
    parts_of = Tally.of(25)
    for first, last in ((40, 60), (0, 13), (13, 40)):
        parts_of.merge(play_chunk(of, first, last)[2])
    assert counts(parts_of) == counts(tally)
