"""Why a tool did nothing, in words for the model."""

from __future__ import annotations


class Refused(Exception):
    """The message tells the model why, and what to do instead where that is known."""
