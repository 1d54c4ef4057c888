"""The owner's pages of webhooks: every state, and nobody else's rows."""

import re
from uuid import uuid4

import pytest
from django.urls import reverse

from apps.common import rls
from apps.integrations import services
from apps.integrations.models import WebhookAttempt, WebhookDelivery, WebhookEndpoint
from apps.integrations.outbox import write_event
from tests.integrations.conftest import deliveries
from tests.pages import text_of

pytestmark = pytest.mark.django_db
PATH = "/restaurant/webhooks"
FORM = "application/x-www-form-urlencoded"
URL = "https://example.com/hooks"
FIELDS = f"url={URL}&description=Till&event_types=order.placed&event_types=special.failed"


def stored():
    with rls.acting_as(rls.PLATFORM):
        return list(WebhookEndpoint.objects.order_by("created_at", "pk"))


def add(client):
    answer = client.post(PATH, FIELDS, FORM)
    assert answer.status_code == 200
    return f"{PATH}/{stored()[-1].pk}", answer


def test_the_empty_page_says_what_a_webhook_is(api, cast):
    text = text_of(api(cast.owner).get(PATH))
    assert "No webhooks yet." in text
    assert "A guest ordered, and the card is held" in text


def test_adding_one_shows_its_secret_once(api, cast):
    client = api(cast.owner)
    one, answer = add(client)
    (secret,) = re.findall(r"whsec_[\w+/=]+", answer.content.decode())
    assert answer.headers["Cache-Control"].startswith("max-age=0, no-cache, no-store")
    assert secret not in client.get(one).content.decode()
    assert secret not in client.get(PATH).content.decode()
    (endpoint,) = stored()
    assert (endpoint.url, endpoint.description) == (URL, "Till")
    assert endpoint.event_types == ["order.placed", "special.failed"]
    assert "2 kinds of events" in text_of(client.get(PATH))


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ("", "Enter the address of your program."),
        ("url=&event_types=order.placed", "Enter the address of your program."),
        ("url=ftp://x/&event_types=order.placed", "It begins with https://"),
        ("url=https://me:pw@x.test/&event_types=order.placed", "has no password in it"),
        (f"url=https://x/{'a' * 500}&event_types=order.placed", "at most 500 characters"),
        (f"url={URL}", "Choose at least one event."),
        (f"url={URL}&event_types=order.eaten", "Choose at least one event."),
        (f"url={URL}&event_types=order.placed&description={'a' * 101}", "at most 100 characters"),
        (f"url={URL}%00&event_types=order.placed", "Null characters are not allowed."),
    ],
)
def test_a_wrong_form_is_shown_again_and_nothing_is_stored(api, cast, fields, says):
    answer = api(cast.owner).post(PATH, fields, FORM)
    assert answer.status_code == 400
    assert says in text_of(answer)
    assert stored() == []


def test_in_production_an_address_of_ours_or_without_https_is_refused(api, cast, settings):
    settings.OUTBOUND_TO_PRIVATE_ADDRESSES = False
    settings_root = settings.ROOT_DOMAIN
    client = api(cast.owner)
    for url, says in [
        (f"https://{settings_root}/api", "That's an address of Fully Booked."),
        (f"https://luigis.{settings_root}/", "That's an address of Fully Booked."),
        ("http://example.com/", "It begins with https://"),
    ]:
        answer = client.post(PATH, f"url={url}&event_types=order.placed", FORM)
        assert (answer.status_code, says in text_of(answer)) == (400, True), url
    assert stored() == []


def test_a_restaurant_has_five_at_most(api, cast):
    client = api(cast.owner)
    for _ in range(services.MAX_ENDPOINTS):
        add(client)
    assert "You have 5 webhooks" in text_of(client.get(PATH))
    answer = client.post(PATH, FIELDS, FORM)
    assert answer.status_code == 400
    assert len(stored()) == 5


def test_only_an_owner_of_the_restaurant_gets_in(api, cast):
    one, _ = add(api(cast.owner))
    inside = [PATH, one, *(f"{one}/{each}" for each in ("secret", "on", "off", "delete", "test"))]
    for person in (cast.manager, cast.kitchen):
        for path in inside:
            assert api(person).post(path, FIELDS, FORM).status_code == 403, path
        assert api(person).get(PATH).status_code == api(person).get(one).status_code == 403
    # Another restaurant's owner: the webhook doesn't exist.
    outsider = api(cast.outsider)
    for path in inside[1:]:
        answer = outsider.post(path, FIELDS, FORM)
        assert (answer.status_code, answer.url) == (302, PATH), path
    assert outsider.get(one).url == PATH
    assert api().get(PATH).status_code == 302
    (endpoint,) = stored()
    assert (endpoint.restaurant_id, endpoint.is_on, endpoint.previous_secret) == (
        cast.restaurant.pk,
        True,
        "",
    )
    assert deliveries() == []


def test_adding_changing_and_a_new_secret_need_a_recent_proof(api, cast, clock):
    client = api(cast.owner)
    one, _ = add(client)
    stale = api(cast.owner, signed_in_ago=3600)
    for path in (PATH, one, f"{one}/secret", f"{one}/on", f"{one}/delete"):
        answer = stale.post(path, FIELDS, FORM)
        assert answer.status_code == 302
        assert answer.url.startswith("/account/again"), path
    (endpoint,) = stored()
    assert endpoint.previous_secret == ""


def test_changing_it_keeps_its_secret_and_its_log(api, cast):
    client = api(cast.owner)
    one, _ = add(client)
    before = stored()[0].secret
    answer = client.post(one, "url=https://other.test/&event_types=payment.captured", FORM)
    assert (answer.status_code, answer.url) == (302, one)
    (endpoint,) = stored()
    assert (endpoint.url, endpoint.event_types) == ("https://other.test/", ["payment.captured"])
    assert endpoint.secret == before
    answer = client.post(one, "url=nothing", FORM)
    assert answer.status_code == 400
    assert stored()[0].url == "https://other.test/"


def test_a_new_secret_says_how_long_the_previous_one_counts(api, cast, clock):
    client = api(cast.owner)
    one, first = add(client)
    answer = client.post(f"{one}/secret", "", FORM)
    (old,) = re.findall(r"whsec_[\w+/=]+", first.content.decode())
    (new,) = re.findall(r"whsec_[\w+/=]+", answer.content.decode())
    assert new != old
    assert "Until Tue, Mar 23, 12:00 PM EDT, events are signed with the previous secret too." in (
        text_of(answer)
    )


def test_a_test_event_reaches_the_program_and_its_answer_is_shown(
    api, cast, clock, receiver, run_tasks
):
    client = api(cast.owner)
    client.post(PATH, f"url={receiver.url.split('?')[0]}&event_types=order.placed", FORM)
    one = f"{PATH}/{stored()[0].pk}"
    receiver.will_answer(500, b"<b>no till</b>")
    client.post(f"{one}/test", "", FORM)
    run_tasks()
    assert receiver.types == ["endpoint.test"]
    page = client.get(one)
    assert "&lt;b&gt;no till&lt;/b&gt;" in page.content.decode()
    text = text_of(page)
    assert "Your program hasn't accepted an event since" in text
    assert "Failing" in text
    assert "endpoint.test" in text


def test_what_failed_can_be_sent_again_one_or_all(api, cast, clock, receiver, run_tasks):
    client = api(cast.owner)
    client.post(PATH, f"url={receiver.url.split('?')[0]}&event_types=order.placed", FORM)
    one = f"{PATH}/{stored()[0].pk}"
    (endpoint,) = stored()
    with rls.acting_as(rls.PLATFORM):
        for number in range(3):
            write_event(
                cast.restaurant.pk, "order.placed", {"n": number}, to=[endpoint], now=clock.now
            )
        WebhookDelivery.objects.update(status="failed", attempts=10)
    run_tasks()
    assert receiver.received == []
    text = text_of(client.get(f"{one}?show=failed"))
    assert "Resend 3 failed events" in text
    first = deliveries()[0]
    client.post(f"{one}/send-again", f"delivery={first.pk}", FORM)
    run_tasks()
    assert [each.event["data"]["n"] for each in receiver.received] == [0]
    client.post(f"{one}/send-again", "", FORM)
    run_tasks()
    assert [each.event["data"]["n"] for each in receiver.received] == [0, 1, 2]
    # One that arrived can be sent again too, with the same id.
    client.post(f"{one}/send-again", f"delivery={first.pk}", FORM)
    run_tasks()
    ids = [each.headers["webhook-id"] for each in receiver.received]
    assert ids[3] == ids[0]
    for nobodys in ("0", "999999999999999999", "x", "9" * 40, "-1"):
        answer = client.post(f"{one}/send-again", f"delivery={nobodys}", FORM, follow=True)
        assert "We couldn't find that event." in text_of(answer)
    answer = client.post(f"{one}/send-again", "", FORM, follow=True)
    assert "there's nothing to send again" in text_of(answer)
    assert len(receiver.received) == 4


def test_one_that_is_off_says_why_and_sends_nothing(api, cast, clock):
    client = api(cast.owner)
    one, _ = add(client)
    client.post(f"{one}/off", "", FORM)
    text = text_of(client.get(one))
    assert "Nothing is sent to this webhook. You turned it off." in text
    for each in ("test", "send-again"):
        answer = client.post(f"{one}/{each}", "", FORM, follow=True)
        assert "This webhook is off. Turn it on first." in text_of(answer)
    assert deliveries() == []
    client.post(f"{one}/on", "", FORM)
    assert "Nothing is sent" not in text_of(client.get(one))


def test_a_long_log_has_pages_and_a_fixed_number_of_queries(
    api, cast, clock, django_assert_max_num_queries
):
    client = api(cast.owner)
    one, _ = add(client)
    (endpoint,) = stored()
    with rls.acting_as(rls.PLATFORM):
        for number in range(60):
            write_event(
                cast.restaurant.pk, "order.placed", {"n": number}, to=[endpoint], now=clock.now
            )
        for each in WebhookDelivery.objects.all():
            WebhookAttempt.objects.create(
                restaurant=cast.restaurant,
                delivery=each,
                at=clock.now,
                milliseconds=12,
                response_code=500,
            )
    seen = []
    path = one
    for _ in range(3):
        with django_assert_max_num_queries(12):
            page = client.get(path).content.decode()
        seen += re.findall(r'data-delivery="(\d+)"', page)
        after = re.search(r'href="\?(cursor=[^"]+)"', page)
        path = f"{one}?{after[1]}" if after else ""
    assert len(seen) == len(set(seen)) == 60
    assert path == ""
    assert client.get(f"{one}?cursor=nonsense").status_code == 200


def test_deleting_takes_the_log_along(api, cast, clock):
    client = api(cast.owner)
    one, _ = add(client)
    client.post(f"{one}/test", "", FORM)
    answer = client.post(f"{one}/delete", "", FORM)
    assert (answer.status_code, answer.url) == (302, PATH)
    assert (stored(), deliveries()) == ([], [])


def test_a_webhook_that_is_gone_leads_back_to_the_list(api, cast):
    client = api(cast.owner)
    missing = uuid4()
    for path in ("webhook", "webhook-test", "webhook-off", "webhook-delete", "webhook-secret"):
        answer = client.post(reverse(path, args=[missing]), FIELDS, FORM)
        assert (answer.status_code, answer.url) == (302, PATH)
