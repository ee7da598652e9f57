"""What published agents really sent for known edits, and what the file became."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from acp_sidecar.changes.anchor import Place, anchor_hunks
from acp_sidecar.changes.edits import apply_edits, edits_to
from acp_sidecar.changes.from_diff import change_set
from acp_sidecar.changes.hunks import FileChange, HunkState, Side
from acp_sidecar.changes.snippets import settle
from acp_sidecar.changes.views import TextView
from acp_sidecar.session.tool_calls import Diff, PathChange

PATH = "/workspace/hello.py"
HELLO = """\
def greet(name):
    return 'Hello, ' + name


if __name__ == '__main__':
    print(greet('ACP'))
"""
HOWDY = HELLO.replace(
    "    return 'Hello, ' + name\n", "    greeting = 'Howdy'\n    return f'{greeting}, {name}'\n"
)
OVER = "print('overwritten')\n"
NOTES = "# Notes\n\n- one\n- two\n"


@dataclass(frozen=True)
class Recorded:
    """One tool call's diffs, as they were on the wire, and the file before and after it."""

    agent: str
    diffs: tuple[dict[str, Any], ...]
    before: str | None
    after: str


def v1(old: str | None, new: str) -> dict[str, Any]:
    return {"type": "diff", "path": PATH, "oldText": old, "newText": new}


def v2(operation: str, hunks: str, header: str = "") -> dict[str, Any]:
    old = "/dev/null" if operation == "add" else PATH
    text = f"diff --git {PATH} {PATH}\n{header}--- {old}\n+++ {PATH}\n{hunks}"
    return {
        "type": "diff",
        "changes": [{"operation": operation, "path": PATH}],
        "patch": {"format": "git_patch", "text": text},
    }


EDIT = "-    return 'Hello, ' + name\n+    greeting = 'Howdy'\n+    return f'{greeting}, {name}'\n"
HEAD = HELLO[: HELLO.index("    print") - 1]
NEW_MODE = "new file mode 100644\n"

RECORDED = [
    Recorded(
        "claude-agent-acp 0.101.0, v1, asking",
        (
            v1(
                "    return 'Hello, ' + name\n",
                "    greeting = 'Howdy'\n    return f'{greeting}, {name}'\n",
            ),
        ),
        HELLO,
        HOWDY,
    ),
    Recorded(
        "claude-agent-acp 0.101.0, v1, done",
        (v1(HEAD, HOWDY[: HOWDY.index("    print") - 1]),),
        HELLO,
        HOWDY,
    ),
    Recorded(
        "claude-agent-acp 0.101.0, v2",
        (
            v2(
                "modify",
                f"@@ -1,5 +1,6 @@\n def greet(name):\n{EDIT} \n \n if __name__ == '__main__':\n",
            ),
        ),
        HELLO,
        HOWDY,
    ),
    Recorded("claude-agent-acp, v1, new file", (v1(None, NOTES),), None, NOTES),
    Recorded("claude-agent-acp, v1, overwriting, asking", (v1(None, OVER),), HELLO, OVER),
    Recorded("claude-agent-acp, v1, overwritten", (v1(HELLO[:-1], OVER[:-1]),), HELLO, OVER),
    Recorded(
        "claude-agent-acp 0.101.0, v2, overwriting",
        (
            v2(
                "modify",
                "@@ -1,6 +1 @@\n-def greet(name):\n-    return 'Hello, ' + name\n-\n-\n"
                "-if __name__ == '__main__':\n-    print(greet('ACP'))\n+print('overwritten')\n",
            ),
        ),
        HELLO,
        OVER,
    ),
    Recorded(
        "codex-acp 0.16.0 and 2.6.0, v1",
        (
            v1(
                "def greet(name):\n    return 'Hello, ' + name\n\n",
                "def greet(name):\n    greeting = 'Howdy'\n    return f'{greeting}, {name}'\n\n",
            ),
        ),
        HELLO,
        HOWDY,
    ),
    Recorded(
        "codex-acp 2.6.0, v2",
        (v2("modify", f"@@ -1,3 +1,4 @@\n def greet(name):\n{EDIT} \n"),),
        HELLO,
        HOWDY,
    ),
    Recorded(
        "codex-acp 2.6.0, v2, overwriting",
        (v2("add", "@@ -0,0 +1 @@\n+print('overwritten')\n", NEW_MODE),),
        HELLO,
        OVER,
    ),
    Recorded(
        "codex-acp 2.6.0, v2, new file",
        (v2("add", "@@ -0,0 +1,4 @@\n+# Notes\n+\n+- one\n+- two\n", NEW_MODE),),
        None,
        NOTES,
    ),
    Recorded("gemini-cli 0.61.0, v1", (v1(HELLO, HOWDY),), HELLO, HOWDY),
    Recorded("gemini-cli 0.61.0, v1, new file", (v1("", NOTES),), None, NOTES),
    Recorded(
        "opencode 1.18.33, v1",
        (
            v1(HELLO, HOWDY),
            v1(
                "    return 'Hello, ' + name\n",
                "    greeting = 'Howdy'\n    return f'{greeting}, {name}'\n",
            ),
        ),
        HELLO,
        HOWDY,
    ),
    Recorded(
        "sdk 2.4.0, v2, with prefixes and relative paths",
        (
            {
                "type": "diff",
                "changes": [{"operation": "modify", "path": PATH, "fileType": "text"}],
                "patch": {
                    "format": "git_patch",
                    "text": "diff --git a/hello.py b/hello.py\nindex 1108f4d..3d348a8 100644\n"
                    "--- a/hello.py\n+++ b/hello.py\n@@ -1,5 +1,6 @@\n def greet(name):\n"
                    f"{EDIT} \n \n if __name__ == '__main__':\n",
                },
            },
        ),
        HELLO,
        HOWDY,
    ),
]


def understood(item: dict[str, Any]) -> Diff:
    if "changes" in item:
        return Diff.model_validate(item)
    operation = "add" if item["oldText"] is None else "modify"
    change = PathChange(
        operation=operation,  # type: ignore[arg-type]
        path=item["path"],
        old_text=item["oldText"],
        new_text=item["newText"],
    )
    return Diff(changes=[change])


def change_of(recorded: Recorded, present: str | None, prefer: Side) -> FileChange:
    result = change_set([understood(item) for item in recorded.diffs])
    assert not result.problems
    assert len(result.files) == 1
    return settle(result.files[0], present, prefer=prefer)


def placed(change: FileChange, text: str, prefer: Side) -> list[Place]:
    return anchor_hunks(change.hunks, TextView(text), prefer=prefer)


@pytest.mark.parametrize("recorded", RECORDED, ids=lambda recorded: recorded.agent)
def test_while_it_asks_the_change_is_proposed_and_previewed_as_it_came_out(
    recorded: Recorded,
) -> None:
    change = change_of(recorded, recorded.before, Side.OLD)
    before = recorded.before or ""
    places = placed(change, before, Side.OLD)
    assert {place.state for place in places} == {HunkState.PROPOSED}
    made = edits_to(Side.NEW, change.hunks, places, TextView(before))
    assert apply_edits(before, made.edits) == recorded.after
    assert {place.state for place in placed(change, recorded.after, Side.NEW)} == {
        HunkState.APPLIED
    }


@pytest.mark.parametrize("recorded", RECORDED, ids=lambda recorded: recorded.agent)
def test_when_it_is_done_the_change_is_applied_and_can_be_undone(recorded: Recorded) -> None:
    change = change_of(recorded, recorded.after, Side.NEW)
    places = placed(change, recorded.after, Side.NEW)
    assert {place.state for place in places} == {HunkState.APPLIED}
    made = edits_to(Side.OLD, change.hunks, places, TextView(recorded.after))
    undone = apply_edits(recorded.after, made.edits)
    # An overwrite without the old text can only be undone to nothing; the baseline knows more.
    assert undone in (recorded.before or "", "")


def test_an_edit_that_failed_is_shown_and_never_placed() -> None:
    recorded = Recorded("claude", (v1("THIS TEXT IS NOT THERE\n", "x\n"),), HELLO, HELLO)
    change = change_of(recorded, HELLO, Side.OLD)
    assert [problem.code for problem in change.problems] == ["snippet-not-found"]
    assert {place.state for place in placed(change, HELLO, Side.OLD)} == {HunkState.UNANCHORED}
