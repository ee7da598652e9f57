"""The hallway: everything that happens passes here, in order, and is handed to the rooms.

One thread, one event loop. The editor's messages, the agents' frames and the timers are handled by
synchronous calls, each to its end, so their order of arrival is the order of everything: there is
one inbox, and it is the loop. Nothing is decided here and nothing computed.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from pathlib import Path
from typing import Final

from lsprotocol import types

from acp_sidecar import __version__
from acp_sidecar.agent.connector import ProcessConnector
from acp_sidecar.changes.texts import Encoding
from acp_sidecar.commands import Commands
from acp_sidecar.completing import Completing
from acp_sidecar.config import AgentSettings, Config
from acp_sidecar.configuration import Configuration
from acp_sidecar.consents import Consents
from acp_sidecar.document_lenses import code_actions, code_lenses
from acp_sidecar.errors import Problem, SidecarError
from acp_sidecar.features.ports import Level, WorkspaceChange
from acp_sidecar.fetching import FetchingConnector
from acp_sidecar.hearing import Hearing
from acp_sidecar.host.agent_host import AgentHost
from acp_sidecar.host.sessions import Sessions
from acp_sidecar.lsp.abilities import abilities_of, plain
from acp_sidecar.lsp.activity import user_activity
from acp_sidecar.lsp.documents import Documents, OpenDocument, path_of
from acp_sidecar.lsp.editor import LspEditor
from acp_sidecar.lsp.edits import Converter
from acp_sidecar.lsp.fast_json import dumps
from acp_sidecar.lsp.folders import Folders
from acp_sidecar.lsp.generated import GeneratedFiles
from acp_sidecar.lsp.lenses import Contexts
from acp_sidecar.lsp.prompts import PromptDocuments
from acp_sidecar.lsp.protocol import REQUEST_FAILED, Json, Reply
from acp_sidecar.lsp.server import SidecarServer
from acp_sidecar.lsp.workspace import EditorWorkspace
from acp_sidecar.memory.place import state_directory
from acp_sidecar.memory.state_file import StateFile
from acp_sidecar.prompting import Prompting
from acp_sidecar.remembering import Remembering
from acp_sidecar.rooms import Rooms
from acp_sidecar.serving import Serving, offer_of
from acp_sidecar.session.state import Session
from acp_sidecar.session.store import SessionStore
from acp_sidecar.session.updates import Update
from acp_sidecar.signing_in import SignIns
from acp_sidecar.ticker import Ticker
from acp_sidecar.tooling import Tooling
from acp_sidecar.view_commands import review_text
from acp_sidecar.wire.protocol import ClientInfo

CLIENT: Final = ClientInfo("acp-sidecar", "acp-sidecar", __version__)
KEPT_PROBLEMS: Final = 500
HARMLESS: Final = frozenset({"extension-notification", "early-update"})
"""Problems that are none to worry about: told, but not as warnings."""


class Sidecar:
    """One editor's sidecar: its agents, their sessions, and what the editor sees of them."""

    def __init__(self, server: SidecarServer, settings: Configuration) -> None:
        self.settings = settings
        config = settings.config
        self.problems: deque[Problem] = deque(maxlen=KEPT_PROBLEMS)
        self.problem_counts: Counter[str] = Counter()
        self._loop = asyncio.get_running_loop()
        params = server.initialize_params or types.InitializeParams(types.ClientCapabilities())
        self.documents = Documents()
        self.documents.encoding = Encoding(server.protocol.workspace.position_encoding or "utf-16")
        self.prompts = PromptDocuments()
        self.workspace = EditorWorkspace(self.documents, config.review.max_file_size)
        self.folders = Folders(params)
        self.workspace.set_roots(self.folders.paths)
        self._convert = Converter(self.documents, self.workspace)
        abilities = abilities_of(params.capabilities)
        self.editor = LspEditor(server.protocol, abilities, self._convert, config.timeouts.editor)
        self.store = SessionStore(config.terminal.output_limit)
        self.generated = GeneratedFiles()
        self.contexts = Contexts(self.workspace)
        self.rooms = self._make_rooms(config)
        self._ticker = Ticker(self.rooms, self._loop)
        self.hearing = Hearing(self, self._ticker.happened)
        self.sessions = Sessions(self.store, self.hearing)
        self.tooling = Tooling(self, config, self._ticker.happened)
        self.serving = Serving(self)
        self.editor.on_loss = self._editor_lost
        self.connector = self._make_connector(config)
        self.fetching = FetchingConnector(self.connector, self.settings, self.editor)
        self.sign_ins = SignIns(self.editor, self.settings.note, self.folders.default)
        self.sessions.turns.directories = self.folders.others
        self.hosts: dict[str, AgentHost] = {}
        self.memory = self._make_memory(config)
        self.prompting = Prompting(self)
        self._completing = Completing(self)
        self._commands = Commands(self)
        self.editor.watch_files()
        self.show_problems(self.settings.problems)
        self.editor.configuration("acp", self._settings_came)

    def _make_rooms(self, config: Config) -> Rooms:
        return Rooms(
            config,
            self.editor,
            self.workspace,
            self.store,
            clock=self._loop.time,
            preview=self.show_change_set,
        )

    def _make_memory(self, config: Config) -> Remembering:
        return Remembering(
            StateFile(state_directory()),
            self.folders.name,
            enabled=config.sessions.remember,
            on_problem=lambda problem: self.show_problems([problem]),
        )

    def _make_connector(self, config: Config) -> ProcessConnector:
        return ProcessConnector(
            self.settings.agents,
            cwd=Path(self.folders.default()),
            stop_seconds=config.timeouts.stop,
            trace=Path(config.trace).expanduser() if config.trace else None,
            on_problem=lambda problem: self.problem("", problem),
        )

    @classmethod
    def for_server(cls, server: SidecarServer) -> Sidecar:
        """Made when the editor is initialized."""
        params = server.initialize_params
        options = plain(params.initialization_options) if params else None
        settings = Configuration(options, Consents(state_directory() / "consents.json"))
        # From here on messages are encoded by pydantic's serializer, much faster than json.
        server.protocol.dumps = dumps
        return cls(server, settings)

    @property
    def agents(self) -> dict[str, AgentSettings]:
        """All agents by name."""
        return self.settings.agents

    @property
    def default_agent(self) -> str:
        """The agent that prompts go to."""
        return self.settings.default_agent

    # --- agents -----------------------------------------------------------------------------------

    def host(self, agent: str | None) -> AgentHost:
        """The host of an agent, made when it is first asked for.

        Raises:
            EditorError: There is no such agent.
        """
        name = agent or self.default_agent
        host = self.hosts.get(name)
        if name not in self.agents:
            self.settings.look_again()
        if name not in self.agents:
            raise self.settings.no_agent(name)
        if host is None:
            host = self.hosts[name] = AgentHost(
                name,
                self.agents[name],
                client=CLIENT,
                timeouts=self.settings.timeouts(name),
                connector=self.fetching,
                store=self.store,
                listener=self.hearing,
                elicitation=True,
                offer=offer_of(self.settings.config.client),
            )
        return host

    def _editor_lost(self) -> None:
        self.fetching.editor_cannot_ask()
        self.sign_ins.editor_cannot_ask(self.hosts)
        self._ticker.happened()

    def problem(self, agent: str, problem: Problem) -> None:
        self.problems.append(problem)
        self.problem_counts[problem.code] += 1
        if self.problem_counts[problem.code] == 1:
            level = Level.INFO if problem.code in HARMLESS else Level.WARNING
            self.editor.log(level, f"{agent}: {problem.message}" if agent else problem.message)

    # --- what the editor does (`lsp.server.Backend`) ----------------------------------------------

    def command(self, name: str, argument: Json, reply: Reply) -> None:
        try:
            self._commands.run(name, argument, reply)
        except SidecarError as error:
            reply.error(REQUEST_FAILED, str(error))
        self._ticker.happened()

    def did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        if self.prompts.open(params.text_document):
            return
        document = self.documents.open(params.text_document)
        if document is not None:
            self.serving.files.synced(document.path)
            self.rooms.document_opened(self.now(), document.path)
            self._ticker.happened()

    def did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        if self.prompts.change(params, self.documents.encoding):
            return
        document, edits = self.documents.change(params)
        if document is not None:
            by_us = self.editor.edited_by_us(document.path) or self._is_reload(document)
            path = self.workspace.resolve(document.path)
            self.rooms.document_changed(self.now(), path, edits, by_us=by_us)
            self._ticker.happened()

    def _is_reload(self, document: OpenDocument) -> bool:
        """The editor read the file again: after an agent's write, the text is the disk's."""
        target = self.rooms.follow.view()["target"]
        if target is None or target["path"] != self.workspace.resolve(document.path):
            return False  # nobody asks
        return self.workspace.disk(document.path).text == document.text

    def did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        if self.prompts.close(params.text_document.uri):
            return
        document = self.documents.close(params.text_document.uri)
        if document is not None:
            self.serving.files.closed(document.path)
            self.rooms.document_closed(self.now(), self.workspace.resolve(document.path))
            self._ticker.happened()

    def did_save(self, params: types.DidSaveTextDocumentParams) -> None:
        self._file_touched(params.text_document.uri)

    def watched_files(self, params: types.DidChangeWatchedFilesParams) -> None:
        for change in params.changes:
            self._file_touched(change.uri)

    def _file_touched(self, uri: str) -> None:
        path = path_of(uri)
        if path is not None:
            self.serving.files.synced(path)
            self.rooms.file_changed(self.now(), path)
            self._ticker.happened()

    def folders_changed(self, params: types.DidChangeWorkspaceFoldersParams) -> None:
        self.folders.change(params.event)
        self.workspace.set_roots(self.folders.paths)

    def settings_changed(self, params: types.DidChangeConfigurationParams) -> None:
        settings = plain(params.settings)
        if isinstance(settings, dict) and "acp" in settings:
            self._settings_came(settings["acp"])
        else:
            self.editor.configuration("acp", self._settings_came)

    def _settings_came(self, section: Json) -> None:
        if not section:
            return  # the editor has no such section: what it sent at first holds
        problems = self.settings.update(section)
        for name, host in self.hosts.items():
            host.settings = self.settings.agents.get(name, host.settings)  # for its next start
            host.timeouts = self.settings.timeouts(name)
            host.offer = offer_of(self.settings.config.client)
        self.rooms.configure(self.settings.config)
        self.tooling.configure(self.settings.config)
        self.memory.configure(enabled=self.settings.config.sessions.remember)
        self.show_problems(problems)
        self._ticker.happened()

    def show_problems(self, problems: list[Problem]) -> None:
        """Record problems, and tell the user at once."""
        for problem in problems:
            self.problem("", problem)
            self.editor.message(Level.WARNING, problem.message)

    def progress_cancelled(self, token: int | str) -> None:
        session = self.rooms.progress.session_of(str(token))
        if session is not None and session.busy:
            self.cancel(session)
        self._ticker.happened()

    def user_activity(self, params: Json) -> None:
        activity = user_activity(params, self.workspace.resolve)
        if activity is not None:
            self.rooms.user_activity(self.now(), activity)
            self._ticker.happened()

    def code_lenses(self, uri: str) -> list[types.CodeLens]:
        return code_lenses(self, uri)

    def code_actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        return code_actions(self, params)

    async def completion(self, params: types.CompletionParams) -> types.CompletionList | None:
        return await self._completing.at(params)

    def virtual_text(self, uri: str) -> str:
        return review_text(self.rooms.review, uri)

    def pressure(self, high: bool) -> None:
        if high:
            self.connector.pause()
            self.serving.runner.pause()
        else:
            self.connector.resume()
            self.serving.runner.resume()

    async def shutdown(self) -> None:
        """Settle what is open, stop all agents, and leave nothing behind."""
        self.rooms.shutdown()
        self._ticker.stop()
        await self.memory.finish()
        await self._completing.close()
        await self.connector.stop_all()
        await self.tooling.close()
        await self.serving.runner.stop_all()
        self.generated.remove()

    # --- what several of them need ----------------------------------------------------------------

    def cancel(self, session: Session) -> None:
        """Cancel a session's turn: its permissions are cancelled, then the agent is told."""
        self.rooms.cancelled(self.now(), session)
        self.sessions.turns.cancel(self.hosts[session.agent], session)

    def tell(self, session: Session, update: Update) -> None:
        """Something of ours belongs to a session, such as a command that we run for its agent."""
        self.hosts[session.agent].incoming.update(session, update)

    def show_change_set(self, change_set: str) -> None:
        """Open a change set as a read-only diff, beside the question about it."""
        text = self.rooms.review.preview_text(change_set)
        path = self.generated.write(f"{change_set}.diff", text)
        self.editor.show_document(path, None)

    def edit_json(self, change: WorkspaceChange) -> Json:
        """A workspace edit in its richest form, for a client that shows it its own way."""
        return self._convert.json(change)

    def now(self) -> float:
        """The time that all features go by, in seconds."""
        return self._ticker.now()
