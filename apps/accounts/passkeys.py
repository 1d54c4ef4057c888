"""Passkeys are accepted from the platform's own origin alone.

A passkey belongs to the platform's host, and fido2 accepts it from every subdomain unless told
otherwise (https://developers.yubico.com/python-fido2/API_Documentation/). Subdomains are
restaurants' pages here, which must not use it. django-allauth has no setting for this.
"""

from allauth.mfa.adapter import get_adapter
from allauth.mfa.webauthn.internal import auth
from fido2.server import Fido2Server
from fido2.webauthn import PublicKeyCredentialRpEntity

from apps.common.links import platform_url


def is_own_origin(origin: str) -> bool:
    """Whether the browser made the credential on a page of the platform's host."""
    return origin == platform_url("")


def _server() -> Fido2Server:
    rp = PublicKeyCredentialRpEntity(**get_adapter().get_public_key_credential_rp_entity())
    return Fido2Server(rp, verify_origin=is_own_origin)


def require_exact_origin() -> None:
    auth.get_server = _server
