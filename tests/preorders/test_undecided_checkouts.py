"""Things that could keep an offer undecided: stored errors, unreadable checkouts, slow pages."""

import threading
from datetime import timedelta

import pytest
import stripe

from apps.billing import stripe_gateway
from apps.billing.gateway import Unreachable
from apps.billing.models import Discrepancy
from apps.billing.stripe_gateway import rate_limiter
from apps.preorders import tasks
from apps.preorders.checkout.services import GuestDetails
from apps.preorders.guest import changes, replacement
from apps.preorders.settlement.issues import resolve_issue
from tests.faults.ledger import assert_ledger_balances

SIXTY = "4000000000006009"  # has 60.00; a portion with tax is 25.92


def test_a_failed_cancellation_does_not_keep_the_offer_undecided(world):
    """Stripe replays a stored 500 for its key."""
    offer = world.offer(min_preorders=1)
    world.authorized_order(offer)
    world.begin_cart(offer)  # somebody looked at the card form and left
    world.at(offer.deadline + timedelta(minutes=11))
    world.stripe.control(cancel_fault={"kind": "500", "times": 1})
    assert world.close(offer) == "closing"
    world.later(minutes=1)
    assert world.close(offer) == "succeeded"


@pytest.mark.parametrize("error", [Unreachable("no"), RuntimeError("a bug")])
def test_checkout_that_cannot_be_read_raises_an_alarm(world, monkeypatch, error):
    offer = world.offer(min_preorders=1)
    world.authorized_order(offer)
    world.begin(offer)
    read = stripe_gateway.retrieve_checkout

    def unreadable(*_):
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(stripe_gateway, "retrieve_checkout", unreadable)
        world.at(offer.deadline + timedelta(minutes=14))
        assert world.close(offer) == "closing"
        assert not Discrepancy.objects.exists()
        for _ in range(2):
            world.later(minutes=2)
            assert world.close(offer) == "closing"
    alarm = Discrepancy.objects.get(kind="unreadable")
    assert read is stripe_gateway.retrieve_checkout
    assert world.close(offer) == "succeeded"
    tasks.reconcile_payments_task.delay()
    world.work()
    alarm.refresh_from_db()
    assert alarm.resolved_at


def test_a_checkout_that_stays_unreadable_does_not_keep_the_others_waiting_for_ever(
    world, monkeypatch
):
    """After two hours the special is decided without it, and a hold that turns up is released."""
    offer = world.offer(min_preorders=1)
    sure = world.authorized_order(offer)
    paid = world.begin(offer)
    world.pay(paid)  # and nobody heard of it
    with monkeypatch.context() as patched:
        patched.setattr(stripe_gateway, "retrieve_checkout", refuse_to_answer)
        world.at(offer.deadline + timedelta(hours=2, minutes=9))
        assert world.close(offer) == "closing"
        world.later(minutes=1)
        assert world.close(offer) == "succeeded"
    assert world.fresh(paid).status == "cancelled"
    alarm = Discrepancy.objects.latest("pk")
    assert alarm.description.startswith("Decided without a checkout that can't be read")
    assert open_alarms() == [alarm]  # it says all there is to say
    world.work()
    assert world.fresh(sure).payment_status == "captured"
    # Stripe can be read again, and nobody hears of the hold by webhook.
    reconcile(world)
    assert world.fresh(paid).payment_status == "released"
    assert [intent.status for intent in world.intents(paid)] == ["canceled"]
    assert open_alarms() == []
    assert_ledger_balances(world, offer)


def open_alarms():
    return list(Discrepancy.objects.filter(kind="unreadable", resolved_at=None))


def reconcile(world):
    tasks.reconcile_payments_task.delay()
    world.work()


@pytest.mark.parametrize("of_a_cart", [False, True])
def test_a_special_decided_without_a_checkout_stays_an_issue_until_that_was_read(
    world, monkeypatch, of_a_cart
):
    offer = world.offer(min_preorders=1)
    world.authorized_order(offer)
    if of_a_cart:
        (lost,) = world.begin_cart(offer).items
    else:
        lost = world.begin(offer)
    with monkeypatch.context() as patched:
        for name in ("retrieve_checkout", "retrieve_intent", "retrieve_with_refunds"):
            patched.setattr(stripe_gateway, name, refuse_to_answer)
        world.at(offer.deadline + timedelta(hours=2, minutes=10))
        assert world.close(offer) == "succeeded"
        for _ in range(2):
            world.later(minutes=5)
            reconcile(world)
            (alarm,) = open_alarms()
            assert alarm.pre_order_id == lost.pk
    reconcile(world)
    assert open_alarms() == []
    alarm.refresh_from_db()
    assert alarm.resolution == "Stripe reported how the checkout ended."
    assert world.fresh(lost).status == "cancelled"


def test_a_person_can_close_the_issue_of_a_checkout_that_is_never_read(world, monkeypatch):
    offer = world.offer(min_preorders=1)
    world.begin(offer)
    monkeypatch.setattr(stripe_gateway, "retrieve_checkout", refuse_to_answer)
    world.at(offer.deadline + timedelta(hours=2, minutes=10))
    assert world.close(offer) == "failed"
    (alarm,) = open_alarms()
    resolve_issue(issue_id=alarm.pk, resolution="Asked the guest.", by="Ann", now=world.now)
    reconcile(world)
    assert open_alarms() == []
    alarm.refresh_from_db()
    assert (alarm.resolved_by, alarm.resolution) == ("Ann", "Asked the guest.")


def refuse_to_answer(*_):
    raise Unreachable("no")


class TestAskingStripe:
    """Until the grace period ends, news comes from webhooks and from guests who return."""

    @pytest.fixture
    def asked(self, world, monkeypatch):
        """The checkouts that Stripe was asked about."""
        seen = []
        read = stripe_gateway.retrieve_checkout

        def counted(session_id):
            seen.append(session_id)
            return read(session_id)

        monkeypatch.setattr(stripe_gateway, "retrieve_checkout", counted)
        return seen

    def test_each_open_checkout_is_asked_about_once_a_minute(self, world, asked):
        offer = world.offer(min_preorders=1, deadline=world.now + timedelta(minutes=5))
        orders = [world.begin(offer) for _ in range(2)]
        world.at(offer.deadline)
        for _ in range(13):  # every five seconds for a minute
            assert world.close(offer) == "closing"
            world.later(seconds=5)
        assert sorted(asked) == sorted(2 * [order.checkout_session_id for order in orders])

    def test_a_checkout_that_becomes_known_by_webhook_is_not_asked_about_again(self, world, asked):
        offer = world.offer(min_preorders=2, deadline=world.now + timedelta(minutes=5))
        first, second = world.begin(offer), world.begin(offer)
        world.at(offer.deadline)
        world.close(offer)
        world.pay(first)
        world.hear(first)
        asked.clear()
        world.later(minutes=1)
        world.close(offer)
        assert asked == [second.checkout_session_id]

    def test_when_the_grace_ends_all_pages_are_closed_at_once(self, world, monkeypatch):
        """A thousand, one after the other, would take minutes."""
        offer = world.offer(min_preorders=1, deadline=world.now + timedelta(minutes=5))
        orders = [world.begin(offer) for _ in range(4)]
        all_here = threading.Barrier(4, timeout=30)
        read = stripe_gateway.retrieve_checkout

        def meet(session_id):
            all_here.wait()
            return read(session_id)

        monkeypatch.setattr(stripe_gateway, "retrieve_checkout", meet)
        world.at(offer.deadline + timedelta(minutes=10))
        assert world.close(offer) == "failed"
        assert {world.fresh(order).status for order in orders} == {"cancelled"}

    @pytest.mark.parametrize(
        ("items", "call"), [(1, "retrieve_intent"), (2, "intents_of_customer")]
    )
    def test_when_the_grace_ends_cart_items_are_read_at_once(self, world, monkeypatch, items, call):
        offer = world.offer(min_preorders=1, deadline=world.now + timedelta(minutes=5))
        others = [world.offer() for _ in range(items - 1)]
        begun = [
            world.begin_cart(offer, *others, guest=GuestDetails(name, f"{name}@example.test", "1"))
            for name in ("Ann", "Ben", "Cleo")
        ]
        all_here = threading.Barrier(3, timeout=30)
        read = getattr(stripe_gateway, call)

        def meet(named):
            all_here.wait()
            return read(named)

        monkeypatch.setattr(stripe_gateway, call, meet)
        world.at(offer.deadline + timedelta(minutes=10))
        assert world.close(offer) == "failed"
        of_this = [item for cart in begun for item in cart.items if item.offer_id == offer.pk]
        assert {world.fresh(item).status for item in of_this} == {"cancelled"}
        if items == 2:  # the guests can still give a card for the other special
            states = {
                stripe.SetupIntent.retrieve(cart.cart.setup_intent_id).status for cart in begun
            }
            assert states == {"requires_payment_method"}

    def test_calls_made_in_parallel_are_background_work(self):
        found = stripe_gateway.in_parallel([rate_limiter.is_background] * 2)
        assert [future.result() for future in found] == [True, True]
        assert not rate_limiter.is_background()


def test_order_begun_a_second_before_the_deadline_has_its_grace(world, monkeypatch):
    """Stripe takes a second to open the page; the deadline passes meanwhile."""
    offer = world.offer(min_preorders=1)
    world.authorized_order(offer)
    world.at(offer.deadline - timedelta(seconds=1))
    create = stripe_gateway.create_checkout

    def slow(request, *, key):
        world.at(offer.deadline)
        world.close(offer)
        return create(request, key=key)

    monkeypatch.setattr(stripe_gateway, "create_checkout", slow)
    order = world.begin(offer)
    assert world.fresh(order).status == "pending"
    world.pay(order)
    world.hear(order)
    assert world.close(offer) == "succeeded"
    world.work()
    assert world.fresh(order).payment_status == "captured"


def test_page_that_was_never_opened_ends_a_minute_after_the_deadline(world, monkeypatch):
    offer = world.offer(min_preorders=1)
    world.authorized_order(offer)
    world.at(offer.deadline - timedelta(seconds=1))

    def died(*_, **__):
        raise SystemExit

    monkeypatch.setattr(stripe_gateway, "create_checkout", died)
    with pytest.raises(SystemExit):
        world.begin(offer)
    world.at(offer.deadline)
    assert world.close(offer) == "closing"
    world.later(minutes=1)
    assert world.close(offer) == "succeeded"


def test_a_hold_released_first_in_the_last_second_has_its_grace(world, monkeypatch):
    """The order is days old; its checkout for the new hold has just begun (decision 50)."""
    offer = world.offer(min_preorders=1, max_preorders=3)
    world.authorized_order(offer)
    order = world.authorized_order(offer, 1, SIXTY)
    world.stripe.control(card_limit={"number": SIXTY, "limit": 6000})
    order = changes.change_quantity(order=order, quantity=2, now=world.now)
    world.at(offer.deadline - timedelta(seconds=1))
    replacement.release_first(order=order, now=world.now)
    create = stripe_gateway.create_checkout

    def slow(request, *, key):
        world.at(offer.deadline)
        assert world.close(offer) == "closing"
        return create(request, key=key)

    monkeypatch.setattr(stripe_gateway, "create_checkout", slow)
    assert replacement.page_for_new_hold(world.fresh(order), now=world.now)
    assert world.fresh(order).status == "pending"
    world.pay(world.fresh(order), SIXTY)
    world.hear(order)
    assert world.close(offer) == "succeeded"
    world.work()
    assert world.fresh(order).payment_status == "captured"
    assert_ledger_balances(world, offer)


def test_a_hold_released_first_without_a_page_ends_a_minute_later(world):
    offer = world.offer(min_preorders=1, max_preorders=3)
    world.authorized_order(offer)
    order = world.authorized_order(offer, 1, SIXTY)
    world.stripe.control(card_limit={"number": SIXTY, "limit": 4000})
    order = changes.change_quantity(order=order, quantity=2, now=world.now)
    world.at(offer.deadline - timedelta(seconds=1))
    replacement.release_first(order=order, now=world.now)
    world.at(offer.deadline)
    assert world.close(offer) == "closing"
    world.later(minutes=1)
    assert world.close(offer) == "succeeded"
    assert world.fresh(order).status == "cancelled"
    assert "released" in world.emails(order)
