"""What holds for every operation of the API, the ones that are added later included."""

import json

import pytest
from drf_spectacular.generators import SchemaGenerator

from apps.accounts.services import issue_token
from apps.common.error_codes import ErrorCode, FieldErrorCode
from apps.offers.models import Photo, SpecialOffer
from apps.preorders.models import PreOrder
from tests.conftest import NOON
from tests.factories import PreOrderFactory, SpecialOfferFactory

pytestmark = pytest.mark.django_db
NOBODY = "00000000-0000-4000-8000-000000000000"
METHODS = ("get", "post", "put", "patch", "delete")


DESCRIPTION = SchemaGenerator().get_schema(request=None, public=True)


def operations():
    """`(method, path, operation)` as the OpenAPI description lists them."""
    return [
        (method, path, operation)
        for path, methods in DESCRIPTION["paths"].items()
        for method, operation in methods.items()
        if method in METHODS
    ]


OPERATIONS = operations()
WITH_JSON = [
    (method, path)
    for method, path, operation in OPERATIONS
    if "application/json" in operation.get("requestBody", {}).get("content", {})
]
# Operations that work without a body.
CONTENT_WITH_NOTHING = {
    (method, path)
    for method, path, operation in OPERATIONS
    if not operation.get("requestBody", {}).get("required")
}
BEHIND_THE_SIGN_IN = [
    (method, path)
    for method, path, operation in OPERATIONS
    if {} not in operation.get("security", [{}])
]
# Operations about one's own account are for everybody who is signed in.
OF_AN_ACCOUNT = {"accounts", "privacy"}
OF_A_RESTAURANT = [
    (method, path)
    for method, path, operation in OPERATIONS
    if (method, path) in BEHIND_THE_SIGN_IN and operation["tags"][0] not in OF_AN_ACCOUNT
]
OF_A_ROW = {path for _, path, _ in OPERATIONS if "{" in path} | {
    "/api/cart/offers",
    "/api/specials/progress",
}
WITH_ID = [(method, path) for method, path, _ in OPERATIONS if "{" in path]


def filled(path, value=NOBODY):
    start, _, rest = path.partition("{")
    return f"{start}{value}{rest.partition('}')[2]}" if rest else path


def is_refusal(answer, *statuses):
    assert answer.status_code in statuses, (answer.status_code, answer.content[:500])
    body = answer.json()
    assert {"code", "message", "errors"} <= set(body)
    [code] = [each for each in ErrorCode if each == body["code"]]
    assert code.status == answer.status_code
    assert body["message"]
    for error in body["errors"]:
        assert set(error) == {"field", "code", "message"}
        assert error["code"] in set(FieldErrorCode)
    return True


@pytest.fixture
def scene(cast, clock):
    """Rows that a request could change by mistake."""
    offer = SpecialOfferFactory(restaurant=cast.restaurant)
    return PreOrderFactory(offer=offer)


@pytest.fixture
def bearer(cast, clock):
    return {"HTTP_AUTHORIZATION": f"Bearer {issue_token(user=cast.owner, now=NOON)}"}


@pytest.fixture(autouse=True)
def _nothing_is_written(scene, platform):
    before = [list(model.objects.values()) for model in (SpecialOffer, PreOrder, Photo)]
    yield
    assert before == [list(model.objects.values()) for model in (SpecialOffer, PreOrder, Photo)]


def test_the_schema_has_operations():
    assert {"postSpecialOffers", "getAvailableSpecials", "postLogin", "postPreOrders"} <= {
        operation["operationId"] for _, _, operation in OPERATIONS
    }


# With the status of the refusal. One test sends them all, because making its scene takes longer
# than the requests.
NOTHING = {"empty": (b"", 400), "nothing in it": (b"{}", 400)}
SENSELESS = {
    "cut off": (b"{", 400),
    "list": (b"[]", 400),
    "null": (b"null", 400),
    "number": (b"7", 400),
    "text": (b'"text"', 400),
    "not utf-8": (b"\xff\xfe", 400),
    "NaN": (b'{"name": NaN}', 400),
    "NUL": (b'{"name": "a\\u0000b"}', 400),
    "deep": (b'{"a":' * 30_000, 400),
    "huge": (b'{"name": "' + b"x" * 300_000 + b'"}', 413),
}


FOR_STAFF = ("/api/admin/", "/api/users", "/api/logs")


def allowed(cast, path):
    """A client that can call this path: of the platform's staff, or of the restaurant's owner."""
    return cast.staff if path.startswith(FOR_STAFF) else cast.owner


@pytest.mark.parametrize(("method", "path"), WITH_JSON)
def test_a_body_that_says_nothing_or_is_of_another_kind_is_refused(api, cast, method, path):
    bodies = SENSELESS if (method, path) in CONTENT_WITH_NOTHING else NOTHING | SENSELESS
    send = getattr(api(allowed(cast, path)), method)
    for name, (body, status) in bodies.items():
        answer = send(filled(path), body, content_type="application/json")
        assert is_refusal(answer, status, *({404} if "{" in path else ())), name
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        answer = send(filled(path), b"name=x", content_type=kind)
        assert is_refusal(answer, 400, 404, 415)


@pytest.mark.parametrize(("method", "path"), WITH_ID)
def test_an_unknown_id_is_not_found(api, cast, method, path):
    body = {} if method == "get" else json.dumps({"name": "x"})
    send = getattr(api(allowed(cast, path)), method)
    for value in (NOBODY, "7", "'", "%00", "..", "x" * 500):
        answer = send(filled(path, value), body, **_json(method))
        # An unreadable body or id can be refused before the object is looked up.
        readable = method not in ("post", "put", "patch") and value != "%00"
        assert is_refusal(answer, 404, *(() if readable else (400,))), value


def _json(method):
    return {} if method == "get" else {"content_type": "application/json"}


UNAUTHENTICATED = {"code": "unauthenticated", "message": "401: Unauthorized", "errors": []}


# Three questions with one scene for all operations, because making a scene takes longer than the
# requests.
def test_a_passer_by_is_told_to_sign_in_where_that_is_needed(api):
    for method, path in BEHIND_THE_SIGN_IN:
        answer = getattr(api(), method)(filled(path))
        assert is_refusal(answer, 401), (method, path)
        assert answer.json() == UNAUTHENTICATED, (method, path)


def test_a_guest_gets_nothing_of_a_restaurants_own(api, cast):
    guest = api(cast.stranger)
    for method, path in OF_A_RESTAURANT:
        assert is_refusal(getattr(guest, method)(filled(path)), 403), (method, path)


# Everybody gets the same.
STORED = {("get", "/api/places")}


def test_no_answer_is_stored_but_what_is_the_same_for_everybody(api, cast, bearer):
    """By the session, by a token, and by nobody: orders' links are about a person too."""
    stored = set()
    for method, path, _ in OPERATIONS:
        if (method, path) == ("post", "/api/logout"):
            continue
        for client, how in ((api(cast.owner), {}), (api(), bearer), (api(), {})):
            answer = getattr(client, method)(filled(path), **how)
            if "no-store" not in answer.headers["Cache-Control"]:
                stored.add((method, path))
    assert stored == STORED


def test_another_method_is_refused(api, bearer):
    taken = {(method, path) for method, path, _ in OPERATIONS}
    for path in sorted({path for _, path in taken}):
        for method in METHODS:
            if (method, path) in taken:
                continue
            answer = getattr(api(), method)(filled(path), **bearer)
            # The row can be looked up first, which answers 404.
            refusals = {405, 404} if path in OF_A_ROW else {405}
            assert is_refusal(answer, *refusals), (method, path)


def test_trace_is_refused_wherever_it_is_sent(api):
    """It would send back what a browser hides from scripts."""
    for path in sorted({path for _, path, _ in OPERATIONS}):
        answer = api().generic("TRACE", filled(path), headers={"Cookie": "secret=1"})
        assert answer.status_code in (401, 404, 405), path
        assert b"secret" not in answer.content


def test_a_parameter_that_is_sent_twice_has_one_meaning(api, cast):
    """The last one counts, everywhere, so that no check reads another one than the view."""
    for client in (api(cast.owner), api(cast.manager)):
        own, foreign = cast.restaurant.pk, cast.other.pk
        path = "/api/orders?restaurant={}&restaurant={}"
        assert client.get(path.format(foreign, own)).status_code == 200
        assert client.get(path.format(own, foreign)).status_code == 404
    page = api().get("/api/specials/available?limit=1&limit=2&rid=%00&rid=" + str(cast.other.pk))
    assert page.status_code == 200


def test_an_unknown_address_is_not_found_in_the_one_shape(api):
    assert is_refusal(api().get("/api/nothing"), 404)


@pytest.mark.parametrize("wrong", ["x", "Basic abc", "Bearer", "Bearer ", "Bearer \xe9"])
def test_a_malformed_authorization_is_no_error_of_ours(api, wrong):
    answer = api().get("/api/specials/available", HTTP_AUTHORIZATION=wrong)
    assert answer.status_code in (200, 401)


@pytest.mark.parametrize(
    "query", ["rid=%00", "rid=%ff", "restaurant=7", "rid=" + "9" * 5000, "a&b"]
)
def test_a_malformed_query_is_no_error_of_ours(api, cast, query):
    for path in ("/api/specials/available", "/api/dishes", "/api/orders", "/api/ledger"):
        assert api(cast.owner).get(f"{path}?{query}").status_code in (200, 400, 404)
