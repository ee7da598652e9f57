"""The tools as an agent sees them: names, what they are for, and what they take.

Lines are from 1 in everything that agents send and get, as in ACP.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field

Json = Any


class Arguments(BaseModel):
    """What a tool takes; unknown arguments are refused, as they are misunderstandings."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class NoArguments(Arguments):
    """Nothing."""


Path = Annotated[
    str, Field(min_length=1, description="Absolute, or relative to the session's cwd.")
]
Line = Annotated[int, Field(ge=1, description="Line, from 1.")]


class ReadArguments(Arguments):
    """A file, whole or in part."""

    path: Path
    line: Annotated[int, Field(ge=1, description="First line, from 1.")] = 1
    limit: Annotated[int | None, Field(ge=1, description="How many lines; all by default.")] = None


class FileArguments(Arguments):
    """One file."""

    path: Path


class DiagnosticsArguments(Arguments):
    """One file, or all that the editor knows of."""

    path: Annotated[str | None, Field(description="A file; without it, all files.")] = None


class ReferencesArguments(Arguments):
    """A symbol by where it is written."""

    path: Path
    line: Line
    symbol: Annotated[str, Field(min_length=1, description="The name as written on that line.")]


class ShowArguments(Arguments):
    """A place to show to the user."""

    path: Path
    line: Line = 1
    end_line: Annotated[
        int | None, Field(alias="endLine", ge=1, description="Last line, from 1, included.")
    ] = None


class ProposeArguments(Arguments):
    """A change of one file."""

    path: Path
    new_text: Annotated[
        str,
        Field(alias="newText", description="Replaces `oldText`, or the whole file without it."),
    ]
    old_text: Annotated[
        str | None,
        Field(
            alias="oldText",
            min_length=1,
            description="The text to replace; it must occur exactly once in the file as the "
            "editor shows it. Without it, `newText` is the whole file; a missing file is made.",
        ),
    ] = None
    title: Annotated[str, Field(max_length=200, description="What the change is for.")] = ""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool.

    Attributes:
        name: As the agent calls it.
        title: For people.
        description: For the model.
        arguments: What it takes.
        kind: ACP's kind of tool, which permission rules go by.
        asks_editor: It needs a client that offers `tools: true`.
    """

    name: str
    title: str
    description: str
    arguments: type[Arguments]
    kind: str
    asks_editor: bool = False

    @property
    def reads_only(self) -> bool:
        return self.kind != "edit"

    def schema(self) -> Json:
        """JSON Schema of the arguments."""
        return self.arguments.model_json_schema(by_alias=True)


TOOLS: Final = (
    Tool(
        "open_documents",
        "Open documents",
        "List the files that are open in the user's editor, and which of them have changes that "
        "are not saved.",
        NoArguments,
        "read",
    ),
    Tool(
        "read_document",
        "Read a document",
        "Read a text file as the user's editor shows it, with changes that are not saved yet. Use "
        "it instead of the disk for files that are open.",
        ReadArguments,
        "read",
    ),
    Tool(
        "selection",
        "Selection",
        "What the user has selected in the editor, or where the cursor is.",
        NoArguments,
        "read",
        asks_editor=True,
    ),
    Tool(
        "diagnostics",
        "Diagnostics",
        "Errors and warnings that the editor's language servers and linters report.",
        DiagnosticsArguments,
        "read",
        asks_editor=True,
    ),
    Tool(
        "symbols",
        "Symbols",
        "Functions, classes and other symbols of a file, from the editor's language server.",
        FileArguments,
        "search",
        asks_editor=True,
    ),
    Tool(
        "references",
        "References",
        "Where a symbol is used, from the editor's language server.",
        ReferencesArguments,
        "search",
        asks_editor=True,
    ),
    Tool(
        "show_place",
        "Show a place",
        "Show the user a place in a file, without taking the focus.",
        ShowArguments,
        "read",
    ),
    Tool(
        "propose_edit",
        "Propose an edit",
        "Propose a change of a file. Nothing is written: the user sees the change in the editor "
        "and accepts or rejects it hunk by hunk. The answer tells that it is shown, not what the "
        "user decides; that is told with the user's next prompt.",
        ProposeArguments,
        "edit",
    ),
)
