import unittest

from tally import words


class MinLength(unittest.TestCase):
    def test_shorter_words_are_left_out(self):
        counts = words.count("to be or not to be".split())
        self.assertEqual(words.most_common(counts, 3, min_length=3), [("not", 1)])

    def test_the_limit_counts_the_words_that_are_shown(self):
        counts = words.count("to to tide tide tide harbour".split())
        self.assertEqual(words.most_common(counts, 1, min_length=4), [("tide", 3)])
