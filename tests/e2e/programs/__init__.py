"""Agents that misbehave, one program a fault; `agent` is what they have in common."""
