"""A restaurant's own domain: proven by DNS, the pages' one address, and given up (decision 122)."""

from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e import calls, steps
from tests.e2e.stack import OWN_DOMAIN, Stack
from tests.e2e.waiting import eventually

pytestmark = pytest.mark.e2e
Visitor = Callable[..., Page]
SAKURA = "sakura"


@pytest.fixture(autouse=True)
def _no_records(stack: Stack) -> Iterator[None]:
    yield
    stack.dns.records.clear()


def record(page: Page, kind: str) -> Locator:
    """The part of the owner's page about the record of that type."""
    return page.get_by_role("heading", name=f"{kind} record")


def value_of(page: Page, kind: str) -> str:
    """What the page says to enter as the record's value."""
    facts = page.locator("div.stack").filter(has=record(page, kind)).last.locator("dd code")
    return facts.last.inner_text()


def check(page: Page) -> None:
    page.get_by_role("button", name="Check now").click()


def leave_our_name_off(page: Page, stack: Stack) -> None:
    page.goto(stack.url("/restaurant/branding"))
    page.get_by_label("Leave our name off your pages").check()
    page.get_by_role("button", name="Save and preview").click()
    with suppress(AssertionError):  # it is off already
        page.get_by_role("button", name="Publish").click()
        expect(page.get_by_text("Published.")).to_be_visible()


def test_a_restaurant_moves_to_its_own_domain_sells_there_and_moves_back(
    stack: Stack, visitor: Visitor
) -> None:
    owner, guest = visitor(), visitor(phone=True)
    steps.sign_in(owner, stack, steps.BRANDED)
    leave_our_name_off(owner, stack)
    at_home = stack.url("/specials", restaurant=SAKURA)

    # Asked for, and not proven: nothing answers there.
    owner.goto(stack.url("/restaurant/domain"))
    owner.get_by_label("Domain", exact=True).fill(f"https://{OWN_DOMAIN}")
    owner.get_by_role("button", name="Add domain").click()
    expect(owner.get_by_text("Enter a domain, such as")).to_be_visible()
    owner.get_by_label("Domain", exact=True).fill(OWN_DOMAIN)
    owner.get_by_role("button", name="Add domain").click()
    expect(owner.get_by_text("Waiting for its records")).to_be_visible()
    check(owner)
    expect(owner.get_by_text("Not yet: the records aren't complete.")).to_be_visible()
    expect(record(owner, "TXT")).to_contain_text("Not found yet")
    expect(record(owner, "CNAME")).to_contain_text("Not found yet")
    unknown = guest.goto(stack.own_url("/specials"))
    assert unknown
    assert unknown.status == 404

    # One record right and one wrong.
    proof, target = value_of(owner, "TXT"), value_of(owner, "CNAME")
    stack.dns.put(f"_fully-booked.{OWN_DOMAIN}", "TXT", f'"{proof}"')
    stack.dns.put(OWN_DOMAIN, "CNAME", "elsewhere.test.")
    check(owner)
    expect(record(owner, "TXT")).to_contain_text("Found")
    expect(record(owner, "CNAME")).to_contain_text("Has another value")
    expect(owner.get_by_text("Live", exact=True)).to_have_count(0)

    # Both right: it is live, and the one address of the pages.
    stack.dns.put(OWN_DOMAIN, "CNAME", f"{target}.")
    check(owner)
    expect(owner.get_by_text(f"{OWN_DOMAIN} is live. Guests see your pages")).to_be_visible()
    expect(owner.get_by_text("Live", exact=True)).to_be_visible()
    eventually(
        lambda: any(f"{OWN_DOMAIN} is live" in each for each in stack.emails(to=steps.BRANDED[0])),
        True,
    )
    guest.goto(f"{at_home}?from=an-old-link")
    expect(guest).to_have_url(stack.own_url("/specials?from=an-old-link"))
    canonical = guest.locator("link[rel=canonical]")
    assert canonical.get_attribute("href") == stack.own_url("/specials")

    # Our name appears nowhere, and an order ends on the host where it began.
    special = calls.publish(stack, "Agedashi tofu", by=steps.BRANDED)
    guest.goto(stack.own_url(f"/specials/{special}"))
    expect(guest.get_by_role("heading", name="Agedashi tofu", level=1)).to_be_visible()
    assert "Fully Booked" not in guest.title() + guest.locator("body").inner_text()
    steps.order(guest, guest.url, "dana@own-domain.test")
    steps.expect_held(guest)
    assert guest.url.startswith(stack.own_url("/order/"))

    # Removed: it stops answering at once, and the old address is the address again.
    owner.get_by_text(f"Remove {OWN_DOMAIN}").click()
    owner.get_by_role("button", name="Remove domain").click()
    expect(owner.get_by_text("Your domain was removed.")).to_be_visible()
    gone = guest.goto(stack.own_url("/specials?after=1"))
    assert gone
    assert gone.status == 404
    there = guest.goto(f"{at_home}?after=1")
    assert there
    assert (there.status, guest.url) == (200, f"{at_home}?after=1")
