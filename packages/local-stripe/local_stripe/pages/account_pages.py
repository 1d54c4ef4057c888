"""Onboarding of a connected account, its Express dashboard, and receipts."""

from html import escape
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ..resources import accounts
from ..server import Server
from ..store import Json
from .html import definitions, money, notice, page


class AccountPages:
    def __init__(self, server: Server) -> None:
        self.server = server

    def routes(self) -> list[Route]:
        return [
            Route("/setup/{account}/{token}", self.onboarding, methods=["GET", "POST"]),
            Route("/express/{account}/{token}", self.express, methods=["GET", "POST"]),
            Route("/receipts/{charge}", self.receipt),
        ]

    def _find(self, object_id: str, kind: str) -> Json | None:
        row = self.server.store.get(object_id)
        return row.obj if row is not None and row.kind == kind else None

    async def onboarding(self, request: Request) -> Response:
        link = self._find(request.path_params["token"], "onboarding_link")
        account = self._find(request.path_params["account"], "account")
        if link is None or account is None or link["account"] != account["id"]:
            return notice("Link not found", "This onboarding link doesn't exist.", status=404)
        # A link works once and for a few minutes. After that, the user is sent back for a new one.
        if link["used"] or link["expires_at"] <= self.server.clock.now():
            return RedirectResponse(link["refresh_url"], 303)
        if request.method == "GET":
            return _onboarding_form(account, link)
        choice = dict(parse_qsl((await request.body()).decode())).get("choice")
        with self.server.work(str(request.base_url).rstrip("/")) as call:
            call.update(link, used=True)
            if choice == "complete":
                accounts.complete_onboarding(call, account["id"])
            elif choice == "pending":
                accounts.leave_pending(call, account["id"])
        return RedirectResponse(link["return_url"], 303)

    async def express(self, request: Request) -> Response:
        account = self._find(request.path_params["account"], "account")
        if account is None:
            return notice("Account not found", "This account doesn't exist.", status=404)
        if request.method == "POST":
            with self.server.work(str(request.base_url).rstrip("/")) as call:
                accounts.complete_onboarding(call, account["id"])
            return RedirectResponse(str(request.url), 303)
        payments = [row.obj for row in self.server.store.all("charge", account["id"])]
        net = sum(_net(payment) for payment in payments)
        currency = account["default_currency"]
        rows = "".join(
            f"<tr><td>{money(p['amount'], p['currency'])}</td>"
            f"<td>{money(p['application_fee_amount'] or 0, p['currency'])}</td>"
            f"<td>{money(_net(p), p['currency'])}</td></tr>"
            for p in payments[:50]
        )
        table = (
            f"""<table><thead><tr><th scope="col">Payment</th><th scope="col">Platform fee</th>
<th scope="col">Net</th></tr></thead><tbody>{rows}</tbody></table>"""
            if rows
            else "<p>No payments yet. Captured payments appear here.</p>"
        )
        facts = definitions(
            [
                ("Account", account["id"]),
                ("Email", account["email"] or "–"),
                ("Payments", "enabled" if account["charges_enabled"] else "not enabled yet"),
                ("Payouts", "enabled" if account["payouts_enabled"] else "not enabled yet"),
            ]
        )
        name = (account["business_profile"] or {}).get("name") or "Your account"
        body = f"""<section class="card"><h1>{escape(name)}</h1>
<p class="muted">Balance before refunds</p><p class="amount">{money(net, currency)}</p>
{facts}{_review(account)}</section>
<section class="card"><h2>Payments</h2>{table}</section>"""
        return page(f"Express dashboard · {name}", body)

    async def receipt(self, request: Request) -> Response:
        charge = self._find(request.path_params["charge"], "charge")
        if charge is None:
            return notice("Receipt not found", "This receipt doesn't exist.", status=404)
        currency = charge["currency"]
        facts = definitions(
            [
                ("Paid", money(charge["amount_captured"], currency)),
                ("Refunded", money(charge["amount_refunded"], currency)),
                ("Card", f"ending in {charge['payment_method_details']['card']['last4']}"),
                ("For", charge["description"] or "–"),
            ]
        )
        return page("Receipt", f'<section class="card"><h1>Receipt</h1>{facts}</section>')


def _net(payment: Json) -> int:
    return int(payment["amount"] - (payment["application_fee_amount"] or 0))


def _review(account: Json) -> str:
    """What Stripe takes a day or two for, once the form was submitted."""
    if account["charges_enabled"] or not account["details_submitted"]:
        return ""
    return """<form method="post"><p>Stripe would now review these details for a day or two.</p>
<button class="button">Finish the review</button></form>"""


def _onboarding_form(account: Json, link: Json) -> Response:
    facts = definitions([("Account", account["id"]), ("Email", account["email"] or "–")])
    name = (account["business_profile"] or {}).get("name") or "your business"
    body = f"""<section class="card">
<h1>Get {escape(name)} ready for payments</h1>
<p>Stripe would now ask for your business, bank account, and identity details. This is a test, so
just choose how it ends.</p>
{facts}
<form method="post">
<button class="button" name="choice" value="complete">Complete onboarding</button>
<button class="button plain" name="choice" value="pending">Submit, verification pending</button>
<button class="button plain" name="choice" value="exit">Save for later</button>
</form>
</section>"""
    return page("Connect onboarding", body)
