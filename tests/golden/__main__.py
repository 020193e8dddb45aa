"""Writes the golden transcripts and the table of articles anew: ``make golden``."""

from sim.documents.resources import rounds_names
from tests.golden.articles import PAGE, with_table
from tests.golden.transcripts import file_of, transcript

for name in rounds_names():
    file_of(name).write_text(transcript(name), encoding="utf-8")
PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
