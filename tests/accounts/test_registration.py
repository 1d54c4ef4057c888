"""Opening an account with a form: POST /api/register (X34, X39–X41, X67)."""

import pytest
from allauth.account.models import EmailAddress

from apps.accounts.models import BearerToken, User
from apps.accounts.rate_limits import REGISTRATION_BY_ADDRESS
from apps.accounts.services import valid_token
from apps.common.errors import Forbidden
from apps.restaurants.models import Membership, Restaurant
from apps.restaurants.services.registration import (
    register_restaurant,
    require_confirmed_owner,
)
from tests.conftest import NOON
from tests.factories import RestaurantFactory, UserFactory
from tests.offers.bodies import create_body
from tests.refusals import without_codes

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "platform")]
API = "/api/register"
FORM = {
    "name": "Bella Roma",
    "email": "Bella@Roma.test",
    "password": "basil-7",
    "country": "US",
    "state": "New York",
    "subscriptionTier": "branded",
    "revenueSharePercentage": "0.00",
}


class TestRegistering:
    def test_registering_creates_an_account_a_restaurant_a_token_and_a_session(self, api, clock):
        client = api()
        answer = client.post(API, FORM)
        assert answer.status_code == 201
        body = answer.json()
        person, restaurant = User.objects.get(), Restaurant.objects.get()
        assert body["user"] == {
            "id": str(person.pk),
            "name": "Bella Roma",
            "email": "bella@roma.test",
            "role": "user",
            "isRestaurantOwner": True,
            "hasCompletedOnboarding": False,
        }
        assert body["restaurant"]["id"] == str(restaurant.pk)
        assert body["restaurant"]["subdomain"] == "bella-roma"
        assert body["restaurant"]["subscriptionTier"] == "branded"
        found = valid_token(token=body["token"], now=clock.now)
        assert found
        assert found.user == person
        assert client.get("/restaurant").status_code == 200
        assert (restaurant.country, restaurant.state) == ("US", "New York")
        assert str(restaurant.revenue_share_percentage) == "5.00"  # the tier's, not what was sent
        assert (restaurant.email, restaurant.password_set) == ("bella@roma.test", True)
        assert restaurant.registration_status == "incomplete"
        assert (restaurant.terms_version, restaurant.terms_agreed_at) == ("2026-11-22", clock.now)
        assert Membership.objects.get().role == "owner"

    def test_a_page_gets_a_session_and_no_token(self, api):
        headers = {"Sec-Fetch-Site": "same-origin"}
        client = api()
        assert client.post(API, FORM, headers=headers).json()["token"] is None
        assert not BearerToken.objects.exists()
        assert client.get("/account").status_code == 200

    def test_the_tier_is_free_unless_said_otherwise(self, api):
        sent = {name: FORM[name] for name in ("name", "email", "password")}
        body = api().post(API, sent).json()
        assert body["restaurant"]["subscriptionTier"] == "free"
        assert str(Restaurant.objects.get().revenue_share_percentage) == "3.00"

    def test_the_address_is_confirmed_by_email(self, api, emails):
        api().post(API, FORM)
        assert not EmailAddress.objects.get().verified
        assert emails.subjects() == ["Confirm your email for Fully Booked"]
        assert emails.last().to == ["bella@roma.test"]
        client = api()
        client.post("/api/login", {"email": FORM["email"], "password": FORM["password"]})
        client.post("/api/verify-email-confirmation", emails.query())
        assert EmailAddress.objects.get().verified
        sent = {"email": FORM["email"], "password": FORM["password"]}
        assert api().post("/api/login", sent).status_code == 200

    def test_an_owner_cannot_publish_or_be_paid_before_confirming_the_email(self, api, emails):
        client = api()
        client.post(API, FORM)
        restaurant = Restaurant.objects.get()
        with pytest.raises(Forbidden, match="Confirm your email first"):
            require_confirmed_owner(restaurant)
        client.post("/api/verify-email-confirmation", emails.query())
        require_confirmed_owner(restaurant)

    def test_publishing_without_a_confirmed_email_says_what_to_do(self, api):
        client = api()
        client.post(API, FORM)
        answer = client.post("/api/dishes/special-offers", create_body())
        assert answer.status_code == 403
        assert answer.json()["message"] == (
            "Confirm your email first: open the link we sent, or request a new one on your "
            "account page."
        )

    def test_an_address_that_has_an_account_is_refused(self, api, emails):
        UserFactory(email="bella@roma.test")
        answer = api().post(API, FORM)
        assert answer.status_code == 409
        assert answer.json()["message"] == "Email Already Registered"
        assert not Restaurant.objects.exists()
        assert "sessionid" not in answer.cookies

    def test_a_client_registers_a_limited_number_of_times(self, api):
        for _ in range(REGISTRATION_BY_ADDRESS.times):
            api().post(API, {})
        assert api().post(API, FORM).status_code == 429


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("name", "", "Name is required"),
        ("name", " ", "Name is required"),
        ("name", None, "Name is required"),
        ("name", "x" * 101, "Use at most 100 characters."),
        ("email", "", "Invalid email format"),
        ("email", "bella", "Invalid email format"),
        ("email", None, "Invalid email format"),
        ("password", "", "Password must be at least 6 characters"),
        ("password", "12345", "Password must be at least 6 characters"),
        ("password", None, "Password must be at least 6 characters"),
        ("password", "x" * 129, "Password must not exceed 128 characters"),
        (
            "password",
            "password",
            "That password is too common. Choose another.",
        ),
        ("country", "x" * 51, "Use at most 50 characters."),
        ("state", "x" * 51, "Use at most 50 characters."),
        ("subscriptionTier", "gold", "Choose a plan: free, branded, or enterprise."),
    ],
)
def test_what_is_refused_and_how(api, field, value, sentence):
    answer = api().post(API, FORM | {field: value})
    assert answer.status_code == 400
    assert without_codes(answer.json()) == {
        "message": sentence,
        "errors": [{"field": field, "message": sentence}],
    }
    assert not User.objects.exists()
    assert not Restaurant.objects.exists()


class TestARestaurantForAnAccount:
    def test_a_second_restaurant_has_its_own_email(self):
        person = UserFactory(email="ann@example.test")
        first, second, third = (
            register_restaurant(user=person, name=name, now=NOON) for name in ("A1", "B2", "C3")
        )
        assert [each.email for each in (first, second, third)] == [
            "ann@example.test",
            "ann+2@example.test",
            "ann+3@example.test",
        ]
        assert Membership.objects.filter(user=person, role="owner").count() == 3

    def test_a_refused_restaurant_leaves_nothing_behind(self):
        taken = RestaurantFactory(subdomain="luigis")
        person = UserFactory()
        with pytest.raises(Exception, match="Subdomain is not available"):
            register_restaurant(user=person, name="Luigi", subdomain="luigis", now=NOON)
        assert list(Restaurant.objects.all()) == [taken]
        assert not Membership.objects.exists()
