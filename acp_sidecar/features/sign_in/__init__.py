"""Signing in: which way, and by whose hand. Pure: decides what is asked and what is run."""
