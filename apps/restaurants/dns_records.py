"""What DNS says about a domain: whether it has our ownership record, and whether it leads here.

Names are looked up as absolute names, so the machine's search list adds nothing
(https://dnspython.readthedocs.io/en/latest/resolver-class.html).
"""

import logging
from dataclasses import dataclass
from datetime import timedelta

import dns.exception
import dns.name
import dns.nameserver
import dns.resolver
from django.conf import settings

from apps.restaurants.models import OwnDomain

logger = logging.getLogger(__name__)

# How long the records of a live domain can be gone before it is no longer served.
FAILING_FOR = timedelta(days=3)
LIFETIME = 3.0  # seconds for one question, for all name servers together
OWNERSHIP_LABEL = "_fully-booked"
Answer = OwnDomain.Answer
_ABSENT = (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer)


def ownership_name(host: str) -> str:
    """The name of the TXT record that proves ownership."""
    return f"{OWNERSHIP_LABEL}.{host}"


def ownership_value(token: str) -> str:
    return f"fully-booked={token}"


@dataclass(frozen=True, slots=True)
class Record:
    """A DNS record that the owner creates; `answer` is what DNS last said about it."""

    type: str
    name: str
    value: str
    purpose: str
    answer: str


def records_of(row: OwnDomain) -> list[Record]:
    """The DNS records that a domain needs, for as long as it is used."""
    return [
        Record(
            "TXT",
            ownership_name(row.host),
            ownership_value(row.token),
            "Proves that the domain is yours",
            row.ownership,
        ),
        Record(
            "CNAME", row.host, settings.OWN_DOMAIN_TARGET, "Leads guests to your pages", row.routing
        ),
    ]


def look_up_ownership(host: str, token: str) -> Answer:
    """Whether one of the domain's TXT records has this token. The others don't matter."""
    try:
        found = _resolver().resolve(_absolute(ownership_name(host)), "TXT")
    except _ABSENT:
        return Answer.MISSING
    except dns.exception.DNSException as error:
        return _silent(host, error)
    # A record's text can come in several strings (RFC 7208 section 3.3 joins them so).
    texts = {b"".join(record.strings).decode(errors="replace").strip() for record in found}
    return Answer.FOUND if ownership_value(token) in texts else Answer.DIFFERENT


def look_up_routing(host: str) -> Answer:
    """Whether the domain leads here: by a CNAME or, at the top of a zone, which can't have one (RFC
    1912 section 2.4), by the addresses of our target."""
    target = settings.OWN_DOMAIN_TARGET
    try:
        found = _resolver().resolve(_absolute(host), "CNAME")
    except _ABSENT:
        return _look_up_addresses(host, target)
    except dns.exception.DNSException as error:
        return _silent(host, error)
    names = {record.target for record in found}
    return Answer.FOUND if _absolute(target) in names else Answer.DIFFERENT


def _look_up_addresses(host: str, target: str) -> Answer:
    try:
        own, ours = _addresses(host), _addresses(target)
    except dns.exception.DNSException as error:
        return _silent(host, error)
    if not own:
        return Answer.MISSING
    return Answer.FOUND if own <= ours else Answer.DIFFERENT


def _addresses(host: str) -> set[str]:
    found: set[str] = set()
    for kind in ("A", "AAAA"):
        try:
            found |= {record.address for record in _resolver().resolve(_absolute(host), kind)}
        except _ABSENT:
            continue
    return found


def _absolute(host: str) -> dns.name.Name:
    return dns.name.from_text(host, dns.name.root)


def _silent(host: str, error: Exception) -> Answer:
    logger.info("DNS says nothing about %s: %s", host, type(error).__name__)
    return Answer.SILENT


def _resolver() -> dns.resolver.Resolver:
    resolver = dns.resolver.Resolver(configure=not settings.DNS_SERVERS)
    resolver.lifetime = LIFETIME
    if settings.DNS_SERVERS:
        pairs = [server.rpartition(":") for server in settings.DNS_SERVERS]
        resolver.nameservers = [
            dns.nameserver.Do53Nameserver(address or port, int(port) if address else 53)
            for address, _, port in pairs
        ]
    return resolver
