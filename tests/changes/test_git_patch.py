"""Patches as git writes them, as sloppy agents write them, and as nobody should."""

from __future__ import annotations

import time
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acp_sidecar.changes.git_patch import Limits, Section, parse
from acp_sidecar.changes.hunks import Side
from tests.changes.git import Git


def only(text: str) -> Section:
    sections, problems = parse(text)
    assert not problems
    assert len(sections) == 1
    return sections[0]


def codes(section: Section) -> list[str]:
    return [problem.code for problem in section.problems]


MODIFY = "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"


@pytest.mark.parametrize(
    ("header", "old", "new"),
    [
        ("diff --git /w/f /w/f\n--- /w/f\n+++ /w/f\n", "/w/f", "/w/f"),
        ("diff --git a/f b/f\n--- a/f\n+++ b/f\n", "f", "f"),
        ("diff --git a/w/f b/w/f\nindex 1..2 100644\n--- a/w/f\n+++ b/w/f\n", "w/f", "w/f"),
        ("diff --git c/f i/f\n--- c/f\n+++ i/f\n", "f", "f"),
        ("diff --git i/f w/f\n--- i/f\n+++ w/f\n", "f", "f"),
        ("diff --git o/f w/f\n--- o/f\n+++ w/f\n", "f", "f"),
        ("diff --git 1/f 2/f\n--- 1/f\n+++ 2/f\n", "f", "f"),
        ("diff --git a/f a/f\n--- a/f\n+++ a/f\n", "a/f", "a/f"),
        ("diff --git /w/a b /w/a b\n--- /w/a b\t\n+++ /w/a b\t\n", "/w/a b", "/w/a b"),
        ("diff --git a/x b/x b/x b/x\n--- a/x b/x\t\n+++ b/x b/x\t\n", "x b/x", "x b/x"),
        (
            'diff --git "a/t\\tb" "b/t\\tb"\n--- "a/t\\tb"\n+++ "b/t\\tb"\n',
            "t\tb",
            "t\tb",
        ),
        (
            'diff --git "/w/\\303\\244\\"\\\\.py" "/w/\\303\\244\\"\\\\.py"\n'  # noqa: ISC004
            '--- "/w/\\303\\244\\"\\\\.py"\n+++ "/w/\\303\\244\\"\\\\.py"\n',
            '/w/ä"\\.py',
            '/w/ä"\\.py',
        ),
        ('diff --git "a/\\377" "b/\\377"\n--- "a/\\377"\n+++ "b/\\377"\n', "\udcff", "\udcff"),
        ("diff --git a/ä b/ä\n--- a/ä\n+++ b/ä\n", "ä", "ä"),
        ('diff --git a/x y "b/x y"\n', "x y", "x y"),
        ('diff --git "a/x y" b/x y\n', "x y", "x y"),
        ("diff --git C:\\w\\f C:\\w\\f\n--- C:\\w\\f\n+++ C:\\w\\f\n", "C:\\w\\f", "C:\\w\\f"),
        ("diff --git a/C:/w/f b/C:/w/f\n--- a/C:/w/f\n+++ b/C:/w/f\n", "C:/w/f", "C:/w/f"),
        (
            "diff --git \\\\srv\\s\\f \\\\srv\\s\\f\n--- \\\\srv\\s\\f\n+++ \\\\srv\\s\\f\n",
            "\\\\srv\\s\\f",
            "\\\\srv\\s\\f",
        ),
        ("--- a/f\n+++ b/f\n", "f", "f"),
        ("--- a/f\t2026-01-01 00:00:00\n+++ b/f\t2026-01-01 00:00:01\n", "f", "f"),
        ("diff --git a/f b/f\n", "f", "f"),
        ("diff --git a/f b/f\r\n--- a/f\r\n+++ b/f\r\n", "f", "f"),
    ],
)
def test_paths(header: str, old: str, new: str) -> None:
    section = only(header + MODIFY)
    assert (section.old, section.new, section.operation) == (old, new, "modify")
    assert len(section.hunks) == 1
    assert not section.problems


@pytest.mark.parametrize(
    ("text", "operation", "file_type", "hunks"),
    [
        ("new file mode 100644\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n", "add", "text", 1),
        ("new file mode 100644\nindex 0000000..e69de29\n", "add", "text", 0),
        (
            "deleted file mode 100644\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
            "delete",
            "text",
            1,
        ),
        ("old mode 100644\nnew mode 100755\n", "modify", "text", 0),
        ("similarity index 100%\nrename from f\nrename to g h\n", "move", "text", 0),
        ("similarity index 90%\ncopy from f\ncopy to g h\n", "copy", "text", 0),
        ("index 1..2 100644\nBinary files a/f and b/f differ\n", "modify", "binary", 0),
        (
            "index 1..2\nGIT binary patch\nliteral 3\nKc${Nk0RI\n\nliteral 0\nHc$@<O00001\n\n",
            "modify",
            "binary",
            0,
        ),
        ("new file mode 120000\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+to\n", "add", "symlink", 0),
        (
            "index 1..2 160000\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-Subproject 1\n+Subproject 2\n",
            "modify",
            "submodule",
            0,
        ),
    ],
)
def test_extended_headers(text: str, operation: str, file_type: str, hunks: int) -> None:
    section = only("diff --git a/f b/f\n" + text)
    assert (section.operation, section.file_type) == (operation, file_type)
    assert len(section.hunks) == hunks
    assert not section.problems


def test_a_rename_has_both_paths_and_its_hunks() -> None:
    section = only(
        'diff --git "a/o\\tld" b/new\nsimilarity index 80%\nrename from "o\\tld"\nrename to new\n'
        '--- "a/o\\tld"\n+++ b/new\n' + MODIFY
    )
    assert (section.old, section.new, len(section.hunks)) == ("o\tld", "new", 1)


HEAD = "diff --git a/f b/f\n--- a/f\n+++ b/f\n"


@pytest.mark.parametrize(
    ("body", "old", "new"),
    [
        ("@@ -1 +1 @@\n-a\n+b\n", ["a\n"], ["b\n"]),
        ("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n", ["a"], ["b\n"]),
        ("@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n", ["a\n"], ["b"]),
        ("@@ -1 +1 @@\n-a\n\\ Kein\n+b\n\\ Kein\n", ["a"], ["b"]),
        ("@@ -1,2 +1,2 @@\n\n-a\n+b\n", ["\n", "a\n"], ["\n", "b\n"]),
        ("@@ -1,2 +1,2 @@\n \r\n-a\r\n+b\r\n", ["\r\n", "a\r\n"], ["\r\n", "b\r\n"]),
        ("@@ -1,2 +1,2 @@\n\r\n-a\r\n+b\r\n", ["\r\n", "a\r\n"], ["\r\n", "b\r\n"]),
        ("@@ -1 +1 @@\n--- x\n+++ y\n", ["-- x\n"], ["++ y\n"]),
        ("@@ -1,2 +1,1 @@\n-@@ -1 +1 @@\n a\n", ["@@ -1 +1 @@\n", "a\n"], ["a\n"]),
        ("@@ -1 +1 @@\n-a\x0c\x85\u2028b\n+\rc\n", ["a\x0c\x85\u2028b\n"], ["\rc\n"]),
        ("@@ -1 +1 @@\n-a\n+b", ["a\n"], ["b\n"]),
        ("@@ -1 +1,2 @@ def f(): @@ x\n a\n+\u00e9\U0001f600\n", ["a\n"], ["a\n", "é😀\n"]),
    ],
)
def test_bodies(body: str, old: list[str], new: list[str]) -> None:
    section = only(HEAD + body)
    assert len(section.hunks) == 1
    assert list(section.hunks[0].side(Side.OLD)) == old
    assert list(section.hunks[0].side(Side.NEW)) == new
    assert not section.problems


GOOD = "diff --git a/good b/good\n--- a/good\n+++ b/good\n" + MODIFY


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        ("@@ -1,2 +1,9 @@\n a\n+b\n", "patch-bad-hunk"),
        ("@@ -1,999999999 +1,999999999 @@\n a\n", "patch-bad-hunk"),
        ("@@ -1,99999999999999999999 +1 @@\n a\n", "patch-bad-hunk"),
        ("@@ -1 @@\n a\n", "patch-bad-hunk"),
        ("@@ garbage\n", "patch-bad-hunk"),
        ("@@ -1,2 +1,2 @@\n a\n", "patch-bad-hunk"),
        ("@@ -1,1 +1,1 @@\n-a\n+b\n+c\n", "patch-stray-text"),
        ("@@ -1,2 +1,2 @@\n a\n*b\n", "patch-bad-hunk"),
        ("@@ -0,0 +0,0 @@\n", "patch-bad-hunk"),
        ("@@ -1,2 +1,2 @@\n a\n b\n", "patch-bad-hunk"),
        ("@@ -1,2 +1 @@\n-a\n\\ No newline at end of file\n b\n", "patch-bad-hunk"),
        ("@@ garbage\n" * 30, "patch-too-broken"),
        ("@@ -5 +5 @@\n-a\n+b\n@@ -1 +1 @@\n-a\n+b\n", "patch-disorder"),
    ],
)
def test_a_bad_section_is_named_and_the_others_are_kept(bad: str, code: str) -> None:
    sections, problems = parse(GOOD + HEAD + bad + GOOD)
    assert not problems
    assert [section.path for section in sections] == ["good", "f", "good"]
    assert code in codes(sections[1])
    assert len(sections[1].problems) < 25
    for good in (sections[0], sections[2]):
        assert len(good.hunks) == 1
        assert not good.problems


@pytest.mark.parametrize(
    "text", ["", "\n\n", "hello\n", "diff --git\n", "diff --git \n", "--- \n+++ \n", "\0"]
)
def test_what_is_no_patch_is_named(text: str) -> None:
    sections, problems = parse(text)
    assert not sections
    assert problems


def test_text_around_the_sections_is_named() -> None:
    sections, problems = parse("From: me\nSubject: x\n\n" + GOOD)
    assert len(sections) == 1
    assert [problem.code for problem in problems] == ["patch-stray-text"]


def test_several_plain_sections_and_a_line_that_looks_like_one() -> None:
    plain = "--- a/{0}\n+++ b/{0}\n@@ -1,2 +1,2 @@\n a\n--- b\n+++ c\n"
    sections, _ = parse(plain.format("f") + plain.format("g"))
    assert [section.path for section in sections] == ["f", "g"]
    assert all(len(section.hunks) == 1 for section in sections)


def test_a_nul_in_a_path_is_named() -> None:
    sections, _ = parse("diff --git a/f b/f\n--- a/f\0\n+++ b/f\n" + MODIFY)
    assert "patch-bad-path" in codes(sections[0])


def test_limits_are_kept() -> None:
    sections, problems = parse("x" * 100, Limits(characters=10))
    assert not sections
    assert [problem.code for problem in problems] == ["patch-too-large"]
    sections, problems = parse(GOOD * 10, Limits(sections=3))
    assert len(sections) == 3
    assert [problem.code for problem in problems] == ["patch-too-long"]
    many = HEAD + "".join(f"@@ -{n} +{n} @@\n-a\n+b\n" for n in range(1, 20))
    sections, problems = parse(many + GOOD, Limits(hunks=5))
    assert len(sections[0].hunks) == 5
    assert codes(sections[0]) == ["patch-too-long"]
    assert [problem.code for problem in problems] == ["patch-too-long"]


HOSTILE = {
    "files": "diff --git a/f b/f\n" * 50_000,
    "at signs": HEAD + "@@ -1 +1 @@\n" * 100_000,
    "markers": HEAD + "@@ -1 +1 @@\n" + "\\ \n" * 200_000,
    "plain headers": "--- a\n+++ b\n" * 100_000,
    "minus": "--- " * 500_000,
    "quotes": 'diff --git "' + "\\\\" * 500_000 + "\n",
    "half quotes": ("diff --git a" + ' "' * 4_900 + "\n") * 100,
    "dots": ("diff --git a" + "/." * 4_900 + " b" + "/." * 4_900 + "\n") * 50,
    "blanks": "diff --git " + " " * 1_000_000 + "\n",
    "one long line": HEAD + "@@ -1 +1 @@\n-" + "a" * 2_000_000 + "\n+b\n",
    "digits": HEAD + "@@ -" + "9" * 1_000_000 + " +1 @@\n",
    "section": HEAD + "@@ -1 +1 @@ " + "x" * 1_000_000 + "\n-a\n+b\n",
    "short hunks": HEAD + "@@ -1,900000000 +1,900000000 @@\n a\n" * 50_000,
    "surrogates": HEAD + "@@ -1 +1 @@\n-\ud800\n+\udfff\n" * 1000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_patches_cost_no_more_than_their_size(name: str) -> None:
    """Twice the text takes about twice the time, and memory stays a small multiple of it."""
    text = HOSTILE[name]
    once = _seconds(text)
    twice = _seconds(text + "\n" + text)
    assert twice < once * 6 + 0.05
    tracemalloc.start()
    parse(text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60 * len(text) + 1_000_000


def _seconds(text: str) -> float:
    best = 1e9
    for _ in range(2):
        start = time.process_time()
        parse(text)
        best = min(best, time.process_time() - start)
    return best


@settings(max_examples=300, deadline=None)
@given(
    parts=st.lists(
        st.one_of(
            st.sampled_from([*HEAD.splitlines(True), *MODIFY.splitlines(True)]),
            st.sampled_from(["rename from a\n", "rename to b\n", '"', "\\", "@@ ", "-1,2", "\n"]),
            st.text('@-+ \\\n\r\t"/a1,', max_size=12),
        ),
        max_size=25,
    )
)
def test_nothing_raises(parts: list[str]) -> None:
    sections, problems = parse("".join(parts))
    assert sections or problems
    for section in sections:
        assert section.path


def test_names_that_git_writes_itself(tmp_path: Path) -> None:
    """Renames, copies, modes, symlinks, odd names: from a real repository, with odd options."""
    git = Git(tmp_path)
    names = ["plain", "with space", "tab\tname", 'quote"s', "back\\slash", "ümläut", "new\nline"]
    names += ["a b/c d", "b/b", "x b/x"]
    for name in names:
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("one\ntwo\nthree\n" + name)
    git.run("add", "-A")
    git.run("-c", "user.name=n", "-c", "user.email=e@e", "commit", "-qm", "x")
    for name in names:
        (tmp_path / name).write_text("one\n2\nthree\n" + name)
    (tmp_path / "link here").symlink_to("plain")
    (tmp_path / "plain").rename(tmp_path / "moved to")
    git.run("add", "-A")
    for extra in ([], ["--no-prefix"], ["--src-prefix=i/", "--dst-prefix=w/"], ["-U0"]):
        for quoting in ("true", "false"):
            command = ["-c", f"core.quotePath={quoting}", "diff", "--cached", "-M", *extra]
            text = git.run(*command).decode("utf-8", "surrogateescape")
            sections, problems = parse(text)
            assert not problems
            assert not [problem for section in sections for problem in section.problems]
            found = {section.path: section for section in sections}
            assert set(found) == {*names[1:], "link here", "moved to"}
            assert found["moved to"].old == "plain"
            assert found["moved to"].operation == "move"
            assert found["link here"].file_type == "symlink"
            assert len(found["with space"].hunks) == 1
