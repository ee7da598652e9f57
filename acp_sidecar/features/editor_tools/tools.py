"""What each tool does, once the permission rules have let it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from acp_sidecar.features.editor_tools import asked, texts
from acp_sidecar.features.editor_tools.catalogue import (
    TOOLS,
    Arguments,
    ProposeArguments,
    ReadArguments,
    ShowArguments,
    Tool,
)
from acp_sidecar.features.editor_tools.refused import Refused
from acp_sidecar.features.follow import Follow
from acp_sidecar.features.permission import Permissions
from acp_sidecar.features.places import said_place
from acp_sidecar.features.ports import Editor, Workspace
from acp_sidecar.features.review.review import Review
from acp_sidecar.session.permissions import PermissionOption, PermissionRequest, ToolCallSubject
from acp_sidecar.session.state import Session
from acp_sidecar.session.tool_calls import ToolCallLocation, ToolCallUpdate

Json = Any
Clock = Callable[[], float]

ALLOW: Final = PermissionOption(option_id="allow", name="Allow", kind="allow_once")
REJECT: Final = PermissionOption(option_id="reject", name="Reject", kind="reject_once")
UNKNOWN: Final = "The editor cannot tell."


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool answers: text for the model; `failed` if it could not be done."""

    text: str
    failed: bool = False


Reply = Callable[[Answer], None]


class EditorTools:
    """The tools of one editor, for all sessions."""

    def __init__(
        self,
        editor: Editor,
        workspace: Workspace,
        permissions: Permissions,
        review: Review,
        follow: Follow,
        *,
        clock: Clock,
        home: str = "",
    ) -> None:
        self._editor = editor
        self._workspace = workspace
        self._permissions = permissions
        self._review = review
        self._follow = follow
        self._clock = clock
        self._home = home
        self._calls = 0

    def offered(self) -> list[Tool]:
        """The tools that work in this editor."""
        rich = "tools" in self._editor.abilities.rich
        return [tool for tool in TOOLS if rich or not tool.asks_editor]

    def call(self, session: Session, name: str, arguments: Json, reply: Reply) -> None:
        """Do what a tool is for; `reply` is called once, perhaps much later, if the user is asked.

        Args:
            session: Whose agent calls.
            name: Which tool.
            arguments: As the agent sent them.
            reply: Takes the answer, also of what is refused or makes no sense.
        """
        tool = next((each for each in self.offered() if each.name == name), None)
        if tool is None:
            reply(Answer(f"There is no tool {name}.", failed=True))
            return
        try:
            given = tool.arguments.model_validate({} if arguments is None else arguments)
            path = self._path(session, given)
        except ValidationError as error:
            reply(Answer(_mistakes(error), failed=True))
        except Refused as refused:
            reply(Answer(str(refused), failed=True))
        else:
            self._ask(
                session, tool, path, lambda: self._do(session, tool, given, path, reply), reply
            )

    def _path(self, session: Session, given: Arguments) -> str | None:
        path = getattr(given, "path", None)
        if path is None:
            return None
        said = said_place(path, session.cwd, self._home)
        if said is None:
            raise Refused(f"{path} is no path of a file here.")
        return self._workspace.resolve(said.path)

    def _ask(
        self,
        session: Session,
        tool: Tool,
        path: str | None,
        go_on: Callable[[], None],
        reply: Reply,
    ) -> None:
        self._calls += 1
        places = [] if path is None else [ToolCallLocation(path=path)]
        patch = ToolCallUpdate(
            tool_call_id=f"editor-tool-{self._calls}",
            name=tool.name,
            title=tool.title,
            kind=tool.kind,
            locations=places,
        )
        request = PermissionRequest(
            session_id=session.session_id,
            title=tool.title if path is None else f"{tool.title}: {path}",
            description="By a tool that the sidecar offers to agents.",
            subject=ToolCallSubject(tool_call=patch),
            options=[ALLOW, REJECT],
        )

        def answered(option_id: str | None) -> None:
            if option_id == ALLOW.option_id:
                go_on()
            else:
                reply(Answer("The user, or a rule of the user's, refused this.", failed=True))

        # Within the workspace the user has agreed by turning the tools on.
        self._permissions.requested(session, request, answered, within="allow")

    def _do(
        self, session: Session, tool: Tool, given: Arguments, path: str | None, reply: Reply
    ) -> None:
        try:
            if tool.asks_editor:
                self._ask_editor(tool, given, path, reply)
            else:
                reply(Answer(self._done(session, given, path)))
        except Refused as refused:
            reply(Answer(str(refused), failed=True))

    def _ask_editor(self, tool: Tool, given: Arguments, path: str | None, reply: Reply) -> None:
        question = asked.question(tool.name, given, path)

        def answered(result: Json) -> None:
            told = None if result is None else question.tell(result)
            reply(Answer(UNKNOWN, failed=True) if told is None else Answer(told))

        def unable() -> None:
            reply(Answer("The editor has no such tool after all.", failed=True))

        self._editor.request(question.method, question.params, answered, unable)

    def _done(self, session: Session, given: Arguments, path: str | None) -> str:
        if path is None:
            return texts.open_documents(self._workspace)
        now = self._clock()
        if isinstance(given, ReadArguments):
            text = texts.read(self._workspace, path, given.line, given.limit)
            self._follow.file_access(now, session, path, given.line, given.limit, kind="read")
            return text
        if isinstance(given, ShowArguments):
            return self._show(now, session, path, given)
        if isinstance(given, ProposeArguments):
            diff = texts.proposal(self._workspace, path, given.old_text, given.new_text)
            change_set = self._review.propose(now, session, given.title, diff)
            return f"The change is shown to the user for review, as {change_set}. It is not made."
        raise Refused("There is no such tool.")

    def _show(self, now: float, session: Session, path: str, given: ShowArguments) -> str:
        texts.whole(self._workspace, path)  # a place that cannot be shown is refused
        last = given.line if given.end_line is None else max(given.line, given.end_line)
        limit = last - given.line + 1
        self._follow.file_access(now, session, path, given.line, limit, kind="read")
        view = self._follow.view()
        if view["mode"] == "on" and view["paused"] is None:
            return "The user's view goes there."
        return "Noted in the user's trail; the view does not move, because the user is elsewhere."


def _mistakes(error: ValidationError) -> str:
    """What is wrong with arguments, for a model to do better."""
    found = [
        f"{'.'.join(map(str, each['loc'])) or 'arguments'}: {each['msg']}"
        for each in error.errors()
    ]
    return "The arguments are wrong. " + "; ".join(found[:10])
