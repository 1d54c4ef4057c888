"""The browser script, its iframes for cards and wallets, and the requests they send."""

import json
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ..cards import CardInput
from ..errors import StripeError, invalid_request
from ..server import Call, Server
from ..store import Json
from . import confirming
from .spanish import Wording

_FILES = Path(__file__).parent.parent / "browser"
_SERVED = {
    "stripe.js": "text/javascript",
    "element": "text/html",
    "element.js": "text/javascript",
    "express": "text/html",
    "express.js": "text/javascript",
    "wallet": "text/html",
    "wallet.js": "text/javascript",
    "challenge": "text/html",
    "challenge.js": "text/javascript",
    "frame.css": "text/css",
}
# The fields of an intent that a browser can see; the rest requires the secret key.
_VISIBLE = (
    "id",
    "object",
    "amount",
    "canceled_at",
    "cancellation_reason",
    "capture_method",
    "client_secret",
    "confirmation_method",
    "created",
    "currency",
    "description",
    "last_payment_error",
    "last_setup_error",
    "livemode",
    "next_action",
    "payment_method",
    "payment_method_types",
    "receipt_email",
    "setup_future_usage",
    "status",
    "usage",
)


class BrowserPages:
    def __init__(self, server: Server) -> None:
        self.server = server

    def routes(self) -> list[Route]:
        return [
            Route("/js/api", self.api, methods=["POST"]),
            Route("/js/{name}", self.file),
        ]

    async def file(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in _SERVED:
            return Response("Not found.\n", 404, media_type="text/plain")
        path = _FILES / (name if "." in name else f"{name}.html")
        headers = {"Cache-Control": "no-cache", "Access-Control-Allow-Origin": "*"}
        if _SERVED[name] == "text/html":
            headers["Content-Security-Policy"] = (
                "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'"
            )
        text = path.read_text()
        if name == "express" and self.server.faults.does("no_wallets_on_behalf_of"):
            text = text.replace("<body>", '<body data-wallets="own">')
        return Response(text, headers=headers, media_type=_SERVED[name])

    async def api(self, request: Request) -> Response:
        """Retrieve, confirm, or authenticate the intent that a client secret belongs to.

        The body is JSON sent as plain text, which browsers send across origins without a preflight.
        """
        headers = {"Access-Control-Allow-Origin": "*"}
        try:
            asked: Json = json.loads(await request.body())
            with self.server.work(str(request.base_url).rstrip("/")) as platform:
                try:
                    return JSONResponse(self._act(platform, asked), headers=headers)
                except StripeError as refused:
                    error = refused.body["error"]
                    said = {**error, "message": Wording(asked.get("locale"))(refused.message)}
                    return JSONResponse({"error": said}, refused.status, headers=headers)
        except (ValueError, KeyError, TypeError, AttributeError):
            return JSONResponse(
                invalid_request("The request is invalid.").body, 400, headers=headers
            )

    def _act(self, platform: Call, asked: Json) -> Json:
        secret = str(asked["client_secret"])
        row = platform.store.get(secret.split("_secret_")[0])
        key_ok = str(asked["key"]).startswith("pk_test_")
        if row is None or not key_ok or row.obj.get("client_secret") != secret:
            raise invalid_request(
                "The client_secret or the publishable key does not match.",
                code="resource_missing",
                param="intent",
            )
        call, intent = platform.for_account(row.account), row.obj
        action = asked["action"]
        if action == "confirm":
            confirming.check_context(intent, asked.get("client_context"))
            card = _card(asked["card"]) if asked.get("card") else None
            confirming.confirm(call, intent, card, asked.get("billing") or {})
        elif action == "authenticate":
            confirming.authenticate(call, intent, passed=bool(asked["passed"]))
        elif action != "retrieve":
            raise invalid_request(f"Unknown action: {action}")
        return {"intent": {name: intent[name] for name in _VISIBLE if name in intent}}


def _card(typed: Json) -> CardInput:
    return CardInput(
        str(typed["number"]), int(typed["exp_month"]), int(typed["exp_year"]), str(typed["cvc"])
    )
