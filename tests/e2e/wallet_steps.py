"""What guests do with local Stripe's wallets, as functions that make tests readable."""

from playwright.sync_api import FrameLocator, Page, expect

FIREFOX = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"
# Two confirmations at once, as from a wallet that is tapped twice.
TWO_TAPS = """() => {
  const billingDetails = { name: "Wallet Guest", email: "wallet@guests.test" };
  for (let tap = 0; tap < 2; tap++) {
    parent.postMessage({ localStripe: "pay", billingDetails }, "*");
  }
}"""
BUTTONS = "iframe[title='Secure express checkout frame']"


def buttons_of(page: Page) -> FrameLocator:
    """The wallets' buttons, in a special's form or in the cart."""
    return page.frame_locator(BUTTONS)


def open_wallet(page: Page, buttons: FrameLocator) -> FrameLocator:
    buttons.get_by_role("button", name="Google Pay").click()
    wallet = page.frame_locator("iframe[title='Wallet']")
    expect(wallet.get_by_role("button", name="Pay", exact=True)).to_be_visible()
    return wallet


def in_wallet(page: Page, *, card: str = "4242", button: str = "Pay") -> None:
    """Pays with one of the cards of local Stripe's wallet."""
    wallet = page.frame_locator("iframe[title='Wallet']")
    cards = wallet.get_by_label("Card")
    option = cards.locator("option", has_text=card).inner_text()
    cards.select_option(label=option)
    wallet.get_by_role("button", name=button, exact=True).click()
