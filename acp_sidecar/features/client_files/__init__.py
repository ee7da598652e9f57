"""`fs/*` of ACP v1: agents read and write files through the editor.

Belongs here: what an agent is given of a file, and what becomes of a file that it sends. Whether it
may is `permission.access`'s to say; bytes and atomic writes are the `Disk`'s.
"""

from acp_sidecar.features.client_files.files import ClientFiles

__all__ = ["ClientFiles"]
