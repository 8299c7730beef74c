"""Many processes that write to one epic, or to one control state, at the same moment.

Run as `python -m support.crowd consume|answer|guards FOLDER COUNT`; prints what each of them was told, as JSON.
"""

from __future__ import annotations

import json
import os
import signal
import sys

from support import epic_tree as tree

from harness_tui.model.answer import Answer
from harness_tui.model.refusal import Refused
from harness_tui.workspace.answers import record_answer
from harness_tui.workspace.budgets import consume_unit


def consume(root, number):
    return f"{consume_unit(root, tree.EPIC, tree.NOW).remaining} left"


def answer(root, number):
    record_answer(root, Answer(tree.EPIC, "Q-1", "choice", "AB"[number % 2]), tree.NOW)
    return "AB"[number % 2]


def guards(root, number):
    """Every third one gathers doubled keys, the others record a checkpoint, each at a second of its own."""
    if number % 3 == 2:
        tree.normalize(root)
        return "normalized"
    tree.checkpoint(root, at=f"2027-04-05T06:07:{number:02}Z")
    return "recorded"


def main(action, folder, count):
    do = {"consume": consume, "answer": answer, "guards": guards}[action]
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    told, tell = os.pipe()
    children = []
    for number in range(int(count)):
        child = os.fork()
        if child:
            children.append(child)
            continue
        signal.sigwait({signal.SIGUSR1})
        try:
            said = do(folder, number)
        except Refused as error:
            said = f"refused: {error.code}: {error.why}"
        except BaseException as error:  # noqa: BLE001 - told to the test
            said = f"failed: {error!r}"
        os.write(tell, said.encode() + b"\n")
        os._exit(0)
    os.close(tell)
    for child in children:
        os.kill(child, signal.SIGUSR1)
    heard = b""
    while part := os.read(told, 1 << 16):
        heard += part
    for child in children:
        os.waitpid(child, 0)
    sys.stdout.write(json.dumps(heard.decode().splitlines()))


if __name__ == "__main__":
    from pathlib import Path

    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3])
