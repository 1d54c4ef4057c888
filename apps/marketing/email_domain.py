"""What a sending domain's DNS must say, so that emails to followers are delivered.

Large receivers want SPF, DKIM, and DMARC of whoever sends to many, and a one-click unsubscribe:
https://support.google.com/a/answer/81126. The check reads a zone file (RFC 1035, section 5), which
every DNS provider exports, so it can be made before anything is published.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

import dns.exception
import dns.name
import dns.rdatatype
import dns.zone

from apps.common.errors import FieldError, Invalid

NOT_A_ZONE = "We couldn't read this zone file: {why}."
MAX_SPF_LOOKUPS = 10  # https://www.rfc-editor.org/rfc/rfc7208#section-4.6.4
_LOOKUP = re.compile(r"[+?~-]?(include:|a\b|mx\b|ptr\b|exists:)|redirect=", re.IGNORECASE)
_ALL = re.compile(r"([+?~-]?)all\Z", re.IGNORECASE)


class Level(StrEnum):
    OK = "ok"
    ADVICE = "advice"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that the zone says or should say; `what` is a sentence that includes what to do."""

    level: Level
    subject: str  # SPF, DKIM, or DMARC
    what: str


def check_zone(
    text: str, *, domain: str, selectors: list[str], includes: list[str]
) -> list[Finding]:
    """Check the zone file of `domain`.

    `selectors` are the DKIM selectors, and `includes` the SPF includes, that the email service
    named. Raises Invalid for a text that isn't a zone file.
    """
    try:
        origin = dns.name.from_text(domain)
        zone = dns.zone.from_text(text, origin=origin, relativize=True, check_origin=False)
    except (dns.exception.DNSException, ValueError, UnicodeError) as error:
        message = NOT_A_ZONE.format(why=str(error).rstrip(".") or type(error).__name__)
        raise Invalid(message, fields=[FieldError("zone", message)]) from error
    return [
        *_check_spf(_texts(zone, "@"), includes),
        *(each for selector in selectors for each in _check_dkim(zone, selector)),
        *([] if selectors else [_no_selector()]),
        *_check_dmarc(_texts(zone, "_dmarc")),
    ]


def _texts(zone: dns.zone.Zone, name: str) -> list[str]:
    """The name's TXT records, each with its strings joined (RFC 7208, section 3.3)."""
    found = zone.get_rdataset(name, dns.rdatatype.TXT)
    return [b"".join(each.strings).decode(errors="replace") for each in found or ()]


def _check_spf(texts: list[str], includes: list[str]) -> list[Finding]:
    records = [each for each in texts if each.lower().split(" ")[0] == "v=spf1"]
    if not records:
        wanted = " ".join(f"include:{each}" for each in includes)
        terms = " ".join(filter(None, ("v=spf1", wanted, "~all")))
        return [Finding(Level.WRONG, "SPF", f'Add a TXT record at the domain: "{terms}".')]
    if len(records) > 1:
        # https://www.rfc-editor.org/rfc/rfc7208#section-4.5: more than one is a permanent error.
        return [Finding(Level.WRONG, "SPF", "Combine the SPF records: there can be only one.")]
    terms_found = records[0].split()[1:]
    findings = []
    for each in includes:
        if f"include:{each}".lower() not in [term.lstrip("+").lower() for term in terms_found]:
            findings.append(Finding(Level.WRONG, "SPF", f"Add include:{each} to the SPF record."))
    if sum(bool(_LOOKUP.match(term)) for term in terms_found) > MAX_SPF_LOOKUPS:
        findings.append(
            Finding(Level.WRONG, "SPF", "Use fewer terms: more than ten look-ups are an error.")
        )
    ends = [match for term in terms_found if (match := _ALL.fullmatch(term))]
    if any(match[1] in ("", "+") for match in ends):
        findings.append(
            Finding(Level.WRONG, "SPF", 'End the record with "~all": "+all" lets anybody send.')
        )
    elif not ends and not any(term.lower().startswith("redirect=") for term in terms_found):
        findings.append(Finding(Level.ADVICE, "SPF", 'End the record with "~all".'))
    return findings or [Finding(Level.OK, "SPF", "The SPF record is fine.")]


def _check_dkim(zone: dns.zone.Zone, selector: str) -> list[Finding]:
    name = f"{selector}._domainkey"
    if zone.get_rdataset(name, dns.rdatatype.CNAME):
        return [Finding(Level.OK, "DKIM", f"{name} leads to the email service's key.")]
    texts = _texts(zone, name)
    if not texts:
        return [Finding(Level.WRONG, "DKIM", f"Add the record that the service gave for {name}.")]
    tags = _tags(texts[0])
    if len(texts) > 1 or not tags.get("p"):
        # https://www.rfc-editor.org/rfc/rfc6376#section-3.6.1: an empty p= is a revoked key.
        return [Finding(Level.WRONG, "DKIM", f"Replace {name}: its key is empty or there are two.")]
    return [Finding(Level.OK, "DKIM", f"{name} has a key.")]


def _no_selector() -> Finding:
    return Finding(
        Level.ADVICE, "DKIM", "Name the service's selectors with --selector to check its keys."
    )


def _check_dmarc(texts: list[str]) -> list[Finding]:
    records = [each for each in texts if each.replace(" ", "").lower().startswith("v=dmarc1")]
    if not records:
        return [Finding(Level.WRONG, "DMARC", 'Add a TXT record at _dmarc: "v=DMARC1; p=none".')]
    if len(records) > 1:
        return [Finding(Level.WRONG, "DMARC", "Keep one DMARC record: with two, none counts.")]
    tags = _tags(records[0])
    policy = tags.get("p", "").lower()
    if policy not in ("none", "quarantine", "reject"):
        return [Finding(Level.WRONG, "DMARC", "Set p to none, quarantine or reject.")]
    findings = []
    if policy == "none":
        findings.append(
            Finding(Level.ADVICE, "DMARC", "Once reports look right, set p=quarantine or p=reject.")
        )
    if "rua" not in tags:
        findings.append(
            Finding(Level.ADVICE, "DMARC", "Add rua=mailto:… to be told who sends in your name.")
        )
    return findings or [Finding(Level.OK, "DMARC", "The DMARC record is fine.")]


def _tags(record: str) -> dict[str, str]:
    """`v=DKIM1; p=…` as a mapping."""
    pairs = (each.partition("=") for each in record.split(";"))
    return {name.strip().lower(): value.strip() for name, _, value in pairs if name.strip()}
