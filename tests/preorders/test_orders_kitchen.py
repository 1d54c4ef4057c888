"""The kitchen sheet, on paper and by email: what is made, for whom, and when."""

import re
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from apps.offers.models import PickupSlot
from apps.preorders.models import Email
from apps.preorders.models.states import EmailKind, PaymentStatus, PreOrderStatus
from tests.factories import DishFactory, PreOrderFactory, SpecialOfferFactory

PAID = {"status": PreOrderStatus.CONFIRMED, "payment_status": PaymentStatus.CAPTURED}


@pytest.fixture
def offer(cast, clock, platform):
    return SpecialOfferFactory(
        restaurant=cast.restaurant,
        name="Osso buco",
        status="succeeded",
        allergens=["milk", "celery"],
        dietary=["gluten_free"],
        restaurant_portions=3,
    )


@pytest.fixture
def sheet(api, cast):
    """The page's text, on one line."""

    def ask(query="", person=None):
        answer = api(person or cast.kitchen).get(f"/restaurant/kitchen{query}")
        assert answer.status_code == 200
        inside = answer.content.decode().split("<main", 1)[1]
        return " ".join(re.sub(r"<[^>]+>", " ", inside).split())

    return ask


def test_the_sheet_shows_portions_allergens_requests_and_guests(sheet, offer):
    PreOrderFactory(offer=offer, quantity=2, customer_name="Ada", note="No garlic <b>", **PAID)
    order = PreOrderFactory(offer=offer, quantity=4, customer_name="Bo", **PAID)
    PreOrderFactory(offer=offer, quantity=9, customer_name="Gone", status="cancelled")
    text = sheet(f"?offer={offer.pk}")
    assert "9 portions" in text
    assert "6 Osso buco Contains: Celery, Milk Gluten-free" in text
    assert "3 Osso buco restaurant portions" in text
    assert "Allergies and special requests (1) Ada , 2 portions: No garlic &lt;b&gt;" in text
    assert f"4 Bo {order.code}" in text
    assert "Gone" not in text


def test_a_note_about_an_allergen_in_the_dish_comes_first_and_names_it(sheet, offer):
    PreOrderFactory(offer=offer, customer_name="Ada", note="Extra gremolata", **PAID)
    PreOrderFactory(offer=offer, customer_name="Bo", note="Sin apio: alérgico", **PAID)
    PreOrderFactory(offer=offer, customer_name="Cy", note="Celiac, no gluten", **PAID)
    text = sheet(f"?offer={offer.pk}")
    assert (
        "requests (3) Possible allergy Bo , 1 portion: Sin apio: alérgico The dish contains "
        "celery. Possible allergy Cy , 1 portion: Celiac, no gluten Ada , 1 portion: Extra "
        "gremolata"
    ) in text


def test_the_sheet_lists_guests_by_pickup_time_including_empty_ones(sheet, offer):
    times = [datetime(2027, 3, 24, hour, tzinfo=UTC) for hour in (21, 22, 23)]
    early, late = (
        PickupSlot.objects.create(
            offer=offer, restaurant_id=offer.restaurant_id, starts_at=start, ends_at=end
        )
        for start, end in zip(times, times[1:], strict=False)
    )
    PreOrderFactory(offer=offer, pickup_slot=early, customer_name="Ada", quantity=2, **PAID)
    PreOrderFactory(offer=offer, customer_name="Bo", **PAID)
    text = sheet(f"?offer={offer.pk}")
    assert "5:00–6:00 PM 1 order, 2 portions" in text
    assert "6:00–7:00 PM 0 orders, 0 portions" in text
    assert "No guests at this time." in text
    assert "Any time 1 order, 1 portion" in text
    assert late.pk


def test_the_alternative_is_its_own_dish(sheet, cast, clock, platform):
    dish = DishFactory(restaurant=cast.restaurant, name="Penne", allergens=["gluten"])
    offer = SpecialOfferFactory(
        restaurant=cast.restaurant,
        status="failed",
        restaurant_portions=2,
        has_alternative=True,
        alternative_dish=dish,
    )
    PreOrderFactory(offer=offer, quantity=2, serves_alternative=True, **PAID)
    PreOrderFactory(offer=offer, quantity=5)  # its hold is being released
    text = sheet(f"?offer={offer.pk}")
    assert "2 portions" in text
    assert "2 Penne served instead Contains: Gluten" in text
    assert "restaurant portions" not in text


def test_a_sheet_before_the_decision_says_so(sheet, cast, clock, platform):
    offer = SpecialOfferFactory(restaurant=cast.restaurant, min_preorders=5)
    PreOrderFactory(offer=offer, quantity=3)
    PreOrderFactory(offer=offer, quantity=1, in_checkout=True)
    assert "Not decided yet: 3 of 5 portions ordered." in sheet(f"?offer={offer.pk}")


def test_who_still_has_to_pay_is_not_counted(sheet, offer):
    PreOrderFactory(offer=offer, customer_name="Cy", payment_status="capture_failed")
    text = sheet(f"?offer={offer.pk}")
    assert "Not paid yet: Cy (1 portion)" in text
    assert "3 portions" in text  # the restaurant's own


def test_a_day_holds_all_its_specials_and_nobody_elses(sheet, cast, offer):
    foreign = SpecialOfferFactory(restaurant=cast.other, name="Dumplings", status="succeeded")
    PreOrderFactory(offer=foreign, **PAID)
    SpecialOfferFactory(restaurant=cast.restaurant, name="Nobody's", status="failed")
    PreOrderFactory(offer=offer, **PAID)
    text = sheet("?day=2027-03-24")
    assert "Osso buco" in text
    assert "Dumplings" not in text
    assert "Nobody's" not in text
    assert "No orders for Tue, Mar 23." in sheet("?day=2027-03-23")
    assert "No orders for Mon, Mar 22." in sheet()


def test_the_team_sees_the_sheet_and_nobody_else(api, cast, offer):
    path = f"/restaurant/kitchen?offer={offer.pk}"
    for person in (cast.owner, cast.manager, cast.kitchen):
        assert api(person).get(path).status_code == 200
    assert api(cast.outsider).get(path).status_code == 404
    assert api().get(path).status_code == 302
    for wrong in ("?offer=x", "?offer=00000000-0000-4000-8000-000000000000"):
        assert api(cast.owner).get(f"/restaurant/kitchen{wrong}").status_code == 404
    for wrong in ("?day=someday", "?day=0001-01-01", "?day=9999-12-31"):
        assert api(cast.owner).get(f"/restaurant/kitchen{wrong}").status_code == 400


def test_a_sheet_sends_as_many_statements_for_any_number_of_orders(
    api, cast, offer, django_assert_num_queries
):
    client = api(cast.kitchen)
    path = f"/restaurant/kitchen?offer={offer.pk}"
    client.get(path)
    PreOrderFactory.create_batch(20, offer=offer, **PAID)
    with django_assert_num_queries(5):
        client.get(path)


def kitchen_email(world, offer, mailoutbox):
    """The one email with the kitchen sheet, after the special is decided at its deadline."""
    world.at(offer.deadline)
    world.close(offer)
    world.work()
    (sent,) = (each for each in mailoutbox if each.subject.startswith("Kitchen:"))
    return sent


class TestByEmail:
    def test_the_sheet_is_emailed_once_when_the_special_goes_ahead(self, world, mailoutbox):
        offer = world.offer(min_preorders=2, allergens=["fish"])
        order = world.authorized_order(offer, 2)
        type(order).objects.filter(pk=order.pk).update(note="No garlic")
        world.at(offer.deadline)
        world.close(offer)
        world.close(offer)
        world.work()
        (email,) = Email.objects.filter(kind=EmailKind.KITCHEN_SHEET)
        assert email.sent_at
        sent = [each for each in mailoutbox if each.to == [world.restaurant.email]]
        assert [message.subject for message in sent] == [
            f"Kitchen: 2 portions of {offer.name} for Wed, Mar 24"
        ]
        body = sent[0].body
        assert "\n2 portions\n1 order\n" in body
        assert "start of service" not in body  # the restaurant named no time
        assert "Contains: Fish" in body
        assert f"{order.customer_name}: No garlic" in body
        assert f"/restaurant/kitchen?offer={offer.pk}" in body

    def test_an_allergy_to_what_is_in_the_dish_stands_in_a_box_above_all_else(
        self, world, mailoutbox
    ):
        offer = world.offer(min_preorders=2, allergens=["gluten", "milk"])
        order = world.authorized_order(offer, 2)
        type(order).objects.filter(pk=order.pk).update(note="Celiac!")
        sent = kitchen_email(world, offer, mailoutbox)
        assert "Contains: Gluten and milk\n" in sent.body
        allergy = (
            f"Possible allergy\n{order.customer_name} (2): “Celiac!” The dish contains gluten."
        )
        assert allergy in sent.body
        assert sent.body.index(allergy) < sent.body.index("Print the kitchen sheet")
        shown = sent.alternatives[0][0]
        assert shown.index('class="alert"') < shown.index("Celiac!") < shown.index('class="button"')

    def test_an_allergy_to_what_is_no_listed_allergen_stands_in_the_box_too(
        self, world, mailoutbox
    ):
        offer = world.offer(min_preorders=2, allergens=["milk"])
        order = world.authorized_order(offer, 2)
        note = "One portion without gremolata, please: lemon allergy."
        type(order).objects.filter(pk=order.pk).update(note=note)
        sent = kitchen_email(world, offer, mailoutbox)
        assert f"Possible allergy\n{order.customer_name} (2): “{note}”\n" in sent.body
        assert "The dish contains" not in sent.body
        assert sent.body.count("gremolata") == 1

    def test_the_email_lists_only_pickup_times_somebody_chose(self, world, mailoutbox):
        offer = world.offer(min_preorders=2)
        order = world.authorized_order(offer, 2)
        times = [datetime(2027, 3, 24, hour, tzinfo=UTC) for hour in (21, 22, 23)]
        chosen, _nobodys = (
            PickupSlot.objects.create(
                offer=offer, restaurant_id=offer.restaurant_id, starts_at=start, ends_at=end
            )
            for start, end in pairwise(times)
        )
        type(order).objects.filter(pk=order.pk).update(pickup_slot=chosen)
        sent = kitchen_email(world, offer, mailoutbox)
        assert f"5:00–6:00 PM: 2 portions: {order.customer_name} (2)" in sent.body
        assert "0 portions" not in sent.body

    def test_the_sheet_is_not_emailed_when_nothing_is_cooked(self, world, mailoutbox):
        offer = world.offer(min_preorders=5)
        world.authorized_order(offer, 2)
        world.at(offer.deadline)
        world.close(offer)
        world.work()
        assert not Email.objects.filter(kind=EmailKind.KITCHEN_SHEET).exists()
