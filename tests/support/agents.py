"""Lines as agents print them, in the shapes of their recorded runs."""

from __future__ import annotations

import json


def claude_call(name, tool, given, *, message=None, parent=None):
    block = {"type": "tool_use", "id": name, "name": tool, "input": given}
    return _line(
        {
            "type": "assistant",
            "message": {"id": message or f"msg_{name}", "role": "assistant", "content": [block]},
            "parent_tool_use_id": parent,
            "session_id": "s",
        }
    )


def claude_said(text, *, message="msg_text", parent=None):
    content = [{"type": "text", "text": text}]
    return _line({"type": "assistant", "message": {"id": message, "content": content}, "parent_tool_use_id": parent})


def claude_outcome(name, text, *, error=False, blocks=False):
    content = [{"type": "text", "text": part} for part in text.split("|")] if blocks else text
    block = {"type": "tool_result", "tool_use_id": name, "content": content}
    if error:
        block["is_error"] = True
    return _line({"type": "user", "message": {"role": "user", "content": [block]}, "parent_tool_use_id": None})


def claude_result(text="", *, subtype="success", error=False, denials=(), **more):
    return _line(
        {
            "type": "result", "subtype": subtype, "is_error": error, "num_turns": 3, "result": text,
            "permission_denials": list(denials), **more,
        }
    )  # fmt: skip


def opencode_tool(tool, given, *, output="", status=None, error=None, call="c1"):
    state = {"input": given, "time": {"start": 1, "end": 2}}
    if error is not None:
        state |= {"status": "error", "error": error}
    else:
        metadata = {"output": output, "truncated": False}
        if status is not None:
            metadata["exit"] = status
        state |= {"status": "completed", "output": output, "title": "", "metadata": metadata}
    return opencode("tool_use", {"type": "tool", "callID": call, "tool": tool, "state": state})


def opencode(kind, part):
    return _line({"type": kind, "timestamp": 1, "sessionID": "ses", "part": part})


def opencode_finish(reason="tool-calls", **more):
    return opencode("step_finish", {"type": "step-finish", "reason": reason, **more})


def _line(value):
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
