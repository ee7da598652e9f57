"""Uses words of a future that has not come: kinds, statuses, contents, options, methods."""

from tests.e2e.programs.agent import Agent, Json, say

OPTIONS = [
    {"optionId": "future", "name": "Allow in a new way", "kind": "allow_by_moonlight"},
    {"optionId": "no", "name": "Reject", "kind": "reject_once"},
]


class UnknownThings(Agent):
    def turn(self, request: Json) -> None:
        self.update(sessionUpdate="hologram", shape="cube")
        content = {"type": "smell", "of": "roses"}
        self.update(sessionUpdate="agent_message_chunk", messageId="m", content=content)
        self.call("c", title="A dance", kind="dance", status="levitating", content=[content])
        self.call("c", locations="everywhere")
        say(method="session/dream", params={"sessionId": self.session})
        say(id="unknown", method="session/teleport", params={"to": "the moon"})

    def on_answer(self, answer: Json) -> None:
        if answer["id"] == "unknown":
            self.ask("known", "c", options=OPTIONS)
        else:
            super().on_answer(answer)


UnknownThings().serve()
