"""`acp-sidecar demo` as a person runs it: the real sidecar, the real agent, a real terminal."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.environment import clean_environment

pytestmark = pytest.mark.e2e

DEMO = [sys.executable, "-m", "acp_sidecar", "demo", "--delay", "0"]
SECONDS = 90
INTERRUPTED = 130


def run_demo(*options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*DEMO, *options],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
        env=clean_environment(PYTHONIOENCODING="utf-8", **environment),
    )


def kept_project(output: str) -> Path:
    found = re.search(r"The project is kept: (.+)", output)
    assert found
    return Path(found[1])


def test_the_whole_tour_is_right(version: int, tmp_path: Path) -> None:
    done = run_demo("--yes", "--protocol", str(version), "--keep", TMPDIR=str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    for view in ("plan", "? permission", "11 passed", "± modify tally/words.py", "the account"):
        assert view in done.stdout
    assert "✘  " not in done.stdout, "every line of the account is right"
    project = kept_project(done.stdout)
    tests = [sys.executable, "-m", "unittest"]
    subprocess.run(tests, cwd=project, check=True, capture_output=True)


def test_the_project_is_thrown_away(tmp_path: Path) -> None:
    done = run_demo("--prompt", "/plan", TMPDIR=str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_agent_that_does_not_start_is_told_and_fails(tmp_path: Path) -> None:
    done = run_demo("--yes", "--agent", "no-such-program-anywhere")
    assert done.returncode == 1
    assert "no-such-program-anywhere" in done.stdout


def test_a_terminal_without_unicode_is_no_trouble() -> None:
    done = subprocess.run(
        [*DEMO, "--prompt", "/plan"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=SECONDS,
        check=False,
        env=clean_environment(PYTHONIOENCODING="ascii"),
    )
    assert done.returncode == 0, done.stderr


def test_a_missing_library_is_told() -> None:
    program = (
        "import sys; sys.modules['rich'] = None\n"
        "from acp_sidecar.demo.command import main\n"
        "sys.exit(main(['--yes']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 1
    assert "pip install 'acp-sidecar[demo]'" in done.stderr


def test_the_picture_is_drawn(tmp_path: Path) -> None:
    picture = tmp_path / "demo.svg"
    done = run_demo("--yes", "--svg", str(picture))
    assert done.returncode == 0, done.stdout + done.stderr
    assert picture.read_text(encoding="utf-8").startswith("<svg")


class Terminal:
    """The demo under a pseudo-terminal, with a person who waits and types."""

    def __init__(self, *options: str) -> None:
        import pty  # noqa: PLC0415 - not on Windows

        controller, terminal = pty.openpty()
        self._fd = controller
        self.screen = ""
        self.process = subprocess.Popen(
            [*DEMO, *options],
            stdin=terminal,
            stdout=terminal,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env=clean_environment(TERM="xterm-256color", LANG="C.UTF-8"),
        )
        os.close(terminal)

    def wait_for(self, text: str, start: int = 0) -> int:
        """Read until the text is on the screen; where it ends."""
        deadline = time.monotonic() + SECONDS
        while (found := self.screen.find(text, start)) < 0:
            assert time.monotonic() < deadline, self.screen[-2000:]
            if not self._read():
                raise AssertionError(f"the demo has ended without {text!r}:\n{self.screen[-2000:]}")
        return found + len(text)

    def _read(self) -> bool:
        if not select.select([self._fd], [], [], 0.5)[0]:
            return True
        try:
            data = os.read(self._fd, 65_536)
        except OSError:  # how Linux tells that the other side is closed
            return False
        self.screen += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", data.decode("utf-8", "replace"))
        return bool(data)

    def type(self, text: str) -> None:
        os.write(self._fd, text.encode())

    def end(self) -> int:
        """Read to the end; the exit status."""
        while self._read():
            pass
        return self.process.wait(SECONDS)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._fd)


@pytest.fixture
def terminal() -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for each in opened:
        each.close()


on_posix = pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal is POSIX")
# Longer than the time for which a prompt ignores keys that may have been meant for something else.
READ_IT = 1.0


def answer_all(demo: Terminal, answer: str, questions: int) -> None:
    at = 0
    for _ in range(questions):
        at = demo.wait_for("Enter to dismiss: ", at)
        time.sleep(READ_IT)
        demo.type(answer + "\n")


@on_posix
def test_a_person_allows_each_question(terminal: list[Terminal]) -> None:
    demo = Terminal()
    terminal.append(demo)
    answer_all(demo, "1", 6)
    assert demo.end() == 0, demo.screen[-3000:]
    assert "6 asked, 6 allowed" in demo.screen


@on_posix
def test_a_person_rejects_everything(terminal: list[Terminal]) -> None:
    demo = Terminal("--prompt", "/edit")
    terminal.append(demo)
    answer_all(demo, "4", 1)
    assert demo.end() == 0, demo.screen[-3000:]
    assert "1 asked, 0 allowed" in demo.screen
    assert "no file has changed on disk" in demo.screen


@on_posix
def test_an_answer_that_is_none_is_asked_for_again(terminal: list[Terminal]) -> None:
    demo = Terminal("--prompt", "/edit")
    terminal.append(demo)
    at = demo.wait_for("Enter to dismiss: ")
    time.sleep(READ_IT)
    demo.type("9\n")
    at = demo.wait_for("Enter to dismiss: ", at)
    demo.type("\n")
    assert demo.end() == 0, demo.screen[-3000:]
    assert "dismissed" in demo.screen


@on_posix
@pytest.mark.parametrize("moment", ["Enter to dismiss: ", "still at it"])
def test_ctrl_c_cancels_the_turn(terminal: list[Terminal], moment: str) -> None:
    demo = Terminal("--prompt", "/slow 60", *(["--yes"] if moment == "still at it" else []))
    terminal.append(demo)
    demo.wait_for(moment)
    os.kill(demo.process.pid, signal.SIGINT)
    assert demo.end() == INTERRUPTED, demo.screen[-3000:]
    assert "cancelling the turn" in demo.screen
    assert "idle, cancelled" in demo.screen


@on_posix
def test_ctrl_c_twice_quits(terminal: list[Terminal]) -> None:
    demo = Terminal("--prompt", "/slow 60", "--yes")
    terminal.append(demo)
    demo.wait_for("still at it")
    os.kill(demo.process.pid, signal.SIGINT)
    demo.wait_for("cancelling the turn")
    os.kill(demo.process.pid, signal.SIGINT)
    assert demo.end() == INTERRUPTED, demo.screen[-3000:]
