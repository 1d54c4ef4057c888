"""Any input to publish or change a special leads to a clear 4xx or a valid special, never to a
500."""

import json
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.offers.models import SpecialOffer
from tests.factories import SpecialOfferFactory
from tests.offers.bodies import CREATE, create_body, edit_body

pytestmark = pytest.mark.django_db
PATH = "/api/dishes/special-offers"
FUZZ = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    database=None,
)
NUMBERS = ("price", "specialOfferPrice", "minPreordersRequired", "maxPreorders", "maxPerOrder")
DATES = ("specialServeDate", "preorderExpiresAt")
ABSURD_NUMBERS = [
    *(1e30, -1e30, 1e308, 10**40, -1, 0, 1e-9, "1e30", "1e999999999", "-0", "0x10", "1_000"),
    *("NaN", "Infinity", "-Infinity", "sNaN", "٣", "½", "1,50", "$5", " ", "", "9" * 2000),
    *(True, False, [], {}, [1], {"amount": 1}, "null", "1; DROP TABLE"),
]
ABSURD_DATES: list[Any] = [
    *("0000-00-00", "0001-01-01", "9999-12-31", "9999-12-31T23:59:59-14:00", "2027-02-29"),
    *("0001-01-01T00:00:00+14:00", "2027-03-23T25:00:00Z", "2027-03-23T12:00:60Z", "tomorrow"),
    *("2027-03-23T12:00:00+99:99", "2027-03-23T12:00:00 Mars/Olympus", "20270323", "2027-W12-2"),
    *("2027-03-23T12:00:00.1234567Z", "1e5", " ", "", "2" * 500, "٢٠٢٧-٠٣-٢٣"),
    *(0, 1742730000, 1e30, -1, True, [], {}, ["2027-03-23"], None),
]
ABSURD_TEXTS = ["x" * 100_000, "\ud800", "a\u202eb", "<script>", [], {}, ["x"], 1e30, True, None]


@pytest.fixture
def owner(api, cast, clock):
    return api(cast.owner)


def is_clear(answer):
    """Whether the answer is a refusal in the API's format, or a special."""
    body = answer.json()
    if answer.status_code in (200, 201):
        return body["seatsState"] == "open"
    assert answer.status_code in (400, 409, 413), answer.content
    assert body["message"]
    assert {frozenset(error) for error in body["errors"]} <= {
        frozenset({"field", "code", "message"})
    }
    return True


def raw(body):
    """JSON with values that Python's encoder doesn't write."""
    return json.dumps(body).encode("utf-8", "surrogatepass")


@pytest.mark.parametrize("field", NUMBERS)
def test_an_absurd_number_is_refused_clearly(owner, platform, field):
    for value in ABSURD_NUMBERS:
        answer = owner.post(PATH, raw(create_body(**{field: value})))
        assert is_clear(answer), (field, value)
        if answer.status_code == 201:  # an emptied field of the form means no maximum
            assert (field, value) == ("maxPreorders", "")


@pytest.mark.parametrize("field", DATES)
def test_an_absurd_date_is_refused_clearly(owner, platform, field):
    for value in ABSURD_DATES:
        answer = owner.post(PATH, raw(create_body(**{field: value})))
        assert is_clear(answer), (field, value)
        if answer.status_code == 201:
            assert value in ("20270323", "2027-W12-2", "2027-03-23T12:00:00.1234567Z"), value


@pytest.mark.parametrize("field", ["name", "description", "imageUrl", "alternativeDishId"])
def test_an_absurd_text_is_refused_clearly(owner, platform, field):
    for value in ABSURD_TEXTS:
        body = create_body(**{field: value, "hasAlternative": field == "alternativeDishId"})
        assert is_clear(owner.post(PATH, raw(body))), (field, value)


def test_an_absurd_switch_is_refused_clearly(owner, platform):
    absurd: list[Any] = ["maybe", 2, [], {}, None, "", 1e30]
    for value in absurd:
        for field in ("hasAlternative", "isSpecialOffer"):
            assert is_clear(owner.post(PATH, raw(create_body(**{field: value})))), (field, value)


def test_a_refusal_writes_nothing(owner, platform):
    for field in (*NUMBERS[:3], *DATES, "name"):
        assert owner.post(PATH, create_body(**{field: {"$ne": 1}})).status_code == 400
    assert not SpecialOffer.objects.exists()


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**12), 10**12)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=30)
    | st.datetimes().map(str)
    | st.decimals(allow_nan=False, allow_infinity=False).map(str),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=3,
)
fields = st.sampled_from(
    [*CREATE, "maxPreorders", "maxPerOrder", "hasAlternative", "alternativeDishId", "imageUrl"]
)


class TestAnything:
    @FUZZ
    @given(changes=st.dictionaries(fields, anything, min_size=1, max_size=3))
    def test_publishing_with_any_input_is_answered_clearly(self, owner, changes):
        assert is_clear(owner.post(PATH, raw(create_body(**changes))))

    @pytest.fixture
    def offer(self, cast, clock):
        return SpecialOfferFactory(restaurant=cast.restaurant)

    @FUZZ
    @given(changes=st.dictionaries(fields, anything, min_size=1, max_size=3))
    def test_editing_with_any_input_is_answered_clearly(self, owner, offer, changes):
        assert is_clear(owner.put(f"/api/dishes/{offer.pk}", raw(edit_body(offer, **changes))))

    @FUZZ
    @given(minutes=st.integers(-60 * 24 * 9, 60 * 24 * 9), days=st.integers(-2, 400))
    def test_no_deadline_slips_past_the_rules(self, owner, clock, minutes, days):
        deadline = clock.now + timedelta(minutes=minutes)
        served = (clock.now + timedelta(days=days)).date()
        body = create_body(
            preorderExpiresAt=deadline.isoformat(), specialServeDate=served.isoformat()
        )
        answer = owner.post(PATH, body)
        assert is_clear(answer)
        if answer.status_code == 201:
            assert clock.now < deadline <= clock.now + timedelta(days=7, minutes=5)
            assert deadline.date() <= served + timedelta(days=1)
