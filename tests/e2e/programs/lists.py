"""Has a past: `lists.py KIND`, and sessions that every one of its lives can resume.

Kinds of lists: "few" (three on two pages), "million" (a million, a hundred a page), "heap"
(20 000 in one answer), "circle" (pages that lead back to the first), "none" (it cannot list).
"""

from __future__ import annotations

import sys

from tests.e2e.programs.agent import Agent, Json, say

KIND = sys.argv[1] if len(sys.argv) > 1 else "few"
TITLE = "Friendlier greetings"


def info(number: int, cwd: str = "/p") -> Json:
    return {"sessionId": f"old-{number}", "cwd": cwd, "title": f"Session {number}"}


def page(cursor: str | None) -> Json:
    """The sessions on the page that a cursor names."""
    start = int(cursor or 0)
    if KIND == "heap":
        return {"sessions": [info(number) for number in range(20_000)]}
    if KIND == "million":
        found = [info(number) for number in range(start, start + 100)]
        return {"sessions": found, "nextCursor": str(start + 100) if start < 999_900 else None}
    if KIND == "circle":
        return {"sessions": [info(start)], "nextCursor": str((start + 1) % 3)}
    return {
        "sessions": [info(number) for number in range(start, min(start + 2, 3))],
        "nextCursor": "2" if start == 0 else None,
    }


class Lists(Agent):
    capabilities = {"session": {"delete": {}, "additionalDirectories": {}}}  # noqa: RUF012 - never changed
    session = "kept"

    def on_session_list(self, request: Json) -> None:
        if KIND == "none":
            self.on_other(request)
        else:
            say(id=request["id"], result=page(request["params"].get("cursor")))

    def on_session_resume(self, request: Json) -> None:
        params = request["params"]
        if params["sessionId"] == "gone":
            error = {"code": -32002, "message": "Resource not found"}
            say(id=request["id"], error=error)
            return
        self.session = params["sessionId"]
        if "replayFrom" in params:
            content = [{"type": "text", "text": "said before"}]
            self.update(sessionUpdate="agent_message", messageId="past", content=content)
        say(id=request["id"], result={})

    def on_session_close(self, request: Json) -> None:
        say(id=request["id"], result={})

    on_session_delete = on_session_close

    def turn(self, request: Json) -> None:
        self.update(sessionUpdate="session_info_update", title=TITLE)
        super().turn(request)


Lists().serve()
