"""Passes for a phone's wallet: signed with certificates made here, off without settings."""

import base64
import hashlib
import json
import zipfile
from datetime import timedelta
from io import BytesIO

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.serialization import pkcs7
from cryptography.x509.oid import NameOID

from apps.offers.states import OfferStatus
from apps.preorders.core.links import order_path, order_token
from apps.preorders.documents.qr import confirmation_address
from apps.preorders.models import PreOrder
from apps.preorders.models.states import PaymentStatus, PreOrderStatus
from tests.conftest import NOON
from tests.factories import PreOrderFactory
from tests.pages import text_of

pytestmark = pytest.mark.usefixtures("clock")
PEM = serialization.Encoding.PEM


def certificate(name):
    """A self-signed certificate and its key."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    named = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    signed = (
        x509.CertificateBuilder()
        .subject_name(named)
        .issuer_name(named)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOON - timedelta(days=1))
        .not_valid_after(NOON + timedelta(days=365))
        .sign(key, hashes.SHA256())
    )
    return signed, key


def pem_of(key):
    plain = serialization.NoEncryption()
    return key.private_bytes(PEM, serialization.PrivateFormat.PKCS8, plain)


@pytest.fixture
def order(special, platform):
    special.status = OfferStatus.SUCCEEDED
    special.save()
    return PreOrderFactory(
        offer=special, status=PreOrderStatus.CONFIRMED, payment_status=PaymentStatus.CAPTURED
    )


@pytest.fixture
def apple(settings, tmp_path):
    """The certificates that sign, as a setting names them."""
    own, key = certificate("Pass Type ID: pass.test.fully-booked")
    intermediate, _its_key = certificate("Apple Worldwide Developer Relations")
    (tmp_path / "own.pem").write_bytes(own.public_bytes(PEM) + pem_of(key))
    (tmp_path / "wwdr.pem").write_bytes(intermediate.public_bytes(PEM))
    settings.APPLE_PASS_TYPE_ID = "pass.test.fully-booked"
    settings.APPLE_TEAM_ID = "TEAM123456"
    settings.APPLE_PASS_CERTIFICATE_FILE = str(tmp_path / "own.pem")
    settings.APPLE_WWDR_CERTIFICATE_FILE = str(tmp_path / "wwdr.pem")
    return {own, intermediate}


@pytest.fixture
def google(settings, tmp_path):
    """The public key of the service account."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    (tmp_path / "google.pem").write_bytes(pem_of(key))
    settings.GOOGLE_WALLET_ISSUER_ID = "3388000000012345678"
    settings.GOOGLE_WALLET_ACCOUNT = "passes@project.test"
    settings.GOOGLE_WALLET_KEY_FILE = str(tmp_path / "google.pem")
    return key.public_key()


def test_without_settings_there_are_no_passes(guest, order):
    page = text_of(guest.get(order_path(order)))
    assert "Wallet" not in page
    for path in ("/wallet.pkpass", "/google-wallet"):
        assert guest.get(order_path(order, then=path)).status_code == 404


def test_an_apple_pass_is_signed_and_lists_all_its_files(guest, order, apple):
    assert "Add to Apple Wallet" in text_of(guest.get(order_path(order)))
    answer = guest.get(order_path(order, then="/wallet.pkpass"))
    assert answer.headers["Content-Type"] == "application/vnd.apple.pkpass"
    with zipfile.ZipFile(BytesIO(answer.content)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    signature, manifest = files.pop("signature"), files.pop("manifest.json")
    hashed = {name: hashlib.sha1(content).hexdigest() for name, content in files.items()}
    assert json.loads(manifest) == hashed
    assert set(hashed) == {"pass.json", "icon.png", "icon@2x.png", "icon@3x.png"}
    assert set(pkcs7.load_der_pkcs7_certificates(signature)) == apple
    # Detached: it contains the hash of the manifest, not the manifest.
    assert hashlib.sha256(manifest).digest() in signature
    assert manifest not in signature
    described = json.loads(files["pass.json"])
    assert described["serialNumber"] == str(order.pk)
    assert described["eventTicket"]["primaryFields"][0]["value"] == "Osso buco"
    assert described["barcodes"][0]["message"] == confirmation_address(order)
    assert order.customer_name not in files["pass.json"].decode()


@pytest.mark.parametrize(
    ("mode", "said"), [("dine_in", ["Dine in"]), ("pickup", ["Pickup"]), ("", [])]
)
def test_an_apple_pass_names_the_mode_the_guest_chose(guest, order, apple, mode, said):
    PreOrder.objects.filter(pk=order.pk).update(service_mode=mode)
    answer = guest.get(order_path(order, then="/wallet.pkpass"))
    with zipfile.ZipFile(BytesIO(answer.content)) as archive:
        fields = json.loads(archive.read("pass.json"))["eventTicket"]["secondaryFields"]
    assert [each["value"] for each in fields if each["label"] == "Dine in or pickup"] == said


def test_a_google_pass_is_a_link_signed_with_the_accounts_key(guest, order, google):
    PreOrder.objects.filter(pk=order.pk).update(service_mode="pickup")
    order.refresh_from_db()
    assert "Add to Google Wallet" in text_of(guest.get(order_path(order)))
    answer = guest.get(order_path(order, then="/google-wallet"))
    assert answer.status_code == 302
    address = answer.headers["Location"]
    assert address.startswith("https://pay.google.com/gp/v/save/")
    head, claims, signature = address.rsplit("/", 1)[1].split(".")
    google.verify(
        decoded(signature), f"{head}.{claims}".encode(), padding.PKCS1v15(), hashes.SHA256()
    )
    said = json.loads(decoded(claims))
    assert (said["iss"], said["aud"], said["typ"]) == (
        "passes@project.test",
        "google",
        "savetowallet",
    )
    (ticket,) = said["payload"]["eventTicketObjects"]
    assert ticket["barcode"]["value"] == confirmation_address(order)
    assert ticket["ticketType"]["defaultValue"]["value"] == order.serving.mode == "Pickup"
    assert order.customer_name not in decoded(claims).decode()
    assert order_token(order) not in decoded(claims).decode()


@pytest.mark.parametrize("status", [PreOrderStatus.PENDING, PreOrderStatus.FULFILLED])
def test_an_order_that_is_not_certain_or_over_has_no_pass(guest, special, apple, google, status):
    waiting = PreOrderFactory(offer=special, status=status)
    assert "Wallet" not in text_of(guest.get(order_path(waiting)))
    for path in ("/wallet.pkpass", "/google-wallet"):
        assert guest.get(order_path(waiting, then=path)).status_code == 404


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
