"""Makes the README's examples, its pictures and the table of validated values anew: ``make docs``."""

from docs.examples import README, ROOT, rerun
from docs.pictures import draw_all
from docs.validation import table

README.write_text(rerun(README.read_text(encoding="utf-8")), encoding="utf-8")
draw_all(ROOT / "assets" / "pictures")
(ROOT / "docs" / "validation.md").write_text(table(), encoding="utf-8")
