"""The billing portal and the hosted invoice page: canceling, changing the card, paying bills.

What a portal offers is configured at Stripe: https://docs.stripe.com/customer-management
"""

from html import escape
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ..cards import CardInput
from ..errors import StripeError
from ..resources import customers, invoices, payment_methods, subscriptions
from ..server import Call, Server
from ..store import Json
from .html import alert, money, notice, page, test_cards_table

Form = dict[str, str]


class PortalPages:
    def __init__(self, server: Server) -> None:
        self.server = server

    def routes(self) -> list[Route]:
        return [
            Route("/p/session/{id}", self.portal, methods=["GET", "POST"]),
            Route("/i/{id}", self.invoice, methods=["GET", "POST"]),
        ]

    async def portal(self, request: Request) -> Response:
        row = self.server.store.get(request.path_params["id"])
        if row is None or row.kind != "billing_portal.session":
            return notice("Link not found", "This portal link doesn't exist.", status=404)
        form = dict(parse_qsl((await request.body()).decode()))
        with self.server.work(str(request.base_url).rstrip("/"), row.account) as call:
            if request.method == "GET":
                return _portal(call, row.obj)
            try:
                _act(call, row.obj["customer"], form)
            except StripeError as refused:
                return _portal(call, row.obj, refused.message)
        return RedirectResponse(request.url.path, 303)

    async def invoice(self, request: Request) -> Response:
        row = self.server.store.get(request.path_params["id"])
        if row is None or row.kind != "invoice" or row.obj["status"] == "draft":
            return notice("Invoice not found", "This invoice doesn't exist.", status=404)
        form = dict(parse_qsl((await request.body()).decode()))
        with self.server.work(str(request.base_url).rstrip("/"), row.account) as call:
            problem = ""
            if request.method == "POST":
                try:
                    _pay(call, row.obj, _new_card(call, row.obj["customer"], form))
                except StripeError as refused:
                    problem = refused.message
            return _invoice(row.obj, problem)


def _act(call: Call, customer: str, form: Form) -> None:
    if chosen := form.get("cancel"):
        subscriptions.update(call, {"cancel_at_period_end": True}, chosen)
    elif chosen := form.get("renew"):
        subscriptions.update(call, {"cancel_at_period_end": False}, chosen)
    elif chosen := form.get("pay"):
        _pay(call, call.get("invoice", chosen), None)
    elif form.get("number"):
        _new_card(call, customer, form)


def _pay(call: Call, invoice: Json, method: str | None) -> None:
    if invoice["status"] != "open":
        return
    declined = invoices.collect(call, invoice, method)
    if declined is not None:
        raise declined


def _new_card(call: Call, customer: str, form: Form) -> str:
    """Save the card and charge it from now on."""
    method = payment_methods.from_card(call, CardInput(form.get("number", "")))
    payment_methods.attach_to(call, method, customer, set_up=True)
    chosen: str = method["id"]
    customers.update(call, {"invoice_settings": {"default_payment_method": chosen}}, customer)
    for row in call.store.all("subscription", call.account, customer=customer):
        if row.obj["status"] != "canceled":
            subscriptions.update(call, {"default_payment_method": chosen}, row.id)
    return chosen


def _portal(call: Call, session: Json, problem: str = "") -> Response:
    customer = call.get("customer", session["customer"])
    owned = [s.obj for s in call.store.all("subscription", call.account, customer=customer["id"])]
    bills = [s.obj for s in call.store.all("invoice", call.account, customer=customer["id"])]
    items = "".join(_subscription(s) for s in owned) or "<p>No subscriptions.</p>"
    back = (
        f'<p><a href="{escape(session["return_url"])}">← Go back</a></p>'
        if session["return_url"]
        else ""
    )
    body = f"""<section class="card">{back}<h1>Billing</h1>{alert(problem)}
<p class="muted">{escape(customer["email"] or customer["id"])}</p>{items}
<h2>Invoices</h2>{"".join(_bill(bill) for bill in bills) or "<p>No invoices.</p>"}
<h2>Payment method</h2>{_card_form("Save card")}</section>"""
    return page("Billing portal", body)


def _subscription(subscription: Json) -> str:
    price = subscription["items"]["data"][0]["price"]
    interval = (price["recurring"] or {}).get("interval", "month")
    text = f"{money(price['unit_amount'], price['currency'])} per {interval}"
    text += f" · {subscription['status']}"
    if subscription["status"] == "canceled":
        return f"<p>{escape(text)}</p>"
    action, label = "cancel", "Cancel subscription"
    if subscription["cancel_at_period_end"]:
        text += " · ends with this period"
        action, label = "renew", "Renew subscription"
    return f"""<p>{escape(text)}</p><form method="post">
<button class="button plain" name="{action}" value="{subscription["id"]}">{label}</button>
</form>"""


def _bill(invoice: Json) -> str:
    text = f"{money(invoice['total'], invoice['currency'])} · {invoice['status']}"
    if invoice["status"] != "open":
        return f"<p>{escape(text)}</p>"
    return f"""<p>{escape(text)}</p><form method="post">
<button class="button" name="pay" value="{invoice["id"]}">Pay now</button></form>"""


def _card_form(label: str) -> str:
    return f"""<form method="post"><label>Card number
<input name="number" inputmode="numeric" required></label>
<button class="button">{label}</button></form>{test_cards_table()}"""


def _invoice(invoice: Json, problem: str) -> Response:
    amount = money(invoice["total"], invoice["currency"])
    if invoice["status"] != "open":
        return notice(f"Invoice {invoice['status']}", f"{amount}. Thank you.")
    body = f"""<section class="card"><h1>Pay {amount}</h1>{alert(problem)}
{_card_form(f"Pay {amount}")}</section>"""
    return page("Invoice", body)
