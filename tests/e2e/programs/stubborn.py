"""Ignores the end of its input and SIGTERM, and so does its child; tells both pids in a turn."""

import os
import signal
import subprocess
import sys
import time

from tests.e2e.programs.agent import Agent, Json

CHILD = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"


class Stubborn(Agent):
    def turn(self, request: Json) -> None:
        self.message(f"{os.getpid()} {child.pid}")


signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", CHILD])
Stubborn().serve()
time.sleep(600)
