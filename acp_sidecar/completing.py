"""What can be written next in a prompt, from the session and the workspace that it is for."""

from __future__ import annotations

import asyncio
import os.path
from typing import TYPE_CHECKING

from lsprotocol import types

from acp_sidecar.agent.file_names import FileNames
from acp_sidecar.features.completion import Choice, commands, files
from acp_sidecar.features.places import inside
from acp_sidecar.lsp.prompts import completion_list, session_of, wanted_at
from acp_sidecar.session.state import Session

if TYPE_CHECKING:
    from acp_sidecar.sidecar import Sidecar


class Completing:
    """Completion in prompts; the only thing here that takes time is listing files."""

    def __init__(self, sidecar: Sidecar) -> None:
        self._sidecar = sidecar
        self._names = FileNames()

    async def at(self, params: types.CompletionParams) -> types.CompletionList | None:
        """What fits at a position of a prompt; None elsewhere."""
        uri = params.text_document.uri
        document = self._sidecar.prompts.get(uri)
        encoding = self._sidecar.documents.encoding
        if document is None:
            return None
        begun = wanted_at(document, params.position, encoding)
        if begun is None:
            return None
        session = self._session(uri)
        if begun.kind == "command":
            available = session.available_commands if session else []
            choices, complete = commands(available, begun.query), True
        else:
            choices, complete = await self._files(session, begun.query)
        return completion_list(
            document, begun, params.position, choices, encoding, complete=complete
        )

    def _session(self, uri: str) -> Session | None:
        """The session that a prompt is for: the one it names, else the one last used."""
        key = session_of(uri) or self._sidecar.prompting.current
        return self._sidecar.store.by_key.get(key) if key else None

    async def _files(self, session: Session | None, query: str) -> tuple[list[Choice], bool]:
        """As a mention is looked up: in the session's folder first, then in the others."""
        cwd = session.cwd if session else self._sidecar.folders.default()
        names: list[str] = []
        for root in dict.fromkeys([cwd, *self._sidecar.folders.paths]):
            found = await self._names.of(root)
            known = set(names)
            names += [os.path.join(root, name) if name in known else name for name in found]  # noqa: PTH118 - a name of ours, with slashes
        return await asyncio.to_thread(files, names, query, self._open(cwd))

    def _open(self, cwd: str) -> list[str]:
        """The files that are open, the last opened first, as they are named in prompts."""
        paths = [document.path for document in self._sidecar.documents.all()]
        below = [path for path in reversed(paths) if inside(path, [cwd])]
        return [os.path.relpath(path, cwd).replace(os.sep, "/") for path in below]

    async def close(self) -> None:
        """Look for nothing any more."""
        await self._names.close()
