"""Its last message is whole, but lacks the newline."""

import json
import sys

from tests.faults.programs.rpc import raw, requests

for request in requests():
    raw(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": "last"}).encode())
    sys.exit(0)
