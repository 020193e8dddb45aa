"""The sections of a report, in their order, and the report that they make of what was found."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sim.report.inspection import closing, findings, identification
from sim.report.inspection.blocks import Block, Chapter, Report
from sim.report.inspection.evidence import Evidence
from sim.report.inspection.replays import replays


@dataclass(frozen=True, slots=True)
class Section:
    """A section: its title and what builds its body; one without blocks is left out."""

    title: str
    build: Callable[[Evidence], Iterable[Block]]


SECTIONS = (
    Section("Verdict", closing.verdict),
    Section("Identification", identification.identification),
    Section("Checks and measurements", identification.by_hand),
    Section("Rules checked", findings.rules),
    Section("Sample", findings.sample),
    Section("Pictures", findings.drawn),
    Section("Tests", findings.tests),
    Section("Bets", findings.bets),
    Section("Criteria of authorities", findings.criteria),
    Section("Counts", findings.counts),
    Section("Spins played again", lambda evidence: replays(evidence.replays)),
    Section("Simulation", closing.simulation),
    Section("Statements", closing.statements),
    Section("Signatures", closing.signatures),
    Section("Inputs", closing.provenance),
)
LOG_ONLY = ("Simulation",)


def report(evidence: Evidence) -> Report:
    """Return the report; what is simulated or has a scenario alone gets a section on it."""
    form = evidence.form
    skip = evidence.scenario is None and evidence.manifest is None
    chapters = []
    for section in SECTIONS:
        blocks = () if skip and section.title in LOG_ONLY else tuple(section.build(evidence))
        if blocks:
            chapters.append(Chapter(section.title, blocks))
    last = evidence.days[1][:10] if evidence.days else None
    issued = form.report.issued or (f"not issued; log ends {last}" if last else "not issued")
    serial = form.item.serial or ", ".join(word for word, _ in evidence.words("wheel_serial", 3))
    subject = f"{evidence.rulebook.title}{', serial ' + serial if serial else ''}"
    return Report(
        title="Inspection report",
        body=form.body.name or "",
        identity=form.report.id or f"draft {_digest(evidence)}",
        issued=issued,
        subject=subject,
        chapters=tuple(chapters),
    )


def _digest(evidence: Evidence) -> str:
    """Twelve digits that name a draft: of what it was made of."""
    parts = (*(each.sha256 for each in (*evidence.log.inputs, *evidence.inputs)), evidence.rulebook.id)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]
