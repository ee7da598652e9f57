"""`python -m acp_sidecar`: the same as the `acp-sidecar` command."""

import sys

from acp_sidecar.cli import main

sys.exit(main())
