"""The editor protocol beyond LSP, written once: `acp/*` messages here, commands beside.

`docs/editor-protocol.md` and the editors' types are generated from these tables by
`scripts/generate.py`.
"""

from __future__ import annotations

from typing import Any, Final

from pydantic import ValidationError

from acp_sidecar.errors import EditorError
from acp_sidecar.features.editor_tools.messages import (
    DIAGNOSTICS,
    REFERENCES,
    SELECTION,
    SYMBOLS,
    DiagnosticsResult,
    ReferencesResult,
    SelectionParams,
    SelectionResult,
    SymbolsResult,
    ToolDocument,
    ToolSymbol,
)
from acp_sidecar.features.elicitation.messages import (
    ELICITATION,
    ELICITATION_COMPLETED,
    ELICITATION_SETTLED,
    ElicitationAnswer,
    ElicitationCompletedParams,
    ElicitationParams,
    ElicitationSettledParams,
)
from acp_sidecar.features.follow_messages import FOLLOW, FollowPayload, UserActivityParams
from acp_sidecar.features.messages import (
    SESSION,
    TERMINAL,
    TRANSCRIPT,
    SessionParams,
    TerminalParams,
    TranscriptParams,
)
from acp_sidecar.features.permission.messages import (
    PERMISSION,
    PERMISSION_SETTLED,
    PermissionAnswer,
    PermissionParams,
    PermissionSettledParams,
)
from acp_sidecar.features.review.messages import ReviewDelta
from acp_sidecar.features.sign_in.messages import (
    RUN_IN_TERMINAL,
    RunInTerminalParams,
    RunInTerminalResult,
)
from acp_sidecar.lsp.arguments import Arguments
from acp_sidecar.lsp.command_table import COMMANDS
from acp_sidecar.lsp.contract import Message
from acp_sidecar.lsp.names import USER_ACTIVITY

Json = Any

MESSAGES: Final = (
    Message(
        FOLLOW,
        "to client",
        "notification",
        "follow",
        FollowPayload,
        None,
        "The whole state of following, sent whenever any of it changes. Go to `target` once for "
        "each new `move`, without taking the focus, while `mode` is on and `paused` is null. "
        "Draw `presence` wherever those files are visible, also while follow is off or paused. "
        "Plain clients get `window/showDocument`, or a code lens where the agent works.",
    ),
    Message(
        USER_ACTIVITY,
        "to server",
        "notification",
        "follow",
        UserActivityParams,
        None,
        "What the user did in a text editor, so that follow gets out of the way. Report every "
        "edit, scroll, selection, switch and close in any editor; those that the editor itself "
        "made in answer to `acp/follow` carry its `move`. The server knows which of them matter. "
        "In plain clients edits pause follow, and closing the document.",
    ),
    Message(
        "acp/review",
        "to client",
        "notification",
        "review",
        ReviewDelta,
        None,
        "Change sets that are new or have changed, and those that are gone. A set's `files` holds "
        "only the files that have changed: they replace those of the same index, and files from "
        "`fileCount` on are no more. Lines and choices follow the document as the user edits. "
        "The whole is in `changeSets` of `acp.state`. Plain clients get code lenses and code "
        "actions at each hunk.",
    ),
    Message(
        PERMISSION,
        "to client",
        "request",
        "permission",
        PermissionParams,
        PermissionAnswer | None,
        "May the agent do this? Several may be open, from several sessions; answer them in any "
        "order, each once. Show all that is in it, as text. The prompt takes no focus, ignores "
        "keys and clicks for `inert` seconds, and has no allowing option as its default. Null is "
        'a dismissal: the agent is answered "cancelled". The server takes the request back by '
        "`$/cancelRequest` when it was settled otherwise; `acp.permission.answer` settles it too. "
        "Plain clients get `window/showMessageRequest`, one at a time.",
    ),
    Message(
        PERMISSION_SETTLED,
        "to client",
        "notification",
        "permission",
        PermissionSettledParams,
        None,
        "A permission is over: close any view of it.",
    ),
    Message(
        ELICITATION,
        "to client",
        "request",
        "elicitation",
        ElicitationParams,
        ElicitationAnswer | None,
        "The agent wants to know something: a form to fill in, or a page to open. Show the form "
        "for review before it is sent; show a page's whole address and its host, and answer "
        "accept only if the user agrees: the server then opens it by `window/showDocument`. Forms "
        "that ask for secrets are declined before they come here. If values do not fit, the "
        "request comes again with `error` at the fields. Null is cancel.",
    ),
    Message(
        ELICITATION_SETTLED,
        "to client",
        "notification",
        "elicitation",
        ElicitationSettledParams,
        None,
        "An elicitation is over: close any view of it.",
    ),
    Message(
        ELICITATION_COMPLETED,
        "to client",
        "notification",
        "elicitation",
        ElicitationCompletedParams,
        None,
        "The page that the user agreed to open did what it was for.",
    ),
    Message(
        RUN_IN_TERMINAL,
        "to client",
        "request",
        "runInTerminal",
        RunInTerminalParams,
        RunInTerminalResult | None,
        "Run a program in a terminal that the user can type into, such as an agent's own sign-in, "
        "and answer when it has ended. The user has asked for it: show it and let it have the "
        "focus. Null if it could not be run; the server takes the request back by "
        "`$/cancelRequest` when it no longer waits. Plain clients get `window/showMessageRequest` "
        "with the command to run by hand.",
    ),
    Message(
        TERMINAL,
        "to client",
        "notification",
        "terminal",
        TerminalParams,
        None,
        "What a terminal wrote, as raw bytes in order, and what has changed about it; what is "
        "left out is unchanged. Feed the bytes to a terminal emulator, never to a document. A "
        "client that comes late, or finds `offset` beyond what it has, asks by "
        "`acp.terminal.output`. In plain clients the transcript has the text.",
    ),
    Message(
        TRANSCRIPT,
        "to client",
        "notification",
        "transcript",
        TranscriptParams,
        None,
        "Blocks of a session's transcript that are new or have changed, by id. Their Markdown is "
        "safe to render: it has no raw HTML, no remote images and no commands. A client that "
        "comes late asks by `acp.transcript.blocks`. Plain clients open the transcript by "
        "`acp.transcript.open`.",
    ),
    Message(
        SESSION,
        "to client",
        "notification",
        "session",
        SessionParams,
        None,
        "What a session is doing. The state is always there, the rest when it has changed; the "
        "first one of a session has all. Plain clients see `$/progress`, with a working cancel.",
    ),
    Message(
        SELECTION,
        "to client",
        "request",
        "tools",
        SelectionParams,
        SelectionResult | None,
        "What is selected in the text editor that was used last? Asked when an agent's tool wants "
        "to know, if the setting `editorTools` is on. Null if there is no text editor.",
    ),
    Message(
        DIAGNOSTICS,
        "to client",
        "request",
        "tools",
        ToolDocument,
        DiagnosticsResult | None,
        "What do language servers and linters report, of one document or of all? Null if the "
        "editor cannot tell.",
    ),
    Message(
        SYMBOLS,
        "to client",
        "request",
        "tools",
        ToolDocument,
        SymbolsResult | None,
        "Which symbols has a document, by its language server? Opens nothing on screen. Null if "
        "the editor cannot tell.",
    ),
    Message(
        REFERENCES,
        "to client",
        "request",
        "tools",
        ToolSymbol,
        ReferencesResult | None,
        "Where is a symbol used, by the language server of its document? Opens nothing on screen. "
        "Null if the editor cannot tell, or there is no such symbol on the line.",
    ),
)
"""Every `acp/*` message."""

ARGUMENTS: Final = {command.name: command.arguments for command in COMMANDS}


def arguments_of(command: str, raw: Json) -> Arguments:
    """The arguments of a command.

    Raises:
        EditorError: There is no such command, or its argument is not what it takes.
    """
    model = ARGUMENTS.get(command)
    if model is None:
        raise EditorError(f"There is no command {command}.")
    try:
        # Lua cannot tell an empty object from an empty list, and sends the list.
        return model.model_validate({} if raw is None or raw == [] else raw)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the argument"
        raise EditorError(f"{command}: {where}: {first['msg']}.") from error
