"""`make messages`: bring the catalogues in locale/ up to date with the texts of the code.

What is marked for translation is found in three places: Python and templates (the catalogue
`django`), and the front end's sources (`djangojs`, which goes into pages for their scripts). Texts
keep their translations; new ones come in empty, and what nobody says any more goes.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_python
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

from apps.common.message_catalogs import compile_catalogues

from .paths import ROOT

LOCALE = ROOT / "locale"
LANGUAGES = ("es",)
WIDTH = 100
KEYWORDS = {
    **DEFAULT_KEYWORDS,
    "gettext_lazy": None,
    "_lazy": None,  # as modules call it that need `_` too
    "gettext_noop": None,
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
}

# A call with its texts written out: gettext("…") or ngettext("…", "…", count).
_CALL = re.compile(r"\b(n?)gettext\(\s*(?=[\"'`])")
_TEXT = re.compile(r"\s*(\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`$\\]*`)\s*,?")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
_ANY_CALL = re.compile(r"\bn?gettext\(")

Message = tuple[str | tuple[str, str], str | None, list[str]]  # texts, context, comments


class Unreadable(Exception):
    """A text that is not written out where it is marked cannot be found."""


def python_messages(source: str) -> Iterator[Message]:
    found = extract_python(io.BytesIO(source.encode()), list(KEYWORDS), ["Translators:"], {})
    for _line, name, texts, comments in found:
        spec = KEYWORDS[name]
        parts = texts if isinstance(texts, tuple) else (texts,)
        if spec is None:
            wanted, context = parts[:1], None
        else:
            wanted = tuple(parts[place - 1] for place in spec if isinstance(place, int))
            contexts = [parts[place[0] - 1] for place in spec if isinstance(place, tuple)]
            context = contexts[0] if contexts else None
        if not all(wanted):
            continue
        yield (wanted[0] if len(wanted) == 1 else (wanted[0], wanted[1])), context, comments


def template_messages(source: str) -> Iterator[Message]:
    """Django turns a template into something like Python; only its indentation is in the way."""
    lines = templatize(source).split("\n")
    return python_messages("\n".join(line.strip() for line in lines))


def script_messages(source: str) -> Iterator[Message]:
    """Raises Unreadable for a call whose text is not a plain literal."""
    calls = list(_CALL.finditer(source))
    if len(calls) != len(_ANY_CALL.findall(source)):
        raise Unreadable("gettext() takes texts that are written out in the call")
    for call in calls:
        texts = []
        place = call.end()
        for _ in range(2 if call[1] else 1):
            literal = _TEXT.match(source, place)
            if literal is None:
                raise Unreadable(source[call.start() : call.end() + 40])
            texts.append(_unquoted(literal[1]))
            place = literal.end()
        yield (texts[0] if len(texts) == 1 else (texts[0], texts[1])), None, []


def _unquoted(literal: str) -> str:
    plain = {"n": "\n", "t": "\t"}

    def character(escape: re.Match[str]) -> str:
        mark = escape[1]
        return chr(int(mark[1:], 16)) if len(mark) == 5 else plain.get(mark, mark)

    return _ESCAPE.sub(character, literal[1:-1])


def _sources(domain: str) -> Iterator[tuple[Path, Iterator[Message]]]:
    if domain == "djangojs":
        for file in sorted((ROOT / "frontend" / "src").rglob("*.ts*")):
            if ".test." not in file.name and file.name != "i18n.ts":
                yield file, script_messages(file.read_text())
        return
    for file in sorted((ROOT / "apps").rglob("*.py")):
        yield file, python_messages(file.read_text())
    folders = [ROOT / "templates", *sorted(ROOT.glob("apps/*/templates"))]
    for folder in folders:
        for file in sorted(folder.rglob("*.*")):
            yield file, template_messages(file.read_text())


def extract(domain: str) -> Catalog:
    """Every text the code marks, with the files that say it."""
    catalog = Catalog(fuzzy=False)
    for file, messages in _sources(domain):
        place = (file.relative_to(ROOT).as_posix(), 0)
        for text, context, comments in messages:
            catalog.add(text, context=context, locations=[place], auto_comments=comments)
    return catalog


def catalogue_file(language: str, domain: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / f"{domain}.po"


def read(language: str, domain: str) -> Catalog:
    file = catalogue_file(language, domain)
    if not file.exists():
        return Catalog(locale=language, fuzzy=False)
    with file.open("rb") as handle:
        return read_po(handle, locale=language)


def update(language: str, domain: str) -> tuple[int, int]:
    """Rewrite one catalogue; how many texts it has, and how many of them are not translated."""
    catalog = read(language, domain)
    catalog.update(extract(domain), no_fuzzy_matching=True, update_creation_date=False)
    file = catalogue_file(language, domain)
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as handle:
        write_po(
            handle,
            catalog,
            width=WIDTH,
            include_lineno=False,
            sort_by_file=True,
            ignore_obsolete=True,
        )
    texts = [message for message in catalog if message.id]
    return len(texts), sum(not all(_forms(message.string)) for message in texts)


def _forms(string: object) -> tuple[object, ...]:
    return string if isinstance(string, tuple) else (string,)


def main(arguments: list[str]) -> int:
    if arguments == ["compile"]:
        compile_catalogues(LOCALE)
        return 0
    for language in LANGUAGES:
        for domain in ("django", "djangojs"):
            texts, missing = update(language, domain)
            print(f"{language} {domain}: {texts} texts, {missing} not translated")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
