"""The one error format: ``file:line:column: field: what is wrong, what is allowed, what was given``."""

from dataclasses import dataclass


@dataclass(frozen=True, order=True, slots=True)
class Mark:
    """A place in an input. Line and column count from 1; 0 means that the whole input is meant."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, order=True, slots=True)
class Fault:
    """One fault of one input: where, which field, and a message of a single line."""

    mark: Mark
    field: str
    message: str

    def __str__(self) -> str:
        return " ".join(f"{self.mark}: {self.field}: {self.message}".split())


class BadInput(Exception):  # noqa: N818  (the reader's word for it)
    """An input that cannot be used, with every fault found in it.

    The command line prints one line per fault and ends with exit code 2.
    """

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = tuple(sorted(faults))
        super().__init__("\n".join(map(str, self.faults)))
