"""The check of the vocabulary: what it finds, and what it leaves alone."""

import pytest

from devtools.vocabulary import load_vocabulary, retired_words_in

VOCABULARY = load_vocabulary()


def words_found(name, source):
    found = retired_words_in(name, source, VOCABULARY)
    return [finding.split("“")[1].split("”")[0] for finding in found]


@pytest.mark.parametrize(
    ("name", "source", "words"),
    [
        ("apps/offers/views.py", "queue_letter = 1\n", ["letter"]),
        ("apps/offers/views.py", "class OrderMail:\n    pass\n", ["mail"]),
        ("apps/offers/views.py", 'filter(diner__name="x")\n', ["diner"]),
        ("apps/offers/views.py", 'context["diner"]\n', ["diner"]),
        ("apps/offers/views.py", 'f"{order.diner} ordered"\n', ["diner"]),
        ("apps/offers/views.py", 'raise Conflict("The diner left.")\n', ["diner"]),
        ("apps/offers/views.py", '"""Hand out an order."""\n', ["Hand out"]),
        ("apps/offers/views.py", "# What `diner` says.\n", ["diner"]),
        (
            "apps/offers/models.py",
            'models.Index(fields=["x"], name="the_standing")\n',
            ["standing"],
        ),
        ("apps/preorders/cart/services.py", "first_line = 1\n", ["line"]),
        ("apps/restaurants/selectors.py", "post = 1\n", ["post"]),
        ("tests/offers/test_menu.py", "def test_a_letter_is_sent():\n    pass\n", ["letter"]),
        ("tests/offers/test_letters.py", "", ["letters"]),
        ("apps/offers/urls.py", 'path("diners", view, name="all")\n', ["diners"]),
        ("templates/page.html", "<p>Read our letters</p>\n", ["letters"]),
        ("templates/page.html", "{{ order.trail }}\n", ["trail"]),
        ("templates/page.html", '{% block diner %}<i class="diner-row"></i>\n', ["diner"]),
        ("frontend/src/order.tsx", "const faultOf = 1;\n", ["fault"]),
        ("frontend/src/order.tsx", "<p>Your letter is here</p>\n", ["letter"]),
        ("frontend/src/order.tsx", 'toast("Check your e-mail")\n', ["e-mail"]),
        ("frontend/src/order.css", ".diner-name {}\n", ["diner"]),
        ("docs/api.md", "The diner gets `letters`.\n", ["letters", "diner"]),
        ("README.md", "Checked by e-mail.\n", ["e-mail"]),
    ],
)
def test_vocabulary_finds_a_retired_word(name, source, words):
    assert words_found(name, source) == words


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("apps/offers/views.py", "from django.core import mail\n"),
        ("apps/offers/views.py", "customer_name = emailed = 1\n"),
        ("apps/offers/views.py", '"Use only lowercase letters."\n'),
        ("apps/offers/views.py", "def post(self, request):\n    pass\n"),
        ("apps/offers/views.py", '"You may keep it; we act together."\n'),
        ("apps/common/text.py", "for line in lines:\n    pass\n"),
        ("apps/offers/urls.py", 'redirect("/patron/menu")\n'),
        ("tests/faults/test_workers.py", "http_fault = 1\n"),
        ("frontend/src/order.css", ".a { letter-spacing: 0; }\n"),
        ("locale/es/LC_MESSAGES/django.po", 'msgid "letter"\n'),
    ],
)
def test_vocabulary_leaves_other_words_alone(name, source):
    assert words_found(name, source) == []


def test_every_exception_has_a_reason():
    assert all(exception.reason.endswith(".") for exception in VOCABULARY.allowed)
