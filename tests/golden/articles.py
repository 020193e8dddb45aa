"""The table of articles: each article of the three regulations with the tests that are marked as holding it."""

import ast
from collections.abc import Iterator
from pathlib import Path

from sim.rules.library import load

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "articles.md"
REGULATIONS = ("macau-boule-1979", "es-boule-1979", "macau-roda-2003")
BEGIN, END = "<!-- articles: made by make golden -->", "<!-- end of articles -->"
KINDS = {"rule": "", "equipment": "equipment; ", "procedure": "procedural; "}


def held() -> dict[str, list[str]]:
    """Return, for every article id, the tests that hold it as ``file::test``.

    First comes the one whose mark names the article first and names the fewest others.
    """
    found: list[tuple[int, int, str, str]] = []
    for file in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                name = f"{file.relative_to(TESTS).as_posix()}::{node.name}"
                for ids in _marks(node):
                    found.extend((place, len(ids), name, article) for place, article in enumerate(ids))
    tests: dict[str, list[str]] = {}
    for _, _, name, article in sorted(found):
        names = tests.setdefault(article, [])
        if name not in names:
            names.append(name)
    return tests


def _marks(function: ast.FunctionDef) -> Iterator[list[str]]:
    """Yield the ids of every ``pytest.mark.article(...)`` that decorates a function."""
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.article":
            yield [ast.literal_eval(argument) for argument in decorator.args]


def table() -> str:
    """Return one row per article; a test that is not there raises KeyError."""
    tests = held()
    rows = ["| article | held by |", "|---|---|"]
    for name in REGULATIONS:
        for article, entry in load(name).articles.items():
            rows.append(f"| {article} | {KINDS[entry.kind]}`{tests[article][0]}` |")
    return "\n".join(rows)


def with_table(readme: str) -> str:
    """Return the page with its table of articles made anew."""
    before, rest = readme.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"
