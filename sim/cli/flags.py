"""Command-line values and their faults: ``--flag: what is wrong, what is allowed, what was given``."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from sim.documents.faults import BadInput, Fault, Mark
from sim.documents.writing import refusal

LONGEST_NAME = 255


class Flags:
    """Reads the values of one command line and gathers every fault found in them."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def fault(self, flag: str, message: str) -> None:
        """Note that a flag's value is wrong."""
        self.faults.append(Fault(Mark(""), flag, message))

    def whole(self, flag: str, given: str, least: int, most: int) -> int:
        """Return a whole number within [least, most]."""
        if re.fullmatch(r"\d{1,30}", given, re.ASCII) and least <= int(given) <= most:
            return int(given)
        self.fault(flag, f"must be a whole number from {least} to {most}, not {given!r}")
        return least

    def real(self, flag: str, given: str, least: float, most: float) -> float:
        """Return a number within [least, most]."""
        if re.fullmatch(r"[0-9]{0,20}\.?[0-9]{1,20}(e-?[0-9]{1,2})?", given, re.ASCII | re.IGNORECASE):
            value = float(given)
            if least <= value <= most:
                return value
        self.fault(flag, f"must be a number from {least:g} to {most:g}, not {given!r}")
        return least

    def choice(self, flag: str, given: str, allowed: tuple[str, ...]) -> str:
        """Return one of the allowed words."""
        if given not in allowed:
            self.fault(flag, f"must be one of {', '.join(allowed)}, not {given!r}")
        return given

    def target(self, flag: str, given: str, suffixes: tuple[str, ...]) -> Path:
        """Return a path that can be written: known suffix, a folder to write into, not a folder itself."""
        path = Path(given)
        folder = path.parent
        if path.suffix.lower() not in suffixes:
            self.fault(flag, f"must end in {' or '.join(suffixes)}, not {given!r}")
        elif "\0" in given:
            self.fault(flag, f"must be text without NUL, not {given!r}")
        elif os.path.isdir(path):  # noqa: PTH112  (never raises)
            self.fault(flag, f"must name a file, and {given!r} is a folder")
        elif not os.path.isdir(folder):  # noqa: PTH112
            self.fault(flag, f"must lie in a folder that exists, and {str(folder)!r} is none")
        elif not os.access(folder, os.W_OK | os.X_OK):
            self.fault(flag, f"must lie in a folder that can be written, and {str(folder)!r} cannot")
        elif len(os.fsencode(path.name)) > LONGEST_NAME:
            self.fault(flag, f"must have a name of at most {LONGEST_NAME} bytes, not {given[:40]!r}...")
        elif (why := refusal(path)) is not None:
            self.fault(flag, f"{given!r} {why}")
        return path

    @contextmanager
    def gathering(self) -> Iterator[None]:
        """Note the faults that are raised inside instead of stopping at them; `check` must follow."""
        try:
            yield
        except BadInput as error:
            self.faults.extend(error.faults)

    def check(self) -> None:
        """Raise BadInput when any fault was noted."""
        if self.faults:
            raise BadInput(self.faults)


def usage_line(error: typer.TyperException) -> str:
    """Return the one line that tells a command line that Typer could not take apart."""
    context: typer.Context | None = getattr(error, "ctx", None)
    command = context.command_path if context else "fairwheel"
    message = error.format_message() if isinstance(error, typer.BadParameter) else error.message
    line = f"{getattr(error, 'option_name', command)}: {message[:1].lower()}{message[1:].rstrip('.')}"
    if context is None:
        return line
    words = [*getattr(context.command, "commands", ())]
    words += [
        name for parameter in context.command.get_params(context) for name in parameter.opts if name[0] == "-"
    ]
    return f"{line}; {command} takes {', '.join(words)}"
