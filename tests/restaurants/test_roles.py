"""Who can do what, and how a request finds its restaurant."""

from dataclasses import FrozenInstanceError

import pytest
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import AnonymousUser
from django.test import RequestFactory

from apps.common.errors import Forbidden, NotFound
from apps.restaurants.models import Restaurant
from apps.restaurants.permissions import (
    CHOSEN_SESSION_KEY,
    STAFF,
    Permission,
    choose_restaurant,
    current_membership,
    enter_restaurant,
    membership_in,
    memberships_of,
)
from tests.client import signed_in_session
from tests.factories import MembershipFactory, RestaurantFactory

pytestmark = pytest.mark.django_db


def request_of(user, path="/", tenant=None):
    request = RequestFactory().get(path)
    request.user = user
    setattr(request, "session", signed_in_session(user))  # noqa: B010 - a plain dictionary will do
    if tenant:
        setattr(request, "tenant", tenant)  # noqa: B010 - django-tenants adds it
    return request


def chosen_request(user, *chosen, **named):
    """A request by a signed-in user who has switched to these restaurants, one after the other."""
    request = request_of(user, **named)
    request.session |= {SESSION_KEY: str(user.pk)}
    for restaurant in chosen:
        choose_restaurant(request, restaurant.pk)
    return request


def post(user, path="/", tenant=None):
    return current_membership(request_of(user, path, tenant), user)


def test_each_role_has_its_rights(cast):
    def rights(user, path="/"):
        held = post(user, path)
        return {right for right in Permission if held.can(right)}

    kitchen = {Permission.SEE_OFFERS, Permission.SEE_ORDERS, Permission.FULFILL_ORDERS}
    assert rights(cast.owner) == set(Permission)
    disputes = {Permission.SEE_DISPUTES, Permission.ANSWER_DISPUTES}
    assert rights(cast.manager) == kitchen | disputes | {
        Permission.EDIT_OFFERS,
        Permission.EDIT_ORDERS,
        Permission.EXPORT_ORDERS,
    }
    assert rights(cast.kitchen) == kitchen
    looking = {Permission.SEE_OFFERS, Permission.SEE_ORDERS, Permission.SEE_LEDGER}
    looking |= {Permission.SEE_DISPUTES}
    assert rights(cast.staff, f"/?restaurant={cast.restaurant.pk}") == looking


def test_a_missing_right_says_whom_to_ask(cast):
    with pytest.raises(Forbidden) as refusal:
        post(cast.kitchen).require(Permission.EDIT_OFFERS)
    assert refusal.value.message == ("Your role can't change specials. Ask the owner of Luigi's.")


def test_a_person_works_where_they_joined_first(cast):
    MembershipFactory(user=cast.owner, restaurant=cast.other, role="kitchen")
    assert post(cast.owner).restaurant == cast.restaurant
    asked = post(cast.owner, f"/?restaurant={cast.other.pk}")
    assert (asked.restaurant, asked.role) == (cast.other, "kitchen")
    assert [each.restaurant for each in memberships_of(cast.owner)] == [
        cast.restaurant,
        cast.other,
    ]


def test_a_restaurants_host_names_it(cast):
    MembershipFactory(user=cast.owner, restaurant=cast.other, role="kitchen")
    assert post(cast.owner, tenant=cast.other).role == "kitchen"
    with pytest.raises(NotFound):
        post(cast.outsider, tenant=cast.restaurant)


@pytest.mark.parametrize("asked", ["nonsense", "00000000-0000-4000-8000-000000000000"])
def test_what_is_not_theirs_is_not_found(cast, asked):
    with pytest.raises(NotFound):
        post(cast.owner, f"/?restaurant={asked}")
    with pytest.raises(NotFound):
        post(cast.staff, f"/?restaurant={asked}")
    with pytest.raises(NotFound):
        post(cast.owner, f"/?restaurant={cast.other.pk}")


def test_a_guest_and_staff_who_name_none_have_no_restaurant(cast):
    for user in (cast.stranger, cast.staff):
        with pytest.raises(Forbidden):
            current_membership(request_of(user), user)
    assert current_membership(request_of(cast.owner), cast.owner).restaurant == cast.restaurant


def test_the_platforms_staff_look_and_change_nothing(cast):
    held = post(cast.staff, f"/?restaurant={cast.other.pk}")
    assert (held.restaurant, held.role) == (cast.other, STAFF)
    assert not held.can(Permission.EDIT_OFFERS)


def test_a_restaurant_that_is_closed_for_good_is_closed_to_its_people(cast):
    Restaurant.objects.filter(pk=cast.restaurant.pk).update(status="inactive")
    with pytest.raises(Forbidden):
        post(cast.owner)


def test_the_team_of_a_suspended_restaurant_serves_those_who_ordered_before(cast):
    Restaurant.objects.filter(pk=cast.restaurant.pk).update(status="suspended")
    owner = post(cast.owner)
    for right in (Permission.SEE_ORDERS, Permission.FULFILL_ORDERS, Permission.EDIT_ORDERS):
        assert owner.can(right)
    for right in (Permission.EDIT_OFFERS, Permission.MANAGE):
        with pytest.raises(Forbidden, match="is suspended") as refused:
            owner.require(right)
        assert refused.value.code == "restaurant_closed"
    staff = post(cast.staff, f"/?restaurant={cast.restaurant.pk}")
    assert staff.can(Permission.SEE_ORDERS)


def test_a_membership_is_found_for_the_right_restaurant_only(cast):
    found = membership_in(cast.owner, cast.restaurant)
    assert found
    assert found.role == "owner"
    assert membership_in(cast.owner, cast.other) is None
    assert membership_in(cast.owner, RestaurantFactory()) is None


class TestAPersonOfTwoRestaurants:
    @pytest.fixture
    def owner(self, cast):
        MembershipFactory(user=cast.owner, restaurant=cast.other, role="kitchen")
        return cast.owner

    def test_works_in_the_one_they_chose_last(self, cast, owner):
        request = chosen_request(owner, cast.restaurant, cast.other)
        assert current_membership(request, owner).restaurant == cast.other

    def test_works_in_the_one_that_the_request_names(self, cast, owner):
        request = chosen_request(owner, cast.other, path=f"/?restaurant={cast.restaurant.pk}")
        assert current_membership(request, owner).restaurant == cast.restaurant

    def test_works_in_the_one_of_the_page_that_asks(self, cast, owner):
        request = request_of(owner)
        request.META["HTTP_X_RESTAURANT"] = str(cast.other.pk)
        assert current_membership(request, owner).restaurant == cast.other

    def test_works_in_the_other_when_the_chosen_one_has_closed(self, cast, owner):
        request = chosen_request(owner, cast.other)
        Restaurant.objects.filter(pk=cast.other.pk).update(status="inactive")
        assert current_membership(request, owner).restaurant == cast.restaurant

    def test_works_in_the_other_when_the_first_one_has_closed(self, cast, owner):
        Restaurant.objects.filter(pk=cast.restaurant.pk).update(status="inactive")
        assert post(owner).restaurant == cast.other

    def test_works_in_the_first_when_the_chosen_one_is_not_theirs(self, cast, owner):
        request = chosen_request(owner, RestaurantFactory())
        assert current_membership(request, owner).restaurant == cast.restaurant

    def test_has_the_role_of_the_restaurant_they_enter(self, cast, owner):
        for restaurant, role in ((cast.restaurant, "owner"), (cast.other, "kitchen")):
            entered = enter_restaurant(request_of(owner), owner, restaurant.pk)
            assert (entered.restaurant, entered.role) == (restaurant, role)


def test_a_request_without_a_session_chooses_nothing(cast):
    request = request_of(cast.owner)
    request.session = {}
    choose_restaurant(request, cast.other.pk)
    assert CHOSEN_SESSION_KEY not in request.session


def test_staff_enter_a_restaurant_without_a_membership_and_a_guest_does_not(cast):
    def enter(user, restaurant):
        return enter_restaurant(request_of(user), user, restaurant.pk)

    assert enter(cast.staff, cast.other).role == STAFF
    with pytest.raises(Forbidden):
        enter(cast.stranger, cast.other)
    with pytest.raises(NotFound):
        enter(cast.outsider, cast.restaurant)


def test_a_visitor_who_is_not_signed_in_is_no_member(cast):
    assert membership_in(AnonymousUser(), cast.restaurant) is None


def test_a_role_can_do_what_it_has_the_right_to(cast):
    held = post(cast.manager)
    held.require(Permission.EDIT_OFFERS)
    with pytest.raises(Forbidden):
        held.require(Permission.SEE_LEDGER)


def test_a_persons_membership_does_not_change(cast):
    with pytest.raises(FrozenInstanceError):
        post(cast.kitchen).role = "owner"
