"""Pages about disputes: a restaurant's list, one dispute with its answer, and the platform's list.

They are plain forms: a dispute is answered once, with time to read.
"""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from apps.accounts.models import User
from apps.accounts.staff_access import staff_page
from apps.common import clock, rls
from apps.common.errors import DomainError
from apps.common.views import permission_denied
from apps.preorders.disputes import selectors, services
from apps.preorders.disputes.forms import AnswerForm
from apps.preorders.disputes.notices import TITLES, WARNING_ADVICE, dispute_sentence
from apps.preorders.documents.dispute_reasons import reason_advice, reason_label
from apps.preorders.documents.evidence import file_name
from apps.preorders.manage import fulfillment
from apps.preorders.models import Dispute
from apps.preorders.models.states import DisputeStatus, OperationKind, OperationStatus
from apps.preorders.settlement import chargebacks, refunds
from apps.restaurants.member_access import member_page
from apps.restaurants.permissions import CurrentMembership, Permission

WARNING_REASON = "Early fraud warning"


@require_safe
@never_cache
@member_page(Permission.SEE_DISPUTES)
def disputes(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """Warnings to decide about, refunds that came back, disputes, and the share of chargebacks."""
    restaurant, now = membership.restaurant, clock.now()
    found = selectors.disputes_of_restaurant(restaurant=restaurant)
    context = {
        "restaurant": restaurant,
        "warnings": selectors.warnings_of_restaurant(restaurant=restaurant),
        "warning_advice": WARNING_ADVICE,
        "returned": selectors.returned_refunds(restaurant=restaurant)[: selectors.PAGE_SIZE],
        "rows": [(dispute, TITLES[DisputeStatus(dispute.status)]) for dispute in found],
        "chargebacks": chargebacks.chargebacks_of(restaurant.pk, now=now),
        "threshold": chargebacks.EXCESSIVE_PERCENT,
        "window_days": chargebacks.WINDOW.days,
        "now": now,
        **_rights(membership),
    }
    return render(request, "preorders/disputes.html", context)


def _rights(membership: CurrentMembership) -> dict[str, bool]:
    return {
        "can_answer": membership.can(Permission.ANSWER_DISPUTES),
        "can_refund": membership.can(Permission.EDIT_ORDERS),
    }


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@member_page(Permission.SEE_DISPUTES)
def dispute(request: HttpRequest, membership: CurrentMembership, dispute_id: UUID) -> HttpResponse:
    """One dispute. A POST answers it, accepts it, or hands the order over anyway."""
    found = _dispute(membership, dispute_id)
    form = AnswerForm(request.POST or None, initial={"remarks": found.remarks})
    if request.method == "POST":
        if not membership.can(Permission.ANSWER_DISPUTES):
            return permission_denied(request)
        if form.is_valid():
            return _carry_out(request, membership, found, form.cleaned_data["remarks"])
    return render(request, "preorders/dispute.html", _context(membership, found, form))


def _carry_out(
    request: HttpRequest, membership: CurrentMembership, found: Dispute, remarks: str
) -> HttpResponse:
    assert isinstance(request.user, User)  # member_page
    by, now = request.user.name, clock.now()
    acting: dict[str, Any] = {"restaurant": membership.restaurant, "by": by, "now": now}
    try:
        match request.POST.get("action"):
            case "answer":
                services.answer_dispute(dispute_id=found.pk, remarks=remarks, **acting)
            case "accept" if request.POST.get("sure"):
                services.accept_dispute(dispute_id=found.pk, **acting)
                messages.success(request, "You accepted the dispute. The guest keeps the money.")
            case "hand_over" if request.POST.get("sure"):
                order_id = found.pre_order_id
                fulfillment.mark_picked_up(order_id=order_id, despite_dispute=True, **acting)
                messages.success(request, "The order is marked as picked up.")
            case _other:
                messages.error(request, "Check the box to confirm, then try again.")
    except DomainError as refusal:
        messages.error(request, refusal.message)
    return redirect("dispute", dispute_id=found.pk)


def _context(membership: CurrentMembership, found: Dispute, form: AnswerForm) -> dict[str, Any]:
    now, order = clock.now(), found.pre_order
    answer = selectors.latest_answer(found)
    answered = answer is not None and answer.state != OperationStatus.FAILED
    return {
        "dispute": found,
        "order": order,
        "restaurant": membership.restaurant,
        "form": form,
        "title": TITLES[DisputeStatus(found.status)],
        "sentence": dispute_sentence(found, order),
        "reason": reason_label(found.reason),
        "advice": reason_advice(found.reason),
        "is_open_for_answer": found.awaits_answer(now) and not answered,
        "is_on_its_way": answered and answer is not None and answer.state == "pending",
        "was_accepted": answered
        and answer is not None
        and answer.kind == OperationKind.ACCEPT_DISPUTE,
        "has_failed": answer is not None and answer.state == OperationStatus.FAILED,
        "can_hand_over": selectors.can_be_handed_over_anyway(found),
        **_rights(membership),
    }


def _dispute(membership: CurrentMembership, dispute_id: UUID) -> Dispute:
    found = selectors.dispute_of_restaurant(restaurant=membership.restaurant, dispute_id=dispute_id)
    if found is None:
        raise Http404(services.UNKNOWN_DISPUTE)
    return found


@require_safe
@never_cache
@member_page(Permission.SEE_DISPUTES)
def evidence(request: HttpRequest, membership: CurrentMembership, dispute_id: UUID) -> HttpResponse:
    """The evidence pack as of now, as a PDF to download."""
    found = _dispute(membership, dispute_id)
    return HttpResponse(
        services.download_evidence(found, now=clock.now()),
        content_type="application/pdf",
        headers={"Content-Disposition": f'attachment; filename="{file_name(found)}"'},
    )


@require_POST
@member_page(Permission.EDIT_ORDERS)
def refund_warned(
    request: HttpRequest, membership: CurrentMembership, warning_id: UUID
) -> HttpResponse:
    """Refund an order whose charge may be fraud, in full."""
    assert isinstance(request.user, User)  # member_page
    warning = selectors.warning_of_restaurant(
        restaurant=membership.restaurant, warning_id=warning_id
    )
    if warning is None:
        raise Http404(services.UNKNOWN_DISPUTE)
    try:
        refunds.refund_order(
            order=warning.pre_order,
            amount=None,
            reason=WARNING_REASON,
            by=request.user.name,
            now=clock.now(),
        )
        messages.success(request, "The refund is on its way. Don't hand the order over.")
    except DomainError as refusal:
        messages.error(request, refusal.message)
    return redirect("disputes")


@require_safe
@staff_page
def platform_disputes(request: HttpRequest, staff: User) -> HttpResponse:
    """For the platform's staff: every restaurant with disputes, warnings, or chargebacks."""
    with rls.acting_as(rls.PLATFORM):
        rows = selectors.disputes_of_platform(now=clock.now())
    context = {
        "rows": rows,
        "threshold": chargebacks.EXCESSIVE_PERCENT,
        "window_days": chargebacks.WINDOW.days,
    }
    return render(request, "preorders/platform_disputes.html", context)
