"""GET /api/subdomain-check and PUT /api/restaurant/subdomain."""

import pytest

from apps.restaurants.models import Domain, Restaurant
from tests.refusals import without_codes

pytestmark = pytest.mark.django_db
NOT_AVAILABLE = (
    "Subdomain is not available or invalid. Use only lowercase letters, numbers, and hyphens."
)


def check(client, subdomain):
    answer = client.get("/api/subdomain-check", {"subdomain": subdomain})
    assert answer.status_code == 200
    return answer.json()


def put(client, subdomain, email="owner@luigis.test"):
    return client.put("/api/restaurant/subdomain", {"subdomain": subdomain, "email": email})


def test_a_free_subdomain_is_available(api, cast):
    free = {"available": True, "message": "", "suggestion": ""}
    assert check(api(cast.owner), "bistro") == free
    assert check(api(cast.owner), " BISTRO ") == free


@pytest.mark.parametrize(
    ("typed", "message", "suggestion"),
    [
        ("mings", NOT_AVAILABLE, "mings-2"),
        ("admin", "This word is reserved, choose another", "admin-2"),
        ("ab", "Use 3 to 50 characters", "ab-restaurant"),
        ("", "Use 3 to 50 characters", "restaurant"),
        ("Café Müller", "Use only letters, numbers, and hyphens", "cafe-muller"),
        ("-x\x00y-", "Use only letters, numbers, and hyphens, start and end with a letter or a "
                     "number", "x-y"),
    ],
)  # fmt: skip
def test_an_unavailable_subdomain_says_why_and_suggests_another(
    api, cast, typed, message, suggestion
):
    expected = {"available": False, "message": message, "suggestion": suggestion}
    assert check(api(cast.owner), typed) == expected


def test_who_is_not_signed_in_is_not_answered(api, cast):
    assert api().get("/api/subdomain-check?subdomain=bistro").status_code == 401


def test_a_request_without_the_parameter_finds_nothing_available(api, cast):
    assert api(cast.owner).get("/api/subdomain-check").json()["available"] is False


def test_an_owners_own_subdomain_is_available_to_them_alone(api, cast):
    assert check(api(cast.owner), "luigis")["available"] is True
    assert check(api(cast.outsider), "luigis")["available"] is False


def test_a_client_can_ask_a_limited_number_of_times(api, cast):
    client = api(cast.owner)
    answers = [client.get("/api/subdomain-check?subdomain=xyz") for _ in range(121)]
    assert {each.status_code for each in answers[:120]} == {200}
    assert answers[-1].status_code == 429
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 60


def test_choosing_answers_with_the_address(api, cast, clock, run_tasks, settings):
    settings.PUBLIC_PORT = 8000
    answer = put(api(cast.owner), "Bistro", email="Owner@Luigis.test")
    assert (answer.status_code, answer.json()) == (
        200,
        {"subdomain": "bistro", "publicUrl": "http://bistro.localhost:8000/"},
    )
    run_tasks()
    own = Restaurant.objects.get(pk=cast.restaurant.pk)
    assert (own.subdomain, own.subdomain_chosen_at) == ("bistro", clock.now)
    assert own.registration_step == "subdomain"
    assert api(host="bistro.localhost").get("/specials").status_code == 200
    assert api(host="luigis.localhost").get("/specials").status_code == 307


def test_a_taken_subdomain_is_a_conflict_with_a_suggestion(api, cast):
    answer = put(api(cast.owner), "mings")
    assert answer.status_code == 409
    assert without_codes(answer.json()) == {
        "message": NOT_AVAILABLE,
        "errors": [{"field": "subdomain", "message": NOT_AVAILABLE}],
        "suggestion": "mings-2",
    }
    assert Domain.objects.get(domain="mings.localhost").tenant == cast.other


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ("ab", "Use 3 to 50 characters"),
        ("a" * 51, "Use 3 to 50 characters"),
        ("a" * 101, NOT_AVAILABLE),
        ("under_score", "Use only letters, numbers, and hyphens"),
        ("-bistro", "Start and end with a letter or a number"),
        ("www", "This word is reserved, choose another"),
        ("", NOT_AVAILABLE),
        (None, NOT_AVAILABLE),
    ],
)
def test_an_invalid_subdomain_is_refused(api, cast, typed, problem):
    answer = put(api(cast.owner), typed)
    assert answer.status_code == 400
    assert without_codes(answer.json()) == {
        "message": NOT_AVAILABLE,
        "errors": [{"field": "subdomain", "message": problem}],
    }


def test_the_email_must_be_the_accounts(api, cast):
    for email in ("owner@mings.test", "nobody"):
        answer = put(api(cast.owner), "bistro", email=email)
        assert answer.status_code == 403
        assert without_codes(answer.json())["errors"] == [
            {
                "field": "email",
                "message": "Enter the email you're signed in with.",
            }
        ]
    assert api(cast.owner).put("/api/restaurant/subdomain", {"subdomain": "x"}).status_code == 400
    assert Restaurant.objects.get(pk=cast.restaurant.pk).subdomain == "luigis"


def test_only_an_owner_chooses_the_subdomain(api, cast):
    assert put(api(), "bistro").status_code == 401
    for person in (cast.manager, cast.kitchen, cast.stranger, cast.staff):
        assert put(api(person), "bistro", email=person.email).status_code == 403
