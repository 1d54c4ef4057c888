"""GET /api/specials/history (DECISIONS X15)."""

from datetime import UTC, date, datetime, timedelta

import pytest

from apps.common.cursors import PAGE_SIZE
from apps.offers.images import photo_jpeg
from apps.offers.models import OfferPhoto, Photo, SpecialOffer
from apps.offers.states import OfferStatus
from apps.preorders.models.states import PaymentStatus, PreOrderStatus
from tests.conftest import NOON
from tests.factories import DishFactory, PreOrderFactory, SpecialOfferFactory, save_crowd
from tests.pages import props_of

pytestmark = pytest.mark.django_db
PATH = "/api/specials/history"
STATEMENTS = 5  # person, membership; offers, their orders, the counts


def past(restaurant, name, *, days_ago=10, **fields):
    created = NOON - timedelta(days=days_ago)
    fields = {"status": OfferStatus.SUCCEEDED} | fields
    return SpecialOfferFactory(restaurant=restaurant, name=name, created_at=created, **fields)


def names(answer):
    assert answer.status_code == 200, answer.content
    return [entry["name"] for entry in answer.json()["history"]]


@pytest.fixture
def lives(cast, clock):
    """Created in this order, the oldest first; the last two aren't over."""
    past(cast.restaurant, "Zuppa", days_ago=40)
    past(cast.restaurant, "arancini", days_ago=30, status=OfferStatus.FAILED)
    past(cast.restaurant, "Brasato", days_ago=20, status=OfferStatus.DELETED)
    past(cast.restaurant, "Cacciucco", days_ago=2, status=OfferStatus.CLOSING)
    past(cast.restaurant, "Due", days_ago=1, status=OfferStatus.ACTIVE, deadline=NOON)
    past(
        cast.restaurant, "Open", days_ago=1, status=OfferStatus.ACTIVE, deadline=NOON + timedelta(1)
    )
    past(cast.other, "Of the other")


class TestWhatIsInIt:
    def test_what_ended_or_was_deleted_the_last_entered_first(self, api, cast, lives):
        expected = ["Due", "Cacciucco", "Brasato", "arancini", "Zuppa"]
        assert names(api(cast.owner).get(PATH)) == expected
        assert names(api(cast.kitchen).get(PATH)) == expected
        assert names(api(cast.outsider).get(PATH)) == ["Of the other"]

    def test_each_entry_says_how_it_ended(self, api, cast, lives):
        entries = api(cast.owner).get(PATH).json()["history"]
        assert {entry["name"]: (entry["status"], entry["wasSuccessful"]) for entry in entries} == {
            "Zuppa": ("expired", True),
            "arancini": ("expired", False),
            "Brasato": ("deleted", None),
            "Cacciucco": ("expired", None),
            "Due": ("expired", None),
        }

    def test_the_counts_are_of_all(self, api, cast, lives):
        answer = api(cast.owner).get(PATH).json()
        counts = ("totalOffers", "successfulOffers", "expiredOffers", "deletedOffers")
        assert [answer[each] for each in counts] == [5, 1, 4, 1]
        nothing = api(cast.outsider).get(PATH).json()
        assert [nothing[each] for each in counts] == [1, 1, 1, 0]

    def test_an_entry_has_what_publishing_it_again_needs(self, api, cast, clock, platform):
        dish = DishFactory(restaurant=cast.restaurant, name="Risotto")
        offer = past(
            cast.restaurant, "Osso buco", max_preorders=9, has_alternative=True,
            alternative_dish=dish,
        )  # fmt: skip
        [entry] = api(cast.owner).get(PATH).json()["history"]
        assert entry == {
            "id": str(offer.pk),
            "name": "Osso buco",
            "description": "Slow-braised for nine hours.",
            "regularPrice": "30.00",
            "specialOfferPrice": "24.00",
            "currency": "usd",
            "createdAt": "2027-03-12T16:00:00Z",
            "specialServeDate": "2027-03-14T12:00:00-04:00",
            "preorderExpiresAt": "2027-03-13T16:00:00Z",
            "nextServeDate": "2027-03-28T12:00:00-04:00",
            "nextDeadline": "2027-03-27T15:00:00Z",  # 11 AM, also after the clock change
            "validPreorders": 0,
            "totalPreorders": 0,
            "minPreordersRequired": 3,
            "maxPreorders": 9,
            "maxPerOrder": 20,
            "friendHours": 24,
            "wasSuccessful": True,
            "status": "expired",
            "hasAlternative": True,
            "alternativeDishName": "Risotto",
            "alternativeDishId": str(dish.pk),
            "allergens": [],
            "dietary": [],
            "serviceMode": "both",
            "serveFrom": None,
            "serveUntil": None,
            "story": "",
            "translations": {},
            "imageUrl": None,
            "imageSrcset": None,
            "moreImageUrls": [],
        }

    def test_an_entry_has_its_other_photos_in_their_order(self, api, cast, clock, platform):
        offer = past(cast.restaurant, "Osso buco")
        for position in (1, 0):
            photo = Photo.objects.create(
                restaurant=cast.restaurant, width=720, height=540, widths=[720]
            )
            OfferPhoto.objects.create(
                offer=offer, restaurant=cast.restaurant, photo=photo, position=position
            )
        [entry] = api(cast.owner).get(PATH).json()["history"]
        ordered = offer.more_photos.order_by("position").select_related("photo")
        assert entry["moreImageUrls"] == [photo_jpeg(each.photo) for each in ordered]
        assert len(entry["moreImageUrls"]) == 2

    def test_valid_are_the_portions_held_or_charged_and_total_is_all(
        self, api, cast, clock, platform
    ):
        offer = past(cast.restaurant, "Osso buco")

        def order(quantity, status, payment):
            PreOrderFactory(offer=offer, quantity=quantity, status=status, payment_status=payment)

        order(2, PreOrderStatus.CONFIRMED, PaymentStatus.CAPTURED)
        order(3, PreOrderStatus.FULFILLED, PaymentStatus.CAPTURED)
        order(1, PreOrderStatus.NO_SHOW, PaymentStatus.CAPTURED)
        order(4, PreOrderStatus.CANCELLED, PaymentStatus.RELEASED)
        order(5, PreOrderStatus.CANCELLED, PaymentStatus.UNPAID)
        PreOrderFactory(offer=past(cast.other, "Theirs"), quantity=7)
        [entry] = api(cast.owner).get(PATH).json()["history"]
        assert (entry["validPreorders"], entry["totalPreorders"]) == (6, 15)

    def test_a_later_refund_does_not_rewrite_how_it_ended(self, api, cast, clock, platform):
        offer = past(cast.restaurant, "Osso buco")
        PreOrderFactory(
            offer=offer,
            status=PreOrderStatus.CANCELLED,
            payment_status=PaymentStatus.REFUNDED,
        )
        [entry] = api(cast.owner).get(PATH).json()["history"]
        assert (entry["wasSuccessful"], entry["validPreorders"]) == (True, 0)


class TestOrder:
    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ("sort_by=date_entered", ["Due", "Cacciucco", "Brasato", "arancini", "Zuppa"]),
            ("sort_order=asc", ["Zuppa", "arancini", "Brasato", "Cacciucco", "Due"]),
            (
                "sort_by=name&sort_order=asc",
                ["arancini", "Brasato", "Cacciucco", "Due", "Zuppa"],
            ),
            (
                "sort_by=name&sort_order=desc",
                ["Zuppa", "Due", "Cacciucco", "Brasato", "arancini"],
            ),
        ],
    )
    def test_the_history_is_sorted_by_name_or_by_the_day_of_creation(
        self, api, cast, lives, query, expected
    ):
        assert names(api(cast.owner).get(f"{PATH}?{query}")) == expected

    @pytest.mark.parametrize(
        ("query", "sentence"),
        [
            ("sort_by=price", "Sort by name or date_entered"),
            ("sort_order=up", "Choose asc or desc"),
        ],
    )
    def test_another_order_is_refused_with_what_there_is(self, api, cast, clock, query, sentence):
        answer = api(cast.owner).get(f"{PATH}?{query}")
        assert (answer.status_code, answer.json()["message"]) == (400, sentence)

    def test_a_cursor_that_cannot_be_read_is_refused(self, api, cast, lives):
        for cursor in ("7", "|", "2027-03-12|x", "%ff", "é|é"):
            for sort_by in ("name", "date_entered"):
                query = {"cursor": cursor, "sort_by": sort_by}
                refused = api(cast.owner).get(PATH, query)
                assert (refused.status_code, refused.json()["code"]) == (400, "invalid_cursor")
        assert api(cast.owner).get(f"{PATH}?cursor=%00").status_code == 400
        assert api(cast.owner).get(PATH, {"cursor": "x" * 500}).status_code == 400


class TestManyOfThem:
    @pytest.fixture
    def many(self, cast, clock, platform):
        """2 pages and one more; every name occurs twice, and many were created at the same
        moment."""
        built = [
            SpecialOfferFactory.build(
                restaurant=cast.restaurant,
                name=f"Dish {number // 2:03}",
                status=OfferStatus.FAILED,
                created_at=NOON - timedelta(days=30 + number // 7),
            )
            for number in range(2 * PAGE_SIZE + 1)
        ]
        return SpecialOffer.objects.bulk_create(built)

    @pytest.mark.parametrize("sort_order", ["asc", "desc"])
    @pytest.mark.parametrize("sort_by", ["name", "date_entered"])
    def test_page_by_page_each_appears_once(self, api, cast, many, sort_by, sort_order):
        client = api(cast.owner)
        query = {"sort_by": sort_by, "sort_order": sort_order}
        seen, sizes = [], []
        while True:
            page = client.get(PATH, query).json()
            assert page["totalOffers"] == len(many)
            seen += page["history"]
            sizes.append(len(page["history"]))
            if page["nextCursor"] is None:
                break
            query["cursor"] = page["nextCursor"]
        assert sizes == [PAGE_SIZE, PAGE_SIZE, 1]
        assert {entry["id"] for entry in seen} == {str(offer.pk) for offer in many}
        key = "name" if sort_by == "name" else "createdAt"
        sorted_keys = sorted((entry[key] for entry in seen), reverse=sort_order == "desc")
        assert [entry[key] for entry in seen] == sorted_keys

    def test_the_number_of_statements_does_not_grow(
        self, api, cast, many, django_assert_num_queries
    ):
        client = api(cast.owner)
        client.get(PATH)
        save_crowd(60, offer=many[0], restaurant=cast.restaurant)
        with django_assert_num_queries(STATEMENTS):
            assert client.get(PATH).status_code == 200


def test_run_it_again_opens_the_form_with_the_next_weekday_and_the_old_hours(cast, api, clock):
    offer = SpecialOfferFactory(
        restaurant=cast.restaurant,
        serve_date=date(2027, 3, 18),
        deadline=datetime(2027, 3, 16, 22, tzinfo=UTC),
    )
    again = props_of(api(cast.owner).get(f"/restaurant?again={offer.pk}"))["again"]
    assert again["id"] == str(offer.pk)
    assert again["nextServeDate"] == "2027-03-25T12:00:00-04:00"
    assert again["nextDeadline"] == "2027-03-23T22:00:00Z"


def test_somebody_elses_special_cannot_be_run_again(cast, api, clock):
    for asked in (SpecialOfferFactory().pk, "nothing"):
        assert props_of(api(cast.owner).get(f"/restaurant?again={asked}"))["again"] is None
