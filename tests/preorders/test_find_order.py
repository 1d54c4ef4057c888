"""Finding an order by email: the page answers the same for every address, so nobody can guess who
ordered."""

import html
import re
from datetime import UTC, datetime, time, timedelta

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.test.client import MULTIPART_CONTENT

from apps.offers.models import SpecialOffer
from apps.offers.presentation import Special
from apps.preorders.checkout.services import GuestDetails
from apps.preorders.core.links import order_path, waitlist_entry_url
from apps.preorders.models import PreOrder
from apps.preorders.waitlist.services import join_waitlist, leave_waitlist

OURS = {"Sec-Fetch-Site": "same-origin"}
SENT = "If there are orders or waitlist places with"


@pytest.fixture
def order(world):
    made = world.authorized_order(world.offer(name="Osso Buco"), 1)
    world.work()
    mail.outbox.clear()
    return PreOrder.objects.select_related("offer__restaurant").get(pk=made.pk)


@pytest.fixture
def guest(api, world):
    return api(at=world.restaurant)


def ask(guest, email, **headers):
    return guest.post("/find-order", {"email": email}, MULTIPART_CONTENT, headers=OURS | headers)


def links_in(message):
    return re.findall(r"http://\S+/order/\S+", message.body)


def test_the_form_is_there(guest):
    page = guest.get("/find-order")
    assert page.status_code == 200
    assert "Find your order" in page.text
    assert page["X-Robots-Tag"] == "noindex"


def test_the_devices_orders_are_listed_once(guest):
    assert guest.get("/find-order").text.count("data-own-orders") == 1
    assert ask(guest, "nobody@guests.test").text.count("data-own-orders") == 1


def test_an_address_gets_the_links_to_its_orders_by_email_alone(world, guest, order):
    sooner = world.offer(name="Arancini", serve_date=order.offer.serve_date - timedelta(days=1))
    again = world.begin(sooner, 2, name=order.customer_name, email=order.customer_email)
    world.pay(again)
    world.hear(again)
    world.authorized_order(order.offer, 1)
    world.work()
    mail.outbox.clear()
    answer = ask(guest, order.customer_email.upper())
    assert answer.status_code == 200
    assert "/order/" not in answer.text
    world.work()
    [message] = mail.outbox
    assert message.to == [f"{order.customer_name} <{order.customer_email}>"]
    of_two = f"Arancini, 2 portions, $51.84 with tax, order {world.fresh(again).code}\n"
    assert f"{of_two}{Special(world.fresh(sooner), world.now).sentence}\n" in message.body
    first, second = links_in(message)
    assert order_path(world.fresh(again)) in first
    assert order_path(order) in second
    opened = guest.get(second.split(":8000")[1])
    assert opened.status_code == 303
    assert 'value="cancel"' in guest.get(opened["Location"]).text


def test_an_order_without_a_card_is_listed_as_not_placed(world, guest, order):
    world.authorized_order(order.offer, 1)
    dana = {"name": order.customer_name, "email": order.customer_email}
    unfinished = world.begin(world.offer(name="Arancini"), 1, **dana)
    world.work()
    mail.outbox.clear()
    ask(guest, order.customer_email)
    world.work()
    [message] = mail.outbox
    row = str(message.body).partition("Arancini, ")[2]
    code = world.fresh(unfinished).code
    assert row.startswith(
        f"1 portion, $25.92 with tax, order {code}\nNot placed yet: no card is held."
    )
    assert [
        markup_of(message).count(f">{text}<") for text in ("Finish your order", "See your order")
    ] == [1, 1]


def test_the_nearest_day_to_come_is_listed_first_and_past_ones_last(world, guest, order):
    day = order.offer.serve_date
    for days, name in ((1, "Arancini"), (-2, "Bucatini"), (-3, "Cannoli"), (3, "Diavola")):
        again = world.begin(
            world.offer(name=name), 1, name=order.customer_name, email=order.customer_email
        )
        world.pay(again)
        world.hear(again)
        SpecialOffer.objects.filter(pk=again.offer_id).update(serve_date=day + timedelta(days=days))
    world.work()
    mail.outbox.clear()
    world.at(datetime.combine(day, time(16), tzinfo=UTC))
    ask(guest, order.customer_email)
    world.work()
    [message] = mail.outbox
    names = re.findall(r"^(\w[\w ]+), 1 portion, .* order", str(message.body), re.MULTILINE)
    assert names == ["Osso Buco", "Arancini", "Diavola", "Bucatini", "Cannoli"]


def test_an_address_without_orders_is_answered_in_the_same_words(world, guest, order):
    pages = [ask(guest, email) for email in (order.customer_email, "nobody@example.test")]
    assert [page.status_code for page in pages] == [200, 200]
    texts = [html.unescape(page.text) for page in pages]
    assert SENT in texts[0]
    assert (
        len(
            {
                text.replace(order.customer_email, "").replace("nobody@example.test", "")
                for text in texts
            }
        )
        == 1
    )
    world.work()
    assert [message.to for message in mail.outbox] == [
        [f"{order.customer_name} <{order.customer_email}>"]
    ]


def markup_of(message):
    assert isinstance(message, EmailMultiAlternatives)
    return str(message.alternatives[0][0])


def wait_for(world, offer, email, name="Wanda"):
    world.later(seconds=1)
    guest = GuestDetails(name, email, "")
    entry = join_waitlist(offer_id=offer.pk, guest=guest, portions=1, now=world.now)
    world.work()
    mail.outbox.clear()
    return entry


@pytest.fixture
def full(world):
    offer = world.offer(name="Sold Out Sole", min_preorders=1, max_preorders=1)
    world.authorized_order(offer, 1)
    wait_for(world, offer, "first@example.test", "First")
    return offer


def test_an_address_that_only_waits_gets_its_place_as_often_as_it_asks(world, guest, full):
    entry = wait_for(world, full, "wanda@example.test")
    for _ in range(2):
        answer = ask(guest, "Wanda@Example.test")
        assert "/waitlist/" not in answer.text
        world.work()
    assert len({message.extra_headers["Message-ID"] for message in mail.outbox}) == 2
    message = mail.outbox[1]
    assert message.to == ["Wanda <wanda@example.test>"]
    assert message.subject == f"Your waitlist places at {world.restaurant.name}"
    assert "Sold Out Sole, 1 portion" in message.body
    assert "You're number\u00a02 on the waitlist" in message.body
    assert waitlist_entry_url(entry) in message.body
    markup = markup_of(message)
    assert re.search(
        rf'class="way" href="{waitlist_entry_url(entry)}"[^>]+>See your place<', markup
    )
    assert "change that order" not in message.body


def test_orders_and_places_are_in_one_email(world, guest, order, full):
    entry = wait_for(world, full, order.customer_email, order.customer_name)
    ask(guest, order.customer_email)
    world.work()
    [message] = mail.outbox
    assert message.subject == f"Your orders and waitlist places at {world.restaurant.name}"
    assert message.body.index("Osso Buco, 1 portion") < message.body.index("Sold Out Sole")
    assert waitlist_entry_url(entry) in message.body
    assert markup_of(message).count('class="way"') == 2


def test_a_place_of_another_address_restaurant_or_time_is_not_listed(world, api, guest, full):
    entry = wait_for(world, full, "wanda@example.test")
    ask(guest, "wanda@example.tes")
    ask(api(at=world.open_restaurant(name="Ming's", subdomain="mings")), "wanda@example.test")
    world.work()
    assert mail.outbox == []
    leave_waitlist(entry_id=entry.pk, now=world.now)
    ask(guest, "wanda@example.test")
    world.at(full.deadline)
    ask(guest, "first@example.test")
    world.work()
    assert [each for each in mail.outbox if "waitlist places" in each.subject] == []


def test_an_order_that_was_never_placed_is_not_listed(world, guest):
    begun = world.begin(world.offer(), 1, email="ann@example.test")
    world.cancel(begun)
    world.work()
    mail.outbox.clear()
    ask(guest, "ann@example.test")
    world.work()
    assert mail.outbox == []


@pytest.mark.parametrize("email", ["", "x", "jo@guest", "@b", "\0@b", "a" * 260 + "@b.test"])
def test_what_is_no_address_is_refused(world, guest, email):
    answer = ask(guest, email)
    assert answer.status_code == 400
    assert "Enter a valid email address." in html.unescape(answer.text)
    assert world.work() == []


def test_one_machine_cannot_ask_for_everybody(guest, order):
    for number in range(10):
        assert ask(guest, f"guest{number}@example.test").status_code == 200
    refused = ask(guest, order.customer_email)
    assert refused.status_code == 429
    assert "Too many attempts" in refused.text


def test_one_address_is_not_flooded_from_many_machines(api, world, order):
    statuses = []
    for number in range(4):
        one = api(at=world.restaurant)
        one.defaults["REMOTE_ADDR"] = f"10.0.0.{number}"
        statuses.append(ask(one, order.customer_email).status_code)
    world.work()
    assert statuses == [200, 200, 200, 429]
    assert len(mail.outbox) == 3


def test_another_restaurants_host_emails_nothing_and_the_platform_everything(world, api, order):
    elsewhere = api(at=world.open_restaurant(name="Ming's", subdomain="mings"))
    ask(elsewhere, order.customer_email)
    world.work()
    assert mail.outbox == []
    ask(api(), order.customer_email)
    world.work()
    assert len(mail.outbox) == 1


def test_another_sites_form_is_refused(guest, order):
    answer = ask(guest, order.customer_email, **{"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403
