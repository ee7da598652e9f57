"""Ends at once when told, but its child lives on and holds its stdout open."""

import os
import subprocess
import sys

from tests.faults.programs.rpc import requests, say

child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
for request in requests():
    say(id=request["id"], result=[os.getpid(), child.pid])
    say(method="last")
    sys.exit(0)
