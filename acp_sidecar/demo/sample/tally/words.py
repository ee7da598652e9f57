"""Split text into words and count them."""

from collections import Counter
from collections.abc import Iterable, Iterator

PUNCTUATION = ".,;:!?()\""


def split(text: str) -> Iterator[str]:
    """Yield the words of a text, without the punctuation around them."""
    for chunk in text.split():
        word = chunk.strip(PUNCTUATION)
        if word:
            yield word


def count(words: Iterable[str]) -> Counter[str]:
    """Count how often each word occurs."""
    counts: Counter[str] = Counter()
    for word in words:
        counts[word] += 1
    return counts


def share(counts: Counter[str], word: str) -> float:
    """The part of all words that is this word, from 0 to 1."""
    total = counts.total()
    return counts[word] / total if total else 0.0


def most_common(counts: Counter[str], limit: int) -> list[tuple[str, int]]:
    """The `limit` most frequent words, the most frequent first."""
    return counts.most_common(limit)
