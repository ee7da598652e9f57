"""What editors say they can do."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import pytest_lsp
from lsprotocol.converters import get_converter

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


@cache
def recorded_capabilities(client: str) -> Json:
    """Return what a real editor announces, as pytest-lsp recorded it, such as `neovim_v0.11.0`."""
    unstructured = get_converter().unstructure(pytest_lsp.client_capabilities(client))
    assert isinstance(unstructured, dict)
    return unstructured
