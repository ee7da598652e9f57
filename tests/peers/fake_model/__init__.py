"""A local stand-in for the model services that published agents talk to.

It listens on the loopback interface only, needs the standard library only, and follows a script:
the marker `[[peer:NAME]]` in the prompt picks a scenario, and how many tools the agent has called
since then says which step comes next. So it keeps no state of its own, and retries, side requests
and several sessions at once do not confuse it.
"""

from tests.peers.fake_model.server import FakeModel

__all__ = ["FakeModel"]
