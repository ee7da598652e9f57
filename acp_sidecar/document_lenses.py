"""What is offered above and beside the lines of a document: code lenses and code actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from acp_sidecar.features.review.lenses import Lens
from acp_sidecar.lsp.documents import path_of
from acp_sidecar.lsp.lenses import code_action, code_lens

if TYPE_CHECKING:
    from acp_sidecar.sidecar import Sidecar


def code_lenses(sidecar: Sidecar, uri: str) -> list[types.CodeLens]:
    """Keep and reject, and where the agent is; nothing in documents of our own."""
    path = path_of(uri)
    if path is None or sidecar.generated.holds(path):
        return []
    found = [code_lens(lens) for lens in sidecar.rooms.review.lenses(path)]
    here = sidecar.rooms.follow.lens()
    if here is not None and here[0] == sidecar.workspace.resolve(path):
        found.append(code_lens(Lens(here[1], here[2], "acp.follow", {"mode": "resume"})))
    return found


def code_actions(sidecar: Sidecar, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Keep and reject what is selected, and asking an agent about it."""
    path = path_of(params.text_document.uri)
    if path is None or sidecar.generated.holds(path):
        return []
    span = sidecar.contexts.span(path, params.range)
    hunks = [code_action(lens) for lens in sidecar.rooms.review.actions(path, span)]
    return [*hunks, *sidecar.contexts.actions(params, path)]
