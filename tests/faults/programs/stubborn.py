"""Ignores the end of its input and SIGTERM, and so does its child."""

import os
import signal
import subprocess
import sys
import time

from tests.faults.programs.rpc import requests, say

signal.signal(signal.SIGTERM, signal.SIG_IGN)
CHILD = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
child = subprocess.Popen([sys.executable, "-c", CHILD])
for request in requests():
    say(id=request["id"], result=[os.getpid(), child.pid])
time.sleep(600)
