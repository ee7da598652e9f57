from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_sidecar.features.permission.plain_command import LONGEST, read_line, read_list

PLAIN = [
    ("git status", ["git", "status"]),
    ("  git \t status  ", ["git", "status"]),
    ("git log --format=%H -n 3", ["git", "log", "--format=%H", "-n", "3"]),
    ("grep 'foo$' src/a.py", ["grep", "foo$", "src/a.py"]),
    ('git commit -m "fix; the & bug"', ["git", "commit", "-m", "fix; the & bug"]),
    ("echo 'a'\"b\"c", ["echo", "abc"]),
    ("echo ''", ["echo", ""]),
    ("./run.sh a,b x:y @z", ["./run.sh", "a,b", "x:y", "@z"]),
    ("cat straße.txt", ["cat", "straße.txt"]),
    ("env A=1 make", ["env", "A=1", "make"]),
    ("make CC=gcc", ["make", "CC=gcc"]),
]

HOSTILE = [
    "git status; rm -rf /",
    "git status;rm -rf /",
    "git status && rm -rf /",
    "git status || rm -rf /",
    "git status & rm -rf /",
    "git status &",
    "git status | sh",
    "git status |& sh",
    "git status > /etc/passwd",
    "git status >> x",
    "git status 2>&1",
    "git status < /dev/tcp/h/1",
    "git status <<EOF",
    "git status <(rm x)",
    "git $(rm -rf /)",
    'git "$(rm -rf /)"',
    'git "`rm -rf /`"',
    "git `rm -rf /`",
    "git $HOME",
    "git ${X:-y}",
    'git "$HOME"',
    "git $'\\x41'",
    'git "a\\"b"',
    "git status\nrm -rf /",
    "git status\r\nrm -rf /",
    "git status\rrm -rf /",
    "git 'a\nb'",
    "git status\x00rm",
    "git status\x1b[2K",
    "git status\x7f",
    "git status\x0b",
    "git status\x0crm",
    "git status\u0085rm",
    "git status\u2028rm",
    "git status\u00a0-s",
    "git status\u3000-s",
    "git \u202estatus",
    "git sta\u200btus",
    "git “status”",
    "git status \u2013s",
    "git commit -m “x; rm -rf /”",
    "A=1 git status",
    "PATH=/tmp git status",
    "A+=1 git status",
    "'A=1' git status",
    "GIT_PAGER='rm x' git log",
    "(git status)",
    "{ git status; }",
    "! git status",
    "git status # rm",
    "git status #rm",
    "git st*",
    "git stat?s",
    "git [s]tatus",
    "git {status,log}",
    "git ~/x",
    "git ~root",
    "git status \\\n rm",
    "git st\\atus",
    "git status \\; rm",
    "git !!",
    'git "!!"',
    "git ^x^y",
    "git =rm",
    "if true",
    "for x in y",
    "time rm x",
    "coproc rm x",
    "function x",
    "[[ a",
    "cd x && git status",
    "cd x; git status",
    "git 'status",
    'git "status',
    "'' status",
    "",
    "   ",
    "%1",
    "-x",
    "git status\ud800",
    "git \u3164status",
    "git status\ufe01",
    "git \U000e0041status",
]


@pytest.mark.parametrize(("text", "words"), PLAIN)
def test_a_plain_command_is_read_as_a_shell_would(text: str, words: list[str]) -> None:
    reading = read_line(text)
    assert reading.words == tuple(words)
    assert shlex.split(text) == words


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_shell_may_read_otherwise_is_in_doubt(text: str) -> None:
    reading = read_line(text)
    assert reading.words is None
    assert reading.doubt


@pytest.mark.parametrize("text", ["git 'a'", "echo %PATH%", "dir a^&b", "a;b", "git log --x={y}"])
def test_on_windows_less_is_certain(text: str) -> None:
    assert read_line(text, windows=True).words is None


def test_windows_still_knows_a_simple_command() -> None:
    assert read_line('git log -n 3 "a b"', windows=True).words == ("git", "log", "-n", "3", "a b")


def test_a_very_long_command_is_not_read() -> None:
    assert read_line("echo " + "a" * LONGEST).words is None


LISTS = [
    (["git", "commit", "-m", "two words"], ("git", "commit", "-m", "two words")),
    (["/bin/bash", "-lc", "git status"], ("git", "status")),
    (["bash", "-c", "git status; rm x"], None),
    (["/tmp/bash", "-c", "git status"], ("/tmp/bash", "-c", "git status")),  # noqa: S108
    (["./bash", "-c", "git status"], ("./bash", "-c", "git status")),
    (["git", "status; rm x"], None),
    (["git", "$(rm x)"], None),
    (["git", "a\nb"], None),
    (["A=1", "git"], None),
    ([""], None),
]


@pytest.mark.parametrize(("words", "read"), LISTS)
def test_a_list_is_read_word_by_word(words: list[str], read: tuple[str, ...] | None) -> None:
    assert read_list(words).words == read


@given(st.text(max_size=40))
def test_no_text_raises_and_what_is_plain_agrees_with_shlex(text: str) -> None:
    words = read_line(text).words
    if words is not None:
        assert list(words) == shlex.split(text)
        assert words[0]


@given(st.text(alphabet="ab '\"\\$;&|<>\n`(){}*?#~!=", max_size=30))
def test_whatever_is_plain_has_no_operator_outside_quotes(text: str) -> None:
    words = read_line(text).words
    if words is not None:
        lexer = shlex.shlex(text, posix=True, punctuation_chars="();<>|&\n`$")
        lexer.whitespace_split = True
        lexer.commenters = ""
        assert list(lexer) == list(words)
