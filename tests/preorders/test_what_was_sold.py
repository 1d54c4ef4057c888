"""What was sold is stored on the order, and guests are told when the dish changes (decision 49)."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.core import mail
from django.db.models import ProtectedError

from apps.common import rls
from apps.common.errors import Conflict
from apps.offers.images import photo_address
from apps.offers.models import OfferChange, OfferVersion, Photo
from apps.offers.sold_dishes import dish_now
from apps.offers.versions import GUEST_TERMS_UPDATED
from apps.preorders import tasks
from apps.preorders.checkout.payment_page import checkout_request
from apps.preorders.checkout.services import begin_order
from apps.preorders.documents.kitchen_sheet import sheet_of_offer
from apps.preorders.emails.outbox import send_email
from apps.preorders.manage.pickup import look_up
from apps.preorders.models import Email, PreOrder
from apps.preorders.models.states import EmailKind, PaymentStatus, PreOrderStatus
from apps.preorders.special.editing import (
    edit_menu_dish,
    edit_special,
    preview_dish_edit,
    preview_edit,
)
from tests.factories import DishFactory, PreOrderFactory
from tests.preorders.world import DANA


@pytest.fixture
def offer(world):
    return world.offer(
        name="Lobster",
        description="From Maine.",
        allergens=["crustaceans"],
        dietary=["gluten_free"],
        min_preorders=2,
    )


def edit(world, offer, **changes):
    return edit_special(
        restaurant=world.restaurant, offer_id=offer.pk, changes=changes, now=world.now, by="Maria"
    )


def told(world, order):
    return world.emails(order).count("dish_changed")


def body_of(order, kind, number=1):
    email = Email.objects.get(pre_order=order, kind=kind, number=number)
    send_email(email.pk, now=email.due_at)
    (message,) = [one for one in mail.outbox if str(email.pk) in one.extra_headers["Message-ID"]]
    return message.subject, " ".join(str(message.body).split())


class TestKeeping:
    def test_an_order_keeps_what_its_guest_was_shown_and_agreed_to(self, world, offer):
        order = world.begin(offer, 2)
        stored = world.fresh(order)
        assert (stored.sold.name, stored.sold.description) == ("Lobster", "From Maine.")
        assert (stored.sold.allergens, stored.sold.dietary) == (["crustaceans"], ["gluten_free"])
        assert (stored.sold.special_price, stored.sold.regular_price) == (24, 30)
        assert stored.consent_text == (
            "No charge today. We'll charge your card on Tue, Mar 23, 12:00 PM EDT if 2 portions "
            "are ordered. If not, you pay nothing. You can change or cancel for free until then. "
            "By ordering, you agree to the terms of service."
        )
        assert stored.terms_version == str(GUEST_TERMS_UPDATED)
        assert stored.consented_at == world.now

    def test_a_guest_on_the_phone_and_of_a_cart_agrees_by_giving_a_card(self, world, offer):
        by_phone = world.phone(offer, email="caller@example.test")
        in_cart = world.begin_cart(offer, world.offer())
        assert world.fresh(by_phone).consented_at is None
        assert world.fresh(in_cart.items[0]).consented_at is None
        world.later(minutes=3)
        world.pay(by_phone)
        world.hear(by_phone)
        world.give_card(in_cart)
        world.confirm_cart(in_cart)
        assert world.fresh(by_phone).consented_at == world.now
        stored = world.fresh(in_cart.items[0])  # by Stripe's clock, which is a real one
        assert stored.consented_at - world.now < timedelta(seconds=5)

    def test_orders_of_an_unchanged_special_share_one_row(self, world, offer):
        orders = [world.begin(offer), world.begin(offer)]
        assert len({order.sold_id for order in orders}) == 1
        edit(world, offer, description="From Nova Scotia.")
        later = world.begin(world.fresh(offer))
        assert later.sold.number == 2
        assert OfferVersion.objects.filter(offer=offer).count() == 2

    def test_a_photo_that_was_shown_cannot_be_deleted(self, world, offer):
        photo = Photo.objects.create(restaurant=world.restaurant, width=10, height=10, widths=[10])
        type(offer).objects.filter(pk=offer.pk).update(photo=photo)
        order = world.begin(world.fresh(offer))
        edit(world, offer, image_url="")
        assert world.fresh(offer).photo is None
        assert order.sold.photo_id == photo.pk
        with pytest.raises(ProtectedError):
            photo.delete()

    def test_stripes_page_shows_the_photo_that_was_sold(self, world, offer):
        photo = Photo.objects.create(restaurant=world.restaurant, width=10, height=10, widths=[10])
        type(offer).objects.filter(pk=offer.pk).update(photo=photo)
        order = world.begin(world.fresh(offer))
        edit(world, offer, image_url="")
        asked = checkout_request(
            world.fresh(order), expires_at=order.checkout_expires_at, hold_only=True, note=""
        )
        assert asked.item.photo_url == photo_address(photo, world.restaurant)

    def test_stripes_page_says_when_it_is_served_below_the_dish(self, world, offer):
        """Its heading is the restaurant's name."""
        order = world.begin(offer)
        asked = checkout_request(
            order, expires_at=order.checkout_expires_at, hold_only=True, note=""
        )
        assert asked.item.description.startswith(f"{order.serving.text} · ")
        assert world.restaurant.name not in asked.item.description

    def test_what_was_sold_is_in_everything_about_the_order(self, world, offer, client):
        order = world.authorized_order(offer, 2)
        edit(world, offer, name="Soup")
        order = world.fresh(order)
        assert order.served_name == "Lobster"
        subject, body = body_of(order, EmailKind.RECEIVED)
        assert subject.startswith("You're in for Lobster")
        assert "Soup" not in body
        world.settle(offer)
        assert body_of(world.fresh(order), EmailKind.CONFIRMED)[0].startswith("It's on: Lobster")
        answer = client.get(f"/api/pre-orders/{order.pk}").json()
        assert answer["dish"] == {"id": str(offer.pk), "name": "Lobster", "imageUrl": None}

    def test_the_alternative_is_stored_too(self, world):
        dish = DishFactory(restaurant=world.restaurant, name="Risotto", allergens=["milk"])
        offer = world.offer(min_preorders=5, has_alternative=True, alternative_dish=dish)
        order = world.begin(offer, consent=True)
        world.pay(order)
        world.hear(order)
        world.settle(offer)
        with rls.acting_as(rls.PLATFORM):
            edit_menu_dish(
                restaurant=world.restaurant,
                dish_id=dish.pk,
                changes={"name": "Toast"},
                now=world.now,
            )
        order = world.fresh(order)
        assert (order.serves_alternative, order.served_name) == (True, "Risotto")
        assert order.sold.alternative_allergens == ["milk"]
        assert told(world, order) == 0  # it is decided

    def test_a_dish_that_changed_while_the_guest_read_its_page_is_not_ordered(self, world, offer):
        shown = dish_now(offer).fingerprint
        edit(world, offer, allergens=["crustaceans", "nuts"])
        with pytest.raises(Conflict, match="just changed this dish"):
            begin_order(
                offer_id=offer.pk,
                quantity=1,
                guest=DANA,
                claimed_total=None,
                shown_dish=shown,
                now=world.now,
            )
        assert not PreOrder.objects.exists()


class TestTelling:
    def test_guests_are_told_of_new_allergens_and_can_leave(self, world, offer):
        order, other = world.authorized_order(offer), world.authorized_order(offer)
        changes = {"allergens": ["crustaceans", "milk"]}
        said = preview_edit(restaurant=world.restaurant, offer_id=offer.pk, changes=changes)
        assert (said, told(world, order)) == (2, 0)
        edit(world, offer, **changes)
        assert [told(world, each) for each in (order, other)] == [1, 1]
        subject, body = body_of(order, EmailKind.DISH_CHANGED)
        assert subject == "Lobster has changed since you ordered it"
        assert "Contains: crustacean shellfish and milk. When you ordered: crustacean" in body
        assert "cancel for free with the link below" in body
        change = OfferChange.objects.get(offer=offer)
        assert change.guests_told == 2
        assert change.detail == (
            "Changed: allergens from Crustacean shellfish to Crustacean shellfish, Milk"
        )
        world.cancel(order)
        world.work()
        assert world.fresh(order).payment_status == PaymentStatus.RELEASED

    def test_the_email_is_in_the_language_of_the_order(self, world, offer):
        order = world.authorized_order(offer)
        PreOrder.objects.filter(pk=order.pk).update(language="es")
        edit(world, offer, name="Soup", allergens=[])
        subject, body = body_of(world.fresh(order), EmailKind.DISH_CHANGED)
        assert subject == "Lobster cambió después de tu pedido"
        assert "Contiene: nada indicado. Cuando pediste: crustáceos." in body

    @pytest.mark.parametrize(
        "changes",
        [
            {"name": "lobster!"},
            {"description": "From Maine"},
            {"special_price": Decimal("23.00")},
            {"image_url": ""},
        ],
        ids=["case and punctuation", "a full stop", "a lower price", "the photo"],
    )
    def test_nobody_is_told_of_a_correction(self, world, offer, changes):
        order = world.authorized_order(offer)
        edit(world, offer, **changes)
        assert told(world, order) == 0
        assert [row.guests_told for row in OfferChange.objects.filter(offer=offer)] in ([0], [])

    def test_only_those_who_were_sold_something_else_are_told(self, world, offer):
        first = world.authorized_order(offer)
        edit(world, offer, dietary=[])
        second = world.authorized_order(world.fresh(offer))
        edit(world, offer, dietary=["gluten_free"])
        assert [told(world, order) for order in (first, second)] == [1, 1]
        edit(world, offer, dietary=["gluten_free"], special_price=Decimal("20.00"))
        assert [told(world, order) for order in (first, second)] == [1, 1]

    def test_who_ends_the_checkout_after_the_change_is_told_then(self, world, offer):
        order = world.begin(offer)
        edit(world, offer, allergens=["crustaceans", "nuts"])
        assert told(world, order) == 0
        world.pay(order)
        world.hear(order)
        assert world.emails(order) == ["dish_changed", "received"]

    def test_a_guest_charged_early_is_told_and_refunded_when_they_leave(self, world):
        offer = world.offer(deadline=world.now + timedelta(days=6, hours=23), min_preorders=1)
        order = world.authorized_order(offer)
        world.later(days=6, minutes=10)
        tasks.renew_authorizations_task.delay()
        world.work()
        assert world.fresh(order).payment_status == PaymentStatus.CAPTURED
        edit(world, offer, name="Soup")
        _, body = body_of(order, EmailKind.DISH_CHANGED)
        assert "You can cancel until" in body
        world.cancel(order)
        world.work()
        assert world.fresh(order).payment_status == PaymentStatus.REFUNDED

    def test_an_email_is_not_sent_once_the_change_was_undone(self, world, offer):
        order = world.authorized_order(offer)
        edit(world, offer, name="Soup")
        edit(world, offer, name="Lobster")
        email = Email.objects.get(pre_order=order, kind=EmailKind.DISH_CHANGED)
        assert not send_email(email.pk, now=world.now)

    def test_those_who_chose_the_alternative_are_told_when_it_changes(self, world):
        dish = DishFactory(restaurant=world.restaurant, name="Risotto")
        offer = world.offer(min_preorders=5, has_alternative=True, alternative_dish=dish)
        chosen = world.begin(offer, consent=True)
        world.pay(chosen)
        world.hear(chosen)
        other = world.authorized_order(offer)
        facts = {
            "restaurant": world.restaurant,
            "dish_id": dish.pk,
            "changes": {"allergens": ["nuts"]},
        }
        assert preview_dish_edit(**facts) == 1
        edit_menu_dish(**facts, now=world.now, by="Maria")
        assert [told(world, order) for order in (chosen, other)] == [1, 0]
        change = OfferChange.objects.get(offer=offer)
        assert (change.detail, change.guests_told) == ("Alternative changed: Risotto", 1)


class TestTheLastHour:
    def test_another_dish_is_refused_and_nothing_is_saved(self, world, offer):
        order = world.authorized_order(offer)
        world.at(offer.deadline - timedelta(minutes=59))
        with pytest.raises(Conflict, match="1 guest ordered this dish as it was"):
            edit(world, offer, name="Soup")
        assert world.fresh(offer).name == "Lobster"
        assert told(world, order) == 0
        assert not OfferChange.objects.filter(offer=offer).exists()

    def test_a_warning_is_always_saved_and_told(self, world, offer):
        order = world.authorized_order(offer)
        world.at(offer.deadline - timedelta(minutes=1))
        edit(world, offer, allergens=["crustaceans", "nuts"], dietary=[])
        assert told(world, order) == 1

    def test_anything_can_change_while_nobody_ordered(self, world, offer):
        world.at(offer.deadline - timedelta(minutes=1))
        assert edit(world, offer, name="Soup").name == "Soup"


class TestTheKitchen:
    @pytest.fixture
    def paid(self, world, offer):
        order = PreOrderFactory(
            offer=offer,
            customer_name="Ada",
            status=PreOrderStatus.CONFIRMED,
            payment_status=PaymentStatus.CAPTURED,
        )
        type(offer).objects.filter(pk=offer.pk).update(
            name="Soup", allergens=["milk"], status="succeeded", serve_date=world.now.date()
        )
        return order

    def test_the_sheet_says_who_was_promised_something_else(self, world, offer, paid):
        sheet = sheet_of_offer(restaurant=world.restaurant, offer_id=offer.pk)
        assert sheet is not None
        (part,) = sheet.offers
        assert [(dish.name, dish.portions) for dish in part.dishes] == [("Soup", 1)]
        (changed,) = part.changed
        assert changed.order == paid
        assert changed.changes == [
            "Dish: Soup. You ordered: Lobster.",
            "Contains: milk. When you ordered: crustacean shellfish.",
        ]

    def test_whoever_hands_it_over_reads_it_too(self, world, paid):
        found = look_up(restaurant=world.restaurant, code=paid.code, now=world.now)
        assert found.sentence == (
            "Hand over 1 portion. Tell the guest what changed. Dish: Soup. You ordered: Lobster. "
            "Contains: milk. When you ordered: crustacean shellfish."
        )
