"""What the agent proposes to change: the sample project's task, or a harmless note elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

from acp_sidecar import demo
from acp_sidecar.demo.agent.file_changes import FileChange, lines_of
from acp_sidecar.demo.agent.workspace import Unusable, Workspace

MARKER: Final = "A note from the acp-sidecar demo agent; delete it whenever you like."
_COMMENTS: Final = {
    **dict.fromkeys((".py", ".rb", ".sh", ".toml", ".yaml", ".yml", ".cfg", ".pl", ".r"), "# {}"),
    **dict.fromkeys((".js", ".ts", ".tsx", ".jsx", ".c", ".h", ".cpp", ".hpp", ".rs"), "// {}"),
    **dict.fromkeys((".go", ".java", ".kt", ".swift", ".cs", ".scss", ".zig"), "// {}"),
    **dict.fromkeys((".lua", ".sql", ".hs", ".elm"), "-- {}"),
    **dict.fromkeys((".md", ".html", ".xml"), "<!-- {} -->"),
    **dict.fromkeys((".txt", ".rst", ".adoc"), "{}"),
}
_MIN_LINES_FOR_TWO_HUNKS: Final = 12


@dataclass(frozen=True, slots=True)
class Edit:
    """A step of the sample's task: the file `name` becomes what the solution has for it.

    Attributes:
        name: The file in the sample; also in the solution, unless it gets a new name.
        new_name: What the file is called afterwards, if that is something else.
    """

    name: str
    new_name: str | None = None


COUNT_RIGHT: Final = Edit("tally/words.py")
ADD_THE_OPTION: Final = Edit("tally/__main__.py")
RENAME_USAGE: Final = Edit("docs/usage.txt", new_name="docs/usage.md")
NEW_TEST: Final = "tests/test_min_length.py"


def is_unsolved_sample(workspace: Workspace) -> bool:
    """Whether this is our sample project with its bug still in it."""
    return all(prepared(workspace, edit) for edit in (COUNT_RIGHT, ADD_THE_OPTION, RENAME_USAGE))


def prepared(workspace: Workspace, edit: Edit) -> FileChange | None:
    """The change that the edit is here; None where the file is not the sample's own."""
    try:
        before = workspace.read(edit.name)
        path = workspace.resolve(edit.new_name or edit.name)
        old_path = workspace.resolve(edit.name)
    except Unusable:
        return None
    if before != _text("sample", edit.name):
        return None
    after = _text("solution", edit.new_name or edit.name)
    if edit.new_name:
        return FileChange("move", path, before, after, old_path=old_path)
    return FileChange("modify", path, before, after)


def new_test(workspace: Workspace) -> FileChange | None:
    """The test file that the tour adds to the sample; None if it is there."""
    path = workspace.resolve(NEW_TEST)
    return None if path.exists() else FileChange("add", path, "", _text("solution", NEW_TEST))


def _text(folder: str, name: str) -> str:
    """A file of ours, byte for byte."""
    return files(demo).joinpath(folder, name).read_bytes().decode("utf-8")


def editable_files(workspace: Workspace) -> list[Path]:
    """Text files that can take a note, a README and source first."""
    rank = {".md": 0, ".py": 1}
    found = [path for path in workspace.text_files() if path.suffix.lower() in _COMMENTS]
    return sorted(found, key=lambda path: (path.stem.lower() != "readme", rank.get(path.suffix, 2)))


def note_in(workspace: Workspace, path: Path) -> FileChange:
    """Add the note to a file, or take it out if it is in.

    The note stands at the end; in a longer file at the top too, below what must come first.

    Raises:
        Unusable: It is no text file of the project, or of a kind whose comments are unknown.
    """
    before = workspace.read(path)
    comment = _COMMENTS.get(path.suffix.lower())
    if comment is None:
        raise Unusable(f"I know no comments for {path.name}.")
    lines = lines_of(before)
    if MARKER in before:
        after = "".join(line for line in lines if MARKER not in line)
        return FileChange("modify", path, before, after)
    ending = "\r\n" if "\r\n" in before else "\n"
    note = comment.format(MARKER) + ending
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += ending
    if len(lines) >= _MIN_LINES_FOR_TWO_HUNKS:
        lines.insert(_first_free_line(lines), note)
    return FileChange("modify", path, before, "".join([*lines, note]))


def _first_free_line(lines: list[str]) -> int:
    """Below a byte order mark's line, an interpreter line, an encoding line and front matter."""
    if lines[0].startswith("\ufeff"):
        return 1
    number = 0
    while number < 2 and lines[number].startswith(("#!", "# -*-", "# vim", "<?", "<!")):
        number += 1
    if lines[0].rstrip() == "---":
        fences = [index for index, line in enumerate(lines) if line.rstrip() == "---"]
        number = fences[1] + 1 if len(fences) > 1 else len(lines)
    return number


def renamed(workspace: Workspace, name: str, new_name: str) -> FileChange:
    """A rename without any change of the text.

    Raises:
        Unusable: One of the names is.
    """
    text = workspace.read(name)
    old_path = workspace.resolve(name)
    change = FileChange("move", workspace.resolve(new_name), text, text, old_path=old_path)
    if change.path.exists():
        raise Unusable(f"{new_name} exists already.")
    return change
