"""Answers everything twice, the second time differently, and asks twice with one id."""

from tests.e2e.programs import agent

send = agent.say


def say(**message: object) -> None:
    """Send a message, an answer with another one behind it."""
    send(**message)
    if "result" in message:
        send(id=message["id"], result={"sessionId": "another", "protocolVersion": 1})


class DoubleAnswers(agent.Agent):
    def turn(self, request: agent.Json) -> None:
        self.call("c", title="A call")
        self.ask(7, "c")
        self.ask(7, "c")

    def on_answer(self, answer: agent.Json) -> None:
        if "error" in answer:
            self.message(f"refused {answer['id']}. ")
        else:
            super().on_answer(answer)


agent.say = say
DoubleAnswers().serve()
