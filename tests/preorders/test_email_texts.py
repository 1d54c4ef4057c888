"""Emails: one template each, the same words in text and HTML, and what happened to the card."""

import html
import re
from datetime import timedelta
from email import policy
from email.parser import BytesParser
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

import pytest
from django.core.mail import get_connection

from apps.common.email_backends import FolderBackend
from apps.offers.models import Photo, SpecialOffer
from apps.offers.states import OfferStatus
from apps.preorders.core.access import guest_url
from apps.preorders.core.referrals import referral_url
from apps.preorders.emails import rendering
from apps.preorders.emails.next_specials import NextSpecials
from apps.preorders.emails.preferences import set_email_preference
from apps.preorders.emails.seats_drawing import seats_layout
from apps.preorders.models import Email, GuestMessage, Subscriber
from apps.preorders.models.states import ABOUT_AN_ORDER, EmailKind
from tests.conftest import NOON, Cast, Clock
from tests.factories import PlatformFactory, PreOrderFactory, SpecialOfferFactory

pytestmark = pytest.mark.usefixtures("clock")

CARD = {
    EmailKind.RECEIVED: "Your bank is holding $51.84 on your card.",
    EmailKind.CHARGED_EARLY: "We charged your card early",
    EmailKind.DISH_CHANGED: "No charge today. We'll charge your card on",
    EmailKind.CONFIRMED: "We charged your card $51.84.",
    EmailKind.RELEASED: "We released the hold of $51.84 on your card and charged nothing.",
    EmailKind.PAYMENT_NEEDED: "Your bank declined the charge, so you haven't paid anything, and "
    "the hold on your card has ended.",
    EmailKind.PAYMENT_LAPSED: "We released the hold of $51.84 on your card and charged nothing.",
    EmailKind.RENEW_AUTHORIZATION: "Your bank keeps the hold of $51.84 on your card only until",
    EmailKind.REFUNDED: "All you paid goes back to the same card.",
    EmailKind.REFUND_RETURNED: "Your refund of $51.84 didn't arrive",
    EmailKind.PAYMENT_DISPUTED: "Your bank took back $51.84",
    EmailKind.DISPUTE_SETTLED: "Luigi's has your payment of $51.84.",
    EmailKind.CANCELLED: "We're releasing the hold of $51.84 on your card. You pay nothing",
    EmailKind.PAY_LINK: "No charge today. We'll charge your card on",
    EmailKind.GUEST_MESSAGE: "Nothing changes about your order or its payment.",
    EmailKind.EXTENDED: "No charge today. We'll charge your card on",
    EmailKind.DECLINED: "your card wasn't held or charged for this order.",
    EmailKind.UNFINISHED: "Your card wasn't held or charged.",
    EmailKind.PICK_UP: "We charged your card $51.84. Your order is paid, tax included.",
    EmailKind.REJOIN: "Your card isn't held until you do.",
    EmailKind.HOW_WAS_IT: "2 portions, $51.84 with tax",
    EmailKind.FRIEND_JOINED: "Your card isn't affected.",
    EmailKind.FRIEND_LEFT: "and your card isn't affected.",
    EmailKind.FRIEND_CANCELED: "Your card isn't affected.",
    EmailKind.FRIEND_MOVED: "Your card isn't affected.",
}


class EmailFactory(PlatformFactory[Email]):
    class Meta:
        model = Email

    due_at = NOON


@pytest.fixture
def order(special: Any) -> Any:
    return PreOrderFactory(offer=special, quantity=2)


@pytest.fixture
def email(order: Any, platform: None) -> Any:
    def write(kind: str, **columns: Any) -> Email:
        return EmailFactory(restaurant=order.restaurant, pre_order=order, kind=kind, **columns)

    return write


def headline_of(message: Any) -> str:
    (headline,) = re.findall(r"<h1.*?</h1>", html_of(message), re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", headline).split())


def html_of(message: Any) -> str:
    (alternative,) = message.alternatives
    return str(alternative[0])


@pytest.mark.parametrize("kind", ABOUT_AN_ORDER)
def test_every_email_says_what_happened_to_the_card(email: Any, kind: str) -> None:
    message = rendering.render_order_email(email(kind))
    assert CARD[EmailKind(kind)] in message.body
    assert CARD[EmailKind(kind)] in html.unescape(html_of(message))
    for fact in ("Osso buco", "Wed, Mar 24", "1 Mulberry Street"):
        assert fact in message.body
        assert fact in html_of(message)
    assert message.to == ["Dana Guest <dana@example.test>"]
    assert "\n" not in message.subject
    assert len(message.alternatives) == 1
    assert "{{" not in message.body


@pytest.mark.parametrize("kind", ABOUT_AN_ORDER)
def test_there_is_one_button(email: Any, order: Any, kind: str) -> None:
    message = rendering.render_order_email(email(kind))
    buttons = re.findall(r'<a\s+class="(?:action|way quiet)" href="([^"]+)"', html_of(message))
    assert len(buttons) == 1
    assert buttons[0].replace("&amp;", "&") in message.body
    calls = kind == EmailKind.PAYMENT_DISPUTED
    assert buttons[0].startswith("tel:" if calls else "http://luigis.localhost")


def test_the_confirmation_leads_with_the_day_and_what_can_be_done(email: Any, order: Any) -> None:
    order.statement_name = "LUIGI'S TRATTORIA"
    message = rendering.render_order_email(email(EmailKind.RECEIVED))
    shown = html_of(message)
    assert shown.index("You&#x27;re in, Dana</p>") < shown.index("<h1") < shown.rindex("No charge")
    assert headline_of(message) == "Wed, Mar 24 Osso buco"
    for text in ("Add to calendar", "Map", "Change or cancel"):
        assert text in shown
        assert f"{text}:\n" in message.body
    assert re.search(r'href="https://www\.google\.com/maps/[^"]+"[^>]*>1 Mulberry Street', shown)
    assert guest_url(order, then="?open=change#change-order") in message.body
    assert "On your statement: LUIGI'S TRATTORIA" in message.body
    assert "because you ordered Osso buco at Luigi's" in message.body


@pytest.mark.parametrize("kind", ABOUT_AN_ORDER)
def test_the_one_headline_is_the_day_and_the_dish(email: Any, kind: str) -> None:
    message = rendering.render_order_email(email(kind))
    assert headline_of(message) == "Wed, Mar 24 Osso buco"
    [news] = re.findall(r'<p class="lead"\s+style="([^"]+)"', html_of(message))
    assert "font-size:20px;line-height:27px" in news
    assert "text-wrap:balance" in news
    assert html_of(message).count("2 portions, $51.84 with tax") == 1
    for label in ("Dish", "Portions", "Total"):
        assert f"{label}: " not in message.body


def test_an_order_has_a_large_photo_if_its_dinner_is_to_come_and_a_small_one_otherwise(
    email: Any, order: Any
) -> None:
    plain = html_of(rendering.render_order_email(email(EmailKind.RECEIVED)))
    assert 'class="stripe"' in plain
    photo = Photo.objects.create(restaurant=order.restaurant, width=720, height=540, widths=[720])
    type(order.sold).objects.filter(pk=order.sold.pk).update(photo=photo)
    order.refresh_from_db()
    pictured = html_of(rendering.render_order_email(email(EmailKind.CHARGED_EARLY)))
    assert 'class="photo"' in pictured
    assert 'class="stripe"' not in pictured
    declined = html_of(rendering.render_order_email(email(EmailKind.DECLINED)))
    assert 'class="photo"' not in declined
    assert re.search(r'class="thumb"[^>]*width="84"', declined)
    assert ".photo, .thumb { background: #3a342e !important" in pictured


def test_an_inbox_shows_what_happens_to_the_card_after_the_subject(email: Any) -> None:
    page = html_of(rendering.render_order_email(email(EmailKind.RECEIVED)))
    preview = page[page.index("display:none") : page.index("</div>", page.index("display:none"))]
    assert "No charge today." in preview
    page = html_of(rendering.render_order_email(email(EmailKind.CONFIRMED)))
    preview = page[page.index("display:none") : page.index("</div>", page.index("display:none"))]
    assert "Luigi&#x27;s will cook it." in preview


def test_that_nothing_is_charged_today_is_bold(email: Any) -> None:
    for kind, how_often in ((EmailKind.RECEIVED, 1), (EmailKind.CONFIRMED, 0)):
        page = html_of(rendering.render_order_email(email(kind)))
        assert page.count("<strong>No charge today.</strong> ") == how_often


@pytest.mark.parametrize("kind", [EmailKind.EXTENDED, EmailKind.DISH_CHANGED])
def test_the_button_of_a_change_opens_the_order_and_only_the_link_below_cancels(
    email: Any, order: Any, kind: str
) -> None:
    message = rendering.render_order_email(email(kind))
    [button] = re.findall(r'<a\s+class="action" href="([^"]+)"', html_of(message))
    assert html.unescape(button) == guest_url(order)
    assert f"Cancel your order:\n{guest_url(order, then='?open=cancel#cancel')}" in message.body


def test_a_long_name_is_cut_in_the_subject_alone(email: Any, order: Any) -> None:
    name = "Cappellacci di zucca al burro fuso con amaretti, mostarda e salvia"
    type(order.sold).objects.filter(pk=order.sold.pk).update(name=name)
    order.refresh_from_db()
    message = rendering.render_order_email(email(EmailKind.RECEIVED))
    assert message.subject == (
        "You're in for Cappellacci di zucca al burro fuso con amaretti… on Wed, Mar 24"
    )
    assert f"\n{name}, 2 portions, $51.84 with tax\n" in message.body


def test_an_order_that_ended_has_its_day_and_time_struck_through_and_nothing_to_do(
    email: Any, order: Any
) -> None:
    type(order).objects.update(status="cancelled", payment_status="released")
    order_email = email(EmailKind.RELEASED)
    order_email.pre_order.refresh_from_db()
    message = rendering.render_order_email(order_email)
    shown = html_of(message)
    struck = re.findall(r'line-through">(?:<span\s[^>]*>)?([^<]+)<', shown)
    assert struck == ["Wed, Mar 24", "Dine in or pickup", "2 portions"]
    assert 'class="photo"' not in shown
    assert "Add to calendar" not in shown
    assert "The hold can stay visible in your banking app for a few days." in message.body
    row = "Wed, Mar 24 · Dine in or pickup · Canceled\nOsso buco, 2 portions\n"
    assert message.body.startswith(f"You weren't charged\n{row}")


def test_what_was_charged_has_its_receipt_among_the_buttons(email: Any, order: Any) -> None:
    receipt = f"Receipt (PDF):\n{guest_url(order, then='/receipt.pdf')}\n"
    assert "receipt.pdf" not in rendering.render_order_email(email(EmailKind.RECEIVED)).body
    order.offer.status, order.payment_status = OfferStatus.SUCCEEDED, "captured"
    confirmed = rendering.render_order_email(email(EmailKind.CONFIRMED))
    assert receipt in confirmed.body
    link = html.escape(guest_url(order, then="/receipt.pdf"))
    assert f'<a class="way" href="{link}"' in html_of(confirmed)


def labels_of(message: Any) -> list[str]:
    """The labels of the table under the text."""
    body = message.body.partition("\n-- \n")[0]
    return re.findall(
        r"^(Contains|We'll know by|Orders close|On your statement|Order code):", body, re.MULTILINE
    )


def test_the_table_says_only_what_still_matters(email: Any, order: Any) -> None:
    order.statement_name = "LUIGI'S TRATTORIA"
    order.sold.allergens = ["milk"]
    received = rendering.render_order_email(email(EmailKind.RECEIVED))
    assert labels_of(received) == ["Contains", "Order code", "On your statement"]
    assert received.body.count("Tue, Mar 23, 6:00 PM EDT") == 1  # in the sentence about the card
    # Nothing is cooked or decided anymore, and no sum will stay at the bank.
    order.payment_status = "released"
    released = rendering.render_order_email(email(EmailKind.RELEASED))
    assert labels_of(released) == ["Order code"]
    # Nor while the hold is still being released.
    order.payment_status = "authorized"
    assert labels_of(rendering.render_order_email(email(EmailKind.CANCELLED))) == ["Order code"]
    order.payment_status, order.authorized_at = "unpaid", None
    never_held = rendering.render_order_email(email(EmailKind.DECLINED))
    assert labels_of(never_held) == ["Order code"]
    order.authorized_at = order.created_at
    order.offer.status, order.payment_status = OfferStatus.SUCCEEDED, "captured"
    confirmed = rendering.render_order_email(email(EmailKind.CONFIRMED))
    # The code stands beside the QR code.
    assert labels_of(confirmed) == ["Contains", "On your statement"]
    assert confirmed.body.count(order.code) == 1


@pytest.mark.parametrize(
    "kind", [EmailKind.RECEIVED, EmailKind.CONFIRMED, EmailKind.PICK_UP, EmailKind.CHARGED_EARLY]
)
def test_an_email_about_a_dinner_to_come_repeats_the_guests_note(
    email: Any, order: Any, kind: EmailKind
) -> None:
    row = email(kind)
    assert "Your note" not in rendering.render_order_email(row).body
    order.note = "No celery,\nplease <b>"
    message = rendering.render_order_email(row)
    assert "\nYour note: No celery, please <b>\n" in message.body
    assert ">No celery, please &lt;b&gt;</td>" in html_of(message)


def test_the_email_about_a_change_repeats_the_guests_note(email: Any, order: Any) -> None:
    order.note = "No celery"
    order.transitions.create(
        restaurant_id=order.restaurant_id,
        field="quantity",
        old="1",
        new="2",
        actor="guest",
        at=order.created_at,
    )
    message = rendering.render_order_email(email(EmailKind.RECEIVED, number=2))
    assert message.subject.startswith("Changed: 2 portions of Osso buco")
    assert "\nYour note: No celery\n" in message.body


def test_an_email_about_an_order_that_ended_leaves_the_note_out(email: Any, order: Any) -> None:
    order.note = "No celery"
    assert "Your note" not in rendering.render_order_email(email(EmailKind.CANCELLED)).body


def test_the_deadline_decides_until_the_special_is_on_and_then_closes_its_orders(
    email: Any, order: Any
) -> None:
    joined = email(EmailKind.FRIEND_JOINED)
    body = rendering.render_order_email(joined).body
    assert "Turn off emails like this" in body
    assert "We'll know by: Tue, Mar 23, 6:00 PM EDT" in body
    order.offer.ordered_portions = 12
    body = rendering.render_order_email(joined).body
    assert "Orders close: Tue, Mar 23, 6:00 PM EDT" in body
    assert "We'll know by" not in body


def test_guests_are_addressed_by_their_first_name(email: Any) -> None:
    message = rendering.render_order_email(email(EmailKind.RECEIVED))
    assert message.body.startswith("You're in, Dana\n")


def test_the_guest_whose_order_met_the_minimum_alone_reads_that_they_made_it_happen(
    email: Any, order: Any
) -> None:
    received = email(EmailKind.RECEIVED)
    order.offer.min_preorders = 12
    for ordered, first_line in {
        11: "You're in, Dana",
        12: "You made it happen, Dana!",
        11 + order.quantity: "You made it happen, Dana!",
        12 + order.quantity: "You're in, Dana",  # it was met before
    }.items():
        order.offer.ordered_portions = ordered
        body = rendering.render_order_email(received).body
        assert body.partition("\n")[0] == first_line
    order.offer.ordered_portions, order.offer.goes_ahead = 12, True  # it was on anyway
    assert rendering.render_order_email(received).body.startswith("You're in, Dana\n")


def test_the_confirmation_promises_changes_only_while_orders_are_open(
    email: Any, clock: Clock, order: Any
) -> None:
    received = email(EmailKind.RECEIVED)
    body = rendering.render_order_email(received).body
    assert "You can change or cancel for free until then." in body
    assert "Your bank is holding $51.84 on your card." in body
    clock.set(order.offer.deadline)
    body = rendering.render_order_email(received).body
    assert "Your bank is holding $51.84 on your card." in body
    assert "cancel for free" not in body


def test_an_email_says_whom_the_dish_suits_and_that_no_allergens_are_listed(
    email: Any, order: Any
) -> None:
    received = email(EmailKind.RECEIVED)
    order.sold.dietary, order.sold.allergens = ["gluten_free", "vegetarian"], ["celery"]
    body = rendering.render_order_email(received).body
    assert "Dietary: Vegetarian and gluten-free\nContains: Celery\n" in body
    order.sold.dietary, order.sold.allergens = [], []
    body = rendering.render_order_email(received).body
    assert "Allergens: not listed\n" in body
    assert "Dietary" not in body


def test_the_confirmation_invites_a_friend_while_portions_are_missing(
    email: Any, order: Any
) -> None:
    received = email(EmailKind.RECEIVED)
    message = rendering.render_order_email(received)
    shown = html_of(message)
    link = referral_url(order)
    assert f"4 more and it's on. Send it to a friend:\n{link}\n" in message.body
    assert (
        shown.index('class="seat-on"') < shown.index("Send it to a friend") < shown.index("wa.me")
    )
    assert quote_plus(link) in shown
    assert f'href="{html.escape(guest_url(order, then="#bring-friends"))}"' in shown
    order.offer.ordered_portions = 12
    assert "Send it to a friend" not in rendering.render_order_email(received).body


def test_a_guest_with_a_title_is_addressed_by_the_whole_name(email: Any, order: Any) -> None:
    order.customer_name = "Dr. Weiss"
    message = rendering.render_order_email(email(EmailKind.RECEIVED))
    assert message.body.startswith("You're in, Dr. Weiss\n")


def test_a_dish_with_a_second_language_has_one_name_in_the_whole_email(
    email: Any, order: Any
) -> None:
    order.language = "es"
    order.sold.translations = {"es": {"name": "Osobuco"}}
    message = rendering.render_order_email(email(EmailKind.RECEIVED))
    assert message.subject == "Reservaste Osobuco para el mié 24 mar"
    assert message.body.startswith(
        "¡Listo, Dana!\nMié 24 mar · Comer aquí o para llevar\nOsobuco, "
    )
    assert "porque pediste Osobuco en Luigi's" in message.body
    assert "Osso buco" not in message.body + html_of(message)


def test_the_code_is_as_large_as_a_phone_allows_on_the_day(email: Any) -> None:
    def fits(kind: EmailKind) -> bool:
        """Whether the picture fits beside its words; otherwise it is above them on a phone."""
        return 'code-large"' not in html_of(rendering.render_order_email(email(kind)))

    assert fits(EmailKind.CONFIRMED)
    assert not fits(EmailKind.PICK_UP)


def test_the_confirmed_email_shows_the_code_as_an_inline_picture(email: Any, order: Any) -> None:
    message = rendering.render_order_email(email(EmailKind.CONFIRMED))
    pictures = [part for part in message.attachments if part.get_content_type() == "image/png"]
    assert len(pictures) == 1
    assert pictures[0]["Content-Disposition"].startswith("inline")
    name = pictures[0]["Content-ID"].strip("<>")
    assert f'src="cid:{name}"' in html_of(message)


@pytest.mark.parametrize(
    ("ordered", "sentence"),
    [
        (12, "12 portions were ordered, so Luigi's will cook them."),
        (1, "Luigi's will cook it."),  # the restaurant cooks although the minimum isn't met
    ],
)
def test_the_confirmed_email_shows_how_many_ordered_before_what_was_charged(
    email: Any, order: Any, ordered: int, sentence: str
) -> None:
    order.offer.ordered_portions, order.offer.min_preorders = ordered, 12
    order.offer.status = OfferStatus.SUCCEEDED
    order.offer.save()
    message = rendering.render_order_email(email(EmailKind.CONFIRMED))
    page = html.unescape(html_of(message))
    parts = [page.rindex(sentence), page.rindex("We charged your card"), page.index("cid:")]
    assert parts == sorted(parts)
    assert page.count('class="seat-on"') == ordered
    assert page.index('class="seat-on"') < parts[0]
    assert message.body.count(sentence) == 1
    assert message.body.index(sentence) < message.body.index("We charged your card")


def test_an_email_about_a_payment_leads_to_it(email: Any) -> None:
    message = rendering.render_order_email(
        email(EmailKind.PAYMENT_NEEDED, action_url="https://pay.test/x")
    )
    assert 'href="https://pay.test/x"' in html_of(message)
    assert "Pay $51.84:\nhttps://pay.test/x" in message.body


def test_the_same_email_is_the_same_message(email: Any) -> None:
    order_email = email(EmailKind.RECEIVED)
    first, again = (
        rendering.render_order_email(order_email),
        rendering.render_order_email(order_email),
    )
    assert first.extra_headers["Message-ID"] == again.extra_headers["Message-ID"]
    assert str(order_email.pk) in first.extra_headers["Message-ID"]


def test_sent_twice_it_lies_in_the_demos_email_box_once(
    email: Any, settings: Any, tmp_path: Path
) -> None:
    settings.EMAIL_FOLDER = tmp_path
    message = rendering.render_order_email(email(EmailKind.RECEIVED))
    message.connection = get_connection(f"{FolderBackend.__module__}.{FolderBackend.__qualname__}")
    message.send()
    message.send()
    (stored,) = tmp_path.glob("*.eml")
    parsed = BytesParser(policy=policy.default).parsebytes(stored.read_bytes())
    assert parsed["From"] == "Luigi's via Fully Booked <hello@localhost>"
    assert parsed["Reply-To"] == "luigis@example.test"
    assert parsed["Auto-Submitted"] == "auto-generated"


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (OfferStatus.FAILED, "0 of the 3 portions it needed were ordered, so it"),
        (OfferStatus.SUCCEEDED, "after the orders had been counted"),
        (OfferStatus.ACTIVE, "You can order again until"),
        (OfferStatus.DELETED, "Luigi's withdrew it"),
    ],
)
def test_a_release_says_why(cast: Cast, platform: None, status: str, words: str) -> None:
    offer = SpecialOfferFactory(
        restaurant=cast.restaurant,
        name="Osso buco",
        status=status,
        deadline=NOON + timedelta(hours=1),
    )
    email = EmailFactory(
        restaurant=cast.restaurant,
        pre_order=PreOrderFactory(offer=offer),
        kind=EmailKind.RELEASED,
    )
    message = rendering.render_order_email(email)
    assert words in message.body
    assert message.subject == "You weren't charged for Osso buco"


def test_names_are_data_in_both_parts(cast: Cast, platform: None) -> None:
    offer = SpecialOfferFactory(
        restaurant=cast.restaurant, name='<b>Fish</b> & "chips"\r\nBcc: x@y.test'
    )
    order = PreOrderFactory(offer=offer, customer_name="Zoë\r\nBcc: evil@y.test")
    email = EmailFactory(restaurant=cast.restaurant, pre_order=order, kind=EmailKind.RECEIVED)
    message = rendering.render_order_email(email)
    raw = message.message()
    assert raw["Bcc"] is None
    assert '<b>Fish</b> & "chips"' in message.body
    assert "<b>Fish</b>" not in html_of(message)
    assert "&lt;b&gt;Fish&lt;/b&gt; &amp;" in html_of(message)


@pytest.mark.parametrize(
    ("minimum", "rows"),
    [(1, [1]), (12, [12]), (13, [7, 6]), (20, [10, 10]), (24, [12, 12]), (25, [])],
)
def test_the_rows_of_seats_are_of_even_length(minimum: int, rows: list[int]) -> None:
    drawn = seats_layout(SpecialOffer(ordered_portions=1, min_preorders=minimum))["seats"]
    assert [len(row) for row in drawn["rows"]] == rows


def test_the_seats_are_drawn_as_cells(email: Any, order: Any) -> None:
    received = email(EmailKind.RECEIVED)
    page = html_of(rendering.render_order_email(received))
    assert page.count('<div class="seat-on"') == 8
    assert page.count('<div class="seat"') == 4
    assert "4 more and it&#x27;s on. Send it to a friend:" in page
    order.offer.ordered_portions = 17
    page = html_of(rendering.render_order_email(received))
    assert page.count('<div class="seat-on"') == 17
    assert "It&#x27;s on: 17 portions ordered" in page


def test_an_email_loads_nothing_from_the_network(email: Any) -> None:
    page = html_of(rendering.render_order_email(email(EmailKind.RECEIVED)))
    assert not re.search(r"<(img|link|script|iframe)\b|url\(", page)


def parts_of(message: Any) -> dict[str, Any]:
    return {part.get_content_type(): part for part in message.attachments}


@pytest.mark.parametrize(
    ("kind", "status", "payment", "method"),
    [
        (EmailKind.RECEIVED, "pending", "authorized", "PUBLISH"),
        (EmailKind.CONFIRMED, "confirmed", "captured", "PUBLISH"),
        (EmailKind.PICK_UP, "confirmed", "captured", "PUBLISH"),
        (EmailKind.RELEASED, "cancelled", "released", "CANCEL"),
        (EmailKind.PAYMENT_LAPSED, "cancelled", "released", "CANCEL"),
        (EmailKind.CANCELLED, "cancelled", "authorized", "CANCEL"),
    ],
)
def test_the_calendar_hears_of_it(
    email: Any, order: Any, kind: str, status: str, payment: str, method: str
) -> None:
    type(order).objects.update(status=status, payment_status=payment)
    order_email = email(kind)
    order_email.pre_order.refresh_from_db()
    part = parts_of(rendering.render_order_email(order_email))["text/calendar"]
    assert part.get_param("method") == method
    assert f"{order.pk}@localhost".encode() in part.get_payload(decode=True)


@pytest.mark.parametrize(
    "kind", [kind for kind in ABOUT_AN_ORDER if kind not in rendering.WITH_CALENDAR]
)
def test_other_emails_have_no_calendar_entry(email: Any, kind: str) -> None:
    assert "text/calendar" not in parts_of(rendering.render_order_email(email(kind)))


def test_an_order_that_was_never_held_has_nothing_to_take_out_of_it(email: Any, order: Any) -> None:
    type(order).objects.update(authorized_at=None, status="cancelled", payment_status="unpaid")
    order_email = email(EmailKind.CANCELLED)
    order_email.pre_order.refresh_from_db()
    assert rendering.render_order_email(order_email).attachments == []


@pytest.mark.parametrize("kind", ABOUT_AN_ORDER)
def test_what_can_be_turned_off_says_how_and_nothing_else_does(email: Any, kind: str) -> None:
    message = rendering.render_order_email(email(kind))
    reminders = ("unfinished", "pick_up", "how_was_it", "friend_joined", "friend_left")
    topic = (dict.fromkeys(reminders, "reminders") | {"rejoin": "news"}).get(kind)
    if topic is None:
        assert "List-Unsubscribe" not in message.extra_headers
        assert not Subscriber.objects.exists()
        return
    url = (
        f"http://luigis.localhost:8000/email-preferences/{Subscriber.objects.get().pk}?stop={topic}"
    )
    assert message.extra_headers["List-Unsubscribe"] == f"<{url}>"
    assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert f": {url}" in message.body
    assert f'href="{url}"' in html_of(message)


def test_the_code_for_the_sign_in_comes_along(email: Any, order: Any) -> None:
    message = rendering.render_order_email(email(EmailKind.PICK_UP))
    picture = parts_of(message)["image/png"]
    assert f'src="cid:{picture["Content-ID"].strip("<>")}"' in html_of(message)
    assert picture.get_payload(decode=True).startswith(b"\x89PNG")
    assert f"When you arrive, show this or say the code: {order.code}\n" in message.body
    assert message.subject == "Tomorrow: Osso buco at Luigi's"


def test_an_email_on_the_serve_date_says_today(email: Any, clock: Clock) -> None:
    clock.advance(days=2)
    message = rendering.render_order_email(email(EmailKind.PICK_UP))
    assert message.subject == "Today: Osso buco at Luigi's"
    assert "See you today" in message.body


def test_a_dish_that_is_back_is_told_with_its_new_day_price_and_seats(
    email: Any, cast: Cast
) -> None:
    again = SpecialOfferFactory(
        restaurant=cast.restaurant,
        name="Osso buco",
        special_price="25.00",
        ordered_portions=1,
        deadline=NOON + timedelta(days=4),
    )
    message = rendering.render_order_email(email(EmailKind.REJOIN, offer=again))
    assert message.subject == "Osso buco is back: Sat, Mar 27"
    assert headline_of(message) == "Sat, Mar 27 Osso buco"
    assert "2 portions, $54.00 with tax" in message.body
    assert "for Wed, Mar 24, Dana. Luigi's is offering it again, and you can" in message.body
    assert "if 3 portions are ordered. If not, you pay nothing." in message.body
    assert "1 of 3 portions ordered so far" in message.body
    assert f"/specials/{again.pk}?again=" in message.body


@pytest.fixture
def failed(email: Any, special: Any) -> Any:
    """The email about an order of a special that failed."""
    special.status = OfferStatus.FAILED
    special.save()
    order_email = email(EmailKind.RELEASED)
    order_email.pre_order.offer.status = OfferStatus.FAILED
    return order_email


def test_the_email_of_a_failed_special_leads_a_follower_to_the_others(failed: Any) -> None:
    order = failed.pre_order
    set_email_preference(
        restaurant_id=order.restaurant_id, address=order.customer_email, news=True, now=NOON
    )
    message = rendering.render_order_email(failed)
    assert "Tell me when it's back" not in message.body
    assert message.body.count("See other specials:\nhttp://luigis.localhost:8000/specials\n") == 1
    assert f"See your order:\n{guest_url(order)}" in message.body


def test_the_email_of_a_failed_special_leads_to_hearing_when_it_is_back(failed: Any) -> None:
    message = rendering.render_order_email(failed)
    news = guest_url(failed.pre_order, then="#follow")
    assert f"Tell me when it's back:\n{news}" in message.body
    assert f"See your order:\n{guest_url(failed.pre_order)}" in message.body
    assert "See other specials:\nhttp://luigis.localhost:8000/specials\n" in message.body
    assert "8 of the 12 portions it needed were ordered, so it won't be cooked." in message.body
    shown = html_of(message)
    assert shown.count('<div class="seat-on"') == 8
    assert shown.count('<div class="seat"') == 4
    assert shown.index("<h1") < shown.index('class="seat-on"') < shown.rindex("We released")
    stripe = shown.partition('<div class="stripe"')[2].partition(">")[0]
    assert stripe.endswith('background:#655c54"')  # not the buttons' color


@pytest.mark.parametrize("kind", [EmailKind.RELEASED, EmailKind.CANCELLED])
def test_an_order_that_ended_before_its_special_leads_to_ordering_it_again(
    email: Any, special: Any, kind: EmailKind
) -> None:
    released = email(kind)
    message = rendering.render_order_email(released)
    assert f"Order it again:\nhttp://luigis.localhost:8000/specials/{special.pk}?again=" in (
        message.body
    )
    assert "Tell me when it's back" not in message.body
    special.max_preorders = special.reserved_portions = 12
    released.pre_order.offer = special
    message = rendering.render_order_email(released)
    waitlist = f"http://luigis.localhost:8000/specials/{special.pk}#waiting-list"
    assert f"Join the waitlist:\n{waitlist}\n" in message.body
    assert "Order it again" not in message.body


ENDED = [EmailKind.RELEASED, EmailKind.PAYMENT_LAPSED, EmailKind.CANCELLED]


@pytest.mark.parametrize("kind", ENDED)
def test_an_email_about_an_order_that_ended_shows_what_can_be_ordered_now(
    email: Any, cast: Cast, kind: str
) -> None:
    later = [
        SpecialOfferFactory(
            restaurant=cast.restaurant,
            name=name,
            min_preorders=5,
            deadline=NOON + timedelta(hours=hours),
        )
        for hours, name in enumerate(("Arancini", "Bucatini", "Cannoli"), start=20)
    ]
    message = rendering.render_order_email(email(kind))
    shown = html_of(message)
    listed = message.body.partition("You can order now at Luigi's\n")[2]
    assert "Arancini, $24.00 instead of $30.00\n5 more and it's on.\n" in listed
    assert f"http://luigis.localhost:8000/specials/{later[1].pk}\n" in listed
    assert "Cannoli" not in listed  # two are enough
    assert "Osso buco" not in listed.partition("-- ")[0]
    assert "You can order now at Luigi&#x27;s</h2>" in shown
    assert shown.count("Bucatini</a>") == 1


@pytest.mark.parametrize("kind", ENDED)
def test_an_email_about_an_order_that_ended_shows_no_other_date_of_the_same_dish(
    email: Any, order: Any, cast: Cast, kind: str
) -> None:
    name = order.offer.name
    for again in (name, name.upper()):
        SpecialOfferFactory(
            restaurant=cast.restaurant, name=again, deadline=NOON + timedelta(days=5)
        )
    SpecialOfferFactory(
        restaurant=cast.restaurant, name="Arancini", deadline=NOON + timedelta(days=9)
    )
    body = rendering.render_order_email(email(kind)).body
    listed = body.partition("You can order now at Luigi's\n")[2].partition("-- ")[0]
    assert "Arancini" in listed
    assert name.casefold() not in listed.casefold()


def test_an_email_about_an_order_that_stands_shows_no_other_specials(
    email: Any, cast: Cast
) -> None:
    SpecialOfferFactory(restaurant=cast.restaurant, name="Arancini")
    for kind in (EmailKind.RECEIVED, EmailKind.CONFIRMED, EmailKind.REFUNDED):
        assert "Arancini" not in rendering.render_order_email(email(kind)).body


def test_a_suspended_restaurants_emails_lead_to_the_order_alone(
    email: Any, order: Any, cast: Cast
) -> None:
    SpecialOfferFactory(restaurant=cast.restaurant, name="Arancini")
    order.offer.status = OfferStatus.DELETED
    order.offer.restaurant.status = "suspended"
    message = rendering.render_order_email(email(EmailKind.CANCELLED))
    assert f"See your order:\n{guest_url(order)}\n" in message.body
    for words in ("Arancini", "/specials", "Tell me when it's back"):
        assert words not in message.body


def test_the_specials_that_can_be_ordered_are_read_once_for_many_emails(
    email: Any, special: Any, cast: Cast, django_assert_num_queries: Any
) -> None:
    SpecialOfferFactory(restaurant=cast.restaurant, name="Arancini")
    others = [email(EmailKind.PAYMENT_LAPSED)]
    others += [
        EmailFactory(
            restaurant=cast.restaurant,
            pre_order=PreOrderFactory(offer=special),
            kind=EmailKind.PAYMENT_LAPSED,
        )
        for _ in range(3)
    ]
    specials = NextSpecials()
    for each in others:
        each.pre_order.authorized_at = None  # without a calendar entry nothing else is read
    assert "Arancini" in rendering.render_order_email(others[0], specials).body
    with django_assert_num_queries(3):  # what the bank held, of each order
        bodies = [rendering.render_order_email(each, specials).body for each in others[1:]]
    assert all("Arancini" in body for body in bodies)


def test_what_the_restaurant_wrote_is_a_quote_in_both_parts(email: Any, order: Any) -> None:
    words = "We have a table for you.\n\nCome at 7 <sharp>!"
    message = GuestMessage.objects.create(
        restaurant=order.restaurant, offer=order.offer, text=words, by="", at=NOON
    )
    sent = rendering.render_order_email(email(EmailKind.GUEST_MESSAGE, message=message))
    assert "\n> We have a table for you.\n\n> Come at 7 <sharp>!\n" in sent.body
    quotes = re.findall(r'<p class="quote"[^>]*>([^<]*)</p>', html_of(sent))
    assert quotes == ["We have a table for you.", "Come at 7 &lt;sharp&gt;!"]


def test_a_message_before_the_meal_has_the_day_and_one_after_it_only_the_order(
    email: Any, order: Any, clock: Clock
) -> None:
    before = html_of(rendering.render_order_email(email(EmailKind.GUEST_MESSAGE)))
    assert ">1 Mulberry Street, New York, NY 10013</a>" in before
    assert "Add to calendar" in before
    clock.advance(days=3)
    after = html_of(rendering.render_order_email(email(EmailKind.GUEST_MESSAGE, number=2)))
    assert ">1 Mulberry Street, New York, NY 10013</a>" not in after
    assert "Add to calendar" not in after
    assert "2 portions, $51.84 with tax" in after


def test_a_dispute_that_ended_well_leads_with_the_day(email: Any, order: Any) -> None:
    type(order).objects.update(status="confirmed", payment_status="captured")
    settled = email(EmailKind.DISPUTE_SETTLED)
    settled.pre_order.refresh_from_db()
    message = rendering.render_order_email(settled)
    assert message.body.startswith("It's on again\nWed, Mar 24 · ")
    assert "Your order is on as planned, Dana." in message.body
    for mode in ("pick up", "pickup on", "table"):
        assert mode not in message.body


@pytest.mark.parametrize(
    ("actor", "words", "absent"),
    [
        ("guest", "We canceled it as you asked, Dana.", "Questions?"),
        ("Maria", "Questions? Reply to this email; it goes to Luigi's.", "As you asked"),
    ],
)
def test_a_canceled_order_says_who_canceled_it(
    email: Any, order: Any, actor: str, words: str, absent: str
) -> None:
    type(order).objects.update(status="cancelled")
    order.transitions.create(
        restaurant=order.restaurant,
        field="status",
        old="pending",
        new="cancelled",
        at=NOON,
        actor=actor,
        reason="An internal remark",
    )
    canceled = email(EmailKind.CANCELLED)
    canceled.pre_order.refresh_from_db()
    body = rendering.render_order_email(canceled).body
    assert words in body
    assert absent not in body
    assert "An internal remark" not in body


def test_where_something_went_wrong_the_money_comes_first(email: Any) -> None:
    for kind in (
        *ENDED,
        EmailKind.PAYMENT_NEEDED,
        EmailKind.DECLINED,
        EmailKind.REFUNDED,
        EmailKind.REFUND_RETURNED,
        EmailKind.PAYMENT_DISPUTED,
    ):
        page = html_of(rendering.render_order_email(email(kind)))
        first = page[page.index("</h1>") :].split('style="margin:0 0 14px;font-size:16px')[1]
        assert re.search(r"charge|refund|paid|bank", first), kind
        assert 'class="photo"' not in page, kind


def test_a_hold_to_renew_says_until_when_the_bank_keeps_it(email: Any, order: Any) -> None:
    order.capture_before = NOON + timedelta(hours=20)
    body = rendering.render_order_email(email(EmailKind.RENEW_AUTHORIZATION)).body
    assert "the hold of $51.84 on your card only until Tue, Mar 23, 8:00 AM EDT." in body
    order.capture_before = None  # Stripe may name no moment
    body = rendering.render_order_email(email(EmailKind.RENEW_AUTHORIZATION, number=2)).body
    assert "Your bank ends the hold of $51.84 on your card before we count the orders." in body


def test_what_follows_the_button_is_small_print_in_both_parts(email: Any) -> None:
    renewal = email(EmailKind.RENEW_AUTHORIZATION, action_url="https://pay.test")
    message = rendering.render_order_email(renewal)
    note = "Your card needs room for both holds for a moment."
    assert "---" not in message.body
    for part in (message.body, html_of(message)):
        assert part.index("Renew hold") < part.index(note)
    assert 'class="muted"' in html_of(message).split(note)[0][-200:]


def test_an_inbox_shows_a_quote_without_its_mark(email: Any, order: Any) -> None:
    message = GuestMessage.objects.create(
        restaurant=order.restaurant, offer=order.offer, text="Come at 7", by="", at=NOON
    )
    page = html_of(rendering.render_order_email(email(EmailKind.GUEST_MESSAGE, message=message)))
    preview = page[page.index("display:none") :].split("</div>")[0]
    assert ">\nCome at 7 " in preview


def test_how_it_was_is_answered_with_one_of_two_buttons(email: Any) -> None:
    page = html_of(rendering.render_order_email(email(EmailKind.HOW_WAS_IT)))
    buttons = re.findall(r'<a\s+class="(action|way)"[^>]*%3Fagain%3D(yes|no)%23how', page)
    assert buttons == [("action", "yes"), ("way", "no")]


def test_a_disputed_payment_is_talked_about_by_phone(email: Any, order: Any) -> None:
    message = rendering.render_order_email(email(EmailKind.PAYMENT_DISPUTED))
    assert "\nCall Luigi's:\ntel:+12125550100\n" in message.body
    assert message.body.index("Call Luigi's:") < message.body.index("See your order:")
    order.offer.restaurant.phone = ""
    message = rendering.render_order_email(email(EmailKind.PAYMENT_DISPUTED, number=2))
    assert f"\nSee your order:\n{guest_url(order)}\n" in message.body
    assert "Call" not in message.body


@pytest.mark.parametrize("kind", ABOUT_AN_ORDER)
def test_gmail_shows_an_email_whole(email: Any, kind: str) -> None:
    # https://help.metorik.com/article/287-gmail-html-clipping-on-long-emails: 102 KB of HTML.
    assert len(html_of(rendering.render_order_email(email(kind))).encode()) < 50_000
