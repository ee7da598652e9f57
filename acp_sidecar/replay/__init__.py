"""Traces, played and read: an agent that says again what a trace recorded, and a trace as text.

Belongs here: the script of a trace, the player, path mapping, differences, the readable account;
all pure but `cli`, the thin shell on stdio. Never here: sessions, LSP, asyncio, processes.
"""
