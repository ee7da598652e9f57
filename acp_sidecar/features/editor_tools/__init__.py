"""What an agent may ask of the editor by tools: unsaved texts, the selection, diagnostics, symbols.

ACP v2 gives agents no `fs/*`; these tools are offered to them as an MCP server instead, if the user
turns it on. Here is what the tools are (`catalogue`) and what they do (`tools`), decided without
any transport. How an agent reaches them is the room `mcp`. Imported when it is first needed, but
for `messages`.
"""
