"""The editor, as features see it (`features.ports.Editor`), over LSP.

Every request to the editor is gated by its capabilities, ends in time, and ends even if the editor
answers nonsense. Questions to a person have no time limit here; features give them one.
"""

from __future__ import annotations

import asyncio
import dataclasses
import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from typing import Any, Final

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcMethodNotFound

from acp_sidecar.features.ports import Abilities, Level, Span, Withdraw, WorkspaceChange
from acp_sidecar.lsp.abilities import plain
from acp_sidecar.lsp.edits import Converter
from acp_sidecar.lsp.protocol import SidecarProtocol

Json = Any

OWN_EDIT_SECONDS: Final = 2.0
"""How long after an edit of ours its `didChange` may come."""

_LEVELS = {
    Level.ERROR: types.MessageType.Error,
    Level.WARNING: types.MessageType.Warning,
    Level.INFO: types.MessageType.Info,
}


class LspEditor:
    """One connected editor.

    Attributes:
        on_loss: Called when it turns out that the editor cannot do what it was thought to.
    """

    def __init__(
        self,
        protocol: SidecarProtocol,
        abilities: Abilities,
        converter: Converter,
        timeout: float,
    ) -> None:
        self._protocol = protocol
        self.on_loss: Callable[[], None] = lambda: None
        self._abilities = abilities
        self._convert = converter
        self._timeout = timeout
        self._loop = asyncio.get_running_loop()
        self._ids = itertools.count(1)
        self._progress: set[str] = set()
        self._edited: dict[str, float] = {}

    @property
    def abilities(self) -> Abilities:
        return self._abilities

    # --- acp/* ----------------------------------------------------------------------------------

    def notify(self, method: str, params: Json) -> None:
        self._protocol.notify_json(method, params)

    def request(
        self,
        method: str,
        params: Json,
        on_answer: Callable[[Json], None],
        on_unable: Callable[[], None],
    ) -> Withdraw:
        def unable() -> None:
            rich = self._abilities.rich - {method.removeprefix("acp/")}
            self._abilities = dataclasses.replace(self._abilities, rich=rich)
            on_unable()
            self.on_loss()

        return self._ask(method, params, on_answer, timeout=None, on_unable=unable)

    # --- plain LSP ------------------------------------------------------------------------------

    def show_document(
        self, path: str, span: Span | None, on_done: Callable[[bool], None] | None = None
    ) -> None:
        done = on_done or _ignore
        if not self._abilities.show_document:
            self._loop.call_soon(done, False)
            return
        selection = None if span is None else self._convert.range(path, span)
        params = types.ShowDocumentParams(
            uri=self._convert.documents.uri(path), take_focus=False, selection=selection
        )
        self._show(params, done)

    def open_external(self, url: str, on_done: Callable[[bool], None]) -> None:
        if not self._abilities.show_document:
            self._loop.call_soon(on_done, False)
            return
        self._show(types.ShowDocumentParams(uri=url, external=True), on_done)

    def open_uri(self, uri: str, on_done: Callable[[bool], None]) -> None:
        """Open a document that the user asked for: it may take the focus."""
        self._show(types.ShowDocumentParams(uri=uri, take_focus=True), on_done)

    def _show(self, params: types.ShowDocumentParams, on_done: Callable[[bool], None]) -> None:
        def answered(result: Any) -> None:
            on_done(bool(getattr(result, "success", False)))

        self._ask(types.WINDOW_SHOW_DOCUMENT, params, answered, timeout=self._timeout)

    def ask(
        self,
        level: Level,
        message: str,
        actions: Sequence[str],
        on_answer: Callable[[int | None], None],
    ) -> Withdraw:
        titles = list(actions)
        params = types.ShowMessageRequestParams(
            type=_LEVELS[level],
            message=message,
            actions=[types.MessageActionItem(title=title) for title in titles],
        )

        def answered(result: Any) -> None:
            title = getattr(result, "title", None)
            on_answer(titles.index(title) if title in titles else None)

        def unable() -> None:
            # Not a dismissal: the question stays open, to be told and answered by a command.
            self._abilities = dataclasses.replace(self._abilities, message_actions=False)
            self.on_loss()

        method = types.WINDOW_SHOW_MESSAGE_REQUEST
        return self._ask(method, params, answered, timeout=None, on_unable=unable)

    def message(self, level: Level, text: str) -> None:
        params = types.ShowMessageParams(type=_LEVELS[level], message=text)
        self._protocol.notify(types.WINDOW_SHOW_MESSAGE, params)

    def log(self, level: Level, text: str) -> None:
        params = types.LogMessageParams(type=_LEVELS[level], message=text)
        self._protocol.notify(types.WINDOW_LOG_MESSAGE, params)

    def apply(self, change: WorkspaceChange, on_done: Callable[[bool, str], None]) -> None:
        if not self._abilities.apply_edit:
            self._loop.call_soon(on_done, False, "This editor cannot apply edits for a server.")
            return
        self._note_edited(change)
        edit = self._convert.workspace_edit(change, self._abilities)
        params = types.ApplyWorkspaceEditParams(edit=edit, label=change.label)

        def answered(result: Any) -> None:
            applied = bool(getattr(result, "applied", False))
            on_done(applied, getattr(result, "failure_reason", None) or "")

        # A preview may wait for a person, so a change that asks has no time limit.
        timeout = None if change.needs_confirmation else self._timeout
        self._ask(types.WORKSPACE_APPLY_EDIT, params, answered, timeout=timeout)

    def _note_edited(self, change: WorkspaceChange) -> None:
        now = self._loop.time()
        self._edited = {
            path: at for path, at in self._edited.items() if now - at < OWN_EDIT_SECONDS
        }
        self._edited.update({step.path: now for step in change.steps})

    def edited_by_us(self, path: str) -> bool:
        """Whether a change of this document may well be one that we asked for just now."""
        at = self._edited.get(path)
        return at is not None and self._loop.time() - at < OWN_EDIT_SECONDS

    def progress_begin(self, token: str, title: str, *, cancellable: bool) -> None:
        if not self._abilities.work_done_progress:
            return
        self._progress.add(token)
        create = types.WorkDoneProgressCreateParams(token=token)
        self._ask(types.WINDOW_WORK_DONE_PROGRESS_CREATE, create, _ignore, timeout=self._timeout)
        self._report(token, types.WorkDoneProgressBegin(title=title, cancellable=cancellable))

    def progress_report(self, token: str, message: str) -> None:
        if token in self._progress:
            self._report(token, types.WorkDoneProgressReport(message=message))

    def progress_end(self, token: str, message: str) -> None:
        if token in self._progress:
            self._progress.discard(token)
            self._report(token, types.WorkDoneProgressEnd(message=message))

    def _report(self, token: str, value: Any) -> None:
        params = types.ProgressParams(token=token, value=value)
        self._protocol.notify(types.PROGRESS, params)

    def configuration(self, section: str, on_answer: Callable[[Json], None]) -> None:
        """`workspace/configuration` of one section; None if the editor has none."""
        if not self._abilities.configuration:
            return
        items = [types.ConfigurationItem(section=section)]

        def answered(result: Any) -> None:
            on_answer(plain(result[0]) if isinstance(result, list | tuple) and result else None)

        params = types.ConfigurationParams(items=items)
        self._ask(types.WORKSPACE_CONFIGURATION, params, answered, timeout=self._timeout)

    def watch_files(self) -> None:
        """Have the editor tell which files change, where it can: agents write by themselves."""
        if not self._abilities.watched_files:
            return
        watchers = [types.FileSystemWatcher(glob_pattern="**/*")]
        registration = types.Registration(
            id="acp-files",
            method=types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
            register_options=types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers),
        )
        params = types.RegistrationParams(registrations=[registration])
        self._ask(types.CLIENT_REGISTER_CAPABILITY, params, _ignore, timeout=self._timeout)

    def refresh(self) -> None:
        if self._abilities.code_lens_refresh:
            self._ask(types.WORKSPACE_CODE_LENS_REFRESH, None, _ignore, timeout=self._timeout)

    # --- requests -------------------------------------------------------------------------------

    def _ask(
        self,
        method: str,
        params: Any,
        on_answer: Callable[[Any], None],
        *,
        timeout: float | None,
        on_unable: Callable[[], None] | None = None,
    ) -> Withdraw:
        """A request whose answer, or None in its place, comes once, unless it is withdrawn.

        `on_unable` comes instead if the editor does not know the request.
        """
        request_id = f"acp-{next(self._ids)}"
        question = _Pending(on_answer, on_unable)
        future = self._protocol.send_request(method, params, msg_id=request_id)
        future.add_done_callback(question.answered)
        if timeout is not None:
            question.timer = self._loop.call_later(timeout, question.settle, None)

        def withdraw() -> None:
            if question.drop():
                cancel = types.CancelParams(id=request_id)
                self._protocol.notify(types.CANCEL_REQUEST, cancel)

        return withdraw


class _Pending:
    """One request to the editor, settled once."""

    def __init__(
        self, on_answer: Callable[[Any], None], on_unable: Callable[[], None] | None
    ) -> None:
        self._on_answer: Callable[[Any], None] | None = on_answer
        self._on_unable = on_unable
        self.timer: asyncio.TimerHandle | None = None

    def answered(self, future: Future[Any]) -> None:
        try:
            self.settle(future.result())
        except JsonRpcMethodNotFound:
            if self._on_unable is not None and self.drop():
                self._on_unable()
            else:
                self.settle(None)
        except (JsonRpcException, CancelledError):
            self.settle(None)

    def settle(self, value: Any) -> None:
        on_answer = self._on_answer
        if self.drop() and on_answer is not None:
            on_answer(value)

    def drop(self) -> bool:
        """Forget it; False if it was settled before."""
        open_before, self._on_answer = self._on_answer is not None, None
        if self.timer is not None:
            self.timer.cancel()
        return open_before


def _ignore(_value: Any) -> None:
    """For answers that change nothing."""
