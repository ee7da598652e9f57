"""What is kept from one run to the next: which sessions were used where.

Here belong the state file, its place, its lock and its merging. Never here: what was said in a
session, secrets, anything of the editor or of a running agent.
"""
