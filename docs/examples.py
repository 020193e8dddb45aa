"""The console examples of the documents, run again."""

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
DATA = ROOT / "docs" / "data"
DOCUMENTS = (ROOT / "README.md", ROOT / "docs" / "verbs.md")
_BLOCK = re.compile(r"(?<=```\n)\$ fairwheel .*?(?=```)", re.DOTALL)
_SPINS = re.compile(
    r"^\$ fairwheel (spin|play|picture|batch|predict|replay|record|page|study|compare) (?!.*hollow\.deep)",
    re.MULTILINE,
)


def examples(text: str) -> list[str]:
    """The console examples of a Markdown text, less those that leave lines out (``...``)."""
    return [block for block in _BLOCK.findall(text) if "\n...\n" not in block]


def has_spins(example: str) -> bool:
    """Whether an example shows spins, whose bits depend on the processor."""
    return _SPINS.search(example) is not None


def shown(example: str) -> str:
    """The example with what its commands print now, in a folder that holds the files of docs/data."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(DATA, folder, dirs_exist_ok=True)
        parts = []
        for line in example.splitlines():
            if line.startswith("$ fairwheel "):
                words = shlex.split(line.removeprefix("$ fairwheel "))
                command = [sys.executable, str(ROOT / "run_sim.py"), *words]
                # Told on stderr are faults; that code is being compiled is nothing that belongs to the example.
                done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
                told = "" if done.returncode == 0 else done.stderr
                parts.append(f"{line}\n{done.stdout}{told}")
    return "".join(parts)


def rerun(text: str) -> str:
    """The text with every example as it is printed now."""
    for example in examples(text):
        text = text.replace(example, shown(example))
    return text
