"""The browser script in a real browser, on a page of another origin, as in an application."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
import stripe
from local_stripe.testing import LocalStripe
from playwright.sync_api import Browser, Page, sync_playwright

pytestmark = pytest.mark.e2e
REPOSITORY = Path(__file__).parents[3]

PAGE = """<!doctype html><title>Shop</title><div id="card"></div><button>Pay</button>
<output></output>
<script src="{origin}/js/stripe.js"></script>
<script>
const clientSecret = new URLSearchParams(location.search).get('secret');
const locales = new URLSearchParams(location.search).getAll('locale');
const stripe = Stripe('{key}', {{locale: locales[0]}});
const elements = stripe.elements({{clientSecret, locale: locales[1]}});
const card = elements.create('payment');
card.on('ready', () => document.body.dataset.ready = 'yes');
card.mount('#card');
document.querySelector('button').onclick = async () => {{
  const confirm = clientSecret.startsWith('seti_') ? stripe.confirmSetup : stripe.confirmPayment;
  const confirmParams = {{return_url: location.href}};
  const done = await confirm({{elements, confirmParams, redirect: 'if_required'}});
  const intent = done.paymentIntent || done.setupIntent;
  document.querySelector('output').textContent = done.error ? done.error.code : intent.status;
  if (done.error) document.querySelector('output').title = done.error.message;
}};
</script>"""
# The wallets' buttons, in Elements that say what the intent says and don't have its secret.
WALLETS = """<!doctype html><title>Shop</title><div id="wallets"></div><output></output>
<script src="{origin}/js/stripe.js"></script>
<script>
const asked = new URLSearchParams(location.search), clientSecret = asked.get('secret');
const stripe = Stripe('{key}'), elements = stripe.elements(JSON.parse(asked.get('options')));
const say = (text) => {{ document.querySelector('output').textContent = text; }};
const wallets = elements.create('expressCheckout', {{emailRequired: true}});
wallets.on('cancel', () => say('closed'));
wallets.on('confirm', async () => {{
  if (!asked.has('unsubmitted')) await elements.submit();
  const confirm = clientSecret.startsWith('seti_') ? stripe.confirmSetup : stripe.confirmPayment;
  const confirmParams = {{return_url: location.href}};
  confirm({{elements, clientSecret, confirmParams, redirect: 'if_required'}}).then(
    ({{error, paymentIntent, setupIntent}}) =>
      say(error ? error.code || error.type : (paymentIntent || setupIntent).status),
    () => say('refused'),
  );
}});
wallets.mount('#wallets');
</script>"""
InBrowser = Callable[[Callable[[Browser], Any]], Any]


@pytest.fixture(scope="module")
def executable() -> str | None:
    """``CHROMIUM_EXECUTABLE``; else what the repository's own browser tests use, if this package is
    in it; else Playwright's browser."""
    given = os.environ.get("CHROMIUM_EXECUTABLE")
    if given or not (REPOSITORY / "devtools/browser.py").is_file():
        return given
    find = "from devtools.browser import find_browser; print(find_browser())"
    found = subprocess.run(
        [sys.executable, "-c", find], cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, check=True
    )
    return found.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def in_browser(executable: str | None) -> Iterator[InBrowser]:
    """Runs a function with a browser in its own thread, which Playwright's sync API requires."""

    def run(action: Callable[[Browser], Any]) -> Any:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
            try:
                return action(browser)
            finally:
                browser.close()

    with ThreadPoolExecutor(1) as thread:
        yield lambda action: thread.submit(run, action).result()


@pytest.fixture
def shop(server: LocalStripe) -> Iterator[str]:
    served = {"origin": server.base_url, "key": server.publishable_key}
    pages = {"/": PAGE.format(**served).encode(), "/wallets": WALLETS.format(**served).encode()}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(pages[urlsplit(self.path).path])

        def log_message(self, format: str, *args: Any) -> None:
            return None

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=listening.serve_forever, args=(0.02,))
    thread.start()
    yield f"http://shop.localhost:{listening.server_port}"
    listening.shutdown()
    listening.server_close()
    thread.join()


def give_card(page: Page, address: str, secret: str, number: str, answer: str | None) -> str:
    """Enter a card, answer the 3-D Secure dialog if any, and return the page's result."""
    page.goto(f"{address}/?secret={secret}")
    page.wait_for_selector("body[data-ready]")
    fields = page.frame_locator("#card iframe")
    fields.get_by_label("Card number").fill(number)
    fields.get_by_label("Expiry").fill("12 / 40")
    fields.get_by_label("CVC").fill("123")
    page.get_by_role("button", name="Pay").click()
    if answer:
        bank = page.frame_locator("dialog iframe")
        bank.get_by_role("button", name=answer).click()
    page.wait_for_function("document.querySelector('output').textContent")
    return page.locator("output").inner_text()


def test_cards_are_confirmed_from_a_page_of_another_origin(
    api: stripe.StripeClient, shop: str, in_browser: InBrowser
) -> None:
    def payment() -> str:
        made = api.v1.payment_intents.create(
            {"amount": 900, "currency": "usd", "capture_method": "manual"}
        )
        return str(made.client_secret)

    customer = api.v1.customers.create({})
    setup = str(api.v1.setup_intents.create({"customer": customer.id}).client_secret)
    cases = [
        (payment(), "4242424242424242", None, "requires_capture"),
        (payment(), "4000000000000002", None, "card_declined"),
        (payment(), "4000000000003220", "Complete authentication", "requires_capture"),
        (
            payment(),
            "4000000000003220",
            "Fail authentication",
            "payment_intent_authentication_failure",
        ),
        (payment(), "4242", None, "incomplete_number"),
        (setup, "4000002500003155", "Complete authentication", "succeeded"),
    ]

    def action(browser: Browser) -> list[str]:
        page = browser.new_page()
        page.set_default_timeout(60_000)
        return [
            give_card(page, shop, secret, number, answer) for secret, number, answer, _ in cases
        ]

    assert in_browser(action) == [expected for *_, expected in cases]


NAMES = {"en": ("Card number", "Expiry"), "es": ("Número de tarjeta", "Vencimiento")}


def test_fields_and_messages_are_in_the_locale_given_or_else_in_the_browsers(
    api: stripe.StripeClient, shop: str, in_browser: InBrowser
) -> None:
    def refusal(
        browser: Browser, locales: list[str], number: str, *, speaks: str, fields_in: str
    ) -> str:
        """What an attempt to pay says, with fields that are in this language."""
        made: Any = {"amount": 900, "currency": "usd", "capture_method": "manual"}
        secret = api.v1.payment_intents.create(made).client_secret
        page = browser.new_context(locale=speaks).new_page()
        page.set_default_timeout(60_000)
        asked = urlencode([("secret", secret), *(("locale", each) for each in locales)])
        page.goto(f"{shop}/?{asked}")
        page.wait_for_selector("body[data-ready]")
        fields = page.frame_locator("#card iframe")
        card, expiry = NAMES[fields_in]
        fields.get_by_label(card).fill(number)
        fields.get_by_label(expiry).fill("12 / 40")
        fields.locator("#cvc").fill("123")
        page.get_by_role("button", name="Pay").click()
        page.wait_for_function("document.querySelector('output').textContent")
        return str(page.locator("output").get_attribute("title"))

    def action(browser: Browser) -> list[str]:
        declined = "4000000000000002"
        return [
            refusal(browser, ["es"], declined, speaks="en-US", fields_in="es"),
            refusal(browser, ["es-419"], "4242", speaks="en-US", fields_in="es"),
            refusal(browser, ["en"], declined, speaks="es-MX", fields_in="en"),
            refusal(browser, ["auto"], declined, speaks="es-MX", fields_in="es"),
            refusal(browser, ["en", "es"], declined, speaks="en-US", fields_in="es"),
        ]

    assert in_browser(action) == [
        "Tu tarjeta fue rechazada.",
        "El número de tu tarjeta está incompleto.",
        "Your card was declined.",
        "Tu tarjeta fue rechazada.",
        "Your card was declined.",
    ]


PAYMENT = {"mode": "payment", "amount": 900, "currency": "usd", "captureMethod": "manual"}
SETUP = {"mode": "setup", "currency": "usd"}


def pay_with_wallet(
    page: Page,
    address: str,
    secret: str,
    options: dict[str, Any],
    *,
    card: str = "4242",
    press: str = "Pay",
    answer: str | None = None,
    **query: str,
) -> tuple[str, str]:
    """Open the wallet and press a button in it; what it listed, and the page's result."""
    asked = {"secret": secret, "options": json.dumps(options), **query}
    page.goto(f"{address}/wallets?{urlencode(asked)}")
    page.frame_locator("#wallets iframe").get_by_role("button", name="Google Pay").click()
    wallet = page.frame_locator("iframe[title='Wallet']")
    cards = wallet.get_by_label("Card")
    cards.select_option(label=cards.locator("option", has_text=card).inner_text())
    listed = wallet.locator("#lines").inner_text()
    wallet.get_by_role("button", name=press, exact=True).click()
    if answer:
        bank = page.frame_locator("iframe[title='3-D Secure']")
        bank.get_by_role("button", name=answer).click()
    page.wait_for_function("document.querySelector('output').textContent")
    return " ".join(listed.split()), page.locator("output").inner_text()


def test_wallets_confirm_an_intent_that_says_the_same_as_their_elements(
    api: stripe.StripeClient, shop: str, in_browser: InBrowser
) -> None:
    customer = api.v1.customers.create({})

    def payment() -> str:
        made = {"amount": 900, "currency": "usd", "capture_method": "manual"}
        return str(api.v1.payment_intents.create(made).client_secret)  # type: ignore[arg-type]

    def setup(usage: str = "off_session") -> str:
        made = {"customer": customer.id, "usage": usage}
        return str(api.v1.setup_intents.create(made).client_secret)  # type: ignore[arg-type]

    closed, passed = {"press": "Cancel"}, {"card": "3220", "answer": "Complete authentication"}
    cases: list[tuple[str, dict[str, Any], dict[str, str], tuple[str, str]]] = [
        (payment(), PAYMENT, {}, ("Total $9.00", "requires_capture")),
        (payment(), PAYMENT, closed, ("Total $9.00", "closed")),
        (payment(), PAYMENT, {"card": "0002"}, ("Total $9.00", "card_declined")),
        (payment(), PAYMENT, {"unsubmitted": "yes"}, ("Total $9.00", "refused")),
        (payment(), {**PAYMENT, "amount": 800}, {}, ("Total $8.00", "invalid_request_error")),
        # Nothing is paid in a setup, so the wallet has no total.
        (setup(), SETUP, {}, ("", "succeeded")),
        (setup(), SETUP, passed, ("", "succeeded")),
        (setup("on_session"), SETUP, {}, ("", "invalid_request_error")),
        (payment(), SETUP, {}, ("", "invalid_request_error")),
    ]

    def action(browser: Browser) -> list[tuple[str, str]]:
        page = browser.new_page()
        page.set_default_timeout(60_000)
        return [
            pay_with_wallet(page, shop, secret, options, **more)
            for secret, options, more, _ in cases
        ]

    assert in_browser(action) == [expected for *_, expected in cases]
