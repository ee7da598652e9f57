"""Reads everything and never says a word."""

from tests.e2e.programs.agent import messages

for _message in messages():
    pass
