"""`fs/*` of ACP v1 on the whole line: what agents are given, and what becomes of what they send."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.client_requests import READ, WRITE, answers, asked, asking
from tests.e2e.faulty import faulty
from tests.harness import BARE, DISMISS, NEVER, Answers

Json = dict[str, Any]

pytestmark = pytest.mark.e2e

FILE = "first\nsecond\nthird\nfourth\nfifth\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "a project"
    folder.mkdir()
    (folder / "file.txt").write_text(FILE, encoding="utf-8")
    return folder


@pytest.fixture
def path(root: Path) -> str:
    return str(root / "file.txt")


def text_of(path: Path | str) -> str:
    return Path(path).read_text(encoding="utf-8")


def names_in(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def set_mode(path: str, mode: int) -> None:
    Path(path).chmod(mode)


def mode_of(path: str) -> int:
    return Path(path).stat().st_mode & 0o777


def code(answer: Json) -> int:
    found: int = answer["code"]
    return found


async def test_reads_give_the_disk_or_what_is_not_saved(root: Path, path: str) -> None:
    async with faulty(root, "asks_client") as editor:
        (closed,) = await asked(editor, [READ, {"path": path}])
        document = await editor.open(root / "file.txt")
        await editor.change(document, "typed\n" + FILE)
        (typed,) = await asked(editor, [READ, {"path": path}])
        await editor.close(document)
        (closed_again,) = await asked(editor, [READ, {"path": path}])
    assert (closed, typed) == ({"content": FILE}, {"content": "typed\n" + FILE})
    assert closed_again == closed


async def test_lines_and_limits(root: Path, path: str) -> None:
    wanted: list[tuple[Json, str]] = [
        ({"line": 2, "limit": 2}, "second\nthird\n"),
        ({"line": 4}, "fourth\nfifth\n"),
        ({"limit": 1}, "first\n"),
        ({"line": 0, "limit": 1}, "first\n"),
        ({"line": 5, "limit": 2**64 - 1}, "fifth\n"),
        ({"line": 6}, ""),
        ({"line": 2**64 - 1, "limit": 7}, ""),
        ({"line": 2, "limit": 0}, ""),
        ({"line": None, "limit": None}, FILE),
    ]
    async with faulty(root, "asks_client") as editor:
        found = await asked(editor, *([READ, {"path": path, **more}] for more, _ in wanted))
    assert [each["content"] for each in found] == [text for _, text in wanted]


async def test_a_read_is_followed_to_its_line(root: Path, path: str) -> None:
    async with faulty(root, "asks_client") as editor:
        await asked(editor, [READ, {"path": path, "line": 3, "limit": 2}])
        shown = await editor.until_sent("window/showDocument")
        assert shown["uri"] == Path(path).as_uri()
        assert shown["selection"]["start"]["line"] == 2
        trail = (await editor.state())["trail"]
    assert [(place["path"], place["kind"]) for place in trail] == [(path, "read")]


async def test_what_cannot_be_read_is_told(root: Path, path: str) -> None:
    (root / "binary").write_bytes(b"\x00\x01\x02")
    (root / "loop").symlink_to(root / "loop")
    asks: list[tuple[str, int]] = [
        (str(root / "missing.txt"), -32002),
        (str(root), -32603),
        (str(root / "binary"), -32603),
        (path + "/below", -32603),
        ("file.txt", -32602),
        ("../file.txt", -32602),
        ("~/file.txt", -32602),
        ("C:\\file.txt", -32602),
        ("", -32602),
        (str(root / "a\x00b"), -32602),
    ]
    async with faulty(root, "asks_client") as editor:
        found = await asked(editor, *([READ, {"path": each}] for each, _ in asks))
    assert [code(each) for each in found] == [wanted for _, wanted in asks]
    assert found[0]["message"].startswith("Resource not found: ")
    assert "is a directory" in found[1]["message"]
    assert "is not text" in found[2]["message"]


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfwith a mark\r\nand windows\r\n",
        "ünïcode\nas it is\n".encode("utf-16"),
        b"latin-1 \xe9\xe8\nno utf-8\n",
        b"no last newline",
        b"mixed\r\nendings\nhere\r",
        "form\ffeed\x85nel\u2028ls\n".encode(),
        b"",
    ],
)
async def test_what_is_read_can_be_sent_back_unchanged(root: Path, data: bytes) -> None:
    file = root / "some file"
    file.write_bytes(data)
    async with faulty(root, "asks_client") as editor:
        (read,) = await asked(editor, [READ, {"path": str(file)}])
        assert "\ufeff" not in read["content"]
        (wrote,) = await asked(editor, [WRITE, {"path": str(file), "content": read["content"]}])
        assert (wrote, file.read_bytes()) == ({}, data)
        more = read["content"] + "more"
        await asked(editor, [WRITE, {"path": str(file), "content": more}])
    again = file.read_bytes()
    assert again != data
    assert again.startswith(data)


async def test_line_feeds_become_the_endings_of_the_file(root: Path) -> None:
    file = root / "windows.txt"
    file.write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    async with faulty(root, "asks_client") as editor:
        content = "\ufeffone\nTWO\n"
        await asked(editor, [WRITE, {"path": str(file), "content": content}])
        assert file.read_bytes() == b"\xef\xbb\xbfone\r\nTWO\r\n"
        new = root / "new.txt"
        await asked(editor, [WRITE, {"path": str(new), "content": "é\r\nas given"}])
    assert new.read_bytes() == "é\r\nas given".encode()


async def test_characters_that_the_encoding_has_not_are_refused(root: Path) -> None:
    file = root / "latin.txt"
    file.write_bytes(b"caf\xe9\n")
    async with faulty(root, "asks_client") as editor:
        (answer,) = await asked(editor, [WRITE, {"path": str(file), "content": "caf\xe9 \u20ac\n"}])
    assert code(answer) == -32603
    assert "not UTF-8" in answer["message"]
    assert file.read_bytes() == b"caf\xe9\n"


async def test_a_new_file_gets_its_folders_and_is_reviewed(root: Path) -> None:
    new = root / "deep" / "er" / "new.py"
    async with faulty(root, "asks_client") as editor:
        assert await asked(editor, [WRITE, {"path": str(new), "content": "x = 1\n"}]) == [{}]
        (change_set,) = (await editor.state())["changeSets"]
        (file,) = change_set["files"]
        assert (file["operation"], file["path"]) == ("add", str(new))
        await editor.command("acp.review.reject", {"changeSet": change_set["changeSet"]})
    assert not new.exists()


async def test_mode_and_links_stay(root: Path, path: str) -> None:
    link = root / "link.txt"
    link.symlink_to("file.txt")
    set_mode(path, 0o750)
    async with faulty(root, "asks_client") as editor:
        await asked(editor, [WRITE, {"path": str(link), "content": "new\n"}])
    assert link.is_symlink()
    assert text_of(path) == "new\n"
    assert mode_of(path) == 0o750
    assert names_in(root) == ["file.txt", "link.txt"]


async def test_a_read_only_file_is_not_written(root: Path, path: str) -> None:
    set_mode(path, 0o444)
    async with faulty(root, "asks_client") as editor:
        (answer,) = await asked(editor, [WRITE, {"path": path, "content": "new\n"}])
    assert (code(answer), "read-only" in answer["message"]) == (-32603, True)
    assert text_of(path) == FILE


# --- open buffers ---------------------------------------------------------------------------------


async def test_a_clean_buffer_is_edited_and_the_disk_has_it_too(root: Path, path: str) -> None:
    wanted = FILE.replace("third", "THIRD")
    async with faulty(root, "asks_client") as editor:
        document = await editor.open(root / "file.txt")
        assert await asked(editor, [WRITE, {"path": path, "content": wanted}]) == [{}]
        (edit,) = editor.sent("workspace/applyEdit")
        (change,) = edit["edit"]["documentChanges"]
        assert change["textDocument"]["version"] == 1
        assert [each["newText"] for each in change["edits"]] == ["THIRD\n"]
        assert document.text == wanted
        assert text_of(path) == wanted
        (change_set,) = (await editor.state())["changeSets"]
        (file,) = change_set["files"]
        assert len(file["hunks"]) == 1
        await editor.command("acp.review.reject", {"changeSet": change_set["changeSet"]})
        assert document.text == FILE


async def test_what_the_user_typed_is_kept_and_stays_unsaved(root: Path, path: str) -> None:
    async with faulty(root, "asks_client") as editor:
        document = await editor.open(root / "file.txt")
        await asked(editor, [READ, {"path": path}])
        await editor.change(document, FILE.replace("first", "the user's"))
        content = FILE.replace("fifth", "the agent's")
        assert await asked(editor, [WRITE, {"path": path, "content": content}]) == [{}]
        both = content.replace("first", "the user's")
        assert document.text == both
        assert text_of(path) == FILE
        (read,) = await asked(editor, [READ, {"path": path}])
        assert read["content"] == both


async def test_a_write_over_what_the_user_typed_is_refused_until_it_was_read(
    root: Path, path: str
) -> None:
    async with faulty(root, "asks_client") as editor:
        document = await editor.open(root / "file.txt")
        typed = FILE.replace("third", "the user's")
        await editor.change(document, typed)
        content = FILE.replace("third", "the agent's")
        (refused,) = await asked(editor, [WRITE, {"path": path, "content": content}])
        assert code(refused) == -32603
        assert "read it again" in refused["message"]
        assert document.text == typed
        await asked(editor, [READ, {"path": path}], [WRITE, {"path": path, "content": content}])
        assert document.text == content
    assert text_of(path) == FILE


async def test_a_stale_edit_is_made_anew_while_the_user_types(root: Path, path: str) -> None:
    async with faulty(root, "asks_client") as editor:
        document = await editor.open(root / "file.txt")
        apply = editor.handlers["workspace/applyEdit"]

        async def typing(params: Json) -> Any:
            editor.handlers["workspace/applyEdit"] = apply
            await editor.change(document, "typed\n" + document.text)
            return await apply(params)

        await asked(editor, [READ, {"path": path}])
        editor.handlers["workspace/applyEdit"] = typing
        content = FILE.replace("fifth", "the agent's")
        assert await asked(editor, [WRITE, {"path": path, "content": content}]) == [{}]
        assert document.text == "typed\n" + content
        assert len(editor.sent("workspace/applyEdit")) == 2


async def test_an_editor_that_refuses_or_lies_is_told_to_the_agent(root: Path, path: str) -> None:
    async with faulty(root, "asks_client") as editor:
        document = await editor.open(root / "file.txt")
        for answer in ({"applied": False, "failureReason": "locked"}, {"applied": True}):

            async def refuse(_params: Json, answer: Json = answer) -> Json:
                return answer

            editor.handlers["workspace/applyEdit"] = refuse
            (refused,) = await asked(editor, [WRITE, {"path": path, "content": "new\n"}])
            assert code(refused) == -32603
            assert ("locked" if "failureReason" in answer else "does not show it") in refused[
                "message"
            ]
        assert document.text == FILE
    assert text_of(path) == FILE


async def test_without_apply_edit_clean_files_are_written_and_dirty_ones_refused(
    root: Path, path: str
) -> None:
    async with faulty(root, "asks_client", capabilities=BARE) as editor:
        document = await editor.open(root / "file.txt")
        assert await asked(editor, [WRITE, {"path": path, "content": "new\n"}]) == [{}]
        assert text_of(path) == "new\n"
        # The editor has not read it again yet; nobody has typed there.
        (read,) = await asked(editor, [READ, {"path": path}])
        assert read == {"content": "new\n"}
        await editor.change(document, "typed\n")
        (refused,) = await asked(editor, [WRITE, {"path": path, "content": "newer\n"}])
        assert (code(refused), "unsaved" in refused["message"]) == (-32603, True)
        assert editor.sent("workspace/applyEdit") == []
    assert text_of(path) == "new\n"


async def test_a_file_that_changed_on_disk_is_merged_or_refused(root: Path, path: str) -> None:
    async with faulty(root, "asks_client") as editor:
        await asked(editor, [READ, {"path": path}])
        (root / "file.txt").write_text(FILE.replace("first", "elsewhere"), encoding="utf-8")
        content = FILE.replace("fifth", "the agent's")
        assert await asked(editor, [WRITE, {"path": path, "content": content}]) == [{}]
        merged = content.replace("first", "elsewhere")
        assert text_of(path) == merged
        content = content.replace("first", "the agent's")
        (refused,) = await asked(editor, [WRITE, {"path": path, "content": content}])
        assert code(refused) == -32603
    assert text_of(path) == merged


async def test_a_write_that_a_call_tells_too_is_not_shown_twice(root: Path, path: str) -> None:
    wanted = FILE.replace("third", "THIRD")
    call = {"toolCallId": "c", "title": "Edit", "kind": "edit", "status": "completed"}
    diff = {"type": "diff", "path": path, "oldText": FILE, "newText": wanted}
    update = {"sessionUpdate": "tool_call", **call, "content": [diff]}
    async with faulty(root, "asks_client") as editor:
        await asked(editor, [WRITE, {"path": path, "content": wanted}], [{"update": update}])
        lenses = await editor.connection.request(
            "textDocument/codeLens", {"textDocument": {"uri": Path(path).as_uri()}}
        )
        sets = (await editor.state())["changeSets"]
    assert [len(each["files"][0]["hunks"]) for each in sets if each["toolCallId"]] == [1]
    assert len({lens["command"]["command"] for lens in lenses}) == len(lenses)
    assert text_of(path) == wanted


# --- permission -----------------------------------------------------------------------------------


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    file = tmp_path / "outside.txt"
    file.write_text("secret\n", encoding="utf-8")
    return file


async def test_outside_the_workspace_the_user_is_asked(root: Path, outside: Path) -> None:
    (root / "way out").symlink_to(outside)
    steps = [[READ, {"path": str(each)}] for each in (outside, root / "way out")]
    async with faulty(root, "asks_client") as editor:
        editor.answers = Answers("Allow", "Reject", DISMISS)
        allowed, rejected = await asked(editor, *steps)
        (dismissed,) = await asked(editor, [WRITE, {"path": str(outside), "content": "x"}])
        prompts = editor.sent("window/showMessageRequest")
    assert allowed == {"content": "secret\n"}
    assert (code(rejected), code(dismissed)) == (-32603, -32800)
    assert all("outside" in prompt["message"] for prompt in prompts)
    assert text_of(outside) == "secret\n"


async def test_rules_decide_outside_and_inside(root: Path, outside: Path, path: str) -> None:
    rules = [
        {"do": "deny", "match": {"path": "**/.env"}},
        {"do": "allow", "match": {"path": str(outside), "kind": "read"}},
    ]
    (root / ".env").write_text("KEY=1", encoding="utf-8")
    (root / "innocent.txt").symlink_to(".env")
    steps = [
        [READ, {"path": str(root / ".env")}],
        [READ, {"path": str(root / "innocent.txt")}],
        [WRITE, {"path": str(root / ".env"), "content": "KEY=2"}],
        [READ, {"path": str(outside)}],
        [READ, {"path": path}],
    ]
    permissions = {"rules": rules, "inert": 0}
    async with faulty(root, "asks_client", permissions=permissions) as editor:
        *denied, allowed, inside = await asked(editor, *steps)
        assert editor.sent("window/showMessageRequest") == []
    assert [code(each) for each in denied] == [-32603] * 3
    assert (allowed, inside) == ({"content": "secret\n"}, {"content": FILE})
    assert text_of(root / ".env") == "KEY=1"


async def test_what_was_allowed_just_now_is_not_asked_twice(root: Path, outside: Path) -> None:
    call = {"toolCallId": "c", "title": "Edit", "kind": "edit"}
    options = [{"optionId": "yes", "name": "Yes", "kind": "allow_once"}]
    asks = {"toolCall": {**call, "locations": [{"path": str(outside)}]}, "options": options}
    write = [WRITE, {"path": str(outside), "content": "allowed\n"}]
    async with faulty(root, "asks_client") as editor:
        editor.answers = Answers("Yes", "Reject")
        _, wrote = await asked(editor, ["session/request_permission", asks], write)
        assert wrote == {}
        (again,) = await asked(editor, write)  # another turn: it is asked anew
    assert code(again) == -32603
    assert text_of(outside) == "allowed\n"


async def test_cancelled_while_asked_nothing_is_written(root: Path, outside: Path) -> None:
    async with faulty(root, "asks_client") as editor:
        editor.answers = Answers(NEVER)
        session = await asking(editor, [WRITE, {"path": str(outside), "content": "x"}])
        await editor.until_sent("window/showMessageRequest")
        await editor.command("acp.cancel", {"sessionId": session})
        await editor.idle(session)
        assert (await editor.state())["permissions"] == []
    assert text_of(outside) == "secret\n"


async def test_taken_back_while_asked_nothing_is_written(root: Path, outside: Path) -> None:
    take_back = [{"method": "$/cancel_request", "params": {"requestId": 1}}]
    steps = [["later", WRITE, {"path": str(outside), "content": "x"}], take_back]
    async with faulty(root, "asks_client") as editor:
        editor.answers = Answers(NEVER)
        (answer,) = await asked(editor, *steps)
        assert (await editor.state())["permissions"] == []
    assert code(answer) == -32800
    assert text_of(outside) == "secret\n"


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
async def test_a_link_that_is_turned_while_the_user_is_asked(root: Path, outside: Path) -> None:
    other = outside.with_name("other.txt")
    other.write_text("other\n", encoding="utf-8")
    link = root / "link"
    link.symlink_to(outside)

    def turn(_params: Json) -> str:
        link.unlink()
        link.symlink_to(other)
        return "Allow"

    async with faulty(root, "asks_client") as editor:
        editor.answers = Answers(turn)
        (answer,) = await asked(editor, [READ, {"path": str(link)}])
    assert "another file" in answer["message"]


# --- odd agents -----------------------------------------------------------------------------------


async def test_unknown_sessions_and_bad_requests(root: Path, path: str) -> None:
    steps = [
        [READ, {"path": path, "sessionId": "nobody's"}],
        [READ, {"path": 3}],
        [WRITE, {"path": path}],
        [READ, {"path": path, "line": -1}],
    ]
    async with faulty(root, "asks_client") as editor:
        found = await asked(editor, *steps)
    assert [code(each) for each in found] == [-32002, -32602, -32602, -32602]


async def test_many_writes_at_once_end_in_the_last(root: Path, path: str) -> None:
    async with faulty(root, "asks_client") as editor:
        document = await editor.open(root / "file.txt")
        steps = [["later", WRITE, {"path": path, "content": f"{n}\n"}] for n in range(20)]
        assert await asked(editor, *steps) == [{}] * 20
        assert document.text == "19\n"
    assert text_of(path) == "19\n"
    assert names_in(root) == ["file.txt"]  # no temporary files are left


def test_the_helper_finds_the_last_answers() -> None:
    message = {"role": "agent", "content": [{"text": "[1]"}, {"text": '[{"a": "]"}]'}]}
    assert answers({"messages": [message]}) == [{"a": "]"}]
