"""``list``: what is shipped."""

from sim.cli import screen

NAME = "list"
EXAMPLE = "Example: fairwheel list"


def run() -> None:
    """List the shipped scenarios and rulebooks, with a line each."""
    from sim.documents.resources import rulebook_names, scenario_names
    from sim.rules.library import load
    from sim.scenario import load_scenario

    console = screen.console()
    kinds = {
        "scenarios": [(name, load_scenario(name).title) for name in scenario_names()],
        "rulebooks": [
            (name, f"{book.jurisdiction}: {book.title}") for name in rulebook_names() for book in [load(name)]
        ],
    }
    for kind, entries in kinds.items():
        table = screen.table(kind, "")
        for name, title in entries:
            table.add_row(f"  {screen.clean(name)}", screen.clean(title))
        screen.show(console, table)
