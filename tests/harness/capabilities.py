"""What editors say they can do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

Json = dict[str, Any]

# A client that can do nothing that is optional.
BARE: Final[Json] = {}

# A client with all of standard LSP that the sidecar makes use of, and no extension of ours.
PLAIN: Final[Json] = {
    "general": {"positionEncodings": ["utf-16"]},
    "window": {
        "showDocument": {"support": True},
        "showMessage": {"messageActionItem": {"additionalPropertiesSupport": True}},
        "workDoneProgress": True,
    },
    "workspace": {
        "applyEdit": True,
        "configuration": True,
        "workspaceFolders": True,
        "codeLens": {"refreshSupport": True},
        "didChangeConfiguration": {"dynamicRegistration": True},
        "workspaceEdit": {
            "documentChanges": True,
            "resourceOperations": ["create", "rename", "delete"],
            "failureHandling": "abort",
            "changeAnnotationSupport": {"groupsOnLabel": False},
        },
    },
}


_CLIENTS = Path(__file__).resolve().parent / "clients"

# Real editors without any plugin of ours; each file says where its capabilities come from.
CLIENTS: Final = tuple(sorted(path.stem for path in _CLIENTS.glob("*.json")))


def recorded_capabilities(client: str) -> Json:
    """Return what a real editor announces: one of `CLIENTS`."""
    recorded: Json = json.loads((_CLIENTS / f"{client}.json").read_text(encoding="utf-8"))
    capabilities: Json = recorded["capabilities"]
    return capabilities
