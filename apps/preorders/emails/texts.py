"""What an email about an order says: its text, the table under it, and why the guest gets it.

Each kind of email has one template: the subject on its first line, the headline on the second, then
paragraphs separated by blank lines. Every email says what happened to the card.
"""

from dataclasses import replace
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.billing.models import PaymentHistory
from apps.common import clock, formats
from apps.common.emails import EmailText, one_line, quoted
from apps.common.emails import render_email_text as filled_in
from apps.common.money import Money
from apps.offers.card_terms import terms_if_ordered
from apps.offers.dietary import Diet, in_words, tag_labels
from apps.offers.models import SpecialOffer
from apps.offers.presentation import Special
from apps.offers.seats import is_on
from apps.offers.sold_dishes import SoldDish, dish_now, dish_sold
from apps.offers.states import OfferStatus
from apps.preorders.checkout.terms import terms_of
from apps.preorders.core.cart_items import (
    AUTHENTICATION_REQUIRED,
    authorization_for,
    finish_until,
    reservation_sentence,
)
from apps.preorders.core.decisive import reached_minimum
from apps.preorders.core.dish_changes import changes_since_ordered
from apps.preorders.core.friends import (
    friends_who_ordered,
    greeting_name,
)
from apps.preorders.core.pricing import price_alternative, price_order
from apps.preorders.core.quantities import (
    amount_on_hold,
    chose_again,
    last_change,
    last_change_besides_portions,
)
from apps.preorders.core.selectors import (
    cancellation_of_order,
    card_of,
    ended_too_late,
    released_first,
    slot_label,
    was_sold_out,
)
from apps.preorders.emails.actions import TO_THE_FORM, can_finish, is_open, why_sent
from apps.preorders.emails.dinner import ABOUT_A_FRIEND, WITH_CODE, has_dinner, is_to_come
from apps.preorders.emails.friends import facts_of_friends
from apps.preorders.models import Email, PreOrder
from apps.preorders.models.states import (
    EmailKind,
    OperationKind,
    PaymentStatus,
    PreOrderStatus,
)
from apps.preorders.settlement.operations import link_ends, pending_pay_link

# Kinds that name what the bank holds, or held.
ABOUT_A_HOLD = frozenset(
    {
        EmailKind.RECEIVED,
        EmailKind.RENEW_AUTHORIZATION,
        EmailKind.RELEASED,
        EmailKind.PAYMENT_LAPSED,
        EmailKind.CANCELLED,
    }
)
LETS_GO = frozenset({EmailKind.RELEASED, EmailKind.CANCELLED})
AT_THE_BANK = frozenset({PaymentStatus.AUTHORIZED, PaymentStatus.CAPTURED, PaymentStatus.REFUNDED})
# Kinds that repeat what the guest asked of the kitchen.
WITH_NOTE = frozenset(
    {EmailKind.RECEIVED, EmailKind.CHARGED_EARLY, EmailKind.CONFIRMED, EmailKind.PICK_UP}
)
# Kinds that say what happens to the card of an order, or of one still to be placed.
WITH_TERMS = frozenset(
    {
        EmailKind.RECEIVED,
        EmailKind.CHARGED_EARLY,
        EmailKind.DISH_CHANGED,
        EmailKind.RENEW_AUTHORIZATION,
        EmailKind.PAY_LINK,
        EmailKind.EXTENDED,
        EmailKind.UNFINISHED,
        EmailKind.REJOIN,
    }
)


def order_email_text(email: Email) -> EmailText:
    """Subject, headline and paragraphs from the email's template."""
    order = email.order
    offer, restaurant = email.offer or order.offer, order.offer.restaurant
    currency = restaurant.currency
    today = clock.now().astimezone(restaurant.zone).date()
    refunded = email.amount or order.refunded_amount or order.total_amount
    if email.kind == EmailKind.REFUND_RETURNED:
        refunded = email.amount or order.returned_amount or order.total_amount
    facts: dict[str, Any] = {
        "order": order,
        "guest": one_line(greeting_name(order.customer_name)),
        "dish": order.served_name,
        "special": order.sold.spoken_name,
        "offer": offer,
        "restaurant": restaurant,
        "code": order.code,
        "total": formats.money(order.total_amount, currency),
        "slot": slot_label(order),
        "is_today": offer.serve_date <= today,
        "former_day": formats.day(order.offer.serve_date),
        "portions": formats.count(order.quantity, "portion"),
        "minimum": formats.count(offer.min_preorders, "portion"),
        "serve_day": formats.day(offer.serve_date),
        "deadline": formats.moment(offer.deadline, restaurant.zone),
        "outcome": _outcome_of(email),
        "charged": order.payment_status in (PaymentStatus.CAPTURED, PaymentStatus.REFUNDED),
        "refunded": formats.money(refunded, currency),
        "left": formats.money(order.total_amount - order.refunded_amount, currency),
        "pay_until": formats.moment(order.checkout_expires_at, restaurant.zone),
        "is_to_come": is_to_come(order),
        "can_change": is_open(offer, clock.now()),
        "is_missed": offer.status == OfferStatus.FAILED
        and order.status == PreOrderStatus.CANCELLED,
    }
    if email.kind == EmailKind.RECEIVED:
        facts["chose_again"] = email.number > 1 and chose_again(order)
        facts["change"] = last_change(order) if email.number > 1 else ""
        facts["changed_to"] = last_change_besides_portions(order) if facts["change"] else ""
        facts["has_grown"] = bool(facts["change"]) and _has_grown(order)
        facts["made_it_happen"] = reached_minimum(order, order.offer)
    if email.kind == EmailKind.CANCELLED:
        canceled = cancellation_of_order(order)
        facts["why"], facts["speaker"] = canceled.reason, canceled.speaker(restaurant)
        facts["by_guest"], facts["friends"] = canceled.by_guest, len(friends_who_ordered(order))
        facts["called_off"] = canceled.with_special
    if email.message:
        facts["message"] = quoted(email.message.text)
    if email.kind == EmailKind.PAYMENT_NEEDED:
        facts["pay_by"] = pay_by(email)
    if email.kind in ABOUT_A_HOLD:
        facts["held"] = formats.money(amount_on_hold(order), currency)
    if email.kind == EmailKind.RENEW_AUTHORIZATION and order.capture_before:
        facts["hold_ends"] = formats.moment(order.capture_before, restaurant.zone)
    if email.kind == EmailKind.CONFIRMED and order.serves_alternative:
        facts |= _facts_of_alternative(order)
    if email.kind == EmailKind.DECLINED:
        facts |= _facts_of_decline(order)
    if email.kind == EmailKind.DISH_CHANGED:
        facts["changes"] = changes_since_ordered(order)
    if email.kind in ABOUT_A_FRIEND:
        facts |= facts_of_friends(email)
    if email.kind in WITH_TERMS:
        facts["terms"] = _terms(email)
    if email.offer:
        facts["total"] = formats.money(price_order(email.offer, order.quantity).total, currency)
    names = (facts["dish"], facts["special"], offer.spoken_name, restaurant.name)
    words = filled_in(f"preorders/emails/{_template_of(email)}.txt", facts, names=names)
    return replace(words, preview=facts.get("terms", ""))


def _terms(email: Email) -> str:
    order, now = email.order, clock.now()
    if email.kind in TO_THE_FORM:
        special = Special(email.offer or order.offer, now)
        return terms_if_ordered(special.offer, now, instead=special.instead)
    return terms_of(order, now)


def _facts_of_alternative(order: PreOrder) -> dict[str, Any]:
    """What is too much, of an order that was charged for the special before the alternative was
    decided on (DECISIONS X12)."""
    price = price_alternative(order)
    charged = Money.of(order.total_amount)
    if price is None or price.total >= charged:
        return {}
    currency = order.offer.restaurant.currency
    sums = {"charged_early": charged, "total": price.total, "too_much": charged - price.total}
    return {name: formats.money(sum_, currency) for name, sum_ in sums.items()}


def _has_grown(order: PreOrder) -> bool:
    """Whether the last change was to more portions, for which the bank placed another hold."""
    change = order.transitions.filter(field="quantity").order_by("pk").last()
    holds = PaymentHistory.objects.filter(
        pre_order=order, transaction_type=PaymentHistory.Type.AUTHORIZATION
    )
    return change is not None and int(change.old) < order.quantity and holds.count() > 1


def _facts_of_decline(order: PreOrder) -> dict[str, Any]:
    """What the bank said about a card that was not held."""
    authorization = authorization_for(order)
    return {
        "asked": authorization is not None and authorization.reason_code == AUTHENTICATION_REQUIRED,
        "can_finish": can_finish(order),
        "what_is_left": what_is_left(order),
    }


def what_is_left(order: PreOrder) -> str:
    """What the guest can still do, at the time of sending, about an order whose card was not held:
    finish it, or order again."""
    zone = order.offer.restaurant.zone
    if can_finish(order):
        until = {"finish_until": formats.moment(finish_until(order), zone)}
        finish = _("You can finish until %(finish_until)s.") % until
        return f"{reservation_sentence(order)} {finish}"
    if is_open(order.offer, clock.now()):
        return _(
            "The time to finish it has passed, so the order has ended. Still want it? You can "
            "order again until %(deadline)s."
        ) % {"deadline": formats.moment(order.offer.deadline, zone)}
    return _(
        "The time to finish it has passed, so the order has ended. You don't need to do anything."
    )


def _template_of(email: Email) -> str:
    instead = email.kind == EmailKind.CONFIRMED and email.order.serves_alternative
    return "alternative" if instead else email.kind


def pay_by(email: Email) -> str:
    """Until when the payment page of a declined charge is open; empty without one."""
    order = email.order
    link = pending_pay_link(order, OperationKind.CAPTURE)
    if link is None:
        return ""
    return formats.moment(link_ends(link), order.offer.restaurant.zone)


def is_short_of_minimum(email: Email) -> bool:
    """Whether the email says that too few guests ordered."""
    return email.kind == EmailKind.RELEASED and _outcome_of(email) == OfferStatus.FAILED


def why_cooked(offer: SpecialOffer) -> str:
    """`12 portions were ordered, so Luigi's Trattoria will cook them.`; no count below
    the minimum."""
    facts = {"ordered": f"{offer.ordered_portions:,}", "restaurant": offer.restaurant.name}
    if offer.ordered_portions < offer.min_preorders:
        return _("%(restaurant)s will cook it.") % facts
    text = ngettext(
        "%(ordered)s portion was ordered, so %(restaurant)s will cook it.",
        "%(ordered)s portions were ordered, so %(restaurant)s will cook them.",
        offer.ordered_portions,
    )
    return text % facts


def why_not_cooked(offer: SpecialOffer) -> str:
    """`10 of the 12 portions it needed were ordered, so it won't be cooked.`"""
    text = ngettext(
        "%(ordered)s of the %(minimum)s portions it needed was ordered, so it won't be cooked.",
        "%(ordered)s of the %(minimum)s portions it needed were ordered, so it won't be cooked.",
        offer.ordered_portions,
    )
    return text % {"ordered": offer.ordered_portions, "minimum": offer.min_preorders}


def _outcome_of(email: Email) -> str:
    """What became of the special; of an order whose hold ended for another reason, that one."""
    order = email.order
    if email.kind != EmailKind.RELEASED:
        return str(order.offer.status)
    if ended_too_late(order, order.operations.all()):
        return "late"
    if was_sold_out(order):
        return "sold_out"
    if released_first(order):
        return "not_replaced"
    return str(order.offer.status)


def order_email_facts(email: Email) -> list[tuple[str, str]]:
    """The table under the text: what stands nowhere above it."""
    order = email.order
    offer, restaurant = email.offer or order.offer, order.offer.restaurant
    is_order = email.kind not in TO_THE_FORM
    shows_dinner = has_dinner(email)
    is_ahead = shows_dinner and email.kind not in WITH_TERMS and is_open(offer, clock.now())
    facts = [
        *(dish_facts(_sold(email)) if shows_dinner else []),
        (_("Your note"), order.note if email.kind in WITH_NOTE else ""),
        (
            _("Orders close") if is_on(offer) else _("We'll know by"),
            formats.moment(offer.deadline, restaurant.zone) if is_ahead else "",
        ),
        (_("Order code"), order.code if is_order and email.kind not in WITH_CODE else ""),
        *(bank_facts(order) if is_order and _is_at_the_bank(email) else []),
    ]
    return [(label, one_line(value)) for label, value in facts if value]


def bank_facts(order: PreOrder) -> list[tuple[str, str]]:
    """Which card it is, and what the guest's bank calls the charge."""
    return [(_("Card"), card_of(order)), (_("On your statement"), order.statement_name)]


def dish_facts(dish: SoldDish) -> list[tuple[str, str]]:
    """Whom the dish suits, if that is listed, and what it contains."""
    suits = in_words(tag_labels(Diet, dish.diet_values))
    contains = (_("Contains"), capfirst(dish.contains))
    return [
        *([(_("Dietary"), suits)] if suits else []),
        contains if dish.contains else (_("Allergens"), _("not listed")),
    ]


def _is_at_the_bank(email: Email) -> bool:
    """Whether the bank shows the guest a charge, or a hold that stays for now, and the email isn't
    about a friend, who pays with another card."""
    if email.kind in ABOUT_A_FRIEND:
        return False
    order = email.order
    lets_go = email.kind in LETS_GO and order.payment_processed_at is None
    return order.payment_status in AT_THE_BANK and order.authorized_at is not None and not lets_go


def _sold(email: Email) -> SoldDish:
    """The dish the email is about: as it was sold, or as it is offered again."""
    if email.kind in TO_THE_FORM:
        return dish_now(email.offer or email.order.offer)
    return dish_sold(email.order.sold, alternative=email.order.serves_alternative)


def reason_for_email(email: Email) -> str:
    """The line at the end that says why the guest gets this email."""
    order = email.order
    names = {
        "code": order.code,
        "dish": one_line(order.sold.spoken_name),
        "restaurant": one_line(order.offer.restaurant.name),
    }
    match email.kind:
        case EmailKind.UNFINISHED:
            says = _("You're getting this because you started an order at %(restaurant)s.")
        case EmailKind.REJOIN:
            says = _(
                "You're getting this because you ordered %(dish)s and asked for news from "
                "%(restaurant)s."
            )
        case _other:
            says = _("You're getting this because you ordered %(dish)s at %(restaurant)s.")
    return why_sent(says % names, order)
