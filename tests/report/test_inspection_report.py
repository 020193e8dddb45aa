"""The inspection report: same bytes, the sections and what they say, nothing of a log that commands."""

import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from sim.cli import main
from sim.cli.log import open_game, open_log
from sim.inspection.board import Board, Spins
from sim.inspection.from_log import from_log
from sim.inspection.inspection import Inspection, inspect
from sim.report.inspection.evidence import Evidence, gather
from sim.report.inspection.form import Form, load_form, template
from sim.report.inspection.html import html
from sim.report.inspection.pdf import pdf
from sim.report.inspection.rings import band, base, by_sector
from sim.report.inspection.rules import checked
from sim.report.inspection.sections import report
from sim.report.inspection.typesetting import rich
from sim.rules.library import load
from sim.rules.rulebook import Rulebook
from sim.spinlog.log import SpinLog

FILLED = """
report: {id: "2026-0147", issued: 2026-11-29}
body: {name: "Laboratório de Jogos", address: "Rua do Campo 12"}
item: {serial: "0417-B", table: "Boule 2"}
inspection: {begun: 2026-11-27 09:30, ended: 2026-11-28 17:10, temperature: 22.5 degC, humidity: 55 %}
inspector: {name: "M. do Céu", licence: "0088"}
witness: {name: "J. Fong"}
instruments:
  - {name: spirit level, id: "L-07", sensitivity: 0.02 mm/m, calibrated: 2026-03-02, due: 2026-10-01}
checks: {no_magnet: {result: pass}, free_rotation: {result: fail, remark: "catches near 9"}}
level:
  readings:
    - {azimuth: 0 deg, reading: 0.12 mm/m, reversed: 0.08 mm/m, instrument: "L-07"}
    - {azimuth: 120 deg, reading: -0.10 mm/m, reversed: -0.14 mm/m, instrument: "L-07"}
    - {azimuth: 240 deg, reading: 0.05 mm/m, reversed: 0.00 mm/m, instrument: "L-07"}
balls: [{id: "1", diameter: 50.02 mm, mass: 110.3 g}]
rules: {MB-01: {result: pass, remark: "seen"}, MB-07: {result: fail}}
"""
HOSTILE = (
    "<script>alert(1)</script>",
    "</title></style></table><img src=x onerror=alert(2)>",
    '<font size="60" color="red">big</font><br/>&amp;',
    "\u202egnp.exe\u202c\u0007 $\\frac{a}{b}$ --> ]]>",
    "陳大文 👑",
    "x" * 900,
)


class Tags(HTMLParser):
    """What a browser would take for tags, attributes and text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@cache
def inspected(log: Path, rules: str) -> tuple[Inspection, SpinLog, Rulebook, Board, Spins]:
    game = open_game(rules, None)
    read = open_log(str(log), game)
    board, spins = from_log(read, game.rulebook)
    return inspect(game.rulebook, board, spins), read, game.rulebook, board, spins


def evidence(log: Path, form: Path | None = None, rules: str = "macau-boule-1979") -> Evidence:
    found = inspected(log, rules)
    return gather(*found, None, None if form is None else load_form(form, found[2]))


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """600 spins of a level boule with a void spin, a rejected row, a gap and hostile names of throwers."""
    random = np.random.default_rng(11)
    path = tmp_path_factory.mktemp("report") / "spins.csv"
    lines = [
        "spin_no,utc_time,wheel_serial,thrower_id,ball_dir,plate_dir,drop_angle_deg,symbol,valid,void_code"
    ]
    for index in range(600):
        symbol = ["star", *map(str, range(1, 25))][random.integers(25)]
        thrower = HOSTILE[index // 20 % len(HOSTILE)].replace('"', '""')
        moment = np.datetime64("2026-11-27T10:00:00") + np.timedelta64(180 * index, "s")
        end = f"{random.uniform(0, 360):.1f},{symbol},1,"
        if index == 40:
            end = "12.0,,0,OBJECT"
        if index == 41:
            end = "12.0,<b>77</b>,1,"
        number = index + 1 + (index > 300)
        lines.append(f'{number},{moment}Z,0417-B,"{thrower}",cw,ccw,{end}')
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def form(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("form") / "form.yaml"
    path.write_text(FILLED, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def page(log: Path, form: Path) -> str:
    return html(report(evidence(log, form)))


@pytest.fixture(scope="module")
def paper(log: Path, form: Path) -> bytes:
    return pdf(report(evidence(log, form)))


def test_same_inputs_same_bytes(log: Path, form: Path, page: str, paper: bytes) -> None:
    again = report(evidence(log, form))
    assert html(again) == page
    assert pdf(again) == paper
    assert paper.startswith(b"%PDF-")
    assert len(page.encode()) < 1_000_000
    assert len(paper) < 1_000_000


def test_every_item_of_iso_17020_is_there(page: str) -> None:
    text = " ".join(Tags(page).text)
    for words in (
        "Laboratório de Jogos",
        "2026-0147",
        "2026-11-29",
        "2026-11-27 09:30",
        "0417-B",
        "M. do Céu",
        "licence 0088",
        "Approved for the issuing body",
        "Conformity",
        "no evidence of bias above",
    ):
        assert words in text, words
    assert "Draft" not in text


def test_sections_in_order(log: Path, form: Path) -> None:
    titles = [chapter.title for chapter in report(evidence(log, form)).chapters]
    assert titles == [
        "Verdict",
        "Identification",
        "Checks and measurements",
        "Rules checked",
        "Sample",
        "Pictures",
        "Tests",
        "Bets",
        "Counts",
        "Statements",
        "Signatures",
        "Inputs",
    ]


def test_what_it_says(page: str) -> None:
    text = " ".join(Tags(page).text).replace("\u00a0", " ")
    for words in (
        "not a conformity test",
        "no tolerance in law; measured: 0.00",
        "from the inspector's level readings",
        "of bets and payment, which a spin log does not hold",
        "by the inspector: seen",
        "ball clockwise, plate opposite in all",
        "applied once: OBJECT",
        "numbers of spins left out: 1",
        "+0.020 mm/m",
        "The calibration of spirit level was due on 2026-10-01, before the inspection.",
        "22.5 °C, 55 %",
        "spins.csv",
    ):
        assert words in text, words
    assert re.search(r"\bfair (?!wheel|count|group)", text) is None
    assert "legal limit" not in text


def test_verdict_and_warnings_of_a_log_without_form(log: Path) -> None:
    whole = report(evidence(log))
    assert whole.identity.startswith("draft ")
    assert whole.issued == "not issued; log ends 2026-11-28"
    text = " ".join(Tags(html(whole)).text)
    assert (
        "Draft, not issued. ISO/IEC 17020:2012, 7.4.2 asks for what is not stated: the issuing body" in text
    )


def test_form_and_log_of_different_wheels(log: Path, tmp_path: Path) -> None:
    form = tmp_path / "form.yaml"
    form.write_text('item: {serial: "0999"}\n', encoding="utf-8")
    text = " ".join(Tags(html(report(evidence(log, form)))).text)
    assert "The log's wheel serial is 0417-B; the form states 0999." in text


def test_rules_by_form_log_and_law(log: Path, form: Path) -> None:
    found = {row.id: row for row in checked(evidence(log, form))}
    assert set(found) == set(load("macau-boule-1979").articles)
    outcomes = {name: row.outcome for name, row in found.items()}
    assert outcomes["MB-01"] == "pass"
    assert outcomes["MB-02"] == "not assessable"
    assert outcomes["MB-07"] == "fail"
    assert outcomes["MB-08"] == "pass"
    assert outcomes["MB-11"] == "pass"
    assert outcomes["MB-19"] == "not assessable"


def test_a_least_turn_and_a_length(tmp_path: Path) -> None:
    log, form = tmp_path / "roda.csv", tmp_path / "form.yaml"
    rows = "".join(f"{'ABCDEFG'[i % 7]},{2 if i == 4 else 5},cw\n" for i in range(60))
    log.write_text("symbol,turns,plate_dir\n" + rows, encoding="utf-8")
    for measured, spread, outcome in (
        ("1.52 m", "2 mm", "pass"),
        ("1.49 m", "2 mm", "fail"),
        ("1.501 m", "2 mm", "not assessable"),
    ):
        text = f'dimensions: [{{of: "wheel diameter", measured: {measured}, uncertainty: {spread}}}]\n'
        form.write_text(text, encoding="utf-8")
        found = {row.id: row for row in checked(evidence(log, form, "macau-roda-2003"))}
        assert found["RS-01"].outcome == outcome
    assert found["RS-10"].basis == "at least 3 turns in all 59 valid spins"
    assert "either direction is allowed" in found["RS-08"].basis


def test_hostile_text_stays_text(log: Path, form: Path, page: str) -> None:
    seen = Tags(page)
    assert not seen.tags & {"script", "img", "font", "b", "iframe", "object", "link", "base", "form", "input"}
    assert not {name for name in seen.attributes if name.startswith("on")}
    assert seen.attributes.isdisjoint({"src", "srcdoc", "action"})
    text = " ".join(seen.text)
    assert "<script>alert(1)</script>" in text
    assert "\\u202egnp.exe\\u202c\\x07" in text
    for character in ("\u202e", "\u202c", "\u0007"):
        assert character not in page
    assert re.search(r"https?:|url\((?!#)|@import", page) is None
    assert page.count("<style") == 1


def test_report_id_cannot_leave_its_style(log: Path, tmp_path: Path) -> None:
    form = tmp_path / "form.yaml"
    form.write_text("report: {id: '\"; } body { display: none } </style><i>'}\n", encoding="utf-8")
    page = html(report(evidence(log, form)))
    style = page[page.index("<style>") : page.index("</style>")]
    assert "display: none } </" not in style
    assert style.count('content: "Inspection report') == 1
    assert "{ display" not in style[style.index("Inspection report") :]


def test_markup_of_the_paper_is_escaped() -> None:
    marked = rich("<font size=60>&amp;</font><br/>陳\u202e👑")
    inner = re.sub(r'</?font(?: name="[\w-]+")?>', "", marked)
    assert inner == "&lt;font size=60&gt;&amp;amp;&lt;/font&gt;&lt;br/&gt;陳\\u202eU+1F451"


def test_paper_names_its_pages_and_holds_no_action(paper: bytes) -> None:
    pages = len(re.findall(rb"/Type /Page\b", paper))
    assert 5 <= pages <= 14
    for word in (b"/JavaScript", b"/JS", b"/URI", b"/Launch", b"/OpenAction"):
        assert word not in paper
    assert b"/CreationDate (D:2000" in paper


def test_a_report_of_too_few_spins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, out, paper = tmp_path / "few.txt", tmp_path / "out.html", tmp_path / "out.pdf"
    log.write_text("1\n2\n3\n", encoding="utf-8")
    assert main(["inspect", str(log), "--rules", "cells:37", "--report", str(out), "--pdf", str(paper)]) == 3
    assert "not assessable: needs 20 spins" in out.read_text(encoding="utf-8")
    assert paper.read_bytes().startswith(b"%PDF-")
    assert "report draft" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("flags", "line"),
    [
        (["--report", "out.txt"], "--report: must end in .html or .htm, not 'out.txt'"),
        (["--pdf", "none/out.pdf"], "--pdf: must lie in a folder that exists, and 'none' is none"),
        (["--form", "-"], "--form: is for a report; --report or --pdf says where to write it"),
        (["--form", "gone.yaml", "--pdf", "out.pdf"], "gone.yaml: file: no such file"),
    ],
)
def test_bad_flags_write_nothing(
    flags: list[str],
    line: str,
    log: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["inspect", str(log), "--rules", "macau-boule-1979", *flags]) == 2
    assert capsys.readouterr().err == f"{line}\n"
    assert list(tmp_path.iterdir()) == []


def test_a_template_is_an_empty_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "form.yaml"
    words = ["inspect", "--template", str(target), "--rules", "macau-boule-1979"]
    assert main(words) == 0
    rulebook = load("macau-boule-1979")
    assert target.read_text(encoding="utf-8") == template(rulebook)
    assert load_form(target, rulebook)[0] == Form()
    target.write_text(FILLED, encoding="utf-8")
    assert main(words) == 2
    assert "may be filled in" in capsys.readouterr().err
    assert target.read_text(encoding="utf-8") == FILLED


def test_every_example_of_the_template_is_read(tmp_path: Path) -> None:
    rulebook = load("macau-roda-2003")
    text = re.sub(r"^( *)#  - ", r"\1  - ", template(rulebook), flags=re.MULTILINE)
    text = re.sub(r"^( *\w+): \[\]$", r"\1:", text, flags=re.MULTILINE)
    text = re.sub(r"^  # (RS-\d+: \{result: ),", r"  \1pass,", text, flags=re.MULTILINE)
    text = text.replace("{result: ,", "{result: pass,")
    path = tmp_path / "form.yaml"
    path.write_text(text, encoding="utf-8")
    form, read = load_form(path, rulebook)
    assert [len(each) for each in (form.instruments, form.level.readings, form.balls, form.pegs)] == [
        1,
        1,
        1,
        1,
    ]
    assert [len(each) for each in (form.balance, form.dimensions, form.adjustments)] == [1, 1, 1]
    assert len(form.rules) == len(rulebook.articles)
    assert form.pegs[0].angle_error is not None
    assert form.pegs[0].angle_error.value == pytest.approx(np.radians(0.1))
    assert read.size == len(text.encode())


def test_a_simulated_log_says_so(log: Path) -> None:
    one = evidence(log)
    manifest = {"scenario": "macau-boule", "scenario_sha256": "0" * 64, "seed": 7, "versions": {"numpy": "2"}}
    told = replace(one, log=replace(one.log, manifest=manifest))
    text = " ".join(Tags(html(report(told))).text)
    assert "The spins were simulated: the verdict is of a scenario, not of an apparatus." in text
    assert "A simulation is not a conformity test" in text


def test_bars_begin_where_the_band_can_be_seen() -> None:
    few, many = np.full(25, 40), np.full(25, 40_000)
    assert base(few) == 0.0
    begin, (low, high) = base(many), band(1_000_000, 1 / 25)
    assert 0.0 < begin < low < 40_000 < high
    assert (high - low) / (high - begin) > 0.2


def test_sectors_of_azimuths() -> None:
    counts = by_sector(np.radians([0.0, 9.99, 10.01, 359.99, -0.01, 360.0]))
    assert counts.tolist() == [3, 1, *[0] * 33, 2]


def test_the_longest_words_fit_on_paper(log: Path, tmp_path: Path) -> None:
    long = "W" * 600
    form = tmp_path / "form.yaml"
    text = re.sub(r'"[^"]*"', f'"{long}"', FILLED).replace("spirit level", long)
    form.write_text(text + f'remarks: "{long}"\nconformity: "{long}"\n', encoding="utf-8")
    assert pdf(report(evidence(log, form))).startswith(b"%PDF-")


def test_rejected_rows_are_told_by_reason_and_unfold_line_by_line(tmp_path: Path) -> None:
    log, out = tmp_path / "log.csv", tmp_path / "report.html"
    rows = [f"{i},{'nine' if i % 3 == 0 else 1 + i % 24}" for i in range(1, 400)]
    log.write_text("spin_no,symbol\n" + "\n".join([*rows, "400,7,8,9"]) + "\n", encoding="utf-8")
    words = ["inspect", str(log), "--rules", "macau-boule-1979", "--report", str(out)]
    assert main([*words, "--pdf", str(out.with_suffix(".pdf"))]) in {0, 1}
    page = out.read_text(encoding="utf-8")
    shown, _, folded = page[page.index("Rejected rows</h3>") :].partition("<details>")
    folded = folded.partition("</details>")[0]
    assert "4, 7, 10, 13, 16, 19, …" in shown
    assert "1000" not in shown
    lines = ", ".join(str(line) for line in range(4, 401, 3))
    assert lines in folded
    assert "all 134 rejected rows" in folded
    assert ">401<" in folded
    assert out.with_suffix(".pdf").read_bytes().startswith(b"%PDF")
