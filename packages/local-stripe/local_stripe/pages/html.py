"""The layout of every page, and the elements that pages share."""

from collections.abc import Iterable, Mapping
from html import escape
from itertools import zip_longest
from pathlib import Path

from starlette.responses import HTMLResponse

from ..cards import TEST_CARDS
from ..store import Json
from .spanish import Wording

_STYLE = (Path(__file__).parent / "style.css").read_text()
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; "
        # The products' own, wherever they are.
        "img-src data: http: https:"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def page(
    title: str,
    body: str,
    *,
    kind: str = "narrow",
    status: int = 200,
    language: str = "en",
    colors: Mapping[str, str] | None = None,
) -> HTMLResponse:
    """Render a page. ``body`` is HTML; external values in it must already be escaped. ``colors``
    take the place of the style sheet's, and of its dark theme."""
    custom = "".join(f"--{name}: {escape(color)}; " for name, color in (colors or {}).items())
    look = f' class="light" style="{custom.strip()}"' if custom else ""
    return HTMLResponse(
        f"""<!doctype html>
<html lang="{language}"{look}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{escape(title)}</title>
<style>{_STYLE}</style>
</head>
<body>
<div class="banner" lang="en">
TEST MODE · a local copy of Stripe. No real cards, no real money.
</div>
<main class="{kind}">
{body}
</main>
</body>
</html>""",
        status,
        _HEADERS,
    )


def notice(
    title: str,
    text: str,
    *,
    link: tuple[str, str] | None = None,
    status: int = 200,
    language: str = "en",
) -> HTMLResponse:
    """Render a page with a message. ``link`` is a URL and its text."""
    onward = ""
    if link and link[0]:
        onward = f'<a class="button" href="{escape(link[0])}">{escape(link[1])}</a>'
    body = f'<section class="card"><h1>{escape(title)}</h1><p>{escape(text)}</p>{onward}</section>'
    return page(title, body, status=status, language=language)


_SIGNS = {
    **{"usd": "$", "cad": "CA$", "aud": "A$", "nzd": "NZ$", "mxn": "MX$"},
    **{"eur": "€", "gbp": "£"},
}


def money(cents: int, currency: str) -> str:
    sign = _SIGNS.get(currency, f"{currency.upper()}\u00a0")
    return f"{sign}{cents / 100:,.2f}"


def alert(text: str | None) -> str:
    return f'<p class="alert" role="alert">{escape(text)}</p>' if text else ""


def test_cards_table() -> str:
    """The card that succeeds, and folded away what all others do."""
    good = TEST_CARDS[0]
    rows = "".join(
        f"<tr><td>{card.spaced}</td><td>{escape(card.summary)}</td></tr>" for card in TEST_CARDS
    )
    return f"""<div class="tests" lang="en">
<p>Test card: <b>{good.spaced}</b>, any future date, any CVC.</p>
<details>
<summary>All test cards</summary>
<table>
<thead><tr><th scope="col">Number</th><th scope="col">What happens</th></tr></thead>
<tbody>{rows}</tbody>
</table>
</details>
</div>"""


def line_list(lines: Iterable[Json], products: Iterable[Json], say: Wording) -> str:
    """Each line with its product's first image, and its total on the right."""
    pairs: Iterable[tuple[Json, Json]] = zip_longest(lines, products, fillvalue={})
    items = "".join(_line(line, product, say) for line, product in pairs)
    return f'<ul class="lines">{items}</ul>'


def _line(line: Json, product: Json, say: Wording) -> str:
    currency, quantity = line["currency"], line["quantity"]
    picture = "".join(f'<img src="{escape(url)}" alt="">' for url in product.get("images", [])[:1])
    notes = [product.get("description")]
    if quantity > 1:
        each = money(line["amount_subtotal"] // quantity, currency)
        notes.append(say("Qty {quantity}, {each} each", quantity=quantity, each=each))
    muted = "".join(f'<span class="muted">{escape(note)}</span>' for note in notes if note)
    return f"""<li>{picture}<span class="item">{escape(str(line["description"]))}{muted}</span>
<span class="sum">{money(line["amount_total"], currency)}</span></li>"""


def definitions(pairs: Iterable[tuple[str, object]]) -> str:
    items = "".join(f"<dt>{escape(k)}</dt><dd>{escape(str(v))}</dd>" for k, v in pairs)
    return f"<dl>{items}</dl>"
