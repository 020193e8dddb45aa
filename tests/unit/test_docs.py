"""The documents show what the program prints."""

import pytest

from docs.examples import DOCUMENTS, ROOT, examples, has_spins, shown

EXAMPLES = [each for page in DOCUMENTS for each in examples(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("example", [each for each in EXAMPLES if not has_spins(each)])
def test_an_example_without_spins_is_printed_so(example: str) -> None:
    assert shown(example) == example


@pytest.mark.slow
@pytest.mark.parametrize("example", [each for each in EXAMPLES if has_spins(each)])
def test_an_example_with_spins_is_printed_so_but_for_its_digits(example: str) -> None:
    """Their bits depend on the processor; their words, commands and columns do not."""

    def form(text: str) -> list[list[str]]:
        return [line.split()[:3] for line in text.splitlines() if line.startswith(("$", "   spin", "seed"))]

    assert form(shown(example)) == form(example)


def test_there_are_examples_of_every_kind() -> None:
    verbs = {line.split()[2] for each in EXAMPLES for line in each.splitlines() if line.startswith("$")}
    assert verbs >= {"spin", "picture", "odds", "validate", "list", "balance", "--version"}


def test_pictures_are_there_and_small() -> None:
    for name in ("macau-boule", "roda-da-sorte"):
        picture = ROOT / "assets" / "pictures" / f"{name}.png"
        assert picture.read_bytes().startswith(b"\x89PNG")
        assert picture.stat().st_size < 200_000
        assert f"assets/pictures/{name}.gif" in (ROOT / "README.md").read_text(encoding="utf-8")
