"""Tests: `python -m tests` in colour, or `python -m unittest`."""
