"""Never reads its input."""

import time

from tests.faults.programs.rpc import say

say(method="ready")
time.sleep(600)
