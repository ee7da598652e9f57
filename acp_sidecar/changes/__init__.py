"""Diffs to file changes to hunks to text edits; anchoring; review state. Pure.

Belongs here: everything that computes text. Never here: reading files, asking anybody, LSP
positions, asyncio. May import unidiff.
"""
