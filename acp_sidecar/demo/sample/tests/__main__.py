"""Run all tests, one coloured line each: python -m tests."""

import os
import sys
import unittest

COLOURED = "NO_COLOR" not in os.environ and ("FORCE_COLOR" in os.environ or sys.stdout.isatty())


def paint(text: str, code: str) -> str:
    """The text in a colour, where colours are wanted."""
    return f"\x1b[{code}m{text}\x1b[0m" if COLOURED else text


class Result(unittest.TestResult):
    """Writes each test's outcome as soon as it is known."""

    def line(self, test: unittest.TestCase, mark: str, code: str) -> None:
        print(f"{paint(mark, code)} {test.id().removeprefix('tests.')}", flush=True)

    def addSuccess(self, test):
        self.line(test, "✓", "32")
        super().addSuccess(test)

    def addFailure(self, test, err):
        self.line(test, "✗", "31;1")
        print(f"  {paint(str(err[1]).partition(chr(10))[0], '2')}", flush=True)
        super().addFailure(test, err)

    def addError(self, test, err):
        self.line(test, "!", "31;1")
        print(f"  {paint(repr(err[1]), '2')}", flush=True)
        super().addError(test, err)


def main() -> int:
    """Run what unittest finds; the exit status is 1 if anything failed."""
    sys.stdout.reconfigure(encoding="utf-8")
    result = Result()
    unittest.defaultTestLoader.discover(".").run(result)
    bad = len(result.failures) + len(result.errors)
    good = result.testsRun - bad
    print()
    print(paint(f"{good} passed", "32;1") + (", " + paint(f"{bad} failed", "31;1") if bad else ""))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
