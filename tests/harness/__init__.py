"""Drives the real `acp-sidecar` as an editor does: a plain LSP client over pipes.

    async with start_sidecar(project, agents={"peer": {"command": [...]}}) as editor:
        editor.answers = Answers("Allow")
        session = await editor.prompt("[[peer:edit]]")
        state = await editor.until(lambda state: not state["sessions"][0]["busy"])

It shares no code with the server. It keeps everything the server sent, in order, and does what
it is asked as editors do it: documents have versions, stale edits are refused, prompts can be
answered, dismissed or left alone.
"""

from tests.harness.capabilities import BARE, CLIENTS, PLAIN, recorded_capabilities
from tests.harness.client import Editor, EditorError
from tests.harness.connection import Received
from tests.harness.documents import Documents
from tests.harness.prompts import DISMISS, NEVER, Answers
from tests.harness.sidecar import start_sidecar

__all__ = [
    "BARE",
    "CLIENTS",
    "DISMISS",
    "NEVER",
    "PLAIN",
    "Answers",
    "Documents",
    "Editor",
    "EditorError",
    "Received",
    "recorded_capabilities",
    "start_sidecar",
]
