"""The headers by which every page tells the browser what it may do."""

import re
from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory

from apps.preorders.core.access import (
    Purpose,
    give_access,
    give_access_to_checkout,
    is_allowed,
    is_checkouts_sender,
)
from apps.preorders.core.links import order_path
from apps.restaurants.models import Domain
from tests.accounts.conftest import FORM
from tests.factories import PASSWORD, SpecialOfferFactory, UserFactory

pytestmark = pytest.mark.django_db

PLATFORM = [
    *("/", "/login", "/forgot-password", "/reset-password?token=x-y", "/verify-email"),
    *("/account", "/account/two-factor/", "/account/email", "/restaurant", "/restaurant/settings"),
    *("/api/docs", "/api/docs?script=", "/api/health", "/nothing-here"),
]
RESTAURANT = ["/privacy-policy", "/nothing-here"]
# The pages on which a guest can give a card, and the origins they may load from.
WITH_CARD_FIELDS = ["/specials", "/patron", "/specials/{offer}"]
STRIPE = ["https://js.stripe.com", "https://*.js.stripe.com"]
INLINE_SCRIPT = re.compile(r"<script(?![^>]*\bsrc=)([^>]*)>")
DATA = re.compile(r'type="application/(ld\+)?json"')


def policy_of(answer):
    directives = answer.headers["Content-Security-Policy"].split(";")
    return {name: sources for name, *sources in (each.split() for each in directives)}


@pytest.fixture
def answers(api, cast, clock):
    owner, guest = api(cast.owner), api(at=cast.restaurant)
    return [
        *((path, owner.get(path)) for path in PLATFORM),
        *((path, api().get(path)) for path in ("/", "/login", "/verify-email")),
        *((path, guest.get(path)) for path in RESTAURANT),
    ]


def test_no_script_of_others_runs_and_nothing_frames_us(answers):
    for path, answer in answers:
        policy = policy_of(answer)
        assert "'unsafe-inline'" not in policy["script-src"], path
        assert "'unsafe-eval'" not in policy["script-src"], path
        assert {each for each in policy["script-src"] if not each.startswith("'nonce-")} == {
            "'self'"
        }, path
        assert policy["default-src"] == ["'self'"], path
        assert policy["base-uri"] == ["'none'"], path
        assert policy["object-src"] == policy["frame-ancestors"] == ["'none'"], path
        assert policy["form-action"][0] == "'self'", path


def test_what_stands_inline_is_data_or_carries_the_nonce(answers):
    for path, answer in answers:
        if not answer.headers["Content-Type"].startswith("text/html"):
            continue
        nonces = [each for each in policy_of(answer)["script-src"] if each.startswith("'nonce-")]
        markup = answer.content.decode()
        for attributes in INLINE_SCRIPT.findall(markup):
            marked = nonces and f'nonce="{nonces[0][7:-1]}"' in attributes
            assert DATA.search(attributes) or marked, (path, attributes)
        assert not re.search(r"<[^>]+\son\w+=", markup), path
        assert "javascript:" not in markup, path


def test_every_page_has_the_other_security_headers(answers):
    for path, answer in answers:
        headers = answer.headers
        assert headers["X-Content-Type-Options"] == "nosniff", path
        assert headers["X-Frame-Options"] == "DENY", path
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin", path
        assert headers["Referrer-Policy"] in ("strict-origin-when-cross-origin", "no-referrer")
        assert "camera=()" in headers["Permissions-Policy"], path


def test_stripes_script_runs_only_where_a_card_is_entered(api, cast, clock, platform):
    offer = SpecialOfferFactory(restaurant=cast.restaurant)
    guest = api(at=cast.restaurant)
    pages = [path.format(offer=offer.pk) for path in WITH_CARD_FIELDS]
    # The page of a special, shown again with the errors of its form.
    forms = [f"/specials/{offer.pk}/{form}" for form in ("pre-order", "waitlist")]
    for send, status, paths in [
        *((guest.get, 200, pages) for _ in ("rendered", "stored")),
        (guest.post, 400, forms),
    ]:
        for path in paths:
            answer = send(path)
            assert answer.status_code == status, path
            policy = policy_of(answer)
            assert policy["script-src"] == ["'self'", *STRIPE], path
            assert policy["frame-src"] == ["'self'", *STRIPE, "https://hooks.stripe.com"], path
            assert policy["connect-src"] == ["'self'", "https://api.stripe.com"], path
            assert policy["object-src"] == policy["frame-ancestors"] == ["'none'"], path
            permissions = answer.headers["Permissions-Policy"]
            assert 'payment=(self "https://js.stripe.com")' in permissions, path
            assert "camera=()" in permissions, path
    elsewhere = guest.get("/privacy-policy")
    assert "stripe.com" not in elsewhere.headers["Content-Security-Policy"].split("form-action")[0]
    assert "payment=()" in elsewhere.headers["Permissions-Policy"]


def test_an_accounts_pages_are_stored_by_nobody(api, cast, clock):
    client = api(cast.owner)
    for path in ("/account", "/restaurant", "/reset-password", "/verify-email"):
        assert "no-store" in client.get(path).headers["Cache-Control"], path
    assert "no-store" in api().get("/login").headers["Cache-Control"]


def test_https_is_demanded_of_our_subdomains_and_not_of_a_restaurants_other_sites(
    api, cast, settings, platform
):
    settings.SECURE_HSTS_SECONDS = 31_536_000
    settings.SECURE_HSTS_INCLUDE_SUBDOMAINS = settings.SECURE_HSTS_PRELOAD = True
    Domain.objects.create(domain="eat.example.test", tenant=cast.restaurant)
    demanded = {
        where: client.get("/privacy-policy", secure=True).headers["Strict-Transport-Security"]
        for where, client in (
            ("platform", api()),
            ("subdomain", api(at=cast.restaurant)),
            ("own domain", api(host="eat.example.test")),
        )
    }
    ours = "max-age=31536000; includeSubDomains; preload"
    assert demanded == {
        "platform": ours,
        "subdomain": ours,
        "own domain": "max-age=31536000",
    }


def test_who_signs_out_leaves_nothing_in_the_browser(api, cast, clock):
    def cleared(client, path, form=""):
        return client.post(path, form, FORM).headers.get("Clear-Site-Data")

    assert cleared(api(cast.owner), "/logout") == '"cache", "storage"'
    assert cleared(api(cast.owner), "/account/sessions", "everywhere=1") == '"cache", "storage"'
    assert api(cast.owner).post("/api/logout").headers["Clear-Site-Data"] == '"cache", "storage"'
    # Somebody who stays signed in, or whose session expired, keeps drafts.
    assert cleared(api(cast.owner), "/account/sessions") is None
    assert "Clear-Site-Data" not in api(cast.owner).get("/account").headers
    assert "Clear-Site-Data" not in api().get("/login").headers


def test_cookies_that_stay_are_named_as_production_names_them(api, world, settings):
    settings.KNOWN_DEVICE_COOKIE_NAME = "__Host-known_device"
    settings.LANGUAGE_COOKIE_NAME = "__Host-language"
    settings.ORDER_COOKIE_PREFIX = "__Secure-order-"
    settings.CHECKOUT_COOKIE_NAME = "__Secure-checkout"
    settings.SESSION_COOKIE_SECURE, settings.PUBLIC_SCHEME = True, "https"
    client = api()
    owner = UserFactory()
    signed_in = client.post("/api/login", {"email": owner.email, "password": PASSWORD})
    chosen = api(at=world.restaurant).get("/specials?lang=es")
    order = world.begin(world.offer())
    opened = HttpResponse()
    until = world.now + timedelta(days=1)
    give_access(opened, order, Purpose.CHANGE, until=until, now=world.now)
    give_access_to_checkout(opened, order.pk, now=world.now)
    found = {
        name: (cookie["secure"], cookie["path"], cookie["domain"])
        for answer in (signed_in, chosen, opened)
        for name, cookie in answer.cookies.items()
        if name.startswith("__")
    }
    assert found == {
        "__Host-known_device": (True, "/", ""),
        "__Host-language": (True, "/", ""),
        "__Secure-checkout": (True, f"/api/checkouts/{order.pk}", ""),
        f"__Secure-order-{order.code.lower()}-change": (True, order_path(order), ""),
    }
    reader = RequestFactory().get(order_path(order))
    reader.COOKIES = {name: cookie.value for name, cookie in opened.cookies.items()}
    assert is_allowed(reader, order, Purpose.CHANGE, now=world.now)
    assert is_checkouts_sender(reader, order.pk, now=world.now)


def test_the_api_is_not_redirected_from_http_and_pages_are(api, settings):
    """A redirect would hide from a client that its token went in the clear."""
    settings.SECURE_SSL_REDIRECT = True
    refused = Client(headers={"host": "localhost"}).get("/api/specials/available")
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    assert "Location" not in refused
    page = api().get("/login")
    assert (page.status_code, page["Location"]) == (301, "https://localhost/login")
    assert api().get("/api/health", secure=True).status_code in (200, 503)
