"""Reading a page in tests: its text, its forms, and the props of its island."""

import html
import json
import re
from html.parser import HTMLParser
from typing import Any


def props_of(response: Any) -> Any:
    """The props of the page's island."""
    found = re.search(
        r'<script id="props-[^"]+" type="application/json">(.*?)</script>',
        response.content.decode(),
        re.DOTALL,
    )
    assert found, "the page has no island"
    return json.loads(found[1])


def markup_of(response: Any) -> str:
    """The page's markup with every run of white space as one space, so that it doesn't matter where
    a template wraps."""
    return " ".join(response.content.decode().split())


def text_of(response: Any) -> str:
    """The page's text, without markup and line breaks."""
    page = re.sub(r"<(style|script)\b.*?</\1>", " ", response.content.decode(), flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def heard_in(response: Any) -> str:
    """The page's text as a screen reader reads it: without what is hidden from one."""
    reader = _Heard()
    reader.feed(response.content.decode())
    return " ".join(" ".join(reader.texts).split())


def fields_of(response: Any, *, with_field: str) -> dict[str, list[str]]:
    """What a browser would send of the page's form that has this field, filled in as it is."""
    reader = _Forms()
    reader.feed(response.content.decode())
    return next(form for form in reader.forms if with_field in form)


class _Heard(HTMLParser):
    """The texts that no `aria-hidden` element has in it."""

    VOID = frozenset(("area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"))

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.silent: list[bool] = []  # of each open element

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            is_hidden = tag in ("script", "style") or ("aria-hidden", "true") in attrs
            self.silent.append(is_hidden or any(self.silent[-1:]))

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            self.silent.pop()

    def handle_data(self, data: str) -> None:
        if not any(self.silent[-1:]):
            self.texts.append(data)


class _Forms(HTMLParser):
    """Each form's fields with their values, except chosen files and buttons."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[dict[str, list[str]]] = []
        self.select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "form":
            self.forms.append({})
        elif tag == "select":
            self.select = found["name"] or ""
        elif tag == "option" and self.select and "selected" in found:
            self._add(self.select, found.get("value"))
        elif tag == "input" and found.get("name") and found.get("type") not in ("file", "submit"):
            is_box = found.get("type") in ("checkbox", "radio")
            if not is_box or "checked" in found:
                self._add(str(found["name"]), found.get("value") or ("on" if is_box else ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self.select = ""

    def _add(self, name: str, value: str | None) -> None:
        if self.forms:
            self.forms[-1].setdefault(name, []).append(value or "")
