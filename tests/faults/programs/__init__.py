"""The programs: each has one fault, which its first line names."""
