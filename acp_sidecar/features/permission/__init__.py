"""Permission: what an agent asks for is decided by the user's rules or by the user, once.

`facts` verifies what is asked, `rules` decides on that alone, `ask` tells a person, `prompts` shows
one message at a time where an editor has no prompts of its own, `queue` holds what is open.
"""

from acp_sidecar.features.permission.prompts import PromptQueue
from acp_sidecar.features.permission.queue import Permissions

__all__ = ["Permissions", "PromptQueue"]
