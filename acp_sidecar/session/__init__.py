"""What a conversation is now: the vocabulary of ACP v2 and the state that updates add up to.

Belongs here: the types that every room speaks (`content`, `tool_calls`, `terminals`, `updates`,
`permissions`, `handshake`), the state of sessions and the one function that applies an update.
Never here: JSON text, files, clocks, asyncio, LSP, versions of the protocol. Imports only the
standard library and pydantic.
"""
