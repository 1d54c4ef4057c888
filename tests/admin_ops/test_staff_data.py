"""The staff's data pages: every table can be found and read, and none can be written."""

from datetime import time, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.contrib import admin
from django.db import InternalError, connection, models
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from apps.accounts.rate_limits import STAFF_DATA
from apps.accounts.services import issue_token
from apps.activity.models import LoggedEvent
from apps.common import rls
from apps.common.admin import SECRET_NAME, StaffModelAdmin
from apps.common.read_only import is_refused_write, read_only
from apps.monitoring.models import Alarm, AlarmNotice
from apps.preorders.models import (
    Email,
    ExpirationSchedule,
    NoticePreference,
    PushSubscription,
    SettlementPause,
)
from apps.privacy.classification import holding_of
from tests.caching import forget_everything
from tests.client import record_sign_in
from tests.conftest import NOON
from tests.factories import PreOrderFactory, RestaurantFactory, SpecialOfferFactory, UserFactory
from tests.pages import text_of

pytestmark = pytest.mark.django_db
FORM = "application/x-www-form-urlencoded"
# Tables without a page, and why. Those that the product leaves empty have none either.
WITHOUT_A_PAGE = {
    "accounts.User_groups": "Django's, not used",
    "accounts.User_user_permissions": "Django's, not used",
    "auth.Group": "Django's, not used",
    "auth.Group_permissions": "Django's, not used",
    "auth.Permission": "Django's, not used",
    "contenttypes.ContentType": "the names of the tables",
    "djstripe.APIKey": "secrets of ours",
    "djstripe.Account": "dj-stripe's copy, blanked to its id; ours is ConnectAccount",
    "djstripe.IdempotencyKey": "dj-stripe's own, nothing to read",
    "djstripe.WebhookEndpoint": "secrets of ours",
    "restaurants.IdempotencyKey": "answers to programs, as they were sent",
    "sessions.Session": "secrets; the devices are in UserSession",
    "socialaccount.SocialApp": "secrets; configured by settings",
}
PAGES = sorted(admin.site._registry.items(), key=lambda each: each[0]._meta.label)
LABELS = [model._meta.label for model, _ in PAGES]
SECRET = "5e9de1f00dcafe5ec2e7"


def url(model: Any, page: str, *args: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def sample(model: type[models.Model], **given: Any) -> Any:
    """A row with something in every column, and rows for what it refers to."""
    values: dict[str, Any] = {}
    for field in model._meta.concrete_fields:
        if field.name in given or getattr(field, "db_persist", False):
            continue
        if field.primary_key and isinstance(field, models.AutoField):
            continue
        values[field.name] = _value(field)
    row = model(**values | given)
    return model._base_manager.bulk_create([row])[0]


def _value(field: Any) -> Any:
    if field.is_relation:
        return None if field.null else _referred(field)
    if field.choices:
        return field.flatchoices[0][0]
    kind = field.get_internal_type()
    text = uuid4().hex + uuid4().hex
    if SECRET_NAME.search(field.name) and kind in ("CharField", "TextField", "URLField"):
        return (SECRET + text)[: field.max_length]
    simple: dict[str, Any] = {
        "UUIDField": uuid4(),
        "ArrayField": [],
        "JSONField": {SECRET: True} if SECRET_NAME.search(field.name) else {},
        "BooleanField": False,
        "GenericIPAddressField": "203.0.113.7",
        "EmailField": f"{text[:12]}@example.test",
    }
    if kind in simple:
        return simple[kind]
    if kind in ("DateTimeField", "DateField"):
        moment = NOON + timedelta(hours=1) if field.name == "ends_at" else NOON
        return None if field.null else moment.date() if kind == "DateField" else moment
    if kind == "TimeField":
        return NOON.time()
    if "Integer" in kind or kind == "DecimalField":
        return 2 if field.name == "regular_price" else 1  # a special costs less
    if field.name == "timezone":
        return "America/New_York"
    if field.name == "currency":
        return "usd"
    return text[: field.max_length or 20]


def _referred(field: Any) -> Any:
    label = field.related_model._meta.label
    if label == "restaurants.Restaurant":
        return RestaurantFactory(account=None)
    if label == "preorders.PreOrder":
        return PreOrderFactory()
    if label == "offers.SpecialOffer":
        return SpecialOfferFactory()
    if label == "offers.OfferVersion":
        return PreOrderFactory().sold
    make = MADE_BY_HAND.get(label)
    return make() if make else sample(field.related_model)


# Tables whose constraints ask for more than something in every column.
MADE_BY_HAND: dict[str, Any] = {
    "preorders.PreOrder": lambda: PreOrderFactory(checkout_url=f"https://checkout.test/{SECRET}"),
    "restaurants.Restaurant": RestaurantFactory,
    "monitoring.Alarm": lambda: sample(Alarm, figure=1.5),
    "monitoring.AlarmNotice": lambda: sample(AlarmNotice, alarm=sample(Alarm, figure=1.5)),
    "offers.SpecialOffer": SpecialOfferFactory,
    "preorders.ExpirationSchedule": lambda: sample(ExpirationSchedule, interval_minutes=15),
    "preorders.SettlementPause": lambda: sample(SettlementPause, target=None),
    "preorders.NoticePreference": lambda: sample(
        NoticePreference, quiet_from=time(22), quiet_until=time(8)
    ),
    "preorders.PushSubscription": lambda: sample(PushSubscription, user=UserFactory()),
    "preorders.Email": lambda: sample(Email, pre_order=PreOrderFactory()),
}


# --- which tables have pages ----------------------------------------------------------------------
def test_every_table_has_a_page_or_a_reason_why_it_has_none():
    empty = {
        each._meta.label
        for each in apps.get_models(include_auto_created=True)
        if (holding := holding_of(each._meta.label)) and holding.is_empty
    }
    every = {each._meta.label for each in apps.get_models(include_auto_created=True)}
    assert set(LABELS) | set(WITHOUT_A_PAGE) | empty == every
    assert not set(LABELS) & set(WITHOUT_A_PAGE)


def test_libraries_register_no_pages_with_forms_of_their_own():
    assert all(isinstance(pages, StaffModelAdmin) for _, pages in PAGES)


# --- who reads them -------------------------------------------------------------------------------
@pytest.mark.usefixtures("platform", "clock")
def test_staff_open_the_list_and_a_row_of_every_table_and_read_no_secret(cast, api):
    client = api(cast.staff)
    for model, _ in PAGES:
        make = MADE_BY_HAND.get(model._meta.label)
        row = make() if make else sample(model)
        forget_everything()  # among others, how many pages were opened
        for page in (url(model, "changelist"), url(model, "change", row.pk)):
            answer = client.get(page)
            assert answer.status_code == 200, page
            assert SECRET not in answer.content.decode(), page
            # Django's admin needs nothing inline here, so not even a nonce is issued.
            policy = answer.headers["Content-Security-Policy"].split("; ")
            assert "script-src 'self'" in policy
            assert "<script>" not in answer.content.decode(), page


@pytest.mark.usefixtures("platform")
def test_the_list_of_tables_is_in_english(cast, api):
    text = text_of(api(cast.staff).get(reverse("admin:index")))
    for name in ("Payment histories", "Payout entries", "Dishes", "Reconciliation progresses"):
        assert name in text
    for name in ("Operations", "Email addresses", "Stripe"):
        assert name in text
    assert "historys" not in text
    dishes = text_of(api(cast.staff).get(reverse("admin:offers_dish_changelist")))
    assert "Dishes" in dishes


def test_nobody_else_opens_a_page(cast, api):
    owner, visitor = api(cast.owner), api()
    one_factor = api(cast.staff)
    record_sign_in(one_factor, cast.staff, by_factor=False)
    pages = [reverse("admin:index"), *(url(model, "changelist") for model, _ in PAGES)]
    for page in pages:
        assert owner.get(page).status_code == 403, page
        assert one_factor.get(page).status_code == 403, page
        found = visitor.get(page)
        assert (found.status_code, found.headers["Location"].split("?")[0]) == (302, "/login"), page


def test_a_token_of_staff_opens_no_page(cast, api):
    client = api()
    answer = client.get(reverse("admin:index"), headers={"Authorization": "Bearer x"})
    assert answer.status_code == 302


def test_django_has_no_sign_in_of_its_own(api, cast):
    for path in ("login/", "logout/", "password_change/"):
        assert api(cast.staff).get(f"/staff/data/{path}").status_code == 404


def test_a_stolen_session_cannot_copy_everything(cast, api):
    client = api(cast.staff)
    for _ in range(298):
        STAFF_DATA.record(str(cast.staff.pk))
    answers = [client.get(reverse("admin:index")).status_code for _ in range(3)]
    assert answers == [200, 200, 429]


# --- nothing is written ---------------------------------------------------------------------------
@pytest.mark.usefixtures("platform", "clock")
def test_no_page_of_a_table_takes_anything_but_its_actions(cast, api):
    client = api(cast.staff)
    for model, pages in PAGES:
        forget_everything()
        anything = uuid4() if isinstance(model._meta.pk, models.UUIDField) else 1
        for page in (url(model, "changelist"), url(model, "change", anything)):
            assert client.post(page, {"_save": "1"}, FORM).status_code == 405, page
            assert client.delete(page).status_code == 405, page
        for form in ("add/", f"{anything}/delete/", f"{anything}/history/"):
            assert client.get(url(model, "changelist") + form).status_code == 404, form
        request: Any = None
        assert not pages.has_add_permission(request)
        assert not pages.has_change_permission(request)
        assert not pages.has_delete_permission(request)


def test_a_page_that_tried_to_write_would_be_refused_by_the_database(cast):
    with pytest.raises(InternalError) as refused, read_only():
        RestaurantFactory()
    assert is_refused_write(refused.value)
    RestaurantFactory()  # outside it, writing works again


def test_an_action_needs_a_fresh_proof_of_who_is_there(cast, api):
    page = url(type(cast.owner), "action", cast.owner.pk, "sign-out")
    answer = api(cast.staff, signed_in_ago=3600).post(page, {}, FORM)
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/account/again?next=")
    assert not LoggedEvent.objects.filter(kind="sessions_ended").exists()


def test_an_action_is_done_by_its_service_in_the_name_of_who_did_it(cast, api):
    issue_token(user=cast.owner, now=NOON)
    page = url(type(cast.owner), "action", cast.owner.pk, "sign-out")
    assert api(cast.staff).post(page, {}, FORM).status_code == 302
    with rls.acting_as(rls.PLATFORM):
        event = LoggedEvent.objects.get(kind="sessions_ended")
    assert (event.actor_id, event.account_id) == (cast.staff.pk, cast.owner.pk)


def test_an_action_on_a_row_that_is_gone_is_a_404(cast, api):
    page = url(type(cast.owner), "action", uuid4(), "sign-out")
    assert api(cast.staff).post(page, {}, FORM).status_code == 404
    page = url(type(cast.owner), "action", cast.owner.pk, "no-such-action")
    assert api(cast.staff).post(page, {}, FORM).status_code == 404


# --- what a page costs ----------------------------------------------------------------------------
def _statements(client: Any, page: str) -> list[str]:
    client.get(page)
    with CaptureQueriesContext(connection) as sent:
        assert client.get(page).status_code == 200
    return [each["sql"] for each in sent.captured_queries]


def test_a_list_costs_the_same_for_any_number_of_rows_and_counts_no_whole_table(cast, api):
    client = api(cast.staff)
    first = PreOrderFactory(restaurant=cast.restaurant)
    page = url(type(first), "changelist")
    few = _statements(client, page)
    for _ in range(5):
        PreOrderFactory()
    many = _statements(client, page)
    assert len(many) == len(few)
    assert len(few) <= 12
    table = first._meta.db_table
    assert any("COUNT(*)" in each and table in each and "LIMIT" in each for each in many)
    assert not any(f'COUNT(*) AS "__count" FROM "{table}"' in each for each in many)


# --- searching ------------------------------------------------------------------------------------
def _found(client, model, **query):
    return client.get(url(model, "changelist"), query).content.decode()


@pytest.mark.usefixtures("platform")
def test_staff_search_orders_of_all_restaurants(cast, api):
    order = PreOrderFactory(customer_name="Dana Guest", customer_email="Dana@example.test")
    PreOrderFactory(customer_name="Someone Else", customer_email="else@example.test")
    client, model = api(cast.staff), type(order)
    whole_id, restaurant = str(order.pk), str(order.restaurant_id)
    for term in (order.code, whole_id, order.payment_intent_id, "dana@EXAMPLE.test"):
        page = _found(client, model, q=term)
        assert "Dana Guest" in page, term
        assert "Someone Else" not in page, term
    assert "Nothing found" in _found(client, model, q="Dana")  # a name needs a restaurant
    assert "Dana Guest" in _found(client, model, q="dana gue", restaurant=restaurant)


@pytest.mark.usefixtures("platform")
def test_a_secret_cannot_be_guessed_by_filtering(cast, api):
    client, model = api(cast.staff), type(cast.owner)
    for lookup in ("password__startswith", "password", "bearer_tokens__digest"):
        assert client.get(url(model, "changelist"), {lookup: "a"}).status_code == 400


# --- looking is logged ----------------------------------------------------------------------------
@pytest.mark.usefixtures("platform")
def test_the_owner_sees_that_staff_opened_a_row_of_their_restaurant(cast, api):
    order = PreOrderFactory(restaurant=cast.restaurant, offer__restaurant=cast.restaurant)
    api(cast.staff).get(url(type(order), "change", order.pk))
    event = LoggedEvent.objects.get(kind="staff_visited")
    assert (event.restaurant_id, event.actor_id) == (cast.restaurant.pk, cast.staff.pk)


# --- Stripe's dashboard ---------------------------------------------------------------------------
@pytest.mark.usefixtures("platform")
@pytest.mark.parametrize(("is_live", "path"), [(False, "test/payments"), (True, "payments")])
def test_a_payment_leads_to_stripes_dashboard(cast, api, settings, is_live, path):
    order = PreOrderFactory()
    settings.STRIPE_LIVE_MODE = is_live
    page = url(type(order), "change", order.pk)
    assert "dashboard.stripe.com" not in api(cast.staff).get(page).content.decode()
    settings.STRIPE_API_BASE = "https://api.stripe.com"
    link = f'href="https://dashboard.stripe.com/{path}/{order.payment_intent_id}"'
    assert link in api(cast.staff).get(page).content.decode()


# --- values in words ------------------------------------------------------------------------------
@pytest.mark.usefixtures("platform")
def test_times_of_every_list_and_row_name_their_zone(cast, api):
    client, seen = api(cast.staff), 0
    for model, pages in PAGES:
        times = {
            each.name for each in model._meta.concrete_fields if type(each) is models.DateTimeField
        }
        if listed := times & set(pages.list_display):
            forget_everything()
            make = MADE_BY_HAND.get(model._meta.label)
            row = make() if make else sample(model)
            for name in listed:
                cells = [f"column-{name}", f"field-{name}"]
                content = client.get(url(model, "changelist")).content.decode()
                assert all(each in content for each in cells), (model, name)
                if value := getattr(row, name):
                    assert f"{value:%Y-%m-%d %H:%M:%S} UTC" in content, (model, name)
                    page = client.get(url(model, "change", row.pk)).content.decode()
                    assert f"{value:%Y-%m-%d %H:%M:%S} UTC" in page, (model, name)
                    seen += 1
    assert seen > 20


@pytest.mark.usefixtures("platform")
def test_a_restaurants_row_reads_without_braces(cast, api):
    restaurant = RestaurantFactory(
        hours_of_operation={
            "monday": [{"opens": "17:00", "closes": "22:00"}],
            "tuesday": [{"opens": "17:00", "closes": "22:00"}],
        },
        social_media_links={"facebook": "https://facebook.com/luigis"},
        embed_sites=["https://luigis.example", "https://blog.luigis.example"],
    )
    text = text_of(api(cast.staff).get(url(type(restaurant), "change", restaurant.pk)))
    assert "Mon–Tue 5–10 PM" in text
    assert "facebook: https://facebook.com/luigis" in text
    assert "https://luigis.example, https://blog.luigis.example" in text
    assert "Show map on patron menu No" in text
    assert "Payment histories" in text  # the link to them
    assert "{" not in text
