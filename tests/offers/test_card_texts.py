"""What a special's card says of its dish."""

import pytest

from apps.offers.templatetags.offers import after_first_sentence, first_sentence, in_brief


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Two squares, made the night before. And cocoa.", "Two squares, made the night before."),
        ("Is it soup? It is.", "Is it soup?"),
        ("No more than 2.5 hours", "No more than 2.5 hours"),
        ("Whole words " * 10, "Whole words " * 6 + "Whole words…"),
        ("", ""),
    ],
)
def test_a_card_shows_the_first_sentence_in_whole_words(text: str, shown: str) -> None:
    assert first_sentence(text) == shown


def test_a_wide_row_shows_a_few_sentences_in_whole_words() -> None:
    assert in_brief("Is it soup? It is.") == "Is it soup? It is."
    assert in_brief("Whole words " * 30) == "Whole words " * 17 + "Whole words…"


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Three generations. Come and eat. We wait.", "Come and eat. We wait."),
        ("Three generations", "Three generations"),
        # What is cut above is whole below.
        ("Whole words " * 10 + ". And more.", "Whole words " * 10 + ". And more."),
    ],
)
def test_what_follows_a_first_sentence_is_the_rest(text: str, rest: str) -> None:
    assert after_first_sentence(text) == rest
