"""The hosted checkout and the 3-D Secure challenge. Both are plain forms without scripts."""

import re
from html import escape
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ..cards import CardInput
from ..errors import StripeError, card_error
from ..resources import checkout, intent_capture
from ..server import Call, Server
from ..store import Json, Row
from . import confirming
from .html import alert, line_list, money, notice, page, test_cards_table
from .spanish import Wording

_VERBS = {"payment": "Pay", "subscription": "Subscribe", "setup": "Save card"}


class CheckoutPages:
    def __init__(self, server: Server) -> None:
        self.server = server

    def routes(self) -> list[Route]:
        return [
            Route("/c/pay/{id}", self.checkout, methods=["GET", "POST"]),
            Route("/3ds/{id}", self.challenge, methods=["GET", "POST"]),
        ]

    def _row(self, request: Request, kinds: tuple[str, ...]) -> Row | None:
        row = self.server.store.get(request.path_params["id"])
        return row if row is not None and row.kind in kinds else None

    # --- checkout -----------------------------------------------------------------------------

    async def checkout(self, request: Request) -> Response:
        row = self._row(request, ("checkout.session",))
        if row is None:
            return _unknown()
        form = await _form(request)
        with self.server.work(_base(request), row.account) as call:
            session = row.obj
            if session["status"] == "open" and session["expires_at"] <= call.now:
                checkout.close_expired(call, session)
            if session["status"] != "open":
                return _closed(session)
            if request.method == "GET":
                return _checkout_form(call, session, {}, None)
            return self._submit(call, session, form)

    def _submit(self, call: Call, session: Json, form: dict[str, str]) -> Response:
        try:
            email = form.get("email", "").strip()
            if not re.fullmatch(r"[^@\s]+@[^@\s]+", email):
                raise card_error("Enter your email address.", "email_invalid")
            waiting = checkout.submit(call, session, _card(form), email, form.get("name", ""))
        except StripeError as refused:
            return _checkout_form(call, session, form, refused.message)
        if waiting is not None:
            return RedirectResponse(f"/3ds/{waiting['id']}", 303)
        return _to_success(session)

    # --- 3-D Secure ---------------------------------------------------------------------------

    async def challenge(self, request: Request) -> Response:
        row = self._row(request, ("payment_intent", "setup_intent"))
        if row is None:
            return _unknown()
        form = await _form(request)
        with self.server.work(_base(request), row.account) as call:
            intent = row.obj
            session = intent_capture.checkout_session(call, intent)
            if intent["status"] != "requires_action":
                return _no_challenge(intent, session)
            if request.method == "GET":
                return _challenge_form(intent)
            passed = form.get("outcome") == "complete"
            if session is not None:
                return self._answer_in_checkout(call, session, passed)
            return self._answer_alone(call, intent, passed)

    def _answer_in_checkout(self, call: Call, session: Json, passed: bool) -> Response:
        try:
            checkout.authenticate(call, session, passed=passed)
        except StripeError as refused:
            return _checkout_form(call, session, {}, refused.message)
        return _to_success(session)

    def _answer_alone(self, call: Call, intent: Json, passed: bool) -> Response:
        """Answer a challenge that the application's own page started, and return there."""
        action = (intent["next_action"] or {}).get("redirect_to_url")
        outcome = "succeeded"
        try:
            confirming.authenticate(call, intent, passed=passed)
        except StripeError:
            outcome = "failed"
        if not action:
            return notice("Thank you", "You can close this page.")
        return RedirectResponse(return_address(action["return_url"], intent, outcome), 303)


def return_address(url: str, intent: Json, outcome: str) -> str:
    """Return the application's return URL with the intent and the outcome."""
    name = intent["object"]
    parts = urlsplit(url)
    query = parse_qsl(parts.query, keep_blank_values=True)
    query += [
        (name, intent["id"]),
        (f"{name}_client_secret", intent["client_secret"]),
        ("redirect_status", outcome),
    ]
    return urlunsplit(parts._replace(query=urlencode(query)))


def _base(request: Request) -> str:
    return str(request.base_url).rstrip("/")


async def _form(request: Request) -> dict[str, str]:
    if request.method != "POST":
        return {}
    return dict(parse_qsl((await request.body()).decode("utf-8", "replace")))


def _card(form: dict[str, str]) -> CardInput:
    expiry = re.fullmatch(r"\s*([0-9]{1,2})\s*/?\s*([0-9]{2}|[0-9]{4})\s*", form.get("expiry", ""))
    if not expiry:
        raise card_error(
            "Enter the expiration date as month and year, for example 12 / 34.",
            "invalid_expiry_month",
        )
    month, year = (int(part) for part in expiry.groups())
    return CardInput(form.get("number", ""), month, year, form.get("cvc", ""))


def _to_success(session: Json) -> Response:
    url = session["success_url"].replace("{CHECKOUT_SESSION_ID}", session["id"])
    return RedirectResponse(url, 303)


def _unknown() -> Response:
    return notice(
        "Payment not found", "This link doesn't belong to a payment on this server.", status=404
    )


def _closed(session: Json) -> Response:
    say = Wording(session["locale"])
    if session["status"] == "complete":
        url = session["success_url"].replace("{CHECKOUT_SESSION_ID}", session["id"])
        return notice(
            say("This checkout is complete"),
            say("Your card was already accepted. You don't need to do anything."),
            link=(url, say("Continue")),
            language=say.language,
        )
    return notice(
        say("This checkout has expired"),
        say("Nothing was charged. Go back and start again."),
        link=(session["cancel_url"] or "", say("Go back")),
        language=say.language,
    )


def _no_challenge(intent: Json, session: Json | None) -> Response:
    if session is not None and session["status"] != "open":
        return _closed(session)
    return notice(
        "Nothing to confirm",
        f"This payment doesn't need confirmation. Its status is {intent['status']}.",
    )


def _checkout_form(call: Call, session: Json, form: dict[str, str], error: str | None) -> Response:
    say = Wording(session["locale"])
    private = call.private(session)
    lines = private["line_items"]
    amount = money(session["amount_total"], session["currency"]) if lines else ""
    data = private["payment_intent_data"]
    email = form.get("email") or session["customer_email"] or _customer_email(call, session)
    body = f"""<section>
{_way_back(session, say)}
<h1>{_seller(session)}</h1>
<p class="amount">{amount}</p>
{line_list(lines, private.get("products", []), say)}
{_total(lines, amount, say)}
</section>
<section class="card" aria-labelledby="payment">
<h2 id="payment">{say("Pay with card" if session["mode"] == "payment" else "Payment")}</h2>
{alert(say(error) if error else None)}
<form method="post" action="/c/pay/{session["id"]}" autocomplete="on">
<label for="email">{say("Email")}</label>
<input id="email" name="email" type="email" required autocomplete="email"
  value="{escape(email or "")}">
<div class="card-fields">
<div><label for="number">{say("Card number")}</label>
<input id="number" name="number" required inputmode="numeric" autocomplete="cc-number"
  maxlength="23" placeholder="1234 1234 1234 1234"></div>
<div><label for="expiry">{say("Expiry")}</label>
<input id="expiry" name="expiry" required inputmode="numeric" autocomplete="cc-exp"
  maxlength="9" placeholder="{say("MM / YY")}" value="{escape(form.get("expiry", ""))}"></div>
<div><label for="cvc">{say("CVC")}</label>
<input id="cvc" name="cvc" required inputmode="numeric" autocomplete="cc-csc" maxlength="4"
  placeholder="123"></div>
</div>
<label for="name">{say("Name on card")}</label>
<input id="name" name="name" required autocomplete="cc-name" maxlength="120"
  value="{escape(form.get("name", ""))}">
<button class="button" type="submit">{escape(_button(session, amount, say))}</button>
</form>
{_note(session, data, say)}
{test_cards_table()}
</section>"""
    branding = session["branding_settings"]
    return page(
        f"Checkout {amount}",
        body,
        kind="wide",
        language=say.language,
        colors={"paper": branding["background_color"], "accent": branding["button_color"]},
    )


def _way_back(session: Json, say: Wording) -> str:
    url = session["cancel_url"]
    if not url:
        return ""
    return f'<p class="back"><a href="{escape(url)}">← {say("Cancel and go back")}</a></p>'


def _button(session: Json, amount: str, say: Wording) -> str:
    if session["submit_type"] == "book":
        return say("Book")
    return f"{say(_VERBS[session['mode']])} {amount}".strip()


def _note(session: Json, data: Json, say: Wording) -> str:
    """What the application says beside the button, or what a hold is."""
    text = (session["custom_text"]["submit"] or {}).get("message")
    if not text and data.get("capture_method") == "manual":
        text = say("We'll place a hold on your card now and charge it later.")
    return f'<p class="note">{escape(text)}</p>' if text else ""


def _total(lines: list[Json], amount: str, say: Wording) -> str:
    if len(lines) < 2:
        return ""
    return f'<p class="total"><span>{say("Total")}</span> <span>{amount}</span></p>'


def _seller(session: Json) -> str:
    """The logo, else the name."""
    branding = session["branding_settings"]
    name = escape(branding["display_name"])
    logo = branding["logo"] or {}
    if not logo.get("url"):
        return name
    return f'<img class="logo" src="{escape(logo["url"])}" alt="{name}">'


def _customer_email(call: Call, session: Json) -> str:
    if not session["customer"]:
        return ""
    return str(call.get("customer", session["customer"]).get("email") or "")


def _challenge_form(intent: Json) -> Response:
    amount = money(intent["amount"], intent["currency"]) if "amount" in intent else "Save this card"
    body = f"""<section class="card">
<h1>Confirm it's you</h1>
<p class="amount">{amount}</p>
<p>This page simulates your bank's 3&#8209;D Secure check. Choose how it ends.</p>
<form method="post" action="/3ds/{intent["id"]}">
<button class="button" name="outcome" value="complete">Complete authentication</button>
<button class="button plain" name="outcome" value="fail">Fail authentication</button>
</form>
</section>"""
    return page("3-D Secure", body)
