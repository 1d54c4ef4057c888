"""Staff suspend a restaurant: what happens to its specials, guests, team, payouts, and pages."""

import html
from datetime import timedelta
from decimal import Decimal

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import transaction

from apps.activity.models import LoggedEvent
from apps.admin_ops.suspension import (
    CLOSED_FOR_GOOD,
    OpenSpecials,
    restore_restaurant,
    suspend_restaurant,
)
from apps.billing import payouts
from apps.billing.models import Payout
from apps.billing.services import count_publication
from apps.common import rls
from apps.common.errors import Conflict, Forbidden, Invalid
from apps.preorders.core.links import order_path
from apps.preorders.guest.changes import change_quantity
from apps.restaurants.models import Restaurant
from apps.restaurants.services.closing import close_restaurant
from tests.factories import MembershipFactory, RestaurantFactory, StaffFactory, UserFactory
from tests.faults.ledger import assert_ledger_balances

WHY = "Closed by the health department"
RUN, CANCEL = OpenSpecials


@pytest.fixture
def offer(world):
    return world.offer(name="Osso buco", min_preorders=2)


@pytest.fixture
def restaurant(world, offer):
    return offer.restaurant


def suspend(world, specials=RUN, **more):
    return suspend_restaurant(
        restaurant_id=world.restaurant.pk, reason=WHY, specials=specials, now=world.now, **more
    )


def restore(world):
    return restore_restaurant(restaurant_id=world.restaurant.pk, now=world.now)


def status_of(restaurant):
    with rls.acting_as(rls.PLATFORM):
        return str(Restaurant.objects.get(pk=restaurant.pk).status)


class TestLettingSpecialsRun:
    def test_the_holds_stay_and_are_charged_at_the_deadline(self, world, offer):
        orders = [world.authorized_order(offer) for _ in range(2)]
        suspend(world)
        world.work()
        assert [str(world.fresh(each).payment_status) for each in orders] == ["authorized"] * 2
        assert world.settle(offer).status == "succeeded"
        assert [str(world.fresh(each).payment_status) for each in orders] == ["captured"] * 2
        assert_ledger_balances(world, offer)

    def test_nobody_can_order_and_no_card_is_held(self, world, offer):
        suspend(world)
        with pytest.raises(Conflict, match="isn't taking orders right now. Your card wasn't held"):
            world.begin(offer)
        assert world.sessions() == []

    def test_a_checkout_that_is_open_can_be_finished(self, world, offer):
        paying = world.begin(offer)
        suspend(world)
        world.pay(paying)
        world.hear(paying)
        world.work()
        assert world.fresh(paying).payment_status == "authorized"

    def test_a_guest_can_cancel_and_take_fewer_portions_but_not_more(self, world, offer):
        order, other = world.authorized_order(offer, 2), world.authorized_order(offer)
        suspend(world)
        with pytest.raises(Conflict, match="you can't add portions"):
            change_quantity(order=world.fresh(order), quantity=3, now=world.now)
        change_quantity(order=world.fresh(order), quantity=1, now=world.now)
        assert world.fresh(order).quantity == 1
        world.cancel(other)
        world.work()
        assert world.fresh(other).payment_status == "released"


class TestCancelingSpecials:
    def test_every_hold_is_released_and_every_guest_told_by_us(self, world, offer):
        orders = [world.authorized_order(offer) for _ in range(2)]
        done = suspend(world, CANCEL, guests_reason="The kitchen is closed.")
        assert (done.specials, done.orders) == (1, 2)
        world.work()
        for order in orders:
            order = world.fresh(order)
            assert (order.status, order.payment_status) == ("cancelled", "released")
            assert world.emails(order) == ["cancelled", "received"]
        message = next(each for each in mail.outbox if each.subject.startswith("Fully Booked"))
        assert message.subject.endswith(" canceled Osso buco. You weren't charged")
        assert "Fully Booked says:\n\n> The kitchen is closed.\n" in message.body
        assert WHY not in message.body
        assert "Luigi's says" not in message.body
        assert world.settle(offer).status == "deleted"
        assert world.calls("POST /v1/payment_intents/{id}/capture") == 0
        assert_ledger_balances(world, offer)

    def test_a_special_that_is_being_decided_is_canceled_too(self, world):
        offer = world.offer(min_preorders=2, deadline=world.now + timedelta(minutes=5))
        held, paying = world.authorized_order(offer, 2), world.begin(offer)
        world.at(offer.deadline)
        assert world.close(offer) == "closing"
        suspend(world, CANCEL)
        world.work()
        assert world.fresh(offer).status == "deleted"
        assert {str(world.fresh(each).status) for each in (held, paying)} == {"cancelled"}
        assert world.fresh(held).payment_status == "released"
        assert world.close(offer) == "deleted"
        assert_ledger_balances(world, offer)

    def test_a_special_that_went_ahead_is_left_alone(self, world, offer):
        order = world.authorized_order(offer, 2)
        world.settle(offer)
        assert suspend(world, CANCEL).specials == 0
        world.work()
        assert world.fresh(order).payment_status == "captured"

    def test_what_was_left_to_run_can_be_canceled_later(self, world, offer):
        order = world.authorized_order(offer, 2)
        suspend(world)
        MembershipFactory(restaurant=offer.restaurant, role="owner")
        done = suspend(world, CANCEL)
        assert (done.is_new, done.specials) == (False, 1)
        world.work()
        [told] = [each for each in mail.outbox if "is suspended" in each.subject]
        assert "Open specials: Canceled. We released every hold and told your guests." in told.body
        assert world.fresh(order).payment_status == "released"


class TestTheRestaurant:
    def test_a_suspended_restaurant_cannot_publish(self, world, restaurant):
        suspend(world)
        with (
            rls.acting_as(restaurant),
            pytest.raises(Forbidden, match="suspended"),
            transaction.atomic(),
        ):
            count_publication(restaurant_id=restaurant.pk, now=world.now)

    def test_its_owners_are_emailed_the_reason_once(self, world, restaurant):
        owner = UserFactory(email="owner@luigis.test")
        MembershipFactory(user=owner, restaurant=restaurant, role="owner")
        suspend(world)
        suspend(world)
        world.work()
        [message] = [each for each in mail.outbox if "suspended" in each.subject]
        assert message.to == ["owner@luigis.test"]
        assert WHY in message.body

    def test_twice_changes_nothing_and_writes_one_event_and_one_row(self, world, restaurant):
        assert suspend(world).is_new
        assert not suspend(world).is_new
        with rls.acting_as(rls.PLATFORM):
            kinds = LoggedEvent.objects.values_list("kind", flat=True)
            assert list(kinds).count("restaurant_suspended") == 1
            [row] = restaurant.transitions.filter(field="status")
        assert (row.new, row.reason, row.actor) == ("suspended", WHY, "Fully Booked")

    @pytest.mark.parametrize("reason", ["", "  \n", "x" * 201])
    def test_without_a_reason_nothing_happens(self, world, restaurant, reason):
        with pytest.raises(Invalid):
            suspend_restaurant(
                restaurant_id=restaurant.pk, reason=reason, specials=CANCEL, now=world.now
            )
        assert status_of(restaurant) == "active"

    def test_one_that_its_owner_closed_stays_closed(self, world, restaurant):
        with rls.acting_as(rls.PLATFORM):
            close_restaurant(restaurant=restaurant, by=StaffFactory(), now=world.now)
        message = CLOSED_FOR_GOOD.format(restaurant=restaurant.name)
        for attempt in (suspend, restore):
            with pytest.raises(Conflict, match=message.split(",")[0]):
                attempt(world)
        assert status_of(restaurant) == "inactive"


class TestPayouts:
    @pytest.fixture
    def pending(self, world, offer):
        world.authorized_order(offer, 2)
        world.settle(offer)
        world.at(offer.serving_ends + timedelta(days=4))
        payouts.schedule_payouts(now=world.now)
        return Payout.objects.get()

    def test_one_that_was_scheduled_waits_and_continues_afterwards(self, world, pending):
        suspend(world)
        payouts.run_payout(payout_id=pending.pk, now=world.now)
        pending.refresh_from_db()
        assert (pending.status, pending.payout_id) == ("pending", None)
        assert pending.due_at > world.now
        assert world.calls("POST /v1/payouts") == 0
        restore(world)
        payouts.run_payout(payout_id=pending.pk, now=world.now)
        pending.refresh_from_db()
        assert pending.payout_id

    def test_no_payout_is_scheduled_during_a_suspension(self, world, offer):
        world.authorized_order(offer, 2)
        world.settle(offer)
        suspend(world)
        world.at(offer.serving_ends + timedelta(days=4))
        payouts.schedule_payouts(now=world.now)
        assert not Payout.objects.exists()
        restore(world)
        payouts.schedule_payouts(now=world.now)
        assert Payout.objects.get().amount > Decimal(0)


class TestRestoring:
    def test_pages_and_orders_are_back_and_canceled_specials_are_not(self, world, offer, api):
        stays, gone = offer, world.offer(name="Ribollita")
        owner = MembershipFactory(restaurant=offer.restaurant, role="owner").user
        suspend(world)
        world.work()
        assert api(at=stays.restaurant).get("/specials").status_code == 404
        restore(world)
        world.work()
        assert api(at=stays.restaurant).get("/specials").status_code == 200
        assert world.begin(stays).status == "pending"
        suspend(world, CANCEL)
        restore(world)
        assert {str(world.fresh(each).status) for each in (stays, gone)} == {"deleted"}
        world.work()
        back = [each.to for each in mail.outbox if "is back" in each.subject]
        assert back == [[owner.email]] * 2

    def test_an_active_one_stays_as_it_is(self, world, restaurant):
        assert not restore(world).is_new
        world.work()
        assert mail.outbox == []


class TestItsPages:
    @pytest.mark.parametrize("path", ["/", "/specials", "/patron", "/embed", "/nothing"])
    def test_say_that_it_takes_no_orders(self, world, offer, api, path):
        suspend(world)
        page = api(at=offer.restaurant).get(path)
        assert page.status_code == 404
        assert "isn&#x27;t taking orders right now" in page.content.decode()

    def test_the_api_says_so_too(self, world, offer, api):
        suspend(world)
        refused = api(at=offer.restaurant).post(
            "/api/pre-orders", {"dishId": str(offer.pk)}, content_type="application/json"
        )
        assert refused.status_code == 404
        assert "isn't taking orders" in refused.json()["message"]

    @pytest.mark.parametrize(
        ("status", "says"),
        [("suspended", "isn't taking orders right now"), ("inactive", "is no longer on")],
    )
    def test_the_platforms_host_says_so_of_the_one_that_is_named(
        self, world, offer, api, status, says
    ):
        with rls.acting_as(rls.PLATFORM):
            other = RestaurantFactory(name="Ming's")
            owner = MembershipFactory(restaurant=other).user
            Restaurant.objects.filter(pk=offer.restaurant_id).update(status=status)
        for client in (api(), api(owner)):  # and shows nobody another restaurant
            for path in ("/specials", "/patron", "/embed", f"/specials/{offer.pk}"):
                page = client.get(f"{path}?rid={offer.restaurant_id}")
                assert page.status_code == 404, path
                assert says in html.unescape(page.content.decode()), path
                assert "Ming" not in page.content.decode(), path
            refused = client.get(f"/api/specials/available?rid={offer.restaurant_id}")
            assert refused.status_code == 404
            assert says in refused.json()["message"]

    @pytest.mark.parametrize("status", ["suspended", "inactive"])
    def test_a_guests_order_link_still_shows_the_money(self, world, offer, api, status):
        order = world.authorized_order(offer)
        guest = api(at=offer.restaurant)
        with rls.acting_as(rls.PLATFORM):
            Restaurant.objects.filter(pk=offer.restaurant_id).update(status=status)
        page = guest.get(order_path(world.fresh(order)))
        text = page.content.decode()
        assert page.status_code == 200
        assert order.code in text
        assert "$25.92" in text
        assert f'href="/specials/{offer.pk}"' not in text
        assert guest.get(order_path(world.fresh(order), then="/calendar.ics")).status_code == 200
        assert guest.get("/find-order").status_code == 200
        assert guest.get(f"/pre-order-confirmation?preorder={order.pk}").status_code == 200
        assert guest.get(f"/api/pre-orders/{order.pk}").status_code == 200
        closed = guest.get("/specials")
        assert closed.status_code == 404
        shown = closed.content.decode()
        assert 'href="tel:+12125550100"' in shown  # of the restaurant's own header
        assert 'href="/find-order">Find your order</a>' in shown
        assert 'localhost:8000/patron">See other restaurants</a>' in shown

    def test_a_former_address_still_leads_there(self, world, offer, api):
        suspend(world)
        other = api(host="nobody.localhost").get("/specials")
        assert "Restaurant Not Found" in other.content.decode()


class TestItsTeam:
    def test_sees_and_hands_out_orders_and_changes_nothing_else(self, api, cast, clock):
        rows = Restaurant.objects.filter(pk=cast.restaurant.pk)
        rows.update(status="suspended")
        owner = api(cast.owner)
        assert owner.get("/api/orders").status_code == 200
        assert owner.get("/restaurant").status_code == 200
        assert "is suspended." in owner.get("/restaurant").content.decode()
        refused = owner.put("/api/restaurant", {"name": "Other"})
        assert (refused.status_code, refused.json()["code"]) == (403, "restaurant_closed")
        page = owner.get("/restaurant/team")
        assert page.status_code == 403
        assert "is suspended, so you can" in page.content.decode()

    def test_staff_still_see_it(self, api, cast, clock):
        Restaurant.objects.filter(pk=cast.restaurant.pk).update(status="suspended")
        shown = api(cast.staff).get(f"/restaurant?restaurant={cast.restaurant.pk}")
        assert shown.status_code == 200


class TestCommands:
    def test_suspending_and_restoring_twice_takes_effect_once(self, world, offer, capsys):
        order = world.authorized_order(offer)
        slug = offer.restaurant.slug
        asked = {"reason": WHY, "specials": "cancel"}
        call_command("suspend_restaurant", slug, dry_run=True, **asked)
        told = capsys.readouterr().out
        assert "would be suspended" in told
        assert "Osso buco would be canceled: 1 order, $25.92 held." in told
        assert status_of(offer.restaurant) == "active"
        for answer in ("is suspended.\nCanceled: 1 special, 1 order.", "was already suspended."):
            call_command("suspend_restaurant", slug, **asked)
            assert answer in capsys.readouterr().out
        world.work()
        assert world.fresh(order).payment_status == "released"
        call_command("restore_restaurant", str(offer.restaurant_id), dry_run=True)
        assert "Nothing was changed." in capsys.readouterr().out
        for answer in ("is back.", "wasn't suspended."):
            call_command("restore_restaurant", slug)
            assert answer in capsys.readouterr().out
        assert status_of(offer.restaurant) == "active"

    def test_refuse_with_exit_code_1(self, world, restaurant):
        with pytest.raises(CommandError, match="no restaurant nobody") as refused:
            call_command("restore_restaurant", "nobody")
        assert refused.value.returncode == 1
        with pytest.raises(CommandError, match="Give the reason"):
            call_command("suspend_restaurant", restaurant.slug, reason=" ", specials="run")
        with pytest.raises(CommandError, match="specials"):
            call_command("suspend_restaurant", restaurant.slug, reason=WHY)


class TestTheStaffsPage:
    @pytest.fixture
    def page(self, offer):
        return f"/staff/restaurants/{offer.restaurant_id}"

    def test_only_staff_see_the_page_and_can_use_it(self, api, cast, clock):
        page = f"/staff/restaurants/{cast.restaurant.pk}"
        assert api().get(page).status_code == 302
        for person in (cast.owner, cast.outsider):
            assert api(person).get(page).status_code == 403
            assert api(person).upload(page, {"action": "restore"}).status_code == 403
        assert api(cast.staff).get(page).status_code == 200
        assert api(cast.staff).get(f"/staff/restaurants/{cast.owner.pk}").status_code == 404

    def test_shows_what_is_open_and_suspends_and_restores(self, world, offer, api, page):
        world.authorized_order(offer, 2)
        staff = api(StaffFactory())
        shown = staff.get(page).content.decode()
        assert "Osso buco" in shown
        assert "$51.84" in shown
        refused = staff.upload(page, {"action": "suspend", "reason": "", "specials": ""})
        assert refused.status_code == 400
        assert "Choose what happens to the open specials." in refused.content.decode()
        assert status_of(offer.restaurant) == "active"
        asked = {"action": "suspend", "reason": WHY, "specials": "run", "guests_reason": "Later."}
        assert staff.upload(page, asked).status_code == 302
        shown = staff.get(page).content.decode()
        assert "is suspended." in shown
        assert WHY in shown
        assert "Cancel the open specials" in shown
        assert staff.upload(page, {"action": "restore"}).status_code == 302
        assert status_of(offer.restaurant) == "active"
        with rls.acting_as(rls.PLATFORM):
            event = LoggedEvent.objects.filter(kind="restaurant_suspended").get()
        assert event.actor_kind == "staff"
