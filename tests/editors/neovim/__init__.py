"""A real Neovim with the plugin, the real server and the demo agent."""
