"""The Python calls, and the examples of docs/python.md as they stand there."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import sim
from sim import load_scenario, simulate, spin
from sim.documents.faults import BadInput

PAGE = (Path(__file__).parents[2] / "docs" / "python.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^## (.*?)\n.*?```python\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE)
KINDS = {"int64": np.int64, "bool": np.bool_, "double": np.float64, "string": object}
PATTERNS = {
    "An inspector": r"0 deg \[[\d\s]+\] p = \S+\n0.5 deg \[[\d\s]+\] p = \S+\n",
    "A designer": r"(\d+ mm: \d+\.\d s from the bell to rest, \d+\.\d hops, \d+% off pocket\n){3}",
    "A demonstration": r"C pushes at \S+ rad/s\n( *\d+\.\d\d s .*\n){3}\d+\.\d\d turns, symbol .*\n\(\d+, 5\)\n",
}


@pytest.mark.slow
@pytest.mark.parametrize(("title", "code"), EXAMPLES, ids=[title for title, _ in EXAMPLES])
def test_an_example_does_what_its_page_says(
    title: str, code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(compile(code, title, "exec"), {})
    printed = capsys.readouterr().out
    assert re.fullmatch(PATTERNS[title.partition(":")[0]], printed), printed


def test_there_is_an_example_for_each_group_of_users() -> None:
    assert [title.partition(":")[0] for title, _ in EXAMPLES] == list(PATTERNS)


def test_the_package_alone_is_light() -> None:
    code = "import sys, sim; print([name for name in ('numba', 'pyarrow', 'numpy', 'scipy') if name in sys.modules])"
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert made.stdout == "[]\n"
    with pytest.raises(AttributeError, match="no attribute 'simulat'"):
        _ = sim.simulat


def test_spins_are_arrays_by_column() -> None:
    wheel = load_scenario("roda-da-sorte")
    spins, later = simulate(wheel, 30, 7), simulate("roda-da-sorte", 10, 7, first=20, workers=2)
    assert set(spins) >= {"rest_index", "symbol", "turns", "on_peg", "push_speed_rad_s"}
    assert len(spins) == len(list(spins))
    for name, values in spins.items():
        assert values.shape == (30,)
        assert values.dtype == KINDS[str(spins.table[name].type)]
        np.testing.assert_array_equal(values[20:], later[name])
    assert ((spins["rest_index"] == -1) == ~spins["valid"]).all()
    assert [symbol is None for symbol in spins["symbol"]] == (~spins["valid"]).tolist()
    assert spins.summary["valid"] == spins["valid"].sum()
    assert "settling_s" not in spins
    with pytest.raises(KeyError, match="settling_s"):
        _ = spins["settling_s"]
    one = spin(wheel, 7, 25)
    assert one.start.speed == spins["push_speed_rad_s"][25]
    assert one.trace is None
    assert one.outcome.symbol in wheel.machine.ring


@pytest.mark.parametrize(
    "wrong", [{"spins": 0}, {"spins": 1, "seed": -1}, {"spins": 1, "seed": 2**64}, {"spins": 1, "first": -1}]
)
def test_what_cannot_be_simulated_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="must be at least 1"):
        simulate("roda-da-sorte", **wrong)
    with pytest.raises(BadInput, match="no such file"):
        simulate("roda-da-sort", 1)
