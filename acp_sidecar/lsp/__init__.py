"""The pygls server, the `acp/*` messages and the conversion between our types and LSP types.

The only room that imports pygls and lsprotocol. Never here: decisions, ACP field names.
"""
