"""The programs that are measured, as command lines, and what they are given."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).resolve().parent
SDK_PACKAGES: Final = ("agent-client-protocol", "pygls>=2.1,<3")

SIDECAR: Final = (sys.executable, "-m", "acp_sidecar")
BARE_PYGLS: Final = (sys.executable, str(HERE / "bare_pygls.py"))


def agent(protocol: int) -> list[str]:
    """The flooding agent."""
    return [sys.executable, str(HERE / "agent.py"), "--protocol", str(protocol)]


def options(protocol: int) -> dict[str, Any]:
    """The sidecar's settings: the flooding agent is the only one."""
    settings = {"command": agent(protocol), "protocol": protocol}
    return {"agents": {"bench": settings}, "defaultAgent": "bench"}


def relay(plan: str) -> list[str]:
    """The bare relay with the agent that carries the plan out at once."""
    return [
        sys.executable,
        str(HERE / "relay.py"),
        sys.executable,
        str(HERE / "agent.py"),
        "--now",
        plan,
    ]


def sdk_relay() -> list[str]:
    """The Python ACP SDK with pygls, in an environment of its own, which is made once."""
    folder = HERE.parent / ".cache" / "benchmarks-sdk"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = folder / "packages.sha256"
    wanted = hashlib.sha256(" ".join(SDK_PACKAGES).encode()).hexdigest()
    if not stamp.exists() or stamp.read_text(encoding="ascii") != wanted:
        print("installing the Python ACP SDK into .cache (once)", flush=True)
        venv.create(folder, with_pip=True, clear=True)
        quiet = ("--quiet", "--disable-pip-version-check")
        subprocess.run([python, "-m", "pip", "install", *quiet, *SDK_PACKAGES], check=True)
        stamp.write_text(wanted, encoding="ascii")
    return [str(python), str(HERE / "sdk_relay.py"), *agent(1)]
