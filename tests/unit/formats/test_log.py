from datetime import UTC, datetime, timedelta, timezone

import pytest

from harness_tui.formats.log import LogScan, parse_entry
from harness_tui.formats.log_line import LINE_LIMIT

NOON = "2031-04-05T12:00:00Z"


def entry(text, line=7):
    return parse_entry(line, text)


def kind(fields):
    return entry(f"{NOON} · {fields}").kind


def scan(text, chunk=None):
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
    reader = LogScan("oven", "docs/batches/oven/STREAM_LOG.md")
    for start in range(0, len(data), chunk or max(len(data), 1)):
        reader.feed(data[start : start + (chunk or len(data))])
    return reader


def log_of(text, chunk=None):
    return scan(text, chunk).log(size=len(text), modified_at=None, restarts=0, complete=True)


def codes(log):
    return [(problem.line, problem.code) for problem in log.problems]


@pytest.mark.parametrize(
    ("text", "at", "precision", "at_text"),
    [
        (NOON, datetime(2031, 4, 5, 12, tzinfo=UTC), "second", NOON),
        ("2031-04-05T12:00Z", datetime(2031, 4, 5, 12, tzinfo=UTC), "minute", "2031-04-05T12:00Z"),
        (
            "2031-04-05T12:00:00+08:00", datetime(2031, 4, 5, 12, tzinfo=timezone(timedelta(hours=8))), "second",
            "2031-04-05T12:00:00+08:00",
        ),
        ("2031-04-05T12:00:00.250Z", datetime(2031, 4, 5, 12, tzinfo=UTC), "second", "2031-04-05T12:00:00.250Z"),
        ("2031-04-05 12:00:00Z", datetime(2031, 4, 5, 12, tzinfo=UTC), "second", "2031-04-05 12:00:00Z"),
        ("2031-04-05T12:00:00", None, "second", "2031-04-05T12:00:00"),
        ("2031-04-05T12:00", None, "minute", "2031-04-05T12:00"),
        ("2031-04-05", None, "day", "2031-04-05"),
        ("2031-13-05T12:00:00Z", None, "none", "2031-13-05T12:00:00Z"),
        ("2031-04-05T25:00:00Z", None, "none", "2031-04-05T25:00:00Z"),
        ("2031-02-30", None, "none", "2031-02-30"),
        ("0001-01-01T00:00:00+14:00", None, "none", "0001-01-01T00:00:00+14:00"),
    ],
)  # fmt: skip
def test_a_time_is_what_the_line_gives(text, at, precision, at_text):
    found = entry(f"{text} · T-01 · x")
    assert (found.at, found.precision, found.at_text, found.task_id) == (at, precision, at_text, "T-01")


@pytest.mark.parametrize(
    "text", ["", "# Log", "> quote", "prose 2031-04-05", "- T-01 · x", "12:00", "2031-04-051", "  "]
)
def test_other_lines_are_no_entry(text):
    assert entry(text) is None


def test_bullet_remark_and_nul_run_may_stand_around_the_time():
    for text in (f"- {NOON} · T-01 · x", f"* {NOON} (session-local) · T-01 · x", "\0" * 9 + f"{NOON} · T-01 · x"):
        found = entry(text)
        assert (found.at_text, found.task_id) == (NOON, "T-01")


@pytest.mark.parametrize("form", ["**{}**", "`{}`", "[{}]", "- **{}**", "* [{}]"])
def test_a_time_may_be_set_in_marks(form):
    for time, precision in ((NOON, "second"), ("2031-04-05", "day")):
        found = entry(f"{form.format(time)} · T-01 · DELIVERED")
        assert (found.at_text, found.precision, found.task_id, found.kind) == (time, precision, "T-01", "delivered")


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("✅ DELIVERED", "delivered"), ("✔️ **DONE**", "delivered"), ("**✅ DELIVERED** (x)", "delivered"),
        ("❌ FAILED", "failed"), ("⚠️ **BLOCKED** (x)", "blocked"), ("⚠️ NEEDS-HUMAN", "needs-human"),
        ("NEEDS HUMAN", "needs-human"), ("BLOCKED: NEEDS HUMAN — a — b", "needs-human"), ("🛑 STOP", "stop"),
        ("❌ DELIVERED", "note"), ("⚠️ DELIVERED", "note"), ("→ DELIVERED", "note"),
    ],
)  # fmt: skip
def test_a_sign_before_the_word_is_none_of_it_unless_it_denies_a_success(field, expected):
    assert kind(f"T-01 · {field}") == expected
    assert log_of(f"{NOON} · T-01 · {field}\n").last.kind == expected


@pytest.mark.parametrize(
    ("field", "task_id"),
    [
        ("T-01 · x", "T-01"),
        ("T-11a · x", "T-11a"),
        ("T-044 · x", "T-044"),
        ("WP-3 · x", "WP-3"),
        ("**T-01** · x", "T-01"),
        ("T-01: started", "T-01"),
        ("T-01 split in three", "T-01"),
        ("regression gate after T-02: verify_all PASS", "T-02"),
        ("— · NEEDS-HUMAN", None),
        ("STREAM EXIT", None),
        ("batch-start · T-01", None),
        ("T-01..T-03 · x", None),
        ("T-01/T-02 · DELIVERED", None),
        ("pool written", None),
        ("note after T-02", None),
    ],
)
def test_the_task_is_named_in_the_field_after_the_time(field, task_id):
    assert entry(f"{NOON} · {field}").task_id == task_id


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("T-01 · dispatching pm-orchestrator · slug=a · mode=full", "dispatch"),
        ("T-01 · a-slug · dispatching · mode=full", "dispatch"),
        ("T-01 · baseline verify_all PASS 9/0/0 · dispatching stage-1", "dispatch"),
        ("T-01 · re-dispatch after a crash", "dispatch"),
        ("T-01 · dispatcher rewritten", "note"),
        ("T-01 · DELIVERED · files=2", "delivered"),
        ("T-01 · **DELIVERED** v0.3 (1 rollback)", "delivered"),
        ("T-01 · pm returned DELIVERED · files=2", "delivered"),
        ("T-01 · DELIVERED as **DECLINED (no build)**: was BLOCKED", "delivered"),
        ("T-01 · DONE", "delivered"),
        ("T-01 · EXPLORED (go on)", "delivered"),
        ("T-01 · GOAL ACHIEVED", "delivered"),
        ("T-01 · status=done", "delivered"),
        ("T-01 DELIVERED", "delivered"),
        ("T-01 · DELIVERED · first check FAIL, mended · verify_all=PASS 9/0/0", "delivered"),
        ("T-01 · NOT DELIVERED", "note"),
        ("T-01 · not DONE", "note"),
        ("T-01 · DELIVERED?", "note"),
        ("T-01 · DELIVERED=no", "note"),
        ("T-01 · the word DELIVERED in prose", "note"),
        ("T-01 · ~~DELIVERED~~", "note"),
        ("T-01 · delivered", "note"),
        ("T-01 · other · T-02 DELIVERED", "note"),
        ("T-01 · \x1b[2JDELIVERED", "note"),
        ("T-01 · FAILED after three rounds", "failed"),
        ("T-01 · FAIL", "failed"),
        ("T-01 · FAIL count stable", "note"),
        ("T-01 · BUDGET EXHAUSTED", "failed"),
        ("T-01 · first run B.1 FAIL, mended", "note"),
        ("T-01 · BLOCKED (no key)", "blocked"),
        ("T-01 · pm-orchestrator sub-agent BLOCKED (no tools)", "note"),
        ("T-01 · NEEDS-HUMAN · ask=x", "needs-human"),
        ("T-01 · BLOCKED: NEEDS-HUMAN — which? — say", "needs-human"),
        ("— · NEEDS-HUMAN · stage=ingest", "needs-human"),
        ("T-01 · SKIPPED by the operator", "skipped"),
        ("T-01 regression gate (post-archive): verify_all.sh PASS", "regression-gate"),
        ("regression gate after T-01: verify_all FAIL (3 checks)", "regression-gate"),
        ("batch · post-task verify_all re-run by the loop itself = PASS 9 / FAIL 0 · no note", "regression-gate"),
        ("batch · **final** verify_all re-run = **PASS 9 / FAIL 0**", "regression-gate"),
        ("batch · the final verify_all is left to the owner", "run"),
        ("batch · post-task sweep", "run"),
        ("T-01 · verify_all = 9 PASS / 1 FAIL", "regression-gate"),
        ("T-01 · verify_all was slow", "note"),
        ("baseline verify_all PASS 9/0/0 · pool seeded", "run"),
        ("batch-start · baseline=PASS 9/0/0", "run"),
        ("batch 启动 · 10", "run"),
        ("STREAM resumed (go on)", "run"),
        ("STREAM checkpoint: pausing", "run"),
        ("pre-flight · verify_all baseline = **PASS 9 / WARN 0 / FAIL 0**", "run"),
        ("batch · x", "run"),
        ("STREAM EXIT: hard stop", "exit"),
        ("batch-complete · 2/2 DELIVERED · 0 failed", "exit"),
        ("batch end", "exit"),
        ("batch 结束", "exit"),
        ("STOP consumed", "stop"),
        ("hard stop: verify_all FAIL", "stop"),
        ("hard stop: none", "note"),
        ("T-01 · baseline holds", "note"),
        ("pool authored · x", "note"),
    ],
)
def test_the_first_field_that_starts_with_a_word_decides_the_kind(fields, expected):
    assert kind(fields) == expected


def test_a_deferral_gives_its_question_with_quotes_and_dots_inside():
    found = entry(
        f'{NOON} · T-01 · NEEDS-HUMAN · slug=glaze · stage=gate review · ask="Is "blue · matt" right? say stage=3" · '
        'unblock="a line in INPUT.md" · more=1'
    )
    assert (found.slug, found.stage) == ("glaze", "gate review")
    assert found.ask == 'Is "blue · matt" right? say stage=3'
    assert found.unblock == "a line in INPUT.md"


@pytest.mark.parametrize(
    ("tail", "ask", "unblock"),
    [
        ("ask=“Which?” unblock=“Say.”", "Which?", "Say."),
        ("ask=Which · one · unblock=Say", "Which · one", "Say"),
        ('unblock="Say" · ask="Which?"', "Which?", "Say"),
        ('ask="cut in the mid', "cut in the mid", ""),
        ("nothing named", "", ""),
    ],
)
def test_a_deferral_may_be_written_loosely(tail, ask, unblock):
    found = entry(f"{NOON} · T-01 · NEEDS-HUMAN · {tail}")
    assert (found.ask, found.unblock) == (ask, unblock)


def test_a_deferral_of_the_orchestrator_is_split_at_its_dashes():
    found = entry(f"{NOON} · T-01 · pm returned BLOCKED: NEEDS-HUMAN — Which kiln? — name it · slug=x")
    assert (found.ask, found.unblock, found.slug) == ("Which kiln?", "name it", "x")


def test_text_is_the_whole_line_made_harmless():
    assert entry(f"{NOON} · T-01 · \x1b]0;x\x07 \u202ego").text == f"{NOON} · T-01 · ␛]0;x␇ ‹U+202E›go"


LOG = """\
# Stream log — oven

> Driver: by hand

2031-04-05T08:00:00Z · batch-start · baseline=PASS 9/0/0 · 2 tasks
2031-04-05T08:01:00Z · T-01 · dispatching pm-orchestrator · slug=bread · mode=full
2031-04-05T08:02:00Z · T-01 · FAILED · rollbacks=3+1 escalation
- 2031-04-05 · T-01 · dispatching pm-orchestrator · slug=bread · mode=full
2031-04-05T08:03:00Z · T-01 · DELIVERED (1 rollback) · verify_all=PASS 9/0/0
2031-04-05T08:04:00Z · regression gate after T-01: verify_all FAIL (1 check)
2031-04-05T08:05:00Z · T-02 · a note
2031-04-05 · STREAM EXIT: hard stop
"""


def test_a_log_is_counted_and_its_last_events_are_kept():
    log = log_of(LOG)
    assert (log.entries, log.lines, log.partial, log.problems) == (8, 12, "", ())
    assert log.first_at == datetime(2031, 4, 5, 8, tzinfo=UTC)
    assert log.last_at == datetime(2031, 4, 5, 8, 5, tzinfo=UTC)
    assert (log.last.line, log.run.line, log.gate.line, log.baseline.line) == (12, 12, 10, 5)


def test_each_task_has_its_last_dispatch_result_and_event():
    tasks = log_of(LOG).tasks
    one = tasks["T-01"]
    assert (one.attempts, one.dispatch.line, one.result.line, one.result.kind, one.last.line) == (
        2,
        8,
        9,
        "delivered",
        10,
    )
    assert one.rollbacks == 1
    two = tasks["T-02"]
    assert (two.attempts, two.dispatch, two.result, two.last.line, two.rollbacks) == (0, None, None, 11, None)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("rollback=0", 0),
        ("rollbacks=3+1 escalation", 4),
        ("(1 design rollback — x)", 1),
        ("v3, 0 rollbacks", 0),
        ("x", None),
    ],
)
def test_rollbacks_are_read_in_each_shape(text, number):
    assert log_of(f"{NOON} · T-01 · DELIVERED · {text}\n").tasks["T-01"].rollbacks == number


def test_the_last_number_of_rollbacks_counts():
    text = f"{NOON} · T-01 · x · rollbacks=2\n{NOON} · T-01 · DELIVERED · rollbacks=3\n{NOON} · T-01 · rollback noted\n"
    assert log_of(text).tasks["T-01"].rollbacks == 3


def test_a_run_heading_opens_a_run_but_is_no_entry():
    log = log_of(f"{NOON} · STREAM EXIT\n\n## Run 2031-04-06 — second wave\n\n### Details\n")
    assert log.entries == 1
    assert (log.run.line, log.run.kind, log.run.at, log.run.at_text, log.run.precision) == (
        3,
        "run",
        None,
        "2031-04-06",
        "day",
    )
    assert log.run.text == "Run 2031-04-06 — second wave"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"{NOON} · pre-flight · verify_all baseline = **PASS 9 / WARN 0 / FAIL 0**\n", 1),
        (f"{NOON} · T-01 · baseline verify_all PASS 9/0/0 · dispatching\n", 1),
        (f"{NOON} · T-01 · verify_all = 8 PASS / 2 FAIL (1 is in the baseline)\n", None),
        (f"{NOON} · batch-start · 6 tasks\n", None),
        (f"{NOON} · STREAM checkpoint: 2/6 done\n", None),
    ],
)
def test_a_baseline_states_counts_at_the_start_of_a_run(text, line):
    baseline = log_of(text).baseline
    assert (baseline and baseline.line) == line


def test_an_unfinished_last_line_is_held_back():
    reader = scan(f"{NOON} · T-01 · x\n{NOON} · T-01 · DELIVERED 窯".encode()[:-1])
    log = reader.log(size=1, modified_at=None, restarts=0, complete=True)
    assert (log.entries, log.partial) == (1, f"{NOON} · T-01 · DELIVERED ")
    reader.feed("窯".encode()[-1:] + b"\n")
    log = reader.log(size=2, modified_at=None, restarts=0, complete=True)
    assert (log.entries, log.partial, log.last.text) == (2, "", f"{NOON} · T-01 · DELIVERED 窯")


@pytest.mark.parametrize("chunk", [1, 2, 7, 64])
def test_chunks_of_any_size_give_the_same_log(chunk):
    text = "\ufeff" + LOG.replace("\n", "\r\n") + "\0" * 40 + f"{NOON} · T-03 · 窯 \udce9\u200b\n"
    assert log_of(text, chunk) == log_of(text)


def test_the_log_object_stays_until_something_changes():
    reader = scan(LOG)
    first = reader.log(size=1, modified_at=None, restarts=0, complete=False)
    assert reader.log(size=1, modified_at=None, restarts=0, complete=False) is first
    second = reader.log(size=1, modified_at=None, restarts=1, complete=True)
    assert (second.restarts, second.complete, second.tasks) == (1, True, first.tasks)
    reader.feed(b"a remark\n")
    third = reader.log(size=1, modified_at=None, restarts=1, complete=True)
    assert third.lines == second.lines + 1
    assert third.tasks is second.tasks
    reader.feed(f"{NOON} · T-02 · DELIVERED\n".encode())
    fourth = reader.log(size=1, modified_at=None, restarts=1, complete=True)
    assert fourth.tasks["T-01"] is third.tasks["T-01"]
    assert third.tasks["T-02"].result is None
    assert fourth.tasks["T-02"].result.line == fourth.lines


def test_a_result_glued_to_its_id_counts_in_its_turn():
    text = f"{NOON} · T-01 · FAILED\n{NOON} · T-01 DELIVERED\n"
    assert log_of(text).tasks["T-01"].result.line == 2
    text = f"{NOON} · T-01 DELIVERED\n{NOON} · T-01 · FAILED\n"
    assert log_of(text).tasks["T-01"].result.line == 2


def test_reset_forgets_everything():
    reader = scan(LOG + "rest")
    reader.reset()
    reader.feed(LOG.encode())
    assert reader.log(size=len(LOG), modified_at=None, restarts=0, complete=True) == log_of(LOG)


def test_a_nul_run_becomes_one_mark_and_costs_no_entry():
    log = log_of("\0" * 8192 + f"{NOON} · T-01 · after\n")
    assert (log.entries, log.last.text) == (1, f"‹8192 NUL›{NOON} · T-01 · after")
    assert codes(log) == [(1, "nul-run")]
    assert "8192" in log.problems[0].message


def test_a_carriage_return_starts_no_entry():
    log = log_of(f"{NOON} · T-01 · 10%\r{NOON} · T-02 · 20%\r\n")
    assert (log.entries, list(log.tasks)) == (1, ["T-01"])
    assert codes(log) == [(1, "hidden-characters")]


def test_each_sort_of_problem_is_reported_once_with_its_number():
    text = f"{NOON} · T-01 · a\u200b\n\ttab\n{NOON} · caf\udce9\n" * 2
    log = log_of(text)
    assert codes(log) == [(1, "hidden-characters"), (3, "invalid-utf8")]
    assert all("2 lines" in problem.message for problem in log.problems)


@pytest.mark.parametrize("chunk", [None, 10_000])
def test_a_very_long_line_is_cut_on_a_whole_character(chunk):
    long = f"{NOON} · T-01 · " + "窯" * LINE_LIMIT
    log = log_of(f"{long}\n{NOON} · T-02 · DELIVERED\n", chunk)
    assert (log.entries, log.lines, log.tasks["T-02"].result.line) == (2, 2, 2)
    assert len(log.tasks["T-01"].last.text.encode()) in range(LINE_LIMIT - 3, LINE_LIMIT + 1)
    assert codes(log) == [(1, "long-line")]
    assert str(len(long.encode())) in log.problems[0].message


def test_an_endless_line_takes_no_more_memory_than_is_looked_at():
    reader = LogScan("oven", "log")
    for _ in range(40):
        reader.feed(b"x" * 65_536)
    assert len(reader._tail) <= LINE_LIMIT + 1
    assert len(reader.log(size=0, modified_at=None, restarts=0, complete=True).partial) == LINE_LIMIT


def test_an_empty_log_has_no_facts():
    log = log_of("")
    assert (log.entries, log.lines, log.first_at, log.last, log.tasks) == (0, 0, None, None, {})
