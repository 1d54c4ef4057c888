"""POST /api/multi-tenant/register and GET /api/tenants."""

import pytest

from apps.accounts.models import User
from apps.accounts.services import issue_token
from apps.restaurants.models import Membership, Restaurant
from apps.restaurants.services.registration import RESTAURANT_TERMS_UPDATED
from tests.factories import RestaurantFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("platform")]
PATH = "/api/multi-tenant/register"
TAKEN = "Subdomain is not available or invalid. Use only lowercase letters, numbers, and hyphens."


def body(**changes):
    return {
        "tenantSlug": "bella-group",
        "tenantName": "Bella Group",
        "subdomain": "bella",
        "email": "bella@example.test",
        "password": "basil-and-lemon-9",
        "name": "Bella Bianchi",
        "restaurantName": "Bella Napoli",
        "streetAddress": "1 Via Roma",
        "city": "Naples",
        "state": "Florida",
        "zipCode": "34102",
        "phone": "+1 239 555 0100",
        "country": "US",
        "hasAgreedToTerms": True,
        **changes,
    }


def refused(answer, status, *errors):
    assert answer.status_code == status, answer.content
    sent = answer.json()
    assert [(each["field"], each["message"]) for each in sent["errors"]] == list(errors)
    assert sent["message"] == errors[0][1]
    return True


# --- registering ----------------------------------------------------------------------------------
def test_a_newcomer_gets_an_account_a_restaurant_and_an_address(api, clock, run_tasks):
    client = api()
    answer = client.post(PATH, body())
    assert answer.status_code == 201
    sent = answer.json()
    restaurant = Restaurant.objects.get()
    assert sent["tenant"] == {
        "id": str(restaurant.pk),
        "name": "Bella Group",
        "slug": "bella-group",
        "subdomain": "bella",
        "domain": "",
        "status": "active",
        "subscriptionTier": "basic",
        "createdAt": sent["tenant"]["createdAt"],
    }
    assert (restaurant.name, restaurant.business_name) == ("Bella Napoli", "Bella Group")
    assert restaurant.address == "1 Via Roma, Naples, FL 34102"
    assert (restaurant.phone, restaurant.country) == ("+1 239 555 0100", "US")
    owner = User.objects.get()
    assert (owner.email, owner.name) == ("bella@example.test", "Bella Bianchi")
    assert owner.check_password("basil-and-lemon-9")
    assert Membership.objects.get().role == "owner"
    run_tasks()
    assert api(host="bella.localhost").get("/specials").status_code == 200
    assert client.get("/api/team").status_code == 200  # signed in
    headers = {"HTTP_AUTHORIZATION": f"Bearer {sent['token']}"}
    assert api().get("/api/team", **headers).status_code == 200


def test_the_terms_that_were_agreed_to_are_stored(api, clock, run_tasks):
    api().post(PATH, body())
    restaurant = Restaurant.objects.get()
    assert restaurant.terms_version == str(RESTAURANT_TERMS_UPDATED)
    assert restaurant.terms_agreed_at == clock.now
    assert restaurant.terms_agreed_from == "127.0.0.1"


@pytest.mark.parametrize("left_out", [{"subdomain": ""}, {"subdomain": None}])
def test_the_address_is_made_from_the_slug_without_a_subdomain(api, clock, left_out):
    RestaurantFactory(subdomain="bella-group", slug="other")
    answer = api().post(PATH, body(**left_out))
    assert answer.json()["tenant"]["subdomain"] == "bella-group-2"
    assert answer.json()["tenant"]["slug"] == "bella-group"


def test_state_zip_and_country_can_be_left_out(api, clock):
    sent = {k: v for k, v in body().items() if k not in ("state", "zipCode", "country")}
    assert api().post(PATH, sent).status_code == 201


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("tenantSlug", "ab", "URL slug must be at least 3 characters"),
        ("tenantSlug", "", "URL slug must be at least 3 characters"),
        ("tenantSlug", None, "URL slug must be at least 3 characters"),
        ("tenantSlug", "a" * 101, "URL slug must be at most 100 characters"),
        ("tenantSlug", "Bella", "URL slug can only contain lowercase letters, numbers, and dashes"),
        ("tenantSlug", "be_lla",
         "URL slug can only contain lowercase letters, numbers, and dashes"),
        ("tenantName", "", "Business name is required"),
        ("subdomain", "ab", "Subdomain must be 3 to 63 characters"),
        ("subdomain", "a" * 64, "Subdomain must be 3 to 63 characters"),
        ("subdomain", "Bella",
         "Subdomain can only contain lowercase letters, numbers, and dashes"),
        ("subdomain", "-bella", "Start and end with a letter or a number"),
        ("subdomain", "admin", "This word is reserved, choose another"),
        ("email", "bella", "Invalid email format"),
        ("email", "", "Invalid email format"),
        ("email", None, "Invalid email format"),
        ("password", "12345", "Password must be at least 6 characters"),
        ("password", "", "Password must be at least 6 characters"),
        ("password", "x" * 129, "Password must not exceed 128 characters"),
        ("name", " ", "Your name is required"),
        ("restaurantName", "", "Restaurant name is required"),
        ("streetAddress", "", "Street address is required"),
        ("city", "", "City is required"),
        ("phone", "", "Phone is required"),
        ("country", "x" * 51, "Use at most 50 characters."),
        ("hasAgreedToTerms", False, "You must agree to the Terms of Service to register"),
        ("hasAgreedToTerms", None, "You must agree to the Terms of Service to register"),
    ],
)  # fmt: skip
def test_each_error_names_its_field(api, clock, field, value, message):
    assert refused(api().post(PATH, body(**{field: value})), 400, (field, message))
    assert not User.objects.exists()
    assert not Restaurant.objects.exists()


def test_an_empty_body_is_refused_field_by_field(api, clock):
    answer = api().post(PATH, {})
    assert refused(
        answer,
        400,
        ("tenantSlug", "URL slug must be at least 3 characters"),
        ("tenantName", "Business name is required"),
        ("email", "Invalid email format"),
        ("password", "Password must be at least 6 characters"),
        ("name", "Your name is required"),
        ("restaurantName", "Restaurant name is required"),
        ("streetAddress", "Street address is required"),
        ("city", "City is required"),
        ("phone", "Phone is required"),
        ("hasAgreedToTerms", "You must agree to the Terms of Service to register"),
    )


def test_a_subdomain_can_be_as_long_as_the_dns_allows(api, clock):
    assert api().post(PATH, body(subdomain="b" * 63)).status_code == 201


def test_a_taken_value_is_a_conflict_and_leaves_nothing_behind(api, cast):
    people, restaurants = User.objects.count(), Restaurant.objects.count()
    answer = api().post(PATH, body(tenantSlug="mings"))
    assert refused(answer, 409, ("tenantSlug", "This URL slug is taken. Choose another one."))
    answer = api().post(PATH, body(subdomain="mings"))
    assert refused(answer, 409, ("subdomain", TAKEN))
    assert answer.json()["suggestion"] == "mings-2"
    answer = api().post(PATH, body(email="Owner@Luigis.test"))
    assert (answer.status_code, answer.json()["message"]) == (409, "Email Already Registered")
    assert (User.objects.count(), Restaurant.objects.count()) == (people, restaurants)


def test_whoever_is_signed_in_gets_one_more_restaurant(api, cast):
    client = api(cast.owner)
    sent = body(email="", name="", password="")
    answer = client.post(PATH, sent)
    assert answer.status_code == 201
    held = Membership.objects.filter(user=cast.owner).order_by("pk")
    assert [each.restaurant.name for each in held] == ["Luigi's", "Bella Napoli"]
    assert cast.owner.check_password("basil-and-lemon-9")
    # It is the current one at once, and the other one stays.
    assert [each["role"] for each in client.get("/api/team").json()["members"]] == ["owner"]
    mine = client.get("/api/tenants?mine=1").json()["tenants"]
    assert [each["name"] for each in mine] == ["Bella Group", "Luigi's"]


def test_a_program_adds_one_with_its_token(api, cast, clock):
    headers = {"HTTP_AUTHORIZATION": f"Bearer {issue_token(user=cast.owner, now=clock.now)}"}
    answer = api().post(PATH, body(email="bella@example.test", password=""), **headers)
    assert answer.status_code == 201
    added = Restaurant.objects.get(name="Bella Napoli")
    assert added.email == "bella@example.test"
    assert not User.objects.filter(email="bella@example.test").exists()
    assert "sessionid" not in answer.cookies


def test_a_second_restaurants_email_must_not_be_another_ones(api, cast):
    answer = api(cast.owner).post(PATH, body(email=cast.other.email))
    message = "This email belongs to another restaurant. Use a different one."
    assert refused(answer, 409, ("email", message))


def test_a_client_registers_a_limited_number_of_times(api, clock):
    client = api()
    answers = [client.post(PATH, {}).status_code for _ in range(31)]
    assert answers == [400] * 30 + [429]


# --- the list -------------------------------------------------------------------------------------
def names(client, query=""):
    answer = client.get(f"/api/tenants{query}")
    assert answer.status_code == 200
    return [each["name"] for each in answer.json()["tenants"]]


def test_everybody_sees_the_active_tenants_and_their_public_fields(api, cast):
    Restaurant.objects.filter(pk=cast.other.pk).update(status="suspended")
    RestaurantFactory(name="Zia", business_name="Zia & Co", subscription_tier="enterprise")
    for person in (None, cast.stranger, cast.owner):
        assert names(api(person)) == ["Zia & Co", "Luigi's"]
    listed = api().get("/api/tenants").json()["tenants"]
    assert {tuple(each) for each in listed} == {
        ("id", "name", "slug", "subdomain", "domain", "status", "subscriptionTier", "createdAt")
    }
    assert [each["subscriptionTier"] for each in listed] == ["premium", "basic"]


def test_staff_see_all_of_them(api, cast):
    Restaurant.objects.filter(pk=cast.other.pk).update(status="inactive")
    assert names(api(cast.staff)) == ["Ming's", "Luigi's"]


def test_a_user_sees_their_own_restaurants_in_any_status(api, cast):
    Restaurant.objects.filter(pk=cast.restaurant.pk).update(status="suspended")
    assert names(api(cast.kitchen), "?mine=true") == ["Luigi's"]
    assert names(api(cast.stranger), "?mine=1") == []
    assert names(api(), "?mine=1") == []


@pytest.mark.parametrize(
    ("search", "found"),
    [("ming", ["Ming's"]), ("LUIGI s", ["Luigi's"]), ("gs", ["Ming's"]), ("x", []), ("%00", []),
     ("%25", [])],
)  # fmt: skip
def test_tenants_are_found_by_name_and_slug(api, cast, search, found):
    if search == "%00":
        found = ["Ming's", "Luigi's"]
    assert names(api(), f"?search={search}") == found


def test_a_long_list_comes_in_pages(api, cast):
    first = api().get("/api/tenants", {"limit": 1}).json()
    assert [each["name"] for each in first["tenants"]] == ["Ming's"]
    second = api().get("/api/tenants", {"cursor": first["nextCursor"]}).json()
    assert [each["name"] for each in second["tenants"]] == ["Luigi's"]
    assert second["nextCursor"] is None
    refused = api().get("/api/tenants", {"cursor": "nonsense"})
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_cursor")


@pytest.mark.parametrize("limit", ["0", "201", "-1", "ten", "1.5", "", "9" * 30])
def test_a_page_size_out_of_bounds_is_refused(api, cast, limit):
    refused = api().get("/api/tenants", {"limit": limit})
    assert refused.status_code == 400
    assert refused.json()["errors"][0]["field"] == "limit"
