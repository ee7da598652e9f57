"""acp-sidecar: the bridge between code editors and coding agents."""

__version__ = "0.1.0"
