import unittest

from tally import words


class Split(unittest.TestCase):
    def test_words_lose_the_punctuation_around_them(self):
        self.assertEqual(list(words.split('"Yes," he said.')), ["Yes", "he", "said"])

    def test_a_dash_between_words_parts_them(self):
        self.assertEqual(list(words.split("the gulls—loud all")), ["the", "gulls", "loud", "all"])

    def test_a_text_without_words_has_none(self):
        self.assertEqual(list(words.split(" ... \n")), [])


class Count(unittest.TestCase):
    def test_every_word_is_counted(self):
        self.assertEqual(words.count(["to", "and", "to"])["to"], 2)

    def test_words_that_differ_in_case_only_are_one(self):
        self.assertEqual(words.count(["The", "the", "THE"])["the"], 3)

    def test_a_share_is_a_part_of_all_words(self):
        self.assertEqual(words.share(words.count(["to", "and", "to", "fro"]), "to"), 0.5)


class MostCommon(unittest.TestCase):
    def test_the_most_frequent_comes_first(self):
        counts = words.count(["to", "and", "to"])
        self.assertEqual(words.most_common(counts, 1), [("to", 2)])
