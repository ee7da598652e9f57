"""How agents reach the editor's tools: an MCP server that talks to the running sidecar.

An agent starts `acp-sidecar mcp` (`server`) as it starts any MCP server on stdio. That process
knows nothing: it asks the sidecar that it belongs to, over a channel that only this user's programs
with the right token can use (`channel`). What tools there are and what they do is decided in
`features.editor_tools`.
"""
