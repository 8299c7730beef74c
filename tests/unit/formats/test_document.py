"""Verdicts of stage documents, and the places that only look like one."""

import pytest

from harness_tui.formats.document import parse_document, stage_of


def verdict(text: str, stage: int = 3) -> str | None:
    found = parse_document(text.encode(), "03_GATE_REVIEW.md", stage).verdict
    return found and found.verdict


STATEMENTS = {
    "heading, bold word below": ("## Verdict\n\n**APPROVED**\n", "APPROVED"),
    "numbered heading": ("## 5. Verdict\n\n**APPROVED FOR DEVELOPMENT** — two notes\n", "APPROVED FOR DEVELOPMENT"),
    "section sign": ("## §9 Verdict\n\nAPPROVED WITH CONDITIONS\n", "APPROVED WITH CONDITIONS"),
    "round numbering": ("## R2-10. Verdict\n\nAPPROVED.\n", "APPROVED"),
    "letter numbering": ("## G. Verdict\n\nREJECTED\n", "REJECTED"),
    "round in brackets": ("### Verdict (round 2)\n**APPROVED**\n", "APPROVED"),
    "Chinese heading": ("## 裁决（Verdict）\n\n**APPROVED**\n", "APPROVED"),
    "Chinese conclusion": ("## 审核结论\n\n**CHANGES REQUIRED**\n", "CHANGES REQUIRED"),
    "Chinese decision": ("## 6. 决策\n\nAPPROVED\n", "APPROVED"),
    "remark in the heading": (
        "## 8. Verdict（stage words）\n\n### **APPROVED WITH CONDITIONS**\n",
        "APPROVED WITH CONDITIONS",
    ),
    "inline after a colon": ("## Verdict: APPROVED — 0 open points\n", "APPROVED"),
    "inline after a dash": ("## Verdict — CHANGES REQUIRED\n", "CHANGES REQUIRED"),
    "word as a bigger heading": ("## 4. Verdict\n\n# APPROVED FOR DEVELOPMENT\n", "APPROVED FOR DEVELOPMENT"),
    "word as a heading in code": ("## Verdict\n\n# `APPROVED`\n", "APPROVED"),
    "word in a code block": ("## Verdict\n\n```\nAPPROVED WITH CONDITIONS\n```\n", "APPROVED WITH CONDITIONS"),
    "word after an explanation": ("## Verdict\n\nThe kiln is fine.\n\nMore words.\n\n\n\n\n\nAPPROVED\n", "APPROVED"),
    "bold key": ("**Verdict**: APPROVED WITH NITS\n", "APPROVED WITH NITS"),
    "full-width colon": ("**结论**：**APPROVED**\n", "APPROVED"),
    "whole sentence bold": ("**Re-review verdict: APPROVED.** All points closed.\n", "APPROVED"),
    "field of a chain": ("> **Mode**: full · **Stage**: 3 · **Verdict**: APPROVED\n", "APPROVED"),
    "front matter": ("---\nstage: 03\nstatus: APPROVED WITH CONDITIONS\n---\n# Review\n", "APPROVED WITH CONDITIONS"),
    "a line of its own": ("# Review\n\n**APPROVED FOR DEVELOPMENT**\n\nSmall change.\n", "APPROVED FOR DEVELOPMENT"),
    "hyphens": ("## Verdict\n**GO-WITH-CONDITIONS.** Fine.\n", "GO-WITH-CONDITIONS"),
    "hyphens for blanks": ("## Verdict\nAPPROVED-WITH-NOTES\n", "APPROVED WITH NOTES"),
    "numbers stay in the text": ("## Verdict\n\nCHANGES REQUIRED (2 CRITICAL, 1 MAJOR)\n", "CHANGES REQUIRED"),
    "a verb form": ("**Verdict**: APPROVE\n", "APPROVED"),
    "last round counts": ("## Verdict\nCHANGES REQUIRED\n\n## Verdict (round 2)\nAPPROVED\n", "APPROVED"),
    "the adverse one of an arrow chain": ("**Verdict**: BLOCKED ON DESIGN → APPROVED\n", "BLOCKED ON DESIGN"),
}


@pytest.mark.parametrize(("text", "expected"), STATEMENTS.values(), ids=STATEMENTS)
def test_a_statement_gives_its_verdict(text, expected):
    assert verdict(text) == expected


@pytest.mark.parametrize(
    "change", [lambda t: t.replace("\n", "\r\n"), lambda t: "\ufeff" + t, lambda t: t.rstrip("\n")]
)
@pytest.mark.parametrize(("text", "expected"), STATEMENTS.values(), ids=STATEMENTS)
def test_line_ends_and_marks_change_no_verdict(text, expected, change):
    assert verdict(change(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "> Upstream: 01 (Verdict = READY), 02 (APPROVED)\n",
        "> Words: APPROVED, CHANGES REQUIRED, REJECTED\n",
        "| # | Verdict |\n|---|---|\n| 1 | APPROVED |\n",
        "`BLOCKED ON DESIGN` is resolved. Work may go on.\n",
        "## 2 Must change (CHANGES REQUIRED)\n\nthe hinge\n",
        "## 4. Conditions (APPROVED WITH CONDITIONS)\n\n- oil it\n",
        "Without it this is not\nAPPROVED\n",
        "```\nVerdict: APPROVED\n```\n",
        "We call it APPROVED when the horn sounds.\n",
        "~~APPROVED~~\n",
        "Upstream verdicts: RA `READY`, SA `APPROVED`\n",
    ],
)
def test_a_mention_is_no_verdict(text):
    found = parse_document(text.encode(), "x.md", 3)
    assert found.verdict is None
    assert [(p.code, p.severity) for p in found.problems] == [("no-verdict", "info")]


@pytest.mark.parametrize(
    "text",
    [
        "Verdict: LOOKS FINE\n",
        "Verdict: APPROVED / CHANGES REQUIRED / REJECTED\n",
        "**Verdict**: APPROVED once the hinge is oiled\n",
        "Verdict: APPROVED?\n",
        "## Verdict\n\nNOT YET\n\nIt will be approved.\n",
        "## Verdict: SHIPPABLE\n",
    ],
)
def test_an_unknown_word_after_a_verdict_key_is_never_an_approval(text):
    assert verdict(text) == "UNKNOWN"


def test_prose_that_starts_with_a_verdict_does_not_undo_the_verdict_above():
    text = "## Verdict: APPROVED FOR DEVELOPMENT\nThe earlier\n`BLOCKED ON DESIGN` is resolved.\n"
    assert verdict(text) == "APPROVED FOR DEVELOPMENT"


def test_the_search_below_a_heading_stops_at_the_next_section():
    assert verdict("## Verdict\n\nsee below\n\n## Findings\n\nAPPROVED parts are the hinge\n") is None


def test_text_and_line_are_those_of_the_statement():
    found = parse_document(b"# Review\n\n## Verdict\n\n**CHANGES REQUIRED** (1 MAJOR)\n", "d/03.md", 3).verdict
    assert (found.text, found.line, found.path) == ("**CHANGES REQUIRED** (1 MAJOR)", 5, "d/03.md")


def test_different_verdicts_are_named_with_their_lines():
    found = parse_document(b"## Verdict\nREJECTED\n\n## Verdict (2)\nAPPROVED\n", "x.md", 3)
    assert [v.verdict for v in found.verdicts] == ["REJECTED", "APPROVED"]
    assert [(p.code, p.line) for p in found.problems] == [("several-verdicts", 5)]
    assert "line 2" in found.problems[0].message


def test_a_repeated_verdict_is_no_problem():
    assert parse_document(b"**Verdict**: APPROVED\n\n## Verdict\nAPPROVED\n", "x.md", 3).problems == ()


def test_a_half_written_document_gives_what_is_there():
    assert verdict("## Verdict\n\nCHANGES REQUIRED (1 MA") == "CHANGES REQUIRED"
    assert verdict("## Verdict\n\nCHANGES REQ") != "CHANGES REQUIRED"


@pytest.mark.parametrize(
    ("stage", "word"),
    [
        (1, "READY"),
        (2, "READY FOR GATE REVIEW"),
        (4, "READY FOR REVIEW"),
        (5, "APPROVED FOR QA"),
        (6, "APPROVED FOR DELIVERY"),
        (6, "PASS-WITH-NOTES"),
        (7, "DELIVERED"),
    ],
)
def test_each_stage_has_its_own_words(stage, word):
    assert verdict(f"## Verdict\n\n{word}\n", stage) == word


def test_an_upstream_word_is_no_verdict_of_a_gate_review():
    assert verdict("## Verdict\n\nREADY\n", 3) in {None, "UNKNOWN"}


def test_other_files_state_nothing():
    found = parse_document(b"## Verdict\n\nAPPROVED\n", "PM_LOG.md", 0)
    assert (found.verdict, found.problems) == (None, ())


@pytest.mark.parametrize(
    ("name", "stage"),
    [
        ("01_REQUIREMENT_ANALYSIS.md", 1),
        ("02_SOLUTION_DESIGN.md", 2),
        ("03_GATE_REVIEW.md", 3),
        ("04_DEVELOPMENT.md", 4),
        ("04_DEVELOPMENT_backend.md", 4),
        ("04a_DEVELOPMENT_frontend.md", 4),
        ("04_IMPLEMENTATION.md", 4),
        ("05_CODE_REVIEW.md", 5),
        ("06_TEST_REPORT.md", 6),
        ("06_QA_REPORT.md", 6),
        ("07_DELIVERY.md", 7),
        ("03_RATIONALE.md", 0),
        ("PM_LOG.md", 0),
        ("07_DELIVERY.md.tmp", 0),
        ("08_DELIVERY.md", 0),
    ],
)
def test_stage_of_a_file_name(name, stage):
    assert stage_of(name) == stage
