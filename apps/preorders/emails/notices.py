"""The emails of notices to owners (decision 134), in English like all the restaurant's pages.

None names a guest, so they go to the owners' own addresses.
"""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Sum

from apps.common import formats
from apps.common.emails import (
    EmailAction,
    EmailText,
    name_in_subject,
    platform_email,
    render_email_text,
)
from apps.common.links import platform_url
from apps.common.money import Money
from apps.offers.locks import lock_offer
from apps.offers.models import SpecialOffer
from apps.offers.states import OfferStatus
from apps.preorders.core.notices import notify_owners
from apps.preorders.emails.dinner import offer_row
from apps.preorders.emails.offer_result import result_facts
from apps.preorders.emails.preferences import follower_count
from apps.preorders.emails.seats_drawing import seats_layout
from apps.preorders.models import SETTLEMENT_KINDS, Email, PaymentOperation, PreOrder
from apps.preorders.models.states import (
    EmailKind,
    NoticeKind,
    OperationStage,
    OperationStatus,
    PaymentStatus,
)

SETTINGS_PATH = "/restaurant/notices"
CAMPAIGN_PATH = "/restaurant/audience/emails/new"
ACTIONS = {
    NoticeKind.OFFER_RESULT: "Run it again",
    NoticeKind.PAYMENT_PROBLEM: "See who to call",
    NoticeKind.NEEDS_A_PUSH: "Give it a push",
    NoticeKind.FIRST_ORDER: "See who ordered",
}
# How long before its deadline a special that is short is noticed …
PUSH_FROM = timedelta(hours=6)
# … and how long it has been published by then: a short one is no surprise before.
PUBLISHED_FOR = timedelta(hours=2)
# These wait so long for the charges; those that take longer are "still being processed".
PATIENCE = timedelta(minutes=30)
AFTER_THE_CHARGES = frozenset({NoticeKind.OFFER_RESULT, NoticeKind.PAYMENT_PROBLEM})


def is_notice(email: Email) -> bool:
    return email.kind in NoticeKind.values


def is_notice_ready(kind: str, offer: SpecialOffer, *, now: datetime) -> bool:
    """Whether the cards were charged or declined, or have taken too long to wait for; at once for
    notices that aren't about them."""
    if kind not in AFTER_THE_CHARGES or offer.decided_at is None:
        return True
    if now - offer.decided_at >= PATIENCE:
        return True
    pending = PaymentOperation.objects.filter(
        pre_order__offer=offer, kind__in=SETTLEMENT_KINDS, state=OperationStatus.PENDING
    )
    # A guest has a day to use a pay link.
    return not pending.exclude(stage=OperationStage.PAY_LINK).exists()


def is_notice_still_true(kind: str, offer: SpecialOffer, *, now: datetime) -> bool:
    """Whether a notice that waited is still worth sending; a result always is."""
    match NoticeKind(kind):
        case NoticeKind.FIRST_ORDER:
            is_active = offer.status == OfferStatus.ACTIVE
            return bool(is_active and offer.ordered_portions > offer.restaurant_portions)
        case NoticeKind.NEEDS_A_PUSH:
            return bool(short_specials(now=now).filter(pk=offer.pk).exists())
        case NoticeKind.PAYMENT_PROBLEM:
            return _declined(offer)[0] > 0
        case _:
            return True


def notice_text(kind: str, offer: SpecialOffer, *, now: datetime) -> EmailText:
    """What the notice says: subject, headline, and paragraphs, for every channel."""
    return render_email_text(_template(kind), _facts(kind, offer, now=now))


def render_notice_email(email: Email, *, now: datetime) -> EmailMultiAlternatives:
    """The email. Its Message-ID derives from the row, so a repeat is the same message."""
    offer, owner = email.offer, email.recipient
    assert offer is not None
    assert owner is not None
    facts = _facts(email.kind, offer, now=now)
    page = platform_url(f"/restaurant/offers/{offer.pk}")
    actions = [EmailAction(_action(email.kind, offer), page)]
    if facts.get("followers"):
        filled_in = platform_url(f"{CAMPAIGN_PATH}?special={offer.pk}")
        actions.insert(0, EmailAction("Email followers", filled_in))
    message = platform_email(
        _template(email.kind),
        to=owner.email,
        action=actions[0],
        links=actions[1:],
        reason=f"You're getting this because you own {offer.restaurant.name}.",
        stop=EmailAction("Choose your notices", platform_url(SETTINGS_PATH)),
        facts=facts,
        listed=facts.get("listed", []),
        shown={
            "about": offer_row(offer),
            "figures": facts["figures"],
            **(
                seats_layout(offer, sentence=facts["sentence"], leads=True)
                if facts["shows_seats"]
                else {}
            ),
        },
    )
    message.extra_headers["Message-ID"] = f"<{email.pk}@{settings.ROOT_DOMAIN}>"
    return message


def short_specials(*, now: datetime) -> Any:
    """Open specials that close within `PUSH_FROM` and lack portions."""
    return SpecialOffer.objects.filter(
        status=OfferStatus.ACTIVE,
        deadline__gt=now,
        deadline__lte=now + PUSH_FROM,
        created_at__lte=now - PUBLISHED_FOR,
        ordered_portions__lt=F("min_preorders"),
        goes_ahead=False,
    )


def notice_short_specials(*, now: datetime) -> int:
    """Tell the owners of specials that are short of their minimum; returns how many specials."""
    notices = Email.objects.filter(offer=OuterRef("pk"), kind=EmailKind.NEEDS_A_PUSH)
    unnoticed = short_specials(now=now).exclude(Exists(notices))
    found = list(unnoticed.values_list("pk", flat=True)[:1000])
    for offer_id in found:
        with transaction.atomic():
            notify_owners(NoticeKind.NEEDS_A_PUSH, lock_offer(offer_id), now=now)
    return len(found)


def _action(kind: str, offer: SpecialOffer) -> str:
    """The button's text: what the owner does on the special's page."""
    if kind == NoticeKind.OFFER_RESULT and offer.status == OfferStatus.SUCCEEDED:
        return "See every order and charge"
    return ACTIONS[NoticeKind(kind)]


def _template(kind: str) -> str:
    return f"preorders/emails/{NoticeKind(kind)}.txt"


def _declined(offer: SpecialOffer) -> tuple[int, Money]:
    """How many cards were declined, and what they owe."""
    failed = PreOrder.objects.filter(offer=offer, payment_status=PaymentStatus.CAPTURE_FAILED)
    sums = failed.aggregate(cards=Count("pk"), owed=Sum("total_amount", default=0))
    return sums["cards"], Money.of(sums["owed"])


def _facts(kind: str, offer: SpecialOffer, *, now: datetime) -> dict[str, Any]:
    """`figures` are numbers with what they count; the rest is for the texts."""
    facts: dict[str, Any] = {
        "dish": offer.name,
        "dish_in_subject": name_in_subject(offer.name),
        "restaurant": offer.restaurant.name,
        "deadline": formats.moment(offer.deadline, offer.restaurant.zone),
        "shows_seats": True,
        "sentence": "",  # what is said of every special's seats
    }
    match NoticeKind(kind):
        case NoticeKind.OFFER_RESULT:
            return facts | result_facts(offer)
        case NoticeKind.PAYMENT_PROBLEM:
            declined, owed = _declined(offer)
            return facts | {
                "declined": declined,
                "cards": formats.count(declined, "card"),
                "figures": [(formats.money(owed, offer.restaurant.currency), "not charged yet")],
                "shows_seats": False,
            }
        case NoticeKind.FIRST_ORDER:
            progress = _facts_of_progress(kind, offer, now=now)
            return facts | progress | _facts_of_first_order(offer)
        case _:
            return facts | _facts_of_progress(kind, offer, now=now)


def _facts_of_first_order(offer: SpecialOffer) -> dict[str, Any]:
    """The first order that counts; none if it was canceled since. Once there are more, the sentence
    at the seats says why they show more than its portions."""
    first = PreOrder.objects.filter(offer=offer).counted().order_by("authorized_at", "pk").first()
    if first is None:
        return {"figures": []}
    held = formats.money(Money.of(first.total_amount), offer.restaurant.currency)
    ordered = offer.ordered_portions
    is_on = offer.goes_ahead or ordered >= offer.min_preorders
    return {
        "figures": [
            (f"{first.quantity:,}", "portion" if first.quantity == 1 else "portions"),
            (held, "held on the guest's card"),
        ],
        "sentence": f"It's on: {formats.count(ordered, 'portion')} ordered so far"
        if is_on and ordered > first.quantity
        else "",
    }


def _facts_of_progress(kind: str, offer: SpecialOffer, *, now: datetime) -> dict[str, Any]:
    reach = 0
    if kind == NoticeKind.NEEDS_A_PUSH:
        reach = follower_count(offer.restaurant, offer_id=offer.pk)
    short = max(0, offer.min_preorders - offer.ordered_portions)
    hours = max(1, round((offer.deadline - now).total_seconds() / 3600))
    return {
        "ordered": offer.ordered_portions,
        "portions": formats.count(offer.ordered_portions, "portion"),
        "minimum": formats.count(offer.min_preorders, "portion"),
        "short": formats.count(short, "portion"),
        "is_met": not short,
        "hours": formats.count(hours, "hour"),
        "followers": formats.count(reach, "follower") if reach else "",
        "figures": _progress(offer, short, hours),
    }


def _progress(offer: SpecialOffer, short: int, hours: int) -> list[tuple[str, str]]:
    """What is missing and the time that is left; what is ordered, once nothing is missing."""
    if not short:
        return [(f"{offer.ordered_portions:,}", "ordered")]
    return [
        (f"{short:,}", "portion short" if short == 1 else "portions short"),
        (f"{hours:,}", "hour left" if hours == 1 else "hours left"),
    ]
