"""The hosted pages, used without JavaScript."""

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import stripe
from local_stripe.testing import LocalStripe
from stripe_scenarios import session_params

CARD = {
    "email": "guest@example.com",
    "number": "4242 4242 4242 4242",
    "expiry": "12 / 40",
    "cvc": "123",
    "name": "Ann Guest",
}


@pytest.fixture
def browser() -> Iterator[httpx.Client]:
    with httpx.Client(timeout=10) as client:
        yield client


@pytest.fixture
def session(api: stripe.StripeClient, account: str) -> stripe.checkout.Session:
    params: Any = session_params(account)
    return api.v1.checkout.sessions.create(params)


def page_of(session: stripe.checkout.Session) -> str:
    assert session.url is not None
    return session.url


def alert(answer: httpx.Response) -> str:
    found = re.search(r'role="alert">([^<]+)<', answer.text)
    assert found, answer.text
    return found.group(1)


def test_the_checkout_page_asks_for_a_card_and_says_it_is_a_test(
    browser: httpx.Client, session: stripe.checkout.Session
) -> None:
    text = browser.get(page_of(session)).text
    assert "TEST MODE" in text
    assert ">Pay $20.00</button>" in text
    assert 'value="guest@example.com"' in text
    for label in ("Email", "Card number", "Expiry", "CVC", "Name on card"):
        assert f">{label}</label>" in text
    assert "<script" not in text
    assert 'href="http://luigis.localhost:9/specials/1"' in text


def test_the_checkout_page_shows_what_is_bought_from_whom(
    browser: httpx.Client, api: stripe.StripeClient, account: str
) -> None:
    api.v1.accounts.update(account, {"business_profile": {"name": "Luigi's & Sons"}})
    params: Any = session_params(account)
    product = params["line_items"][0]["price_data"]["product_data"]
    product["description"] = "Wed, Nov 25"
    product["images"] = ["https://example.com/lasagne.jpg", "https://example.com/more.jpg"]
    tax = {"currency": "usd", "unit_amount": 160, "product_data": {"name": "Tax (8%)"}}
    params["line_items"].append({"price_data": tax, "quantity": 1})
    text = browser.get(page_of(api.v1.checkout.sessions.create(params))).text
    assert "<h1>Luigi&#x27;s &amp; Sons</h1>" in text
    assert text.count("<img") == 1
    assert 'src="https://example.com/lasagne.jpg"' in text
    for shown in ("Wed, Nov 25", "Qty 2, $10.00 each", "Tax (8%)", "$1.60", ">Pay $21.60</button>"):
        assert shown in text
    assert "Qty 1" not in text


def test_a_good_card_leads_back_to_the_shop(
    browser: httpx.Client, api: stripe.StripeClient, session: stripe.checkout.Session
) -> None:
    answer = browser.post(page_of(session), data=CARD)
    assert answer.status_code == 303
    expected = f"http://luigis.localhost:9/thanks?session={session.id}"
    assert answer.headers["location"] == expected
    assert api.v1.checkout.sessions.retrieve(session.id).status == "complete"
    assert "This checkout is complete" in browser.get(page_of(session)).text


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"number": "4000000000000002"}, "Your card was declined."),
        ({"number": "4000000000009995"}, "Your card has insufficient funds."),
        ({"number": "4242424242424241"}, "Your card number is incorrect."),
        ({"expiry": "12 / 20"}, "expiration year is invalid"),
        ({"expiry": "soon"}, "Enter the expiration date as month and year"),
        ({"cvc": "x"}, "security code is invalid"),
        ({"email": "nobody"}, "Enter your email address."),
    ],
)
def test_a_refusal_is_an_alert_and_keeps_what_was_typed_but_the_card(
    browser: httpx.Client,
    api: stripe.StripeClient,
    session: stripe.checkout.Session,
    changes: dict[str, str],
    text: str,
) -> None:
    answer = browser.post(page_of(session), data={**CARD, **changes})
    assert text in alert(answer).replace("&#x27;", "'")
    assert 'value="Ann Guest"' in answer.text
    typed = changes.get("number", CARD["number"])
    assert f'value="{typed}"' not in answer.text
    assert api.v1.checkout.sessions.retrieve(session.id).status == "open"


def test_three_d_secure_is_a_page_of_its_own(
    browser: httpx.Client, api: stripe.StripeClient, session: stripe.checkout.Session
) -> None:
    for outcome in ("fail", "complete"):
        sent = browser.post(page_of(session), data={**CARD, "number": "4000000000003220"})
        assert sent.status_code == 303
        challenge = httpx.URL(page_of(session)).join(sent.headers["location"])
        text = browser.get(challenge).text
        assert "Complete authentication" in text
        assert "Fail authentication" in text
        answer = browser.post(challenge, data={"outcome": outcome})
        if outcome == "fail":
            assert "unable to authenticate" in alert(answer)
    assert answer.headers["location"].startswith("http://luigis.localhost:9/thanks")
    assert api.v1.checkout.sessions.retrieve(session.id).status == "complete"


def test_an_expired_checkout_says_so_and_takes_no_card(
    browser: httpx.Client, api: stripe.StripeClient, session: stripe.checkout.Session
) -> None:
    api.v1.checkout.sessions.expire(session.id)
    for answer in (browser.get(page_of(session)), browser.post(page_of(session), data=CARD)):
        assert "This checkout has expired" in answer.text
        assert "Nothing was charged" in answer.text
    assert api.v1.payment_intents.list().data == []


def test_text_from_outside_is_shown_as_text(
    browser: httpx.Client, api: stripe.StripeClient
) -> None:
    params: Any = session_params()
    product = params["line_items"][0]["price_data"]["product_data"]
    product["name"] = "<script>alert(1)</script>"
    params["custom_text"] = {"submit": {"message": "Held now & charged <later>."}}
    session = api.v1.checkout.sessions.create(params)
    text = browser.get(page_of(session)).text
    assert "&lt;script&gt;alert(1)" in text
    assert "Held now &amp; charged &lt;later&gt;." in text


@pytest.mark.parametrize(
    ("choice", "enabled", "submitted"),
    [("complete", True, True), ("pending", False, True), ("exit", False, False)],
)
def test_onboarding_ends_in_three_ways(
    browser: httpx.Client,
    api: stripe.StripeClient,
    server: LocalStripe,
    choice: str,
    enabled: bool,
    submitted: bool,
) -> None:
    made = api.v1.accounts.create(
        {
            "type": "express",
            "email": "owner@example.com",
            "capabilities": {"transfers": {"requested": True}},
        }
    )
    link = api.v1.account_links.create(
        {
            "account": made.id,
            "type": "account_onboarding",
            "refresh_url": "http://localhost:9/again",
            "return_url": "http://localhost:9/back",
        }
    )
    assert "owner@example.com" in browser.get(link.url).text
    done = browser.post(link.url, data={"choice": choice})
    assert done.headers["location"] == "http://localhost:9/back"
    account: Any = api.v1.accounts.retrieve(made.id)
    assert (account.charges_enabled, account.details_submitted) == (enabled, submitted)
    assert account.capabilities["transfers"] == ("active" if enabled else "inactive")
    assert browser.get(link.url).headers["location"] == "http://localhost:9/again"


def test_a_review_is_finished_from_the_express_dashboard(
    browser: httpx.Client, api: stripe.StripeClient
) -> None:
    made = api.v1.accounts.create({"type": "express", "email": "owner@example.com"})
    onboarding = api.v1.account_links.create(
        {
            "account": made.id,
            "type": "account_onboarding",
            "refresh_url": "http://localhost:9/again",
            "return_url": "http://localhost:9/back",
        }
    )
    browser.post(onboarding.url, data={"choice": "pending"})
    dashboard = api.v1.accounts.login_links.create(made.id).url
    assert "Finish the review" in browser.get(dashboard).text
    assert browser.post(dashboard).headers["location"] == dashboard
    assert api.v1.accounts.retrieve(made.id).charges_enabled
    assert "Finish the review" not in browser.get(dashboard).text


def test_the_express_dashboard_shows_what_is_left(
    browser: httpx.Client, api: stripe.StripeClient, account: str, hold: Any
) -> None:
    api.v1.payment_intents.capture(hold(), {"application_fee_amount": 246})
    link = api.v1.accounts.login_links.create(account)
    text = browser.get(link.url).text
    assert "Luigi&#x27;s" in text
    assert "$17.54" in text


def test_a_browser_confirms_with_a_client_secret_and_a_test_key(
    browser: httpx.Client, api: stripe.StripeClient, server: LocalStripe
) -> None:
    intent = api.v1.payment_intents.create(
        {"amount": 900, "currency": "usd", "capture_method": "manual"}
    )
    card = {"number": "4000000000003220", "exp_month": 12, "exp_year": 40, "cvc": "123"}
    asked = {"key": server.publishable_key, "client_secret": intent.client_secret}

    def ask(**more: Any) -> Any:
        return browser.post(f"{server.base_url}/js/api", json={**asked, **more}).json()

    assert ask(action="confirm", card=card)["intent"]["status"] == "requires_action"
    assert ask(action="authenticate", passed=True)["intent"]["status"] == "requires_capture"
    seen = ask(action="retrieve")["intent"]
    assert "metadata" not in seen
    assert "error" in ask(action="retrieve", key="pk_live_1")
    assert "error" in ask(action="retrieve", client_secret=f"{intent.id}_secret_guess")
    assert "error" in ask(action="steal")


@pytest.mark.parametrize("name", ["stripe.js", "element", "element.js", "challenge", "frame.css"])
def test_the_browser_script_and_its_parts_are_served(
    browser: httpx.Client, server: LocalStripe, name: str
) -> None:
    assert browser.get(f"{server.base_url}/js/{name}").status_code == 200
    assert browser.get(f"{server.base_url}/js/../api.py").status_code == 404


def test_the_portal_ends_and_renews_a_subscription_and_pays_what_is_open(
    browser: httpx.Client, server: LocalStripe, api: stripe.StripeClient
) -> None:
    customer = api.v1.customers.create({"email": "owner@example.com"})
    card = api.v1.payment_methods.attach("pm_card_chargeCustomerFail", {"customer": customer.id})
    params: Any = {
        "customer": customer.id,
        "items": [{"price": monthly_price(api)}],
        "default_payment_method": card.id,
    }
    subscription = api.v1.subscriptions.create(params)
    portal = api.v1.billing_portal.sessions.create({"customer": customer.id}).url
    for button, label in (("cancel", "Renew subscription"), ("renew", "Cancel subscription")):
        answer = browser.post(portal, data={button: subscription.id}, follow_redirects=True)
        assert f">{label}</button>" in answer.text
    server.control(advance=32 * 86_400)
    server.control(advance=3_700)
    open_invoice = api.v1.invoices.retrieve(
        str(api.v1.subscriptions.retrieve(subscription.id).latest_invoice)
    )
    declined = browser.post(portal, data={"pay": open_invoice.id})
    assert alert(declined) == "Your card was declined."
    browser.post(portal, data={"number": "4242424242424242"})
    paid = browser.post(portal, data={"pay": open_invoice.id}, follow_redirects=True)
    assert "$29.00 · paid" in paid.text
    assert "Invoice paid" in browser.get(str(open_invoice.hosted_invoice_url)).text
    assert api.v1.subscriptions.retrieve(subscription.id).status == "active"


def monthly_price(api: stripe.StripeClient) -> str:
    params: Any = {
        "currency": "usd",
        "unit_amount": 2900,
        "recurring": {"interval": "month"},
        "product_data": {"name": "Rocket"},
    }
    return api.v1.prices.create(params).id


def test_the_checkout_page_has_the_look_of_its_session(
    browser: httpx.Client, api: stripe.StripeClient, account: str
) -> None:
    params: Any = session_params(account)
    plain = browser.get(page_of(api.v1.checkout.sessions.create(params))).text
    assert "--paper: #ffffff; --accent: #0074d4;" in plain
    colors = {"background_color": "#fbf8f3", "button_color": "#1d5b8f"}
    params["branding_settings"] = {"display_name": "Luigi & Sons", **colors}
    named = browser.get(page_of(api.v1.checkout.sessions.create(params))).text
    assert "--paper: #fbf8f3; --accent: #1d5b8f;" in named
    assert "<h1>Luigi &amp; Sons</h1>" in named
    params["branding_settings"]["logo"] = {"type": "url", "url": "https://example.com/logo.jpg"}
    with_logo = browser.get(page_of(api.v1.checkout.sessions.create(params))).text
    logo = '<h1><img class="logo" src="https://example.com/logo.jpg" alt="Luigi &amp; Sons"></h1>'
    assert logo in with_logo


@pytest.mark.parametrize(
    "branding",
    [
        {"button_color": "red"},
        {"background_color": '#fff"'},
        {"border_style": "round"},
        {"logo": {"type": "url"}},
    ],
)
def test_a_look_that_a_page_cannot_have_is_refused(
    api: stripe.StripeClient, account: str, branding: Any
) -> None:
    params: Any = {**session_params(account), "branding_settings": branding}
    with pytest.raises(stripe.InvalidRequestError) as refused:
        api.v1.checkout.sessions.create(params)
    assert str(refused.value.param).startswith("branding_settings")


def test_the_checkout_page_speaks_the_sessions_language(
    browser: httpx.Client, api: stripe.StripeClient, account: str
) -> None:
    params: Any = {**session_params(account), "locale": "es", "submit_type": "book"}
    session = api.v1.checkout.sessions.create(params)
    text = browser.get(page_of(session)).text
    assert '<html lang="es"' in text
    for label in ("Correo electrónico", "Número de tarjeta", "Vencimiento", "Nombre en la tarjeta"):
        assert f">{label}</label>" in text
    assert ">Reservar</button>" in text
    answer = browser.post(page_of(session), data={**CARD, "number": "4000000000000002"})
    assert alert(answer) == "Tu tarjeta fue rechazada."
    api.v1.checkout.sessions.expire(session.id)
    assert "Este pago venció" in browser.get(page_of(session)).text
