"""axe finds nothing to object to on any page, on a phone and on a desk."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.e2e import onboarding_steps as onboarding
from tests.e2e import steps
from tests.e2e.stack import ROOT, Stack

pytestmark = pytest.mark.e2e
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
WIDTHS = {"phone": (360, 740), "desk": (1440, 900)}
FIND = """async () => {
  const { violations } = await axe.run();
  return violations.map(({ id, help, nodes }) =>
    `${id}: ${help}\\n  ` + nodes.map((node) => node.target.join(" ")).join("\\n  "));
}"""
LUIGIS = "luigis"

PUBLIC = {
    "landing": "/",
    "terms": "/terms",
    "demo": "/demo",
    "sign-in": "/login",
    "forgotten password": "/forgot-password",
    "confirmation link that is bad": "/verify-email?email=a@b.test&token=bad",
    "reset without a token": "/reset-password",
    "reset with a bad token": "/reset-password?token=bad",
    "registering a business": "/platform/register",
    "owner's landing": "/restaurant/landing",
    "invitation that is bad": "/invitation?token=bad",
    "unknown page": "/nowhere",
}
MEMBERS = {
    "plans": "/tier-selection",
    "free wizard": "/launch-setup",
    "free wizard, address": "/launch-setup?step=subdomain",
    "free wizard, end": "/launch-setup?step=complete",
    "branded wizard": "/branded-setup",
    "branded wizard, address": "/branded-setup?step=subdomain",
    "branded wizard, embedding": "/branded-setup?step=embed",
    "branded wizard, end": "/branded-setup?step=complete",
    "address": "/onboarding/subdomain-setup?change",
    "embedding": "/onboarding/iframe-setup",
    "restaurants": "/platform/tenants",
    "one more restaurant": "/platform/register",
    "team": "/restaurant/team",
    "account": "/account",
    "account's e-mail": "/account/email",
    "second factor": "/account/two-factor/",
    "settings": "/restaurant/settings",
    "fees": "/restaurant/tiers",
}


@pytest.fixture(params=WIDTHS)
def context(browser: Browser, request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    """A browser in which axe may run beside our own scripts."""
    width, height = WIDTHS[request.param]
    context = browser.new_context(
        viewport={"width": width, "height": height}, reduced_motion="reduce", bypass_csp=True
    )
    context.add_init_script(path=AXE)
    yield context
    context.close()


def findings(page: Page) -> list[str]:
    """What axe objects to once the page is there, and whether it must be scrolled sideways."""
    page.wait_for_load_state("networkidle")
    page.locator("h1, h2").first.wait_for()
    found: list[str] = page.evaluate(FIND)
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return [*found, *([f"{wide} pixels too wide"] if wide > 0 else [])]


def objections(page: Page, addresses: dict[str, str]) -> dict[str, list[str]]:
    found = {}
    for name, address in addresses.items():
        page.goto(address)
        if faults := findings(page):
            found[name] = faults
    return found


def test_pages_of_the_way_in(stack: Stack, context: BrowserContext) -> None:
    page = context.new_page()
    assert objections(page, {name: stack.url(path) for name, path in PUBLIC.items()}) == {}


def test_dialog_of_a_forgotten_password(stack: Stack, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(stack.url("/login"))
    page.get_by_role("link", name="Forgot your password?").click()
    page.get_by_role("dialog").get_by_role("button", name="Send reset link").click()
    page.get_by_text("Please enter").wait_for()
    assert findings(page) == []


def test_pages_of_a_new_restaurant(stack: Stack, context: BrowserContext) -> None:
    page = context.new_page()
    onboarding.open_account(context, stack, onboarding.new_email("ada"), name="Ada Accessible")
    onboarding.upgrade(page, stack)
    found = objections(page, {name: stack.url(path) for name, path in MEMBERS.items()})
    page.goto(stack.url("/restaurant"))
    found["welcome"] = findings(page)
    page.get_by_role("button", name="Start").click()
    page.get_by_role("dialog").wait_for(state="hidden")
    found["empty dashboard"] = findings(page)
    page.get_by_role("button", name="Help").click()
    found["help"] = findings(page)
    page.get_by_role("dialog").get_by_role("button", name="Close").last.click()
    page.get_by_role("button", name="Create First Special Offer").click()
    found["publishing"] = findings(page)
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_forms_that_say_what_is_wrong(stack: Stack, context: BrowserContext) -> None:
    page = context.new_page()
    found = {}
    for path, button in (
        ("/", "Open your restaurant"),
        ("/login", "Sign in"),
        ("/platform/register", "Continue"),
        ("/demo", "Start the demo"),
    ):
        page.goto(stack.url(path))
        page.wait_for_load_state("networkidle")
        page.get_by_role("button", name=button, exact=True).click()
        page.locator(".error:not(:empty), [role=alert]:visible").first.wait_for()
        found[path] = findings(page)
    assert {path: faults for path, faults in found.items() if faults} == {}


def test_dashboard_and_invitation(stack: Stack, context: BrowserContext) -> None:
    page = context.new_page()
    steps.sign_in(page, stack)
    tabs = {tab: stack.url(f"/restaurant?tab={tab}") for tab in ("specials", "orders")}
    found = objections(page, tabs)
    email = onboarding.new_email("ines")
    link = onboarding.invite(page, stack, email, "Kitchen")
    found["team with an invitation"] = findings(page)
    context.clear_cookies()
    found |= objections(page, {"invitation": link})
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_pages_of_guests(stack: Stack, context: BrowserContext) -> None:
    page = context.new_page()
    [(offer,)] = stack.query(
        "SELECT offer.id FROM offers_specialoffer offer"
        " JOIN restaurants_restaurant restaurant ON restaurant.id = offer.restaurant_id"
        " WHERE restaurant.subdomain = 'luigis' AND offer.name = 'Osso Buco alla Milanese'"
    )
    link = stack.url(f"/specials/{offer}", restaurant=LUIGIS)
    found = objections(
        page,
        {
            "specials": stack.url("/specials", restaurant=LUIGIS),
            "special": link,
            "embedded": stack.url("/embed", restaurant=LUIGIS),
            "no restaurant": stack.url("/specials", restaurant="nobody-is-here"),
        },
    )
    steps.order(page, link, onboarding.new_email("guest"))
    page.wait_for_url("**/pre-order-confirmation*")
    found["confirmation"] = findings(page)
    assert {name: faults for name, faults in found.items() if faults} == {}
