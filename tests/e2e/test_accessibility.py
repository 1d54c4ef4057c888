"""axe finds no problem on any page, on a phone and on a desktop.

A page is loaded and used on a phone; everything it shows is checked in both sizes.
"""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from tests.e2e import onboarding_steps as onboarding
from tests.e2e import steps
from tests.e2e.conftest import PATIENCE_MS
from tests.e2e.stack import ROOT, Stack
from tests.e2e.test_own_order import access_links, links_in_emails
from tests.e2e.waiting import eventually
from tests.e2e.watching import Watch

pytestmark = pytest.mark.e2e
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
PHONE: ViewportSize = {"width": 360, "height": 740}
DESK: ViewportSize = {"width": 1440, "height": 900}
# The smallest phone, or a desktop's window at 400 %.
ENLARGED: ViewportSize = {"width": 320, "height": 640}
# Without this, axe also describes every element that passes:
# https://github.com/dequelabs/axe-core/blob/develop/doc/API.md#section-4-performance
FIND = """async () => {
  const { violations } = await axe.run({ resultTypes: ["violations"] });
  return violations.map(({ id, help, nodes }) =>
    `${id}: ${help}\\n  ` + nodes.map((node) => node.target.join(" ")).join("\\n  "));
}"""
SMALL_TARGETS = """async () => {
  const { violations } = await axe.run({ runOnly: ["target-size"], resultTypes: ["violations"] });
  return violations.flatMap(({ nodes }) => nodes.map((node) => node.target.join(" ")));
}"""
# Elements that are cut off and aren't shortened on purpose.
TOO_WIDE = """() => [...document.querySelectorAll(":root, main .card, main tbody tr, header")]
  .filter((box) => box.scrollWidth > box.clientWidth + 1)
  .map((box) => `${box.className || box.tagName} is cut at ${box.clientWidth} pixels`)"""
# Every island has replaced its fallback, and no request is under way.
IS_COMPLETE = """() => {
  const islands = [...document.querySelectorAll("[data-island]")];
  const mounted = (island) => Object.keys(island).some((key) => key.startsWith("__reactContainer"));
  return islands.every(mounted) && !document.querySelector("[aria-busy=true], .skeleton");
}"""
COVERED = """() => {
  const { activeElement } = document;
  const { left, right, top, bottom } = activeElement.getBoundingClientRect();
  const points = [[(left + right) / 2, (top + bottom) / 2], [left + 3, top + 3]];
  const bar = points.map(([x, y]) => document.elementFromPoint(x, y)?.closest(
    ".sticky-action, .cart-dock"));
  return bar.every((each) => each && !each.contains(activeElement)) && activeElement.outerHTML;
}"""
# A bar leaves when the browser next draws the page.
TWO_FRAMES = "() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"
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
    "kitchen sheet": "/restaurant/kitchen",
    "account": "/account",
    "account's email": "/account/email",
    "second factor": "/account/two-factor/",
    "empty menu": "/restaurant/menu",
    "empty history": "/specials/history",
    "empty analytics": "/restaurant/analytics",
    "quick start": "/free-tier-quick-start",
    "settings": "/restaurant/settings",
    "payments": "/restaurant/stripe-management",
    "hub": "/free-tier-dashboard",
    "settings, subscription": "/restaurant/settings?section=subscription",
    "marketing settings": "/dashboard/marketing",
    "empty statement": "/restaurant/statements",
    "fees": "/restaurant/tiers",
    "followers": "/restaurant/audience",
    "email to followers": "/restaurant/audience/emails/new",
    "calendar": "/restaurant/calendar",
    "branding": "/restaurant/branding",
    "own domain": "/restaurant/domain",
    "security": "/restaurant/security",
    "activity": "/restaurant/activity",
}

STATUS = {"invitation that is bad": 404, "unknown page": 404, "no restaurant": 404}

TABS = ("today", "specials", "orders", "orders&view=ledger", "history")
ON_THE_FREE_TIER = {
    "settings, profile": "/restaurant/settings",
    "settings, marketing": "/restaurant/settings?section=marketing",
    "settings, payments": "/restaurant/settings?section=payments",
    "fees": "/restaurant/tiers",
}


@pytest.fixture
def context(browser: Browser, watch: Watch) -> Iterator[BrowserContext]:
    """A phone's browser in which axe is allowed to run beside our own scripts."""
    context = browser.new_context(viewport=PHONE, reduced_motion="reduce", bypass_csp=True)
    context.set_default_timeout(PATIENCE_MS)
    watch(context)
    context.add_init_script(path=AXE)
    yield context
    context.close()


def objected_to(page: Page) -> list[str]:
    """What axe reports at this size, and whether the page has to be scrolled sideways."""
    found: list[str] = page.evaluate(FIND)
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return [*found, *([f"{wide} pixels too wide"] if wide > 0 else [])]


def hidden_by_bars(page: Page, presses: int = 30) -> list[str]:
    """Elements that the keyboard reaches and a bar at the foot of the page covers."""
    found = []
    for _ in range(presses):
        page.keyboard.press("Tab")
        if not page.evaluate(COVERED):
            continue
        page.evaluate(TWO_FRAMES)
        if covered := page.evaluate(COVERED):
            found.append(f"covered: {covered[:80]}")
    return found


def findings(page: Page) -> list[str]:
    """The problems of the loaded page, on a phone and on a desktop."""
    page.wait_for_function(IS_COMPLETE)
    page.locator("h1, h2").first.wait_for()
    on_a_phone = objected_to(page)
    page.set_viewport_size(DESK)
    on_a_desk = objected_to(page)
    page.set_viewport_size(PHONE)
    return on_a_phone + [f"on a desk: {each}" for each in on_a_desk]


def objections(page: Page, addresses: dict[str, str]) -> dict[str, list[str]]:
    """The problems of each page, which must answer 200 and be the right one."""
    found = {}
    for name, address in addresses.items():
        answer = page.goto(address)
        errors = findings(page)
        if answer is None or answer.status != STATUS.get(name, 200):
            errors.append(f"answered {answer and answer.status}")
        if urlsplit(page.url).path != urlsplit(address).path:
            errors.append(f"led to {page.url}")
        if errors:
            found[name] = errors
    return found


def test_public_pages_of_the_platform_are_accessible(stack: Stack, context: BrowserContext) -> None:
    page = context.new_page()
    assert objections(page, {name: stack.url(path) for name, path in PUBLIC.items()}) == {}


def test_the_forgotten_password_dialog_is_accessible(stack: Stack, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(stack.url("/login"))
    page.get_by_role("link", name="Forgot your password?").click()
    page.get_by_role("dialog").get_by_role("button", name="Send reset link").click()
    page.get_by_text("Please enter").wait_for()
    assert findings(page) == []


def test_the_pages_of_a_new_restaurant_are_accessible(
    stack: Stack, context: BrowserContext
) -> None:
    page = context.new_page()
    onboarding.open_account(context, stack, onboarding.new_email("ada"), name="Ada Accessible")
    onboarding.upgrade(page, stack)
    found = objections(page, {name: stack.url(path) for name, path in MEMBERS.items()})
    page.goto(stack.url("/restaurant"))
    found["welcome"] = findings(page)
    page.get_by_role("button", name="Start").click()
    page.get_by_role("dialog").wait_for(state="hidden")
    found["empty dashboard"] = findings(page)
    page.get_by_role("button", name="More").click()
    found["menu"] = findings(page)
    page.keyboard.press("Escape")
    steps.open_help(page)
    found["help"] = findings(page)
    page.get_by_role("dialog").get_by_role("button", name="Close").last.click()
    page.get_by_role("button", name="Create First Special Offer").click()
    found["publishing"] = findings(page)
    assert {name: errors for name, errors in found.items() if errors} == {}


def test_pages_of_the_free_tier(stack: Stack, context: BrowserContext) -> None:
    page = context.new_page()
    onboarding.open_account(context, stack, onboarding.new_email("fred"), name="Fred Free")
    found = objections(page, {name: stack.url(path) for name, path in ON_THE_FREE_TIER.items()})
    page.goto(stack.url("/restaurant"))
    page.get_by_role("button", name="Start").click()
    for tab in ("Marketing", "Settings"):
        page.get_by_role("tab", name=tab).click()
        found[tab] = findings(page)
    page.goto(stack.url("/restaurant/settings"))
    page.get_by_role("button", name="Open on Friday").click()
    page.get_by_label("Restaurant name").fill("")
    page.get_by_role("button", name="Save All Changes").click()
    page.get_by_text("Restaurant name is required").wait_for()
    found["profile with a fault"] = findings(page)
    assert {name: errors for name, errors in found.items() if errors} == {}


def test_forms_that_say_what_is_wrong(stack: Stack, context: BrowserContext) -> None:
    page = context.new_page()
    found = {}
    for path, button in (
        ("/", "Get started free"),
        ("/login", "Sign in"),
        ("/platform/register", "Continue"),
        ("/demo", "Start the demo"),
    ):
        page.goto(stack.url(path))
        page.wait_for_function(IS_COMPLETE)
        page.get_by_role("button", name=button, exact=True).click()
        page.locator(".error:not(:empty), [role=alert]:visible").first.wait_for()
        found[path] = findings(page)
    assert {path: errors for path, errors in found.items() if errors} == {}


def of_an_order(page: Page, stack: Stack) -> dict[str, list[str]]:
    """An order above the list, its own page, and the dialog before a refund."""
    page.goto(stack.url("/restaurant?tab=orders&payment=captured"))
    page.locator(".order-link").first.click()
    page.locator(".order-view").wait_for()
    found = {"order above the list": findings(page)}
    page.reload()
    found["order"] = findings(page)
    page.get_by_role("button", name="Refund…").click()
    found["refund"] = findings(page)
    page.goto(stack.url("/restaurant?tab=orders"))
    page.get_by_role("checkbox", name="Select all orders shown").check()
    found["orders, selected"] = findings(page)
    page.get_by_role("button", name="Add phone order").click()
    found["phone order"] = findings(page)
    return found


def test_the_dashboard_and_the_invitation_pass_axe(stack: Stack, context: BrowserContext) -> None:
    page = context.new_page()
    steps.sign_in(page, stack)
    tabs = {tab: stack.url(f"/restaurant?tab={tab}") for tab in TABS}
    found = objections(page, tabs | {"menu": stack.url("/restaurant/menu")})
    found |= objections(page, {"example figures": stack.url("/restaurant/analytics")})
    page.get_by_role("button", name="Show table: Visits").click()
    found["figures as a table"] = findings(page)
    page.goto(stack.url("/restaurant/menu"))
    page.get_by_role("button", name="Add a dish").click()
    found["dish"] = findings(page)
    email = onboarding.new_email("ines")
    link = onboarding.invite(page, stack, email, "Kitchen")
    found["team with an invitation"] = findings(page)
    context.clear_cookies()
    found |= objections(page, {"invitation": link})
    assert {name: errors for name, errors in found.items() if errors} == {}


def test_the_pages_of_guests_pass_axe(stack: Stack, context: BrowserContext) -> None:
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
            "embedded": stack.url("/embed", restaurant="sakura"),
            "no restaurant": stack.url("/specials", restaurant="nobody-is-here"),
        },
    )
    email = onboarding.new_email("guest")
    steps.order(page, link, email)
    page.wait_for_url("**/order/*")
    found["confirmation"] = findings(page)
    page.goto(stack.url("/find-order", restaurant=LUIGIS))
    found["finding an order"] = findings(page)
    page.get_by_label("Email address").fill(email)
    page.get_by_role("button", name="Email my orders").click()
    page.get_by_role("status").first.wait_for()
    found["orders emailed"] = findings(page)
    eventually(lambda: bool(access_links(stack, email)), True)
    context.clear_cookies()
    page.goto(min(links_in_emails(stack, email)))
    found["order passed on"] = findings(page)
    page.goto(next(link for link in access_links(stack, email) if "change-order" in link))
    page.get_by_role("heading", name="Change your order").wait_for()
    for fold in page.locator("details.fold > summary").all():
        fold.click()
    found["order"] = findings(page)
    assert {name: errors for name, errors in found.items() if errors} == {}


def test_the_cart_and_its_payment_pass_axe(stack: Stack, context: BrowserContext) -> None:
    page = context.new_page()
    found = {}
    page.goto(stack.url("/specials", restaurant=LUIGIS))
    page.locator("[data-add-to-cart]").filter(has_text="Osso Buco alla Milanese").click()
    page.locator("[data-cart-says]").wait_for()
    found["added to the cart"] = findings(page)
    page.locator("[data-cart-bar]").click()
    cart = page.get_by_role("dialog")
    pay = cart.get_by_role("button", name="Continue to payment")
    pay.click()  # which leads to fields that are out of view
    expect(cart.get_by_label("Name")).to_be_focused()
    pay.click()
    cart.get_by_text("Name is required").wait_for()
    found["cart with faults"] = findings(page)
    cart.get_by_label("Name").fill("Axel Axe")
    cart.get_by_label("Email").fill(onboarding.new_email("axel"))
    cart.get_by_role("button", name="Continue to payment").click()
    page.frame_locator(".card-fields iframe").get_by_label("Card number").wait_for()
    found["payment"] = findings(page)
    assert {name: errors for name, errors in found.items() if errors} == {}


def test_guests_pages_are_accessible_in_the_dark_in_spanish_and_enlarged(
    stack: Stack, browser: Browser, watch: Watch
) -> None:
    with browser.new_context(
        viewport=ENLARGED, reduced_motion="reduce", color_scheme="dark", bypass_csp=True
    ) as context:
        context.set_default_timeout(PATIENCE_MS)
        watch(context)
        context.add_init_script(path=AXE)
        page = context.new_page()
        page.goto(stack.url("/specials", restaurant=LUIGIS))
        special = page.locator("[data-offer] h2 a").first.get_attribute("href")
        pages = {
            "specials": "/specials",
            "special": f"{special}",
            "special in Spanish": f"{special}?lang=es",
            "menu in Spanish": "/patron",
            "terms in Spanish": "/terms-of-service",
            "specials in English again": "/specials?lang=en",
            "menu": "/patron",
            "finding an order": "/find-order",
        }
        found = {}
        for name, path in pages.items():
            page.goto(stack.url(path, restaurant=LUIGIS))
            page.wait_for_function(IS_COMPLETE)
            found[name] = objected_to(page)
            if name in ("specials", "special", "finding an order"):
                found[f"{name}, small targets"] = page.evaluate(SMALL_TARGETS)
        # Letters twice as large on a phone (WCAG 1.4.4), where bars hide nothing that has the
        # focus (2.4.11).
        page.set_viewport_size(PHONE)
        for name in ("specials", "special", "menu", "finding an order"):
            page.goto(stack.url(pages[name], restaurant=LUIGIS))
            page.evaluate("document.documentElement.style.fontSize = '200%'")
            # In the fonts that stay: the first ones are narrower.
            page.wait_for_function("document.fonts.status === 'loaded'")
            found[f"{name}, large text"] = [*page.evaluate(TOO_WIDE), *hidden_by_bars(page)]
            if name in ("specials", "menu"):
                page.set_viewport_size(DESK)
                found[f"{name}, large text on a desk"] = page.evaluate(TOO_WIDE)
                page.set_viewport_size(PHONE)
        assert {name: errors for name, errors in found.items() if errors} == {}


def test_the_owners_page_of_a_special_is_accessible(stack: Stack, context: BrowserContext) -> None:
    page = context.new_page()
    steps.sign_in(page, stack)
    found = {}
    names = {"open": "Osso Buco alla Milanese", "over": "Caprese di Bufala for Lunch"}
    for state, name in names.items():
        [(offer,)] = stack.query("SELECT id FROM offers_specialoffer WHERE name = %s", name)
        page.goto(stack.url(f"/restaurant/offers/{offer}"))
        page.locator("figure svg.recharts-surface").first.wait_for()
        found[state] = findings(page)
        page.get_by_role("button", name="Show table").click()
        found[f"{state}, as a table"] = findings(page)
    page.go_back()
    page.locator("figure svg.recharts-surface").first.wait_for()
    page.get_by_role("button", name="Create time slots").click()
    found["splitting a span"] = findings(page)
    page.get_by_role("button", name="Lower the minimum", exact=True).click()
    page.get_by_role("dialog").get_by_role("status").filter(has_text="ordered").wait_for()
    found["lowering the minimum"] = findings(page)
    assert {name: errors for name, errors in found.items() if errors} == {}
