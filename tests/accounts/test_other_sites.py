"""Signing in with another site's account: there when it is configured, and only then."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.socialaccount.internal.flows.login import complete_login
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialLogin
from allauth.socialaccount.providers.google.provider import GoogleProvider
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import AnonymousUser
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from apps.accounts.adapters import SocialAdapter
from apps.accounts.models import User
from apps.restaurants.models import Restaurant
from apps.restaurants.receivers import open_restaurant
from tests.factories import AuthenticatorFactory, UserFactory

ROOT = Path(__file__).resolve().parents[2]
ASK = """
import django
django.setup()
from django.urls import reverse
from django.conf import settings
print(reverse("google_login"))
print(settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]["form-action"][-1])
"""


@pytest.mark.django_db
def test_the_google_button_is_hidden_without_keys(api, clock):
    assert b"Google" not in api().get("/login").content
    assert api().get("/account/with/google/login/").status_code == 404


def test_the_google_button_works_with_keys():
    keys = {"GOOGLE_CLIENT_ID": "id", "GOOGLE_CLIENT_SECRET": "secret"}
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", ASK],
        env=os.environ | keys | {"DJANGO_SETTINGS_MODULE": "config.settings.test"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stdout.split() == [
        "/account/with/google/login/",
        "https://accounts.google.com",
    ], run.stderr[-800:]


@pytest.mark.django_db
def test_a_newcomer_has_a_name_and_a_restaurant(clock, platform):
    person = User(email="ann@example.test")
    login = SocialLogin(user=person, account=SocialAccount(provider="google", uid="1"))
    adapter = SocialAdapter()
    data = {"email": "ann@example.test", "first_name": "Ann", "last_name": "Smith"}
    adapter.populate_user(HttpRequest(), login, data)
    assert (person.name, person.email) == ("Ann Smith", "ann@example.test")
    person.save()
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
    open_restaurant(sender=User, request=RequestFactory().get("/"), user=person, sociallogin=login)
    assert Restaurant.objects.get().subdomain == "ann-smith"


@pytest.mark.django_db
@pytest.mark.parametrize("has_app", [True, False])
def test_an_accounts_own_second_factor_is_asked_for_all_the_same(clock, platform, has_app):
    """Whatever the other site says about how somebody signed in there."""
    person = UserFactory()
    if has_app:
        AuthenticatorFactory(user=person)
    SocialAccount.objects.create(user=person, provider="google", uid="1")
    request = RequestFactory().get("/account/with/google/login/callback/")
    request.user = AnonymousUser()
    for middleware in (SessionMiddleware, MessageMiddleware):
        middleware(lambda _: HttpResponse()).process_request(request)
    with context.request_context(request):
        named = SocialAccount(provider="google", uid="1")
        google = GoogleProvider(request, app=SocialApp(provider="google", client_id="id"))
        login = SocialLogin(user=User(email=person.email), account=named, provider=google)
        login.state = {"process": "login", "next": "/restaurant"}
        answer = complete_login(request, login)
    assert answer.status_code == 302
    is_signed_in = SESSION_KEY in request.session
    assert (is_signed_in, answer["Location"]) == (
        (False, "/account/two-factor/authenticate/") if has_app else (True, "/restaurant")
    )
