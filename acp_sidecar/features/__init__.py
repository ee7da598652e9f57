"""What the user sees: follow, review, permission, terminal, transcript, context. Pure decisions.

Belongs here: deciding, from the state of sessions and changes, what an editor should show and what
an agent is answered. Never here: asyncio, clocks (time is a parameter), LSP types, ACP field names.
"""
