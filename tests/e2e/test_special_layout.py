"""How the parts of a special stand together, in the list and on its page."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import Route, expect

from tests.e2e import calls, steps
from tests.e2e.stack import Stack
from tests.e2e.test_form_errors import SIZES, Visitor, expect_in_view
from tests.e2e.waiting import eventually
from tests.e2e.wallet_steps import buttons_of

pytestmark = pytest.mark.e2e
# Other tests look at the first ones.
LAST_IN_THE_LIST = timedelta(days=3)
# Draws as many places as a minimum needs; returns whether the count stands beside or below them,
# and in how many lines they stand.
DRAW = """async (seats, minimum) => {
    const row = seats.querySelector(".seats-row");
    const places = Array.from({ length: minimum }, () => row.firstElementChild.cloneNode());
    row.replaceChildren(...places);
    // What depends on how many they are is drawn with the next picture.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    const [count, drawn, first] = [seats.querySelector(".seats-count"), row, places[0]].map(
        (part) => part.getBoundingClientRect(),
    );
    const { left, right } = seats.querySelector(".seats-line").getBoundingClientRect();
    const isBeside = count.left >= drawn.right && count.top < drawn.bottom;
    const isBelow = count.top >= drawn.bottom && count.left <= drawn.left;
    const isInside = drawn.left >= left && count.right <= right + 1;
    const isRound = Math.abs(first.width - first.height) < 0.5 && first.width >= 8;
    const lines = new Set(places.map((seat) => Math.round(seat.getBoundingClientRect().top))).size;
    return [isInside && isRound && (isBeside ? "beside" : isBelow && "below"), lines];
}"""
LINES = """sentence => {
    const range = document.createRange();
    range.selectNodeContents(sentence);
    return new Set([...range.getClientRects()].map((line) => Math.round(line.top))).size;
}"""


def test_a_wide_screen_shows_the_form_with_its_fields_and_its_button(
    stack: Stack, visitor: Visitor
) -> None:
    guest = visitor()
    special = calls.publish(stack, "Whole form focaccia", minimum=6, maxPreorders=20)
    guest.goto(calls.link_to(stack, special))
    form = guest.locator("#pre-order")
    for label in ("Portions", "Name", "Email"):
        expect_in_view(form.get_by_label(label))
    expect_in_view(form.get_by_text("Allergies or requests"))
    # What happens to the card, once.
    said = form.get_by_text("Held on your card")
    expect(said).to_contain_text(
        re.compile(r"charged .+ \d+:\d\d\s[AP]M\s\w+ if it's on\. Cancel for free until then\.")
    )
    expect_in_view(said, form.get_by_role("button", name="Pre-Order Now"))
    for step in form.locator(".card-steps > li:not([hidden])").all():
        expect(step).to_have_css("position", "absolute")


def test_a_wide_screen_shows_a_special_from_its_top_to_whoever_orders_in_the_list(
    stack: Stack, visitor: Visitor
) -> None:
    guest = visitor()
    guest.set_viewport_size({"width": 1440, "height": 900})
    special = calls.publish(stack, "Unscrolled udon", deadline=LAST_IN_THE_LIST)
    guest.goto(stack.url("/specials?afresh=1", restaurant="luigis"))
    guest.locator(f"[data-special='{special}'] a[data-preorder]").click()
    guest.wait_for_url(f"**/specials/{special}#pre-order")
    guest.wait_for_load_state()
    assert guest.evaluate("scrollY") == 0
    expect_in_view(guest.locator("h1"), guest.get_by_role("button", name="Pre-Order Now"))


def test_a_wide_screen_shows_the_fields_above_the_choice_of_an_alternative(
    stack: Stack, visitor: Visitor
) -> None:
    guest = visitor()
    guest.set_viewport_size({"width": 1440, "height": 900})
    special = calls.publish(
        stack,
        "Whole form with fallback",
        minimum=9,
        hasAlternative=True,
        alternativeDishId=calls.cheapest_dish(stack),
    )
    guest.goto(calls.link_to(stack, special))
    form = guest.locator("#pre-order")
    name, email = (form.get_by_label(label, exact=True) for label in ("Name", "Email"))
    expect(form.get_by_role("radio").first).to_be_attached()
    room = name.bounding_box()
    # Whoever has a wallet types nothing, so it is there without a press, and in room kept for it.
    wallet = buttons_of(guest).get_by_role("button", name="Google Pay")
    expect(wallet).to_be_visible()
    expect(form.get_by_text("Or enter your name and email")).to_be_visible()
    expect_in_view(wallet, name, email, form.get_by_role("button", name="Pre-Order Now"))
    expect(form.get_by_text("By ordering, you agree")).to_have_count(2)
    expect(form.get_by_text("By ordering, you agree").filter(visible=True)).to_have_count(1)
    shown = name.bounding_box()
    assert room
    assert shown
    assert abs(room["y"] - shown["y"]) < 48


@pytest.mark.parametrize("limits", [(), (1, 2, 8)], ids=["any time", "times"])
def test_a_phones_sheet_opens_with_everything_an_order_needs(
    stack: Stack, visitor: Visitor, limits: tuple[int, ...]
) -> None:
    guest = visitor(phone=True)
    guest.set_viewport_size({"width": 360, "height": 640})
    special = calls.publish(
        stack, f"Whole-sheet sfogliatelle {len(limits)}", minimum=4, serviceMode="both"
    )
    if limits:
        calls.set_times(stack, special, *limits)
    guest.goto(calls.link_to(stack, special))
    form = steps.open_form(guest)
    wallet = buttons_of(guest).get_by_role("button", name="Google Pay")
    expect(wallet).to_be_visible()
    expect(form.get_by_text("Or enter your name and email")).to_be_visible()
    fields = [form.get_by_label(label, exact=True) for label in ("Portions", "Name", "Email")]
    if limits:
        times = form.get_by_label("Time on")
        expect(times).to_have_accessible_name(re.compile("first available"))
        fields.append(times)
    button = form.get_by_role("button", name="Pre-Order Now")
    expect_in_view(*fields, button)
    expect(button).to_contain_text("You pay only if it's on")
    if limits:
        times.select_option(index=1)
        expect(form.get_by_text("first available")).to_be_hidden()


@SIZES
@pytest.mark.parametrize("place", ["list", "page"])
def test_the_count_stands_beside_or_below_the_seats_of_every_minimum(
    stack: Stack, visitor: Visitor, phone: bool, place: str
) -> None:
    guest = visitor(phone=phone)
    name = f"Seated saltimbocca {phone} {place}"
    special = calls.publish(stack, name, minimum=24, deadline=LAST_IN_THE_LIST)
    if place == "list":
        guest.goto(stack.url("/specials?afresh=1", restaurant="luigis"))
        seats = guest.locator(f"[data-special='{special}'] .seats")
    else:
        guest.goto(calls.link_to(stack, special))
        seats = guest.locator(".how-close > .seats")
    expect(seats.locator(".seat")).to_have_count(24)
    drawn = {minimum: seats.evaluate(DRAW, minimum) for minimum in range(1, 25)}
    # More than twelve have two lines on a phone's page, and never in the list, where they have the
    # room of the count.
    lines = 2 if phone and place == "page" else 1
    most = 12 if place == "list" else 24
    assert drawn == {
        number: ["beside" if number <= most else "below", lines if number > 12 else 1]
        for number in range(1, 25)
    }


@pytest.mark.parametrize(("locale", "lines"), [("en-US", 3), ("es-MX", 4)])
def test_what_is_reserved_is_said_in_few_lines_of_a_phones_card(
    stack: Stack, visitor: Visitor, locale: str, lines: int
) -> None:
    special = calls.publish(
        stack, f"Full farinata {locale}", minimum=2, maxPreorders=2, deadline=LAST_IN_THE_LIST
    )
    calls.start_order(stack, special, "first@guests.test", portions=2)
    guest = visitor(phone=True, locale=locale)
    sentence = guest.locator(f"[data-special='{special}'] .seats-sentence")

    def counted() -> int:
        guest.goto(stack.url("/specials?afresh=1", restaurant="luigis"))
        return int(sentence.evaluate(LINES)) if "2" in sentence.inner_text() else 0

    eventually(lambda: 0 < counted() <= lines, True)


@pytest.mark.parametrize(("locale", "says"), [("en-US", "Closes"), ("es-MX", "Cierra el")])
def test_the_day_and_at_last_the_time_left_stand_below_the_sentence_on_a_phones_card(
    stack: Stack, visitor: Visitor, locale: str, says: str
) -> None:
    guest = visitor(phone=True, locale=locale)
    special = calls.publish(
        stack, f"Six-day torta {locale}", minimum=4, deadline=timedelta(days=6, hours=11)
    )
    card = guest.locator(f"[data-special='{special}']")
    time_left, sentence = card.locator(".countdown-time"), card.locator(".seats-sentence")
    day = card.locator(".countdown > time > .in-card")
    for width in (320, 360, 400):
        guest.set_viewport_size({"width": width, "height": 740})
        guest.goto(stack.url("/specials?afresh=1", restaurant="luigis"))
        expect(day).to_contain_text(re.compile(rf"^{says} .+ \d{{1,2}}:\d\d"))
        assert day.evaluate(LINES) == 1
        hidden, shown, words, whole = (
            each.bounding_box() for each in (time_left, day, sentence, card)
        )
        assert hidden
        assert hidden["width"] <= 1
        assert shown
        assert words
        assert whole
        assert words["y"] + words["height"] <= shown["y"]
        assert shown["x"] + shown["width"] <= whole["x"] + whole["width"]
        # As the page's script marks it in the last 24 hours.
        card.locator("[data-countdown]").evaluate(
            "time => { time.textContent = '23h 59m'; time.toggleAttribute('data-near', true); }"
        )
        near_day = card.locator(".countdown > time > .in-row")
        expect(near_day).to_contain_text(re.compile(r"\d{1,2}:\d\d"))
        for shown_near in (time_left, near_day):
            assert shown_near.evaluate(LINES) == 1
            near, words = shown_near.bounding_box(), sentence.bounding_box()
            assert near
            assert words
            assert words["y"] + words["height"] <= near["y"]
            assert near["x"] + near["width"] <= whole["x"] + whole["width"]


def test_a_low_window_shows_the_name_and_the_date_below_the_photo(
    stack: Stack, visitor: Visitor
) -> None:
    guest = visitor()
    guest.goto(stack.url("/specials", restaurant="luigis"))
    guest.locator("[data-offer]:has(.media img) .card-link").first.click()
    expect(guest.locator(".photo")).to_be_attached()
    # A laptop's at 200 %, and a phone held sideways.
    for width, height in [(720, 450), (740, 360)]:
        guest.set_viewport_size({"width": width, "height": height})
        expect_in_view(guest.get_by_role("heading", level=1), guest.locator(".served-when"))


def test_a_phones_first_screen_has_the_price_the_seats_and_the_deadline(
    stack: Stack, visitor: Visitor
) -> None:
    guest = visitor(phone=True)
    guest.set_viewport_size({"width": 360, "height": 640})
    special = calls.publish(stack, "Whole-belly porchetta", minimum=10)
    guest.goto(calls.link_to(stack, special))
    card = guest.get_by_role("complementary", name="Pre-order")
    expect_in_view(
        guest.get_by_role("heading", level=1),
        card.locator(".price"),
        card.locator(".seats-line"),
        card.locator(".seats-sentence"),
        card.get_by_text("Order by"),
    )


@pytest.mark.parametrize("phone", [True, False])
def test_how_a_special_ended_is_shown_instead_of_a_plate(
    stack: Stack, visitor: Visitor, phone: bool
) -> None:
    [(ended,)] = stack.query(
        "SELECT id FROM offers_specialoffer WHERE name = 'Minestrone for the Whole Street'"
    )
    guest = visitor(phone=phone)
    guest.goto(calls.link_to(stack, str(ended)))
    expect(guest.locator(".photo .plate")).to_be_hidden()
    back = guest.locator("[data-back-to-list]").bounding_box()
    name = guest.get_by_role("heading", level=1).bounding_box()
    assert back
    assert name
    assert back["y"] + back["height"] <= name["y"]
    expect_in_view(guest.get_by_role("heading", name=re.compile("It's on|It went ahead")))


def test_a_sold_out_special_leads_to_its_waitlist_from_a_phones_bar(
    stack: Stack, visitor: Visitor
) -> None:
    guest = visitor(phone=True)
    special = calls.publish(stack, "Only one orata", maxPreorders=1)
    calls.place_order(stack, special, "first@guests.test")
    bar = guest.locator(".sticky-action")
    link = bar.get_by_role("link", name="Join the waitlist")

    def is_sold_out() -> bool:
        guest.goto(calls.link_to(stack, special))
        return link.get_attribute("href") == "#waiting-list" if link.count() else False

    eventually(is_sold_out, True)
    expect_in_view(link)
    link.click()
    expect_in_view(guest.get_by_role("heading", name="Join the waitlist"))
    expect(bar).to_be_hidden()
    # Also for who scrolls there, and only as long as the form's own button is in view.
    guest.goto(calls.link_to(stack, special))
    expect(link).to_be_visible()
    form = guest.locator("#waiting-list")
    form.get_by_role("button", name="Join the waitlist").scroll_into_view_if_needed()
    expect(bar).to_be_hidden()
    guest.locator(".site-footer").scroll_into_view_if_needed()
    expect(link).to_be_visible()


def test_without_javascript_a_phones_bar_goes_away_beside_the_forms_button(
    stack: Stack, visitor: Visitor
) -> None:
    guest = visitor(java_script=False, phone=True)
    guest.goto(calls.link_to(stack, calls.publish(stack, "Quiet quiche")))
    bar = guest.locator(".sticky-action")
    expect(bar.get_by_role("link")).to_be_visible()
    guest.get_by_role("button", name="Pre-Order Now").scroll_into_view_if_needed()
    expect(bar).to_be_hidden()
    guest.locator(".site-footer").scroll_into_view_if_needed()
    expect(bar.get_by_role("link")).to_be_visible()


def test_the_way_back_is_the_list_that_a_guest_came_from_or_the_list_of_all(
    stack: Stack, visitor: Visitor
) -> None:
    guest = visitor(phone=True)
    special = calls.publish(stack, "Way-back vitello")
    guest.goto(stack.url("/specials?afresh=1", restaurant="luigis"))
    guest.locator(f"[data-special='{special}']").get_by_role("link").first.click()
    guest.get_by_role("link", name="Back to all specials").click()
    guest.wait_for_url("**/specials?afresh=1")
    guest.goto(calls.link_to(stack, special))
    guest.get_by_role("link", name="Back to all specials").click()
    guest.wait_for_url("**/specials")


def test_nothing_animates_as_the_style_sheet_arrives(stack: Stack, visitor: Visitor) -> None:
    guest = visitor()
    guest.emulate_media(reduced_motion="no-preference")
    # Styles are read before the style sheet is there, as browsers do by themselves now and then.
    guest.add_init_script("""window.animated = [];
        addEventListener("transitionrun", ({ target }) => animated.push(target.className), true);
        setInterval(() => document.body && getComputedStyle(document.body).color, 10);""")

    def answer_late(route: Route) -> None:
        guest.wait_for_timeout(300)
        route.continue_()

    guest.route("**/*.css", answer_late)
    guest.goto(calls.link_to(stack, calls.publish(stack, "Still stracciatella")))
    expect(guest.get_by_role("button", name="Pre-Order Now").first).to_be_visible()
    guest.wait_for_timeout(300)
    assert guest.evaluate("animated") == []
    guest.unroute_all(behavior="wait")  # the wallets' styles come last
