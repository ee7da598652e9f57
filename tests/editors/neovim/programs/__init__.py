"""Agents that do what the demo agent never does, run as programs."""
