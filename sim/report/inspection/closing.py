"""Sections that close a report: the verdict, where its numbers come from, what it does not say, who signs."""

from collections.abc import Iterator
from math import degrees, pi

from sim.report.inspection.blocks import Block, Column, Facts, Signatures, Table, Text, Verdict
from sim.report.inspection.evidence import Evidence
from sim.report.versions import versions


def verdict(evidence: Evidence) -> Iterator[Block]:
    """The verdict in the words of the inspection, large, and whether the report can be issued."""
    found, alpha = evidence.found, evidence.found.alpha
    lines = [
        f"{found.n} valid spins of {evidence.rulebook.title}; {len(evidence.ran)} tests as one family at "
        f"{100 * alpha:g} %.",
        f"Biased: some Holm p below {100 * alpha:g} %. Investigate: some below {500 * alpha:g} %, or a bet's whole "
        "interval beyond break-even. No evidence: neither. Not assessable: too little data for every test.",
    ]
    if evidence.log.is_simulated:
        lines.insert(1, "The spins were simulated: the verdict is of a scenario, not of an apparatus.")
    lines += _low_side(evidence)
    headline, reasons = found.verdict.sentence, ""
    if found.verdict.word in ("biased", "investigate"):
        headline, _, reasons = found.verdict.sentence.partition(": ")
    yield Verdict(found.verdict.word, headline, tuple(filter(None, reasons.split("; "))), tuple(lines))
    missing = unissued(evidence)
    if missing:
        yield Text(
            f"Draft, not issued. ISO/IEC 17020:2012, 7.4.2 asks for what is not stated: {', '.join(missing)}.",
            "warning",
        )


def _low_side(evidence: Evidence) -> Iterator[str]:
    """Where the table would lie low, were it the table that makes the drops gather: they do so elsewhere."""
    alpha, drops = evidence.found.alpha, evidence.drops
    gathered = next((test for test in evidence.ran if test.id == "F4.harmonic"), None)
    if drops is None or gathered is None or gathered.p_holm is None or gathered.p_holm >= 5 * alpha:
        return
    tilt = drops.found.tilt
    half = tilt.half_width(0.95)
    if half < pi:
        yield (
            "The azimuth at which drops gather is not that of the low side. If it is the table that gathers them, not "
            f"the throw or the groove, the rim law of the scenario puts it {degrees(tilt.angle):.2f} deg out of level, "
            f"low at {degrees(tilt.low_side):.0f} +- {degrees(half):.0f} deg (95 %)."
        )


def unissued(evidence: Evidence) -> list[str]:
    """Return what ISO/IEC 17020:2012, 7.4.2 asks of a report and nobody stated."""
    form = evidence.form
    asked = {
        "the issuing body": form.body.name,
        "a unique id": form.report.id,
        "the day of issue": form.report.issued,
        "the days of inspection": form.inspection.begun or evidence.days,
        "the item's serial": form.item.serial or evidence.words("wheel_serial"),
        "who inspected": form.inspector.name,
        "who approves it": form.approval.name or form.inspector.name,
    }
    return [name for name, stated in asked.items() if not stated]


def simulation(evidence: Evidence) -> Iterator[Block]:
    """Where simulated spins come from, and which parameters nobody measured."""
    scenario, manifest = evidence.scenario, evidence.manifest
    if manifest is not None:
        built = manifest.get("versions", {})
        yield Facts(
            (
                ("Scenario", f"{manifest.get('scenario')}, SHA-256 {manifest.get('scenario_sha256')}"),
                ("Seed", str(manifest.get("seed"))),
                ("Overrides", ", ".join(map(str, manifest.get("overrides", ()))) or "none"),
                ("Computed by", ", ".join(f"{name} {version}" for name, version in built.items())),
            ),
            "Simulated run",
        )
    if scenario is not None:
        provenance = scenario.provenance
        if manifest is not None and manifest.get("scenario_sha256") != scenario.sha256:
            yield Text("The scenario given is not the one by which the run says it was simulated.", "warning")
        yield Text(
            f"{scenario.title}: {len(scenario.assumed)} of {len(provenance)} values are assumed, the others cited or "
            f"measured. SHA-256 of the resolved values: {scenario.sha256}."
        )
        assumed = set(scenario.assumed)
        rows = sorted(
            ((_value(evidence, name), name, source) for name, source in provenance.items()),
            key=lambda row: (row[1] not in assumed, row[1]),
        )
        columns = (Column("Parameter", 2.4, code=True), Column("Value", 2), Column("Where from", 2))
        cells = tuple((name, value, source) for value, name, source in rows)
        yield Table(columns, cells, "Parameters of the scenario, assumed ones first")
    elif manifest is not None:
        assumed_names = tuple(map(str, manifest.get("assumed", ())))
        yield Text(f"Assumed in the scenario: {', '.join(assumed_names) or 'nothing'}.", "note")
    yield Text(
        "A simulation is not a conformity test: it says what the laws of motion make of the values above."
    )


def _value(evidence: Evidence, name: str) -> str:
    """A parameter as it was written."""
    assert evidence.scenario is not None
    document = evidence.scenario.document
    path = next((each for each in document.marks if _dotted(each) == name), None)
    value = None if path is None else document.get(path)
    return (
        "as computed"
        if value is None
        else str(value)
        if not isinstance(value, dict | list)
        else _inline(value)
    )


def _inline(value: object) -> str:
    from sim.documents.document import shown

    return shown(value, 120)


def _dotted(path: tuple[str | int, ...]) -> str:
    from sim.documents.document import dotted

    return dotted(path)


def statements(evidence: Evidence) -> Iterator[Block]:
    """What is stated, and what is not."""
    form = evidence.form
    yield Facts(
        (
            (
                "Conformity",
                form.conformity
                or "No statement of conformity is made beyond the results of the rules above.",
            ),
            ("Scope", "The results are of the item and the spins listed here, and of no others."),
            ("Simulation", "Whatever of this report was simulated is not a conformity test."),
            (
                "Limits",
                "No tolerance is put where the law states none. The levels and intervals are statistical, chosen by "
                "the inspector, and no limit of any law.",
            ),
            ("Copies", "This report may be copied in full only."),
        )
    )


def signatures(evidence: Evidence) -> Iterator[Block]:
    """Places to sign."""
    form = evidence.form
    approval = form.approval if form.approval.name else form.inspector
    yield Signatures(
        (
            ("Inspector", form.inspector.name, form.inspector.licence),
            ("Witness", form.witness.name, form.witness.licence),
            ("Approved for the issuing body", approval.name, approval.licence),
        )
    )


def provenance(evidence: Evidence) -> Iterator[Block]:
    """Hashes of every input, and what computed the report."""
    columns = (Column("Input", 2), Column("Bytes", 0.8, "right"), Column("SHA-256", 5, code=True))
    inputs = (*evidence.log.inputs, *evidence.inputs)
    yield Table(columns, tuple((each.name, str(each.size), each.sha256) for each in inputs))
    built = {**versions(), **_libraries()}
    yield Text(
        "Computed by "
        + ", ".join(f"{name} {version}" for name, version in built.items())
        + ". The same inputs and versions give the same bytes.",
        "note",
    )


def _libraries() -> dict[str, str]:
    from importlib.metadata import version

    return {name: version(name) for name in ("scipy", "pyarrow", "matplotlib", "jinja2", "reportlab")}
