"""Options that several verbs have, each with one wording."""

from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="One JSON document.")]
Overrides = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="PATH=VALUE", help="Override a value of the scenario; may be repeated."),
]
Workers = Annotated[
    str | None, typer.Option(metavar="W", help="Threads of this machine; by default one for each core.")
]
Cluster = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Dask scheduler, such as tcp://10.0.0.1:8786.")
]
Maps = Annotated[
    list[str] | None,
    typer.Option("--map", metavar="COLUMN=FIELD", help="What a column of the log is; repeatable."),
]
