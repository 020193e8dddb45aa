"""The one error format: ``file:line:column: field: what is wrong, what is allowed, what was given``.

A fault of a whole input has no line and column; it does not repeat a field that the input's name begins with
(``--set depth: must be PATH=VALUE``). A fault of a flag has no file: ``--seed: must be ...``.
"""

from dataclasses import dataclass


@dataclass(frozen=True, order=True, slots=True)
class Mark:
    """A place in an input. Line and column count from 1; 0 means that the whole input is meant."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file


@dataclass(frozen=True, order=True, slots=True)
class Fault:
    """One fault of one input: where, which field, and a message of a single line."""

    mark: Mark
    field: str
    message: str

    def __str__(self) -> str:
        repeated = not self.mark.line and self.mark.file.startswith(self.field)
        parts = (str(self.mark), "" if repeated else self.field, self.message)
        return " ".join(": ".join(filter(None, parts)).split())


class BadInput(Exception):  # noqa: N818  (the reader's word for it)
    """An input that cannot be used, with every fault found in it.

    The command line prints one line per fault and ends with exit code 2.
    """

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = tuple(sorted(faults))
        super().__init__("\n".join(map(str, self.faults)))
