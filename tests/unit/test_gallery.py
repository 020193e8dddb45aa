"""The gallery and the clips of the README are there, small, and of what is shipped."""

import re

import pytest
from PIL import Image

from docs.examples import ROOT
from docs.gallery import CLIPS, FAULTS, SOUND
from sim.documents.resources import scenario_names
from sim.spinlog.schema import BY_NAME

PICTURES = ROOT / "assets" / "pictures"


def test_the_gallery_is_of_shipped_scenarios_and_logged_columns() -> None:
    assert set(FAULTS) | set(CLIPS) | set(SOUND.values()) <= set(scenario_names())
    assert {name.partition("-")[0] for name in FAULTS} == set(SOUND)
    assert set(FAULTS.values()) <= set(BY_NAME)


def test_every_picture_of_the_gallery_is_there() -> None:
    page = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    shown = re.findall(r"!\[[^\]]*\]\(\.\./([^)]+)\)", page)
    assert len(shown) == len(CLIPS) + len(FAULTS)
    for name in shown:
        with Image.open(ROOT / name) as image:
            assert image.width > 600
        assert (ROOT / name).stat().st_size < 1_500_000
    assert all(f"`{name}`" in page for name in FAULTS)


@pytest.mark.parametrize("name", CLIPS)
def test_a_clip_moves_and_is_small(name: str) -> None:
    clip = PICTURES / f"{name}.gif"
    assert clip.stat().st_size < 1_500_000
    with Image.open(clip) as image:
        assert image.n_frames > 20
        assert image.info["loop"] == 0
