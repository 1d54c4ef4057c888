"""At the door: the code or the QR code, the page's answer, and picking up; what can be done
when."""

from datetime import timedelta

import pytest

from apps.preorders.documents.qr import confirmation_address, order_qr_svg
from apps.preorders.models import Email, OrderNote, PreOrderTransition
from apps.preorders.models.states import EmailKind, PaymentStatus, PreOrderStatus
from tests.conftest import NOON
from tests.factories import PreOrderFactory, SpecialOfferFactory

PAID = {"status": PreOrderStatus.CONFIRMED, "payment_status": PaymentStatus.CAPTURED}


@pytest.fixture
def offer(cast, clock, platform):
    """Decided yesterday, served today."""
    return SpecialOfferFactory(
        restaurant=cast.restaurant,
        status="succeeded",
        created_at=NOON - timedelta(days=2),
        serve_date=NOON.date(),
    )


@pytest.fixture
def order(offer):
    return PreOrderFactory(offer=offer, quantity=2, **PAID)


@pytest.fixture
def pickup(api, cast):
    client = api(cast.kitchen)
    return lambda code: client.get("/api/pick-up", {"code": code}).json()


class TestTheVerdict:
    def test_a_paid_order_of_today_is_ready(self, pickup, order):
        reported = pickup(order.code)
        assert (reported["verdict"], reported["sentence"]) == ("ready", "Hand over 2 portions.")
        assert reported["order"]["id"] == str(order.pk)
        assert reported["order"]["actions"] == ["pick_up", "no_show", "note"]

    @pytest.mark.parametrize("change", [str.lower, lambda c: f" {c[:4]} {c[4:]} ", str])
    def test_case_and_spaces_are_forgiven(self, pickup, order, change):
        assert pickup(change(order.code))["order"]["id"] == str(order.pk)

    def test_the_text_of_the_qr_code_finds_its_order(self, pickup, order):
        assert pickup(confirmation_address(order))["verdict"] == "ready"
        with_session = f"{confirmation_address(order)}&dish={order.offer_id}&session_id=cs_test_1"
        assert pickup(with_session)["order"]["id"] == str(order.pk)
        assert "<svg" in order_qr_svg(order)

    def test_an_order_that_was_picked_up_says_when(self, pickup, api, cast, order, clock):
        api(cast.kitchen).post(f"/api/orders/{order.pk}/pick-up")
        clock.advance(hours=1)
        reported = pickup(order.code)
        assert reported["verdict"] == "picked_up"
        assert reported["sentence"] == (
            "Already picked up on Mon, Mar 22, 12:00 PM EDT. Don't hand anything over."
        )

    @pytest.mark.parametrize(
        ("facts", "verdict"),
        [
            ({"status": "cancelled", "payment_status": "released"}, "cancelled"),
            ({"status": "cancelled", "payment_status": "refunded"}, "cancelled"),
            ({"status": "pending", "payment_status": "authorized"}, "not_paid"),
            ({"status": "pending", "payment_status": "capture_failed"}, "not_paid"),
            ({"status": "pending", "payment_status": "unpaid"}, "not_paid"),
            ({"status": "no_show", "payment_status": "captured"}, "ready"),
        ],
    )
    def test_each_order_status_has_its_verdict_and_a_sentence(self, pickup, offer, facts, verdict):
        reported = pickup(PreOrderFactory(offer=offer, **facts).code)
        assert reported["verdict"] == verdict
        assert reported["sentence"].endswith(".")

    def test_the_day_of_an_order_is_that_of_the_restaurants_zone(self, pickup, cast, order, clock):
        """At 11 PM in New York it is tomorrow in Greenwich, and still the serve day here."""
        clock.advance(hours=11)
        assert pickup(order.code)["verdict"] == "ready"
        clock.advance(hours=2)
        reported = pickup(order.code)
        assert reported["verdict"] == "wrong_day"
        assert reported["sentence"] == "Paid, but for a different day: Mon, Mar 22."

    @pytest.mark.parametrize("code", ["ZZZZZZZZ", "1234", "x" * 2000, "http://[", "@", "00000000"])
    def test_an_unknown_code_is_not_found(self, pickup, order, code):
        reported = pickup(code)
        assert (reported["verdict"], reported["order"]) == ("unknown", None)

    @pytest.mark.parametrize("code", ["", "   ", "x" * 3000, "\x00"])
    def test_an_empty_code_is_not_found(self, api, cast, order, code):
        answer = api(cast.owner).get("/api/pick-up", {"code": code})
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["field"] == "code"

    def test_another_restaurants_order_is_unknown(self, api, cast, order):
        client = api(cast.outsider)
        for code in (order.code, confirmation_address(order)):
            assert client.get("/api/pick-up", {"code": code}).json()["verdict"] == "unknown"

    def test_a_program_that_tries_codes_is_slowed_down(self, api, cast, order):
        client = api(cast.kitchen)
        statuses = {client.get("/api/pick-up", {"code": f"{n:08}"}).status_code for n in range(125)}
        assert statuses == {200, 429}

    def test_an_order_is_found_with_one_statement(
        self, api, cast, order, django_assert_num_queries
    ):
        client = api(cast.kitchen)
        client.get("/api/pick-up", {"code": order.code})
        with django_assert_num_queries(3):  # who asks, twice, and the order
            client.get("/api/pick-up", {"code": order.code})


class TestPickingUp:
    def test_picked_up_once_however_often_it_is_pressed(self, api, cast, order):
        client = api(cast.kitchen)
        for _ in range(2):
            answer = client.post(f"/api/orders/{order.pk}/pick-up")
            assert answer.json()["order"]["status"] == "fulfilled"
        (move,) = PreOrderTransition.objects.filter(pre_order=order)
        assert (move.new, move.actor) == ("fulfilled", cast.kitchen.name)

    def test_an_undone_no_show_can_be_picked_up_again(self, api, cast, order):
        client = api(cast.kitchen)
        client.post(f"/api/orders/{order.pk}/no-show")
        reported = client.post(f"/api/orders/{order.pk}/undo").json()["order"]
        assert (reported["status"], reported["actions"]) == (
            "confirmed",
            ["pick_up", "no_show", "note"],
        )
        assert client.post(f"/api/orders/{order.pk}/undo").status_code == 409

    def test_who_came_late_still_gets_the_meal(self, api, cast, order):
        client = api(cast.kitchen)
        client.post(f"/api/orders/{order.pk}/no-show")
        reported = client.post(f"/api/orders/{order.pk}/pick-up").json()["order"]
        assert reported["status"] == "fulfilled"

    def test_an_order_cannot_be_a_no_show_before_its_day(self, api, cast, clock, platform):
        offer = SpecialOfferFactory(restaurant=cast.restaurant, status="succeeded")
        order = PreOrderFactory(offer=offer, **PAID)
        answer = api(cast.kitchen).post(f"/api/orders/{order.pk}/no-show")
        assert answer.status_code == 409
        assert answer.json()["message"] == (
            "This order is for Wed, Mar 24. You can mark it as a no-show from that day on."
        )
        order.refresh_from_db()
        assert order.status == "confirmed"

    @pytest.mark.parametrize("action", ["pick-up", "no-show"])
    @pytest.mark.parametrize(
        "facts",
        [
            {"status": "pending", "payment_status": "authorized"},
            {"status": "pending", "payment_status": "capture_failed"},
            {"status": "cancelled", "payment_status": "released"},
        ],
    )
    def test_an_unpaid_order_is_refused(self, api, cast, offer, facts, action):
        order = PreOrderFactory(offer=offer, **facts)
        answer = api(cast.kitchen).post(f"/api/orders/{order.pk}/{action}")
        assert answer.status_code == 409
        assert not PreOrderTransition.objects.filter(pre_order=order).exists()

    @pytest.mark.parametrize("action", ["pick-up", "no-show", "undo", "notes", "resend", "cancel"])
    def test_another_restaurants_order_is_not_there(self, api, cast, order, action):
        body = {"text": "x", "kind": "confirmed", "reason": "x"}
        answer = api(cast.outsider).post(f"/api/orders/{order.pk}/{action}", body)
        assert answer.status_code == 404


class TestNotesAndEmails:
    def test_a_note_stands_in_the_activity_and_is_counted(self, api, cast, order):
        client = api(cast.kitchen)
        reported = client.post(f"/api/orders/{order.pk}/notes", {"text": "Comes by bike"}).json()
        assert reported["order"]["notesCount"] == 1
        (entry,) = [
            each
            for each in client.get(f"/api/orders/{order.pk}").json()["activity"]
            if each["tone"] == "note"
        ]
        assert (entry["text"], entry["by"]) == ("Comes by bike", cast.kitchen.name)

    @pytest.mark.parametrize("text", ["", "   ", "x" * 1001, None, 7 * ["x"]])
    def test_a_note_that_is_none_is_refused(self, api, cast, order, text):
        answer = api(cast.kitchen).post(f"/api/orders/{order.pk}/notes", {"text": text})
        assert answer.status_code == 400
        assert not OrderNote.objects.exists()

    def test_an_email_sent_again_has_the_next_number(self, api, cast, order, run_tasks, mailoutbox):
        Email.objects.create(
            restaurant=cast.restaurant,
            pre_order=order,
            kind=EmailKind.CONFIRMED,
            due_at=NOON,
            sent_at=NOON,
        )
        path = f"/api/orders/{order.pk}/resend"
        assert api(cast.manager).post(path, {"kind": "confirmed"}).status_code == 200
        # Pressed twice: the second is on its way already.
        assert api(cast.manager).post(path, {"kind": "confirmed"}).status_code == 200
        emails = Email.objects.filter(pre_order=order).order_by("number")
        assert [email.number for email in emails] == [1, 2]
        run_tasks()
        assert [message.to for message in mailoutbox] == [["Dana Guest <dana@example.test>"]]

    @pytest.mark.parametrize("kind", ["received", "released", "payment_needed", "pay_link"])
    def test_an_email_that_is_no_longer_true_is_refused(self, api, cast, order, kind):
        answer = api(cast.manager).post(f"/api/orders/{order.pk}/resend", {"kind": kind})
        assert answer.status_code == 409
        assert not Email.objects.exists()

    def test_an_order_without_an_address_gets_no_email(self, api, cast, offer):
        order = PreOrderFactory(offer=offer, customer_email="", source="phone", **PAID)
        answer = api(cast.owner).post(f"/api/orders/{order.pk}/resend", {"kind": "confirmed"})
        assert answer.status_code == 409
        assert "no email address" in answer.json()["message"]


class TestManyAtOnce:
    def test_each_is_decided_by_itself(self, api, cast, offer, order):
        other = PreOrderFactory(offer=offer, **PAID)
        unpaid = PreOrderFactory(offer=offer)
        foreign = PreOrderFactory(offer=SpecialOfferFactory(restaurant=cast.other), **PAID)
        ids = [str(each.pk) for each in (order, unpaid, foreign, other, order)]
        reported = (
            api(cast.kitchen).post("/api/orders/bulk", {"action": "pick_up", "ids": ids}).json()
        )
        assert reported["done"] == [str(order.pk), str(other.pk)]
        assert [(each["id"], each["code"]) for each in reported["refused"]] == [
            (str(unpaid.pk), unpaid.code),
            (str(foreign.pk), ""),
        ]
        foreign.refresh_from_db()
        assert foreign.status == "confirmed"

    @pytest.mark.parametrize("action", ["cancel", "refund", "resend"])
    def test_the_kitchen_cannot_touch_money_or_emails(self, api, cast, order, action):
        body = {"action": action, "ids": [str(order.pk)], "reason": "x"}
        assert api(cast.kitchen).post("/api/orders/bulk", body).status_code == 403

    @pytest.mark.parametrize(
        "body",
        [
            {"action": "eat", "ids": ["00000000-0000-4000-8000-000000000000"]},
            {"action": "pick_up", "ids": []},
            {"action": "pick_up", "ids": ["x"]},
            {"action": "pick_up", "ids": "x"},
            {"action": "pick_up", "ids": ["00000000-0000-4000-8000-000000000000"] * 201},
            {"action": "cancel", "ids": ["00000000-0000-4000-8000-000000000000"]},
        ],
    )
    def test_what_cannot_be_meant_is_refused(self, api, cast, order, body):
        assert api(cast.owner).post("/api/orders/bulk", body).status_code == 400


class TestWhatHasChanged:
    def test_the_word_stays_until_something_happens(self, api, cast, order, offer, clock):
        client = api(cast.kitchen)

        def word():
            return client.get("/api/orders/changes").json()["version"]

        seen = [word()]
        assert word() == seen[0]
        clock.advance(seconds=1)
        PreOrderFactory(offer=SpecialOfferFactory(restaurant=cast.other))
        assert word() == seen[0]
        new = PreOrderFactory(offer=offer, created_at=clock.now)
        seen.append(word())
        client.post(f"/api/orders/{order.pk}/pick-up")
        seen.append(word())
        client.post(f"/api/orders/{new.pk}/notes", {"text": "x"})
        seen.append(word())
        offer.ordered_portions = 9
        offer.save(update_fields=["ordered_portions"])
        seen.append(word())
        Email.objects.create(
            restaurant=cast.restaurant,
            pre_order=new,
            kind=EmailKind.RECEIVED,
            due_at=NOON,
            sent_at=NOON,
        )
        seen.append(word())
        assert len(set(seen)) == 6
