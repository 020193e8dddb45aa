"""Writes the golden transcripts and the README's table of articles anew: ``make golden``."""

from sim.documents.resources import rounds_names
from tests.golden.articles import README, with_table
from tests.golden.transcripts import file_of, transcript

for name in rounds_names():
    file_of(name).write_text(transcript(name), encoding="utf-8")
README.write_text(with_table(README.read_text(encoding="utf-8")), encoding="utf-8")
