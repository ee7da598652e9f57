"""What commands answer where it concerns no single feature: `acp.state`, sessions, agents."""

from __future__ import annotations

from typing import Literal, TypedDict

from acp_sidecar.features.elicitation.messages import ElicitationView
from acp_sidecar.features.follow_messages import FollowView, PresenceView, TrailEntryView
from acp_sidecar.features.permission.messages import AuditEntry, PermissionView, RememberedView
from acp_sidecar.features.review.messages import SetView
from acp_sidecar.session.handshake import (
    AgentCapabilities,
    AuthMethod,
    Implementation,
)
from acp_sidecar.session.options import SessionConfigOption
from acp_sidecar.session.view_types import SessionView


class AgentView(TypedDict):
    """An agent, and what is known of it.

    Attributes:
        name: As in the settings.
        title: Its name for a person.
        source: Where it is known from: the user's settings, the presets that come with
            acp-sidecar, the registry file of the settings, or it is the built-in demo.
        run: How it is run: by a command of the settings, as the program found on PATH, or as a
            package by npx or uvx; null if it is not installed.
        available: Whether it can be started.
        needsConsent: Whether its package is fetched only when the user agrees: starting it asks.
        command: The program and its arguments; empty if it is not installed.
        installHint: How to install it; null if nothing is known.
        signInNote: How one signs in; null if nothing is known.
        docs: Address of its documentation on ACP, or null.
        authRequired: It has refused something for want of a sign-in, and none was made since.
        state: Of its process.
        protocolVersion: The ACP version that it speaks; null before it was started.
        info: What it calls itself; null before it was started.
        capabilities: What it offers, in v2's names; null before it was started.
        authMethods: Ways to sign in, for `acp.agent.login`.
        notes: What a person should know of how it started.
        failure: Why it failed, for a person.
        problems: How many of its messages were not as they should be.
    """

    name: str
    title: str
    source: Literal["settings", "preset", "registry", "demo"]
    run: Literal["command", "path", "npx", "uvx"] | None
    available: bool
    needsConsent: bool
    command: list[str]
    installHint: str | None
    signInNote: str | None
    docs: str | None
    authRequired: bool
    state: Literal["stopped", "starting", "ready", "stopping", "failed"]
    protocolVersion: int | None
    info: Implementation | None
    capabilities: AgentCapabilities | None
    authMethods: list[AuthMethod]
    notes: list[str]
    failure: str | None
    problems: int


class AgentList(TypedDict):
    """Every agent that is known, installed or not.

    Attributes:
        agents: Those of the settings first, then those that are installed, then the others.
        defaultAgent: The agent that prompts go to if none is named.
    """

    agents: list[AgentView]
    defaultAgent: str


class ProblemEntry(TypedDict):
    """Something that was not as it should be, and that was survived.

    Attributes:
        fault: Whose fault it is.
        code: A stable name.
        message: One sentence for a person.
        where: What it concerns: a method, a setting, a file; may be empty.
        excerpt: A short, printable piece of the input; may be empty.
    """

    fault: Literal["agent", "editor", "config", "environment", "us"]
    code: str
    message: str
    where: str
    excerpt: str


class StateView(TypedDict):
    """Everything a view that joins late needs; lines count from 1, as in ACP.

    Attributes:
        version: Of acp-sidecar.
        defaultAgent: The agent that prompts go to if none is named.
        agents: All that can be used at once; `acp.agents.list` has those to be installed, too.
        sessions: All that were opened since the start.
        remembered: Sessions of this workspace from this run and earlier ones, the last used first.
        follow: How following is.
        currentSession: The session that commands go to if none is named.
        permissions: Open ones, oldest first; answer them by `acp.permission.answer`.
        elicitations: Open ones; answer them by `acp.elicitation.answer`.
        rules: Permission rules that the user has added, the newest first.
        audit: Decisions about permissions, the oldest first.
        changeSets: One for each tool call with a diff, and the net change of each session (its
            `toolCallId` is null).
        trail: Where agents have been, oldest first.
        presence: Where agents work now.
        problems: The last ones, oldest first.
        problemCounts: By code, since the start.
    """

    version: str
    agents: list[AgentView]
    defaultAgent: str
    currentSession: str | None
    sessions: list[SessionView]
    remembered: list[RememberedSession]
    permissions: list[PermissionView]
    elicitations: list[ElicitationView]
    rules: list[RememberedView]
    audit: list[AuditEntry]
    changeSets: list[SetView]
    follow: FollowView
    trail: list[TrailEntryView]
    presence: list[PresenceView]
    problems: list[ProblemEntry]
    problemCounts: dict[str, int]


class SessionRef(TypedDict):
    """The session that a command was about, or has opened."""

    sessionId: str


class PromptResult(TypedDict):
    """What became of a prompt.

    Attributes:
        sessionId: The session it went to.
        promptId: Names it while it is in `queued` of the session.
        queued: It waits for the end of the turn; false if it is on its way.
    """

    sessionId: str
    promptId: str
    queued: bool


class UnqueuedPrompt(TypedDict):
    """A prompt that was taken out of the queue; `text` is whole, to be edited again."""

    sessionId: str
    promptId: str
    text: str


class ReleaseResult(TypedDict):
    """How many prompts were held."""

    sessionId: str
    released: int


class RememberedSession(TypedDict):
    """A session of this workspace that the sidecar remembers, also from before it was started.

    Attributes:
        sessionId: For `acp.session.resume`.
        agent: Its agent, by the name in the settings.
        cwd: Its folder.
        additionalDirectories: Its further roots.
        title: What the agent calls it.
        updatedAt: ISO 8601, as the agent says, or null.
        lastUsed: ISO 8601, when it was last prompted or resumed from here.
        open: It is open now, and in `sessions`.
        resume: How it can be opened: `replay`: with its past told again. `plain`: without.
            `none`: its agent, as it is now, cannot.
    """

    sessionId: str
    agent: str
    cwd: str
    additionalDirectories: list[str]
    title: str | None
    updatedAt: str | None
    lastUsed: str
    open: bool
    resume: Literal["replay", "plain", "none"]


class ListedSession(TypedDict):
    """A session that the agent lists or that the sidecar remembers.

    Attributes:
        sessionId: For `acp.session.resume`.
        agent: Its agent, by the name in the settings.
        cwd: Its folder.
        additionalDirectories: Its further roots, as far as they are known.
        title: What the agent calls it.
        updatedAt: ISO 8601, as the agent says, or null.
        lastUsed: ISO 8601, when it was last used from here, if it is remembered.
        remembered: The sidecar remembers it.
        open: It is open now.
    """

    sessionId: str
    agent: str
    cwd: str
    additionalDirectories: list[str]
    title: str | None
    updatedAt: str | None
    lastUsed: str | None
    remembered: bool
    open: bool


class SessionPage(TypedDict):
    """One page of sessions: those that the sidecar remembers first, then those the agent lists.

    Attributes:
        sessions: Each session is on one page only.
        nextCursor: Asks for the next page; null at the end.
        listed: The agent lists its sessions; false if only remembered ones are known.
    """

    sessions: list[ListedSession]
    nextCursor: str | None
    listed: bool


class OptionsResult(TypedDict):
    """All config options of the session, as they are now."""

    configOptions: list[SessionConfigOption]


class LoginResult(TypedDict):
    """How the user was signed in."""

    methodId: str


class TranscriptOpened(TypedDict):
    """The document that was written.

    Attributes:
        shown: The editor says that it shows it.
    """

    uri: str
    shown: bool
