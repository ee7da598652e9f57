"""The built-in scripted agent (a real ACP agent process) and the demo command.

A separate program that happens to ship with the sidecar: the server never imports it, and it uses
nothing of the server but the JSON-RPC framing.
"""
