"""Closes its stdout and lives on."""

import os
import time

from tests.faults.programs.rpc import requests

for _request in requests():
    os.close(1)
    time.sleep(600)
