"""What a spin log gives to an inspection."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from sim.inspection.board import Board, Spins, board
from sim.inspection.groups import Labels
from sim.rules.rulebook import Rulebook
from sim.spinlog.log import SpinLog

DAY = "day"
PLATE_GROUPS = ("ball_dir", "thrower_id", "ball_id", DAY)
WHEEL_GROUPS = ("plate_dir", "thrower_id", DAY)


def is_pegged(rulebook: Rulebook, log: SpinLog) -> bool:
    """Whether a log is of a pegged wheel: its bets close before the push, or net turns are logged."""
    closing = rulebook.closing
    return (closing is not None and closing.when == "before_push") or log.has("turns_net")


def from_log(
    log: SpinLog, rulebook: Rulebook, group_by: Sequence[str] = (), *, one_ring: bool = True
) -> tuple[Board, Spins]:
    """Return the board on which a log's spins are counted, and the spins.

    Holes are counted where every valid spin has one, else symbols. group_by: further columns of the log, or
    ``day``, to compare; direction, thrower, ball and day always are. one_ring: whether holes stand on one circle.
    """
    valid = log.valid
    holes, symbols = log.integers("rest_index")[valid], log.codes("symbol")[0][valid]
    by_hole = bool(len(holes)) and bool((holes >= 0).all())
    counted = board(rulebook, log.cells.symbols, log.cells.ring, holes=log.cells.count if by_hole else None)
    counted = replace(counted, ring=counted.ring and one_ring)
    pegged = is_pegged(rulebook, log)
    turns = log.floats("turns_net")
    fields = dict.fromkeys((*(WHEEL_GROUPS if pegged else PLATE_GROUPS), *group_by))
    directions = labels(log, "plate_dir")[valid]
    return counted, Spins(
        cells=holes if by_hole else symbols,
        symbols=symbols,
        void=~valid,
        throwers=labels(log, "thrower_id"),
        turns=turns if np.isfinite(turns).any() else log.floats("turns"),
        drop=np.radians(log.floats("drop_angle_deg")[valid]),
        band=np.radians(log.floats("band_angle_deg")[valid]),
        rest=np.radians(log.floats("rest_angle_deg")[valid]),
        groups={name: labels(log, name)[valid] for name in fields},
        excluded=log.excluded,
        still=directions.groups()[0] == ("still",),
        pegged=pegged,
    )


def labels(log: SpinLog, name: str) -> Labels:
    """Return the groups of a log's spins by a column, or by ``day`` (UTC, or the log's own clock)."""
    if name != DAY:
        return Labels(*log.codes(name))
    if log.times is None:
        return Labels(np.full(len(log), -1), ())
    days, codes = np.unique(log.times // (86_400 * 1_000_000), return_inverse=True)
    words = (str(np.datetime64(int(day), "D")) for day in days)
    return Labels(cast("np.ndarray[tuple[int], np.dtype[np.int64]]", codes), tuple(words))
