"""DRF throttles on top of our rate limits (decision 37)."""

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from apps.accounts.rate_limits import Limit
from apps.common.client_address import client_address


class AddressThrottle(BaseThrottle):
    """Limits requests per IP address. Set `limit` in a subclass."""

    limit: ClassVar[Limit]

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Always True, or raises TooManyAttempts, which has the message and Retry-After."""
        self.limit.count(client_address(request._request))
        return True
