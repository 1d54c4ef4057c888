"""A cart's orders: one email about all that are held together, one about all that are
declined, and one page that leads to each."""

import re
from datetime import date, timedelta
from html import unescape

import pytest
from django.core import mail

from apps.offers.presentation import Special
from apps.preorders.cart import confirmation
from apps.preorders.cart.serializers import MAX_CART_ITEMS
from apps.preorders.core.access import guest_url
from apps.preorders.core.links import order_path, revoke_order_link
from apps.preorders.emails.dinner import order_buttons
from apps.preorders.emails.outbox import pending_emails, send_email
from apps.preorders.guest.canceling import cancel_own_order
from apps.preorders.models import Email
from apps.preorders.models.states import GUEST, OperationKind
from apps.preorders.settlement.checkout_expiry import end_abandoned_checkouts
from tests.pages import text_of
from tests.preorders.access import allow
from tests.preorders.world import GOOD


@pytest.fixture
def three(world):
    return [world.offer(name=name, min_preorders=1) for name in ("Arancini", "Bucatini", "Cannoli")]


def orders_of(world, begun):
    return [world.fresh(item) for item in begun.items]


def confirmed(world, offers, card=GOOD):
    begun = world.begin_cart(*offers)
    world.give_card(begun, card)
    world.confirm_cart(begun)
    return orders_of(world, begun)


def send_pending(world):
    for email_id in pending_emails(now=world.now):
        send_email(email_id, now=world.now)


def subjects():
    return [message.subject for message in mail.outbox]


class TestOneEmail:
    def test_a_guest_gets_one_email_about_three_orders(self, world, three):
        orders = confirmed(world, three)
        world.work()
        assert subjects() == [f"You're in for 3 dishes at {world.restaurant.name}"]
        (message,) = mail.outbox
        for order in orders:
            assert guest_url(order) in message.body
            assert order.served_name in message.body
        assert f"\n3 dishes at {world.restaurant.name}, $77.76 with tax\n" in message.body
        assert "Your bank is holding $77.76 on your card." in message.body
        charged = "It's on. We'll charge $25.92 on Tue, Mar 23, 12:00 PM EDT."
        assert message.body.count(charged) == 3
        for order in orders:
            name = f"\n1 × {order.served_name}, $25.92 with tax\n"
            assert f"{name}Order code: {order.code}\n{charged}\n" in message.body
        assert message.body.count("ou'll pay only for what's cooked, and can cancel each") == 1
        assert Email.objects.exclude(sent_at=None).count() == 3
        calendars = [
            part for part in message.attachments if part.get_content_subtype() == "calendar"
        ]
        assert len(calendars) == 3

    def test_each_dish_has_its_code_and_its_buttons(self, world, three):
        orders = confirmed(world, three)
        world.work()
        (message,) = mail.outbox
        shown = unescape(str(message.alternatives[0][0]))  # type: ignore[union-attr]
        for order, block in zip(orders, shown.split("<h2 ")[1:], strict=True):
            assert f">{order.code}</strong>" in block
            buttons = order_buttons(order, are_brief=True)
            assert [each.text for each in buttons] == ["Calendar", "Change"]
            for button in buttons:
                assert f'<a class="way" href="{button.url}"' in block
                assert f"\n{button.text}: {button.url}\n" in message.body

    def test_each_dish_repeats_the_guests_note(self, world, three):
        first, *_ = confirmed(world, three)
        type(first).objects.filter(pk=first.pk).update(note="No celery")
        world.work()
        (message,) = mail.outbox
        assert message.body.count("Your note") == 1
        shown = unescape(str(message.alternatives[0][0]))  # type: ignore[union-attr]
        assert "Your note: No celery" in shown
        part = message.body.partition(first.served_name)[2]
        assert part.index("Your note: No celery\n") < part.index("Change:")

    def test_it_says_each_day_once(self, world):
        days = [world.offer(name=f"Dish {n}", serve_date=date(2027, 3, 24 + n)) for n in range(2)]
        confirmed(world, days)
        world.work()
        (message,) = mail.outbox
        shown = str(message.alternatives[0][0])  # type: ignore[union-attr]
        for text in (message.body, shown):
            assert text.count("Wed, Mar 24") == text.count("Thu, Mar 25") == 1
            assert text.index("See your orders") < text.index("Wed, Mar 24")

    def test_the_largest_cart_is_shown_whole(self, world):
        # https://help.metorik.com/article/287-gmail-html-clipping-on-long-emails: 102 KB of HTML.
        # These have no photos, whose markup is another 9 KB.
        offers = [world.offer(name=f"Dish {n}", min_preorders=5) for n in range(MAX_CART_ITEMS)]
        confirmed(world, offers)
        world.work()
        (message,) = mail.outbox
        shown = str(message.alternatives[0][0])  # type: ignore[union-attr]
        assert len(shown.encode()) < 92_000

    def test_it_invites_a_friend_to_the_dishes_that_are_short(self, world, three):
        short = world.offer(name="Diavola", min_preorders=5)
        orders = confirmed(world, [*three[:1], short])
        world.work()
        (message,) = mail.outbox
        assert message.body.count("4 more and it's on. We'll charge") == 1
        link = guest_url(orders[1], then="#bring-friends")
        assert f"\nShare: {link}\n" in message.body
        shown = str(message.alternatives[0][0])  # type: ignore[attr-defined]
        ways = re.findall(r'<a class="way" href="[^"]+"[^>]*>([^<]+)</a>', shown)
        assert ways == ["Calendar", "Change"] * 2 + ["Share"]

    @pytest.mark.parametrize("short", [0, 1])
    def test_it_is_good_news_whether_or_not_every_special_is_on(self, world, three, short):
        short_of_its_minimum = [world.offer(name="Diavola", min_preorders=5)][:short]
        confirmed(world, [*three[:2], *short_of_its_minimum])
        world.work()
        (message,) = mail.outbox
        shown = str(message.alternatives[0][0])  # type: ignore[union-attr]
        icon = shown.index('class="lead-icon"')
        assert ">\u2713</div>" in shown[icon : icon + 400]

    def test_a_single_item_has_the_usual_email(self, world, three):
        (order,) = confirmed(world, three[:1])
        world.work()
        assert subjects() == [f"You're in for Arancini on {day_of(order)}"]

    def test_an_email_waits_while_another_item_is_being_held(self, world, three):
        begun = world.begin_cart(*three)
        world.give_card(begun)
        world.confirm_cart(begun)
        first = Email.objects.order_by("pk")[0]
        operation = world.operation(begun.items[2], OperationKind.AUTHORIZE)
        type(operation).objects.filter(pk=operation.pk).update(state="pending")
        assert not send_email(first.pk, now=world.now)
        assert mail.outbox == []
        type(operation).objects.filter(pk=operation.pk).update(state="done")
        assert send_email(first.pk, now=world.later(seconds=10))
        assert len(mail.outbox) == 1

    @pytest.mark.parametrize(
        ("waited", "emails"),
        [
            (timedelta(), ["You're in for 2 dishes at Luigi's"]),
            (timedelta(minutes=4), ["You're in for Arancini", "You're in for Bucatini"]),
        ],
    )
    def test_an_email_waits_while_the_bank_asks_about_another_item(
        self, world, three, waited, emails
    ):
        begun = world.begin_cart(*three[:2])
        item = begun.items[1]
        fault = {"kind": "authentication_required", "pre_order": str(item.pk)}
        world.stripe.control(hold_fault=fault)
        world.give_card(begun)
        world.confirm_cart(begun)
        world.work()
        assert mail.outbox == []
        world.later(seconds=10 + waited.total_seconds())
        send_pending(world)
        retry = confirmation.retry_cart_item(
            cart_id=begun.cart.pk, order_id=item.pk, another_card=False, now=world.now
        )
        world.stripe.confirm(retry.client_secret, None)
        world.confirm_cart(begun)
        world.work()
        world.later(seconds=10)
        send_pending(world)
        assert [each.partition(" on ")[0] for each in subjects()] == emails

    def test_an_email_goes_out_once_the_guest_gives_up_what_the_bank_asks_about(self, world, three):
        begun = world.begin_cart(*three[:2])
        fault = {"kind": "authentication_required", "pre_order": str(begun.items[1].pk)}
        world.stripe.control(hold_fault=fault)
        world.give_card(begun)
        world.confirm_cart(begun)
        world.work()
        assert mail.outbox == []
        confirmation.abandon_cart(cart_id=begun.cart.pk, now=world.now)
        world.work()
        assert [each.partition(" on ")[0] for each in subjects()] == ["You're in for Arancini"]

    def test_an_email_that_another_worker_sends_is_not_taken_along(self, world, three):
        confirmed(world, three)
        one, other, last = Email.objects.order_by("pk")
        Email.objects.filter(pk=other.pk).update(
            attempts=1, due_at=world.now + timedelta(minutes=2)
        )
        assert send_email(one.pk, now=world.now)
        assert not send_email(last.pk, now=world.now)
        assert subjects() == [f"You're in for 2 dishes at {world.restaurant.name}"]

    def test_a_worker_that_died_sends_the_same_message_again(self, world, three):
        confirmed(world, three)
        world.work()
        Email.objects.update(sent_at=None)
        later = world.later(minutes=3)
        sent = [send_email(each.pk, now=later) for each in Email.objects.order_by("-pk")]
        assert sent == [True, False, False]
        first, again = mail.outbox
        assert first.extra_headers["Message-ID"] == again.extra_headers["Message-ID"]


class TestOneEmailAboutDeclinedCards:
    @pytest.fixture
    def begun(self, world, three):
        """A cart of which the bank holds Arancini and declines Bucatini and Cannoli."""
        begun = world.begin_cart(*three)
        for item in begun.items[1:]:
            world.stripe.control(hold_fault={"kind": "generic_decline", "pre_order": str(item.pk)})
        world.give_card(begun)
        world.confirm_cart(begun)
        world.work()
        assert subjects() == [f"You're in for Arancini on {day_of(begun.items[0])}"]
        mail.outbox.clear()
        return begun

    def send_what_is_due(self, world):
        for email_id in pending_emails(now=world.now):
            send_email(email_id, now=world.now)

    def test_a_guest_gets_one_email_about_two_declined_dishes(self, world, begun):
        world.later(minutes=6)
        self.send_what_is_due(world)
        assert subjects() == [f"2 dishes at {world.restaurant.name} still need your card"]
        (message,) = mail.outbox
        assert "Your bank didn't hold the money for these 2 dishes, so your card" in message.body
        assert "Anything else you ordered isn't affected." in message.body
        assert "Arancini" not in message.body
        for order in begun.items[1:]:
            assert guest_url(world.fresh(order)) in message.body
        assert message.body.count("You can finish until ") == 2
        assert "Finish your orders:\n" in message.body
        assert "then=%2Fcard" in message.body
        assert message.attachments == []  # no calendar has them
        world.later(minutes=6)
        self.send_what_is_due(world)
        assert len(mail.outbox) == 1
        assert Email.objects.filter(kind="declined").exclude(sent_at=None).count() == 2

    def test_a_dish_that_was_fixed_meanwhile_is_not_in_it(self, world, begun):
        self.fix(world, begun, begun.items[1])
        world.later(minutes=6)
        self.send_what_is_due(world)
        assert subjects() == ["Your card was declined for Cannoli"]
        assert "Bucatini" not in mail.outbox[0].body

    def test_whichever_is_sent_first_what_was_fixed_is_dropped_alone(self, world, begun):
        self.fix(world, begun, begun.items[1])
        world.later(minutes=6)
        fixed, other = (
            Email.objects.get(kind="declined", pre_order=item) for item in begun.items[1:]
        )
        assert send_email(fixed.pk, now=world.now)  # takes the other along, and sends that one
        assert not send_email(other.pk, now=world.now)
        assert subjects() == ["Your card was declined for Cannoli"]
        fixed.refresh_from_db()
        assert (fixed.sent_at, fixed.dropped_at) == (None, world.now)

    def test_an_email_after_the_time_to_finish_says_that_nothing_was_placed(self, world, begun):
        world.later(minutes=31)
        end_abandoned_checkouts(now=world.now)
        self.send_what_is_due(world)
        assert subjects() == [f"Your orders for 2 dishes at {world.restaurant.name} weren't placed"]
        (message,) = mail.outbox
        assert message.body.count("You can order again until ") == 2
        assert "%2Fcard" not in message.body
        assert "still need" not in message.body

    def fix(self, world, begun, item):
        retry = confirmation.retry_cart_item(
            cart_id=begun.cart.pk, order_id=item.pk, another_card=False, now=world.now
        )
        world.stripe.confirm(retry.client_secret, GOOD)
        world.confirm_cart(begun)
        world.work()
        mail.outbox.clear()


class TestOnePage:
    def test_each_order_of_a_cart_leads_to_the_others(self, world, api, three):
        orders = confirmed(world, three)
        page = api(at=world.restaurant).get(order_path(orders[0]))
        assert "Ordered together" in text_of(page)
        for other in orders[1:]:
            assert order_path(other) in page.text
            facts = "Wed, Mar 24 · Dine in or pickup"
            waits = Special(other.offer, world.now).sentence
            assert f"1 × {other.served_name} {facts} {waits}" in text_of(page)

    def test_inviting_friends_comes_before_the_others_while_it_is_short(self, world, api):
        short = world.offer(name="Diavola", min_preorders=5)
        met = world.offer(name="Etrusca", min_preorders=1)
        world.authorized_order(met, 1)
        first, second = confirmed(world, [short, met])
        page = text_of(api(at=world.restaurant).get(order_path(first)))
        parts = ["No charge", "Make it happen with friends", "Ordered together 1 × Etrusca"]
        assert sorted(parts, key=page.index) == parts
        page = text_of(api(at=world.restaurant).get(order_path(second)))
        parts = ["Ordered together 1 × Diavola", "Bring friends", "Step by step"]
        assert sorted(parts, key=page.index) == parts

    def test_an_order_that_is_on_says_so_below_its_dish_without_naming_it_again(
        self, world, api, three
    ):
        first, second, _ = confirmed(world, three)
        world.close(second.offer)
        world.work()
        page = api(at=world.restaurant).get(order_path(first))
        facts = "Wed, Mar 24 · Dine in or pickup"
        assert f"{second.served_name} {facts} It's on" in text_of(page)
        assert f"{second.served_name} is on" not in text_of(page)

    def test_the_browser_that_can_change_one_is_told_to_remember_all(self, world, api, three):
        first, second, third = confirmed(world, three)
        cancel_own_order(order=third, now=world.now)
        guest = api(at=world.restaurant)
        # A friend was sent the link.
        assert 'data-own-order="' not in guest.get(order_path(first)).text
        allow(guest, first, now=world.now)
        named = re.findall(
            r'data-own-order="([^"]+)" data-code="(\w+)" data-name="(\w+)"\s+'
            r'data-day="([\d-]+)" data-when="([^"]+)"\s+data-special="[^"]+"'
            r'\s+data-portions="\d+"( data-ended)?',
            guest.get(order_path(first)).text,
        )
        day = ("2027-03-24", "Wed, Mar 24 · Dine in or pickup")
        assert sorted(named, key=lambda each: each[2]) == [
            (order_path(first), first.code, "Arancini", *day, ""),
            (order_path(second), second.code, "Bucatini", *day, ""),
            (order_path(third), third.code, "Cannoli", *day, " data-ended"),
        ]
        # Its state, for the browser's list.
        page = guest.get(order_path(first)).text
        assert 'data-in-short="It&#x27;s on" data-until="20' in page
        assert re.search(r'data-ended\s+data-in-short="Canceled"\s*>', page)

    def test_what_the_guest_has_ordered_too_is_not_offered_after_a_cancellation(
        self, world, api, three
    ):
        first, second, third = confirmed(world, three)
        world.offer(name="Diavola")
        world.work()
        mail.outbox.clear()
        cancel_own_order(order=third, now=world.now)
        cancel_own_order(order=first, now=world.now)
        world.work()
        page = text_of(api(at=world.restaurant).get(order_path(first)))
        offered = page.partition("You can order now at")[2].partition("See all specials")[0]
        email = next(each.body for each in mail.outbox if "Arancini" in each.subject)
        emailed = email.partition("You can order now at")[2]
        for text in (offered, emailed):
            assert "Diavola" in text
            assert third.served_name in text  # canceled, so it can be ordered
            assert second.served_name not in text

    def test_a_single_order_has_no_others(self, world, api, three):
        (order,) = confirmed(world, three[:1])
        page = api(at=world.restaurant).get(order_path(order))
        assert "Ordered together" not in text_of(page)

    def test_a_new_link_to_one_ends_the_old_links_to_all(self, world, api, three):
        orders = confirmed(world, three)
        old = [order_path(order) for order in orders]
        revoke_order_link(orders[0], by=GUEST, now=world.now)
        guest = api(at=world.restaurant)
        assert [guest.get(path).status_code for path in old] == [404, 404, 404]
        new = guest.get(order_path(orders[0]))
        assert new.status_code == 200
        assert not set(re.findall(r"/order/[^\"?#/]+", new.text)) & set(old)


def day_of(order):
    return order.offer.serve_date.strftime("%a, %b %-d")
