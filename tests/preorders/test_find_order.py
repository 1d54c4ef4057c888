"""Email address and order code lead to an order's own page; guessing leads nowhere."""

import html

import pytest
from django.test.client import MULTIPART_CONTENT

from apps.preorders.core.links import order_url
from apps.preorders.models import PreOrder

OURS = {"Sec-Fetch-Site": "same-origin"}
NOT_FOUND = "We couldn't find an order with this email address and code."


@pytest.fixture
def order(world):
    made = world.authorized_order(world.offer(), 1)
    return PreOrder.objects.select_related("offer__restaurant").get(pk=made.pk)


@pytest.fixture
def guest(api, world):
    return api(at=world.restaurant)


def ask(guest, email, code, **headers):
    fields = {"email": email, "code": code}
    return guest.post("/find-order", fields, MULTIPART_CONTENT, headers=OURS | headers)


def test_the_form_is_there(guest):
    page = guest.get("/find-order")
    assert page.status_code == 200
    assert "Find your order" in page.text
    assert page["X-Robots-Tag"] == "noindex"


@pytest.mark.parametrize("spelling", ["{code}", " {lower} ", "{spaced}"])
def test_the_right_pair_leads_on(guest, order, spelling):
    code = order.code
    typed = spelling.format(code=code, lower=code.lower(), spaced=f"{code[:4]} {code[4:]}")
    answer = ask(guest, order.customer_email.upper(), typed)
    assert (answer.status_code, answer["Location"]) == (303, order_url(order))


def test_a_wrong_address_and_a_wrong_code_read_the_same(world, guest, order):
    other = world.authorized_order(order.offer, 1)
    answers = [
        ask(guest, "nobody@example.test", order.code),
        ask(guest, order.customer_email, "00000000"),
        ask(guest, order.customer_email, other.code),
    ]
    assert [answer.status_code for answer in answers] == [404, 404, 404]
    for answer in answers:
        assert NOT_FOUND in html.unescape(answer.text)
    typed = ("nobody@example.test", order.customer_email, order.code, "00000000", other.code)
    shown = set()
    for answer in answers:
        text = answer.text
        for each in typed:
            text = text.replace(each, "")
        shown.add(text)
    assert len(shown) == 1


NONSENSE = [("", ""), ("x", "y"), ("a@b", "\0"), ("\0@b", "0" * 8)]


@pytest.mark.parametrize(("email", "code"), NONSENSE)
def test_nonsense_is_refused_in_the_same_words(guest, email, code):
    answer = ask(guest, email, code)
    assert answer.status_code == 400
    assert NOT_FOUND in html.unescape(answer.text)


def test_a_client_can_guess_a_limited_number_of_times(guest, order):
    for number in range(10):
        assert ask(guest, f"guest{number}@example.test", f"0000000{number}").status_code == 404
    refused = ask(guest, order.customer_email, order.code)
    assert refused.status_code == 429
    assert "Too many attempts" in refused.text


def test_an_address_can_be_tried_a_limited_number_of_times_from_any_client(api, world, order):
    for number in range(5):
        one = api(at=world.restaurant)
        one.defaults["REMOTE_ADDR"] = f"10.0.0.{number}"
        assert ask(one, order.customer_email, f"0000000{number}").status_code == 404
    another = api(at=world.restaurant)
    another.defaults["REMOTE_ADDR"] = "10.0.0.99"
    assert ask(another, order.customer_email, order.code).status_code == 429


def test_another_restaurants_host_finds_nothing_and_the_platform_everything(world, api, order):
    elsewhere = api(at=world.open_restaurant(name="Ming's", subdomain="mings"))
    assert ask(elsewhere, order.customer_email, order.code).status_code == 404
    assert ask(api(), order.customer_email, order.code)["Location"] == order_url(order)


def test_another_sites_form_is_refused(guest, order):
    answer = ask(guest, order.customer_email, order.code, **{"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403
