"""JSON Schemas of what `status --json` prints, made from the models."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Final

from harness_tui.cli.output import LOG_FIELDS, REPORT_FIELDS, SCHEMA_VERSION, VERIFY_FIELDS

if TYPE_CHECKING:
    from types import ModuleType

    from pydantic.json_schema import GenerateJsonSchema

MODELS: Final = {
    "git": ("git", "Git"), "pool": ("pool", "Pool"), "task": ("pool", "Task"), "stream": ("stream", "Stream"),
    "log": ("log", "Log"), "interventions": ("intervention", "Interventions"), "budget": ("budget", "Budget"),
    "decision": ("decision", "Decision"), "unknown": ("unknown", "Unknown"), "blocker": ("blocker", "Blocker"),
    "plan": ("work_plan", "WorkPlan"), "handback": ("handback", "Handback"), "control": ("control", "Control"),
    "worktrack-gate": ("gates", "WorktrackGate"), "milestone-gate": ("gates", "MilestoneGate"),
    "verify": ("verify", "VerifyRun"), "inbox": ("inbox", "InboxItem"), "problem": ("problem", "Problem"),
    "change": ("change", "Change"), "pending": ("sent", "PendingSignal"), "sent": ("sent", "SentSignal"),
    "loop-guards": ("guard", "Guards"),
}  # fmt: skip
"""Schema names, with the module and class of each."""

_LISTS: Final = {
    "pools": "pool", "logs": "log", "budgets": "budget", "decisions": "decision", "unknowns": "unknown",
    "assumptions": "unknown", "blockers": "blocker", "plans": "plan", "inbox": "inbox", "problems": "problem",
    "pending": "pending", "sent": "sent",
}  # fmt: skip
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
GUARDS: Final = "guards"
"""Name of the schema of `guard all`; what `status --json` has under that key is `loop-guards`."""
_OPTIONAL: Final = {"git": "git", "handback": "handback", "control": "control", "guards": "loop-guards"}


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of one part."""
    from pydantic import TypeAdapter

    modules = _modules()
    module, class_name = MODELS[name]
    adapter = TypeAdapter(getattr(modules[module], class_name))
    return _as_printed(name, adapter.json_schema(mode="serialization", schema_generator=_generator()))


def _generator() -> type[GenerateJsonSchema]:
    """Pydantic's generator, but for named tuples: they are printed as objects, by the names of their fields.

    By its version, pydantic takes one for a call of its class or for a kind of its own.
    """
    from pydantic.json_schema import GenerateJsonSchema

    class Printed(GenerateJsonSchema):
        def call_schema(self, schema: Any) -> dict[str, Any]:
            return self._object(schema["arguments_schema"]["arguments_schema"])

        def named_tuple_schema(self, schema: Any) -> dict[str, Any]:
            return self._object(schema["fields"])

        def _object(self, parts: list[Any]) -> dict[str, Any]:
            properties = {part["name"]: self.generate_inner(part["schema"]) for part in parts}
            return {"type": "object", "properties": properties, "required": list(properties)}

    return Printed


def guards_schema() -> dict[str, Any]:
    """The JSON Schema of `guard all`; what a guard says besides is its own, in the words of its script."""
    truth, text = {"type": "boolean"}, {"type": "string"}
    place = {
        "anyOf": [{"type": "object", "properties": {"field": text, "line": {"type": "integer"}}}, {"type": "null"}]
    }
    strict = {
        "type": "object",
        "properties": {"ready": truth, "findings": {"type": "array", "items": text}},
        "required": ["ready", "findings"],
    }
    result = {"type": "object", "properties": {"decided_by": place, "strict": strict}, "additionalProperties": True}
    one = {
        "type": "object",
        "properties": {"go": truth, "exit": {"enum": [0, 1, 4]}, "result": result, "error": text},
        "required": ["go", "exit"],
    }
    properties = {
        "schema_version": {"const": SCHEMA_VERSION},
        "root": text,
        "go": truth,
        "guards": {"type": "object", "additionalProperties": one},
        "not_asked": {"type": "object", "additionalProperties": text},
    }
    return {
        "$schema": DIALECT, "title": "harness-tui guard all", "type": "object", "properties": properties,
        "required": list(properties),
    }  # fmt: skip


def document_schema() -> dict[str, Any]:
    """The JSON Schema of `status --json`."""
    parts = {name: schema(name) for name in MODELS if name not in ("task", "change")}
    definitions: dict[str, Any] = {}
    for name, part in parts.items():
        definitions |= part.pop("$defs", {})
        definitions[name] = part
    one = {name: {"$ref": f"#/$defs/{name}"} for name in parts}
    properties: dict[str, Any] = {
        "schema_version": {"const": SCHEMA_VERSION},
        "root": {"type": "string"},
        "generated_at": {"type": "string", "format": "date-time"},
        "stream": one["stream"],
        "streams": {"type": "object", "additionalProperties": one["stream"]},
        "interventions": one["interventions"],
        "gates": {
            "type": "object",
            "properties": {
                "worktracks": {"type": "array", "items": one["worktrack-gate"]},
                "milestones": {"type": "array", "items": one["milestone-gate"]},
                "verify_all": {"anyOf": [one["verify"], {"type": "null"}]},
            },
        },
    }
    properties |= {key: {"type": "array", "items": one[name]} for key, name in _LISTS.items()}
    properties |= {key: {"anyOf": [one[name], {"type": "null"}]} for key, name in _OPTIONAL.items()}
    return {
        "$schema": DIALECT,
        "title": "harness-tui status",
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "$defs": definitions,
    }


def _as_printed(name: str, found: dict[str, Any]) -> dict[str, Any]:
    """`found` with the fields that the output leaves out or names otherwise (`cli.output`)."""
    if name == "log":
        return _keep(found, {field: field for field in LOG_FIELDS})
    if name == "verify":
        return _keep(found, VERIFY_FIELDS)
    definitions = found.get("$defs", {})
    if "PoolReport" in definitions:
        definitions["PoolReport"] = _keep(definitions["PoolReport"], {field: field for field in REPORT_FIELDS})
    return found


def _keep(found: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """Only the fields in `names`, which gives the name that each is printed under."""
    properties = {shown: found["properties"][field] for field, shown in names.items()}
    return {**found, "properties": properties, "required": list(properties)}


def _modules() -> dict[str, ModuleType]:
    """All model modules, each with the names that it otherwise imports for the type checker only."""
    import harness_tui.model

    modules = {
        info.name: import_module(f"harness_tui.model.{info.name}") for info in iter_modules(harness_tui.model.__path__)
    }
    known: dict[str, Any] = {}
    for module in modules.values():
        _name_types(module)
        known |= {name: value for name, value in vars(module).items() if name[:1].isupper()}
    from datetime import datetime

    for module in modules.values():
        for name, value in {**known, "datetime": datetime}.items():
            vars(module).setdefault(name, value)
    return modules


def _name_types(module: ModuleType) -> None:
    """Give `module` the sets of words that it names for the type checker only: models are made without `typing`."""
    import ast
    from inspect import getsource
    from typing import Literal

    vars(module).setdefault("Literal", Literal)
    blocks = [part for part in ast.parse(getsource(module)).body if isinstance(part, ast.If)]
    for part in [part for block in blocks if ast.unparse(block.test) == "TYPE_CHECKING" for part in block.body]:
        if isinstance(part, ast.Assign) and ast.unparse(part.value).startswith("Literal["):
            exec(compile(ast.Module([part], []), module.__name__, "exec"), vars(module))  # noqa: S102 - our own source
