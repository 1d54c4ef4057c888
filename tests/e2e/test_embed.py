"""A restaurant's specials on its own site, of which we know nothing."""

from collections.abc import Callable, Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import steps
from tests.e2e.stack import Stack

pytestmark = pytest.mark.e2e
PAGE = """<!doctype html><html lang="en"><title>Sakura</title>
<style>iframe {{ outline: 0 }} p {{ color: rgb(10, 20, 30) }}</style>
<p>Our own words</p>{code}<p id="after">And more of them</p></html>"""


class Site(BaseHTTPRequestHandler):
    """A site with one page, which is whatever `pages` has at that moment."""

    def __init__(self, pages: dict[str, str], *args: Any) -> None:
        self.pages = pages
        super().__init__(*args)

    def do_GET(self) -> None:
        body = self.pages.get(self.path, "").encode()
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: Any) -> None:
        """Nothing to tell."""


@pytest.fixture
def site() -> Iterator[tuple[str, dict[str, str]]]:
    pages: dict[str, str] = {"/favicon.ico": " "}
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Site, pages))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"127.0.0.1:{server.server_port}", pages
    server.shutdown()
    server.server_close()


def test_the_code_shows_the_specials_on_a_listed_site_as_high_as_they_are(
    stack: Stack, visitor: Callable[..., Page], site: tuple[str, dict[str, str]]
) -> None:
    host, pages = site
    page = visitor(phone=True)
    steps.sign_in(page, stack, steps.BRANDED)
    page.goto(stack.url("/onboarding/iframe-setup"))
    page.get_by_label("Add a site").fill(f"http://{host}/menu")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("button", name=f"Remove {host}")).to_be_visible()
    page.get_by_label("Colors").select_option("dark")
    pages["/menu"] = PAGE.format(code=page.locator("pre.code").inner_text())

    page.goto(f"http://{host}/menu")
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("heading", level=1)).to_be_visible()
    expect(frame.locator("html")).to_have_attribute("data-theme", "dark")
    inside = frame.locator("body")
    page.wait_for_function(
        "height => Math.abs(document.querySelector('iframe').clientHeight - height) < 2",
        arg=inside.evaluate("body => Math.ceil(body.offsetHeight)"),
    )
    around = page.evaluate(
        "[getComputedStyle(document.getElementById('after')).color,"
        " document.documentElement.scrollWidth - innerWidth]"
    )
    assert around == ["rgb(10, 20, 30)", 0]
    with page.context.expect_page() as opened:
        frame.get_by_role("main").get_by_role("link").first.click()
    assert opened.value.url.startswith(stack.url("/", restaurant="sakura"))
