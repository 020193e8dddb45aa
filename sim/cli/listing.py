"""``list``: what is shipped."""

from sim.cli import screen

NAME = "list"
EXAMPLE = "Example: fairwheel list"


def run() -> None:
    """List the shipped scenarios, studies, rulebooks and rounds, with a line each."""
    from sim.documents.reading import load_document
    from sim.documents.resources import (
        find_rounds,
        find_study,
        rounds_names,
        rulebook_names,
        scenario_names,
        study_names,
    )
    from sim.rules.library import load
    from sim.rules.rounds import load_rounds
    from sim.scenario import load_scenario

    console = screen.console()
    kinds = {
        "scenarios": [(name, load_scenario(name).title) for name in scenario_names()],
        "studies": [(name, str(load_document(find_study(name)).get(("title",)))) for name in study_names()],
        "rulebooks": [
            (name, f"{book.jurisdiction}: {book.title}") for name in rulebook_names() for book in [load(name)]
        ],
        "rounds": [(name, load_rounds(find_rounds(name))[0].title) for name in rounds_names()],
    }
    for kind, entries in kinds.items():
        table = screen.table(kind, "")
        for name, title in entries:
            table.add_row(f"  {screen.clean(name)}", screen.clean(title))
        screen.show(console, table)
