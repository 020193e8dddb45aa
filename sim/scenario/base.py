"""What every scenario is, whatever stands on its table: a name, a rulebook, and where its values come from."""

import hashlib
import json
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, PrivateAttr

from sim.documents.document import Document, Path, dotted
from sim.documents.faults import Fault, Mark
from sim.scenario.model import Model

GRAVITY = 9.80665
"""m/s^2"""


class BaseScenario(Model):
    """All that decides a spin, but for its seed and index. Built by `sim.scenario.load_scenario`."""

    name: Annotated[str, Field(min_length=1, max_length=100)]
    title: str
    rulebook: Annotated[str, Field(min_length=1)]

    _document: Document = PrivateAttr()
    _sources: Mapping[Path, str] = PrivateAttr()

    def model_post_init(self, context: Any) -> None:
        """Keep where the values were written and where they come from."""
        self._document = context["document"]
        self._sources = context["sources"]

    @property
    def document(self) -> Document:
        """The resolved document: `document.fault(path, message)` is a fault at the place of a value."""
        return self._document

    @property
    def marks(self) -> Mapping[Path, Mark]:
        """Path of a value, such as ``("machine", "number_ring", 3)``, to the place where it was written."""
        return self._document.marks

    @property
    def provenance(self) -> dict[str, str]:
        """Dotted path of every physical value to where it comes from.

        ``assumed``, ``measured``, ``measured: ...``, ``cited: ...``, or ``unstated`` where nothing is said.
        """
        return {
            dotted(path): source
            for path, source in sorted(self._sources.items(), key=lambda item: dotted(item[0]))
        }

    @property
    def assumed(self) -> list[str]:
        """Dotted paths, sorted, of the values that nobody measured or cited; what is unstated counts."""
        return [path for path, source in self.provenance.items() if source in ("assumed", "unstated")]

    @property
    def sha256(self) -> str:
        """Digest of the resolved SI values, the name and the rulebook, as canonical JSON.

        The title, comments, spelling of units, the files a value came from and its provenance do not change
        it. The same level given in another form does.
        """
        data = self.model_dump(mode="json", exclude={"title"})
        return hashlib.sha256(json.dumps(data, sort_keys=True, separators=(",", ":")).encode()).hexdigest()

    def clash(self, fields: tuple[str, ...], message: str) -> Fault:
        """The fault of values that contradict each other, at the one that was given last.

        fields: their dotted paths, list indices as numbers, the one to mend first. An override is given after the
        scenario's own file, that after the files it extends, and a default before all.
        """

        def distance(path: Path) -> int:
            if path not in self._document.marks:
                return 3
            file = self._document.mark(path).file
            return 0 if file.startswith("--set ") else 1 if file == self._document.label else 2

        paths = (
            tuple(int(part) if part.isdigit() else part for part in field.split(".")) for field in fields
        )
        return self._document.fault(min(paths, key=distance), message)
