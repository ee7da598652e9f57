"""Answers requests that nobody made before it answers those that somebody did."""

from tests.e2e.programs import agent

send = agent.say


def say(**message: object) -> None:
    """Send a message, an answer after others that have a wrong id."""
    if "result" in message:
        for wrong in (987_654, "0", 1.5, None, [0]):
            send(id=wrong, result={"sessionId": "stranger", "protocolVersion": 1})
    send(**message)


agent.say = say
agent.Agent().serve()
