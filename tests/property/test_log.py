"""The bulk scan of a log against a plain reader that parses every line by itself."""

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from harness_tui.formats.log import LogScan, parse_entry
from harness_tui.formats.log_line import RESULT_KINDS, rollbacks_of, run_heading, states_baseline
from harness_tui.formats.text import clean, split_lines
from harness_tui.model.log import Log, TaskLog

STARTS = st.sampled_from(["", "- ", "* ", "\0\0", "\0- ", " ", "## ", "> ", "- **", "[", "\0`", "- ****", "- [ ]"])
TIMES = st.sampled_from(
    [
        "2031-04-05", "2031-04-05T08:00:00Z", "2031-04-05T08:00+02:00", "2031-04-05 08:00", "2031-14-05",
        "2031-04-05T08:00:00", "2031-04-05T08:00Z**", "2031-04-05]", "2031-04-05 08:00`",
        "2031-04-05T08:00Z (session-local)", "2031-04-05 (a · b)", "2031-04-05 (é)", "2031-04-051", "Run 2031-04-05",
        "x",
    ]
)  # fmt: skip
WORDS = st.sampled_from(
    [
        "T-01", "T-02", "T-11a", "**T-01**", "T-01:", "T-01：x", "T-01 x", "— ", "WP_3", "T-01..T-02", "T-1/T-2", "",
        "DELIVERED", "**DELIVERED** v1", "pm returned DONE", "T-02 DELIVERED", "NOT DELIVERED", "DELIVERED?",
        "FAIL", "FAIL ",
        "✅ DELIVERED", "❌ DELIVERED", "**⚠️ NEEDS HUMAN**", "⚠️ **BLOCKED** x", "🛑 STOP", "→ DELIVERED", "✅DONE",
        "FAILED", "BLOCKED (x)", "BLOCKED: NEEDS-HUMAN — a — b", 'NEEDS-HUMAN · ask="a · b" · unblock="c"', "SKIPPED",
        "dispatching pm-orchestrator", "T-01 dispatching", "re-dispatch", "status=done", "status=failed",
        "regression gate x",
        "regression gate after T-02: verify_all FAIL", "T-02 regression gate", "verify_all = 1/0/0",
        "verify_all baseline",
        "baseline verify_all PASS 9/0/0", "baseline=9 PASS / 1 FAIL", "T-01 baseline 9/0/0", "STREAM EXIT",
        "STREAM resumed",
        "batch-start", "batch", "batch ", "batch 启动", "结束", "STOP consumed", "hard stop", "pre-flight",
        "1 rollback",
        "rollbacks=2+1", "rollback", "a\rb", "a\u200bb", "\udcc2", "\udcff", "é", "\t", "x" * 70, "\u2028",
    ]
)  # fmt: skip
LINES = st.builds(
    lambda start, time, words, gap, end: start + time + gap + " · ".join(words) + end,
    STARTS, TIMES, st.lists(WORDS, max_size=4),
    st.sampled_from([" · ", " · ", "·", " "]), st.sampled_from(["", "", "\r"]),
)  # fmt: skip
LOGS = st.builds(
    lambda lines, bom, end: (bom + "\n".join(lines) + end).encode("utf-8", "surrogateescape"),
    st.lists(LINES, max_size=12), st.sampled_from(["", "\ufeff"]), st.sampled_from(["", "\n"]),
)  # fmt: skip


def _scan(data, cuts=()):
    scan = LogScan("oven", "log")
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    for start, end in pairwise(edges):
        scan.feed(data[start:end])
    return scan.log(size=len(data), modified_at=None, restarts=0, complete=True)


def _plain_reading(data):
    """The facts of a log the slow way: every whole line is parsed, the last of each sort is kept."""
    whole = data[: data.rfind(b"\n") + 1].removeprefix(b"\xef\xbb\xbf")
    facts = {"lines": 0, "entries": 0, "first_at": None, "last_at": None, "last": None}
    facts |= {"run": None, "gate": None, "baseline": None}
    tasks = {}
    for number, line in enumerate(split_lines(whole), 1):
        raw = line.decode("utf-8", "surrogateescape")
        facts["lines"] = number
        entry = parse_entry(number, raw)
        if entry is None:
            facts["run"] = run_heading(number, raw) or facts["run"]
            continue
        facts["entries"] += 1
        facts["last"] = entry
        facts["first_at"] = facts["first_at"] or entry.at
        facts["last_at"] = entry.at or facts["last_at"]
        if entry.kind == "regression-gate":
            facts["gate"] = entry
        if entry.kind in {"run", "exit", "stop"} and entry.task_id is None:
            facts["run"] = entry
        if states_baseline(raw, entry.kind):
            facts["baseline"] = entry
        if entry.task_id is not None:
            tasks[entry.task_id] = _told(tasks.get(entry.task_id, TaskLog()), entry, rollbacks_of(raw))
    return facts | {"tasks": tasks}


def _told(task, entry, rollbacks):
    dispatched = entry.kind == "dispatch"
    return TaskLog(
        task.attempts + dispatched,
        entry if dispatched else task.dispatch,
        entry if entry.kind in RESULT_KINDS else task.result,
        entry,
        task.rollbacks if rollbacks is None else rollbacks,
    )


@given(LOGS)
def test_the_scan_finds_what_a_plain_reader_finds(data):
    log = _scan(data)
    expected = _plain_reading(data)
    assert {name: getattr(log, name) for name in expected} == expected


@given(LOGS, st.lists(st.integers(0, 2000), max_size=6))
def test_any_cutting_of_a_log_gives_the_same_facts(data, cuts):
    assert _scan(data, cuts) == _scan(data)


@given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=4))
@example(b"\xef\xbb\xbf2031-04-05 \xc2\xb7 T-01 \xc2\xb7 \xc2", [1, 2])
@example(b"2031-04-05 \xc2\xb7 T-01\n\xe2\x80", [])
def test_any_bytes_cut_anywhere_give_the_same_log(data, cuts):
    log = _scan(data, cuts)
    assert isinstance(log, Log)
    assert log == _scan(data)


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_a_log_asked_in_between_is_the_same_in_the_end(first, second):
    scan = LogScan("oven", "log")
    scan.feed(first)
    scan.log(size=0, modified_at=None, restarts=0, complete=False)
    scan.feed(second)
    assert scan.log(size=len(first + second), modified_at=None, restarts=0, complete=True) == _scan(first + second)


@given(st.text(max_size=80))
def test_any_text_is_read_as_an_entry_without_an_error(text):
    line = "2031-04-05 · T-01 · NEEDS-HUMAN · " + text.replace("\n", " ")
    entry = parse_entry(1, line)
    assert (entry.task_id, entry.kind, entry.text) == ("T-01", "needs-human", clean(line))
    parse_entry(1, text)
