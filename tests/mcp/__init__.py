"""The channel and the MCP server, with the official SDK's client as the agent."""
