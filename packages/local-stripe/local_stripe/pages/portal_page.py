"""The billing portal: a customer's subscriptions and their cancellation."""

from html import escape
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ..resources import subscriptions
from ..server import Call, Server
from ..store import Json
from .html import money, notice, page


class PortalPages:
    def __init__(self, server: Server) -> None:
        self.server = server

    def routes(self) -> list[Route]:
        return [Route("/p/session/{id}", self.portal, methods=["GET", "POST"])]

    async def portal(self, request: Request) -> Response:
        row = self.server.store.get(request.path_params["id"])
        if row is None or row.kind != "billing_portal.session":
            return notice("Link not found", "This portal link doesn't exist.", status=404)
        form = dict(parse_qsl((await request.body()).decode()))
        with self.server.work(str(request.base_url).rstrip("/"), row.account) as call:
            if request.method == "POST" and form.get("cancel"):
                subscriptions.cancel(call, {}, form["cancel"])
                return RedirectResponse(request.url.path, 303)
            return _portal(call, row.obj)


def _portal(call: Call, session: Json) -> Response:
    customer = call.get("customer", session["customer"])
    owned = [s.obj for s in call.store.all("subscription", call.account, customer=customer["id"])]
    items = "".join(_subscription(s) for s in owned) or "<p>No subscriptions.</p>"
    back = (
        f'<p><a href="{escape(session["return_url"])}">← Go back</a></p>'
        if session["return_url"]
        else ""
    )
    body = f"""<section class="card">{back}<h1>Billing</h1>
<p class="muted">{escape(customer["email"] or customer["id"])}</p>{items}</section>"""
    return page("Billing portal", body)


def _subscription(subscription: Json) -> str:
    price = subscription["items"]["data"][0]["price"]
    interval = (price["recurring"] or {}).get("interval", "month")
    text = f"{money(price['unit_amount'], price['currency'])} per {interval}"
    text += f" · {subscription['status']}"
    if subscription["status"] == "canceled":
        return f"<p>{escape(text)}</p>"
    return f"""<p>{escape(text)}</p><form method="post">
<button class="button plain" name="cancel" value="{subscription["id"]}">Cancel subscription</button>
</form>"""
