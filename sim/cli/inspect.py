"""``inspect``: what a log of spins says of a wheel."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.cli import screen
from sim.cli.flags import Flags
from sim.cli.log import Game, game_of_run, open_game, open_log
from sim.cli.options import AsJson, Maps
from sim.cli.runs import is_run

if TYPE_CHECKING:
    from sim.inspection.drop_zone import Dropped
    from sim.report.inspection.evidence import Evidence
    from sim.report.inspection.form import Form
    from sim.scenario import Scenario
    from sim.spinlog.log import Input, SpinLog

NAME = "inspect"
MOST_REPLAYS = 8
EXAMPLE = "Example: fairwheel inspect spins.csv --rules macau-boule-1979 --map result=symbol"


def run(
    source: Annotated[
        str | None,
        typer.Argument(metavar="SOURCE", help="A log, the folder of a batch run, or - for stdin."),
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option(
            metavar="RULEBOOK",
            help="A file, the name of a shipped one, or cells:N; that of a batch run is known.",
        ),
    ] = None,
    scenario: Annotated[
        str | None, typer.Option(metavar="SCENARIO", help="The machine: order of its ring, and its rulebook.")
    ] = None,
    alpha: Annotated[
        str, typer.Option(metavar="A", help="Level of the whole family of tests, 0.000001 to 0.2.")
    ] = "0.01",
    group_by: Annotated[
        list[str] | None,
        typer.Option(
            "--group-by", metavar="FIELD", help="Compare groups by this field of the log too; repeatable."
        ),
    ] = None,
    profiles: Annotated[
        list[str] | None,
        typer.Option(
            "--profile",
            metavar="NAME",
            help="Criteria of an authority: slovenia-2002, ontario-99; repeatable.",
        ),
    ] = None,
    maps: Maps = None,
    mapping: Annotated[
        str | None, typer.Option(metavar="FILE", help="The same and more, saved as YAML.")
    ] = None,
    dates: Annotated[
        str | None, typer.Option(metavar="ORDER", help="Of day, month, year in figures: dmy, mdy or ymd.")
    ] = None,
    delimiter: Annotated[
        str | None, typer.Option(metavar="CHARACTER", help="Between columns; tab for the tabulator.")
    ] = None,
    report: Annotated[
        str | None, typer.Option(metavar="FILE.html", help="Write the report: one page, offline.")
    ] = None,
    pdf: Annotated[
        str | None, typer.Option(metavar="FILE.pdf", help="Write the report to be signed.")
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(metavar="FILE.yaml", help="What the inspector filled in, for the report."),
    ] = None,
    replays: Annotated[
        str,
        typer.Option(metavar="K", help=f"Simulated spins to play in the report, 0 to {MOST_REPLAYS}."),
    ] = "4",
    template: Annotated[
        str | None,
        typer.Option(metavar="FILE.yaml", help="Write an empty form, with the rules of --rules, and end."),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Test a log of spins for bias, sectors, dependence, level and groups, and say what it would have found.

    Exit codes: 0 no evidence of bias; 1 investigate, or biased; 2 bad input; 3 not assessable.
    """
    if template is not None:
        return _write_template(template, source, rules, scenario)
    flags = Flags()
    level = flags.real("--alpha", alpha, 1e-6, 0.2)
    targets = {
        "--report": None if report is None else flags.target("--report", report, (".html", ".htm")),
        "--pdf": None if pdf is None else flags.target("--pdf", pdf, (".pdf",)),
    }
    count = flags.whole("--replays", replays, 0, MOST_REPLAYS)
    if form is not None and not any(targets.values()):
        flags.fault("--form", "is for a report; --report or --pdf says where to write it")
    if source is None:
        flags.fault("SOURCE", "missing; a log, the folder of a batch run, or - for stdin")
    from sim.inspection.profiles import PROFILES

    for name in profiles or ():
        flags.choice("--profile", name, PROFILES)
    game, filled = None, None
    with flags.gathering():
        if rules is None and scenario is None and source is not None and is_run(source):
            game = game_of_run(source)
        else:
            game = open_game(rules, scenario)
    if form is not None and game is not None and any(targets.values()):
        with flags.gathering():
            filled = _open_form(form, game)
    flags.check()
    assert game is not None
    assert source is not None

    from sim.inspection.from_log import from_log
    from sim.inspection.inspection import inspect

    log = open_log(source, game, maps=maps or (), mapping=mapping, dates=dates, delimiter=delimiter)
    _check_groups(flags, log, group_by or ())
    board, spins = from_log(log, game.rulebook, group_by or (), one_ring=game.one_ring)
    found = inspect(game.rulebook, board, spins, alpha=level, profiles=tuple(dict.fromkeys(profiles or ())))
    if any(targets.values()):
        from sim.cli.replays import replays_of
        from sim.report.inspection.evidence import gather

        evidence = gather(found, log, game.rulebook, board, spins, game.scenario, filled)
        drops, played = _drops(log, evidence.scenario), replays_of(log, game, found, count)
        _write(targets, replace(evidence, drops=drops, replays=played))
    if as_json:
        from sim.report.findings import plain

        print(json.dumps(plain(found, log), indent=2, allow_nan=False))
    else:
        from sim.cli.findings import show

        show(found, log)
    return found.verdict.exit_code


def _drops(log: "SpinLog", scenario: "Scenario | None") -> "Dropped | None":
    """What the drop zone says of the level, where a log tells the drops and a scenario the rim law."""
    import numpy as np

    from sim.cli.drops import dropped
    from sim.design.drop_zone import LAUNCHES
    from sim.documents.faults import BadInput
    from sim.scenario import PlateScenario

    if not isinstance(scenario, PlateScenario) or not np.isfinite(log.floats("drop_angle_deg")).any():
        return None
    try:
        return dropped(log, scenario, 0.95, LAUNCHES)
    except BadInput:  # too few drops
        return None


def _open_form(name: str, game: Game) -> "tuple[Form, Input]":
    from sim.report.inspection.form import load_form

    return load_form(Path(name), game.rulebook)


def _write_template(target: str, source: str | None, rules: str | None, scenario: str | None) -> int:
    """Write an empty form; one that is there may be filled in, and is left alone."""
    from sim.cli.table import open_rulebook
    from sim.documents.writing import write_atomically
    from sim.report.inspection.form import template

    flags = Flags()
    path = flags.target("--template", target, (".yaml", ".yml"))
    if os.path.lexists(target):
        flags.fault("--template", f"must name a new file, and {target!r} is there; it may be filled in")
    if source is not None:
        flags.fault("SOURCE", "an empty form is written without a log")
    rulebook = None
    with flags.gathering():
        if scenario is not None:
            rulebook = open_game(rules, scenario).rulebook
        elif rules is not None:
            rulebook = open_rulebook(rules)
    flags.check()
    write_atomically(path, template(rulebook), "--template")
    screen.notice(f"{target}: an empty form; --form reads it once it is filled in")
    return 0


def _write(targets: "dict[str, Path | None]", evidence: "Evidence") -> None:
    """Write the report in every form that was asked for, once all of them are made."""
    from sim.documents.writing import write_atomically
    from sim.report.inspection.sections import report

    made: dict[str, bytes] = {}
    whole = report(evidence)
    if targets["--report"] is not None:
        from sim.report.inspection.html import html

        made["--report"] = html(whole).encode()
    if targets["--pdf"] is not None:
        from sim.report.inspection.pdf import pdf

        made["--pdf"] = pdf(whole)
    for flag, content in made.items():
        target = targets[flag]
        assert target is not None
        write_atomically(target, content, flag)
        screen.notice(f"{target}: report {whole.identity}, {len(content) / 1e6:.2f} MB")


def _check_groups(flags: Flags, log: "SpinLog", fields: list[str] | tuple[str, ...]) -> None:
    """Refuse a field by which the log's spins cannot be grouped."""
    from sim.inspection.from_log import DAY
    from sim.spinlog.schema import BY_NAME

    allowed = [name for name in log.table.column_names if BY_NAME[name].kind in {"text", "bool"}]
    allowed = [name for name in allowed if name not in {"symbol", "valid", "void_code", "utc_time", "remark"}]
    for name in fields:
        if name != DAY and name not in allowed:
            flags.fault("--group-by", f"must be one of {', '.join((DAY, *allowed))}, not {name!r}")
    flags.check()
