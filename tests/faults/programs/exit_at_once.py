"""Ends before it has read anything, with a reason on stderr."""

import sys

sys.exit("fatal: no API key; run `agent login` first")
