"""Who may call what: every operation of the API's description, with each kind of person.

One table says who is let in. An operation that is not in it fails the test, so whoever adds one has
to say whom it is for. Ids and `?restaurant=` name a restaurant's own rows throughout, so that what
is refused is refused for who asks.
"""

from dataclasses import dataclass
from typing import Any

import pytest
from django.db import transaction

from apps.accounts.models import BearerToken
from apps.accounts.services import issue_token
from apps.accounts.services.tokens import digest_of
from apps.preorders.models import Cart
from apps.restaurants.models import Invitation
from tests.conftest import NOON, Cast
from tests.contract.test_every_operation import OPERATIONS
from tests.factories import DishFactory, PreOrderFactory, SpecialOfferFactory

pytestmark = pytest.mark.django_db

PEOPLE = ("anonymous", "stranger", "kitchen", "manager", "owner", "outsider", "staff")
EVERYBODY = frozenset(PEOPLE)
SIGNED_IN = EVERYBODY - {"anonymous"}
OWNER = frozenset({"owner"})
EDITORS = frozenset({"owner", "manager"})
TEAM = frozenset({"owner", "manager", "kitchen"})
TEAM_AND_STAFF = frozenset({"owner", "manager", "kitchen", "staff"})
OWNER_AND_STAFF = frozenset({"owner", "staff"})
NOBODY_SIGNED_IN = frozenset({"anonymous"})

WHO_CAN = {
    # coming in
    "POST /api/login": EVERYBODY,
    "POST /api/logout": EVERYBODY,
    "POST /api/register": EVERYBODY,
    "POST /api/send-email-confirmation": EVERYBODY,
    "POST /api/verify-email-confirmation": EVERYBODY,
    "POST /api/forgot-password": EVERYBODY,
    "POST /api/validate-reset-token": EVERYBODY,
    "POST /api/reset-password": EVERYBODY,
    "GET /api/hcaptcha-config": EVERYBODY,
    "POST /api/verify-hcaptcha": EVERYBODY,
    "POST /api/multi-tenant/register": EVERYBODY,
    # one's own account; the token of the table is the owner's
    "PUT /api/restaurant/password": SIGNED_IN,
    "GET /api/account/data": SIGNED_IN,
    "GET /api/account/deletion": SIGNED_IN,
    "POST /api/account/deletion": SIGNED_IN,
    "GET /api/tokens": SIGNED_IN,
    "POST /api/tokens": SIGNED_IN,
    "GET /api/subdomain-check": OWNER,
    "DELETE /api/tokens/{token_id}": OWNER,
    # guests
    "GET /api/health": EVERYBODY,
    "GET /api/tenants": EVERYBODY,
    "GET /api/restaurants/{restaurant_id}": EVERYBODY,
    "GET /api/restaurants/by-subdomain/{subdomain}": EVERYBODY,
    "GET /api/restaurant": EVERYBODY,
    "GET /api/places": EVERYBODY,
    "GET /api/dishes": EVERYBODY,
    "GET /api/specials/available": EVERYBODY,
    "GET /api/specials/restaurant/{restaurant_id}": EVERYBODY,
    "GET /api/specials/{offer_id}": EVERYBODY,
    "GET /api/specials/{offer_id}/progress": EVERYBODY,
    "GET /api/specials/progress": EVERYBODY,
    "POST /api/specials/{offer_id}/seen": EVERYBODY,
    "POST /api/pre-orders": EVERYBODY,
    "GET /api/pre-orders/{reference}": EVERYBODY,
    "GET /api/cart/offers": EVERYBODY,
    "POST /api/create-multi-offer-payment-intent": EVERYBODY,
    "GET /api/checkouts/{checkout_id}": EVERYBODY,
    "DELETE /api/checkouts/{checkout_id}": EVERYBODY,
    "POST /api/checkouts/{checkout_id}/confirm": EVERYBODY,
    "POST /api/checkouts/{checkout_id}/items/{order_id}/retry": EVERYBODY,
    "POST /api/email-subscription": EVERYBODY,
    "POST /api/demo/track": EVERYBODY,
    # the specials
    "POST /api/dishes/special-offers": EDITORS,
    "PUT /api/dishes/{offer_id}": EDITORS,
    "DELETE /api/dishes/{offer_id}": EDITORS,
    "POST /api/dishes/{offer_id}/change": EDITORS,
    "DELETE /api/specials/{offer_id}": EDITORS,
    "GET /api/specials/history": TEAM_AND_STAFF,
    "GET /api/specials/advice": EDITORS,
    "GET /api/specials/{offer_id}/overview": TEAM_AND_STAFF,
    "POST /api/specials/{offer_id}/cancel": EDITORS,
    "GET /api/specials/{offer_id}/rescue": EDITORS,
    "POST /api/specials/{offer_id}/rescue": EDITORS,
    "GET /api/specials/{offer_id}/slots": TEAM_AND_STAFF,
    "PUT /api/specials/{offer_id}/slots": EDITORS,
    "POST /api/images/upload": EDITORS,
    "POST /api/upload-image": EDITORS,
    # the regular menu
    "GET /api/dishes/manage": TEAM_AND_STAFF,
    "POST /api/dishes/add-to-menu": EDITORS,
    "POST /api/menu/dishes": EDITORS,
    "PUT /api/menu/dishes/{dish_id}": EDITORS,
    "DELETE /api/menu/dishes/{dish_id}": EDITORS,
    "POST /api/menu/dishes/{dish_id}/change": EDITORS,
    "PUT /api/menu/order": EDITORS,
    # orders and the ledger
    "GET /api/orders": TEAM_AND_STAFF,
    "GET /api/orders/changes": TEAM_AND_STAFF,
    "GET /api/orders/export": EDITORS,
    "POST /api/orders/bulk": TEAM,
    "GET /api/orders/{order_id}": TEAM_AND_STAFF,
    "POST /api/orders/{order_id}/pick-up": TEAM,
    "POST /api/orders/{order_id}/no-show": TEAM,
    "POST /api/orders/{order_id}/undo": TEAM,
    "POST /api/orders/{order_id}/notes": TEAM,
    "POST /api/orders/{order_id}/resend": EDITORS,
    "POST /api/orders/{order_id}/new-link": EDITORS,
    "POST /api/orders/{order_id}/cancel": EDITORS,
    "GET /api/orders/{order_id}/refund": EDITORS,
    "POST /api/orders/{order_id}/refund": EDITORS,
    "POST /api/orders/phone": EDITORS,
    "GET /api/pick-up": TEAM,
    "GET /api/pick-up/today": TEAM,
    "GET /api/activity": OWNER,
    "GET /api/ledger": OWNER_AND_STAFF,
    "GET /api/analytics": OWNER_AND_STAFF,
    # announcements
    "GET /api/announcements": EDITORS,
    "POST /api/announcements/generate": EDITORS,
    "POST /api/announcements/post": EDITORS,
    "POST /api/send-announcement-courtesy-copy": EDITORS,
    # the restaurant
    "GET /api/restaurant/profile": TEAM_AND_STAFF,
    "GET /api/restaurant/completion": TEAM_AND_STAFF,
    "PUT /api/restaurant": OWNER,
    "PUT /api/restaurant/social": OWNER,
    "PUT /api/restaurant/settings": OWNER,
    "PUT /api/restaurant/subdomain": OWNER,
    "PUT /api/restaurant/upgrade-tier": OWNER,
    "POST /api/onboarding/complete": TEAM_AND_STAFF,
    "POST /api/restaurants/{restaurant_id}/choose": TEAM_AND_STAFF,
    "POST /api/subscription/create-checkout-session": OWNER,
    "GET /api/subscriptions/status": OWNER,
    "POST /api/subscriptions/billing-portal": OWNER,
    # its payment account
    "GET /api/connect-status": OWNER,
    "POST /api/connect-onboarding": OWNER,
    "POST /api/connect-dashboard": OWNER,
    "POST /api/stripe/onboarding": OWNER,
    # the team; the invitation is for an address without an account
    "GET /api/team": OWNER,
    "POST /api/team/invitations": OWNER,
    "DELETE /api/team/invitations/{invitation_id}": OWNER,
    "PUT /api/team/members/{user_id}": OWNER,
    "DELETE /api/team/members/{user_id}": OWNER,
    "GET /api/invitations/{token}": EVERYBODY,
    "POST /api/invitations/{token}": NOBODY_SIGNED_IN,
}
# Elsewhere than in the team a closed door looks like no door.
REFUSALS = {
    "anonymous": {401},
    "stranger": {403, 404},
    "outsider": {403, 404},
    "kitchen": {403},
    "manager": {403},
    "owner": {403},
    "staff": {403},
}
# The account of whoever asks has no such row.
NOT_THERE = {"DELETE /api/tokens/{token_id}"}


@dataclass(frozen=True)
class Scene:
    """A restaurant with a row for every id an operation may name."""

    cast: Cast
    ids: dict[str, Any]

    def path(self, template: str) -> str:
        named = f"?restaurant={self.cast.restaurant.pk}&rid={self.cast.restaurant.pk}"
        return template.format(**self.ids) + named


@pytest.fixture
def scene(cast, clock, platform):
    cast.restaurant.subscription_tier = "branded"  # a plan that has everything
    cast.restaurant.save(update_fields=["subscription_tier"])
    offer = SpecialOfferFactory(restaurant=cast.restaurant)
    issue_token(user=cast.owner, now=NOON)
    invitation = Invitation.objects.create(
        restaurant=cast.restaurant,
        email="nina@example.test",
        role="kitchen",
        digest=digest_of("a-token"),
        created_at=NOON,
        expires_at=NOON.replace(year=NOON.year + 1),
    )
    ordered = SpecialOfferFactory(restaurant=cast.restaurant)
    cart = Cart.objects.create(restaurant=cast.restaurant, created_at=NOON)
    ids = {
        "offer_id": offer.pk,
        "checkout_id": cart.pk,
        "dish_id": DishFactory(restaurant=cast.restaurant).pk,
        "reference": PreOrderFactory(offer=ordered).pk,
        "order_id": PreOrderFactory(offer=ordered, cart=cart).pk,
        "restaurant_id": cast.restaurant.pk,
        "subdomain": cast.restaurant.subdomain,
        "user_id": cast.kitchen.pk,
        "invitation_id": invitation.pk,
        "token": "a-token",
        "token_id": BearerToken.objects.get().public_id,
    }
    return Scene(cast, ids)


def test_the_table_has_every_operation_and_no_other():
    assert set(WHO_CAN) == {f"{method.upper()} {path}" for method, path, _ in OPERATIONS}


@pytest.mark.parametrize("operation", WHO_CAN)
def test_who_can_call_what(api, scene, operation):
    method, path = operation.split()
    for person in PEOPLE:
        with transaction.atomic():
            client = api(getattr(scene.cast, person, None))
            answer = getattr(client, method.lower())(scene.path(path))
            transaction.set_rollback(True)  # the next one finds what this one found
        refused = answer.status_code in (401, 403, 404)
        what = f"{person}: {answer.status_code} {answer.content[:200]!r}"
        assert refused == (person not in WHO_CAN[operation]), what
        if refused:
            missing = operation in NOT_THERE and person != "anonymous"
            assert answer.status_code in ({404} if missing else REFUSALS[person]), what
            assert answer.json()["message"]


@pytest.mark.parametrize("operation", [each for each in WHO_CAN if WHO_CAN[each] == EVERYBODY])
def test_a_public_sign_in_is_open_to_an_expired_session_too(api, scene, operation):
    method, path = operation.split()
    client = api()
    client.cookies["sessionid"] = "x" * 32
    assert getattr(client, method.lower())(scene.path(path)).status_code not in (401, 403, 404)
