"""`acp/selection` and its kin: what the tools ask of a client that offers `tools: true`.

Lines are from 0 and both ends included; there are no columns, so that they are the same in every
position encoding. An answer of null means that the editor cannot tell.
"""

from __future__ import annotations

from typing import Final, Literal

from typing_extensions import TypedDict  # pydantic checks these, and needs it before Python 3.12

SELECTION: Final = "acp/selection"
DIAGNOSTICS: Final = "acp/diagnostics"
SYMBOLS: Final = "acp/symbols"
REFERENCES: Final = "acp/references"


class SelectionParams(TypedDict):
    """Params of `acp/selection`: nothing needs to be said."""


class ToolDocument(TypedDict):
    """Params of `acp/diagnostics` and `acp/symbols`.

    Attributes:
        uri: One document, or null for all that the editor knows of.
    """

    uri: str | None


class ToolSymbol(TypedDict):
    """Params of `acp/references`: a name on a line; its first occurrence there is meant.

    Attributes:
        uri: The document.
        line: Line, from 0.
        symbol: The name as it is written there.
    """

    uri: str
    line: int
    symbol: str


class SelectionResult(TypedDict):
    """What is selected in the text editor used last; without a selection, where the cursor is.

    Attributes:
        uri: The document.
        startLine: First line, from 0.
        endLine: Last line, from 0, included.
        text: The selected text; empty if nothing is selected.
    """

    uri: str
    startLine: int
    endLine: int
    text: str


class DiagnosticEntry(TypedDict):
    """A diagnostic of any source in the editor.

    Attributes:
        uri: The document.
        startLine: First line, from 0.
        endLine: Last line, from 0, included.
        severity: How bad it is.
        message: As the source says it.
        source: Who says it; may be empty.
        code: Its code; may be empty.
    """

    uri: str
    startLine: int
    endLine: int
    severity: Literal["error", "warning", "information", "hint"]
    message: str
    source: str
    code: str


class DiagnosticsResult(TypedDict):
    """All diagnostics asked for."""

    diagnostics: list[DiagnosticEntry]


class SymbolEntry(TypedDict):
    """A symbol of a document.

    Attributes:
        name: Its name.
        kind: "function", "class" and so on: the names of LSP's SymbolKind in lower case.
        container: What it is in; may be empty.
        uri: The document.
        startLine: First line, from 0.
        endLine: Last line, from 0, included.
    """

    name: str
    kind: str
    container: str
    uri: str
    startLine: int
    endLine: int


class SymbolsResult(TypedDict):
    """All symbols of the document."""

    symbols: list[SymbolEntry]


class ReferenceEntry(TypedDict):
    """A place where a symbol is used.

    Attributes:
        uri: The document.
        startLine: First line, from 0.
        endLine: Last line, from 0, included.
    """

    uri: str
    startLine: int
    endLine: int


class ReferencesResult(TypedDict):
    """All uses of the symbol, its declaration included."""

    references: list[ReferenceEntry]
