"""``play``: rounds at a table, from the players' bets to the ledger."""

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.cli import screen
from sim.cli.flags import Flags
from sim.cli.game import Game, open_game
from sim.cli.options import AsJson

if TYPE_CHECKING:
    from pathlib import Path

    from sim.rules.game import Played
    from sim.rules.ledger import Ledger

NAME = "play"
EXAMPLE = "Example: fairwheel play macau-boule --ledger ledger.csv"
MOST_SEED = 2**64 - 1


def run(
    rounds: Annotated[str, typer.Argument(metavar="ROUNDS", help="A file, or the name of a shipped one.")],
    seed: Annotated[
        str | None, typer.Option(metavar="N", help="Seed of physical spins, instead of the file's.")
    ] = None,
    ledgers: Annotated[
        list[str] | None,
        typer.Option("--ledger", metavar="FILE.csv|.json", help="Write the ledger; may be repeated."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play rounds at a table: bets, announcements, spins, payment, and a ledger that balances to the unit.

    Spins are computed from a scenario and a seed, or taken from recorded landings.
    """
    flags = Flags()
    given_seed = flags.whole("--seed", seed, 0, MOST_SEED) if seed is not None else None
    targets = [flags.target("--ledger", name, (".csv", ".json")) for name in ledgers or []]
    with flags.gathering():
        game = open_game(rounds)
        if given_seed is not None and game.recording is not None:
            flags.fault("--seed", "belongs to physical spins; these rounds play recorded landings")
    flags.check()

    from sim.rules.game import play_table
    from sim.rules.ledger import Ledger

    if game.scenario is not None:
        from sim.physics.compiled import is_warm

        if not is_warm():
            screen.notice("Compiling the laws of motion: once, about a minute ...")
    run_seed = (game.rounds.seed or 0) if given_seed is None else given_seed
    ledger = Ledger()
    spins = play_table(game.rulebook, game.ring, game.table, game.scripts, game.spins(run_seed), ledger)
    watched = screen.progress(spins, len(game.scripts))
    if as_json:
        played = list(watched)
        print(json.dumps(_document(game, run_seed, played, ledger), indent=2, allow_nan=False))
    else:
        for line in _transcript(game, run_seed, watched, ledger):
            print(screen.clean(line))
    for target in targets:
        _write_ledger(target, game, ledger)


def _transcript(game: Game, seed: int, played: "Iterable[Played]", ledger: "Ledger") -> Iterator[str]:
    """Yield what is printed: the table, every spin, and what the ledger comes to."""
    from sim.report.transcript import lines

    rounds, rulebook, table = game.rounds, game.rulebook, game.table
    yield rounds.title
    yield f"{rulebook.id}: {rulebook.title}. {rulebook.source}"
    yield _source_line(game, seed)
    maxima = "".join(f", at most {most} on {limit}" for limit, most in table.maxima.items())
    cloths = " and ".join(map(str, table.cloths))
    yield f"table: minimum {table.minimum}, cloths from {cloths}{maxima}"
    if table.throwers:
        yield f"throwers in turn: {', '.join(table.throwers)}"
    yield f"players: {', '.join(f'{player} with {chips}' for player, chips in table.chips.items())}"
    for one in played:
        yield ""
        yield from lines(one, rulebook)
    totals = f"in {ledger.chips_in} = out {ledger.out} + held {ledger.held} + house {ledger.house}"
    yield ""
    yield f"ledger: {len(ledger.entries)} entries, {totals}; {'balances' if ledger.balances else 'DOES NOT BALANCE'}"


def _source_line(game: Game, seed: int) -> str:
    if game.recording is not None:
        return f"recorded landings: {game.recording.source}"
    from sim.report.versions import versions

    scenario = game.scenario
    assert scenario is not None
    built = ", ".join(" ".join(pair) for pair in versions().items())
    return (
        f"scenario {scenario.name} {scenario.sha256[:12]}, seed {seed}, "
        f"{len(scenario.assumed)} of {len(scenario.provenance)} values assumed; {built}"
    )


def _document(game: Game, seed: int, played: "list[Played]", ledger: "Ledger") -> dict[str, Any]:
    from sim.report.ledger_file import ledger_data
    from sim.report.transcript import played_data
    from sim.report.versions import versions

    scenario, table = game.scenario, game.table
    return {
        "title": game.rounds.title,
        "rulebook": game.rulebook.id,
        "scenario": scenario
        and {"name": scenario.name, "sha256": scenario.sha256, "assumed": scenario.assumed},
        "seed": None if scenario is None else seed,
        "versions": None if scenario is None else versions(),
        "recorded": game.recording and game.recording.source,
        "table": {
            "minimum": table.minimum,
            "cloths": list(table.cloths),
            "maxima": dict(table.maxima),
            "throwers": list(table.throwers),
        },
        "spins": [played_data(one) for one in played],
        "ledger": ledger_data(ledger, table.chips),
    }


def _write_ledger(target: "Path", game: Game, ledger: "Ledger") -> None:
    from sim.documents.writing import write_atomically
    from sim.report.ledger_file import format_csv, ledger_data

    if target.suffix.lower() == ".csv":
        content = format_csv(ledger)
    else:
        data = ledger_data(ledger, game.table.chips)
        content = json.dumps(data, indent=2, allow_nan=False, ensure_ascii=False) + "\n"
    write_atomically(target, content, "--ledger")
