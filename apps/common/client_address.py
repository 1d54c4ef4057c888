"""The client's IP address, and the networks it belongs to."""

from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address

from django.http import HttpRequest
from rest_framework.settings import api_settings

# One subscriber gets at least a /64, so all of it counts as one address:
# https://www.rfc-editor.org/rfc/rfc6177#section-2
_HOST_BITS = 64
# What is left of an address that is stored: the subscriber can't be told from its neighbors.
_STORED_IPV4_BITS, _STORED_IPV6_BITS = 24, 48


def client_address(request: HttpRequest) -> str:
    """The client's IP address: the socket's, or the one the outermost trusted proxy saw.

    `TRUSTED_PROXIES` says how many entries of `X-Forwarded-For`, counted from the right, our own
    proxies added. Anyone can forge the entries to the left of them.
    """
    forwarded: str = request.META.get("HTTP_X_FORWARDED_FOR", "")
    hops = [hop.strip() for hop in forwarded.split(",") if hop.strip()]
    trusted: int = api_settings.NUM_PROXIES or 0
    if trusted and hops:
        return hops[-min(trusted, len(hops))]
    return str(request.META.get("REMOTE_ADDR") or "")


def network_of(address: str) -> str:
    """What limits count an IP address as: IPv4 as itself, IPv6 as its /64 network. Anything that
    isn't an address is returned as it is."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(IPv6Address(int(parsed) >> _HOST_BITS << _HOST_BITS))


def truncated(address: str) -> str:
    """The address without the bits that name one subscriber: the /24 of an IPv4, the /48 of an IPv6
    address. Empty for anything that isn't an address."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped:
        parsed = parsed.ipv4_mapped
    if isinstance(parsed, IPv6Address):
        return str(IPv6Network((int(parsed), _STORED_IPV6_BITS), strict=False))
    return str(IPv4Network((int(parsed), _STORED_IPV4_BITS), strict=False))
