"""The waitlist of a full special (decision 29): portions that come free are reserved for the next
guest alone, and never more than there are."""

import html
import re
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core import mail

from apps.billing import stripe_gateway
from apps.billing.gateway import Unreachable
from apps.common import formats, rls
from apps.common.errors import Conflict, Invalid, Unavailable
from apps.offers.models import SpecialOffer
from apps.offers.presentation import Special
from apps.preorders.cart.confirmation import abandon_cart
from apps.preorders.cart.services import resume_cart
from apps.preorders.checkout.services import GuestDetails
from apps.preorders.core.links import waitlist_entry_path
from apps.preorders.core.portions import reserved_portions
from apps.preorders.emails.waitlist import render_waitlist_email
from apps.preorders.guest.canceling import cancel_own_order
from apps.preorders.models import Email, PreOrder, WaitlistEntry
from apps.preorders.settlement.checkout_expiry import end_abandoned_checkouts
from apps.preorders.settlement.offer_cancellation import cancel_offer
from apps.preorders.waitlist import services as waitlist_services
from apps.restaurants.models import Restaurant
from tests.faults.ledger import assert_ledger_balances
from tests.pages import text_of

OURS = {"Sec-Fetch-Site": "same-origin"}
JUST_JOINED = "?done=emailed"


@pytest.fixture
def offer(world):
    return world.offer(min_preorders=1, max_preorders=4, name="Osso Buco")


@pytest.fixture
def full(world, offer):
    """Two orders that fill it."""
    return world.authorized_order(offer, 2), world.authorized_order(offer, 2)


def join(world, offer, portions=1, name="Wanda") -> WaitlistEntry:
    world.later(seconds=1)
    who = GuestDetails(name, f"{name}@Example.test", "")
    return waitlist_services.join_waitlist(
        offer_id=offer.pk, guest=who, portions=portions, now=world.now
    )


def send(guest: Any, path: str, typed: dict[str, str], headers: Any = None) -> Any:
    form = "application/x-www-form-urlencoded"
    return guest.post(path, urlencode(typed), form, headers=headers or {})


def change(world, entry, portions) -> WaitlistEntry:
    return waitlist_services.change_waitlist_portions(
        entry_id=entry.pk, portions=portions, now=world.now
    )


def order_reserved(world, entry, quantity=1) -> PreOrder:
    wanted = waitlist_services.WaitlistOrder(
        quantity, GuestDetails("Wanda", "wanda@example.test", "1"), None
    )
    return waitlist_services.order_from_waitlist(
        entry_id=entry.pk, order_request=wanted, now=world.now
    )


def states(*places: WaitlistEntry) -> list[str]:
    found = {each.pk: each.state for each in WaitlistEntry.objects.all()}
    return [found[entry.pk] for entry in places]


def test_the_last_portion_freed_by_a_cancel_is_the_waiting_guests_and_no_passer_bys(
    world, offer, full
):
    entry = join(world, offer, 2)
    world.cancel(full[0])
    reserved = world.fresh(entry)
    assert (reserved.state, reserved.reserved_until) == ("invited", world.now + timedelta(hours=2))
    shown = world.fresh(offer)
    assert (shown.ordered_portions, shown.reserved_portions) == (2, 4)
    with pytest.raises(Conflict, match="Sold out"):
        world.begin(offer, 1)
    order = order_reserved(world, entry, 2)
    world.pay(order)
    world.hear(order)
    assert world.fresh(order).payment_status == "authorized"
    assert world.fresh(entry).state == "taken"
    assert world.fresh(offer).ordered_portions == 4
    world.work()
    world.settle(offer)
    assert_ledger_balances(world, offer)


def test_whoever_comes_first_and_fits_is_asked(world, offer, full):
    big, small = join(world, offer, 4, "Big"), join(world, offer, 1, "Small")
    last = join(world, offer, 1, "Last")
    world.cancel(full[0])  # two come free: too few for the first
    assert states(big, small, last) == ["waiting", "invited", "invited"]
    assert reserved_portions(world.fresh(offer)) == 4
    world.cancel(full[1])
    assert states(big) == ["waiting"]
    for entry in (small, last):
        waitlist_services.leave_waitlist(entry_id=entry.pk, now=world.now)
    assert states(big, small, last) == ["invited", "left", "left"]


def test_what_fits_nobody_in_line_is_anybodys(world, offer, full):
    entry = join(world, offer, 3)
    world.cancel(full[0])
    assert states(entry) == ["waiting"]
    assert world.authorized_order(offer, 2).payment_status == "authorized"
    assert world.fresh(offer).reserved_portions == 4


def test_an_abandoned_checkout_frees_its_portions_for_the_line(world, offer):
    world.authorized_order(offer, 3)
    open_order = world.begin(offer, 1)
    entry = join(world, offer)
    world.later(minutes=32)
    end_abandoned_checkouts(now=world.now)
    assert world.fresh(open_order).status == "cancelled"
    assert states(entry) == ["invited"]


def test_portions_not_ordered_in_time_go_to_the_next(world, offer, full):
    first = join(world, offer, 2, "First")
    second = join(world, offer, 2, "Second")
    world.cancel(full[0])
    world.later(hours=2)
    with pytest.raises(Conflict, match="Your reserved portions have expired"):
        order_reserved(world, first, 2)
    waitlist_services.promote_waitlists(now=world.now)
    assert states(first, second) == ["lapsed", "invited"]
    assert world.fresh(offer).reserved_portions == 4


def test_a_freed_portion_is_reserved_for_less_time_near_the_deadline(world, offer, full):
    entry = join(world, offer, 2)
    world.at(offer.deadline - timedelta(hours=1))
    world.cancel(full[0])
    assert world.fresh(entry).reserved_until == world.now + timedelta(minutes=30)
    world.at(offer.deadline - timedelta(minutes=5))
    late = world.fresh(entry)
    waitlist_services.promote_waitlists(now=world.now)
    assert states(late) == ["lapsed"]
    again = join_after_full(world, offer)
    assert again.reserved_until is None


def join_after_full(world, offer) -> WaitlistEntry:
    world.authorized_order(offer, 2)
    return join(world, offer, 1, "Late")


def test_the_list_ends_at_the_deadline(world, offer, full):
    entry, invited = join(world, offer, 3, "Big"), join(world, offer, 2, "Reserved")
    world.cancel(full[0])
    world.settle(offer)
    waitlist_services.promote_waitlists(now=world.now)
    assert states(entry, invited) == ["ended", "ended"]
    with pytest.raises(Conflict):
        order_reserved(world, invited)
    assert world.fresh(offer).status == "succeeded"


def test_a_higher_maximum_and_a_missing_one_serve_the_line(world, offer, full):
    first, second = join(world, offer, 2, "First"), join(world, offer, 2, "Second")
    SpecialOffer.objects.filter(pk=offer.pk).update(max_preorders=6)
    waitlist_services.promote_waitlists(now=world.now)
    assert states(first, second) == ["invited", "waiting"]
    SpecialOffer.objects.filter(pk=offer.pk).update(max_preorders=None)
    waitlist_services.promote_waitlists(now=world.now)
    assert states(first, second) == ["invited", "invited"]


def test_a_smaller_order_frees_the_rest(world, offer, full):
    first, second = join(world, offer, 2, "First"), join(world, offer, 1, "Second")
    world.cancel(full[0])
    order_reserved(world, first, 1)
    assert states(first, second) == ["taken", "invited"]
    assert world.fresh(offer).reserved_portions == 4
    with pytest.raises(Invalid, match="1 portion is reserved for you"):
        order_reserved(world, second, 2)


def test_a_guest_who_waits_for_more_or_fewer_portions_keeps_their_place(world, offer, full):
    first, second = join(world, offer, 2, "First"), join(world, offer, 2, "Second")
    world.later(minutes=5)
    assert change(world, first, 3).state == "waiting"
    assert world.fresh(first).joined_at < second.joined_at
    world.cancel(full[0])  # two come free: too few for the first now
    assert states(first, second) == ["waiting", "invited"]
    waitlist_services.leave_waitlist(entry_id=second.pk, now=world.now)
    invited = change(world, first, 2)
    assert (invited.state, invited.reserved_until) == ("invited", world.now + timedelta(hours=2))
    assert world.fresh(offer).reserved_portions == 4
    world.work()
    assert [each.to for each in mail.outbox if "Your turn" in each.subject][-1:] == [
        ["First <first@example.test>"]
    ]


def test_a_new_number_of_portions_is_emailed_once_unless_it_is_the_guests_turn(world, offer, full):
    entry = join(world, offer, 3)
    change(world, entry, 4)  # the first email, still to be sent, says this
    world.work()
    for _ in range(2):
        change(world, entry, 3)
        world.work()
    first, second = mail.outbox[-2:]
    assert first.subject == "You're on the waitlist for Osso Buco"
    assert "Osso Buco, 4 portions, " in first.body
    assert second.subject == "You're waiting for 3 portions of Osso Buco"
    assert second.body.startswith("You're next on the waitlist\n")
    assert "Osso Buco, 3 portions, " in second.body
    assert "Hi Wanda, you're waiting for 3 portions now. You keep your place." in second.body
    assert first.extra_headers["Message-ID"] != second.extra_headers["Message-ID"]
    mail.outbox.clear()
    world.cancel(full[0])
    assert change(world, entry, 1).state == "invited"
    world.work()
    subjects = [each.subject for each in mail.outbox if each.to == second.to]
    assert [each[:9] for each in subjects] == ["Your turn"]


def test_only_a_number_that_is_possible_and_new_changes_what_a_guest_waits_for(world, offer, full):
    entry = join(world, offer, 2)
    with pytest.raises(Invalid, match="There are only 4 portions in all"):
        change(world, entry, 5)
    before = world.fresh(entry)
    change(world, entry, 2)
    assert world.fresh(entry) == before
    world.cancel(full[0])
    assert change(world, entry, 1).state == "invited"
    late = join(world, offer, 3, "Late")
    world.at(offer.deadline)
    change(world, late, 1)
    assert [world.fresh(each).portions for each in (entry, late)] == [2, 3]


def test_pressed_twice_it_is_one_order(world, offer, full):
    entry = join(world, offer, 1)
    world.cancel(full[0])
    assert order_reserved(world, entry).pk == order_reserved(world, entry).pk
    assert PreOrder.objects.filter(offer=offer).in_checkout().count() == 1


def test_when_the_processor_is_down_the_portions_stay_stored(world, offer, full, monkeypatch):
    entry = join(world, offer, 1)
    world.cancel(full[0])

    def silence(*_: Any, **__: Any) -> None:
        raise Unreachable("no answer")

    monkeypatch.setattr(stripe_gateway, "create_checkout", silence)
    with pytest.raises(Unavailable):
        order_reserved(world, entry)
    assert states(entry) == ["invited"]
    assert world.fresh(offer).reserved_portions == 3


def test_a_guest_cannot_wait_for_an_available_special_or_twice(world, offer):
    world.authorized_order(offer, 2)
    with pytest.raises(Conflict, match="Portions are available"):
        join(world, offer, 2)
    entry = join(world, offer, 3)
    with pytest.raises(Conflict, match="already on the waitlist"):
        join(world, offer, 3, "WANDA")
    assert [each.pk for each in WaitlistEntry.objects.all()] == [entry.pk]
    assert entry.email == "wanda@example.test"
    with pytest.raises(Invalid, match="There are only 4 portions in all"):
        join(world, offer, 5, "Greedy")


def test_where_one_order_can_have_fewer_than_there_are_that_is_the_most_to_wait_for(world):
    offer = world.offer(min_preorders=1, max_preorders=4, max_per_order=2)
    world.authorized_order(offer, 2)
    world.authorized_order(offer, 2)
    with pytest.raises(Invalid, match="You can order up to 2 portions at once"):
        join(world, offer, 3)


@pytest.mark.parametrize(
    ("taken", "left"),
    [(4, "it's sold out."), (3, "only 1 portion is left."), (2, "only 2 portions are left.")],
)
def test_the_email_to_a_guest_who_joined_says_what_is_left(world, offer, taken, left):
    world.authorized_order(offer, taken)
    entry = join(world, offer, 3)
    body = render_waitlist_email(Email.objects.get(waitlist_entry=entry)).body
    assert (
        f"Hi Wanda, {left} When enough portions open up, we'll reserve them for you for up to 2 "
        "hours and email you a link to order. If you don't order in that time, day or night, it's "
        "the next person's turn. You don't need a card until it's your turn."
    ) in body


def test_the_email_to_a_guest_who_joined_says_the_place_as_the_page_does(world, offer, full):
    for name in ("Wanda", "Xavi"):
        join(world, offer, 2, name)
        world.later(minutes=1)
    world.work()
    first, second = (each for each in mail.outbox if each.subject.startswith("You're on the"))
    assert first.body.startswith("You're next on the waitlist\n")
    assert second.body.startswith("You're number 2 on the waitlist\n")
    assert "1 guest is ahead of you, with 2 portions. When enough portions" in second.body
    assert "ahead of you" not in first.body
    for email in (first, second):
        assert re.search(r"\nChange or leave:\nhttp\S+#change\n", str(email.body))


def test_who_waits_reads_what_the_dish_contains_on_the_page_and_in_every_email(
    world, offer, full, api
):
    SpecialOffer.objects.filter(pk=offer.pk).update(allergens=["celery", "milk"])
    entry = join(world, offer, 2)
    page = api(at=world.restaurant).get(waitlist_entry_path(entry))
    assert "Contains: celery and milk" in text_of(page)
    world.cancel(full[0])
    world.work()
    emails = [each for each in mail.outbox if each.to == ["Wanda <wanda@example.test>"]]
    assert len(emails) == 2
    for email in emails:
        assert "Contains: Celery and milk" in email.body


def test_the_emails_say_so_and_lead_there(world, offer, full):
    entry = join(world, offer, 2)
    world.work()
    mail.outbox.clear()
    world.cancel(full[0])
    world.work()
    email = next(each for each in mail.outbox if "Your turn" in each.subject)
    assert email.to == ["Wanda <wanda@example.test>"]
    assert waitlist_entry_path(entry) in email.body
    assert "2 portions have opened up" in email.body
    shown = str(email.alternatives[0][0])  # type: ignore[attr-defined]
    headline = shown[shown.index("<h1") : shown.index("</h1>")]
    assert f"{offer.serve_date:%a, %b %-d}" in headline
    assert "Osso Buco" in headline
    assert email.extra_headers["List-Unsubscribe"].endswith("/leave>")
    assert f"{waitlist_entry_path(entry)}#leave" in email.body
    about_it = Email.objects.filter(waitlist_entry=entry)
    kinds = about_it.values_list("kind", flat=True).order_by("kind")
    assert list(kinds) == ["waitlist_invited", "waitlist_joined"]


def test_a_canceled_special_leads_whoever_waited_to_its_return_and_to_the_others(
    world, offer, full, api
):
    entry = join(world, offer, 2)
    world.offer(name="Arancini", min_preorders=5)
    cancel_offer(
        restaurant=world.restaurant, offer_id=offer.pk, reason="Flood", by="", now=world.now
    )
    world.work()
    email = next(each for each in mail.outbox if each.subject == "Canceled: Osso Buco")
    assert "See other specials:\nhttp://luigis.localhost" in email.body
    assert "Arancini, $24.00 instead of $30.00\n5 more and it's on." in email.body
    path = waitlist_entry_path(entry, then="#follow")
    assert f"Tell me when it's back:\nhttp://luigis.localhost:8000{path}\n" in email.body
    page = api(at=world.restaurant).get(waitlist_entry_path(entry))
    assert 'id="follow"' in page.text


def test_a_suspended_restaurant_leads_whoever_waited_nowhere(world, offer, full):
    entry = join(world, offer, 2)
    world.offer(name="Arancini")
    email = Email(restaurant=world.restaurant, waitlist_entry=entry, kind="waitlist_ended")
    email.entry.offer.restaurant.status = "suspended"
    message = render_waitlist_email(email)
    for words in ("/specials", "Arancini", "Tell me when"):
        assert words not in message.body


class TestThePages:
    @pytest.fixture
    def guest(self, api, world):
        return api(at=world.restaurant)

    @pytest.fixture
    def form(self, offer):
        return f"/specials/{offer.pk}/waitlist"

    def test_a_full_special_offers_the_list(self, guest, world, offer, full, form):
        page = guest.get(f"/specials/{offer.pk}")
        assert f'action="{form}#waiting-list"' in page.text
        assert 'id="waiting-customerPhone"' not in page.text
        # The page is the same for everyone; the browser that joined knows it by itself.
        assert f'data-own-special="{offer.pk}" data-waiting role="status" hidden' in page.text
        typed = {"quantity": "2", "customerName": "Wanda", "customerEmail": "wanda@example.test"}
        joined = send(guest, form, typed, headers=OURS)
        assert joined.status_code == 303
        entry = WaitlistEntry.objects.get()
        assert joined.headers["Location"] == f"{waitlist_entry_path(entry)}{JUST_JOINED}"
        page = guest.get(waitlist_entry_path(entry))
        assert "next on the waitlist</h1>" in page.text
        assert "no-store" in page["Cache-Control"] or "no-cache" in page["Cache-Control"]

    def test_only_the_browser_that_joined_reads_the_address_it_typed(
        self, guest, api, world, offer, full, form
    ):
        typed = {"quantity": "2", "customerName": "Wanda", "customerEmail": "wanda@example.test"}
        joined = send(guest, form, typed, headers=OURS)
        [cookie] = joined.cookies.values()
        path = joined.headers["Location"].removesuffix(JUST_JOINED)
        assert (cookie["path"], cookie["httponly"]) == (path, True)
        assert "wanda" not in cookie.value.lower()
        shown = guest.get(f"{path}?done=emailed")
        assert "We've emailed wanda@example.test the link to this page." in text_of(shown)
        assert "Wrong email?" in text_of(shown)
        assert shown.text.count('<div class="notice') == 1
        shown = guest.get(path)
        page = shown.text
        assert '<div class="notice' not in page
        assert "Change email wanda@example.test" in text_of(shown)
        assert world.restaurant.address in text_of(shown)
        assert f'data-own-order="{path}"' in page
        assert 'data-in-short="On the waitlist"' in page
        assert "data-ended" not in page
        stranger = api(at=world.restaurant)
        shown = stranger.get(path)
        assert 'data-own-order="' not in shown.text
        page = text_of(shown)
        assert "You don't need a card until it's your turn." in page
        assert "wanda" not in page.lower()
        assert "Wrong email?" not in page
        stranger.cookies[cookie.key] = guest.cookies[cookie.key].value[:-1]
        assert "wanda" not in text_of(stranger.get(path)).lower()

    def test_who_waits_reads_what_happens_next_before_and_after_joining(
        self, guest, world, offer, full
    ):
        steps = (
            "When enough portions open up, we reserve them for you and email you. If too "
            "few open up for you, a guest behind you can go first. "
            "You have up to 2 hours, day or night, to choose dine in or pickup and order with your "
            "card. After that, it's the next person's turn. If it isn't your turn before orders "
            "close, the waitlist ends and you pay nothing."
        )
        for path in (f"/specials/{offer.pk}", waitlist_entry_path(join(world, offer, 2))):
            assert steps in text_of(guest.get(path))
        one = text_of(guest.get(waitlist_entry_path(join(world, offer, 1, "One"))))
        assert (
            "When a portion opens up, we reserve it for you and email you. If too few open up for "
            "a guest ahead of you, you can go first." in one
        )

    @pytest.mark.parametrize(
        ("mode", "has_times", "says"),
        [
            ("both", True, "to choose your time, dine in or pickup, and order with your card."),
            ("pickup", True, "to choose your time and order with your card."),
            ("both", False, "to choose dine in or pickup and order with your card."),
            ("dine_in", False, "to order with your card."),
        ],
    )
    def test_who_waits_reads_what_they_choose_once_it_is_their_turn(
        self, guest, world, mode, has_times, says
    ):
        special = world.offer(min_preorders=1, max_preorders=2, service_mode=mode)
        world.authorized_order(special, 2)
        entry = join(world, special)
        if has_times:
            starts = special.deadline + timedelta(hours=30)
            special.slots.create(
                restaurant=world.restaurant, starts_at=starts, ends_at=starts + timedelta(hours=1)
            )
        for path in (f"/specials/{special.pk}", waitlist_entry_path(entry)):
            assert f"You have up to 2 hours, day or night, {says}" in text_of(guest.get(path))

    def test_a_guest_reads_how_many_portions_are_waited_for_ahead_of_theirs(
        self, guest, world, offer, full
    ):
        assert "You'd be first in line." in text_of(guest.get(f"/specials/{offer.pk}"))
        first = join(world, offer, 3)
        world.later(minutes=1)
        page = text_of(guest.get(f"/specials/{offer.pk}?one=1"))
        assert "1 guest is ahead of you, with 3 portions." in page
        last = join(world, offer, 1, "Last")
        another = join(world, offer, 2, "Another")
        # A page is cached for some seconds, by its address.
        page = text_of(guest.get(f"/specials/{offer.pk}?later=1"))
        assert "3 guests are ahead of you, with 6 portions." in page
        page = text_of(guest.get(waitlist_entry_path(last)))
        assert "1 guest is ahead of you, with 3 portions. You don't need a card" in page
        page = text_of(guest.get(waitlist_entry_path(another)))
        assert "2 guests are ahead of you, with 4 portions." in page
        assert "ahead of you" not in text_of(guest.get(waitlist_entry_path(first)))

    def test_near_the_deadline_there_is_less_time_to_order(self, guest, world, offer, full):
        world.at(offer.deadline - timedelta(minutes=90))
        page = text_of(guest.get(f"/specials/{offer.pk}"))
        assert "reserve your portions for up to 45 minutes." in page

    def test_where_the_restaurant_wants_a_phone_number_the_form_asks_for_it_and_says_why(
        self, guest, world, offer, full, form
    ):
        why = f"So {world.restaurant.name} can reach you about your order."
        typed = {"quantity": "1", "customerName": "W", "customerEmail": "w@example.test"}
        with rls.acting_as(rls.PLATFORM):
            Restaurant.objects.update(asks_for_phone=True)
        page = send(guest, form, typed, headers=OURS)
        assert why in text_of(page)
        assert "Phone is required" in text_of(page)
        assert WaitlistEntry.objects.count() == 0
        assert send(guest, form, typed | {"customerPhone": "212 555 0199"}, OURS).status_code == 303
        assert WaitlistEntry.objects.get().phone

    def test_errors_are_told_at_their_fields(self, guest, offer, full, form):
        page = send(guest, form, {"quantity": "x", "customerEmail": "no"}, headers=OURS)
        assert page.status_code == 400
        for words in ("as a whole number", "Name is required", "Valid email is required"):
            assert words in page.text
        assert WaitlistEntry.objects.count() == 0

    def test_errors_have_a_heading_that_counts_them(self, guest, offer, full, form):
        page = send(guest, form, {"quantity": "x", "customerEmail": "no"}, headers=OURS)
        assert "<strong>Check 3 fields</strong>" in " ".join(page.text.split())

    def test_a_refusal_of_no_field_says_that_the_guest_is_not_waiting(
        self, guest, offer, full, form
    ):
        typed = {"quantity": "1", "customerName": "W", "customerEmail": "w@example.test"}
        page = send(guest, form, typed, headers=OURS | {"Sec-Fetch-Site": "cross-site"})
        assert "<strong>You're not on the waitlist yet</strong>" in page.text

    def test_a_waiting_guest_reads_the_total_and_when_the_list_closes(
        self, guest, world, offer, full
    ):
        page = guest.get(waitlist_entry_path(join(world, offer, 2)))
        assert '<h2 id="special">2 portions, $51.84 with tax</h2>' in page.text
        closes = formats.unbroken_times(Special(offer, world.now).deadline)
        assert f"The waitlist closes {closes}." in page.text
        assert "Order by" not in page.text

    def test_the_bar_of_a_guest_whose_turn_it_is_says_what_is_paid(self, guest, world, offer, full):
        entry = join(world, offer, 2)
        world.cancel(full[0])
        page = guest.get(waitlist_entry_path(entry)).text
        bar = page[page.index('class="sticky-action') :]
        words = re.sub(r"<[^>]+>|\s+", " ", bar[: bar.index("</a>")]).split()
        assert " ".join(words[words.index("Pre-Order") :]).startswith(
            "Pre-Order · $51.84 With tax. "
        )

    def test_a_guest_whose_turn_it_is_reads_one_time_to_order_until(
        self, guest, world, offer, full
    ):
        entry = join(world, offer, 2)
        world.cancel(full[0])
        page = guest.get(waitlist_entry_path(entry)).text
        assert "Reserved for you until" in page
        assert "Order by" not in page
        assert "The waitlist closes" not in page

    def test_another_sites_page_joins_nobody(self, guest, offer, full, form):
        typed = {"quantity": "1", "customerName": "W", "customerEmail": "w@example.test"}
        page = send(guest, form, typed, headers={"Sec-Fetch-Site": "cross-site"})
        assert page.status_code == 403
        assert WaitlistEntry.objects.count() == 0

    def test_what_is_stored_is_ordered_from_the_page(self, guest, world, offer, full):
        entry = join(world, offer, 2)
        world.cancel(full[0])
        page = guest.get(waitlist_entry_path(entry))
        assert "It&#x27;s your turn" in page.text
        assert f'action="{waitlist_entry_path(entry, then="/order")}#pre-order"' in page.text
        assert not any(fact in page.text for fact in (entry.name, entry.email))
        # Another name is ignored: the order belongs to the guest who joined, whose phone number
        # wasn't stored.
        typed = {
            "quantity": "2",
            "customerName": "Mallory",
            "customerEmail": "mallory@example.test",
            "customerPhone": "+1 212 555 0100",
        }
        answer = send(guest, waitlist_entry_path(entry, then="/order"), typed, headers=OURS)
        assert answer.status_code == 303
        order = PreOrder.objects.get(waitlist_entries=entry)
        assert (order.customer_name, order.customer_email) == (entry.name, entry.email)
        assert "Mallory" not in answer.text
        assert answer.headers["Location"] == order.checkout_url
        begun = guest.get(waitlist_entry_path(entry)).text
        assert "Your order hasn&#x27;t been placed yet" in begun
        assert f'href="{html.escape(order.checkout_url)}">Continue to payment</a>' in begun
        assert "You ordered" not in begun
        world.pay(order)
        world.hear_of_intent(order)
        world.work()
        assert "You ordered the portions we reserved for you." in text_of(
            guest.get(waitlist_entry_path(entry))
        )

    def test_with_a_script_the_card_is_given_on_our_own_page_and_going_back_keeps_the_turn(
        self, guest, world, offer, full
    ):
        entry = join(world, offer, 2)
        world.cancel(full[0])
        promised = world.fresh(entry).reserved_until
        typed = {"quantity": "2", "card": "here"}
        answer = send(guest, waitlist_entry_path(entry, then="/order"), typed, headers=OURS)
        order = PreOrder.objects.get(waitlist_entries=entry)
        assert order.cart_id
        page = f"/cart/return?checkout={order.cart_id}"
        assert answer.headers["Location"].endswith(page)
        assert (order.checkout_url, order.reserved_until) == ("", promised)
        begun = guest.get(waitlist_entry_path(entry)).text
        assert f'{page}">Continue to payment</a>' in begun
        again = send(guest, waitlist_entry_path(entry, then="/order"), typed, headers=OURS)
        assert again.headers["Location"].endswith(page)
        started = resume_cart(cart_id=order.cart_id, now=world.now)
        assert (started.expires_at, started.total) == (promised, order.total_amount)
        abandon_cart(cart_id=order.cart_id, now=world.now)
        assert world.fresh(order).status == "cancelled"
        assert (states(entry), world.fresh(entry).reserved_until) == (["invited"], promised)
        assert "It&#x27;s your turn" in guest.get(waitlist_entry_path(entry)).text

    def test_who_leaves_the_payment_keeps_the_portions_until_the_promised_time(
        self, guest, world, offer, full
    ):
        first, second = join(world, offer, 2, "First"), join(world, offer, 2, "Second")
        world.cancel(full[0])
        promised = world.fresh(first).reserved_until
        order = order_reserved(world, first, 2)
        assert order.checkout_expires_at == promised
        world.later(minutes=32)
        end_abandoned_checkouts(now=world.now)
        until = formats.moment(promised, offer.restaurant.zone)
        page = text_of(guest.get(waitlist_entry_path(first)))
        assert f"Your portions are reserved until {until}." in page
        assert states(first, second) == ["taken", "waiting"]
        world.later(hours=1, minutes=30)
        end_abandoned_checkouts(now=world.now)
        assert world.fresh(order).status == "cancelled"
        assert states(first, second) == ["lapsed", "invited"]
        page = text_of(guest.get(waitlist_entry_path(first)))
        assert "Your time to order has passed" in page
        assert "You ordered" not in page

    def test_a_guest_changes_how_many_portions_they_wait_for(self, guest, world, offer, full):
        entry = join(world, offer, 1)
        path = waitlist_entry_path(entry)
        form = waitlist_entry_path(entry, then="/portions")
        says = "You're waiting for 2 portions now. You keep your place."
        page = guest.get(path).text
        assert f'action="{form}#portions"' in page
        assert 'data-unit-cents="2400" data-held-cents="0" data-tax-rate="8' in page
        assert '<input type="hidden" name="shown" value="1">' in page
        assert '<button class="button" data-change-to="Change to">Save changes</button>' in page
        for _ in range(2):
            changed = send(guest, form, {"quantity": "2"}, headers=OURS)
            assert changed.status_code == 303
            assert changed.headers["Location"] == f"{path}?done=portions#waitlist"
        shown = guest.get(f"{path}?done=portions")
        assert says in text_of(shown)
        assert 'data-once="done"' in shown.text
        assert "next on the waitlist</h1>" in shown.text
        assert says not in text_of(guest.get(path))
        assert world.fresh(entry).portions == 2

    def test_below_what_was_changed_no_box_says_what_was_emailed(self, guest, offer, full, form):
        typed = {"quantity": "1", "customerName": "Wanda", "customerEmail": "wanda@example.test"}
        joined = send(guest, form, typed, headers=OURS).headers["Location"]
        assert "We've emailed" in text_of(guest.get(joined))
        path = joined.removesuffix(JUST_JOINED)
        shown = guest.get(f"{path}?done=portions")
        page = text_of(shown)
        assert shown.text.count('<div class="notice') == 1
        assert "You're waiting for 1 portion now." in page
        assert "We've emailed" not in page
        assert "Wrong email?" not in page

    @pytest.mark.parametrize(
        ("typed", "says"),
        [
            ("5", "There are only 4 portions in all."),
            ("0", "Enter the number of portions as a whole number."),
            ("two", "Enter the number of portions as a whole number."),
            ("", "Enter the number of portions as a whole number."),
        ],
    )
    def test_a_number_nobody_can_order_is_refused_at_its_field(
        self, guest, world, offer, full, typed, says
    ):
        entry = join(world, offer, 2)
        form = waitlist_entry_path(entry, then="/portions")
        page = send(guest, form, {"quantity": typed}, headers=OURS)
        assert page.status_code == 400
        assert 'max="4"' in page.text
        assert f'id="quantity-error">{says}</p>' in page.text
        assert f'value="{typed}"' in page.text
        assert 'id="portions" open>' in page.text
        assert world.fresh(entry).portions == 2

    def test_whose_turn_it_is_reads_that_in_place_of_a_change(self, guest, world, offer, full):
        entry = join(world, offer, 2)
        path = waitlist_entry_path(entry)
        form = waitlist_entry_path(entry, then="/portions")
        world.cancel(full[0])
        assert 'id="portions"' not in guest.get(path).text
        for typed in ("1", "21"):
            answer = send(guest, form, {"quantity": typed}, headers=OURS)
            assert (answer.status_code, answer.headers["Location"]) == (303, path)
        assert world.fresh(entry).portions == 2
        assert "keep your place" not in guest.get(f"{path}?done=portions").text

    def test_the_browser_that_joined_corrects_the_address_and_keeps_the_place(
        self, guest, api, world, offer, full, form
    ):
        typed = {"quantity": "2", "customerName": "Wanda", "customerEmail": "wnada@example.test"}
        joined = send(guest, form, typed, headers=OURS)
        old, [cookie] = (
            joined.headers["Location"].removesuffix(JUST_JOINED),
            joined.cookies.values(),
        )
        join(world, offer, 1, "Later")
        mistyped = WaitlistEntry.objects.get(name="Wanda")
        right = {"customerEmail": "Wanda@example.test"}
        stranger = api(at=world.restaurant)
        assert send(stranger, f"{old}/email", right, OURS).headers["Location"] == old
        assert (
            send(guest, f"{old}/email", right, {"Sec-Fetch-Site": "cross-site"}).status_code == 403
        )
        assert world.fresh(mistyped).email == "wnada@example.test"
        assert 'id="email"' not in stranger.get(old).text
        refused = send(guest, f"{old}/email", {"customerEmail": "later@example.test"}, OURS)
        assert (refused.status_code, 'id="email" open' in refused.text) == (409, True)
        assert "already on the waitlist" in refused.text
        unreadable = send(guest, f"{old}/email", {"customerEmail": "no"}, OURS)
        assert "Valid email is required" in unreadable.text

        shown = send(guest, f"{old}/email", right, OURS).headers["Location"]
        moved = shown.removesuffix(JUST_JOINED)
        assert moved != shown
        entry = WaitlistEntry.objects.get(email="wanda@example.test")
        assert (moved, states(mistyped, entry)) == (waitlist_entry_path(entry), ["left", "waiting"])
        assert (entry.name, entry.portions, entry.joined_at) == ("Wanda", 2, mistyped.joined_at)
        page = text_of(guest.get(shown))
        assert "You're next on the waitlist" in page
        assert "We've emailed wanda@example.test the link to this page." in page
        assert "You left the waitlist" in text_of(stranger.get(old))
        # A second press, and Back. A browser has a cookie for each page, this client only one.
        own = guest.cookies[cookie.key].value
        guest.cookies[cookie.key] = cookie.value
        twice = send(guest, f"{old}/email", right, OURS)
        assert (twice.status_code, twice.headers["Location"]) == (303, old)
        assert guest.get(old).headers["Location"] == shown
        assert guest.cookies[cookie.key].value == own
        assert WaitlistEntry.objects.filter(name="Wanda").count() == 2
        world.work()
        joined = [each.to for each in mail.outbox if "You're on the waitlist" in each.subject]
        assert sorted(joined) == [["Later <later@example.test>"], ["Wanda <wanda@example.test>"]]
        again = send(guest, f"{moved}/email", right, OURS)
        assert (again.headers["Location"], WaitlistEntry.objects.count()) == (moved, 3)

    def test_another_site_and_another_link_change_no_portions(self, guest, world, offer, full):
        entry = join(world, offer, 2)
        form = waitlist_entry_path(entry, then="/portions")
        typed = {"quantity": "3"}
        page = send(guest, form, typed, headers={"Sec-Fetch-Site": "cross-site"})
        assert page.status_code == 403
        assert send(guest, "/waitlist/nonsense/portions", typed, headers=OURS).status_code == 404
        assert guest.get(form).headers["Location"] == waitlist_entry_path(entry)
        assert world.fresh(entry).portions == 2

    def test_one_tap_in_an_email_program_leaves_the_waitlist(self, guest, world, offer, full):
        entry = join(world, offer, 2)
        left = send(
            guest, waitlist_entry_path(entry, then="/leave"), {"List-Unsubscribe": "One-Click"}
        )
        assert left.status_code == 303
        page = guest.get(waitlist_entry_path(entry))
        assert "You left the waitlist" in page.text
        assert "data-ended" in page.text  # every browser forgets it
        assert "It's sold out now." in text_of(page)
        assert f'href="/specials/{offer.pk}#waiting-list">Join the waitlist</a>' in page.text
        # It is still on sale, so it can't come back.
        assert "Tell me when it's back" not in text_of(page)
        assert "Tell me about new specials" in text_of(page)

    def test_a_guest_who_left_reads_what_can_be_ordered_since(self, guest, world, offer, full):
        entry = join(world, offer, 2)
        send(guest, waitlist_entry_path(entry, then="/leave"), {})
        world.cancel(full[0])
        page = guest.get(waitlist_entry_path(entry))
        assert "2 portions are left. You can order until" in text_of(page)
        assert f'href="/specials/{offer.pk}">Order now</a>' in page.text
        assert "Join the waitlist" not in page.text

    def test_a_guest_whose_turn_has_passed_reads_what_can_be_ordered(
        self, guest, world, offer, full
    ):
        entry = join(world, offer, 2)
        world.cancel(full[0])
        world.later(hours=2, minutes=1)
        world.work()
        page = guest.get(waitlist_entry_path(entry))
        assert "Your portions aren't reserved for you anymore. " in text_of(page)
        assert f'href="/specials/{offer.pk}' in page.text

    def test_a_guest_whose_turn_it_is_reads_how_long_it_lasts(self, guest, world, offer, full):
        entry = join(world, offer, 2)
        world.cancel(full[0])
        world.later(minutes=1)
        page = guest.get(waitlist_entry_path(entry))
        until = world.fresh(entry).reserved_until.isoformat()
        assert "Time left 1h 59m" in text_of(page)
        assert f'data-countdown="{until}" data-near' in page.text

    def test_the_email_to_a_guest_who_gave_up_the_last_portions_leads_to_the_others(
        self, world, offer, full
    ):
        join(world, offer, 2)
        cancel_own_order(order=full[0], now=world.now)
        world.work()
        [body] = [each.body for each in mail.outbox if each.subject.startswith("Order canceled")]
        specials, waitlist = "See other specials:\n", "Join the waitlist:\n"
        assert body.index(specials) < body.index(waitlist)
        assert f"/specials/{offer.pk}#waiting-list\n" in body

    def test_the_page_asks_before_a_guest_leaves_and_says_what_is_lost(
        self, guest, world, offer, full
    ):
        join(world, offer, 3, "First")
        entry = join(world, offer, 1)
        page = guest.get(waitlist_entry_path(entry))
        asks = "You lose your place, number 2. If you join again, you start at the end."
        assert f"Leave the waitlist {asks} Leave the waitlist Keep my place" in text_of(page)
        fold = page.text[page.text.index('id="leave"') :]
        assert fold.index("<summary>") < fold.index(waitlist_entry_path(entry, then="/leave"))
        world.cancel(full[0])
        page = guest.get(waitlist_entry_path(entry))
        assert "The portion reserved for you goes to the next person." in text_of(page)

    def test_a_closed_list_offers_what_is_next_and_nothing_to_leave(
        self, guest, world, offer, full
    ):
        entry = join(world, offer)
        page = guest.get(waitlist_entry_path(entry))
        assert "Leave the waitlist" in page.text
        assert 'id="follow"' not in page.text
        world.at(offer.deadline)
        page = guest.get(waitlist_entry_path(entry))
        assert "The waitlist has closed" in page.text
        assert "Leave the waitlist" not in page.text
        assert 'id="follow"' in page.text

    def test_a_link_that_is_not_ours_or_of_another_restaurant_shows_nothing(
        self, guest, api, world, offer, full
    ):
        elsewhere = api(at=world.open_restaurant(name="Ming's", subdomain="mings"))
        entry = join(world, offer)
        for path in ("/waitlist/nonsense", waitlist_entry_path(entry)[:-1] + "x"):
            page = guest.get(path)
            assert page.status_code == 404
            assert "The link to your place is in the email we sent" in text_of(page)
            assert "Email my orders" in page.text
        assert elsewhere.get(waitlist_entry_path(entry)).status_code == 404
        left = elsewhere.post(waitlist_entry_path(entry, then="/leave"))
        assert left.status_code == 404
        assert states(entry) == ["waiting"]


def test_a_waiting_guest_reads_the_dish_in_their_language(api, world, offer, full):
    offer.translations = {"es": {"name": "Osobuco"}}
    offer.save()
    typed = {"quantity": "1", "customerName": "Wanda", "customerEmail": "wanda@example.test"}
    headers = OURS | {"Accept-Language": "es"}
    send(api(at=world.restaurant), f"/specials/{offer.pk}/waitlist", typed, headers=headers)
    world.work()

    [email] = [each for each in mail.outbox if each.to == ["Wanda <wanda@example.test>"]]
    assert "Osobuco" in email.subject
    assert "Osobuco" in str(email.body)
    assert offer.name not in str(email.body)
