"""The pages about disputes: who sees them, what they say, what their buttons do, and the emails."""

from datetime import timedelta
from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
import stripe as stripe_api
from django.core import mail
from django.utils import translation
from pypdf import PdfReader

from apps.accounts.models import User
from apps.billing.models import Discrepancy, Payout
from apps.common import formats, rls
from apps.common.errors import Conflict
from apps.offers.presentation import Special
from apps.preorders import tasks
from apps.preorders.documents.evidence import evidence_of, evidence_pdf
from apps.preorders.documents.kitchen_sheet import sheet_of_offer
from apps.preorders.guest.order_status import order_status
from apps.preorders.manage import fulfillment, pickup
from apps.preorders.models import Dispute, EarlyFraudWarning, Email, PaymentOperation
from apps.preorders.models.states import OperationKind
from apps.preorders.settlement.issues import resolve_issue
from apps.preorders.special.editing import edit_special
from apps.preorders.special.rescue import Extend, rescue_offer
from apps.restaurants.models import Membership, Restaurant
from tests.factories import MembershipFactory, RestaurantFactory, StaffFactory, UserFactory
from tests.pages import props_of, text_of
from tests.preorders.disputes import (
    FRAUDULENT,
    INQUIRY,
    WARNING,
    at_stripe,
    charged,
    decide,
    disputed,
    hear,
)
from tests.preorders.world import REFUND_FAILS

LIST = "/restaurant/disputes"
FORM = "application/x-www-form-urlencoded"


class Team:
    """The people of the world's restaurant, and the owner of another one."""

    def __init__(self, restaurant: Restaurant) -> None:
        self.owner = self._member(restaurant, Membership.Role.OWNER)
        self.manager = self._member(restaurant, Membership.Role.MANAGER)
        self.kitchen = self._member(restaurant, Membership.Role.KITCHEN)
        other = RestaurantFactory(name="Ming's", subdomain="mings")
        self.outsider = self._member(other, Membership.Role.OWNER)

    @staticmethod
    def _member(restaurant: Restaurant, role: Membership.Role) -> User:
        user: User = UserFactory(
            email=f"{role}@{restaurant.subdomain}.test", name=f"Maria the {role}"
        )
        MembershipFactory(user=user, restaurant=restaurant, role=role)
        return user


@pytest.fixture
def team(world: Any) -> Team:
    return Team(world.restaurant)


@pytest.fixture
def order(world: Any, team: Team) -> Any:
    """Charged, and then disputed as fraudulent."""
    order = charged(world, FRAUDULENT)
    hear(world, ("charge.dispute.created", at_stripe(order)[0].id))
    return world.fresh(order)


@pytest.fixture
def page(order: Any) -> str:
    return f"{LIST}/{Dispute.objects.get().pk}"


def press(api: Any, person: User, path: str, **fields: str) -> Any:
    """Send a form as a browser does, and follow the redirect."""
    body = "&".join(f"{name}={value}" for name, value in fields.items())
    with rls.acting_as(None):
        return api(person).post(path, body, FORM, follow=True)


def see(api: Any, person: User, path: str) -> Any:
    with rls.acting_as(None):
        return api(person).get(path)


def test_several_tasks_are_one_line_below_the_dashboard(
    api: Any, world: Any, team: Team, order: Any
) -> None:
    Payout.objects.create(
        restaurant=world.restaurant,
        status=Payout.Status.FAILED,
        amount=order.total_amount,
        currency="usd",
        created_at=world.now,
    )
    elsewhere = text_of(see(api, team.owner, f"/restaurant/orders/{order.pk}"))
    assert "2 tasks to take care of A guest disputed a charge." in elsewhere
    assert "A payout didn't arrive." in elsewhere
    for first_page in ("/restaurant", "/free-tier-dashboard"):
        dashboard = text_of(see(api, team.owner, first_page))
        assert "A guest disputed a charge." in dashboard
        assert "2 tasks to take care of" not in dashboard


def test_owner_and_manager_are_told_on_every_page_and_answer_with_one_press(
    api: Any, world: Any, team: Team, order: Any, page: str
) -> None:
    for person in (team.owner, team.manager):
        for path in ("/restaurant", f"/restaurant/orders/{order.pk}"):
            assert "A guest disputed a charge. Answer by" in text_of(see(api, person, path))
    said = text_of(see(api, team.manager, page))
    assert "The guest disputed this charge" in said
    assert "Their bank took $25.92 back until it decides." in said
    assert "The cardholder says they didn't make this payment" in said
    sent = press(api, team.manager, page, action="answer", remarks="They+picked+it+up.")
    assert "Your answer is on its way to the bank." in text_of(sent)
    world.work()
    at_bank = stripe_api.Dispute.retrieve(Dispute.objects.get().dispute_id)
    assert at_bank.status == "under_review"
    assert at_bank.evidence.uncategorized_text == "They picked it up."
    assert at_bank.evidence.customer_name == order.customer_name
    assert stripe_api.File.retrieve(str(at_bank.evidence.service_documentation)).type == "pdf"
    said = text_of(see(api, team.owner, page))
    assert "The bank is reviewing your evidence" in said
    assert "Send evidence" not in said
    again = press(api, team.owner, page, action="answer", remarks="More.")
    assert "no longer accepts an answer" in text_of(again)
    assert "A guest disputed" not in text_of(see(api, team.owner, "/restaurant"))
    operation = PaymentOperation.objects.get(kind=OperationKind.ANSWER_DISPUTE)
    assert operation.actor == "Maria the manager"


def test_disputes_are_for_owners_and_managers_and_staff_only_look(
    api: Any, world: Any, team: Team, order: Any, page: str
) -> None:
    staff = StaffFactory(email="staff@platform.test")
    paths = (LIST, page, f"{page}/evidence.pdf")
    for path in paths:
        assert see(api, team.owner, path).status_code == 200
        assert see(api, team.manager, path).status_code == 200
        assert see(api, team.kitchen, path).status_code == 403
        assert see(api, staff, f"{path}?restaurant={world.restaurant.pk}").status_code == 200
    for path in paths[1:]:
        assert see(api, team.outsider, path).status_code == 404
    assert "Luigi" not in text_of(see(api, team.outsider, LIST))
    assert "disputed" not in text_of(see(api, team.kitchen, "/restaurant"))
    assert press(api, team.kitchen, page, action="answer").status_code == 403
    assert press(api, team.outsider, page, action="answer").status_code == 404
    as_staff = f"{page}?restaurant={world.restaurant.pk}"
    assert press(api, staff, as_staff, action="accept", sure="1").status_code == 403
    assert not PaymentOperation.objects.filter(kind=OperationKind.ACCEPT_DISPUTE).exists()
    assert see(api, team.owner, f"{LIST}/{uuid4()}").status_code == 404


def test_accepting_needs_a_second_thought(api: Any, world: Any, team: Team, page: str) -> None:
    said = text_of(press(api, team.owner, page, action="accept"))
    assert "Check the box to confirm" in said
    assert "You accepted the dispute" in text_of(
        press(api, team.owner, page, action="accept", sure="1")
    )
    world.work()
    assert Dispute.objects.get().status == "lost"


def test_long_remarks_are_refused_and_stay_in_the_form(api: Any, team: Team, page: str) -> None:
    answer = press(api, team.owner, page, action="answer", remarks="a" * 5001)
    assert "Use at most 5,000 characters." in text_of(answer)
    assert "a" * 5001 in answer.content.decode()
    assert Dispute.objects.get().remarks == ""


def test_disputed_order_is_not_handed_over_without_a_decision(
    api: Any, world: Any, team: Team, order: Any, page: str
) -> None:
    world.at(world.fresh(order.offer).deadline)
    with pytest.raises(Conflict, match="bank took this payment back"):
        fulfillment.mark_picked_up(
            restaurant=world.restaurant, order_id=order.pk, by="Maria", now=world.now
        )
    found = pickup.look_up(restaurant=world.restaurant, code=str(order.pk), now=world.now)
    assert found.verdict == "not_paid"
    assert "Don't hand anything over without the owner or a manager" in found.sentence
    shown = props_of(see(api, team.kitchen, f"/restaurant/orders/{order.pk}"))["detail"]
    assert "pick_up" not in shown["order"]["actions"]
    assert "refund" not in shown["order"]["actions"]
    assert [notice["url"] for notice in shown["disputes"]] == [""]
    shown = props_of(see(api, team.owner, f"/restaurant/orders/{order.pk}"))["detail"]
    assert [notice["url"] for notice in shown["disputes"]] == [page]
    assert (shown["money"]["disputed"], shown["money"]["payout"]) == ("25.92", "0.00")
    assert "marked as picked up" in text_of(
        press(api, team.owner, page, action="hand_over", sure="1")
    )
    order = world.fresh(order)
    assert (order.status, str(order.disputed_amount)) == ("fulfilled", "25.92")


def test_evidence_pack_says_what_we_know(
    api: Any, world: Any, team: Team, order: Any, page: str
) -> None:
    press(api, team.owner, page, action="hand_over", sure="1")
    pdf = see(api, team.owner, f"{page}/evidence.pdf")
    assert pdf["Content-Type"] == "application/pdf"
    assert pdf["Content-Disposition"] == f'attachment; filename="dispute-{order.code}.pdf"'
    pages = PdfReader(BytesIO(pdf.content)).pages
    assert len(pages) <= 3
    said = " ".join(" ".join(page.extract_text().split()) for page in pages)
    assert f"Order {order.code}: evidence" in said
    for words in (
        "The cardholder says they didn't make this payment",
        "Card Visa ending in 0259",
        order.customer_email,
        "$25.92, $1.92 tax included",
        "The guest then entered the card, which was held on",
        "they agreed to these words: “No charge today. We'll charge your card on",
        "if 1 portion is ordered. If not, you pay nothing.",
        "Card charged: $25.92",
        f"“Confirmed” to {order.customer_email}",
        "It was recorded by Maria the owner at the counter",
    ):
        assert words in said, words


def evidence_text(order: Any) -> str:
    """The text of the evidence about the order's dispute."""
    dispute = Dispute.objects.get(pre_order=order)
    pages = PdfReader(BytesIO(evidence_pdf(dispute, now=dispute.opened_at))).pages
    return " ".join(" ".join(page.extract_text().split()) for page in pages)


def test_evidence_pack_says_what_was_sold_when_the_special_changed_afterwards(
    world: Any, team: Team
) -> None:
    dish = {"description": "From Maine.", "allergens": ["crustaceans"], "dietary": ["gluten_free"]}
    offer = world.offer(name="Lobster", min_preorders=2, **dish)
    with translation.override("es"):
        order = world.authorized_order(offer, 2, card=FRAUDULENT)
    edit_special(
        restaurant=world.restaurant,
        offer_id=offer.pk,
        changes={
            "name": "Soup",
            "description": "Of the day.",
            "allergens": ["milk"],
            "dietary": [],
            "min_preorders": 1,
        },
        now=world.now,
        by="Maria",
    )
    later = offer.deadline + timedelta(hours=2)
    rescue_offer(
        restaurant=world.restaurant,
        offer_id=offer.pk,
        action=Extend(later),
        by="Maria",
        now=world.now,
    )
    world.work()
    world.settle(world.fresh(offer))
    hear(world, ("charge.dispute.created", at_stripe(world.fresh(order))[0].id))
    order = world.fresh(order)
    said = evidence_text(order)
    assert "Dish Lobster" in said
    assert "Description From Maine." in said
    assert "Contains Crustacean shellfish" in said
    assert "Dietary tags Gluten-free" in said
    assert "Changed later Dish: Soup. You ordered: Lobster. Contains: milk." in said
    # The deadline and the minimum that the guest agreed to, in their words and language.
    agreed = " ".join(order.consent_text.split())  # no-break spaces too
    assert f"“{agreed}”" in said
    assert "si se piden 2 porciones" in said
    assert "In English (they read Spanish): the card is charged at the deadline" in said
    extended = formats.moment(later, world.restaurant.zone)
    assert f"The deadline was later moved to {extended}, 2027, and we emailed the guest." in said
    with translation.override("en-us"):
        evidence = evidence_of(Dispute.objects.get(pre_order=order), now=world.now)
    assert evidence.product_description.startswith("2 portions of Lobster, served by Luigi's on")
    assert order.consent_text in evidence.refund_policy


def test_warned_charge_is_refunded_with_one_press(api: Any, world: Any, team: Team) -> None:
    order = charged(world, WARNING)
    found = stripe_api.radar.EarlyFraudWarning.list(payment_intent=order.payment_intent_id).data[0]
    hear(world, ("radar.early_fraud_warning.created", found.id))
    warning = EarlyFraudWarning.objects.get()
    assert "A charge may be fraud. Decide" in text_of(see(api, team.owner, "/restaurant"))
    assert "Refund it before pickup" in text_of(see(api, team.owner, LIST))
    path = f"/restaurant/fraud-warnings/{warning.pk}/refund"
    assert press(api, team.outsider, path).status_code == 404
    assert press(api, team.kitchen, path).status_code == 403
    assert "The refund is on its way" in text_of(press(api, team.manager, path))
    world.work()
    assert world.fresh(order).payment_status == "refunded"
    hear(world, ("radar.early_fraud_warning.updated", found.id))
    assert "A charge may be fraud" not in text_of(see(api, team.owner, "/restaurant"))


def test_owners_get_an_email_when_it_opens_is_due_and_ends(
    world: Any, team: Team, order: Any
) -> None:
    def latest() -> Any:
        return [each for each in mail.outbox if LIST in each.body][-1]

    opened = latest()
    assert opened.to == ["owner@luigis.test"]
    assert opened.subject.startswith(f"{order.customer_name} disputed $25.92: answer by ")
    assert f"{LIST}/{Dispute.objects.get().pk}" in opened.body
    assert opened.body.count(" due at ") == 1  # beside the day
    world.later(days=13)
    tasks.reconcile_disputes_task.delay()
    world.work()
    assert latest().subject.startswith("Answer by ")
    decide(world, Dispute.objects.get(), "won")
    assert latest().subject == f"You won: $25.92 for order {order.code}"
    shown = str(latest().alternatives[0][0])
    assert f"/restaurant/orders/{order.pk}" in shown[: shown.index("</h1>")]
    assert "/order/" not in shown.replace("/restaurant/orders/", "")  # the guest's own link
    assert "$25.92 returned by the bank\n" in latest().body
    to_owner = [each for each in mail.outbox if each.to == ["owner@luigis.test"]]
    decided = [each.subject for each in to_owner if LIST in each.body]
    assert len(decided) == 3


@pytest.mark.parametrize(
    ("language", "title"), [("en-us", "Payment disputed"), ("es", "Pago en disputa")]
)
def test_guests_page_says_that_the_order_waits(
    world: Any, order: Any, language: str, title: str
) -> None:
    with translation.override(language):
        shown = order_status(order, Special(order.offer, world.now))
        assert str(shown.title) == title
        assert "$25.92" in shown.text.replace("US", "")


def test_payments_page_shows_the_share_of_chargebacks(api: Any, team: Team, order: Any) -> None:
    said = text_of(see(api, team.owner, "/restaurant/stripe-management"))
    assert "1 of 1 charges in the last 90 days (100.00%)." in said
    assert "too many" not in said


def test_staff_see_all_restaurants_with_disputes(
    api: Any, world: Any, team: Team, order: Any
) -> None:
    said = text_of(see(api, StaffFactory(email="staff@platform.test"), "/platform/disputes"))
    assert "Luigi's" in said
    assert "1 of 1 (100.00%)" in said
    assert "Ming's" not in said
    assert see(api, team.owner, "/platform/disputes").status_code == 403


def test_guest_is_told_when_their_bank_takes_the_money_of_an_order_to_come(
    world: Any, order: Any
) -> None:
    (sent,) = to_guest(order, "payment_disputed")
    assert sent.subject == f"Your bank took back your payment for {order.served_name}"
    said = " ".join(sent.body.split())
    assert "Luigi's may not hand over your order until that's settled." in said
    assert "Withdraw the dispute at your bank, and call Luigi's before you come." in said
    decide(world, Dispute.objects.get(), "won")
    (ended,) = to_guest(order, "dispute_settled")
    assert ended.subject == f"Your order for {order.served_name} is on again"
    assert "Luigi's has your payment of $25.92." in " ".join(ended.body.split())


def test_guest_is_told_in_their_language_that_a_lost_dispute_cancels_the_order(
    world: Any, team: Team
) -> None:
    with translation.override("es"):
        order = charged(world, FRAUDULENT)
    hear(world, ("charge.dispute.created", at_stripe(order)[0].id))
    decide(world, Dispute.objects.get(), "lost")
    assert to_guest(order, "payment_disputed")[0].subject.startswith("Tu banco retiró tu pago de ")
    (ended,) = to_guest(order, "dispute_settled")
    assert ended.subject == f"Tu pedido de {order.served_name} se canceló"


def test_guest_gets_no_email_about_an_inquiry_or_a_dispute_of_a_served_order(
    world: Any, team: Team
) -> None:
    asked = charged(world, INQUIRY)
    hear(world, ("charge.dispute.created", at_stripe(asked)[0].id))
    served = charged(world)
    world.later(days=20)
    decide(world, disputed(world, served), "lost")
    for order in (asked, served):
        assert to_guest(order, "payment_disputed") == []
        assert to_guest(order, "dispute_settled") == []


def to_guest(order: Any, kind: str) -> list[Any]:
    """The emails of this kind that were sent to the order's guest."""
    rows = Email.objects.filter(pre_order=order, kind=kind, sent_at__isnull=False)
    names = {f"<{row.pk}@" for row in rows}
    return [
        each
        for each in mail.outbox
        if any(each.extra_headers["Message-ID"].startswith(name) for name in names)
    ]


def test_kitchen_sheet_marks_a_disputed_order_and_still_counts_its_portions(
    api: Any, world: Any, team: Team, order: Any, page: str
) -> None:
    path = f"/restaurant/kitchen?offer={order.offer_id}"
    said = text_of(see(api, team.kitchen, path))
    assert "Ask the owner or a manager before handing over (1)" in said
    assert "Make the portions, but ask before you hand them over." in said
    assert f"{order.customer_name} disputed: ask first" in said
    sheet = sheet_of_offer(restaurant=world.restaurant, offer_id=order.offer_id)
    assert sheet is not None
    assert (sheet.portions, sheet.offers[0].disputed) == (1, [order])
    # Once the owner decided, the kitchen isn't asked again; a won dispute is an ordinary order.
    press(api, team.owner, page, action="hand_over", sure="1")
    assert "Ask the owner" not in text_of(see(api, team.kitchen, path))


def test_kitchen_sheet_of_an_order_whose_dispute_is_won_or_lost_asks_nobody(
    api: Any, world: Any, team: Team, order: Any
) -> None:
    decide(world, Dispute.objects.get(), "won")
    said = text_of(see(api, team.kitchen, f"/restaurant/kitchen?offer={order.offer_id}"))
    assert order.customer_name in said
    assert "Ask the owner" not in said
    lost = charged(world, FRAUDULENT)
    hear(world, ("charge.dispute.created", at_stripe(lost)[0].id))
    decide(world, Dispute.objects.get(pre_order=lost), "lost")
    said = text_of(see(api, team.kitchen, f"/restaurant/kitchen?offer={lost.offer_id}"))
    assert lost.customer_name not in said


def test_returned_refund_is_a_task_and_owners_get_one_email(
    api: Any, world: Any, team: Team
) -> None:
    order = charged(world, REFUND_FAILS)
    world.refund(order)
    world.work()
    world.later(minutes=2)
    tasks.apply_refunds_task.delay(order.payment_intent_id)
    world.work()
    for _ in range(2):
        tasks.queue_reminders_task.delay()
        world.work()
    sent = [each for each in mail.outbox if "didn't reach" in each.subject]
    assert [each.to for each in sent] == [["owner@luigis.test"]]
    assert sent[0].subject == f"The refund of $25.92 didn't reach {order.customer_name}"
    assert "Don't refund them yourself" in sent[0].body
    assert f"/restaurant/orders/{order.pk}" in sent[0].body
    assert "A refund came back." in text_of(see(api, team.owner, "/restaurant"))
    listed = text_of(see(api, team.manager, LIST))
    assert f"{order.customer_name}, order {order.code}" in listed
    assert "A refund came back." not in text_of(see(api, team.outsider, "/restaurant"))
    assert "A refund came back." not in text_of(see(api, team.kitchen, "/restaurant"))
    issue = Discrepancy.objects.get(kind="refund_returned")
    resolve_issue(issue_id=issue.pk, resolution="Paid by transfer.", by="Ann", now=world.now)
    assert "A refund came back." not in text_of(see(api, team.owner, "/restaurant"))


def test_staffs_pages_lead_to_the_disputes_of_all_restaurants(api: Any, world: Any) -> None:
    staff = StaffFactory()
    for path in ("/platform/tenants", "/platform/disputes", "/staff/payment-issues"):
        answer = see(api, staff, path)
        assert 'href="/platform/disputes"' in answer.content.decode(), path
        assert 'href="/staff/payment-issues"' in answer.content.decode(), path
    assert "/platform/disputes" not in see(api, UserFactory(), "/platform/tenants").content.decode()
