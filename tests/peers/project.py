"""The sample project that all peers work in; their scripts know its files by name."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

GREET = '''"""Greets people."""


def greet(name):
    return "Hello, " + name


if __name__ == "__main__":
    print(greet("world"))
'''
GREETED = GREET.replace(
    '    return "Hello, " + name\n', '    greeting = "Howdy"\n    return f"{greeting}, {name}"\n'
)
NUMBERS = "".join(f"line {number}\n" for number in range(1, 101))
OLD_NAME = "one\ntwo\nbefore\nfour\n"


def make_project(root: Path) -> Path:
    """Fill `root` with the sample project, under Git with everything committed; return it."""
    root.mkdir(parents=True, exist_ok=True)
    for name, text in {
        "greet.py": GREET,
        "numbers.txt": NUMBERS,
        "old_name.txt": OLD_NAME,
    }.items():
        (root / name).write_bytes(text.encode())
    identity = ("-c", "user.name=Tests", "-c", "user.email=tests@example.invalid")
    for arguments in (("init", "-q"), ("add", "-A"), (*identity, "commit", "-qm", "Start")):
        subprocess.run(
            ["git", *arguments],
            cwd=root,
            env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"},
            check=True,
        )
    return root
