"""A machine with nothing but the prerequisites: no server, no settings, an empty home."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.editors.neovim.editor import ENVIRONMENT, Json, Neovim
from tests.environment import clean_environment

PASSED_ON = ("PIP_", "SSL_")  # where packages come from is the machine's business


def machine(home: Path) -> dict[str, str]:
    """An environment with Python, and without an acp-sidecar that was installed before."""
    home.mkdir(exist_ok=True)
    folders = [str(Path(sys.base_prefix) / "bin"), *os.environ["PATH"].split(os.pathsep)]
    free = [folder for folder in folders if not (Path(folder) / "acp-sidecar").exists()]
    kept = {name: value for name, value in os.environ.items() if name.startswith(PASSED_ON)}
    pip = Path.home() / ".config" / "pip" / "pip.conf"
    if pip.exists():
        kept.setdefault("PIP_CONFIG_FILE", str(pip))
    found = clean_environment(**kept, HOME=str(home), PATH=os.pathsep.join(free))
    found.pop("PYTHONPATH", None)
    return {**found, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"}


class Newcomer(Neovim):
    """An editor on such a machine."""

    def __init__(self, folder: Path, *, package: str = "", **environment: str) -> None:
        self.home = folder / "home"
        self.more = environment
        self.is_open = True
        demo = {"ACP_SIDECAR_DEMO_DELAY": ENVIRONMENT["ACP_SIDECAR_DEMO_DELAY"]}
        super().__init__(folder, server={"cmd": [], "env": demo, "package": package})

    def environment(self, folder: Path) -> dict[str, str]:
        return {**machine(self.home), **self.more}

    def close(self) -> None:
        """End it, if it has not been ended."""
        if self.is_open:
            self.is_open = False
            super().close()

    @property
    def data(self) -> Path:
        """Where the plugin keeps what it installs."""
        return self.home / ".local" / "share" / "nvim" / "acp-sidecar"

    def path(self, name: str) -> Path:
        """A path that `acp_sidecar.server` tells."""
        return Path(self.lua(f"return require('acp_sidecar.server').{name}()"))

    def told_of(self, part: str) -> list[Json]:
        """What the user was told that has this in it."""
        return [text for text in self.told() if part in text]
