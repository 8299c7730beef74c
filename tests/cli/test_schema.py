"""`schema` describes exactly what `status --json` prints."""

from __future__ import annotations

import json
import re

import pytest
from support import families as lighthouse

from harness_tui.cli.schemas import MODELS

TYPES = {
    "string": str,
    "integer": int,
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
    "number": (int, float),
}
KNOWN = {
    "$defs", "$ref", "$schema", "additionalProperties", "anyOf", "const", "default", "description", "enum", "format",
    "items",
    "maxItems", "minItems", "prefixItems", "properties", "required", "title", "type",
}  # fmt: skip


def faults(value, schema, root, where="$"):
    """Where `value` is not as `schema` says: the part of JSON Schema that the program uses, and nothing unknown."""
    strange = [f"{where}: unknown keyword {name}" for name in schema if name not in KNOWN]
    if strange:
        return strange
    if "$ref" in schema:
        return faults(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, where)
    if "anyOf" in schema:
        tried = [faults(value, option, root, where) for option in schema["anyOf"]]
        return [] if any(not found for found in tried) else min(tried, key=len)
    if "const" in schema and value != schema["const"]:
        return [f"{where}: {value!r} is not {schema['const']!r}"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{where}: {value!r} is none of {schema['enum']}"]
    kind = schema.get("type")
    if kind is not None and (
        not isinstance(value, TYPES[kind]) or (kind in ("integer", "number") and isinstance(value, bool))
    ):
        return [f"{where}: {value!r} is no {kind}"]
    return [*_of_object(value, schema, root, where), *_of_array(value, schema, root, where)]


def _of_object(value, schema, root, where):
    if not isinstance(value, dict):
        return []
    found = [f"{where}.{name}: missing" for name in schema.get("required", ()) if name not in value]
    more = schema.get("additionalProperties", True)
    for name, item in value.items():
        if name in schema.get("properties", {}):
            found += faults(item, schema["properties"][name], root, f"{where}.{name}")
        elif isinstance(more, dict):
            found += faults(item, more, root, f"{where}.{name}")
        elif "properties" in schema:
            found.append(f"{where}.{name}: not in the schema")
    return found


def _of_array(value, schema, root, where):
    if not isinstance(value, list):
        return []
    ahead = schema.get("prefixItems", [])
    found = [
        fault
        for n, (item, part) in enumerate(zip(value, ahead, strict=False))
        for fault in faults(item, part, root, f"{where}[{n}]")
    ]
    if "items" in schema:
        for n, item in enumerate(value[len(ahead) :], len(ahead)):
            found += faults(item, schema["items"], root, f"{where}[{n}]")
    return found


def names(value, schema, root, where="$"):
    """Places where the names of an object differ from the properties of its schema, for the first of each list."""
    if "$ref" in schema:
        return names(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, where)
    if "anyOf" in schema:
        option = next((item for item in schema["anyOf"] if not faults(value, item, root)), schema["anyOf"][0])
        return names(value, option, root, where)
    found = []
    if isinstance(value, dict) and "properties" in schema:
        if set(value) != set(schema["properties"]):
            found.append(f"{where}: {sorted(set(value) ^ set(schema['properties']))}")
        for name in set(value) & set(schema["properties"]):
            found += names(value[name], schema["properties"][name], root, f"{where}.{name}")
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        for n, item in enumerate(value):
            found += names(item, schema["items"], root, f"{where}[{n}]")
    return found


@pytest.fixture
def full(repository):
    """A workspace that has every family, every kind of need, and things that are broken."""
    repository.fill(lighthouse.EVERY)
    repository.write(lighthouse.STATE, lighthouse.state(3, 3, 0, risk="low"))
    text = lighthouse.control(extra="- last_unlock_signal: continue\n- handback_lock_active: false\n")
    repository.write(lighthouse.CONTROL, text)
    repository.write(".servo/repo/milestone-backlog.md", "## Active\n\n### MS-BEACON\n\n## Planned\n\n### MS-HORN\n")
    repository.write(".harness/intervention.md", "SKIP T-03\nnot today\n")
    return repository


@pytest.fixture
def schema(call):
    def read(*name):
        answer = call("schema", *name)
        assert (answer.code, answer.err) == (0, "")
        return json.loads(answer.out)

    return read


def printed(call, workspace):
    return json.loads(call("status", "--json", workspace.root).out)


def test_every_value_that_is_printed_is_valid(call, schema, full):
    found, described = printed(call, full), schema()
    assert all(
        found[part] for part in ("budgets", "decisions", "unknowns", "assumptions", "blockers", "plans", "inbox")
    )
    assert found["handback"]["gaps"]
    assert found["control"]["duplicates"] or found["handback"]["unlock"]
    assert faults(found, described, described) == []


def test_an_empty_workspace_is_valid_too(call, schema, empty_workspace):
    described = schema()
    assert faults(printed(call, empty_workspace), described, described) == []


def test_the_names_are_those_that_are_printed(call, schema, full):
    described = schema()
    assert names(printed(call, full), described, described) == []


def test_the_check_finds_what_is_wrong():
    root = {"$defs": {"a": {"type": "object", "properties": {"b": {"enum": ["x"]}}, "required": ["b"]}}}
    part = {"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}]}}
    assert faults([{"b": "x"}, None], part, root) == []
    assert faults([{"b": "y"}], part, root) != []
    assert faults([{"b": "x", "c": 1}], part, root) != []
    assert faults([{}], part, root) != []
    assert faults([True], {"items": {"type": "integer"}}, root) != []
    assert faults(1, {"allOf": []}, root) == ["$: unknown keyword allOf"]
    assert names({"b": 1, "c": 2}, root["$defs"]["a"], root) == ["$: ['c']"]


def test_every_reference_of_every_schema_leads_somewhere(schema):
    for name in (None, *MODELS):
        found = schema(*([name] if name else []))
        wanted = set(re.findall(r'"#/\$defs/([^"]+)"', json.dumps(found)))
        assert wanted <= set(found.get("$defs", {})), name


@pytest.mark.parametrize("name", MODELS)
def test_each_part_has_a_schema_of_its_own(schema, name):
    found = schema(name)
    assert found["type"] == "object"
    assert found["properties"]


def test_a_part_describes_the_values_of_its_list(call, schema, full):
    found = printed(call, full)
    for name, part in (
        ("budget", "budgets"),
        ("decision", "decisions"),
        ("pool", "pools"),
        ("log", "logs"),
        ("inbox", "inbox"),
    ):
        described = schema(name)
        assert [fault for item in found[part] for fault in faults(item, described, described)] == [], name


def test_the_answers_of_the_guards_are_valid(call, schema, full):
    described = schema("guards")
    found = json.loads(call("guard", "all", full.root).out)
    assert {"lock", "budget", "pool", "runtime-backfill-detect"} <= set(found["guards"])
    for item in found["guards"].values():  # what is a guard's own is not described
        item["result"] = {name: item["result"][name] for name in ("decided_by", "strict") if name in item["result"]}
    assert faults(found, described, described) == []


def test_the_whole_has_a_name_too(call):
    assert call("schema", "status")[1] == call("schema")[1]


def test_an_unknown_name_is_code_3_and_names_those_that_there_are(call):
    answer = call("schema", "nosuch")
    assert (answer.code, answer.out) == (3, "")
    assert "budget" in answer.err
    assert answer.err.count("\n") == 1
