"""`make messages`: updates the translation catalogs in locale/ from the code.

Messages come from Python and templates (the catalog `django`) and from the front end's sources
(`djangojs`, which pages embed for their scripts). Existing translations are kept, new messages are
added empty, and unused ones are removed. The catalogs are sorted by text and name no files, so
moving code does not change them.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, cast

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_python
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

from apps.common.message_catalogs import compile_catalogs

from .paths import ROOT

LOCALE = ROOT / "locale"
LANGUAGES = ("es",)
WIDTH = 100
KEYWORDS: dict[str, Any] = {
    **DEFAULT_KEYWORDS,
    "gettext_lazy": None,
    "_lazy": None,  # alias in modules that also use `_`
    "gettext_noop": None,
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
}

# A call with literal texts: gettext("…") or ngettext("…", "…", count).
_CALL = re.compile(r"\b(n?)gettext\(\s*(?=[\"'`])")
_TEXT = re.compile(r"\s*(\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`$\\]*`)\s*,?")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
_ANY_CALL = re.compile(r"\bn?gettext\(")

# Babel annotates its result wrongly: line, function, texts, comments.
_Found = tuple[int, str, "str | tuple[str | None, ...]", list[str]]
Message = tuple[str | tuple[str, str], str | None, list[str]]  # texts, context, comments


class Unreadable(Exception):
    """A marked text isn't a literal, so it can't be extracted."""


def python_messages(source: str) -> Iterator[Message]:
    found = extract_python(io.BytesIO(source.encode()), KEYWORDS, ["Translators:"], {})
    for _line, name, texts, comments in cast("Iterable[_Found]", found):
        spec = KEYWORDS[name]
        parts = texts if isinstance(texts, tuple) else (texts,)
        positions = (
            [1] if spec is None else [position for position in spec if isinstance(position, int)]
        )
        contexts = [position[0] for position in spec or () if isinstance(position, tuple)]
        wanted = [text for position in positions if (text := parts[position - 1])]
        if len(wanted) < len(positions):
            continue
        context = parts[contexts[0] - 1] if contexts else None
        yield (wanted[0] if len(wanted) == 1 else (wanted[0], wanted[1])), context, comments


def template_messages(source: str) -> Iterator[Message]:
    """Messages of a template. Django converts it to Python-like code, which is badly indented."""
    lines = templatize(source).split("\n")
    return python_messages("\n".join(line.strip() for line in lines))


def script_messages(source: str) -> Iterator[Message]:
    """Messages of a script. Raises Unreadable for a call whose text isn't a plain literal."""
    calls = list(_CALL.finditer(source))
    if len(calls) != len(_ANY_CALL.findall(source)):
        raise Unreadable("gettext() needs literal texts in the call")
    for call in calls:
        texts = []
        position = call.end()
        for _ in range(2 if call[1] else 1):
            literal = _TEXT.match(source, position)
            if literal is None:
                raise Unreadable(source[call.start() : call.end() + 40])
            texts.append(_unquoted(literal[1]))
            position = literal.end()
        yield (texts[0] if len(texts) == 1 else (texts[0], texts[1])), None, []


def _unquoted(literal: str) -> str:
    plain = {"n": "\n", "t": "\t"}

    def character(escape: re.Match[str]) -> str:
        mark = escape[1]
        return chr(int(mark[1:], 16)) if len(mark) == 5 else plain.get(mark, mark)

    return _ESCAPE.sub(character, literal[1:-1])


def _sources(domain: str) -> Iterator[Iterator[Message]]:
    if domain == "djangojs":
        for file in sorted((ROOT / "frontend" / "src").rglob("*.ts*")):
            if ".test." not in file.name and file.name != "i18n.ts":
                yield script_messages(file.read_text())
        return
    for file in sorted((ROOT / "apps").rglob("*.py")):
        yield python_messages(file.read_text())
    folders = [ROOT / "templates", *sorted(ROOT.glob("apps/*/templates"))]
    for folder in folders:
        for file in sorted(folder.rglob("*.*")):
            yield template_messages(file.read_text())


def extract(domain: str) -> Catalog:
    """All marked messages of the code."""
    catalog = Catalog(fuzzy=False)
    for messages in _sources(domain):
        for text, context, comments in messages:
            catalog.add(text, context=context, auto_comments=comments)
    return catalog


def catalog_file(language: str, domain: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / f"{domain}.po"


def read(language: str, domain: str) -> Catalog:
    file = catalog_file(language, domain)
    if not file.exists():
        return Catalog(locale=language, fuzzy=False)
    with file.open("rb") as handle:
        return read_po(handle, locale=language)


def update(language: str, domain: str) -> tuple[int, int]:
    """Rewrite a catalog. Returns the number of messages and of untranslated ones."""
    catalog = read(language, domain)
    catalog.update(extract(domain), no_fuzzy_matching=True, update_creation_date=False)
    file = catalog_file(language, domain)
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as handle:
        write_po(
            handle,
            catalog,
            width=WIDTH,
            no_location=True,
            sort_output=True,
            ignore_obsolete=True,
        )
    texts = [message for message in catalog if message.id]
    return len(texts), sum(message.fuzzy or not all(_forms(message.string)) for message in texts)


def _forms(string: object) -> tuple[object, ...]:
    return string if isinstance(string, tuple) else (string,)


def main(arguments: list[str]) -> int:
    if arguments == ["compile"]:
        compile_catalogs(LOCALE)
        return 0
    for language in LANGUAGES:
        for domain in ("django", "djangojs"):
            texts, missing = update(language, domain)
            print(f"{language} {domain}: {texts} texts, {missing} not translated")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
