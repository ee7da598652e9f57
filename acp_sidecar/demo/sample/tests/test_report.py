import unittest

from tally import report


class Table(unittest.TestCase):
    def test_counts_are_right_aligned(self):
        self.assertEqual(report.table([("the", 12), ("tide", 3)]), "12  the\n 3  tide\n")

    def test_no_words_make_an_empty_table(self):
        self.assertEqual(report.table([]), "")
