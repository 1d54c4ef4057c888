"""Where a request comes from, behind as many proxies as the settings trust."""

from django.http import HttpRequest
from rest_framework.settings import api_settings


def client_address(request: HttpRequest) -> str:
    """The client's address: the socket's, or what the outermost trusted proxy saw.

    `TRUSTED_PROXIES` says how many entries of `X-Forwarded-For`, from the right, are ours to
    believe; what stands left of them anybody can write.
    """
    forwarded: str = request.META.get("HTTP_X_FORWARDED_FOR", "")
    hops = [hop.strip() for hop in forwarded.split(",") if hop.strip()]
    trusted: int = api_settings.NUM_PROXIES or 0
    if trusted and hops:
        return hops[-min(trusted, len(hops))]
    return str(request.META.get("REMOTE_ADDR") or "")
