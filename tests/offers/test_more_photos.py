"""Photos beside a special's first one."""

import pytest

from apps.common import rls
from apps.offers.models import OfferPhoto, Photo, SpecialOffer
from tests.factories import RestaurantFactory, SpecialOfferFactory
from tests.offers.bodies import create_body, edit_body

pytestmark = pytest.mark.django_db
PATH = "/api/dishes/special-offers"


@pytest.fixture
def owner(api, cast, clock):
    return api(cast.owner)


@pytest.fixture
def photos(cast):
    return [uploaded(cast.restaurant) for _ in range(3)]


def uploaded(restaurant):
    with rls.acting_as(rls.PLATFORM):
        return Photo.objects.create(restaurant=restaurant, width=720, height=540, widths=[720])


def url_of(photo):
    return f"/media/photos/{photo.restaurant_id}/{photo.pk}/720.jpg"


def test_photos_are_shown_in_the_order_they_were_sent(owner, api, cast, photos):
    urls = [url_of(photo) for photo in photos]
    answer = owner.post(PATH, create_body(moreImageUrls=[*urls, urls[0]]))
    assert answer.status_code == 201, answer.content
    shown = answer.json()["moreImageUrls"]
    assert [str(photo.pk) in url for photo, url in zip(photos, shown, strict=True)] == [True] * 3
    listed = api(at=cast.restaurant).get("/api/specials/available").json()["specials"]
    assert listed[0]["moreImageUrls"] == shown


def test_an_edit_replaces_them_and_one_without_them_leaves_them(owner, cast, photos):
    offer = SpecialOfferFactory(restaurant=cast.restaurant)
    path = f"/api/dishes/{offer.pk}"
    owner.put(path, edit_body(offer, moreImageUrls=[url_of(photo) for photo in photos]))
    assert len(owner.put(path, edit_body(offer, name="Renamed")).json()["moreImageUrls"]) == 3
    last = owner.put(path, edit_body(offer, moreImageUrls=[url_of(photos[2])])).json()
    assert len(last["moreImageUrls"]) == 1
    with rls.acting_as(rls.PLATFORM):
        (stored,) = OfferPhoto.objects.filter(offer=offer)
        assert (stored.photo_id, stored.position) == (photos[2].pk, 0)


def test_an_edit_of_a_special_whose_photos_changed_meanwhile_is_refused(owner, cast, photos):
    offer = SpecialOfferFactory(restaurant=cast.restaurant)
    path = f"/api/dishes/{offer.pk}"
    seen = owner.get(f"/api/specials/{offer.pk}").json()["version"]
    theirs = owner.put(path, {"moreImageUrls": [url_of(photos[0])], "version": seen}).json()
    assert theirs["version"] != seen
    answer = owner.put(path, {"moreImageUrls": [url_of(photos[1])], "version": seen})
    assert answer.status_code == 409
    assert answer.json()["current"]["moreImageUrls"] == theirs["moreImageUrls"]
    with rls.acting_as(rls.PLATFORM):
        assert OfferPhoto.objects.get(offer=offer).photo_id == photos[0].pk
    mine = {"moreImageUrls": [url_of(photos[1])], "version": theirs["version"]}
    assert owner.put(path, mine).status_code == 200


def test_another_restaurants_photo_is_refused(owner):
    foreign = uploaded(RestaurantFactory())
    answer = owner.post(PATH, create_body(moreImageUrls=[url_of(foreign)]))
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == "moreImageUrls"
    with rls.acting_as(rls.PLATFORM):
        assert not SpecialOffer.objects.exists()


def test_more_than_five_are_refused(owner, photos):
    answer = owner.post(PATH, create_body(moreImageUrls=[url_of(photos[0])] * 6))
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["message"] == "Choose at most 5 more photos"
