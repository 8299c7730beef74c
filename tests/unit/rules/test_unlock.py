"""What unlocks: something new, from the programmer, for this milestone."""

import pytest

from harness_tui.model.handback import UnlockSignal
from harness_tui.rules.unlock import is_bare, unlock_refusal

BARE = [
    "retry", "Try again", "continue", "CONTINUE!!!", "go on", "proceed", "keep going", "resume", "ok", "yes", "next",
    "ok, continue.", "please continue", "continue… continue", "continue 🚀🚀", " continue \n", "retry/continue",
    "ｒｅｔｒｙ",
    "unlock", "unlock MS-7", "Unlock MS-7!", "continue with MS-7", "go ahead and continue now, thanks", "continue 2",
    "重试", "继续", "继续工作", "开始工作", "再试", "再试一次", "请继续", "继续吧", "好的", "可以", "下一步", "继续。",
    "继续！！", "继续 继续", "好的，请继续吧！", "继续工作：", "重试、继续", "解锁", "批准解锁", "继续工作 🙏",
    "you can continue", "let's continue", "could you please try again", "one more try", "give it another try",
    "I want you to proceed", "ok, let us move on", "continue to the next step", "carry on as before",
    "请你继续", "解锁并继续", "麻烦继续一下", "没问题，继续", "重新开始", "接着做",
    "再次重试", "再试试", "繼續", "請重試", "確認",
]  # fmt: skip
NEW = [
    "继续工作：灯芯太短，改用铜灯",
    "批准解锁，允许改用铜灯，预算提高到三个",
    "unlock MS-7: take option B, raise the cap to 3",
    "unlock MS-7 and take option B",
    "continue, but leave the horn out: the supplier is closed",
    "The failure comes from the wick; use the long one.",
    "先不要发布，等待新的预算",
    "let us take option B",
    "try again with a longer wick",
    "你可以改用铜灯",
]


FILLED = [
    "retry re-try try again try it again once more one more time again continue go on go ahead carry on proceed",
    "keep going keep on keep working resume restart start run run it do it go ok okay k yes yep yeah y sure fine",
    "next next step approved approve lgtm done working work the work please pls now just then and thanks thank you",
    "unlock the it lock handback milestone with on try another more one once let lets us you i we can could may would",
    "want need should to as before move forward ahead at keep give that this all right alright good great step",
    "重试 再试 再试一次 再来一次 继续 继续工作 继续执行 继续吧 请继续 开始工作 开始 好的 好 可以 行 是 是的 对 下一步",
    "同意 批准 解锁 确认 请 吧 了 啊 呢 工作 谢谢 然后 里程碑 重新",
    "再次 接着 往下走 没问题 嗯 试试",
    "繼續 重試 再試 請 開始 確認 解鎖 嗎 謝謝 沒問題",
    "你 我 并 并且 就 那 要 想 让 讓 去 做 麻烦 麻煩 一下 一次 再 试 直接 进行 執行 执行",
]


def refusal(text: str, active: str = "MS-7", **other):
    return unlock_refusal(UnlockSignal(text, 1), active_milestone=active, **other)


@pytest.mark.parametrize("text", BARE)
def test_a_bare_retry_or_continue_is_refused_with_the_reason(text):
    assert refusal(text)


@pytest.mark.parametrize("text", ["", "   ", "…", "🙏", "!!"])
def test_silence_is_refused(text):
    assert "nothing" in refusal(text)


@pytest.mark.parametrize("text", FILLED)
def test_no_number_of_bare_words_brings_anything_new(text):
    assert is_bare(text)
    assert "a bare “" in refusal(text)


@pytest.mark.parametrize("text", NEW)
def test_something_new_unlocks(text):
    assert refusal(text) == ""


@pytest.mark.parametrize("words", ["do not unlock MS-7", "don't unlock MS-7", "never unlock MS-7", "不要解锁 MS-7"])
def test_a_confirmation_that_says_not_to_is_none(words):
    signal = UnlockSignal("take option B", 1, "programmer", "2024-04-02T08:00:00Z", words, structured=True)
    assert "says not to" in unlock_refusal(signal, active_milestone="MS-7")


@pytest.mark.parametrize(
    "words",
    [
        "do not unlock MS-7 yet: wait for the audit", "don't unlock, the audit is open", "先不要解锁，等审计",
        "暂不解鎖：等待审计", "never again unlock without audit", "MS-7 must not be unlocked before the audit",
    ],
)  # fmt: skip
def test_an_instruction_not_to_unlock_is_refused_in_either_form(words):
    assert "says not to" in refusal(words)
    signal = UnlockSignal(words, 1, "programmer", "2024-04-02T08:00:00Z", "unlock MS-7", structured=True)
    assert "says not to" in unlock_refusal(signal, active_milestone="MS-7")


def test_what_else_is_not_to_be_done_is_something_new():
    assert refusal("do not wait for the horn, unlock MS-7 and take option B") == ""
    assert refusal("不要发布，解锁 MS-7，改用铜灯") == ""


@pytest.mark.parametrize(
    "words",
    [
        "unlock MS-7: the do-not-merge label is gone", "解锁 MS-7，不要再等",
        "MS-7 is not yet unlocked; unlock it, the wick is new", "it has never been unlocked: unlock MS-7 for the horn",
        "MS-7 仍未解锁，灯芯已换，请解锁", "特别解锁 MS-7：灯芯已换", "请分别解锁 MS-7 的两个限制：预算提高到三个",
        "do not hesitate to unlock MS-7, take option B", "别忘了解锁 MS-7，灯芯已换",
    ],
)  # fmt: skip
def test_a_no_that_is_about_something_else_does_not_keep_it_locked(words):
    assert refusal(words) == ""


@pytest.mark.parametrize(
    "words",
    [
        "MS-7 is not unlocked until the audit ends", "MS-7 未解锁：等待审计",
        "it is not to be unlocked: unlock MS-8 first", "MS-7 is not unlocked before the audit, I unlock it then",
        "unlock MS-7? no, do not unlock it", "还没完：先别解锁，以后再解锁 MS-7",
    ],
)  # fmt: skip
def test_a_no_in_whatever_form_weighs_more_than_an_unlock_beside_it(words):
    assert "says not to" in refusal(words)


def test_a_repeat_is_refused_whatever_its_case_and_marks():
    assert "repeats" in refusal("Take the brass lamp!", repeats=["take the BRASS lamp"])
    assert refusal("Take the brass lamp!", repeats=["take the iron lamp"]) == ""


def test_another_source_is_refused():
    assert "agent" in refusal("source: agent; take the brass lamp")
    assert refusal("source: programmer; take the brass lamp") == ""


def test_another_milestone_is_refused():
    assert "MS-8" in refusal("unlock MS-8: take option B")
    assert "none" in refusal("unlock MS-8: take option B", active="none")
    assert refusal("unlock MS-8: take option B", active="none", signature="MS-8/x") == ""
    assert refusal("take option B and move MS-8 to planned") == ""
    assert "names MS-8, MS-9, but" in refusal("unlock MS-7, unlock MS-9, unlock MS-8: take option B")
    assert refusal("unlock MS-7, yes, unlock MS-7: take option B") == ""


def test_case_of_the_milestone_does_not_matter():
    assert refusal("unlock ms-7: take option B") == ""


def test_a_very_long_run_of_bare_words_is_still_bare():
    assert is_bare("continue " * 20000)
    assert is_bare("继续" * 20000)


def test_words_that_only_hold_bare_ones_are_not_bare():
    assert not is_bare("the bookkeeper renews the contract")
