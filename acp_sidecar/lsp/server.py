"""The pygls server: answers `initialize` at once and hands everything else to the backend.

Editors wait for `initialize`, so nothing that is not needed for its answer is imported before.
The backend (`sidecar.Sidecar`) is made when the editor says `initialized`, or asks for something.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Callable, Generator
from typing import Any, Protocol

from lsprotocol import converters, types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import lsp_method

from acp_sidecar import __version__
from acp_sidecar.errors import SidecarError
from acp_sidecar.lsp.names import ACP_VERSION, COMMANDS, REVIEW_SCHEME, USER_ACTIVITY
from acp_sidecar.lsp.protocol import INTERNAL_ERROR, Json, Reply, SidecarProtocol
from acp_sidecar.lsp.stdio import Writer, start_reader

FLUSH_SECONDS = 2.0
SHUTDOWN_SECONDS = 15.0
"""For agents to be stopped; their guardians end them at the latest when this process is gone."""

log = logging.getLogger(__name__)


class Backend(Protocol):
    """What an editor's messages lead to; see `sidecar.Sidecar`."""

    def command(self, name: str, argument: Json, reply: Reply) -> None: ...
    def did_open(self, params: types.DidOpenTextDocumentParams) -> None: ...
    def did_change(self, params: types.DidChangeTextDocumentParams) -> None: ...
    def did_close(self, params: types.DidCloseTextDocumentParams) -> None: ...
    def did_save(self, params: types.DidSaveTextDocumentParams) -> None: ...
    def watched_files(self, params: types.DidChangeWatchedFilesParams) -> None: ...
    def folders_changed(self, params: types.DidChangeWorkspaceFoldersParams) -> None: ...
    def settings_changed(self, params: types.DidChangeConfigurationParams) -> None: ...
    def progress_cancelled(self, token: int | str) -> None: ...
    def user_activity(self, params: Json) -> None: ...
    def code_lenses(self, uri: str) -> list[types.CodeLens]: ...
    def code_actions(self, params: types.CodeActionParams) -> list[types.CodeAction]: ...
    def virtual_text(self, uri: str) -> str: ...
    async def completion(self, params: types.CompletionParams) -> types.CompletionList | None: ...
    def pressure(self, high: bool) -> None: ...
    async def shutdown(self) -> None: ...


MakeBackend = Callable[["SidecarServer"], Backend]


class _Protocol(SidecarProtocol):
    @lsp_method(types.INITIALIZE)
    def lsp_initialize(
        self, params: types.InitializeParams
    ) -> Generator[Any, Any, types.InitializeResult]:
        result = yield from super().lsp_initialize(params)
        provider = types.ExecuteCommandOptions(commands=list(COMMANDS))
        result.capabilities.execute_command_provider = provider
        workspace = result.capabilities.workspace or types.WorkspaceOptions()
        workspace.text_document_content = types.TextDocumentContentOptions([REVIEW_SCHEME])
        result.capabilities.workspace = workspace
        result.capabilities.experimental = {"acp": {"version": ACP_VERSION}}
        return result


class SidecarServer(LanguageServer):
    """One server for one editor.

    Attributes:
        initialize_params: What the editor said in `initialize`.
    """

    protocol: SidecarProtocol

    def __init__(self, make_backend: MakeBackend) -> None:
        super().__init__(
            "acp-sidecar",
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            protocol_cls=_Protocol,
            converter_factory=converters.get_converter,
        )
        self.initialize_params: types.InitializeParams | None = None
        self._make_backend = make_backend
        self._backend: Backend | None = None
        self._finished: asyncio.Future[int] | None = None
        self.protocol.on_command = self._command
        self.protocol.on_exit = self._finish
        _register(self)

    @property
    def backend(self) -> Backend:
        """The backend, made when it is first needed."""
        if self._backend is None:
            self._backend = self._make_backend(self)
        return self._backend

    def _finish(self, status: int) -> None:
        if self._finished is not None and not self._finished.done():
            self._finished.set_result(status)

    def _command(self, name: str, argument: Json, reply: Reply) -> None:
        try:
            self.backend.command(name, argument, reply)
        except Exception:
            # A bug of ours: the editor gets an answer, the log the traceback.
            log.exception("%s failed", name)
            reply.error(INTERNAL_ERROR, f"{name} failed by a bug of acp-sidecar; see its log.")

    def _pressure(self, high: bool) -> None:
        if self._backend is not None:
            self._backend.pressure(high)

    async def serve(self, stdin: int, stdout: int) -> int:
        """Serve one editor until `exit` or the end of input; returns the exit status.

        Args:
            stdin: Descriptor that the editor writes to.
            stdout: Descriptor that the editor reads from.
        """
        loop = asyncio.get_running_loop()
        self._finished = loop.create_future()
        writer = Writer(stdout, loop)
        writer.on_pressure = self._pressure
        self.protocol.set_writer(writer)
        start_reader(stdin, loop, self.protocol.receive, lambda: self._finish(1))
        status = await self._finished
        if self._backend is not None:
            await self._shut_down(self._backend)
        writer.finish(FLUSH_SECONDS)
        return status

    async def _shut_down(self, backend: Backend) -> None:
        """Stop everything; whatever hangs must not keep a server alive whose editor is gone."""
        # Not `wait_for`: that would wait for what ignores being cancelled.
        stopping = asyncio.ensure_future(backend.shutdown())
        done, _ = await asyncio.wait({stopping}, timeout=SHUTDOWN_SECONDS)
        if not done:
            log.error("the shutdown takes too long and is cut short")
        elif (error := stopping.exception()) is not None:
            log.error("the shutdown failed", exc_info=error)


def _register(server: SidecarServer) -> None:
    """What the editor may send, and where it goes."""

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.initialize_params = params

    @server.feature(types.INITIALIZED)
    def initialized(_params: types.InitializedParams) -> None:
        _ = server.backend  # made now, while nobody waits

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        server.backend.did_open(params)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        server.backend.did_change(params)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        server.backend.did_close(params)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(params: types.DidSaveTextDocumentParams) -> None:
        server.backend.did_save(params)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def watched_files(params: types.DidChangeWatchedFilesParams) -> None:
        server.backend.watched_files(params)

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders_changed(params: types.DidChangeWorkspaceFoldersParams) -> None:
        server.backend.folders_changed(params)

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def settings_changed(params: types.DidChangeConfigurationParams) -> None:
        server.backend.settings_changed(params)

    @server.feature(types.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def progress_cancelled(params: types.WorkDoneProgressCancelParams) -> None:
        server.backend.progress_cancelled(params.token)

    @server.feature(USER_ACTIVITY)
    def user_activity(params: Json) -> None:
        server.backend.user_activity(params)

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def code_lens(params: types.CodeLensParams) -> list[types.CodeLens]:
        return server.backend.code_lenses(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION)
    def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        return server.backend.code_actions(params)

    triggers = types.CompletionOptions(trigger_characters=["/", "@"])

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, triggers)
    async def completion(params: types.CompletionParams) -> types.CompletionList | None:
        return await server.backend.completion(params)

    @server.feature(types.WORKSPACE_TEXT_DOCUMENT_CONTENT)
    def text_document_content(
        params: types.TextDocumentContentParams,
    ) -> types.TextDocumentContentResult:
        try:
            return types.TextDocumentContentResult(server.backend.virtual_text(params.uri))
        except SidecarError as error:
            raise JsonRpcInvalidParams(str(error)) from error


def make_backend(server: SidecarServer) -> Backend:
    """The real backend; its rooms are imported here and not before."""
    from acp_sidecar.sidecar import Sidecar  # noqa: PLC0415 - see the module's docstring

    return Sidecar.for_server(server)


def serve_stdio() -> int:
    """Serve the editor on stdin and stdout."""
    # Pygls logs whole payloads at INFO: the user's files would end up in logs.
    logging.getLogger("pygls").setLevel(logging.WARNING)
    stdin, stdout = sys.stdin.fileno(), sys.stdout.fileno()
    if sys.platform == "win32":
        _binary(stdin, stdout)
    # Whatever prints by mistake must not land in the protocol.
    sys.stdout = sys.stderr
    asyncio.run(_serve_and_leave(stdin, stdout))
    return 1  # never reached: the line above leaves the process


async def _serve_and_leave(stdin: int, stdout: int) -> None:
    """Serve, and end the process without waiting for what the loop may still hold."""
    status = await SidecarServer(make_backend).serve(stdin, stdout)
    logging.shutdown()
    sys.stderr.flush()
    os._exit(status)


def _binary(*descriptors: int) -> None:
    """Windows opens them as text, which would change line ends."""
    import msvcrt  # noqa: PLC0415 - exists on Windows only

    for descriptor in descriptors:
        msvcrt.setmode(descriptor, os.O_BINARY)  # type: ignore[attr-defined,unused-ignore]
