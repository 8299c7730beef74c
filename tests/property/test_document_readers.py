"""Whatever the bytes, the readers answer; whatever the line ends, they answer the same; prose never says done."""

from hypothesis import given
from hypothesis import strategies as st
from support.texts import texts_of

from harness_tui.formats.board import parse_board
from harness_tui.formats.delivery import parse_delivery
from harness_tui.formats.document import parse_document
from harness_tui.formats.intervention import parse_interventions
from harness_tui.formats.lease import parse_lease
from harness_tui.formats.report import parse_report
from harness_tui.formats.strict_json import BadJson, loads
from harness_tui.formats.task_state import parse_task_state
from harness_tui.formats.text import clean_block
from harness_tui.formats.verify import parse_history

PIECES = st.sampled_from(
    [
        "# ", "## ", "> ", "- ", "  - ", "1. ", "| ", " | ", "|---|---|\n", "```\n", "---\n", "\n", "\n\n",
        "\r\n", " · ",
        "**", "`", "~~", "Verdict", "Status", "裁决", "结论：", ": ", "：", "DELIVERED", "APPROVED",
        "BLOCKED: NEEDS-HUMAN",
        "CHANGES REQUIRED (1 MAJOR)", "READY", "Final verify_all result: ", "PASS", "FAIL 1", "32/0/0", "PENDING", "→",
        "Stages traversed: 1 → 7 PM(DELIVERED)", "STOP", "NOTE — ", "ADD x", "SKIP T-01", "Needs your input", "None.",
        "ID | Slug | Stage", "T-01", "Rollbacks: ", "7", " ", "\t", "\ufeff", "\u2028", "\x1b[2J", "(", "）",
        "Stop reason: ",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES | st.text(max_size=5), max_size=40).map("".join)
DATA = st.binary(max_size=200) | TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass"))


@given(DATA)
def test_no_reader_raises_and_all_texts_are_clean(data):
    found = (
        *(parse_document(data, "x.md", stage) for stage in range(9)),
        parse_delivery(data, "x.md"),
        parse_report(data, "x.md"),
        parse_board(data, "x.md"),
        parse_interventions(data),
        parse_history(data, "x.log"),
        parse_task_state(data, "x.json"),
        parse_lease(data, "x.lock"),
    )
    for text in texts_of(found):
        assert clean_block(text) == text


@given(DATA)
def test_strict_json_raises_nothing_but_its_own_error(data):
    try:
        loads(data)
    except BadJson as error:
        found = error
    else:
        return
    assert found.line >= 1
    assert found.reason


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**50), 10**50)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(JSON, st.booleans())
def test_ordinary_json_is_read_as_it_was_written(value, ascii_only):
    import json

    text = json.dumps(value, ensure_ascii=ascii_only)
    assert loads(text.encode("utf-8", "surrogatepass")) == value


def told(data):
    document, delivery = parse_document(data, "x.md", 3), parse_delivery(data, "x.md")
    return (
        [(verdict.verdict, verdict.line) for verdict in document.verdicts],
        (delivery.says, delivery.line, delivery.rollbacks, delivery.mode),
    )


@given(st.lists(PIECES.filter(lambda piece: "\r" not in piece and "\ufeff" not in piece), max_size=40).map("".join))
def test_line_ends_trailing_blanks_and_a_byte_order_mark_change_nothing(text):
    plain = told(text.encode())
    assert told(b"\xef\xbb\xbf" + text.encode()) == plain
    assert told(text.replace("\n", "\r\n").encode()) == plain
    assert told(text.replace("\n", "  \n").encode()) == plain


WORDS = st.sampled_from(
    ["DELIVERED", "**DELIVERED**", "`DELIVERED`", "SHIP-READY", "GOAL ACHIEVED", "`Final verify_all result: PASS`"]
)
BEFORE = st.sampled_from(["The plan says ", "Once it is ", "T-00 was ", "Nobody calls this ", "we wrote "])
AFTER = st.sampled_from([" when it is true.", ", they said", " but it is not", "", " — or not", "."])


@given(st.lists(st.tuples(BEFORE, WORDS, AFTER, st.sampled_from(["\n", "\n\n"])), max_size=12))
def test_the_words_in_prose_never_say_done(sentences):
    body = "".join("".join(sentence) for sentence in sentences)
    assert parse_delivery(f"# Delivery\n\n## Summary\n\n{body}".encode(), "x.md").says == "unknown"


@given(DATA)
def test_an_intervention_that_waits_is_never_nothing(data):
    found = parse_interventions(data)
    assert found.present
    assert found.signals
    assert found.safest in {"STOP", "REDIRECT", "SKIP", "NOTE", "ADD"}
    if found.safest != "STOP":
        assert all(signal.state == "waiting" for signal in found.signals)
