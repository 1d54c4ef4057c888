"""Every text that guests read exists in every language, with the same placeholders."""

import re
from typing import Any

import pytest
from babel.messages.catalog import Message

from devtools import messages

PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|%%|\{\w*\}|<[^>]+>")
CATALOGS = [
    (language, domain) for language in messages.LANGUAGES for domain in ("django", "djangojs")
]
REMEDY = "Run `make messages`, translate what is empty in locale/, and compile."


def texts_of(catalog: Any) -> dict[Any, Message]:
    return {(each.id, each.context): each for each in catalog if each.id}


def forms(value: Any) -> tuple[str, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


@pytest.mark.parametrize(("language", "domain"), CATALOGS)
def test_the_catalog_has_what_the_code_says_and_nothing_else(language: str, domain: str) -> None:
    catalog = set(texts_of(messages.read(language, domain)))
    said = set(texts_of(messages.extract(domain)))
    assert (said - catalog, catalog - said) == (set(), set()), REMEDY


@pytest.mark.parametrize(("language", "domain"), CATALOGS)
def test_nothing_is_left_untranslated_or_unsure(language: str, domain: str) -> None:
    wanting = [
        each.id
        for each in texts_of(messages.read(language, domain)).values()
        if each.fuzzy or not all(forms(each.string))
    ]
    assert wanting == [], REMEDY


@pytest.mark.parametrize(("language", "domain"), CATALOGS)
def test_each_form_has_the_same_blanks_to_fill_in(language: str, domain: str) -> None:
    catalog = messages.read(language, domain)
    for each in texts_of(catalog).values():
        blanks = {frozenset(PLACEHOLDER.findall(form)) for form in forms(each.id)}
        for form in forms(each.string):
            assert frozenset(PLACEHOLDER.findall(form)) in blanks, each.id
        if isinstance(each.id, tuple):
            assert len(forms(each.string)) == catalog.num_plurals, each.id


def test_scripts_count_as_the_catalog_does() -> None:
    """`frontend/src/lib/i18n.ts` knows one form for one and another for the rest."""
    for language in messages.LANGUAGES:
        assert messages.read(language, "djangojs").plural_expr == "(n != 1)"


def test_texts_are_found_where_they_are_marked() -> None:
    python = (
        'from x import gettext as _\na = _("One")\nb = ngettext("%(n)s two", "%(n)s twos", n)\n'
    )
    assert [text for text, _, _ in messages.python_messages(python)] == [
        "One",
        ("%(n)s two", "%(n)s twos"),
    ]
    template = (
        '{% load i18n %}<p>\n  {% translate "It\'s three" %}</p>\n'
        "{% blocktranslate with a=b %}Four {{ a }}, 5%{% endblocktranslate %}"
    )
    assert [text for text, _, _ in messages.template_messages(template)] == [
        "It's three",
        "Four %(a)s, 5%%",
    ]
    script = 'gettext("Six \\u2013 “7”"); <p>It\'s {ngettext(\n  "%s 8",\n  "%s 8s",\n  n)}</p>'
    assert [text for text, _, _ in messages.script_messages(script)] == [
        "Six – “7”",
        ("%s 8", "%s 8s"),
    ]


@pytest.mark.parametrize(
    "hidden", ["gettext(name)", "gettext(`Hi ${name}`)", "ngettext(one, two, 3)"]
)
def test_a_text_that_is_not_written_out_is_refused(hidden: str) -> None:
    with pytest.raises(messages.Unreadable):
        list(messages.script_messages(hidden))
