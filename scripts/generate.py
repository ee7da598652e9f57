#!/usr/bin/env python3
"""Write what is derived from the source: documents, schemas, types for editors, and their settings.

python scripts/generate.py            write the files that differ
python scripts/generate.py --check    write nothing; exit with 1 if any differs, and say how
"""

from __future__ import annotations

import difflib
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.contract import agents, markdown, settings, vscode  # noqa: E402 - the path comes first
from scripts.contract.lua import lua  # noqa: E402
from scripts.contract.protocol import protocol  # noqa: E402
from scripts.contract.typescript import typescript  # noqa: E402

EXAMPLES = ROOT / "scripts" / "contract" / "examples.json"
MANIFEST = ROOT / "editors" / "vscode" / "package.json"
SHOWN_DIFFERENCES = 60


def generated() -> dict[str, str]:
    """The texts of all generated files, by path in the project."""
    whole = protocol()
    examples = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    return {
        "docs/agents.md": agents.markdown(),
        "docs/editor-protocol.md": markdown.markdown(whole, examples),
        "docs/settings.md": settings.markdown(),
        "docs/settings.schema.json": settings.schema(),
        "editors/vscode/src/contract.ts": typescript(whole),
        "editors/vscode/package.json": vscode.package_json(MANIFEST.read_text(encoding="utf-8")),
        "editors/neovim/lua/acp_sidecar/contract.lua": lua(whole),
    }


def differences(root: Path = ROOT) -> dict[str, list[str]]:
    """Files that are not as they would be written, with the difference line by line."""
    found: dict[str, list[str]] = {}
    for name, text in generated().items():
        path = root / name
        present = path.read_bytes().decode("utf-8") if path.exists() else ""
        if present != text:
            lines = difflib.unified_diff(
                present.split("\n"), text.split("\n"), name, "generated", lineterm=""
            )
            found[name] = list(lines)
    return found


def write(root: Path = ROOT) -> list[str]:
    """Write the files that differ; returns their names."""
    texts, different = generated(), list(differences(root))
    for name in different:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(texts[name].encode("utf-8"))
    return different


def main(arguments: list[str]) -> int:
    if arguments == ["--check"]:
        different = differences()
        for name, lines in different.items():
            print(f"{name} is out of date; run: python scripts/generate.py")
            print("\n".join(lines[:SHOWN_DIFFERENCES]))
        return 1 if different else 0
    if arguments:
        print(__doc__, file=sys.stderr)
        return 2
    for name in write():
        print(f"wrote {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
