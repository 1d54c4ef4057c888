"""The sites that may show a restaurant's specials in a frame (decision 158)."""

import re
from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from apps.common.errors import FieldError, Invalid

MAX_SITES = 10
TOO_MANY = f"List at most {MAX_SITES} sites. Remove one first."
NOT_A_SITE = "Enter a site's address, such as www.example.com."
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_HOST = re.compile(rf"(?=.{{1,253}}(?::|$))(?:{_LABEL}\.)*{_LABEL}(?::[0-9]{{1,5}})?", re.ASCII)


def embed_sites_of(typed: Iterable[str]) -> list[str]:
    """The hosts of these addresses, with their ports, each once: `https://Example.com/menu` is
    `example.com`.

    Raises Invalid for a text that isn't the address of a site, and for more than `MAX_SITES`.
    """
    sites = list(dict.fromkeys(_host_of(address) for address in typed))
    if len(sites) > MAX_SITES:
        raise Invalid.because([FieldError("sites", TOO_MANY)])
    return sites


def _host_of(address: str) -> str:
    bare = address.strip().lower()
    try:
        host = urlsplit(bare if "//" in bare else f"//{bare}").netloc
        name, colon, port = host.partition(":")
        host = f"{name.encode('idna').decode()}{colon}{port}"
    except (ValueError, UnicodeError):
        host = ""
    # Of the names without a dot only localhost is one: a developer's own machine.
    is_site = _HOST.fullmatch(host) and ("." in host or host.partition(":")[0] == "localhost")
    if not is_site:
        raise Invalid.because([FieldError("sites", NOT_A_SITE)])
    return host


def frame_sources(sites: Iterable[str]) -> list[str]:
    """What the frame-ancestors directive lists for these sites, `'none'` for none.

    A source without a scheme matches the scheme of our page, and https
    (https://www.w3.org/TR/CSP3/#match-url-to-source-expression). Each site is listed with and
    without `www`, because to its owner both are one site.
    """
    sources = [source for site in sites for source in _variants(site)]
    return list(dict.fromkeys(sources)) or ["'none'"]


def _variants(site: str) -> list[str]:
    name, _, _port = site.partition(":")
    try:
        ip_address(name)
    except ValueError:
        pass
    else:
        return [site]
    if name == "localhost":
        return [site]
    return [site, site[len("www.") :] if site.startswith("www.") else f"www.{site}"]
