"""Split text into words and count them."""

from collections import Counter
from collections.abc import Iterable, Iterator

PUNCTUATION = ".,;:!?()\"“”‘’"
DASHES = "—–"


def split(text: str) -> Iterator[str]:
    """Yield the words of a text, without the punctuation around them."""
    for dash in DASHES:
        text = text.replace(dash, " ")
    for chunk in text.split():
        word = chunk.strip(PUNCTUATION)
        if word:
            yield word


def count(words: Iterable[str]) -> Counter[str]:
    """Count how often each word occurs, whatever its case."""
    counts: Counter[str] = Counter()
    for word in words:
        counts[word.casefold()] += 1
    return counts


def share(counts: Counter[str], word: str) -> float:
    """The part of all words that is this word, from 0 to 1."""
    total = counts.total()
    return counts[word] / total if total else 0.0


def most_common(
    counts: Counter[str], limit: int, min_length: int = 1
) -> list[tuple[str, int]]:
    """The `limit` most frequent words of that length at least, most frequent first."""
    long = Counter({word: n for word, n in counts.items() if len(word) >= min_length})
    return long.most_common(limit)
