"""The environment that tests start programs with: what they need, nothing they could trip over."""

from __future__ import annotations

import os
import shutil

import pytest

_NEEDED = (
    "PATH",
    "PYTHONPATH",
    "HOME",
    "USERPROFILE",
    "TMPDIR",
    "TEMP",
    "TMP",
    "LANG",
    "LC_ALL",
    "SYSTEMROOT",
    "COMSPEC",
    "PATHEXT",
    "APPDATA",
    "LOCALAPPDATA",
)


def clean_environment(**more: str) -> dict[str, str]:
    """Return the needed part of this process's environment, with `more` on top.

    Agents change what they do by variables that happen to be set on a developer's machine or in
    CI (keys, proxies, marks of a sandbox); tests must not depend on those.
    """
    kept = {name: os.environ[name] for name in _NEEDED if name in os.environ}
    return {**kept, **more}


def program(name: str, needed_for: str) -> str:
    """Return the path of a program that tests need.

    On a machine without it the test is skipped, but never in CI (`CI` set in the environment):
    there a missing program must not look like a pass.
    """
    found = shutil.which(name)
    if found:
        return found
    message = f"{name} is not on PATH; {needed_for}"
    if os.environ.get("CI"):
        pytest.fail(message, pytrace=False)
    pytest.skip(message)
