"""Runs VS Code: the server side of code-server, with a home and an extensions folder of its own."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import time
import urllib.parse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.editors.vscode.install import code_server, node
from tests.environment import clean_environment

Json = Any

HOST_TESTS = ("--vscode-option", "enable-smoke-test-driver")
"""Arguments of a VS Code that runs tests in its extension host; it shows no notifications then."""

START_SECONDS = 120.0
_STOP_SECONDS = 15.0
# A VS Code that says nothing of itself: no news, no tips, no other features' notifications.
QUIET_SETTINGS: dict[str, Json] = {
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": False,
    "workbench.enableExperiments": False,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.colorTheme": "Default Dark Modern",
    "security.workspace.trust.enabled": False,
    "telemetry.telemetryLevel": "off",
    "update.mode": "none",
    "extensions.autoUpdate": "off",
    "extensions.autoCheckUpdates": False,
    "extensions.ignoreRecommendations": True,
    "chat.disableAIFeatures": True,
    "files.autoSave": "off",
    "git.enabled": False,
    "remote.autoForwardPorts": False,
    "remote.restoreForwardedPorts": False,
    "terminal.integrated.gpuAcceleration": "off",  # so that text on screen can be read
    "editor.minimap.enabled": False,
    "window.dialogStyle": "custom",
}


class CodeServer:
    """One VS Code server; each window that looks at it has an extension host of its own."""

    def __init__(self, home: Path, environment: Mapping[str, str], *, trust: bool = True) -> None:
        self.home = home
        self._user = home / "user"
        self._extensions = home / "extensions"
        for kind in ("User", "Machine"):
            (self._user / kind).mkdir(parents=True)
        self._extensions.mkdir()
        own = {
            f"XDG_{name}_HOME": str(home / name) for name in ("CONFIG", "DATA", "CACHE", "STATE")
        }
        self._environment = clean_environment(HOME=str(home), **own, **environment)
        self._trust = trust
        self._address = ""
        self._process: subprocess.Popen[bytes] | None = None

    def forget_sessions(self) -> None:
        """Remove what the server and the demo agent remember: tests have sessions of their own."""
        shutil.rmtree(self.home / "STATE", ignore_errors=True)

    def install(self, vsix: Path) -> None:
        """Install an extension, as a user does."""
        command = self._command("--install-extension", str(vsix), "--force")
        done = subprocess.run(
            command, env=self._environment, capture_output=True, timeout=300, check=False
        )
        assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()

    def command_line(self, folder: Path) -> None:
        """Put VS Code's command `code` for this server into a folder, as an installation does."""
        words = shlex.join(self._command())
        script = folder / "code"
        script.write_text(f'#!/bin/sh\nexec {words} "$@"\n', encoding="ascii")
        script.chmod(0o755)

    def configure(self, settings: Mapping[str, Json]) -> None:
        """Write the user's settings; windows that are open take them at once."""
        # To the browser this is a remote machine: what names programs counts only in its settings.
        for kind, values in {"User": {**QUIET_SETTINGS, **settings}, "Machine": settings}.items():
            text = json.dumps(values, indent=1)
            (self._user / kind / "settings.json").write_text(text, encoding="utf-8")

    def start(self, *more: str) -> None:
        """Start, with more arguments if there are any, and wait until it answers."""
        arguments = ["--auth", "none", "--bind-addr", "127.0.0.1:0"]
        arguments += ["--disable-telemetry", "--disable-update-check", "--ignore-last-opened"]
        arguments += more
        if self._trust:
            arguments.append("--disable-workspace-trust")
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                self._command(*arguments),
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # stop() ends exactly this tree
            )
        self._wait()

    @property
    def log(self) -> Path:
        """What VS Code printed."""
        return self.home / "code-server.log"

    def url(self, target: Path) -> str:
        """Address of a window on a folder or a `.code-workspace` file."""
        kind = "workspace" if target.suffix == ".code-workspace" else "folder"
        query = urllib.parse.urlencode({kind: str(target)})
        return f"{self._address}/?{query}"

    def testing_url(self, target: Path, extension: Path, tests: Path) -> str:
        """Address of a window on a folder that runs tests in its extension host.

        It needs a VS Code that was started with `HOST_TESTS`.

        Args:
            target: the folder.
            extension: an extension that is not packed.
            tests: the module of the tests, without its `.js`.
        """
        remote = self._address.replace("http://", "vscode-remote://")
        paths = {"extensionDevelopmentPath": extension, "extensionTestsPath": tests}
        payload = json.dumps([[name, f"{remote}{path}"] for name, path in paths.items()])
        return f"{self.url(target)}&{urllib.parse.urlencode({'payload': payload})}"

    def sidecars(self) -> set[int]:
        """Ids of the processes of our server that its windows have started."""
        assert self._process
        told = subprocess.run(
            ["ps", "-eww", "-o", "pid,ppid,args"], capture_output=True, text=True, check=True
        )
        rows = [line.split(None, 2) for line in told.stdout.split("\n")[1:] if line]
        parents = {int(row[0]): int(row[1]) for row in rows}
        named = {int(row[0]) for row in rows if "acp-sidecar serve" in row[-1]}
        return {pid for pid in named if self._process.pid in _ancestors(pid, parents)}

    def stop(self) -> None:
        """End it and all that it started, and forget its home."""
        if self._process and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGTERM)
            try:
                self._process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()
        shutil.rmtree(self.home, ignore_errors=True)

    def _command(self, *arguments: str) -> list[str]:
        folders = ["--user-data-dir", str(self._user), "--extensions-dir", str(self._extensions)]
        return [str(node()), str(code_server()), *folders, *arguments]

    def _wait(self) -> None:
        assert self._process
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self._process.poll() is None:
            told = self.log.read_text(encoding="utf-8", errors="replace")
            found = re.search(r"listening on (http://127\.0\.0\.1:\d+)", told)
            if found:
                self._address = found[1]
                return
            time.sleep(0.1)
        raise AssertionError(f"VS Code did not start:\n{self.log.read_text()[-3000:]}")


def _ancestors(pid: int, parents: Mapping[int, int]) -> set[int]:
    found: set[int] = set()
    while pid in parents and pid not in found:
        found.add(pid)
        pid = parents[pid]
    return found
