"""Rate limits of pre-orders."""

from django.conf import settings

from apps.accounts.api.throttles import AddressThrottle
from apps.accounts.rate_limits import Limit

_TIMES, _WINDOW_SECONDS = settings.PRE_ORDER_RATE


class PreOrderThrottle(AddressThrottle):
    """Limits how many pre-orders one IP address can start."""

    limit = Limit("pre-orders", times=_TIMES, window=_WINDOW_SECONDS)
