"""The cells of a few games, and a log read from bytes."""

import io

from sim.spinlog.cells import Cells
from sim.spinlog.form import Form
from sim.spinlog.log import SpinLog
from sim.spinlog.reading import read_log

MACAU = Cells("macau", {"star": 1, **{str(number): 1 for number in range(1, 25)}}, special="star")
MACAU_RING = Cells("macau", MACAU.symbols, ring=tuple(MACAU.symbols), special="star")
SPANISH = Cells("es", {str(number): 2 for number in range(1, 10)}, ring=tuple("123456789" * 2))
RODA = Cells("roda", {"A": 3, "B": 2, "C": 1}, ring=tuple("ABABCA"), least_turns=3)
WHEEL = Cells("cells:37", {str(number): 1 for number in range(1, 38)}, free=True)


def read(content: str | bytes, cells: Cells = MACAU, form: Form | None = None) -> SpinLog:
    data = content.encode() if isinstance(content, str) else content
    return read_log("-", cells, form, io.BytesIO(data))
