"""Retired words: `make check` fails on them in names and in text that people read.

The words, what to say instead, and the exceptions with their reasons are in docs/vocabulary.toml.
Names are the identifiers of Python, TypeScript, and templates, CSS classes, and file names; strings
without a space count as names, because URLs, columns, and API fields are written so. Everything
that isn't code is text: other strings, comments, Markdown, and the text of templates.
"""

from __future__ import annotations

import io
import re
import tokenize
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .jobs import Outcome
from .paths import ROOT
from .repository import repository_files

WORDS_FILE = ROOT / "docs" / "vocabulary.toml"

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_NAME = re.compile(r"[A-Za-z_][\w-]*")
_WITHOUT_SPACES = re.compile(r"\S+")
# In a template: tags, comments, and the tags of HTML.
_TEMPLATE_PARTS = re.compile(r"\{#.*?#\}|\{\{.*?\}\}|\{%.*?%\}|<[^<>]*>", re.DOTALL)
_QUOTED = re.compile(r'"[^"\n]*"|' + r"'[^'\n]*'")
# In TypeScript: comments, strings, and the text between the tags of JSX.
_SCRIPT_TEXT = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"[^\"\n]*\"|'[^'\n]*'|`[^`]*`|(?<=>)[^<>{}=;()`]*\s[^<>{}=;()`]*(?=[<{])",
    re.DOTALL,
)
_CODE_IN_MARKDOWN = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_STYLE_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_STYLE_CLASS = re.compile(r"(?<=\.)[A-Za-z_][\w-]*|--[A-Za-z][\w-]*")


@dataclass(frozen=True, slots=True)
class Retired:
    """Words that are no longer used, and the term to use instead."""

    use: str
    words: frozenset[str]
    phrases: re.Pattern[str] | None
    within: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Allowed:
    """An exception. `text` is compared with the whole line, `files` with the path."""

    text: re.Pattern[str]
    files: re.Pattern[str]
    reason: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A name, or a piece of text, and the line where it starts."""

    line: int
    text: str
    is_name: bool


@dataclass(frozen=True, slots=True)
class Vocabulary:
    retired: tuple[Retired, ...]
    allowed: tuple[Allowed, ...]
    skipped: re.Pattern[str]


def load_vocabulary(path: Path = WORDS_FILE) -> Vocabulary:
    """Read the retired words and the exceptions."""
    data = tomllib.loads(path.read_text())
    return Vocabulary(
        retired=tuple(
            Retired(
                use=entry["use"],
                words=frozenset(entry["words"]),
                phrases=_any_of(entry["phrases"]),
                within=re.compile(entry.get("within", "")),
            )
            for entry in data["retired"]
        ),
        allowed=tuple(
            Allowed(re.compile(entry["text"]), re.compile(entry["files"]), entry["reason"])
            for entry in data["allowed"]
        ),
        skipped=re.compile("|".join(entry["files"] for entry in data["skipped"])),
    )


def _any_of(phrases: list[str]) -> re.Pattern[str] | None:
    return re.compile(rf"\b(?:{'|'.join(phrases)})\b", re.IGNORECASE) if phrases else None


def check_vocabulary(_env: object = None) -> Outcome:
    """Look at every file that git knows or would add."""
    vocabulary = load_vocabulary()
    findings: list[str] = []
    for name in repository_files():
        if not vocabulary.skipped.search(name):
            source = (ROOT / name).read_text(errors="replace")
            findings += retired_words_in(name, source, vocabulary)
    return Outcome(1 if findings else 0, "\n".join(findings))


def retired_words_in(name: str, source: str, vocabulary: Vocabulary) -> list[str]:
    """The findings in one file, one line each: the name is relative to the repository."""
    retired = [entry for entry in vocabulary.retired if entry.within.search(name)]
    allowed = [entry for entry in vocabulary.allowed if entry.files.search(name)]
    lines = ["", *source.splitlines()]
    found: dict[tuple[int, str], str] = {}
    any_word = frozenset[str]().union(*(entry.words for entry in retired))
    for piece in _pieces(name, source):
        # Nearly every piece is fine, and this tells so at once.
        if piece.is_name and any_word.isdisjoint(_words_of(piece.text)):
            continue
        for entry in retired:
            word = _retired_word(piece, entry)
            line = lines[piece.line] if 0 < piece.line < len(lines) else ""
            if word and not any(one.text.search(line or name) for one in allowed):
                found.setdefault(
                    (piece.line, word),
                    f"{name}:{piece.line or 1}: “{word}” is retired, say “{entry.use}”: "
                    f"{(line or name).strip()[:90]}",
                )
    return list(found.values())


def _retired_word(piece: Piece, entry: Retired) -> str | None:
    if not piece.is_name:
        match = entry.phrases.search(piece.text) if entry.phrases else None
        return match[0] if match else None
    return next((word for word in _words_of(piece.text) if word in entry.words), None)


@cache
def _words_of(name: str) -> tuple[str, ...]:
    return tuple(word.lower() for word in _WORD.findall(name))


def _pieces(name: str, source: str) -> Iterator[Piece]:
    yield Piece(0, name, is_name=True)
    match name.rpartition(".")[2]:
        case "py":
            yield from _python(source)
        case "ts" | "tsx" | "mjs":
            yield from _script(source)
        case "css":
            yield from _style(source)
        case "html" | "txt":
            yield from _template(source)
        case "md":
            yield from _markdown(source)


def _python(source: str) -> Iterator[Piece]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NAME:
            yield Piece(token.start[0], token.string, is_name=True)
        elif token.type == tokenize.COMMENT:
            yield Piece(token.start[0], token.string, is_name=False)
        elif token.type == tokenize.STRING:
            yield from _string(token.string, token.start[0])


def _string(literal: str, line: int) -> Iterator[Piece]:
    prefix, quote = re.match(r"([A-Za-z]*)(\"\"\"|'''|\"|')", literal).groups()  # type: ignore[union-attr]
    content = literal[len(prefix) + len(quote) : -len(quote)]
    if "f" in prefix.lower():
        for match in re.finditer(r"\{([^{}]*)\}", content):
            yield from _names(match[1], line + content.count("\n", 0, match.start()))
        content = re.sub(r"\{[^{}]*\}", "…", content)
    if _WITHOUT_SPACES.fullmatch(content):
        yield from _names(content, line)
    else:
        yield from _text(content, line)


def _names(source: str, line: int) -> Iterator[Piece]:
    for offset, text in enumerate(source.split("\n")):
        for match in _NAME.finditer(text):
            yield Piece(line + offset, match[0], is_name=True)


def _text(source: str, line: int) -> Iterator[Piece]:
    for offset, text in enumerate(source.split("\n")):
        # A name between backticks counts as a name, even in prose.
        for match in re.finditer(r"`([^`]*)`", text):
            yield from _names(match[1], line + offset)
        yield Piece(line + offset, re.sub(r"`[^`]*`", "…", text), is_name=False)


def _script(source: str) -> Iterator[Piece]:
    for match in _SCRIPT_TEXT.finditer(source):
        line = 1 + source.count("\n", 0, match.start())
        content = match[0].strip("\"'`")
        yield from (_names if _WITHOUT_SPACES.fullmatch(content) else _text)(content, line)
    code = _SCRIPT_TEXT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), source)
    yield from _names(code, 1)


def _style(source: str) -> Iterator[Piece]:
    for match in _STYLE_COMMENT.finditer(source):
        yield from _text(match[0], 1 + source.count("\n", 0, match.start()))
    code = _STYLE_COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), source)
    for match in _STYLE_CLASS.finditer(code):
        yield Piece(1 + code.count("\n", 0, match.start()), match[0], is_name=True)


def _template(source: str) -> Iterator[Piece]:
    for match in _TEMPLATE_PARTS.finditer(source):
        line = 1 + source.count("\n", 0, match.start())
        part = match[0]
        if part.startswith("{#") or part.startswith("<!--"):
            yield from _text(part, line)
            continue
        for quoted in _QUOTED.finditer(part):
            start = line + part.count("\n", 0, quoted.start())
            content = quoted[0][1:-1]
            is_classes = part[: quoted.start()].endswith("class=")
            is_name = is_classes or _WITHOUT_SPACES.fullmatch(content)
            yield from (_names if is_name else _text)(content, start)
        yield from _names(_QUOTED.sub(" ", part), line)
    yield from _text(_TEMPLATE_PARTS.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), source), 1)


def _markdown(source: str) -> Iterator[Piece]:
    for match in _CODE_IN_MARKDOWN.finditer(source):
        yield from _names(match[0], 1 + source.count("\n", 0, match.start()))
    prose = _CODE_IN_MARKDOWN.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), source)
    # The targets of links are file names, which are checked as such.
    yield from _text(re.sub(r"\]\([^)]*\)", "]", prose), 1)
