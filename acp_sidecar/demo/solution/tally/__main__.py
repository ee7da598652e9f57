"""The command line: python -m tally FILE [FILE ...] [--limit N] [--min-length N]."""

import argparse
import sys
from pathlib import Path

from tally import report, words


def parser() -> argparse.ArgumentParser:
    """What the command line takes."""
    parser = argparse.ArgumentParser(prog="tally", description="Count words.")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--limit", type=int, default=10, help="how many words to show")
    parser.add_argument("--min-length", type=int, default=1, help="skip shorter words")
    return parser


def read(files: list[Path]) -> str:
    """The text of all files, one after the other."""
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def main() -> int:
    """Print the most frequent words of the files."""
    arguments = parser().parse_args()
    counts = words.count(words.split(read(arguments.files)))
    rows = words.most_common(counts, arguments.limit, arguments.min_length)
    sys.stdout.write(report.table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
