"""Who can do what with an order: its link shows it without personal data; the rest needs the
browser that placed it, or an email to its address (decisions 55 and 176)."""

import json
import re
from datetime import timedelta

import pytest
from django.core import mail
from django.test.client import MULTIPART_CONTENT

from apps.preorders.checkout.services import GuestDetails
from apps.preorders.core.access import Purpose, access_token, data_url, guest_url
from apps.preorders.core.links import order_path
from apps.preorders.models import OrderNote, PreOrder
from tests.preorders.access import allow

OURS = {"Sec-Fetch-Site": "same-origin"}
VICTIM = {"name": "Vera Victim", "email": "vera@example.test", "phone": "+1 212 555 0177"}
PERSONAL = (*VICTIM.values(), "No peanuts")


@pytest.fixture
def offer(world):
    return world.offer(min_preorders=9, name="Osso Buco")


@pytest.fixture
def order(world, offer):
    """The victim's, held, with a note about their health."""
    made = world.begin(offer, 2, **VICTIM)
    world.pay(made)
    world.hear(made)
    PreOrder.objects.filter(pk=made.pk).update(note="No peanuts")
    world.work()
    mail.outbox.clear()
    return PreOrder.objects.select_related("offer__restaurant").get(pk=made.pk)


@pytest.fixture
def stranger(api, world):
    return api(at=world.restaurant)


def press(client, order, action, **fields):
    path = order_path(PreOrder.objects.get(pk=order.pk))
    return client.post(path, {"action": action, **fields}, MULTIPART_CONTENT, headers=OURS)


def begin_as(client, offer, **guest):
    """Start an order by the API in another person's name; returns the answer."""
    body = {
        "dishId": str(offer.pk),
        "quantity": 1,
        "customerName": guest["name"],
        "customerEmail": guest["email"],
        "customerPhone": guest["phone"],
    }
    answer = client.post("/api/pre-orders", body)
    assert answer.status_code == 201
    return answer


def begin_cart_as(client, offer, guest):
    body = {"items": [{"dishId": str(offer.pk), "quantity": 1}], "guest": guest}
    answer = client.post("/api/create-multi-offer-payment-intent", body)
    assert answer.status_code == 201
    return answer.json()["checkoutId"]


def emailed_link(world):
    world.work()
    [message] = mail.outbox
    mail.outbox.clear()
    [link] = re.findall(r"http://\S+/order/\S+/open\S+", str(message.body))
    return message, link.split(":8000")[1]


class TestWhoTypesAnAddressOfSomebodyElse:
    """The attack: somebody who can't read the emails of an address wants all its orders."""

    def test_by_a_cart_gets_neither_data_nor_power(self, world, stranger, offer, order):
        checkout = begin_cart_as(stranger, offer, VICTIM)
        [item] = stranger.get(f"/api/checkouts/{checkout}").json()["items"]
        path = item["orderUrl"].split(":8000")[1]
        assert stranger.get(f"{path}/data.json").status_code == 403
        posted = {"action": "erase", "sure": "yes"}
        assert stranger.post(path, posted, MULTIPART_CONTENT, headers=OURS).status_code == 403
        assert press(stranger, order, "cancel").status_code == 403
        assert world.fresh(order).status == "pending"
        assert world.fresh(order).customer_email == VICTIM["email"]

    def test_by_an_order_of_one_special_gets_neither(self, world, stranger, offer, order):
        begun = begin_as(stranger, offer, **VICTIM)
        mine = PreOrder.objects.get(pk=begun.json()["preorderId"])
        assert stranger.get(order_path(mine, then="/data.json")).status_code == 403
        assert press(stranger, mine, "erase", sure="yes").status_code == 403
        assert press(stranger, order, "cancel").status_code == 403
        assert world.fresh(order).customer_email == VICTIM["email"]

    def test_cannot_make_a_checkout_of_their_own_the_victims(self, world, stranger, offer):
        me = {"name": "Mallory", "email": "mallory@example.test", "phone": "1"}
        checkout = begin_cart_as(stranger, offer, me)
        refused = stranger.post(f"/api/checkouts/{checkout}/confirm", {"guest": VICTIM})
        assert refused.status_code == 409
        assert "another name, email address" in refused.json()["message"]
        assert PreOrder.objects.get(cart=checkout).customer_email == me["email"]

    def test_naming_the_same_guest_again_is_no_replacement(self, world, offer):
        begun = world.begin_cart(offer, world.offer(name="Arancini"))
        world.give_card(begun)
        known = begun.items[0]
        same = GuestDetails(known.customer_name, known.customer_email.upper(), known.customer_phone)
        assert set(world.confirm_cart(begun, same).values()) == {"held"}


class TestALinkPassedOn:
    @pytest.mark.parametrize("settled", [False, True])
    def test_shows_the_order_and_nothing_personal(self, world, stranger, order, offer, settled):
        if settled:
            type(offer).objects.filter(pk=offer.pk).update(min_preorders=1)
            world.settle(offer)
        OrderNote.objects.create(
            restaurant=world.restaurant, pre_order=order, text="tall", by="Maria", at=world.now
        )
        page = stranger.get(order_path(order))
        assert page.status_code == 200
        assert "Osso Buco" in page.text
        assert order.code in page.text
        for then in ("", "/calendar.ics", "?open=cancel", "?open=emails", "?open=data"):
            text = stranger.get(order_path(order, then=then)).text
            assert not [fact for fact in PERSONAL if fact in text]
        assert 'name="action" value="cancel"' not in page.text
        assert "data.json" not in page.text

    def test_of_an_ended_order_leads_to_no_form_with_the_guests_name(self, world, stranger, order):
        world.cancel(order)
        world.work()
        assert "?again=" not in stranger.get(order_path(order)).text
        allow(stranger, order, now=world.now)
        assert "?again=" in stranger.get(order_path(order)).text

    @pytest.mark.parametrize(
        ("action", "fields"),
        [
            ("cancel", {}),
            ("portions", {"quantity": "1"}),
            ("note", {"note": "More peanuts"}),
            ("slot", {"slotId": "1"}),
            ("alternative", {"alternative": "serve"}),
            ("renew", {}),
            ("revoke", {}),
            ("erase", {"sure": "yes"}),
        ],
    )
    def test_a_link_that_was_passed_on_changes_nothing(
        self, world, stranger, order, action, fields
    ):
        refused = press(stranger, order, action, **fields)
        assert refused.status_code == 403
        assert "This link only shows the order." in refused.text
        left = world.fresh(order)
        assert (left.status, left.quantity, left.note) == ("pending", 2, "No peanuts")
        assert (left.customer_email, left.link_revision) == (VICTIM["email"], 0)

    def test_opens_neither_the_card_page_nor_the_data(self, stranger, order):
        for then in ("/card", "/data.json"):
            refused = stranger.get(order_path(order, then=then))
            assert refused.status_code == 403
            assert "Email me a link" in refused.text
            assert "open the order from one of our emails" in refused.text

    def test_with_another_orders_access_does_no_more(self, world, stranger, order, offer):
        other = world.authorized_order(offer)
        allow(stranger, other, Purpose.CHANGE, Purpose.DATA, now=world.now)
        assert press(stranger, order, "cancel").status_code == 403
        assert stranger.get(order_path(order, then="/data.json")).status_code == 403


class TestTheBrowserThatPlacedTheOrder:
    def test_can_change_it_and_never_the_data_of_the_address(self, world, stranger, offer):
        answer = begin_as(stranger, offer, **VICTIM)
        mine = PreOrder.objects.get(pk=answer.json()["preorderId"])
        cookie = answer.cookies[f"order-{mine.code.lower()}-change"]
        assert cookie["path"] == order_path(mine)
        assert (cookie["httponly"], cookie["samesite"], cookie["domain"]) == (True, "Lax", "")
        page = stranger.get(order_path(mine))
        assert 'name="action" value="cancel"' in page.text
        assert "data.json" not in page.text
        assert press(stranger, mine, "cancel").status_code == 303
        assert world.fresh(mine).status == "cancelled"

    def test_the_form_without_a_script_gives_access_as_well(self, stranger, offer):
        typed = {
            "quantity": "1",
            "customerName": "Ann",
            "customerEmail": "ann@example.test",
            "customerPhone": "1",
        }
        path = f"/specials/{offer.pk}/pre-order"
        answer = stranger.post(path, typed, MULTIPART_CONTENT, headers=OURS)
        assert answer.status_code == 303
        mine = PreOrder.objects.get(customer_email="ann@example.test")
        assert answer.cookies[f"order-{mine.code.lower()}-change"]["path"] == order_path(mine)

    def test_typing_the_same_once_more_gets_the_checkout_and_no_access(
        self, world, api, stranger, offer
    ):
        first = begin_as(stranger, offer, **VICTIM)
        world.later(seconds=20)
        other = api(at=world.restaurant)
        again = begin_as(other, offer, **VICTIM)
        assert again.json()["preorderId"] == first.json()["preorderId"]
        assert not again.cookies

    def test_loses_it_two_days_after_the_serve_date(self, world, stranger, offer):
        answer = begin_as(stranger, offer, **VICTIM)
        mine = PreOrder.objects.get(pk=answer.json()["preorderId"])
        note = {"note": "x"}
        world.clock.set(world.now.replace(hour=0, minute=0))
        days = (offer.serve_date - world.now.date()).days + 2
        world.clock.advance(days=days, seconds=-1)
        assert press(stranger, mine, "note", **note).status_code == 409
        world.clock.advance(seconds=1)
        assert press(stranger, mine, "note", **note).status_code == 403


class TestTheEmailedLink:
    def test_goes_to_the_address_of_the_order_and_says_so_to_nobody(self, world, stranger, order):
        asked = press(stranger, order, "link", **{"for": "change"})
        assert asked.status_code == 303
        assert VICTIM["email"] not in stranger.get(asked["Location"]).text
        message, _link = emailed_link(world)
        assert message.to == ["Vera Victim <vera@example.test>"]

    def test_lets_its_reader_cancel_days_later(self, world, api, stranger, order):
        press(stranger, order, "link", **{"for": "change"})
        _message, link = emailed_link(world)
        world.later(minutes=31)
        guest = api(at=world.restaurant)
        opened = guest.get(link)
        assert opened.status_code == 303
        assert opened["Referrer-Policy"] == "same-origin"
        assert world.fresh(order).status == "pending"
        page = guest.get(opened["Location"])
        assert "No peanuts" in page.text
        assert guest.get(order_path(order, then="/data.json")).status_code == 403
        assert press(guest, order, "cancel").status_code == 303
        assert world.fresh(order).status == "cancelled"

    def test_to_the_data_is_over_after_half_an_hour_and_says_how_to_get_another(
        self, world, stranger, order
    ):
        press(stranger, order, "link", **{"for": "data"})
        _message, link = emailed_link(world)
        world.later(minutes=30)
        opened = stranger.get(link)
        page = stranger.get(opened["Location"])
        assert "That link has expired" in page.text
        assert stranger.get(order_path(order, then="/data.json")).status_code == 403

    def test_to_the_data_downloads_and_deletes_and_changes_nothing_else(
        self, world, stranger, order
    ):
        press(stranger, order, "link", **{"for": "data"})
        _message, link = emailed_link(world)
        stranger.get(link)
        stored = json.loads(stranger.get(order_path(order, then="/data.json")).content)
        assert [each["email"] for each in stored["orders"]] == [VICTIM["email"]]
        assert press(stranger, order, "cancel").status_code == 403
        world.cancel(order)
        world.work()
        done = press(stranger, order, "erase", sure="yes")
        assert done.status_code == 303
        assert world.fresh(order).customer_email == ""
        assert "Your data has already been deleted." in stranger.get(done["Location"]).text
        # The links in old emails end with the data.
        assert stranger.get(order_path(order)).status_code == 404

    @pytest.mark.parametrize("broken", ["", "x", "{other}", "{token}x"])
    def test_made_up_gives_no_access(self, world, stranger, order, offer, broken):
        later = world.now + timedelta(minutes=5)
        mine = {f"order-{order.code.lower()}-{purpose}" for purpose in Purpose}
        token = access_token(order, Purpose.CHANGE, until=later)
        other = access_token(world.authorized_order(offer), Purpose.CHANGE, until=later)
        access = broken.format(other=other, token=token)
        query = {"for": "change", "access": access}
        stranger.get(order_path(order, then="/open"), query)
        assert not mine & set(stranger.cookies)
        for purpose in ("data", "nonsense"):
            stranger.get(order_path(order, then="/open"), {"for": purpose, "access": token})
        # The token is one that can change the order, whatever else the link says.
        assert f"order-{order.code.lower()}-data" not in stranger.cookies

    def test_is_sent_four_times_at_most_in_ten_minutes(self, world, stranger, order):
        statuses = [
            press(stranger, order, "link", **{"for": "change"}).status_code for _ in range(5)
        ]
        assert statuses == [303, 303, 303, 303, 429]
        world.work()
        assert len(mail.outbox) == 4

    def test_of_an_order_without_an_address_is_refused_with_the_way_out(
        self, world, stranger, offer
    ):
        called = world.phone(offer)
        refused = press(stranger, called, "link", **{"for": "change"})
        assert refused.status_code == 409
        assert "Ask the restaurant" in refused.text


class TestTheLinksInEveryEmail:
    """Whoever reads the emails of an order's address is its guest, on any device."""

    @pytest.fixture
    def confirmation(self, world, offer):
        """The email about a new order of Vera's, and the order."""
        made = world.begin(offer, 1, **VICTIM)
        world.pay(made)
        world.hear(made)
        world.work()
        [message] = [each for each in mail.outbox if each.to == ["Vera Victim <vera@example.test>"]]
        return message, PreOrder.objects.select_related("offer__restaurant").get(pk=made.pk)

    def links(self, message):
        found = re.findall(r"http://\S+?/order/\S+", str(message.body))
        return [link.split(":8000")[1].rstrip(")") for link in found]

    def test_let_the_reader_change_it_at_the_address_that_can_be_passed_on(
        self, world, api, stranger, confirmation
    ):
        message, made = confirmation
        to_calendar, *others = sorted(self.links(message), key=lambda link: "/open" in link)
        assert to_calendar == order_path(made, then="/calendar.ics")
        assert others
        for link in others:
            guest = api(at=world.restaurant)
            opened = guest.get(link)
            assert opened.status_code == 303
            assert opened["Location"].startswith(order_path(made))
            assert "access" not in opened["Location"]
            assert opened["Referrer-Policy"] == "same-origin"
            page = guest.get(opened["Location"])
            assert 'name="action" value="cancel"' in page.text
            assert guest.get(order_path(made, then="/data.json")).status_code == 403
        assert press(guest, made, "cancel").status_code == 303
        assert world.fresh(made).status == "cancelled"
        # The address those browsers ended up at does nothing in another one.
        assert press(stranger, made, "note", note="x").status_code == 403

    @pytest.mark.parametrize("has_expired", [False, True])
    def test_open_the_order_in_the_emails_language(
        self, world, api, confirmation, offer, has_expired
    ):
        message, made = confirmation
        PreOrder.objects.filter(pk=made.pk).update(language="es")
        if has_expired:
            world.at(offer.deadline + timedelta(days=5))
        for link in (*self.links(message), data_url(made, now=world.now)):
            if "/open" not in link:
                continue
            reader = api(at=world.restaurant)
            opened = reader.get(link)
            assert opened.cookies["language"]["httponly"]
            assert reader.get(opened["Location"])["Content-Language"] == "es"

    @pytest.mark.parametrize("chosen", ["en-us", "es"])
    def test_leave_the_language_that_the_browser_has_chosen(self, stranger, confirmation, chosen):
        message, made = confirmation
        PreOrder.objects.filter(pk=made.pk).update(language="es" if chosen == "en-us" else "en-us")
        stranger.get(f"/specials?lang={chosen}")
        [to_change] = [link for link in self.links(message) if "change-order" in link]
        opened = stranger.get(to_change)
        assert "language" not in opened.cookies
        page = stranger.get(opened["Location"])
        assert page["Content-Language"] == ("en-US" if chosen == "en-us" else "es")

    def test_name_no_language_that_the_product_no_longer_has(self, stranger, confirmation):
        message, made = confirmation
        PreOrder.objects.filter(pk=made.pk).update(language="xx")
        [to_change] = [link for link in self.links(message) if "change-order" in link]
        opened = stranger.get(to_change)
        assert opened.status_code == 303
        assert "language" not in opened.cookies

    def test_lead_to_the_form_they_name(self, confirmation, stranger):
        message, made = confirmation
        [to_change] = [link for link in self.links(message) if "change-order" in link]
        assert stranger.get(to_change)["Location"] == order_path(
            made, then="?open=change#change-order"
        )

    def test_say_that_the_email_is_not_for_forwarding_until_orders_close(
        self, world, confirmation, offer
    ):
        message, made = confirmation
        warning = "Don't forward this email: its links can change your order."
        assert warning in message.body
        type(offer).objects.filter(pk=offer.pk).update(min_preorders=1)
        mail.outbox.clear()
        world.settle(offer)
        world.work()
        [message] = [each for each in mail.outbox if each.to == ["Vera Victim <vera@example.test>"]]
        assert warning not in message.body

    def test_only_show_the_order_from_two_days_after_the_serve_date(
        self, world, stranger, order, offer
    ):
        link = guest_url(order, then="?open=change#change-order").split(":8000")[1]
        world.clock.set(world.now.replace(hour=0, minute=0))
        days = (offer.serve_date - world.now.date()).days + 2
        world.clock.advance(days=days, seconds=-1)
        assert stranger.get(link).cookies
        stranger.cookies.clear()
        world.clock.advance(seconds=1)
        opened = stranger.get(link)
        assert opened["Location"] == order_path(order, then="?open=change#change-order")
        assert not opened.cookies
        assert "expired" not in stranger.get(opened["Location"]).text

    @pytest.mark.parametrize(
        "then",
        ["//evil.example", "/../../specials", "?a=b&done=cancel", "/data.json", "@x", "#é"],
    )
    def test_lead_nowhere_but_to_the_orders_page(self, stranger, order, then):
        link = guest_url(order, then=then).split(":8000")[1]
        assert stranger.get(link)["Location"] == order_path(order)

    def test_open_every_order_of_the_cart_with_the_same_address(self, world, stranger, offer):
        begun = world.begin_cart(offer, world.offer(name="Arancini"))
        world.give_card(begun)
        world.confirm_cart(begun)
        made = [item.pk for item in begun.items]
        first, second = PreOrder.objects.filter(pk__in=made).select_related("offer__restaurant")
        stranger.get(guest_url(first).split(":8000")[1])
        assert press(stranger, second, "note", note="No salt").status_code == 303
        assert world.fresh(second).note == "No salt"
        PreOrder.objects.filter(pk=second.pk).update(customer_email="other@example.test")
        stranger.cookies.clear()
        stranger.get(guest_url(first).split(":8000")[1])
        assert press(stranger, second, "note", note="x").status_code == 403


class TestRevoking:
    def test_ends_every_link_and_access_handed_out_so_far(self, world, api, stranger, order):
        old = order_path(order)
        elsewhere = api(at=world.restaurant)
        allow(elsewhere, order, now=world.now)
        emailed = data_url(order, now=world.now).split(":8000")[1]
        to_change = guest_url(order).split(":8000")[1]
        allow(stranger, order, now=world.now)
        done = press(stranger, order, "revoke")
        assert done.status_code == 303
        assert done["Location"].startswith(order_path(world.fresh(order)))
        assert stranger.get(done["Location"]).status_code == 200
        assert 'value="cancel"' in stranger.get(done["Location"]).text
        assert stranger.get(old).status_code == 404
        assert stranger.get(emailed).status_code == 404
        assert stranger.get(to_change).status_code == 404
        assert press(elsewhere, order, "cancel").status_code == 403


def test_the_kitchen_has_no_powers_of_the_guest(world, api, order, stranger):
    """They see address and code of every order; that opens nothing."""
    posted = {"email": VICTIM["email"], "code": order.code}
    answer = stranger.post("/find-order", posted, MULTIPART_CONTENT, headers=OURS)
    assert answer.status_code == 200
    assert "Location" not in answer.headers
    assert "/order/" not in answer.text


def test_the_receipt_names_the_guest_only_to_the_guest(world, stranger, order, offer):
    type(offer).objects.filter(pk=offer.pk).update(min_preorders=1)
    world.settle(offer)
    bare = stranger.get(order_path(order, then="/receipt.pdf")).content
    allow(stranger, order, now=world.now)
    full = stranger.get(order_path(order, then="/receipt.pdf")).content
    assert len(full) > len(bare) > 0
