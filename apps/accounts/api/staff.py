"""The base class of API views for the platform's staff."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, ClassVar

from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.views import APIView

from apps.accounts.models import User
from apps.accounts.staff_access import require_staff_access
from apps.accounts.step_up import require_step_up
from apps.common.error_codes import ErrorCode


class StaffView(APIView):
    """An endpoint for staff, in a session with a second step (DECISIONS X38).

    Answers 401 to visitors, and 403 to everybody else and to every bearer token. Methods in
    `step_up` need a step-up. `self.staff` is the member of staff.
    """

    permission_classes = [IsAuthenticated]
    step_up: ClassVar[Collection[str]] = ()
    refusals: ClassVar[Mapping[str, Collection[ErrorCode]]] = {}
    staff: User

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if not isinstance(request.user, User):
            raise NotAuthenticated
        if not hasattr(self, (request.method or "").lower()):
            return  # 405, as on every other path
        require_staff_access(request, request.user)
        if request.method in self.step_up:
            require_step_up(request, request.user)
        self.staff = request.user

    def described_refusals(self, method: str) -> Iterator[ErrorCode]:
        """What the API's description says that this method refuses (`apps.common.api.schema`)."""
        yield from (ErrorCode.FORBIDDEN, ErrorCode.TWO_FACTOR_REQUIRED)
        if method in self.step_up:
            yield ErrorCode.REAUTHENTICATE
