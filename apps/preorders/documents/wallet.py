"""An order as a pass for a wallet: Apple's signed file, Google's signed link (decision 150).

Each is off until its settings are there. A pass isn't updated once it is on the phone, so only an
order that is certain gets one.
"""

import base64
import hashlib
import json
import zipfile
from datetime import datetime, time
from io import BytesIO
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, load_pem_private_key, pkcs7
from cryptography.x509 import load_pem_x509_certificate
from django.conf import settings
from django.utils.translation import gettext as _
from PIL import Image

from apps.common import formats
from apps.common.emails import PLATFORM_NAME, one_line
from apps.common.languages import spoken, tag_of
from apps.preorders.core.links import order_url
from apps.preorders.core.selectors import slot_label
from apps.preorders.documents.qr import confirmation_address, shows_code
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PreOrderStatus

PASS_TYPE = "application/vnd.apple.pkpass"
GOOGLE_SAVE_URL = "https://pay.google.com/gp/v/save/"
# Widths that Wallet needs an icon in, in pixels, and their file names:
# https://developer.apple.com/library/archive/documentation/UserExperience/Conceptual/PassKit_PG/Creating.html
ICONS = {"icon.png": 29, "icon@2x.png": 58, "icon@3x.png": 87}
INK, PAPER, ACCENT = "rgb(31, 26, 23)", "rgb(251, 248, 243)", "rgb(180, 56, 10)"


def has_pass(order: PreOrder) -> bool:
    """Whether the order is certain and still to be picked up."""
    return shows_code(order) and order.status == PreOrderStatus.CONFIRMED


def makes_apple_passes() -> bool:
    return bool(settings.APPLE_PASS_TYPE_ID and settings.APPLE_PASS_CERTIFICATE_FILE)


def makes_google_passes() -> bool:
    return bool(settings.GOOGLE_WALLET_ISSUER_ID and settings.GOOGLE_WALLET_KEY_FILE)


# --- Apple ----------------------------------------------------------------------------------------
def apple_pass(order: PreOrder) -> bytes:
    """The `.pkpass` file: a zip of the description, its icons, their hashes, and our signature."""
    files = {"pass.json": json.dumps(_description(order), ensure_ascii=False).encode(), **_icons()}
    # SHA-1 is what the format names; the signature over this list uses SHA-256.
    listed = {
        name: hashlib.sha1(content, usedforsecurity=False).hexdigest()
        for name, content in files.items()
    }
    files["manifest.json"] = json.dumps(listed).encode()
    files["signature"] = _signature(files["manifest.json"])
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def _description(order: PreOrder) -> dict[str, Any]:
    restaurant = order.offer.restaurant
    day, slot = formats.day(order.offer.serve_date), slot_label(order)
    time_label = _("Time") if order.is_eaten_there else _("Pickup time")
    portions = formats.count(order.quantity, "portion")
    notes = _arrival(order)
    described: dict[str, Any] = {
        "formatVersion": 1,
        "passTypeIdentifier": settings.APPLE_PASS_TYPE_ID,
        "teamIdentifier": settings.APPLE_TEAM_ID,
        "serialNumber": str(order.pk),
        "organizationName": one_line(restaurant.name),
        "description": one_line(f"{order.served_name}, {restaurant.name}"),
        "logoText": one_line(restaurant.name),
        "relevantDate": _starts_at(order).isoformat(),
        "foregroundColor": INK,
        "backgroundColor": PAPER,
        "labelColor": ACCENT,
        "barcodes": [
            {
                "format": "PKBarcodeFormatQR",
                "message": confirmation_address(order),
                "messageEncoding": "iso-8859-1",
                "altText": order.code,
            }
        ],
        "eventTicket": {
            "primaryFields": [_field("dish", "", order.served_name)],
            "secondaryFields": [
                _field("day", _("Served on"), day),
                *([_field("slot", time_label, slot)] if slot else []),
                *(
                    [_field("service", _("Dine in or pickup"), order.serving.mode)]
                    if order.service_mode
                    else []
                ),
            ],
            "auxiliaryFields": [
                _field("portions", _("Portions"), portions),
                _field("code", _("Order code"), order.code),
            ],
            "backFields": [
                _field("where", _("Where"), f"{restaurant.name}\n{restaurant.address}"),
                *([_field("arrival", _("When you arrive"), notes)] if notes else []),
                *([_field("phone", _("Phone"), restaurant.phone)] if restaurant.phone else []),
                _field("order", _("Your order"), order_url(order)),
            ],
        },
    }
    if restaurant.latitude is not None and restaurant.longitude is not None:
        position = {
            "latitude": float(restaurant.latitude),
            "longitude": float(restaurant.longitude),
        }
        described["locations"] = [position]
    return described


def _field(key: str, label: str, value: str) -> dict[str, str]:
    return {"key": key, "label": label, "value": value}


def _arrival(order: PreOrder) -> str:
    return "\n".join(map(str, order.serving.notes))


def _starts_at(order: PreOrder) -> datetime:
    """When the wallet brings the pass to the lock screen: the pickup time, or the day's noon."""
    if order.pickup_slot is not None:
        return order.pickup_slot.starts_at
    return datetime.combine(order.offer.serve_date, time(12), order.offer.restaurant.zone)


def _icons() -> dict[str, bytes]:
    drawn = {}
    with Image.open(Path(settings.BASE_DIR) / "static/images/icon-192.png") as icon:
        for name, width in ICONS.items():
            written = BytesIO()
            icon.resize((width, width), Image.Resampling.LANCZOS).save(written, "PNG")
            drawn[name] = written.getvalue()
    return drawn


def _signature(manifest: bytes) -> bytes:
    """A detached PKCS #7 signature, with Apple's intermediate certificate beside ours:
    https://developer.apple.com/documentation/walletpasses/building-a-pass"""
    own = Path(settings.APPLE_PASS_CERTIFICATE_FILE).read_bytes()
    key = load_pem_private_key(own, password=None)
    assert isinstance(key, RSAPrivateKey)
    builder = (
        pkcs7.PKCS7SignatureBuilder()
        .set_data(manifest)
        .add_signer(load_pem_x509_certificate(own), key, hashes.SHA256())
    )
    if settings.APPLE_WWDR_CERTIFICATE_FILE:
        apple = Path(settings.APPLE_WWDR_CERTIFICATE_FILE).read_bytes()
        builder = builder.add_certificate(load_pem_x509_certificate(apple))
    options = [pkcs7.PKCS7Options.DetachedSignature, pkcs7.PKCS7Options.Binary]
    return builder.sign(Encoding.DER, options)


# --- Google ---------------------------------------------------------------------------------------
def google_save_url(order: PreOrder, *, now: datetime) -> str:
    """The link that saves the pass: a JWT signed with RS256 that describes it; nothing is called.
    https://developers.google.com/wallet/reference/rest/v1/Jwt"""
    claims = {
        "iss": settings.GOOGLE_WALLET_ACCOUNT,
        "aud": "google",
        "typ": "savetowallet",
        "iat": int(now.timestamp()),
        "payload": {
            "eventTicketClasses": [_event(order)],
            "eventTicketObjects": [_ticket(order)],
        },
    }
    head = _url_safe(json.dumps({"alg": "RS256", "typ": "JWT"}).encode())
    signed = f"{head}.{_url_safe(json.dumps(claims, separators=(',', ':')).encode())}"
    key = load_pem_private_key(Path(settings.GOOGLE_WALLET_KEY_FILE).read_bytes(), password=None)
    assert isinstance(key, RSAPrivateKey)
    signature = key.sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256())
    return f"{GOOGLE_SAVE_URL}{signed}.{_url_safe(signature)}"


def _event(order: PreOrder) -> dict[str, Any]:
    """Of this order alone: what was sold may differ between two orders of a special."""
    restaurant = order.offer.restaurant
    event: dict[str, Any] = {
        "id": f"{settings.GOOGLE_WALLET_ISSUER_ID}.event-{order.pk}",
        "issuerName": PLATFORM_NAME,
        "reviewStatus": "UNDER_REVIEW",
        "eventName": _localized(order.served_name),
        "dateTime": {"start": _starts_at(order).isoformat()},
    }
    if restaurant.address:
        event["venue"] = {
            "name": _localized(restaurant.name),
            "address": _localized(restaurant.address),
        }
    return event


def _ticket(order: PreOrder) -> dict[str, Any]:
    """How the dish is eaten is the ticket's type, as "Adult" or "Child" are elsewhere:
    https://developers.google.com/wallet/reference/rest/v1/eventticketobject"""
    notes = _arrival(order)
    arrival = {"id": "arrival", "header": _("When you arrive"), "body": notes}
    return {
        "id": f"{settings.GOOGLE_WALLET_ISSUER_ID}.order-{order.pk}",
        "classId": f"{settings.GOOGLE_WALLET_ISSUER_ID}.event-{order.pk}",
        "state": "ACTIVE",
        "ticketNumber": order.code,
        "ticketType": _localized(order.serving.mode),
        "barcode": {
            "type": "QR_CODE",
            "value": confirmation_address(order),
            "alternateText": order.code,
        },
        **({"textModulesData": [arrival]} if notes else {}),
    }


def _localized(text: str) -> dict[str, Any]:
    return {"defaultValue": {"language": tag_of(spoken()), "value": one_line(text)}}


def _url_safe(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()
