"""Rules on verified facts: what is allowed, denied or asked, seen at what the agent is answered."""

from __future__ import annotations

import posixpath

import pytest

from acp_sidecar.features.permission.globs import path_matches, words_match
from acp_sidecar.session import reducer
from acp_sidecar.session.terminals import TerminalUpdate
from tests.features.permission.test_plain_command import HOSTILE
from tests.features.permission.world import Json, World, call, command, edit, rule, session

ALLOWED = ["yes"]
DENIED = ["no"]
ASKED: list[str] = []

CASES: list[tuple[str, list[Json], Json, list[str]]] = [
    ("no rule", [], command("git status"), ASKED),
    ("any", [rule("allow")], command("a; b"), ALLOWED),
    ("command", [rule("allow", command="git status *")], command("git status -s"), ALLOWED),
    ("command alone", [rule("allow", command="git status *")], command("git status"), ALLOWED),
    ("other command", [rule("allow", command="git status *")], command("git push"), ASKED),
    ("longer word", [rule("allow", command="git status *")], command("git status-x"), ASKED),
    ("quotes", [rule("allow", command="git log *")], command("git 'log' \"-1\""), ALLOWED),
    ("look-alike", [rule("allow", command="git *")], command("g\u0456t status"), ASKED),
    ("full-width", [rule("allow", command="git *")], command("\uff47\uff49\uff54 status"), ASKED),
    ("case", [rule("allow", command="git *")], command("GIT status"), ASKED),
    ("other git", [rule("allow", command="git *")], command("/opt/git status"), ASKED),
    ("climbing word", [rule("allow", command="cat src/*")], command("cat src/../../x"), ASKED),
    ("plain word", [rule("allow", command="cat src/*")], command("cat src/a/b"), ALLOWED),
    ("kind", [rule("allow", kind="read")], call(kind="read"), ALLOWED),
    ("other kind", [rule("allow", kind="read")], call(kind="edit"), ASKED),
    (
        "read with a command",
        [rule("allow", kind="read")],
        call(kind="read", rawInput={"command": "rm x"}),
        ASKED,
    ),
    (
        "read with a diff",
        [rule("allow", kind="read")],
        {"type": "tool_call", "toolCall": {**edit("/project/a")["toolCall"], "kind": "read"}},
        ASKED,
    ),
    (
        "edit that deletes",
        [rule("allow", kind="edit")],
        edit("/project/a", operation="delete"),
        ASKED,
    ),
    (
        "other with a diff is an edit",
        [rule("allow", kind="edit")],
        {"type": "tool_call", "toolCall": {**edit("/project/a")["toolCall"], "kind": "other"}},
        ALLOWED,
    ),
    ("path", [rule("allow", path="src/**")], edit("/project/src/a/b.py"), ALLOWED),
    ("all paths", [rule("allow", path="src/**")], edit("/project/src/a", "/project/b"), ASKED),
    ("climbing path", [rule("allow", path="src/**")], edit("/project/src/../../etc/x"), ASKED),
    ("other root", [rule("allow", path="src/**")], edit("/other/src/a"), ASKED),
    ("relative path", [rule("allow", path="src/*.py")], edit("src/a.py"), ALLOWED),
    ("star is one segment", [rule("allow", path="src/*")], edit("/project/src/a/b"), ASKED),
    ("allow is exact", [rule("allow", path="src")], edit("/project/src/a"), ASKED),
    ("allow knows case", [rule("allow", path="src/**")], edit("/project/SRC/a"), ASKED),
    ("name only at the top", [rule("allow", path="*.md")], edit("/project/doc/a.md"), ASKED),
    ("absolute", [rule("allow", path="/project/src/**")], edit("/project/src/a"), ALLOWED),
    ("symlink out", [rule("allow", path="**")], edit("/project/link/x"), ASKED),
    (
        "symlinked pattern",
        [rule("allow", path="/project/link/**")],
        edit("/project/link/x"),
        ALLOWED,
    ),
    ("tilde", [rule("allow", path="**")], edit("~/x"), ASKED),
    ("file uri", [rule("allow", path="src/**")], edit("file:///project/src/a%20b"), ALLOWED),
    (
        "uri of bytes",
        [rule("allow", path="src/\udcff*")],
        edit("file:///project/src/%FFa"),
        ALLOWED,
    ),
    ("encoded uri", [rule("allow", path="**")], edit("file:///project/a%00b"), ASKED),
    ("climbing uri", [rule("allow", path="**")], edit("file:///project/%2e%2e/b"), ASKED),
    (
        "what only the patch touches",
        [rule("allow", path="src/**")],
        call(
            kind="edit",
            content=[
                {
                    "type": "diff",
                    "changes": [{"operation": "modify", "path": "/project/src/a"}],
                    "patch": {
                        "format": "git_patch",
                        "text": "diff --git a/src/a b/src/a\n--- a/src/a\n+++ b/src/a\n"
                        "@@ -1 +1 @@\n-a\n+b\n"
                        "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
                    },
                }
            ],
        ),
        ASKED,
    ),
    (
        "a patch in an unknown format",
        [rule("allow", path="src/**")],
        call(
            kind="edit",
            content=[
                {
                    "type": "diff",
                    "changes": [{"operation": "modify", "path": "/project/src/a"}],
                    "patch": {"format": "_other", "text": "x"},
                }
            ],
        ),
        ASKED,
    ),
    (
        "a diff without changes",
        [rule("allow", path="src/**")],
        call(
            kind="edit",
            locations=[{"path": "/project/src/a"}],
            content=[{"type": "diff", "changes": []}],
        ),
        ASKED,
    ),
    (
        "hidden too deep to be looked at",
        [rule("allow", path="src/**")],
        call(
            kind="edit",
            locations=[{"path": "/project/src/a"}],
            rawInput={"a": {"b": {"c": {"d": {"e": {"f": {"path": "/etc/x"}}}}}}},
        ),
        ASKED,
    ),
    (
        "too many paths",
        [rule("allow", path="src/**")],
        edit(*(f"/project/src/{n}" for n in range(2001))),
        ASKED,
    ),
    (
        "changes by name",
        [rule("allow", path="src/**")],
        call(
            kind="edit",
            locations=[{"path": "/project/src/a"}],
            rawInput={"changes": {"/etc/x": {"type": "update"}}},
        ),
        ASKED,
    ),
    ("foreign uri", [rule("allow", path="**")], edit("file://host/project/a"), ASKED),
    ("web address", [rule("allow", path="**")], call(rawInput={"uri": "https://x/y"}), ASKED),
    ("control in path", [rule("allow", path="**")], edit("/project/a\nb"), ASKED),
    ("no path", [rule("allow", path="**")], call(kind="edit"), ASKED),
    (
        "hidden in raw input",
        [rule("allow", path="src/**")],
        call(
            kind="edit",
            locations=[{"path": "/project/src/a"}],
            rawInput={"edits": [{"file_path": "/etc/passwd"}]},
        ),
        ASKED,
    ),
    (
        "a path rule covers no command",
        [rule("allow", path="src/**")],
        call(kind="execute", locations=[{"path": "/project/src/a"}], rawInput={"command": "rm x"}),
        ASKED,
    ),
    (
        "both ends of a move",
        [rule("allow", path="src/**")],
        call(
            kind="move",
            content=[
                {
                    "type": "diff",
                    "changes": [
                        {"operation": "move", "oldPath": "/project/x", "path": "/project/src/x"}
                    ],
                }
            ],
        ),
        ASKED,
    ),
    (
        "an unknown change",
        [rule("allow", path="src/**")],
        call(
            kind="edit",
            locations=[{"path": "/project/src/a"}],
            content=[
                {"type": "diff", "changes": [{"operation": "_melt", "path": "/project/src/x"}]}
            ],
        ),
        ASKED,
    ),
    ("command elsewhere", [rule("allow", command="make *")], command("make x", "/etc"), ASKED),
    ("command anywhere unknown", [rule("allow", command="make *")], command("make", "~"), ASKED),
    (
        "command at a named place",
        [rule("allow", command="make *", path="/etc/**")],
        command("make x", "/etc/a"),
        ALLOWED,
    ),
    (
        "command at another place than the named one",
        [rule("allow", command="make *", path="/etc/**")],
        command("make x", "/usr/a"),
        ASKED,
    ),
    (
        "command in the workspace, with a place named as well",
        [rule("allow", command="make *", path="/etc/**")],
        command("make x"),
        ALLOWED,
    ),
    ("everything stays inside", [rule("allow")], edit("/project/a", "/elsewhere/b"), ASKED),
    ("a kind stays inside", [rule("allow", kind="edit")], edit("/elsewhere/b"), ASKED),
    ("kind at a named place", [rule("allow", kind="edit", path="/**")], edit("/x/b"), ALLOWED),
    ("agent", [rule("allow", agent="cl*")], command("x"), ALLOWED),
    ("other agent", [rule("allow", agent="codex")], command("x"), ASKED),
    ("subject", [rule("allow", subject="command")], command("x"), ALLOWED),
    ("other subject", [rule("allow", subject="command")], call(kind="read"), ASKED),
    ("unknown subject", [rule("allow")], {"type": "_new", "x": 1}, ASKED),
    ("no subject", [rule("allow")], None, ASKED),
    ("deny without subject", [rule("deny")], None, DENIED),
    ("deny first", [rule("deny", command="rm *"), rule("allow")], command("rm -rf x"), DENIED),
    ("deny after", [rule("allow"), rule("deny", command="rm *")], command("rm -rf x"), ALLOWED),
    ("ask first", [rule("ask", kind="execute"), rule("allow")], command("x"), ASKED),
    ("deny in doubt", [rule("deny", command="rm *"), rule("allow")], command("a; rm x"), ASKED),
    ("deny any case", [rule("deny", command="rm *"), rule("allow")], command("RM x"), DENIED),
    ("deny by path", [rule("deny", command="rm *"), rule("allow")], command("/bin/rm x"), DENIED),
    ("deny within", [rule("deny", command="rm *"), rule("allow")], command("sudo rm x"), ASKED),
    (
        "deny in a script",
        [rule("deny", command="rm *"), rule("allow")],
        command("sh -c 'rm x'"),
        ASKED,
    ),
    ("not denied", [rule("deny", command="rm *"), rule("allow")], command("ls rmdir"), ALLOWED),
    (
        "deny a command that is not told",
        [rule("deny", command="rm *"), rule("allow")],
        call(kind="execute", title="git status"),
        ASKED,
    ),
    (
        "deny one path",
        [rule("deny", path="secret/**")],
        edit("/project/a", "/project/secret/x"),
        DENIED,
    ),
    ("deny below", [rule("deny", path="secret")], edit("/project/secret/x/y"), DENIED),
    ("deny any case of path", [rule("deny", path="secret/**")], edit("/project/Secret/x"), DENIED),
    ("deny a name anywhere", [rule("deny", path=".env")], edit("/project/a/b/.env"), DENIED),
    ("deny outside", [rule("deny", path="**/.env")], edit("/other/.env"), DENIED),
    ("deny by link", [rule("deny", path="/outside/**")], edit("/project/link/x"), DENIED),
    (
        "deny path, none known",
        [rule("deny", path="secret/**"), rule("allow")],
        call(kind="edit"),
        ASKED,
    ),
    (
        "deny path, one in doubt",
        [rule("deny", path="secret/**"), rule("allow")],
        edit("/project/a", "~/x"),
        ASKED,
    ),
    (
        "deny path in a command",
        [rule("deny", path="secret/**"), rule("allow")],
        command("cat --file=secret/x"),
        ASKED,
    ),
    (
        "deny path of a program",
        [rule("deny", path="secret/**"), rule("allow")],
        command("secret/run.sh"),
        ASKED,
    ),
    (
        "deny path by its folder",
        [rule("deny", path="secret/**"), rule("allow")],
        command("rm -rf secret"),
        ASKED,
    ),
    (
        "deny path, harmless command",
        [rule("deny", path="secret/**"), rule("allow")],
        command("git status -s"),
        ALLOWED,
    ),
    (
        "deny path, doubtful command",
        [rule("deny", path="secret/**"), rule("allow")],
        command("cat $X"),
        ASKED,
    ),
    (
        "deny by kind shown",
        [rule("deny", kind="execute")],
        call(kind="read", rawInput={"command": "ls"}),
        DENIED,
    ),
    (
        "deny kind of unknown subject",
        [rule("deny", kind="execute"), rule("allow")],
        {"type": "_new"},
        ASKED,
    ),
    (
        "two commands",
        [rule("allow", command="ls *")],
        call(kind="execute", rawInput={"command": "ls", "script": "rm x"}),
        ASKED,
    ),
    (
        "argv of a shell",
        [rule("allow", command="python3 *")],
        call(kind="execute", rawInput={"command": ["/bin/bash", "-lc", "python3 hello.py"]}),
        ALLOWED,
    ),
    (
        "program and arguments",
        [rule("allow", command="ls -a")],
        call(kind="execute", rawInput={"command": "ls", "args": ["-a"]}),
        ALLOWED,
    ),
    (
        "hidden arguments",
        [rule("allow", command="ls")],
        call(kind="execute", rawInput={"command": "ls", "args": ["; rm x"]}),
        ASKED,
    ),
]


@pytest.mark.parametrize(
    ("rules", "subject", "answers"),
    [case[1:] for case in CASES],
    ids=[case[0] for case in CASES],
)
def test_rules_decide_on_what_is_verified(
    rules: list[Json], subject: Json, answers: list[str]
) -> None:
    world = World(rules)
    world.workspace.links["/project/link"] = "/outside"
    assert world.ask(subject).answers == answers
    assert bool(world.editor.questions) is (answers == ASKED)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("pattern", ["git *", "git status *", "*", "**", "* *", "git ** *"])
def test_no_command_glob_allows_a_command_in_doubt(pattern: str, text: str) -> None:
    assert World([rule("allow", command=pattern)]).ask(command(text)).answers == ASKED


def option(option_id: str, kind: str) -> Json:
    return {"optionId": option_id, "name": option_id, "kind": kind}


OPTION_CASES: list[tuple[str, str, list[Json], list[str | None]]] = [
    ("once, not always", "allow", [option("a", "allow_always"), option("b", "allow_once")], ["b"]),
    ("never always", "allow", [option("a", "allow_always"), option("n", "reject_once")], []),
    ("first of two", "allow", [option("a", "allow_once"), option("b", "allow_once")], ["a"]),
    ("unknown kind", "allow", [option("a", "_allow_once"), option("b", "allow")], []),
    ("ambiguous id", "allow", [option("a", "allow_once"), option("a", "reject_once")], []),
    (
        "reject once first",
        "deny",
        [option("a", "reject_always"), option("b", "reject_once"), option("c", "reject_once")],
        ["b"],
    ),
    ("else reject always", "deny", [option("a", "reject_always")], ["a"]),
    ("else cancel", "deny", [option("a", "allow_once")], [None]),
    ("unknown kinds", "deny", [option("a", "_reject")], [None]),
    (
        "ambiguous id, other kind",
        "deny",
        [option("a", "reject_once"), option("a", "allow_once")],
        [None],
    ),
]


@pytest.mark.parametrize(
    ("do", "options", "answers"),
    [case[1:] for case in OPTION_CASES],
    ids=[case[0] for case in OPTION_CASES],
)
def test_the_option_a_rule_chooses(do: str, options: list[Json], answers: list[str | None]) -> None:
    world = World([{"do": do}])
    assert world.ask(command("x"), options=options).answers == answers


def test_the_decision_is_told_with_its_rule() -> None:
    world = World([rule("deny", kind="read"), rule("ask", kind="fetch"), rule("allow")])
    asked = world.ask(command("git status"), title="Run git")
    (entry,) = world.permissions.audit_view()
    assert entry["permissionId"] == asked.permission_id
    assert (entry["outcome"], entry["optionId"], entry["optionKind"]) == (
        "selected",
        "yes",
        "allow_once",
    )
    assert (entry["by"], entry["reason"]) == ("rule", "allowed by rule 3")
    assert world.editor.logs == ["Permission: Run git: allowed by rule 3."]


def test_a_rule_that_asks_is_named_in_the_prompt() -> None:
    world = World([rule("deny", command="rm *")])
    world.ask(command("true; rm x"))
    (view,) = world.permissions.view()
    assert view["reason"] == "asked, because rule 1 may apply"


def test_roots_of_an_editor_without_folders_are_the_sessions_own() -> None:
    world = World([rule("allow", path="**")])
    world.workspace.folders = []
    elsewhere = session("t", cwd="/another")
    assert world.ask(edit("/another/a"), within=elsewhere).answers == ALLOWED
    assert world.ask(edit("/project/a"), within=elsewhere).answers == ASKED


@pytest.mark.parametrize(
    ("terminal", "answers"),
    [
        ({"command": "cat x", "cwd": "/project"}, ALLOWED),
        ({"command": "rm x", "cwd": "/project"}, ASKED),
        ({"command": "cat x", "cwd": "/project/secret"}, ASKED),
    ],
)
def test_a_terminal_of_the_call_may_not_tell_otherwise(terminal: Json, answers: list[str]) -> None:
    world = World([rule("deny", path="secret/**"), rule("allow", command="cat *")])
    update = TerminalUpdate.model_validate({"terminalId": "t", **terminal})
    reducer.apply(world.session, update)
    shown = call(
        kind="execute",
        rawInput={"command": "cat x", "cwd": "/project"},
        content=[{"type": "terminal", "terminalId": "t"}],
    )
    assert world.ask(shown).answers == answers


def test_the_call_as_the_session_knows_it_counts_too() -> None:
    """A request that names only an id is about all that was announced before."""
    world = World([rule("allow", kind="edit", path="src/**")])
    for path, answers in [("/project/src/a", ALLOWED), ("/project/secret", ASKED)]:
        world.ask(edit(path, call_id="c9"), options=[])
        assert world.ask(call("c9")).answers == answers


def test_a_drive_is_no_path_where_paths_begin_with_a_slash() -> None:
    """There it would count as relative to wherever the sidecar runs, perhaps inside a root."""
    world = World([rule("allow", path="**")])
    world.workspace.resolve = lambda path: posixpath.join("/project", path)  # type: ignore[method-assign]  # as a system does
    assert world.ask(edit("C:\\a")).answers == ASKED
    assert world.ask(edit("/project/a")).answers == ALLOWED


def test_a_session_on_windows() -> None:
    world = World([rule("allow", path="src/**"), rule("allow", command="git 'log' *")])
    world.workspace.folders = ["C:\\work"]
    world.workspace.resolve = lambda path: path  # type: ignore[method-assign]  # all real
    there = session("w", cwd="C:\\work")
    assert world.ask(edit("C:\\work\\src\\a"), within=there).answers == ALLOWED
    assert world.ask(edit("src\\a"), within=there).answers == ALLOWED
    assert world.ask(edit("D:\\work\\src\\a"), within=there).answers == ASKED
    assert world.ask(edit("/project/src/a"), within=there).answers == ASKED
    assert world.ask(command("git log -1", "C:\\work"), within=there).answers == ALLOWED
    assert world.ask(command("git 'log' -1", "C:\\work"), within=there).answers == ASKED


PATHS = [
    ("**", "/project", True),
    ("**", "/project/a/b", True),
    ("a/**/z", "/project/a/z", True),
    ("a/**/z", "/project/a/b/c/z", True),
    ("a/**/z", "/project/a/b/c/y", False),
    ("a?.py", "/project/ab.py", True),
    ("a[bc].py", "/project/ac.py", True),
    ("a[[]1]", "/project/a[1]", True),
    ("src/", "/project/src/a/b", True),
    (".*", "/project/.env", True),
    ("*", "/project/a\nb", True),
    ("C:\\w\\**", "C:\\w\\a\\b", True),
    ("C:/w/*.py", "C:\\w\\a.py", True),
]


@pytest.mark.parametrize(("pattern", "path", "expected"), PATHS)
def test_path_globs(pattern: str, path: str, expected: bool) -> None:
    found = path_matches(pattern, path, ["/project"], lambda each: each, broad=False)
    assert found is expected


WORDS = [
    ("git", "git", True),
    ("git", "git status", False),
    ("git *", "git", True),
    ("git * x", "git a x", True),
    ("git * x", "git a b x", False),
    ("git ** x", "git a b x", True),
    ("git ** x", "git x", True),
    ("git 'a b'", "git a b", False),
    ("npm run test:*", "npm run test:unit", True),
    ("npm run test:*", "npm run build", False),
    ("**", "", True),
]


@pytest.mark.parametrize(("pattern", "words", "expected"), WORDS)
def test_word_globs(pattern: str, words: str, expected: bool) -> None:
    assert words_match(pattern, words.split()) is expected


def test_globs_do_not_run_away() -> None:
    """Many stars cost their product with the words, not a power of it."""
    assert not words_match(" ".join(["**"] * 200) + " z", ["a"] * 2000)
    assert not path_matches(
        "**/" * 200 + "z", "/project" + "/a" * 2000, ["/project"], str, broad=False
    )
