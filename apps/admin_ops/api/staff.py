"""The base class of API views for the platform's staff."""

from collections.abc import Iterator
from typing import Any

from django.http import HttpResponseBase
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.views import APIView

from apps.accounts.models import User
from apps.accounts.staff_access import has_staff_access
from apps.common import rls
from apps.common.error_codes import ErrorCode
from apps.common.errors import Forbidden

STAFF_ONLY = "Only Fully Booked's staff can do this. Sign in with your second factor first."


class StaffView(APIView):
    """For staff in a session with a second factor, never with a token; acts as the platform.

    Answers 401 if nobody is signed in, and 403 to everybody else.
    """

    permission_classes = [IsAuthenticated]

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
        with rls.acting_as(rls.PLATFORM):
            return super().dispatch(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if not isinstance(request.user, User) or not has_staff_access(request, request.user):
            raise Forbidden(STAFF_ONLY)

    def described_refusals(self, method: str) -> Iterator[ErrorCode]:
        """What the API's description says that every method refuses."""
        yield ErrorCode.FORBIDDEN
