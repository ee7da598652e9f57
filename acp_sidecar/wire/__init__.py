"""ACP JSON to our events and back. Pure.

Belongs here: framing, JSON-RPC, leniency, the adapters for protocol versions 1 and 2, quirks.
Never here: state of a conversation, decisions, IO, asyncio, LSP. Version checks live here only.
"""
