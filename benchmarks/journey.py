"""Time from a shared link to a held card, in a real browser on a simulated slow phone.

The phone is Lighthouse's: 360 pixels wide, a CPU four times slower, and slow 4G (150 ms, 1.6
Mbit/s), throttled as Lighthouse does: 3.75 round trips per request and 90% of the bandwidth.
"""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from playwright.sync_api import Browser, FrameLocator, Locator, Page, expect, sync_playwright

from benchmarks.figures import Figure, at_most, shown
from benchmarks.scene import GOOD_CARD, Scene
from devtools.browser import find_browser

SLOWER, LATENCY_MS, DOWN_KBIT, UP_KBIT = 4, 150 * 3.75, 1638.4 * 0.9, 750 * 0.9
PHONE = {"width": 360, "height": 740}
SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    # The card fields come from another site; a process of their own would not be throttled.
    "--disable-site-isolation-trials",
    "--disable-features=IsolateOrigins,site-per-process",
]
READING = 5.0  # seconds to read the special's page
FINDING = 1.0  # seconds to find and tap a field or button
PER_CHARACTER = 0.2  # seconds
TYPED_WITHIN_S, WALLET_WITHIN_S = 35, 25
PATIENCE_MS = 90_000
WHO = {"Name": "Dana Guest", "Email": "dana@example.test"}
# The heading of the order page with a held card; the order form says "held" as well.
HELD = re.compile("You(.re in for| made )")
CARD = {"Card number": GOOD_CARD, "Expiry": "1234", "CVC": "123"}


def measure(scene: Scene) -> list[Figure]:
    # Playwright's event loop blocks Django's database access, so read everything needed first.
    site = f"http://{scene.host}:{scene.port}"
    link = f"{site}/specials/{scene.specials[0].pk}"
    cart = f"{site}/specials"
    figures = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=SWITCHES)
        for how, steps, start, within in (
            ("typed", _typed, link, TYPED_WITHIN_S),
            ("with a wallet", _wallet, link, WALLET_WITHIN_S),
            ("typed in the cart", _cart, cart, TYPED_WITHIN_S),
            ("with a wallet in the cart", _cart_wallet, cart, WALLET_WITHIN_S),
        ):
            with _phone(browser) as page:
                journey = Journey(page)
                steps(journey, start)
            figures += journey.figures(f"shared link to held card, {how}", within)
        browser.close()
    person = f"reads {READING:.0f} s, {FINDING:.0f} s a field, {1 / PER_CHARACTER:.0f} characters/s"
    network = f"{LATENCY_MS:.0f} ms a request, {DOWN_KBIT:.0f} kbit/s down, {UP_KBIT:.0f} up"
    phone = f"{PHONE['width']} px, {SLOWER}× slower, {network}"
    return [*figures, Figure("journey, the person", person), Figure("journey, the phone", phone)]


@contextmanager
def _phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=PHONE, device_scale_factor=2, has_touch=True)  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    devtools.send("Network.enable")
    network = {
        "offline": False,
        "latency": LATENCY_MS,
        "downloadThroughput": DOWN_KBIT * 1024 / 8,
        "uploadThroughput": UP_KBIT * 1024 / 8,
    }
    devtools.send("Network.emulateNetworkConditions", network)
    yield page
    context.close()


@dataclass
class Journey:
    """A person's actions on the pages. Their own time is counted separately."""

    page: Page
    begun: float = field(default_factory=time.perf_counter)
    human: float = 0.0
    steps: dict[str, float] = field(default_factory=dict)
    _since: float = field(default_factory=time.perf_counter)
    _human_since: float = 0.0

    def pause(self, seconds: float) -> None:
        self.human += seconds
        time.sleep(seconds)

    def type(self, where: Locator, text: str) -> None:
        self.press(where)
        self.human += PER_CHARACTER * len(text)
        where.press_sequentially(text, delay=1000 * PER_CHARACTER)

    def press(self, what: Locator) -> None:
        self.pause(FINDING)
        what.click()

    def fill(self, where: Page | Locator | FrameLocator, texts: dict[str, str]) -> None:
        for label, text in texts.items():
            self.type(where.get_by_label(label), text)

    def reached(self, what: str, seen: Locator) -> None:
        """End a step once `seen` is visible, and record the machine's share of its time."""
        expect(seen.first).to_be_visible(timeout=PATIENCE_MS)
        now = time.perf_counter()
        self.steps[what] = now - self._since - (self.human - self._human_since)
        self._since, self._human_since = now, self.human

    def figures(self, what: str, within: int) -> list[Figure]:
        total = self._since - self.begun
        parts = ", ".join(f"{step} {shown(seconds)}" for step, seconds in self.steps.items())
        return [
            at_most(what, total, within, " s"),
            Figure(f"{what}, of that the machine", f"{shown(total - self.human, ' s')}: {parts}"),
        ]


def _see_special(journey: Journey, link: str) -> Locator:
    """Open a shared link, read, and open the order form, which is a sheet on a phone."""
    opener = journey.page.locator("[data-open-sheet]")
    journey.page.goto(link, wait_until="commit")
    journey.reached("special seen", opener)
    journey.pause(READING)
    journey.press(opener)
    return journey.page.locator("#pre-order")


def _typed(journey: Journey, link: str) -> None:
    form = _see_special(journey, link)
    journey.fill(form, WHO)
    journey.press(form.get_by_role("button", name="Pre-Order Now"))
    _give_card(journey)


def _give_card(journey: Journey) -> None:
    """Enter the card on our own page or in the cart, and see the order's page."""
    page = journey.page
    fields = page.frame_locator(".card-fields iframe")
    journey.reached("card fields", fields.get_by_label("CVC"))
    journey.fill(fields, CARD)
    journey.press(page.get_by_role("button", name=re.compile("^Pre-Order Now ·")))
    journey.reached("held", page.get_by_role("heading", name=HELD))


def _wallet(journey: Journey, link: str) -> None:
    _see_special(journey, link)
    _pay_with_wallet(journey)
    journey.reached("held", journey.page.get_by_role("heading", name=HELD))


def _pay_with_wallet(journey: Journey) -> None:
    page = journey.page
    buttons = page.frame_locator("iframe[title='Secure express checkout frame']")
    wallet_button = buttons.get_by_role("button", name="Google Pay")
    journey.reached("wallet buttons", wallet_button)
    journey.press(wallet_button)
    pay = page.frame_locator("iframe[title='Wallet']").get_by_role("button", name="Pay", exact=True)
    journey.reached("wallet open", pay)
    journey.press(pay)


def _cart(journey: Journey, link: str) -> None:
    cart = _open_cart(journey, link)
    journey.fill(cart, WHO)
    journey.press(cart.get_by_role("button", name="Continue to payment"))
    _give_card(journey)


def _cart_wallet(journey: Journey, link: str) -> None:
    _open_cart(journey, link)
    _pay_with_wallet(journey)
    journey.reached("held", journey.page.get_by_role("heading", name=HELD))


def _open_cart(journey: Journey, link: str) -> Locator:
    """Put a special into the cart and open it."""
    page = journey.page
    add = page.locator("[data-add-to-cart]").first
    page.goto(link, wait_until="commit")
    journey.reached("specials seen", add)
    journey.pause(READING)
    journey.press(add)
    journey.press(page.locator("[data-cart-bar]"))
    cart = page.get_by_role("dialog")
    journey.reached("cart open", cart.get_by_label("Name"))
    return cart
