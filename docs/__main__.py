"""Makes the documents' examples, pictures, validated values and reference of scenarios anew: ``make docs``."""

from docs.examples import DOCUMENTS, ROOT, rerun
from docs.gallery import make_clips, make_gallery
from docs.pictures import draw_all
from docs.sample_report import draw_report
from docs.scenario_reference import reference
from docs.validation import table

for document in DOCUMENTS:
    document.write_text(rerun(document.read_text(encoding="utf-8")), encoding="utf-8")
draw_all(ROOT / "assets" / "pictures")
draw_report(ROOT / "assets" / "pictures" / "inspection-report.png")
make_clips(ROOT / "assets" / "pictures")
make_gallery(ROOT / "docs" / "gallery.md", ROOT / "assets" / "pictures")
(ROOT / "docs" / "validation.md").write_text(table(), encoding="utf-8")
(ROOT / "docs" / "scenario-reference.md").write_text(reference(), encoding="utf-8")
