"""``inspect``: what a log of spins says of a wheel."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from sim.cli.flags import Flags
from sim.cli.log import open_game, open_log

if TYPE_CHECKING:
    from sim.spinlog.log import SpinLog

NAME = "inspect"
EXAMPLE = "Example: fairwheel inspect spins.csv --rules macau-boule-1979 --map result=symbol"


def run(
    source: Annotated[
        str, typer.Argument(metavar="SOURCE", help="A log, the folder of a batch run, or - for stdin.")
    ],
    rules: Annotated[
        str | None, typer.Option(metavar="RULEBOOK", help="A file, the name of a shipped one, or cells:N.")
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
    maps: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="COLUMN=FIELD", help="What a column of the log is; repeatable."),
    ] = None,
    mapping: Annotated[
        str | None, typer.Option(metavar="FILE", help="The same and more, saved as YAML.")
    ] = None,
    dates: Annotated[
        str | None, typer.Option(metavar="ORDER", help="Of day, month, year in figures: dmy, mdy or ymd.")
    ] = None,
    delimiter: Annotated[
        str | None, typer.Option(metavar="CHARACTER", help="Between columns; tab for the tabulator.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> int:
    """Test a log of spins for bias, sectors, dependence, level and groups, and say what it would have found.

    Exit codes: 0 no evidence of bias; 1 investigate, or biased; 2 bad input; 3 not assessable.
    """
    from sim.inspection.from_log import from_log
    from sim.inspection.inspection import inspect
    from sim.inspection.profiles import PROFILES

    flags = Flags()
    level = flags.real("--alpha", alpha, 1e-6, 0.2)
    for name in profiles or ():
        flags.choice("--profile", name, PROFILES)
    with flags.gathering():
        game = open_game(rules, scenario)
        if game.rulebook.layout.cells < 2:
            flags.fault("--rules", f"must have at least two cells, not {game.rulebook.layout.cells}")
    flags.check()
    log = open_log(source, game, maps=maps or (), mapping=mapping, dates=dates, delimiter=delimiter)
    _check_groups(flags, log, group_by or ())
    board, spins = from_log(log, game.rulebook, group_by or (), one_ring=game.one_ring)
    found = inspect(game.rulebook, board, spins, alpha=level, profiles=tuple(dict.fromkeys(profiles or ())))
    if as_json:
        from sim.report.findings import plain

        print(json.dumps(plain(found, log), indent=2, allow_nan=False))
    else:
        from sim.cli.findings import show

        show(found, log)
    return found.verdict.exit_code


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
