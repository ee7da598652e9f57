"""From the tables and types of the editor protocol to documents and types for editors.

`reading` turns Python types into the few shapes of `model`; each other module writes them down in
one language. Nothing here is part of the sidecar.
"""
