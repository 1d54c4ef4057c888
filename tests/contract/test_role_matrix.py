"""Who can call what: every operation of the API's description, with each kind of person.

One table says who is allowed. An operation that isn't in it fails the test, so whoever adds one has
to say whom it is for. Ids and `?restaurant=` always name the restaurant's own rows, so that a
refusal is about the person and not the row.
"""

from dataclasses import dataclass
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from django.db import transaction

from apps.accounts.models import BearerToken
from apps.accounts.services import issue_token
from apps.accounts.services.tokens import digest_of
from apps.marketing.models import Announcement
from apps.preorders.core.friends import friends_token
from apps.preorders.models import Cart, PreOrder
from apps.restaurants.models import Invitation
from tests.caching import forget_everything
from tests.client import record_sign_in
from tests.conftest import NOON, Cast
from tests.contract.test_every_operation import OPERATIONS
from tests.factories import (
    DishFactory,
    MembershipFactory,
    PreOrderFactory,
    SpecialOfferFactory,
)
from tests.preorders.access import allow

pytestmark = pytest.mark.django_db

PEOPLE = ("anonymous", "stranger", "kitchen", "manager", "owner", "outsider", "staff")
EVERYBODY = frozenset(PEOPLE)
SIGNED_IN = EVERYBODY - {"anonymous"}
OWNER = frozenset({"owner"})
STAFF = frozenset({"staff"})
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
    # Of a team, only the owner; without a body nobody gets that far (billing/test_subscribing.py).
    "POST /api/create-subscription-payment-intent": EVERYBODY,
    "POST /api/restaurant/register": EVERYBODY,
    # one's own account; the token of the table is the owner's
    "PUT /api/restaurant/password": SIGNED_IN,
    "GET /api/account/data": SIGNED_IN,
    "GET /api/account/deletion": SIGNED_IN,
    "POST /api/account/deletion": SIGNED_IN,
    "GET /api/tokens": SIGNED_IN,
    "POST /api/tokens": SIGNED_IN,
    "GET /api/subdomain-check": OWNER,
    "DELETE /api/tokens/{tokenId}": OWNER,
    # the platform's staff
    "GET /api/admin/expiration-stats": STAFF,
    "POST /api/admin/process-expirations": STAFF,
    "GET /api/admin/scheduler/status": STAFF,
    "POST /api/admin/scheduler/start": STAFF,
    "POST /api/admin/scheduler/stop": STAFF,
    # guests
    "GET /api/health": EVERYBODY,
    "GET /api/health/live": EVERYBODY,
    "GET /api/health/ready": EVERYBODY,
    # the platform's staff
    "GET /api/logs": STAFF,
    "GET /api/users": STAFF,
    "POST /api/users": STAFF,
    "GET /api/users/{userId}": STAFF,
    "PUT /api/users/{userId}": STAFF,
    "DELETE /api/users/{userId}": STAFF,
    "GET /api/tenants": EVERYBODY,
    "GET /api/restaurants/{restaurantId}": EVERYBODY,
    "GET /api/restaurants/by-subdomain/{subdomain}": EVERYBODY,
    "GET /api/restaurant": EVERYBODY,
    "GET /api/places": EVERYBODY,
    "GET /api/dishes": EVERYBODY,
    "GET /api/specials/available": EVERYBODY,
    "GET /api/specials/restaurant/{restaurantId}": EVERYBODY,
    "GET /api/specials/{offerId}": EVERYBODY,
    "GET /api/specials/{offerId}/progress": EVERYBODY,
    "GET /api/specials/progress": EVERYBODY,
    "POST /api/specials/{offerId}/seen": EVERYBODY,
    "POST /api/specials/{offerId}/follow": EVERYBODY,
    "POST /api/specials/{offerId}/unfollow": EVERYBODY,
    "POST /api/notices/push": OWNER,
    "POST /api/notices/push/stop": OWNER,
    "POST /api/pre-orders": EVERYBODY,
    "GET /api/pre-orders/{reference}": EVERYBODY,
    "GET /api/specials/{offerId}/friends/{friendsLink}": EVERYBODY,
    "GET /api/cart/offers": EVERYBODY,
    "POST /api/create-multi-offer-payment-intent": EVERYBODY,
    "GET /api/checkouts/{checkoutId}": EVERYBODY,
    "DELETE /api/checkouts/{checkoutId}": EVERYBODY,
    "POST /api/checkouts/{checkoutId}/confirm": EVERYBODY,
    "POST /api/checkouts/{checkoutId}/resume": EVERYBODY,
    "POST /api/checkouts/{checkoutId}/items/{orderId}/retry": EVERYBODY,
    "POST /api/email-subscription": EVERYBODY,
    "POST /api/demo/track": EVERYBODY,
    # the specials
    "POST /api/dishes/special-offers": EDITORS,
    "PUT /api/dishes/{offerId}": EDITORS,
    "DELETE /api/dishes/{offerId}": EDITORS,
    "POST /api/dishes/{offerId}/change": EDITORS,
    "DELETE /api/specials/{offerId}": EDITORS,
    "GET /api/specials/history": TEAM_AND_STAFF,
    "GET /api/specials/advice": EDITORS,
    "GET /api/specials/{offerId}/overview": TEAM_AND_STAFF,
    "POST /api/specials/{offerId}/cancel": EDITORS,
    "POST /api/specials/{offerId}/messages": EDITORS,
    "POST /api/specials/{offerId}/messages/preview": EDITORS,
    "GET /api/specials/{offerId}/rescue": EDITORS,
    "POST /api/specials/{offerId}/rescue": EDITORS,
    "GET /api/specials/{offerId}/slots": TEAM_AND_STAFF,
    "PUT /api/specials/{offerId}/slots": EDITORS,
    "POST /api/images/upload": EDITORS,
    "POST /api/upload-image": EDITORS,
    # the regular menu
    "GET /api/dishes/manage": TEAM_AND_STAFF,
    "POST /api/dishes/add-to-menu": EDITORS,
    "POST /api/menu/dishes": EDITORS,
    "PATCH /api/menu/dishes/{dishId}": EDITORS,
    "DELETE /api/menu/dishes/{dishId}": EDITORS,
    "POST /api/menu/dishes/{dishId}/change": EDITORS,
    "PUT /api/menu/order": EDITORS,
    # orders and the ledger
    "GET /api/orders": TEAM_AND_STAFF,
    "GET /api/orders/changes": TEAM_AND_STAFF,
    "GET /api/orders/export": EDITORS,
    "POST /api/orders/bulk": TEAM,
    "GET /api/orders/{orderId}": TEAM_AND_STAFF,
    "POST /api/orders/{orderId}/pick-up": TEAM,
    "POST /api/orders/{orderId}/no-show": TEAM,
    "POST /api/orders/{orderId}/undo": TEAM,
    "POST /api/orders/{orderId}/notes": TEAM,
    "POST /api/orders/{orderId}/resend": EDITORS,
    "POST /api/orders/{orderId}/new-link": EDITORS,
    "POST /api/orders/{orderId}/cancel": EDITORS,
    "GET /api/orders/{orderId}/refund": EDITORS,
    "POST /api/orders/{orderId}/refund": EDITORS,
    "POST /api/orders/phone": EDITORS,
    "GET /api/pick-up": TEAM,
    "GET /api/pick-up/today": TEAM,
    "GET /api/pick-up/list": TEAM,
    "POST /api/pick-up/check-ins": TEAM,
    "GET /api/activity": OWNER,
    "GET /api/ledger": OWNER_AND_STAFF,
    "GET /api/ledger/orders": OWNER_AND_STAFF,
    "GET /api/today": TEAM_AND_STAFF,
    "GET /api/analytics": OWNER_AND_STAFF,
    # announcements
    "GET /api/announcements": EDITORS,
    "POST /api/announcements/generate": EDITORS,
    "POST /api/announcements/post": EDITORS,
    "PUT /api/announcements/reminder": EDITORS,
    "DELETE /api/announcements/{announcementId}/reminder": EDITORS,
    "POST /api/send-announcement-courtesy-copy": EDITORS,
    # the restaurant
    "GET /api/restaurant/profile": TEAM_AND_STAFF,
    "GET /api/restaurant/completion": TEAM_AND_STAFF,
    "PUT /api/restaurant": OWNER,
    "PUT /api/restaurant/embed-sites": OWNER,
    "PUT /api/restaurant/social": OWNER,
    "PUT /api/restaurant/settings": OWNER,
    "PUT /api/restaurant/subdomain": OWNER,
    "PUT /api/restaurant/upgrade-tier": OWNER,
    "POST /api/onboarding/complete": TEAM_AND_STAFF,
    "POST /api/restaurants/{restaurantId}/choose": TEAM_AND_STAFF,
    "POST /api/subscription/create-checkout-session": OWNER,
    "GET /api/subscriptions/status": OWNER,
    "POST /api/subscriptions/billing-portal": OWNER,
    "POST /api/subscriptions/cancel": OWNER,
    "POST /api/subscriptions/resume": OWNER,
    # its payment account
    "GET /api/connect-status": OWNER,
    "POST /api/connect-onboarding": OWNER,
    "POST /api/connect-dashboard": OWNER,
    "POST /api/stripe/onboarding": OWNER,
    # the team; the invitation is for an address without an account
    "GET /api/team": OWNER,
    "POST /api/team/invitations": OWNER,
    "DELETE /api/team/invitations/{invitationId}": OWNER,
    "PATCH /api/team/members/{userId}": OWNER,
    "DELETE /api/team/members/{userId}": OWNER,
    "GET /api/invitations/{token}": EVERYBODY,
    "POST /api/invitations/{token}": NOBODY_SIGNED_IN,
}
# Outside the team pages, a refusal looks like a row that doesn't exist.
REFUSALS = {
    "anonymous": {401},
    "stranger": {403, 404},
    "outsider": {403, 404},
    "kitchen": {403},
    "manager": {403},
    "owner": {403},
    "staff": {403},
}
# The account of the person who asks has no such row.
NOT_THERE = {"DELETE /api/tokens/{tokenId}"}


@dataclass(frozen=True)
class Scene:
    """A restaurant with a row for every id that an operation can name."""

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
    # Canceled, so that the offer can be deleted.
    starter = PreOrderFactory(offer=offer, status="cancelled", friends_until=NOON)
    announcement = Announcement.objects.create(
        restaurant=cast.restaurant, message="Osso buco", created_at=NOON, remind_at=NOON
    )
    ids = {
        "announcementId": announcement.pk,
        "offerId": offer.pk,
        "checkoutId": cart.pk,
        "dishId": DishFactory(restaurant=cast.restaurant).pk,
        "reference": PreOrderFactory(offer=ordered).pk,
        "orderId": PreOrderFactory(offer=ordered, cart=cart).pk,
        "restaurantId": cast.restaurant.pk,
        "subdomain": cast.restaurant.subdomain,
        "userId": cast.kitchen.pk,
        "invitationId": invitation.pk,
        "token": "a-token",
        "friendsLink": friends_token(starter),
        "tokenId": BearerToken.objects.get().public_id,
    }
    return Scene(cast, ids)


def test_the_table_has_every_operation_and_no_other():
    assert set(WHO_CAN) == {f"{method.upper()} {path}" for method, path, _ in OPERATIONS}


# Several operations share one scene and one sign-in of each person, which take longer than the
# calls. What an operation does is rolled back, so the next one finds the same data.
GROUPS = [list(WHO_CAN)[start::6] for start in range(6)]
in_groups = pytest.mark.parametrize("operations", GROUPS, ids=range(len(GROUPS)))


def sent(client, operation, scene, headers=None):
    method, path = operation.split()
    cookies = client.cookies.copy()
    forget_everything()  # such as numbers of attempts
    with transaction.atomic():
        answer = getattr(client, method.lower())(scene.path(path), headers=headers)
        transaction.set_rollback(True)
    client.cookies = cookies
    return answer


@in_groups
def test_who_can_call_what(api, scene, operations):
    clients = {person: api(getattr(scene.cast, person, None)) for person in PEOPLE}
    for operation, person in product(operations, PEOPLE):
        answer = sent(clients[person], operation, scene)
        refused = answer.status_code in (401, 403, 404)
        what = f"{operation}, {person}: {answer.status_code} {answer.content[:200]!r}"
        assert refused == (person not in WHO_CAN[operation]), what
        if refused:
            missing = operation in NOT_THERE and person != "anonymous"
            assert answer.status_code in ({404} if missing else REFUSALS[person]), what
            assert answer.json()["message"], what


@pytest.mark.parametrize("operation", [each for each in WHO_CAN if WHO_CAN[each] == EVERYBODY])
def test_a_public_sign_in_is_open_to_an_expired_session_too(api, scene, operation):
    method, path = operation.split()
    client = api()
    client.cookies["sessionid"] = "x" * 32
    assert getattr(client, method.lower())(scene.path(path)).status_code not in (401, 403, 404)


# --- the same operations by other credentials -----------------------------------------------------
# Each stands for one of the people above. The description says what a token can't do beyond that.
# The password in the body is a step-up, too (decision 56); without it the body is wrong first.
PROVEN_OTHERWISE = {"PUT /api/restaurant/password": True, "PUT /api/restaurant": True}
CREDENTIALS = {
    "an expired session": "anonymous",
    "an access to an order": "anonymous",
    "a staff session without the second factor": "stranger",
    "an expired token": "anonymous",
    "a token": "owner",
    "a token for orders": "owner",
    "a token to read": "owner",
}
DESCRIBED = {f"{method.upper()} {path}": operation for method, path, operation in OPERATIONS}
# Operations for which a token for orders suffices, and one to read doesn't.
FOR_ORDERS = {each for each in WHO_CAN if each.startswith("POST /api/orders/")} | {
    "GET /api/orders/{orderId}/refund",
    "POST /api/specials/{offerId}/messages",
    "POST /api/specials/{offerId}/messages/preview",
    "GET /api/pick-up",
    "GET /api/pick-up/today",
    "GET /api/pick-up/list",
    "POST /api/pick-up/check-ins",
}
EVERY_TOKEN = {"POST /api/logout"}  # a token can always end itself


def describes(operation, status, code):
    """Whether the operation's description has this code."""
    return f"`{code}`" in DESCRIBED[operation]["responses"].get(status, {}).get("description", "")


def with_credential(name, api, scene):
    """A client with the credential, and the headers of its requests."""
    cast = scene.cast
    client = api()
    lifetime, scope = timedelta(days=30), BearerToken.Scope.EVERYTHING
    match name:
        case "an expired session":
            client.cookies["sessionid"] = "x" * 32
            return client, {}
        case "an access to an order":
            allow(client, PreOrder.objects.get(pk=scene.ids["orderId"]), now=NOON)
            return client, {}
        case "a staff session without the second factor":
            client.force_login(cast.staff)
            record_sign_in(client, cast.staff, by_factor=False)
            return client, {}
        case "an expired token":
            lifetime = timedelta(seconds=-1)
        case "a token for orders":
            scope = BearerToken.Scope.ORDERS
        case "a token to read":
            scope = BearerToken.Scope.READ
    token = issue_token(user=cast.owner, scope=scope, lifetime=lifetime, now=NOON)
    return client, {"authorization": f"Bearer {token}"}


def refusal_by(name, operation):
    """The code of the refusal of the credential, whatever its person can do; None if it isn't
    refused."""
    if name == "an expired token" and describes(operation, "401", "unauthenticated"):
        return "unauthenticated"
    if "token" not in name or not describes(operation, "401", "unauthenticated"):
        return None
    reads = operation.startswith("GET ") and operation not in FOR_ORDERS
    is_enough = name == "a token" or operation in EVERY_TOKEN or reads
    if not is_enough and not (name == "a token for orders" and operation in FOR_ORDERS):
        return "insufficient_scope"
    if WHO_CAN[operation] == STAFF:
        return None  # nobody's token is staff's
    return "reauthenticate" if describes(operation, "403", "reauthenticate") else None


@in_groups
def test_what_each_credential_can_call(api, scene, operations):
    clients = {name: with_credential(name, api, scene) for name in CREDENTIALS}
    for operation, (name, person) in product(operations, CREDENTIALS.items()):
        client, headers = clients[name]
        answer = sent(client, operation, scene, headers)
        what = f"{operation}, {name}: {answer.status_code} {answer.content[:200]!r}"
        code = refusal_by(name, operation)
        if code and not (code == "reauthenticate" and PROVEN_OTHERWISE.get(operation)):
            assert answer.json()["code"] == code, what
            continue
        asks_for_factor = "session" in name and describes(operation, "403", "reauthenticate")
        if asks_for_factor and b'"reauthenticate"' in answer.content:
            continue  # let in, and asked for the second factor first
        refused = answer.status_code in (401, 403, 404)
        assert refused == (person not in WHO_CAN[operation]), what


def test_an_account_with_two_restaurants_has_to_name_one(api, scene):
    """Reading as well as writing; what guests can call is about what its path or body names."""
    cast = scene.cast
    MembershipFactory(user=cast.owner, restaurant=cast.other, role="owner")
    token = issue_token(user=cast.owner, now=NOON)
    headers = {"authorization": f"Bearer {token}"}
    named = headers | {"x-restaurant": str(cast.restaurant.pk)}
    for operation in WHO_CAN:
        if not describes(operation, "400", "restaurant_required"):
            continue
        if WHO_CAN[operation] == EVERYBODY or describes(operation, "403", "reauthenticate"):
            continue
        method, path = operation.split()
        with transaction.atomic():
            send = getattr(api(), method.lower())
            refused = send(path.format(**scene.ids), headers=headers)
            assert refused.json()["code"] == "restaurant_required", operation
            answer = send(path.format(**scene.ids), headers=named)
            is_named = answer.status_code < 400 or answer.json()["code"] != "restaurant_required"
            assert is_named, operation
            transaction.set_rollback(True)


def test_a_restaurant_chosen_in_the_session_is_named(api, cast):
    MembershipFactory(user=cast.owner, restaurant=cast.other, role="owner")
    client = api(cast.owner)
    assert client.get("/api/ledger").json()["code"] == "restaurant_required"
    assert client.post(f"/api/restaurants/{cast.other.pk}/choose").status_code == 200
    assert client.get("/api/ledger").status_code == 200


@pytest.mark.parametrize("name", ["7", "x", "%00"])
def test_a_restaurants_id_that_cannot_be_read_is_no_restaurant_that_is_missing(api, cast, name):
    client = api(cast.owner)
    for path in (f"/api/orders?restaurant={name}", f"/api/specials/available?rid={name}"):
        assert client.get(path).status_code == 400
