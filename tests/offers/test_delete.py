"""DELETE /api/dishes/{id} and /api/specials/{id} (DECISIONS X16, X17)."""

import pytest

from apps.common import rls
from apps.offers.models import OfferTransition, SpecialOffer
from apps.offers.states import OfferStatus
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PaymentStatus, PreOrderStatus
from tests.factories import PreOrderFactory, SpecialOfferFactory
from tests.refusals import without_codes

pytestmark = [pytest.mark.django_db, pytest.mark.parametrize("path", ["dishes", "specials"])]
OWN_ORIGIN = {"HTTP_ORIGIN": "http://localhost"}


@pytest.fixture
def offer(cast, clock):
    return SpecialOfferFactory(restaurant=cast.restaurant, name="Osso buco")


def state(offer):
    with rls.acting_as(rls.PLATFORM):
        return SpecialOffer.objects.get(pk=offer.pk).status


def test_a_deleted_offer_is_hidden_and_its_row_stays(api, cast, offer, clock, platform, path):
    answer = api(cast.owner).delete(f"/api/{path}/{offer.pk}")
    assert answer.status_code == 200
    assert answer.json() == {
        "message": "Special offer deleted successfully",
        "hasPreorders": False,
        "offerName": "Osso buco",
    }
    row = SpecialOffer.objects.get()
    assert (row.status, row.deleted_at) == (OfferStatus.DELETED, clock.now)
    activity = OfferTransition.objects.get()
    assert (activity.old, activity.new, activity.at) == ("active", "deleted", clock.now)
    assert activity.actor == cast.owner.email
    assert api(cast.owner).delete(f"/api/{path}/{offer.pk}").status_code == 404


@pytest.mark.parametrize(
    ("traits", "kind"),
    [({}, "pre-orders"), ({"in_checkout": True}, "orders that aren't paid yet")],
)
def test_an_offer_with_orders_cannot_be_deleted(api, cast, offer, platform, path, traits, kind):
    PreOrderFactory(offer=offer, quantity=2, **traits)
    answer = api(cast.owner).delete(f"/api/{path}/{offer.pk}")
    assert answer.status_code == 409
    assert without_codes(answer.json()) == {
        "message": f"Osso buco has {kind} for 2 portions, so you can't delete it. "
        "To call it off, open it and choose “Cancel this special”: "
        "every hold is released, and every guest gets an email.",
        "hasPreorders": True,
        "offerName": "Osso buco",
        "errors": [],
    }
    assert state(offer) == OfferStatus.ACTIVE


def test_an_abandoned_order_does_not_keep_it(api, cast, offer, platform, path):
    PreOrderFactory(
        offer=offer,
        status=PreOrderStatus.CANCELLED,
        payment_status=PaymentStatus.UNPAID,
    )
    assert api(cast.owner).delete(f"/api/{path}/{offer.pk}").status_code == 200
    assert PreOrder.objects.count() == 1


@pytest.mark.parametrize("status", [OfferStatus.CLOSING, OfferStatus.SUCCEEDED, OfferStatus.FAILED])
def test_what_has_ended_stays_in_the_history(api, cast, offer, platform, path, status):
    SpecialOffer.objects.update(status=status)
    answer = api(cast.owner).delete(f"/api/{path}/{offer.pk}")
    assert (answer.status_code, answer.json()["hasPreorders"]) == (409, False)
    assert state(offer) == status


def test_the_deadline_ends_it_even_before_it_is_closed(api, cast, offer, clock, path):
    clock.set(offer.deadline)
    assert api(cast.owner).delete(f"/api/{path}/{offer.pk}").status_code == 409


def test_another_restaurants_offer_cannot_be_deleted(api, cast, offer, path):
    assert api().delete(f"/api/{path}/{offer.pk}").status_code == 401
    assert api(cast.stranger).delete(f"/api/{path}/{offer.pk}").status_code == 403
    assert api(cast.kitchen).delete(f"/api/{path}/{offer.pk}").status_code == 403
    assert api(cast.outsider).delete(f"/api/{path}/{offer.pk}").status_code == 404
    assert api(cast.outsider, at=cast.restaurant).delete(f"/api/{path}/{offer.pk}").status_code == (
        404
    )
    assert state(offer) == OfferStatus.ACTIVE


def test_our_own_page_needs_no_header_of_ours(api, cast, offer, path):
    """The contract's delete call sends none: cookie and origin say enough (DECISIONS X17)."""
    client = api(cast.owner, check_csrf=True)
    foreign = {"HTTP_ORIGIN": "http://evil.test"}
    assert client.delete(f"/api/{path}/{offer.pk}").status_code == 403
    assert client.delete(f"/api/{path}/{offer.pk}", **foreign).status_code == 403
    assert state(offer) == OfferStatus.ACTIVE
    assert client.delete(f"/api/{path}/{offer.pk}", **OWN_ORIGIN).status_code == 200
