"""Reading a page as a test wants it: its text, and the props of its island."""

import html
import json
import re
from typing import Any


def props_of(response: Any) -> Any:
    """What the page hands to its island."""
    found = re.search(
        r'<script id="props-[^"]+" type="application/json">(.*?)</script>',
        response.content.decode(),
        re.DOTALL,
    )
    assert found, "the page has no island"
    return json.loads(found[1])


def markup_of(response: Any) -> str:
    """The page's markup with each white space as one blank: where a template wraps is its own."""
    return " ".join(response.content.decode().split())


def text_of(response: Any) -> str:
    """What the page says, without its markup and line breaks."""
    page = re.sub(r"<(style|script)\b.*?</\1>", " ", response.content.decode(), flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())
