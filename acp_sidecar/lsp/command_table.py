"""Every command: what it takes, what it answers, what it is for and when it fails."""

from __future__ import annotations

from typing import Final

from acp_sidecar.features.follow_messages import FollowView, TrailResult
from acp_sidecar.features.messages import ScreenView, TerminalParams, TranscriptParams
from acp_sidecar.features.review.messages import ChoiceResult, PreviewResult, ReviewTexts
from acp_sidecar.features.state_messages import (
    AgentList,
    AgentView,
    LoginResult,
    OptionsResult,
    PromptResult,
    ReleaseResult,
    SessionPage,
    SessionRef,
    StateView,
    TranscriptOpened,
    UnqueuedPrompt,
)
from acp_sidecar.lsp import arguments as args
from acp_sidecar.lsp.contract import Command

NO_SESSION: Final = "There is no such session, or none at all."
NO_AGENT: Final = "There is no such agent, or it does not start; the message says what to do."
AGENT_SAYS_NO: Final = "The agent answers with an error, or not in time."
NOT_OFFERED: Final = "The agent does not offer it."
NO_SUCH_CHANGE: Final = "There is no such change set, file or hunk."

COMMANDS: Final = (
    Command(
        "acp.state",
        args.StateArguments,
        StateView,
        "Everything that a view that joins late needs. With `sessionId`, that session alone is in "
        "`sessions`.",
        (NO_SESSION,),
    ),
    Command(
        "acp.prompt",
        args.PromptArguments,
        PromptResult,
        "Send a prompt. Without `sessionId` it goes to the session last used with that agent, or "
        "to a new one. Answers as soon as the prompt is on its way; from then on the session is "
        "`busy` until its turn has ended. In a running turn, agents that take prompts at any time "
        "(v2) are sent it at once; for others it is queued. Code in `context` is sent as the "
        "editor shows it now, unsaved changes included.",
        (
            NO_SESSION,
            NO_AGENT,
            AGENT_SAYS_NO,
            "The session is closed.",
            "The prompt is empty.",
            "The agent takes no images or sounds, or one cannot be read or is too large.",
        ),
    ),
    Command(
        "acp.prompt.unqueue",
        args.UnqueueArguments,
        UnqueuedPrompt,
        "Take a prompt out of the queue before it is sent; answers its text.",
        ("There is no such prompt.", "The agent has it already."),
    ),
    Command(
        "acp.prompt.release",
        args.SessionArguments,
        ReleaseResult,
        "Send the prompts that are held, one turn after the other. Prompts that waited for a turn "
        "are held when it is cancelled or fails, and when the agent ends.",
        (NO_SESSION, NO_AGENT, AGENT_SAYS_NO),
    ),
    Command(
        "acp.cancel",
        args.SessionArguments,
        SessionRef,
        "Cancel the session's turn; what it asks is cancelled first. Harmless if nothing runs.",
        (NO_SESSION,),
    ),
    Command(
        "acp.session.new",
        args.NewSessionArguments,
        SessionRef,
        "Open a session, which is then the one last used.",
        (NO_AGENT, AGENT_SAYS_NO),
    ),
    Command(
        "acp.session.list",
        args.ListSessionsArguments,
        SessionPage,
        "One page of the sessions of an agent: those that the sidecar remembers of this workspace, "
        "then those that the agent lists, if it does. A list that comes back to where it was ends "
        "there. To see what is remembered without starting an agent, look into `acp.state`.",
        (NO_AGENT, AGENT_SAYS_NO, "The cursor is not from this list."),
    ),
    Command(
        "acp.session.resume",
        args.ResumeArguments,
        SessionRef,
        "Open a session from before; with `replay`, its past is told again if the agent can, and "
        "nothing of that moves the view. On an open session it tells the agent the workspace "
        "folders as they are now. Nothing is ever resumed unasked.",
        (
            NO_AGENT,
            NOT_OFFERED,
            AGENT_SAYS_NO,
            "The session is running.",
            "None is named, and none is remembered.",
        ),
    ),
    Command(
        "acp.session.close",
        args.SessionArguments,
        SessionRef,
        "Close a session; its turn is cancelled, and what it asks. It stays in `acp.state`, and "
        "what was queued is held there.",
        (NO_SESSION, NOT_OFFERED, AGENT_SAYS_NO),
    ),
    Command(
        "acp.session.delete",
        args.DeleteSessionArguments,
        SessionRef,
        "Have the agent forget a session for good; it is gone from `acp.state`, too, and from what "
        "is remembered. An open one is cancelled and closed first.",
        (NO_AGENT, NOT_OFFERED, AGENT_SAYS_NO),
    ),
    Command(
        "acp.session.forget",
        args.ForgetSessionArguments,
        None,
        "Forget that a session was used here. The agent is not asked and keeps it.",
        ("The session is not remembered.",),
    ),
    Command(
        "acp.session.setOption",
        args.SetOptionArguments,
        OptionsResult,
        "Set a config option, such as the mode or the model.",
        (NO_SESSION, "There is no such option or value.", AGENT_SAYS_NO),
    ),
    Command(
        "acp.permission.answer",
        args.AnswerArguments,
        None,
        "Answer an open permission, however it is shown. Null cancels.",
        ("It is settled already.", "It has no such option."),
    ),
    Command(
        "acp.permission.addRule",
        args.AddRuleArguments,
        None,
        "Remember a permission rule. Open permissions that it covers are settled at once. It "
        "lasts until the sidecar ends, or the session if that is its scope; rules to keep belong "
        "into the settings.",
        ("A member is not known or not of its form.", "A rule to allow names nothing to match."),
    ),
    Command(
        "acp.permission.forgetRule",
        args.ForgetRuleArguments,
        None,
        "Take a remembered rule back.",
        ("There is no rule of this number.",),
    ),
    Command(
        "acp.elicitation.answer",
        args.ElicitationAnswerArguments,
        None,
        "Answer an open elicitation, however it is shown. To accept a page opens it.",
        ("It is settled already.", "The form has mistakes; the message names the fields."),
    ),
    Command(
        "acp.follow",
        args.FollowArguments,
        FollowView,
        "Switch following on (for all sessions, or one) or off, pause it, or resume it: then the "
        "view goes to where the agent is now.",
        (NO_SESSION,),
    ),
    Command(
        "acp.trail",
        args.TrailArguments,
        TrailResult,
        "Walk through the places where agents have been. Walking pauses follow; walking forward "
        "beyond the last place resumes it.",
    ),
    Command(
        "acp.review.preview",
        args.ReviewArguments,
        PreviewResult,
        "The edit that a selection stands for, without making it: forward while the text does "
        "not have the change yet, else back.",
        (NO_SUCH_CHANGE,),
    ),
    Command(
        "acp.review.accept",
        args.ReviewArguments,
        ChoiceResult,
        "Keep hunks, files or sets. While the agent is still to write them, the choice is "
        "recorded and answers the permission once all is decided. A proposal that the agent will "
        "not write is made by an edit.",
        (NO_SUCH_CHANGE,),
    ),
    Command(
        "acp.review.reject",
        args.ReviewArguments,
        ChoiceResult,
        "Refuse hunks, files or sets: undone by an edit if they are in the text, else recorded "
        "and undone after the write. What the user typed around them stays.",
        (NO_SUCH_CHANGE,),
    ),
    Command(
        "acp.review.undo",
        args.NoArguments,
        ChoiceResult,
        "Take the last accept or reject back, and what an edit of ours did for it.",
        ("There is no choice to take back.",),
    ),
    Command(
        "acp.review.texts",
        args.ReviewTextsArguments,
        ReviewTexts,
        "A file before and after a change set, for a diff view. The documents' addresses "
        "(`acp-review:`) answer `workspace/textDocumentContent` with the texts as they are then.",
        (NO_SUCH_CHANGE,),
    ),
    Command(
        "acp.terminal.stop",
        args.TerminalArguments,
        None,
        "Stop the program in a terminal.",
        (NO_SESSION, "There is no such terminal.", NOT_OFFERED, AGENT_SAYS_NO),
    ),
    Command(
        "acp.terminal.output",
        args.TerminalOutputArguments,
        TerminalParams,
        "Everything about a terminal, with its bytes from `offset` on. If `more` is true, ask "
        "again from `next` on. Bytes that are no longer kept are counted in `skipped`; `reset` "
        "says that the offset was from before a snapshot.",
        (NO_SESSION, "There is no such terminal."),
    ),
    Command(
        "acp.terminal.screen",
        args.TerminalArguments,
        ScreenView,
        "What a terminal would show now, for clients without an emulator. It is drawn by pyte, "
        "which the extra `screen` of the package installs.",
        (NO_SESSION, "There is no such terminal.", "pyte is not installed."),
    ),
    Command(
        "acp.toolCall.stop",
        args.ToolCallArguments,
        None,
        "Stop one tool call without cancelling the turn.",
        (NO_SESSION, "There is no such tool call.", NOT_OFFERED, AGENT_SAYS_NO),
    ),
    Command(
        "acp.transcript.open",
        args.SessionArguments,
        TranscriptOpened,
        "Write the session's transcript to a read-only Markdown file and show it by "
        "`window/showDocument`.",
        (NO_SESSION, "The file cannot be written."),
    ),
    Command(
        "acp.transcript.blocks",
        args.SessionArguments,
        TranscriptParams,
        "The whole transcript for a client that has nothing of it; deltas of `acp/transcript` "
        "continue from here.",
        (NO_SESSION,),
    ),
    Command(
        "acp.agents.list",
        args.NoArguments,
        AgentList,
        "Every agent that is known: those that can be used, those that can be fetched once the "
        "user agrees, and those to be installed first, with how to do it. Programs are looked for "
        "anew.",
    ),
    Command(
        "acp.agent.start",
        args.StartAgentArguments,
        AgentView,
        "Start an agent before it is needed. If its package is to be fetched for it, the user is "
        "asked once.",
        (NO_AGENT, "The user does not want its package to be fetched."),
    ),
    Command(
        "acp.agent.stop",
        args.AgentArguments,
        AgentView,
        "Stop an agent's process. It starts again when it is needed.",
        ("There is no such agent.",),
    ),
    Command(
        "acp.agent.restart",
        args.AgentArguments,
        AgentView,
        "Stop an agent's process and start it again.",
        (NO_AGENT,),
    ),
    Command(
        "acp.agent.login",
        args.LoginArguments,
        LoginResult,
        "Sign in by one of the agent's ways; the user is asked if there are several and none is "
        "named. A way of type `terminal` runs the agent's program by `acp/runInTerminal`, or the "
        "user is shown what to run; the agent is started anew after it. Answers when it is done, "
        "however long that takes.",
        (NO_AGENT, NOT_OFFERED, AGENT_SAYS_NO, "The user gave up."),
    ),
    Command(
        "acp.agent.logout",
        args.AgentArguments,
        None,
        "Sign out.",
        (NO_AGENT, NOT_OFFERED, AGENT_SAYS_NO),
    ),
)
"""Every command, in the order of `names.COMMANDS`."""
