"""What the connected editor can do, read from its capabilities."""

from __future__ import annotations

from typing import Any, Final

from lsprotocol import types

from acp_sidecar.features.ports import Abilities

RICH: Final = frozenset(
    {
        "follow",
        "review",
        "permission",
        "terminal",
        "transcript",
        "session",
        "elicitation",
        "runInTerminal",
        "tools",
    }
)


def abilities_of(capabilities: types.ClientCapabilities) -> Abilities:
    """Plain LSP abilities, and the `acp/*` messages that `experimental.acp` switches on."""
    window, workspace = capabilities.window, capabilities.workspace
    edit = workspace.workspace_edit if workspace else None
    show_document = window.show_document if window else None
    return Abilities(
        show_document=bool(show_document and show_document.support),
        # LSP has no capability for this request itself; clients that lack it answer with an error.
        message_actions=True,
        apply_edit=bool(workspace and workspace.apply_edit),
        document_changes=bool(edit and edit.document_changes),
        change_annotations=bool(edit and edit.change_annotation_support),
        resource_operations=frozenset(
            str(op.value) for op in (edit and edit.resource_operations) or ()
        ),
        work_done_progress=bool(window and window.work_done_progress),
        code_lens_refresh=bool(
            workspace and workspace.code_lens and workspace.code_lens.refresh_support
        ),
        watched_files=bool(
            workspace
            and workspace.did_change_watched_files
            and workspace.did_change_watched_files.dynamic_registration
        ),
        configuration=bool(workspace and workspace.configuration),
        rich=_rich(capabilities.experimental),
    )


def _rich(experimental: Any) -> frozenset[str]:
    told = plain(experimental)
    acp = told.get("acp") if isinstance(told, dict) else None
    if not isinstance(acp, dict):
        return frozenset()
    return frozenset(name for name in RICH if acp.get(name) is True)


def plain(value: Any) -> Any:
    """Pygls' named tuples as plain JSON again."""
    if hasattr(value, "_asdict"):
        return {key: plain(item) for key, item in value._asdict().items()}
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value
