"""The statements' pages and files; they work without JavaScript."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    StreamingHttpResponse,
)
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from apps.accounts.models import User
from apps.accounts.staff_access import has_staff_access
from apps.activity.kinds import Kind
from apps.activity.services import record
from apps.billing.models import FeeInvoice, Payout
from apps.common import clock, rls
from apps.common.views import permission_denied
from apps.preorders.statements import csv_files, pdf
from apps.preorders.statements.periods import Period, read_period
from apps.preorders.statements.selectors import (
    Statement,
    entries_of,
    orders_in,
    paid_orders,
    platform_statement,
    statement_of,
)
from apps.restaurants.member_access import member_page
from apps.restaurants.models import Restaurant
from apps.restaurants.permissions import CurrentMembership, Permission

PAGE_SIZE = 50
Rows = Iterator[Iterable[object]]
CSV, PDF = "text/csv; charset=utf-8", "application/pdf"
# The files of a statement by name; those for programs have neither mark nor apostrophes.
CSV_FILES: dict[str, Callable[[Statement], Rows]] = {
    "quickbooks": csv_files.quickbooks_rows,
    "xero": csv_files.xero_rows,
    "tax": csv_files.tax_rows,
}
FOR_PROGRAMS = frozenset({"quickbooks", "xero"})


def _this_month(restaurant: Restaurant | None, now: datetime) -> Period:
    local = now.astimezone(restaurant.zone) if restaurant else now
    return Period.month(local.date())


@require_safe
@never_cache
@member_page(Permission.SEE_LEDGER)
def statement_page(request: HttpRequest, membership: CurrentMembership) -> HttpResponse:
    """A month, or with `?period=2027-03-22` a day, with its entries."""
    restaurant = membership.restaurant
    present = _this_month(restaurant, clock.now())
    period = read_period(request.GET.get("period", "")) or present
    statement = statement_of(restaurant, period)
    entries = None
    if not period.is_month:
        rows = entries_of(restaurant, period).select_related("pre_order__sold")
        pages = Paginator(rows.order_by("-processed_at", "-pk"), PAGE_SIZE)
        entries = pages.get_page(request.GET.get("page"))
    context = {
        "restaurant": restaurant,
        "statement": statement,
        "period": period,
        "month": Period.month(period.first),
        "lines": pdf.sum_lines(statement.figures),
        "entries": entries,
        "has_later": period.last < present.last,
        "invoice_number": pdf.invoice_number(statement.invoice) if statement.invoice else "",
    }
    return render(request, "preorders/statements/statement.html", context)


@require_safe
@never_cache
@member_page(Permission.SEE_LEDGER)
def statement_file(
    request: HttpRequest, membership: CurrentMembership, period: str, kind: str, extension: str
) -> HttpResponse:
    """A statement as a file: `statement.pdf`, `entries.csv`, `quickbooks.csv`, `xero.csv` or
    `tax.csv`. 404 for any other."""
    restaurant, asked = membership.restaurant, read_period(period)
    if asked is None:
        raise Http404
    name = f"{kind}-{restaurant.slug}-{asked.name}.{extension}"
    match (kind, extension):
        case ("statement", "pdf"):
            content = pdf.statement_pdf(statement_of(restaurant, asked))
            answer = _file(content, PDF, name)
        case ("entries", "csv"):
            # Rows are read while the answer is sent, so the restaurant is still the one acting.
            rows = read_as(restaurant, csv_files.entry_rows(restaurant, asked))
            answer = _streamed(csv_files.csv_pieces(rows), name)  # type: ignore[assignment]
        case (file, "csv") if file in CSV_FILES:
            rows_of = CSV_FILES[file](statement_of(restaurant, asked))
            plain = file in FOR_PROGRAMS
            pieces = csv_files.csv_pieces(rows_of, mark=not plain, clean=not plain)
            answer = _file(b"".join(pieces), CSV, name)
        case _:
            raise Http404
    _note(restaurant, kind, asked)
    return answer


@require_safe
@never_cache
@member_page(Permission.SEE_LEDGER)
def payout_page(
    request: HttpRequest, membership: CurrentMembership, payout_id: UUID
) -> HttpResponse:
    """One payout with the orders in it."""
    restaurant, payout = membership.restaurant, _payout(membership.restaurant, payout_id)
    pages = Paginator(orders_in(payout), PAGE_SIZE)
    page = pages.get_page(request.GET.get("page"))
    made = payout.created_at.astimezone(restaurant.zone).date()
    context = {
        "restaurant": restaurant,
        "payout": payout,
        "page": page,
        "orders": list(paid_orders(page.object_list)),
        "month": Period.month(made),
    }
    return render(request, "preorders/statements/payout.html", context)


@require_safe
@never_cache
@member_page(Permission.SEE_LEDGER)
def payout_file(
    request: HttpRequest, membership: CurrentMembership, payout_id: UUID
) -> HttpResponse:
    payout = _payout(membership.restaurant, payout_id)
    content = b"".join(csv_files.csv_pieces(csv_files.payout_rows(payout)))
    _note(membership.restaurant, "payout", None)
    return _file(content, CSV, f"payout-{payout.payout_id or payout.pk}.csv")


@require_safe
@never_cache
@member_page(Permission.SEE_LEDGER)
def invoice_file(request: HttpRequest, membership: CurrentMembership, number: int) -> HttpResponse:
    """The platform's invoice of a month's fees."""
    found = FeeInvoice.objects.select_related("cycle", "restaurant").filter(
        restaurant=membership.restaurant, number=number
    )
    invoice = found.first()
    if invoice is None:
        raise Http404
    _note(membership.restaurant, "invoice", None)
    return _file(pdf.invoice_pdf(invoice), PDF, f"{pdf.invoice_number(invoice)}.pdf")


@require_safe
@never_cache
@login_required
def platform_page(request: HttpRequest) -> HttpResponse:
    """A month of all restaurants; only for staff. With `?format=csv` as a file."""
    assert isinstance(request.user, User)  # login_required
    if not has_staff_access(request, request.user):
        return permission_denied(request)
    present = _this_month(None, clock.now())
    asked = read_period(request.GET.get("period", ""))
    period = asked if asked and asked.is_month else present
    with rls.acting_as(rls.PLATFORM):
        statement = platform_statement(period)
        if request.GET.get("format") == "csv":
            record(Kind.STATEMENT_DOWNLOADED, actor=request.user, what="platform", now=clock.now())
            content = b"".join(csv_files.csv_pieces(csv_files.platform_rows(statement)))
            return _file(content, CSV, f"platform-{period.name}.csv")
        context = {
            "statement": statement,
            "period": period,
            "page": Paginator(statement.lines, PAGE_SIZE).get_page(request.GET.get("page")),
            "has_later": period.last < present.last,
        }
        return render(request, "preorders/statements/platform.html", context)


def read_as(restaurant: Restaurant, rows: Iterator[Iterable[object]]) -> Iterator[Iterable[object]]:
    """Each row, read while acting as the restaurant."""
    while True:
        with rls.acting_as(restaurant):
            row = next(rows, None)
        if row is None:
            return
        yield row


def _payout(restaurant: Restaurant, payout_id: UUID) -> Payout:
    payout = Payout.objects.filter(restaurant=restaurant, pk=payout_id).first()
    if payout is None:
        raise Http404
    return payout


def _note(restaurant: Restaurant, what: str, period: Period | None) -> None:
    name = period.name if period else ""
    record(
        Kind.STATEMENT_DOWNLOADED, restaurant=restaurant, what=what, period=name, now=clock.now()
    )


def _file(content: bytes, kind: str, name: str) -> HttpResponse:
    answer = HttpResponse(content, content_type=kind)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _streamed(pieces: Iterator[bytes], name: str) -> StreamingHttpResponse:
    answer = StreamingHttpResponse(pieces, content_type=CSV)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
