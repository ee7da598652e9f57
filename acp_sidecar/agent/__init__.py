"""The agent subprocess: spawn and stop it, move frames in order, write the trace.

Belongs here: everything that awaits or starts a process. Never here: LSP, decisions, meaning.
"""
