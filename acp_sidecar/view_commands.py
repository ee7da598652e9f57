"""What views ask for: the whole state, and what a client that joins late has missed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from acp_sidecar import __version__
from acp_sidecar.errors import EditorError
from acp_sidecar.features.review.messages import DocumentText, ReviewTexts
from acp_sidecar.features.review.review import Review
from acp_sidecar.features.screen import screen_view
from acp_sidecar.features.state_messages import AgentView, ProblemEntry
from acp_sidecar.features.terminal import snapshot
from acp_sidecar.features.terminal import text as plain_output
from acp_sidecar.listing import Listing
from acp_sidecar.lsp import arguments as args
from acp_sidecar.lsp.protocol import Reply
from acp_sidecar.lsp.review_uris import ReviewDocument, Which, review_document, review_uri
from acp_sidecar.session.state import Session, Terminal
from acp_sidecar.session.view import plain, session_view

if TYPE_CHECKING:
    from acp_sidecar.sidecar import Sidecar

Json = Any


class ViewCommands:
    """Commands that change nothing. `find` finds a session, or the one last used."""

    def __init__(
        self,
        sidecar: Sidecar,
        find: Callable[[str | None], Session],
        current: Callable[[], str | None],
        listing: Listing,
    ) -> None:
        self._sidecar = sidecar
        self._listing = listing
        self._find = find
        self._current = current
        self.table: dict[str, Callable[[Any, Reply], None]] = {
            "acp.state": self._state,
            "acp.agents.list": self._agents,
            "acp.terminal.output": self._terminal_output,
            "acp.terminal.screen": self._terminal_screen,
            "acp.transcript.blocks": self._transcript_blocks,
            "acp.review.texts": self._review_texts,
        }

    def _state(self, arguments: args.StateArguments, reply: Reply) -> None:
        sidecar = self._sidecar
        only = arguments.session_id
        sessions = list(sidecar.store.by_key.values()) if only is None else [self._find(only)]
        reply.result(
            {
                "version": __version__,
                "agents": [agent_view(sidecar, name) for name in _ready(sidecar)],
                "defaultAgent": sidecar.default_agent,
                "currentSession": self._current(),
                "sessions": [session_view(each, plain_output) for each in sessions],
                "remembered": self._listing.remembered(),
                **sidecar.rooms.view(),
                "problems": _problems(sidecar),
                "problemCounts": dict(sidecar.problem_counts),
            }
        )

    def _agents(self, _arguments: args.NoArguments, reply: Reply) -> None:
        sidecar = self._sidecar
        sidecar.settings.look_again()
        agents = [agent_view(sidecar, name) for name in sidecar.settings.known]
        reply.result({"agents": agents, "defaultAgent": sidecar.default_agent})

    def _terminal(self, arguments: args.TerminalArguments) -> tuple[Session, Terminal]:
        session = self._find(arguments.session_id)
        terminal = session.terminals.get(arguments.terminal_id)
        if terminal is None:
            raise EditorError(f"There is no terminal {arguments.terminal_id}.")
        return session, terminal

    def _terminal_output(self, arguments: args.TerminalOutputArguments, reply: Reply) -> None:
        session, terminal = self._terminal(arguments)
        reply.result(snapshot(session, terminal, arguments.offset))

    def _terminal_screen(self, arguments: args.TerminalArguments, reply: Reply) -> None:
        session, terminal = self._terminal(arguments)
        reply.result(screen_view(session, terminal))

    def _transcript_blocks(self, arguments: args.SessionArguments, reply: Reply) -> None:
        session = self._find(arguments.session_id)
        reply.result(self._sidecar.rooms.transcripts.blocks_view(session))

    def _review_texts(self, arguments: args.ReviewTextsArguments, reply: Reply) -> None:
        review = self._sidecar.rooms.review
        reply.result(review_texts(review, arguments.change_set, arguments.file))


def _ready(sidecar: Sidecar) -> list[str]:
    """Agents that can be used without asking for anything, and those that were."""
    known = sidecar.settings.known
    return [
        name for name in sidecar.agents if name in sidecar.hosts or not known[name].needs_consent
    ]


def agent_view(sidecar: Sidecar, name: str) -> AgentView:
    """An agent, whether or not it was ever started."""
    known = sidecar.settings.known[name]
    host = sidecar.hosts.get(name)
    info = host.info if host else None
    return {
        "name": name,
        "title": known.title,
        "source": known.source,
        "run": known.run,
        "available": known.available,
        "needsConsent": known.needs_consent,
        "command": list(known.settings.command or ()),
        "installHint": known.install_hint,
        "signInNote": known.sign_in_note,
        "docs": known.docs,
        "authRequired": host is not None and host.auth_required,
        "state": host.state.value if host else "stopped",
        "protocolVersion": info.protocol_version if info else None,
        "info": plain(info.info) if info else None,
        "capabilities": plain(info.capabilities) if info else None,
        "authMethods": [plain(method) for method in info.auth_methods] if info else [],
        "notes": host.notes if host else [],
        "failure": str(host.failure) if host and host.failure else None,
        "problems": host.problem_count if host else 0,
    }


def _problems(sidecar: Sidecar) -> list[ProblemEntry]:
    return [
        {
            "fault": problem.fault.value,
            "code": problem.code,
            "message": problem.message,
            "where": problem.where,
            "excerpt": problem.excerpt,
        }
        for problem in sidecar.problems
    ]


def review_texts(review: Review, change_set: str, file: int | str) -> ReviewTexts:
    """Both sides of a file, as virtual documents.

    Raises:
        EditorError: There is no such set or file.
    """
    index, path = review.file_of(change_set, file)
    before, after = review.texts(change_set, index)

    def document(which: Which, text: str) -> DocumentText:
        return {"uri": review_uri(ReviewDocument(which, change_set, index), path), "text": text}

    return {
        "changeSet": change_set,
        "file": index,
        "path": path,
        "before": document("before", before),
        "after": document("after", after),
    }


def review_text(review: Review, uri: str) -> str:
    """The text of a virtual document.

    Raises:
        EditorError: It is not one of ours, or its change set is gone.
    """
    wanted = review_document(uri)
    before, after = review.texts(wanted.change_set, wanted.file)
    return before if wanted.which == "before" else after
