"""What only the editor knows: how it is asked, and how its answer is told to a model.

An editor's answer is checked like an agent's: what it leaves out or gets wrong is not told.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from pydantic import TypeAdapter, ValidationError

from acp_sidecar.features.editor_tools.catalogue import Arguments, ReferencesArguments
from acp_sidecar.features.editor_tools.messages import (
    DIAGNOSTICS,
    REFERENCES,
    SELECTION,
    SYMBOLS,
    DiagnosticEntry,
    DiagnosticsResult,
    ReferenceEntry,
    ReferencesResult,
    SelectionResult,
    SymbolEntry,
    SymbolsResult,
)
from acp_sidecar.features.places import file_uri, from_wire_line, said_place, to_wire_line

Json = Any
_Result = TypeVar("_Result")
_Entry = TypeVar("_Entry")

MOST_LINES: Final = 1000
"""Entries told of one answer; the rest is counted."""


@dataclass(frozen=True, slots=True)
class EditorQuestion:
    """A request to the editor; `tell` makes text of its result, None of what is no result."""

    method: str
    params: Json
    tell: Callable[[Json], str | None]


def question(tool: str, given: Arguments, path: str | None) -> EditorQuestion:
    """What a tool asks the editor."""
    document = {"uri": None if path is None else file_uri(path)}
    if isinstance(given, ReferencesArguments):
        params = {**document, "line": from_wire_line(given.line), "symbol": given.symbol}
        return EditorQuestion(REFERENCES, params, _references)
    if tool == "symbols":
        return EditorQuestion(SYMBOLS, document, _symbols)
    if tool == "diagnostics":
        return EditorQuestion(DIAGNOSTICS, document, _diagnostics)
    return EditorQuestion(SELECTION, {}, _selection)


def _valid(shape: type[_Result], result: Json) -> _Result | None:
    try:
        return TypeAdapter(shape).validate_python(result)
    except ValidationError:
        return None


def _selection(result: Json) -> str | None:
    found = _valid(SelectionResult, result)
    if found is None:
        return None
    place = _place(found)
    return f"{place}\n{found['text']}" if found["text"] else f"{place}: nothing is selected"


def _diagnostics(result: Json) -> str | None:
    found = _valid(DiagnosticsResult, result)
    if found is None:
        return None
    return _listed(found["diagnostics"], _diagnostic, "The editor reports no problems.")


def _diagnostic(entry: DiagnosticEntry) -> str:
    told = (entry["source"], entry["code"], entry["message"])
    return f"{_place(entry)}: {entry['severity']}: {' '.join(part for part in told if part)}"


def _symbols(result: Json) -> str | None:
    found = _valid(SymbolsResult, result)
    if found is None:
        return None
    return _listed(found["symbols"], _symbol, "The editor knows no symbols there.")


def _symbol(entry: SymbolEntry) -> str:
    container = f"{entry['container']}." if entry["container"] else ""
    return f"{_place(entry)}: {entry['kind']} {container}{entry['name']}"


def _references(result: Json) -> str | None:
    found = _valid(ReferencesResult, result)
    if found is None:
        return None
    return _listed(found["references"], _place, "The editor knows no references.")


def _listed(entries: Sequence[_Entry], told: Callable[[_Entry], str], nothing: str) -> str:
    lines = [told(entry) for entry in entries[:MOST_LINES]]
    if len(entries) > len(lines):
        lines.append(f"[and {len(entries) - len(lines)} more]")
    return "\n".join(lines) or nothing


def _place(entry: SelectionResult | DiagnosticEntry | SymbolEntry | ReferenceEntry) -> str:
    """`PATH:LINE` or `PATH:FIRST-LAST`, from 1."""
    uri = entry["uri"]
    said = said_place(uri, "/") if uri.startswith("file:") else None
    path = uri if said is None else said.path
    first = to_wire_line(entry["startLine"])
    last = max(first, to_wire_line(entry["endLine"]))
    return f"{path}:{first}" if first == last else f"{path}:{first}-{last}"
