"""A world for permissions and elicitations: a clock that stands still, an editor of lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from acp_sidecar.config import PermissionSettings, load
from acp_sidecar.features.permission import Permissions, PromptQueue
from acp_sidecar.features.ports import (
    Abilities,
    Document,
    FileText,
    Level,
    Withdraw,
)
from acp_sidecar.session import reducer
from acp_sidecar.session.permissions import PermissionRequest, ToolCallSubject
from acp_sidecar.session.state import Session
from tests.features.unasked_editor import UnaskedEditor

Json = Any

OPTIONS = [
    {"optionId": "yes", "name": "Allow", "kind": "allow_once"},
    {"optionId": "always", "name": "Always allow", "kind": "allow_always"},
    {"optionId": "no", "name": "Reject", "kind": "reject_once"},
]


@dataclass
class Clock:
    now: float = 100.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Question:
    """One thing on the editor's screen: a message request or an `acp/*` request."""

    what: str
    params: Json
    actions: list[str]
    on_answer: Callable[[Any], None]
    on_unable: Callable[[], None] | None = None
    withdrawn: bool = False
    answered: bool = False

    def answer(self, value: Any) -> None:
        """As a client does; one that was told to stop may still answer late."""
        self.answered = True
        self.on_answer(value)

    def unknown(self) -> None:
        """As a client does that does not know the request."""
        self.answered = True
        assert self.on_unable
        self.on_unable()

    def press(self, label: str) -> None:
        self.answer(self.actions.index(label))

    @property
    def open(self) -> bool:
        return not (self.withdrawn or self.answered)


PLAIN = Abilities(message_actions=True, show_document=True)
RICH = Abilities(rich=frozenset({"permission", "elicitation"}), show_document=True)


@dataclass
class FakeEditor(UnaskedEditor):
    """An `Editor` that shows nothing and remembers everything."""

    abilities: Abilities = PLAIN
    questions: list[Question] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    logs: list[str] = field(default_factory=list)
    notified: list[tuple[str, Json]] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    can_open: bool = True

    @property
    def on_screen(self) -> list[Question]:
        return [question for question in self.questions if question.open]

    @property
    def current(self) -> Question:
        (question,) = self.on_screen
        return question

    def notify(self, method: str, params: Json) -> None:
        self.notified.append((method, params))

    def _put(self, question: Question) -> Withdraw:
        self.questions.append(question)

        def withdraw() -> None:
            question.withdrawn = True

        return withdraw

    def request(
        self,
        method: str,
        params: Json,
        on_answer: Callable[[Json], None],
        on_unable: Callable[[], None],
    ) -> Withdraw:
        return self._put(Question(method, params, [], on_answer, on_unable))

    def ask(
        self,
        level: Level,
        message: str,
        actions: Sequence[str],
        on_answer: Callable[[int | None], None],
    ) -> Withdraw:
        return self._put(Question("ask", message, list(actions), on_answer))

    def message(self, level: Level, text: str) -> None:
        self.messages.append(text)

    def log(self, level: Level, text: str) -> None:
        self.logs.append(text)

    def open_external(self, url: str, on_done: Callable[[bool], None]) -> None:
        self.opened.append(url)
        on_done(self.can_open)

    def progress_begin(self, token: str, title: str, *, cancellable: bool) -> None: ...
    def progress_report(self, token: str, message: str) -> None: ...
    def progress_end(self, token: str, message: str) -> None: ...
    def refresh(self) -> None: ...


@dataclass
class FakeWorkspace:
    """Roots and symbolic links; the rest of a path is as it is written, without `.` and `..`."""

    folders: list[str] = field(default_factory=lambda: ["/project"])
    links: dict[str, str] = field(default_factory=dict)

    def roots(self) -> Sequence[str]:
        return self.folders

    def resolve(self, path: str) -> str:
        real: list[str] = []
        for part in path.split("/"):
            if part == "..":
                real = real[:-1]
            elif part not in {"", "."}:
                real.append(part)
                target = self.links.get("/" + "/".join(real))
                real = real if target is None else target.strip("/").split("/")
        return "/" + "/".join(real)

    def open_documents(self) -> Sequence[Document]:
        return []

    def document(self, path: str) -> Document | None:
        return None

    def read(self, path: str) -> FileText:
        return FileText(path, None, reason="missing")

    def disk(self, path: str) -> FileText:
        return self.read(path)


@dataclass
class Asked:
    """A permission that was asked for, and what the agent was answered."""

    permission_id: str = ""
    answers: list[str | None] = field(default_factory=list)


class World:
    """Permissions in a fake editor; `ask_*` are an agent's requests."""

    def __init__(
        self,
        rules: list[Json] | None = None,
        *,
        abilities: Abilities | None = None,
        inert: float = 0.0,
        timeout: float | None = None,
        previews: list[str] | None = None,
    ) -> None:
        self.clock = Clock()
        self.editor = FakeEditor()
        if abilities is not None:
            self.editor.abilities = abilities
        self.workspace = FakeWorkspace()
        self.settings = settings(rules, inert=inert, timeout=timeout)
        self.prompts = PromptQueue(self.editor, self.clock, inert)
        self.permissions = Permissions(
            self.settings,
            self.editor,
            self.workspace,
            clock=self.clock,
            prompts=self.prompts,
            preview=None if previews is None else previews.append,
        )
        self.session = session()

    def ask(
        self,
        subject: Json = None,
        *,
        options: Json = None,
        title: str = "Do it?",
        description: str | None = None,
        within: Session | None = None,
    ) -> Asked:
        request = PermissionRequest.model_validate(
            {
                "sessionId": "s",
                "title": title,
                "description": description,
                "subject": subject,
                "options": OPTIONS if options is None else options,
            }
        )
        place = within or self.session
        if isinstance(request.subject, ToolCallSubject):
            reducer.apply(place, request.subject.tool_call)
        asked = Asked()
        asked.permission_id = self.permissions.requested(place, request, asked.answers.append)
        return asked

    def pass_time(self, seconds: float) -> None:
        self.clock.now += seconds
        self.permissions.tick()


def settings(
    rules: list[Json] | None = None, *, inert: float = 0.0, timeout: float | None = None
) -> PermissionSettings:
    """Settings as they come from an editor, with rules that can be read."""
    raw = {"rules": rules or [], "inert": inert, "timeout": timeout}
    config, problems = load({"permissions": raw})
    assert problems == []
    return config.permissions


def session(key: str = "s", *, agent: str = "claude", cwd: str = "/project") -> Session:
    return Session(key, key, agent, cwd, 2)


def command(text: str, cwd: str = "/project") -> Json:
    return {"type": "command", "command": text, "cwd": cwd}


def call(call_id: str = "c", **fields: Json) -> Json:
    return {"type": "tool_call", "toolCall": {"toolCallId": call_id, **fields}}


def edit(*paths: str, call_id: str = "c", operation: str = "modify") -> Json:
    """An edit whose diff touches these paths."""
    changes = [{"operation": operation, "path": path, "fileType": "text"} for path in paths]
    return call(call_id, kind="edit", title="Edit", content=[{"type": "diff", "changes": changes}])


def rule(do: str, **match: Json) -> Json:
    return {"do": do, "match": match}
