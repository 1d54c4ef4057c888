"""The profile: as its owner changes it, and as others see it."""

from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from apps.accounts.models import User
from apps.offers.models import OfferChange, SpecialOffer
from apps.restaurants.models import Restaurant
from tests.conftest import NOON
from tests.factories import DishFactory, PreOrderFactory, SpecialOfferFactory
from tests.offers.bodies import edit_body
from tests.pages import fields_of, text_of
from tests.refusals import without_codes

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("platform", "clock")]
WHOLE = {
    "name": "Da Luigi",
    "ownerName": "Zoë O'Neill-Ruiz",
    "description": "Since 1968.\nBring friends.",
    "spanishDescription": "Desde 1968.\nTrae a tus amigos.",
    "phone": "+1 212 555 0111",
    "country": "US",
    "streetAddress": "2 Mulberry Street",
    "city": "New York",
    "state": "New York",
    "zipCode": "10013",
    "latitude": 40.7191234,
    "longitude": -73.9973,
    "timezone": "Europe/Rome",
    "website": "https://luigis.example/menu",
    "cuisineType": "Italian",
    "hoursOfOperation": {"friday": [{"opens": "17:00", "closes": "01:00"}]},
    "taxRate": "8.875",
    "taxNumber": "CHE-123.456.788",
    "dineInNote": "Your table is kept for 20 minutes. Ask for Luisa.",
    "pickupNote": "Pick up at the side door.",
    "spanishDineInNote": "Pregunta por Luisa.",
    "spanishPickupNote": "Ven a la puerta lateral.",
    "currency": "chf",
}


def fresh(row):
    return type(row).objects.get(pk=row.pk)


def put(client, body, path=""):
    return client.put(f"/api/restaurant{path}", body)


def columns(restaurant):
    return Restaurant.objects.filter(pk=restaurant.pk).values().get()


def refused(answer, field, message):
    assert answer.status_code == 400, answer.content
    assert without_codes(answer.json()) == {
        "message": message,
        "errors": [{"field": field, "message": message}],
    }
    return True


# --- changing it ----------------------------------------------------------------------------------
def test_every_field_is_stored_as_it_was_sent(api, cast):
    answer = put(api(cast.owner), WHOLE)
    assert answer.status_code == 200
    profile = answer.json()
    assert {name: profile[name] for name in WHOLE} == WHOLE
    assert profile["restaurant"] == {
        name: value for name, value in profile.items() if name != "restaurant"
    }
    asked = api(cast.owner).get("/api/restaurant/profile").json()
    assert asked == profile
    assert profile["address"] == "2 Mulberry Street, New York, NY 10013"


def test_only_the_fields_that_are_sent_change(api, cast):
    put(api(cast.owner), WHOLE)
    before = columns(cast.restaurant)
    assert put(api(cast.owner), {"city": "Hoboken"}).status_code == 200
    after = columns(cast.restaurant)
    changed = {name for name in before if before[name] != after[name]}
    assert changed - {"updated_at"} == {"city"}
    assert after["city"] == "Hoboken"


def test_two_owners_who_edit_at_once_keep_each_others_changes(api, cast):
    first, second = api(cast.owner), api(cast.owner)
    put(first, {"phone": "1"})
    put(second, {"taxRate": 9})
    put(first, {"city": "Hoboken"})
    own = fresh(cast.restaurant)
    assert (own.phone, own.tax_rate, own.city) == ("1", Decimal("9.00"), "Hoboken")


def test_other_settings_survive_a_change_of_the_tax(api, cast):
    Restaurant.objects.filter(pk=cast.restaurant.pk).update(settings={"other": [1]})
    assert put(api(cast.owner), {"taxRate": "0"}).json()["taxRate"] == "0.00"
    assert columns(cast.restaurant)["settings"] == {"other": [1], "taxRate": "0.00"}


def test_the_currency_is_chosen_until_the_first_order(api, cast):
    owner = api(cast.owner)
    offer = SpecialOfferFactory(restaurant=cast.restaurant, special_price=Decimal("24.00"))
    profile = put(owner, {"currency": "eur"}).json()
    assert (profile["currency"], profile["currencyFixed"]) == ("eur", False)
    assert fresh(offer).special_price == Decimal("24.00")
    PreOrderFactory(offer=offer, status="cancelled", payment_status="unpaid")
    before = columns(cast.restaurant)
    answer = put(owner, {"currency": "usd", "city": "Hoboken"})
    assert answer.status_code == 409
    said = "You can't change the currency once you have an order."
    assert without_codes(answer.json()) == {
        "message": said,
        "errors": [{"field": "currency", "message": said}],
    }
    assert columns(cast.restaurant) == before
    # The same again is no change.
    profile = put(owner, {"currency": "eur", "city": "Hoboken"}).json()
    assert (profile["city"], profile["currencyFixed"]) == ("Hoboken", True)
    assert api(at=cast.restaurant).get("/api/restaurant").json()["currency"] == "eur"


def test_anothers_orders_fix_nothing(api, cast):
    PreOrderFactory(offer=SpecialOfferFactory(restaurant=cast.other))
    assert put(api(cast.owner), {"currency": "gbp"}).json()["currency"] == "gbp"


@pytest.mark.parametrize("cheap", ["special", "alternative"])
def test_the_currency_stays_while_a_special_would_cost_less_than_a_card_can_be_charged(
    api, cast, cheap
):
    """Five dollars would become five pesos; the least is thirty where they are converted."""
    prices: dict[str, Any] = {"special_price": "5.00" if cheap == "special" else "25.00"}
    if cheap == "alternative":
        dish = DishFactory(restaurant=cast.restaurant, price="5.00")
        prices |= {"has_alternative": True, "alternative_dish": dish}
    offer = SpecialOfferFactory(restaurant=cast.restaurant, name="Lasagne", **prices)
    answer = put(api(cast.owner), {"currency": "mxn"})
    said = (
        "A card can't be charged less than MX$30.00. Change the price of Lasagne or its "
        "alternative first."
    )
    assert without_codes(answer.json()) == {
        "message": said,
        "errors": [{"field": "currency", "message": said}],
    }
    assert columns(cast.restaurant)["currency"] == "usd"
    SpecialOffer.objects.filter(pk=offer.pk).update(status="deleted")
    assert put(api(cast.owner), {"currency": "mxn"}).json()["currency"] == "mxn"


@pytest.mark.parametrize("wrong", ["jpy", "EUR", "euro", "", None, 978, ["eur"]])
def test_a_currency_is_one_of_the_table(api, cast, wrong):
    answer = put(api(cast.owner), {"currency": wrong})
    assert refused(answer, "currency", "Choose a currency from the list.")
    assert columns(cast.restaurant)["currency"] == "usd"


def test_the_database_keeps_no_other_currency(cast):
    with pytest.raises(IntegrityError, match="currency_is_supported"), transaction.atomic():
        Restaurant.objects.filter(pk=cast.restaurant.pk).update(currency="jpy")


def test_an_owner_edits_only_their_own_restaurant(api, cast):
    before = columns(cast.other)
    put(api(cast.owner), WHOLE)
    assert columns(cast.other) == before


def test_guests_see_a_new_name_at_once(api, cast, django_capture_on_commit_callbacks):
    guest = api(at=cast.restaurant)
    assert guest.get("/api/restaurant").json()["name"] == "Luigi's"
    with django_capture_on_commit_callbacks(execute=True):
        put(api(cast.owner), {"name": "  Da \n Luigi "})
    assert guest.get("/api/restaurant").json()["name"] == "Da Luigi"


def test_guests_see_a_new_arrival_note_on_one_line_at_once(
    api, cast, django_capture_on_commit_callbacks
):
    guest = api(at=cast.restaurant)
    assert guest.get("/api/restaurant").json()["pickupNote"] == ""
    with django_capture_on_commit_callbacks(execute=True):
        put(api(cast.owner), {"pickupNote": f"  The side\n door. {'x' * 144} "})
    shown = guest.get("/api/restaurant").json()
    assert (shown["pickupNote"], shown["dineInNote"]) == (f"The side door. {'x' * 144}", "")
    text = text_of(api(cast.owner).get("/restaurant/activity"))
    assert "pickup note" in text
    assert "The side door" not in text


def test_an_owners_new_name_is_on_the_account_page_in_the_change_log_and_in_team_emails(
    api, cast, mailoutbox, run_tasks
):
    owner = api(cast.owner)
    offer = SpecialOfferFactory(restaurant=cast.restaurant)
    assert put(owner, {"ownerName": cast.owner.name}).status_code == 200
    assert put(owner, {"ownerName": "Zoë O'Neill"}).status_code == 200

    account = fields_of(owner.get("/account"), with_field="name")
    assert account["name"] == ["Zoë O'Neill"]
    assert (
        owner.put(f"/api/dishes/{offer.pk}", edit_body(offer, name="Ossobuco")).status_code == 200
    )
    assert OfferChange.objects.get(offer=offer).by == "Zoë O'Neill"
    activity = text_of(owner.get("/restaurant/activity"))
    assert "Zoë O'Neill" in activity
    assert cast.owner.name not in activity
    invited = {"email": "new@mate.test", "role": "kitchen"}
    assert owner.post("/api/team/invitations", invited).status_code == 201
    run_tasks()
    [email] = [each for each in mailoutbox if each.to == ["new@mate.test"]]
    assert "Zoë O'Neill" in email.body
    assert cast.owner.name not in email.body


def test_texts_can_be_emptied_and_null_empties_them(api, cast):
    put(api(cast.owner), WHOLE)
    names = ("ownerName", "website", "country", "zipCode", "taxNumber", "dineInNote")
    emptied = dict.fromkeys(names, "")
    nulls = dict.fromkeys(("description", "phone", "latitude", "longitude", "hoursOfOperation"))
    profile = put(
        api(cast.owner), emptied | nulls | {"cuisineType": None, "pickupNote": None}
    ).json()
    assert {profile[name] for name in emptied} == {""}
    assert (profile["description"], profile["phone"], profile["cuisineType"]) == ("", "", "")
    assert profile["pickupNote"] == ""
    assert (profile["latitude"], profile["longitude"]) == (None, None)
    assert profile["hoursOfOperation"] == {}


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("name", "", "Restaurant name is required"),
        ("name", None, "Restaurant name is required"),
        ("name", "x" * 256, "Use at most 255 characters."),
        ("ownerName", "x" * 101, "Use 1 to 100 letters, spaces, hyphens, and apostrophes."),
        ("ownerName", "Luigi 2", "Use 1 to 100 letters, spaces, hyphens, and apostrophes."),
        ("ownerName", "--", "Use 1 to 100 letters, spaces, hyphens, and apostrophes."),
        ("ownerName", "<b>", "Use 1 to 100 letters, spaces, hyphens, and apostrophes."),
        ("latitude", 90.01, "Latitude must be between -90 and 90"),
        ("latitude", "north", "Latitude must be between -90 and 90"),
        ("latitude", True, "Latitude must be between -90 and 90"),
        ("longitude", "-180.5", "Longitude must be between -180 and 180"),
        ("longitude", [1], "Longitude must be between -180 and 180"),
        ("longitude", 10**400, "Longitude must be between -180 and 180"),
        ("website", "luigis", "Must be a valid URL"),
        ("website", "javascript:alert(1)", "Must be a valid URL"),
        ("website", "ftp://luigis.example", "Must be a valid URL"),
        ("timezone", "Mars/Olympus", "Choose a time zone from the list."),
        ("timezone", "", "Choose a time zone from the list."),
        ("timezone", "../../etc/passwd", "Choose a time zone from the list."),
        ("taxRate", "30.01", "Sales tax must be between 0 and 30 percent."),
        ("taxRate", -1, "Sales tax must be between 0 and 30 percent."),
        ("taxRate", "eight", "Sales tax must be between 0 and 30 percent."),
        ("taxRate", "1e1", "Sales tax must be between 0 and 30 percent."),
        ("taxRate", None, "Sales tax must be between 0 and 30 percent."),
        ("taxRate", "8.87501", "Sales tax can have at most four decimal places."),
        ("zipCode", "x" * 21, "Use at most 20 characters."),
        ("dineInNote", "x" * 161, "Use at most 160 characters."),
        ("pickupNote", "x" * 161, "Use at most 160 characters."),
        ("spanishDineInNote", "x" * 161, "Use at most 160 characters."),
        ("spanishPickupNote", "x" * 161, "Use at most 160 characters."),
        ("pickupNote", ["side door"], "Send this field as text."),
        ("phone", {"a": 1}, "Send this field as text."),
        ("hoursOfOperation", {"mon": []}, "Use the days monday to sunday."),
        ("hoursOfOperation", 7, "Send the opening hours by weekday, or as text."),
        (
            "hoursOfOperation",
            {"monday": [{"opens": "25:00", "closes": "26:00"}]},
            "Enter both times for Monday, such as 11:30 and 22:00.",
        ),
        (
            "hoursOfOperation",
            {"monday": [{"opens": "11:00", "closes": "15:00"}, {"opens": "14:00", "closes": "1"}]},
            "Enter both times for Monday, such as 11:30 and 22:00.",
        ),
        (
            "hoursOfOperation",
            {
                "sunday": [
                    {"opens": "11:00", "closes": "15:00"},
                    {"opens": "14:00", "closes": "22:00"},
                ]
            },
            "The hours for Sunday overlap. Change one of them.",
        ),
        (
            "hoursOfOperation",
            {"sunday": [{"opens": "09:00", "closes": "09:00"}]},
            "The hours for Sunday start and end at the same time. Change one of them.",
        ),
        ("password", "short", "Password must be at least 8 characters"),
        ("password", "x" * 129, "Password must not exceed 128 characters"),
    ],
)
def test_an_error_is_named_and_nothing_is_written(api, cast, field, value, message):
    before = columns(cast.restaurant)
    answer = put(api(cast.owner), {"city": "Hoboken", field: value})
    assert answer.status_code == 400
    assert without_codes(answer.json())["errors"][-1] == {"field": field, "message": message}
    assert columns(cast.restaurant) == before


def test_a_body_without_a_field_of_the_profile_is_refused(api, cast):
    for body in ({}, {"email": "new@luigis.test"}, {"subscriptionTier": "branded"}):
        answer = put(api(cast.owner), body)
        assert (answer.status_code, answer.json()["message"]) == (
            400,
            "Send at least one field to change.",
        )
    own = fresh(cast.restaurant)
    assert (own.email, own.subscription_tier) == ("luigis@example.test", "free")


def test_opening_hours_are_put_in_order_and_can_be_words(api, cast):
    lunch, dinner = {"opens": "11:30", "closes": "14:30"}, {"opens": "17:00", "closes": "22:00"}
    sent = {"sunday": [], "tuesday": [dinner, lunch], "monday": None}
    hours = put(api(cast.owner), {"hoursOfOperation": sent}).json()["hoursOfOperation"]
    assert hours == {"tuesday": [lunch, dinner]}
    words = put(api(cast.owner), {"hoursOfOperation": " daily from 5 "}).json()
    assert words["hoursOfOperation"] == "daily from 5"


def test_a_coordinate_with_more_decimals_is_rounded_to_a_centimeter(api, cast):
    profile = put(api(cast.owner), {"latitude": "40.719123456789"}).json()
    assert profile["latitude"] == 40.7191235


def test_a_password_sent_along_is_the_accounts_and_comes_back_nowhere(api, cast):
    client = api(cast.owner)
    answer = put(client, {"city": "Hoboken", "password": "tomatoes-and-salt-7"})
    assert answer.status_code == 200
    assert "password" not in answer.json()
    assert answer.json()["passwordSet"] is True
    assert fresh(cast.owner).check_password("tomatoes-and-salt-7")
    assert put(client, {"city": "Jersey City", "password": ""}).status_code == 200
    assert fresh(cast.owner).check_password("tomatoes-and-salt-7")


# --- what is complete -----------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("field", "label"),
    [
        ("ownerName", "owner's name"),
        ("phone", "phone"),
        ("streetAddress", "street address"),
        ("city", "city"),
        ("country", "country"),
        ("state", "state"),
    ],
)
def test_a_profile_is_complete_with_all_that_guests_need(api, cast, field, label):
    client = api(cast.owner)
    assert put(client, WHOLE).json()["profileCompleted"] is True
    profile = put(client, {field: ""}).json()
    assert profile["profileCompleted"] is False
    assert profile["missingProfileFields"] == [label]
    assert client.get("/api/restaurant/completion").json()["profileCompleted"] is False
    assert fresh(cast.restaurant).profile_completed is False


def test_a_country_without_states_needs_none(api, cast):
    profile = put(api(cast.owner), WHOLE | {"country": "FR", "state": ""}).json()
    assert (profile["profileCompleted"], profile["missingProfileFields"]) == (True, [])
    written_out = put(api(cast.owner), {"country": "United States"}).json()
    assert written_out["missingProfileFields"] == ["state"]


def test_completion_names_each_part_of_the_setup(api, cast):
    Restaurant.objects.filter(pk=cast.restaurant.pk).update(stripe_completed=True)
    answer = api(cast.kitchen).get("/api/restaurant/completion").json()
    assert [step["key"] for step in answer.pop("steps")][:2] == ["name", "address"]
    assert answer == {
        "profileCompleted": True,
        "marketingCompleted": False,
        "stripeCompleted": True,
    }


# --- social links ---------------------------------------------------------------------------------
def test_links_are_replaced_as_a_whole_and_empty_ones_left_out(api, cast):
    links = {"facebook": "https://facebook.com/luigis", "instagram": "", "twitter": None}
    answer = put(api(cast.owner), {"socialMediaLinks": links}, "/social")
    assert answer.status_code == 200
    assert answer.json()["socialMediaLinks"] == {"facebook": "https://facebook.com/luigis"}
    assert answer.json()["marketingCompleted"] is True
    other = {"twitter": "https://x.com/luigis"}
    put(api(cast.owner), {"socialMediaLinks": other}, "/social")
    assert fresh(cast.restaurant).social_media_links == other
    answer = put(api(cast.owner), {"socialMediaLinks": {}}, "/social")
    assert answer.json()["marketingCompleted"] is False


@pytest.mark.parametrize(
    ("platform", "link"),
    [
        ("facebook", "luigis"),
        ("facebook", "http://facebook.com/luigis"),
        ("facebook", "javascript:alert(1)"),
        ("facebook", "https://facebook.com"),
        ("facebook", "https://facebook.com/"),
        ("facebook", "https://facebook.com.evil.example/luigis"),
        ("facebook", "https://user@facebook.com/luigis"),
        ("facebook", "https://facebook.com:bad/luigis"),
        ("instagram", "https://facebook.com/luigis"),
        ("twitter", "https://twitter.com/lui gis"),
        ("twitter", "https://twitter.com/" + "x" * 500),
        ("twitter", 7.5),
        ("twitter", ["https://twitter.com/luigis"]),
    ],
)
def test_a_link_leads_to_a_page_there(api, cast, platform, link):
    answer = put(api(cast.owner), {"socialMediaLinks": {platform: link}}, "/social")
    message = "Must be a valid URL or empty"
    assert refused(answer, f"socialMediaLinks.{platform}", message)
    assert fresh(cast.restaurant).social_media_links == {}


@pytest.mark.parametrize("links", [None, [], "facebook", {"myspace": "https://myspace.com/x"}])
def test_other_platforms_are_refused(api, cast, links):
    answer = put(api(cast.owner), {"socialMediaLinks": links}, "/social")
    message = "You can link facebook, instagram, and twitter."
    assert refused(answer, "socialMediaLinks", message)


# --- the map, and no marketing --------------------------------------------------------------------
def test_the_map_is_shown_and_hidden(api, cast):
    client = api(cast.owner)
    for shown in (True, False):
        answer = put(client, {"show_map_on_patron_menu": shown}, "/settings")
        assert (answer.status_code, answer.json()["showMapOnPatronMenu"]) == (200, shown)
        assert fresh(cast.restaurant).show_map_on_patron_menu is shown


@pytest.mark.parametrize("day", ["2027-03-22", "2028-03-21"])
def test_the_day_orders_are_planned_is_saved_and_removed(api, cast, day):
    assert put(api(cast.owner), {"openingDay": day}, "/settings").json()["openingDay"] == day
    assert str(columns(cast.restaurant)["opening_day"]) == day
    assert put(api(cast.owner), {"openingDay": None}, "/settings").json()["openingDay"] is None
    assert columns(cast.restaurant)["opening_day"] is None


@pytest.mark.parametrize(
    ("day", "message"),
    [
        ("2027-03-21", "Choose today or a later day."),
        ("2028-03-22", "Choose a day within a year."),
        ("soon", "Enter a day as year, month, and day: 2026-11-24."),
        ("", "Enter a day as year, month, and day: 2026-11-24."),
    ],
)
def test_a_day_that_orders_cannot_be_planned_for_is_refused(api, cast, day, message):
    assert refused(put(api(cast.owner), {"openingDay": day}, "/settings"), "openingDay", message)
    assert columns(cast.restaurant)["opening_day"] is None


def test_an_owner_can_go_without_marketing(api, cast):
    client = api(cast.owner)
    profile = put(client, {"marketingOptOut": True}, "/settings").json()
    assert (profile["marketingOptOut"], profile["marketingCompleted"]) == (True, True)
    assert (
        put(client, {"marketingOptOut": False}, "/settings").json()["marketingCompleted"] is False
    )


@pytest.mark.parametrize("value", [None, "perhaps", [], 7])
def test_a_switch_is_on_or_off(api, cast, value):
    answer = put(api(cast.owner), {"show_map_on_patron_menu": value}, "/settings")
    assert refused(answer, "show_map_on_patron_menu", "Send true or false.")
    assert put(api(cast.owner), {}, "/settings").status_code == 400


# --- for whom -------------------------------------------------------------------------------------
def test_guests_see_nothing_of_the_owner_or_the_account(api, cast):
    put(api(cast.owner), WHOLE)
    page = api(at=cast.restaurant).get("/api/restaurant")
    assert page.status_code == 200
    shown = page.json()
    private = {"ownerName", "email", "stripeAccountId", "passwordSet", "taxRate"}
    private |= {"monthlySpecialOffersCount", "revenueSharePercentage", "missingProfileFields"}
    assert not private & (set(shown) | set(shown["restaurant"]))
    assert (shown["name"], shown["restaurant"]["city"]) == ("Da Luigi", "New York")
    named = api().get(f"/api/restaurant?rid={cast.other.pk}").json()
    assert named["name"] == "Ming's"
    assert api(cast.owner).get("/api/restaurant").json()["name"] == "Da Luigi"


def test_a_user_without_a_restaurant_has_no_profile(api, cast):
    answer = api().get("/api/restaurant")
    assert answer.status_code == 404
    assert answer.json()["message"] == ("This restaurant could not be found or is not available.")


def test_the_profile_counts_the_offers_of_this_month(api, cast):
    def count(**restaurant):
        Restaurant.objects.filter(pk=cast.restaurant.pk).update(**restaurant)
        profile = api(cast.owner).get("/api/restaurant/profile").json()
        return profile["monthlySpecialOffersCount"], profile["specialOffersLimitReached"]

    month = NOON.date().replace(day=1)
    counted = {"monthly_special_offers_count": 10, "special_offers_limit_reached": True}
    assert count(**counted, last_special_offer_reset_date=month) == (10, True)
    assert count(subscription_tier="branded") == (10, False)
    assert count(subscription_tier="free") == (10, True)
    assert count(last_special_offer_reset_date=month.replace(month=2)) == (0, False)


def test_the_profile_names_the_payment_account(api, cast):
    account = cast.restaurant.connect_account
    profile = api(cast.owner).get("/api/restaurant/profile").json()
    assert profile["stripeAccountId"] == account.account_id
    account.delete()
    assert api(cast.owner).get("/api/restaurant/profile").json()["stripeAccountId"] is None


def test_forms_get_the_places_to_choose_from(api, cast):
    places = api().get("/api/places").json()
    assert (len(places["countries"]), len(places["states"]), len(places["timezones"])) == (
        44,
        50,
        6,
    )
    codes = dict(zip(places["states"], places["stateCodes"], strict=True))
    assert (codes["New York"], codes["Alaska"], codes["Wyoming"]) == ("NY", "AK", "WY")


@pytest.mark.parametrize("phone", ["abc", "call me"])
def test_a_phone_that_nobody_can_call_is_refused(api, cast, phone):
    answer = api(cast.owner).put("/api/restaurant", {"phone": phone, "city": "Troy"})
    assert answer.status_code == 400
    assert [(each["field"], each["message"]) for each in answer.json()["errors"]] == [
        ("phone", "Enter a phone number that guests can call.")
    ]
    assert Restaurant.objects.get(pk=cast.restaurant.pk).city != "Troy"
    assert api(cast.owner).put("/api/restaurant", {"phone": ""}).status_code == 200


def test_an_owner_whose_account_has_no_name_is_called_by_the_one_in_the_settings(api, cast):
    User.objects.filter(pk=cast.owner.pk).update(name="")
    cast.owner.refresh_from_db()
    assert api(cast.owner).put("/api/restaurant", {"ownerName": "Pia Rossi"}).status_code == 200
    assert User.objects.get(pk=cast.owner.pk).name == "Pia Rossi"
    assert api(cast.owner).put("/api/restaurant", {"ownerName": "Pia Verdi"}).status_code == 200
    assert User.objects.get(pk=cast.owner.pk).name == "Pia Verdi"


def test_an_account_with_another_name_keeps_it(api, cast):
    before = User.objects.get(pk=cast.owner.pk).name
    assert before != Restaurant.objects.get(pk=cast.restaurant.pk).owner_name
    assert api(cast.owner).put("/api/restaurant", {"ownerName": "Someone Else"}).status_code == 200
    assert User.objects.get(pk=cast.owner.pk).name == before


# --- two people at once ---------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("path", "body"),
    [("", {"phone": "+1 212 555 0111"}), ("/social", {"socialMediaLinks": {}})],
)
def test_an_edit_of_an_older_version_is_refused_and_says_what_the_profile_is_now(
    api, cast, path, body
):
    owner = api(cast.owner)
    seen = owner.get("/api/restaurant/profile").json()["version"]
    assert put(owner, {"city": "Hoboken", "version": seen}).status_code == 200
    before = columns(cast.restaurant)
    answer = put(owner, {**body, "version": seen}, path)
    assert (answer.status_code, answer.json()["code"]) == (409, "edited_meanwhile")
    current = answer.json()["current"]
    assert current["city"] == "Hoboken"
    assert columns(cast.restaurant) == before
    assert put(owner, {**body, "version": current["version"]}, path).status_code == 200


def test_a_version_alone_changes_nothing(api, cast):
    owner = api(cast.owner)
    seen = owner.get("/api/restaurant/profile").json()["version"]
    assert put(owner, {"version": seen}).status_code == 400


def test_what_the_forms_do_not_change_is_no_other_version(api, cast):
    owner = api(cast.owner)
    seen = owner.get("/api/restaurant/profile").json()["version"]
    Restaurant.objects.filter(pk=cast.restaurant.pk).update(monthly_special_offers_count=3)
    assert owner.get("/api/restaurant/profile").json()["version"] == seen
