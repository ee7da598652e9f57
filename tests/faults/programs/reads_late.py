"""Reads nothing until a second has passed, then everything."""

import time

from tests.faults.programs.rpc import answer_everything

time.sleep(1)
answer_everything()
