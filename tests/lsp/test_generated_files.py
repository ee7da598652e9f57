"""Documents of ours for editors that know only files."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from acp_sidecar.errors import EnvironmentProblem
from acp_sidecar.lsp.generated import GeneratedFiles


def test_a_document_can_be_read_and_not_written() -> None:
    files = GeneratedFiles()
    path = Path(files.write("change-1.diff", "a\r\n\u2028\ud800"))
    assert path.read_bytes() == b"a\r\n\xe2\x80\xa8?"
    assert stat.S_IMODE(path.stat().st_mode) == 0o400
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    files.remove()
    assert not path.parent.exists()


def test_the_same_name_is_written_over() -> None:
    files = GeneratedFiles()
    first, second = files.write("a.md", "1"), files.write("a.md", "2")
    assert first == second
    assert Path(second).read_text(encoding="utf-8") == "2"
    files.remove()


@pytest.mark.parametrize(
    "name", ["../../x.md", "/etc/x.md", "a\0b.md", "é/\u202e.md", "x" * 5000 + ".md"]
)
def test_no_name_leaves_the_directory(name: str) -> None:
    files = GeneratedFiles()
    path = files.write(name, "text")
    assert files.holds(path)
    assert Path(path).resolve().parent == Path(files.write("b.md", "")).resolve().parent
    assert path.endswith(".md")
    files.remove()


def test_long_names_that_differ_are_different_files() -> None:
    files = GeneratedFiles()
    paths = {files.write(f"transcript-{'x' * 500}{end}.md", end) for end in "ab"}
    assert len(paths) == 2
    files.remove()


def test_what_it_holds() -> None:
    files = GeneratedFiles()
    assert not files.holds("/tmp/a.md")  # noqa: S108 - not used
    files.remove()
    path = files.write("a.md", "")
    assert files.holds(path)
    assert not files.holds(str(Path(path).parent))
    files.remove()
    assert not files.holds(path)


def test_no_room_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    with pytest.raises(EnvironmentProblem, match="could not be written"):
        GeneratedFiles().write("a.md", "")
