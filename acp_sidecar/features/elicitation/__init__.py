"""Elicitation: what an agent wants to know from the user, by a form or on a page of its own.

`form` reads and checks forms, `link` judges addresses, `dialogue` asks field by field where an
editor has no forms, `requests` holds what is open and answers it once. What the user typed goes to
the agent and is kept nowhere.
"""

from acp_sidecar.features.elicitation.requests import Elicitations

__all__ = ["Elicitations"]
