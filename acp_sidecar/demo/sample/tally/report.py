"""Lay counted words out as a table."""


def table(rows: list[tuple[str, int]]) -> str:
    """One line a word, the counts right-aligned before it."""
    width = max((len(str(count)) for _, count in rows), default=0)
    return "".join(f"{count:>{width}}  {word}\n" for word, count in rows)
