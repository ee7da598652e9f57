"""The demo agent: a real ACP agent on stdio that follows a script instead of a model.

What it says is scripted; what it reads, edits and runs is real, in the project that the client
names, and nothing is touched without permission. `script` says what it does, `tools` do it, `turn`
and `session` keep it, the two dialects put it in the words of ACP v1 and v2, `service` answers the
methods, `connection` moves the bytes.
"""

from acp_sidecar.demo.agent.main import main

__all__ = ["main"]
