"""Ends, but a child in a session of its own holds its stdout open and keeps writing to it."""

import os
import subprocess
import sys

from tests.faults.programs.rpc import requests, say

CHILD = (
    "import sys, time\nfor _ in range(12_000): print('still here', flush=True); time.sleep(0.05)"
)
child = subprocess.Popen([sys.executable, "-c", CHILD], start_new_session=True)
for request in requests():
    say(id=request["id"], result=[os.getpid(), child.pid])
    say(method="last")
    sys.exit(0)
