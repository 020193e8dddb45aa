"""Transcripts of the shipped rounds, line by line, and the table of articles; both by ``make golden``."""

import pytest

from sim.documents.resources import rounds_names
from sim.rules.library import load
from tests.golden.articles import PAGE, REGULATIONS, held, with_table
from tests.golden.transcripts import file_of, transcript


def test_three_games_are_shipped() -> None:
    assert rounds_names() == ["macau-boule", "roda-da-sorte", "spanish-boule"]


@pytest.mark.parametrize("name", rounds_names())
def test_transcript(name: str) -> None:
    assert transcript(name).splitlines() == file_of(name).read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", REGULATIONS)
def test_every_article_is_held_by_a_test(name: str) -> None:
    assert [article for article in load(name).articles if article not in held()] == []


def test_no_test_holds_an_article_that_is_none() -> None:
    assert set(held()) == {article for name in REGULATIONS for article in load(name).articles}


def test_the_table_in_the_readme_is_up_to_date() -> None:
    readme = PAGE.read_text(encoding="utf-8")
    assert readme == with_table(readme)
