"""Dies of a signal in the middle of a request."""

import os
import signal

from tests.faults.programs.rpc import requests

for _request in requests():
    os.kill(os.getpid(), signal.SIGSEGV)
