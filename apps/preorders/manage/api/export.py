"""The order export API: CSV and XLSX."""

from typing import Any, ClassVar
from urllib.parse import urlencode

from django.http import HttpResponseRedirect, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from apps.accounts.step_up import REAUTHENTICATE_URL, ReauthenticationRequired
from apps.common import clock
from apps.common.error_codes import ErrorCode
from apps.common.errors import FieldError, Invalid
from apps.offers.selectors import offer_for_display
from apps.preorders.manage import exports, order_list
from apps.preorders.manage.api.orders import FILTERS, OwnOrdersView
from apps.preorders.manage.order_list import OrderFilter
from apps.preorders.manage.serializers.requests import read_filter
from apps.restaurants.permissions import Permission

FILE_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


class ExportView(OwnOrdersView):
    """Download the orders as CSV or XLSX, with the list's filters."""

    rights: ClassVar = {"GET": Permission.EXPORT_ORDERS}
    step_up = ("GET",)
    refusals: ClassVar = {"GET": (ErrorCode.SUPPORT_VISIT,)}

    @extend_schema(
        parameters=[OpenApiParameter("format", enum=["csv", "xlsx"], required=True), *FILTERS],
        responses={(200, FILE_TYPES[kind]): OpenApiTypes.BINARY for kind in FILE_TYPES},
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        kind = request.query_params.get("format", "")
        if kind not in FILE_TYPES:
            raise _wrong_format("Choose csv or xlsx as the file format.")
        filters = read_filter(request.query_params)
        rows = order_list.every_order(restaurant=self.restaurant, filters=filters)
        if kind == "xlsx":
            self._refuse_too_many(filters)
        pieces = exports.export_orders(kind, rows, restaurant=self.restaurant, now=clock.now())
        answer = StreamingHttpResponse(pieces)
        name = exports.export_file_name(kind, what=self._what(filters))
        answer.headers["Content-Type"] = FILE_TYPES[kind]
        answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        answer.headers["Cache-Control"] = "no-store"
        return answer

    def handle_exception(self, exc: Exception) -> Any:
        """A person who follows the link is led to the page that asks who is there, and back."""
        is_page = "text/html" in self.request.headers.get("Accept", "")
        if isinstance(exc, ReauthenticationRequired) and is_page:
            query = urlencode({"next": self.request.get_full_path()})
            return HttpResponseRedirect(f"{REAUTHENTICATE_URL}?{query}")
        return super().handle_exception(exc)

    def _refuse_too_many(self, filters: OrderFilter) -> None:
        if (
            order_list.count_orders(restaurant=self.restaurant, filters=filters)
            > exports.MAX_XLSX_ROWS
        ):
            most = f"{exports.MAX_XLSX_ROWS:,}"
            raise _wrong_format(
                f"That's more than {most} orders. Choose CSV, or narrow the filters."
            )

    def _what(self, filters: OrderFilter) -> str:
        """The file name's description: offer and day, or only the day (today by default)."""
        offer = None
        if filters.offer_id:
            offer = offer_for_display(restaurant=self.restaurant, offer_id=filters.offer_id)
        day = filters.day or (offer.serve_date if offer else None)
        today = clock.now().astimezone(self.restaurant.zone).date()
        return " ".join(filter(None, [offer.name if offer else "", str(day or today)]))


def _wrong_format(message: str) -> Invalid:
    return Invalid(message, fields=[FieldError("format", message)])
