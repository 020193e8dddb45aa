"""The ledger of a table as CSV and as plain data; rounds and spins are counted from 1, as people do."""

import csv
import io
from collections.abc import Mapping
from typing import Any

from sim.rules.ledger import Entry, Ledger

COLUMNS = (
    "round", "spin", "time_s", "player", "chance", "what", "chips_in", "out", "held", "house", "article",
)  # fmt: skip
# What a spreadsheet would take for the beginning of a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def format_csv(ledger: Ledger) -> str:
    """Return the ledger as CSV (RFC 4180, UTF-8): a line of column names, then an entry a line, units and s.

    A text that a spreadsheet would run as a formula is led by an apostrophe.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for entry in ledger.entries:
        writer.writerow([_cell(value) for value in _row(entry).values()])
    return out.getvalue()


def ledger_data(ledger: Ledger, chips: Mapping[str, int]) -> dict[str, Any]:
    """Return the ledger as plain data, with its totals, whether it balances, and every player's chips.

    chips: with how many each player sat down, units.
    """
    return {
        "entries": [_row(entry) for entry in ledger.entries],
        "totals": {
            "chips_in": ledger.chips_in,
            "out": ledger.out,
            "held": ledger.held,
            "house": ledger.house,
        },
        "balances": ledger.balances,
        "players": {
            player: {"brought": brought, "chips": brought + ledger.net(player), "net": ledger.net(player)}
            for player, brought in chips.items()
        },
    }


def _row(entry: Entry) -> dict[str, Any]:
    values = (
        entry.round + 1, entry.spin + 1, entry.time, entry.player, entry.chance, entry.what,
        entry.chips_in, entry.out, entry.held, entry.house, entry.article,
    )  # fmt: skip
    return dict(zip(COLUMNS, values, strict=True))


def _cell(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
