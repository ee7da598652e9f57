"""The editor's workspace folders: where sessions work."""

from __future__ import annotations

import os

from lsprotocol import types

from acp_sidecar.features.places import inside
from acp_sidecar.lsp.documents import path_of, real_path


class Folders:
    """The folders in the editor's order; they come and go."""

    def __init__(self, params: types.InitializeParams) -> None:
        self.paths = folders_of(params)

    def change(self, event: types.WorkspaceFoldersChangeEvent) -> None:
        """The user has added or removed some."""
        removed = {path_of(folder.uri) for folder in event.removed}
        added = [path_of(folder.uri) for folder in event.added]
        kept = [path for path in self.paths if path not in removed]
        self.paths = kept + [path for path in added if path is not None and path not in kept]

    def default(self, uri: str | None = None) -> str:
        """Where a new session works: the folder of a document, the first, or our own."""
        path = path_of(uri) if uri else None
        holding = [folder for folder in self.paths if path and inside(path, [folder])]
        if holding:
            return max(holding, key=len)
        return self.paths[0] if self.paths else os.getcwd()  # noqa: PTH109 - a string is wanted

    def others(self, cwd: str) -> list[str]:
        """The other folders of a session that works in this one, for `additionalDirectories`."""
        return [folder for folder in self.paths if folder != cwd]

    def name(self) -> str:
        """How this workspace is remembered: the real path of its first folder."""
        return real_path(self.default())


def folders_of(params: types.InitializeParams) -> list[str]:
    """The folders of `initialize`, of old clients the root."""
    uris = [folder.uri for folder in params.workspace_folders or ()]
    if not uris and params.root_uri:
        uris = [params.root_uri]
    paths = [path_of(uri) for uri in uris]
    if not paths and params.root_path:
        paths = [params.root_path]
    return [path for path in paths if path is not None]
