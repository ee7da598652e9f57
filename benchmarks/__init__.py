"""Figures, measured side by side in one run. Never asserted: machines differ."""
