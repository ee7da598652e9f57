"""Files as the user sees them. Whatever is at a path, reading it neither raises nor blocks."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from lsprotocol import types

from acp_sidecar.lsp.documents import Documents
from acp_sidecar.lsp.folders import Folders, folders_of
from acp_sidecar.lsp.workspace import EditorWorkspace


@pytest.fixture
def workspace() -> EditorWorkspace:
    return EditorWorkspace(Documents(), max_file_size=100)


def test_a_file_is_read_with_its_text_as_it_is(workspace: EditorWorkspace, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"a\r\nb\xe2\x80\xa8c\x0cd")
    read = workspace.read(str(path))
    assert (read.text, read.version, read.reason) == ("a\r\nb\u2028c\x0cd", None, "")


def test_an_open_buffer_comes_before_the_disk(workspace: EditorWorkspace, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("disk", encoding="utf-8")
    workspace.documents.open(types.TextDocumentItem(path.as_uri(), "x", 7, "buffer"))
    read = workspace.read(str(path))
    assert (read.text, read.version) == ("buffer", 7)
    assert workspace.disk(str(path)).text == "disk"
    document = workspace.document(str(path))
    assert document is not None
    assert document.text == "buffer"


@pytest.mark.parametrize(
    ("data", "reason"),
    [(b"a\0b", "binary"), (b"x" * 101, "too-large"), (b"x" * 100, "")],
)
def test_what_is_not_loaded_is_named(
    workspace: EditorWorkspace, tmp_path: Path, data: bytes, reason: str
) -> None:
    path = tmp_path / "a"
    path.write_bytes(data)
    read = workspace.read(str(path))
    assert (read.text is None, read.reason) == (bool(reason), reason)


def test_bytes_that_are_no_utf_8_are_kept(workspace: EditorWorkspace, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"caf\xe9")
    text = workspace.read(str(path)).text
    assert text is not None
    assert text.encode("utf-8", "surrogateescape") == b"caf\xe9"


@pytest.mark.parametrize("path", ["/p/a\0b", "\0", "", "x" * 5000, "/" + "y" * 5000])
def test_no_path_raises(workspace: EditorWorkspace, path: str) -> None:
    assert workspace.read(path).text is None
    assert workspace.document(path) is None
    assert isinstance(workspace.resolve(path), str)


def test_missing_and_directory(workspace: EditorWorkspace, tmp_path: Path) -> None:
    assert workspace.read(str(tmp_path / "no")).reason == "missing"
    assert workspace.read(str(tmp_path)).reason == "directory"


@pytest.mark.skipif(sys.platform == "win32", reason="no such files there")
def test_pipes_devices_and_loops_block_nobody(workspace: EditorWorkspace, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for path in (tmp_path / "pipe", Path("/dev/zero"), tmp_path / "loop"):
        assert workspace.read(str(path)).reason == "unreadable"
    assert isinstance(workspace.resolve(str(tmp_path / "loop")), str)


def test_a_path_that_cannot_be_walked(workspace: EditorWorkspace, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x")
    assert workspace.read(str(tmp_path / "a" / "b")).reason == "unreadable"


def test_roots_are_real_paths(workspace: EditorWorkspace, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    workspace.set_roots([str(tmp_path / "link")])
    assert workspace.roots() == [str((tmp_path / "real").resolve())]
    assert workspace.resolve(str(tmp_path / "link" / "x")) == str(
        (tmp_path / "real").resolve() / "x"
    )


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        (types.InitializeParams(types.ClientCapabilities()), []),
        (types.InitializeParams(types.ClientCapabilities(), root_path="/old"), ["/old"]),
        (
            types.InitializeParams(
                types.ClientCapabilities(), root_uri="file:///u", root_path="/old"
            ),
            ["/u"],
        ),
        (
            types.InitializeParams(
                types.ClientCapabilities(),
                root_uri="file:///u",
                workspace_folders=[
                    types.WorkspaceFolder("file:///b%20c", "b"),
                    types.WorkspaceFolder("vscode-vfs://x/y", "virtual"),
                    types.WorkspaceFolder("file:///a", "a"),
                ],
            ),
            ["/b c", "/a"],
        ),
    ],
)
def test_folders_in_the_editors_order(params: types.InitializeParams, expected: list[str]) -> None:
    assert folders_of(params) == expected


def folder(path: Path) -> types.WorkspaceFolder:
    return types.WorkspaceFolder(path.as_uri(), path.name)


def test_sessions_work_in_the_folder_of_their_document_and_folders_come_and_go(
    tmp_path: Path,
) -> None:
    one, two, inner = tmp_path / "one", tmp_path / "two", tmp_path / "two" / "inner"
    params = types.InitializeParams(types.ClientCapabilities())
    params.workspace_folders = [folder(one), folder(two)]
    folders = Folders(params)
    assert folders.default() == str(one)
    assert folders.default((two / "a.py").as_uri()) == str(two)
    assert folders.default((tmp_path / "two-and-a-half" / "a.py").as_uri()) == str(one)
    assert folders.others(str(one)) == [str(two)]
    folders.change(types.WorkspaceFoldersChangeEvent([folder(inner), folder(two)], [folder(one)]))
    assert folders.paths == [str(two), str(inner)]
    assert folders.default((inner / "a.py").as_uri()) == str(inner)


def test_without_a_folder_sessions_work_where_the_sidecar_was_started() -> None:
    folders = Folders(types.InitializeParams(types.ClientCapabilities()))
    assert (folders.paths, folders.default()) == ([], str(Path.cwd()))
