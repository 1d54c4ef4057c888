"""The public page that proves where an order's entries stand in the ledger's chain."""

import hashlib
import re
import uuid
from decimal import Decimal

import pytest

from apps.billing import chain, ledger
from apps.billing.fees import Fees
from apps.common import rls
from apps.common.money import Money
from tests.conftest import NOON
from tests.factories import PreOrderFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


@pytest.fixture
def order(special):
    return charged(PreOrderFactory(offer=special))


def charged(order):
    ref = ledger.OrderRef(order.restaurant, order.pk, order.offer_id, order.payment_intent_id)
    fees = Fees(Money(78), Money(157))
    record = ledger.CaptureRecord(ref, Money(2592), fees, Decimal("3.00"), f"tr_{order.pk}")
    with rls.acting_as(rls.PLATFORM):
        ledger.record_captures([record], now=NOON)
    return order


def seal():
    with rls.acting_as(rls.PLATFORM):
        chain.seal_entries(now=NOON)


def test_the_page_shows_the_place_and_no_personal_data(order, guest):
    seal()
    shown = guest.get(f"/ledger/{order.pk}").content.decode()
    assert "Entry 1 of 3" in shown
    for secret in (order.customer_name, order.customer_email, order.customer_phone):
        assert secret not in shown


def test_a_guest_first_reads_what_the_card_paid_and_then_how_it_is_proved(order, guest):
    seal()
    shown = guest.get(f"/ledger/{order.pk}").content.decode()
    first, proof = shown.split("For your records")
    assert "Card charged" in first
    for kind in ("Card charged", "Card processing fee", "Transferred to the restaurant"):
        assert kind in proof
    for other in ("Card processing fee", "Transferred", "Entry 1", "sealed"):
        assert other not in first


def test_the_page_is_the_restaurants_own_and_in_no_search_engine(order, guest, api):
    seal()
    shown = guest.get(f"/ledger/{order.pk}").content.decode()
    assert '<meta name="robots" content="noindex">' in shown
    assert 'href="/specials">Luigi&#x27;s</a>' in shown
    assert "Sign in" not in shown
    elsewhere = api().get(f"/ledger/{order.pk}").content.decode()
    assert '<meta name="robots" content="noindex">' in elsewhere
    assert "Sign in" in elsewhere


def test_an_entry_waits_a_moment_for_its_seal(order, guest):
    answer = guest.get(f"/ledger/{order.pk}")
    assert "Will be sealed" in answer.content.decode()
    assert guest.get(f"/ledger/{order.pk}/chain.json").json()["entries"] == []


def test_whoever_reads_it_can_compute_the_chain_to_its_end(order, guest, special):
    charged(PreOrderFactory(offer=special))
    seal()
    found = guest.get(f"/ledger/{order.pk}/chain.json").json()
    head = found["before"]
    for entry in found["entries"]:
        head = hashlib.sha256(bytes.fromhex(head) + bytes.fromhex(entry["digest"])).hexdigest()
        assert head == entry["seal"]
    assert (len(found["entries"]), head) == (found["length"], found["head"])
    page = guest.get(f"/ledger/{order.pk}").content.decode().replace("&quot;", '"')
    texts = re.findall(r"<pre[^>]*>(.*?)</pre>", page)
    digests = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
    assert digests == [entry["digest"] for entry in found["entries"][:3]]


@pytest.mark.parametrize("path", ["", "/chain.json"])
def test_an_unknown_order_and_another_restaurants_are_not_found(order, guest, api, cast, path):
    other = charged(PreOrderFactory(offer__restaurant=cast.other))
    assert guest.get(f"/ledger/{uuid.uuid4()}{path}").status_code == 404
    assert guest.get(f"/ledger/{other.pk}{path}").status_code == 404
    assert api().get(f"/ledger/{other.pk}{path}").status_code == 200
