"""Request handling for ``/v1``: authentication, validation, idempotency, and the response."""

import asyncio
import base64
import binascii
import hashlib
import json
import logging
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from . import contract, resources, routing
from .connections import drop
from .errors import LostResponse, StripeError, invalid_request, server_error
from .expansion import Expansion
from .ids import new_request_id
from .limits import lock_timeout, rate_limited
from .resources.accounts import PLATFORM_ID
from .server import Call, Server
from .store import Json
from .webhooks import API_VERSION
from .wire import expand, nest, parse_form, parse_multipart, refuse_params

assert resources.__all__  # importing the package registers the endpoints

logger = logging.getLogger(__name__)

_KEY_LIFE = 24 * 3600
_NEVER_ANSWERED = 120.0
_LOOK_EVERY = 0.05
_LARGEST_BODY = 1_000_000
_LARGEST_UPLOAD = 16_000_000
_MULTIPART = "multipart/form-data"


@dataclass
class Answer:
    """A response. ``text`` is sent, and stored for the request's idempotency key."""

    status: int
    text: str
    replayed: bool = False
    lost: bool = False

    @classmethod
    def of(cls, status: int, body: Json, *, lost: bool = False) -> "Answer":
        return cls(status, json.dumps(body, separators=(",", ":")), lost=lost)


class Api:
    def __init__(self, server: Server) -> None:
        self.server = server
        self._in_flight: set[str] = set()

    async def handle(self, request: Request) -> Response:
        request_id = new_request_id()
        path: str = request.scope["path"]
        found = routing.match(request.method, path)
        endpoint = f"{request.method} {found[0].path if found else path}"
        self.server.calls[endpoint] += 1
        key = request.headers.get("idempotency-key")
        more: dict[str, str] = {}
        try:
            limiter = self.server.limiter
            limiter.check(endpoint)
            limiter.running += 1
            try:
                answer = await self._answer(
                    request, request_id, key if request.method == "POST" else None
                )
            finally:
                limiter.running -= 1
        except StripeError as refused:
            answer, more = Answer.of(refused.status, refused.body), refused.headers
        except Exception:
            logger.exception("%s %s failed; its changes were rolled back", request.method, path)
            answer = Answer.of(500, server_error().body)
        if answer.lost:
            return await drop(request)
        headers = {"Request-Id": request_id, "Stripe-Version": API_VERSION, **more}
        if key:
            headers["Idempotency-Key"] = key
        if answer.replayed:
            headers["Idempotent-Replayed"] = "true"
        return Response(answer.text, answer.status, headers, media_type="application/json")

    async def _answer(self, request: Request, request_id: str, key: str | None) -> Answer:
        api_key = _authenticate(request)
        server, path = self.server, request.scope["path"]
        account = self._account(request)
        body = await request.body()
        content_type = request.headers.get("content-type", "")
        is_upload = content_type.startswith(_MULTIPART)
        if len(body) > (_LARGEST_UPLOAD if is_upload else _LARGEST_BODY):
            raise StripeError(413, "invalid_request_error", "The request is too large.")
        uploaded = parse_multipart(body, content_type) if is_upload else None
        text = repr(uploaded) if is_upload else body.decode("utf-8", "replace")
        scope = f"{api_key} {account or ''} {key}" if key else ""
        fingerprint = hashlib.sha256(f"{path}\n{text}".encode()).hexdigest() if key else ""
        if key:
            if scope in self._in_flight:
                raise StripeError(
                    409,
                    "idempotency_error",
                    f"There is currently another in-progress request using this Idempotent Key "
                    f"({key}). Please try again later.",
                    code="idempotency_key_in_use",
                )
            known = self._recall(scope, fingerprint, key)
            if known is not None:
                return known
            self._in_flight.add(scope)
        try:
            if seconds := server.faults.latency_for(path):
                await asyncio.sleep(seconds)
            fault = server.faults.take_http(request.method, path)
            if fault == "timeout":
                await _until_given_up(request)
                return Answer.of(500, server_error().body, lost=True)
            if fault == "429":
                raise rate_limited("global-rate")
            if fault == "lock_timeout":
                raise lock_timeout()
            raw = uploaded
            if raw is None:
                raw = (
                    parse_form(text)
                    if request.method == "POST"
                    else nest(request.query_params.multi_items())
                )
            base_url = str(request.base_url).rstrip("/")
            with server.work(base_url, account, request_id, key) as call:
                answer = self._work(call, request.method, path, raw, fault)
                if key and answer.status not in (404, 409):
                    self._remember(scope, fingerprint, answer)
            return answer
        finally:
            self._in_flight.discard(scope)

    def _work(self, call: Call, method: str, path: str, raw: Json, fault: str | None) -> Answer:
        """Run the endpoint. Invalid parameters raise; every other outcome becomes an answer."""
        found = routing.match(method, path)
        if found is None:
            raise StripeError(
                404,
                "invalid_request_error",
                f"Unrecognized request URL ({method}: {path}). This local server implements only "
                "part of Stripe's API.",
            )
        endpoint, ids = found
        wanted = raw.pop("expand", [])
        if not isinstance(wanted, list):
            raise invalid_request("Invalid array", param="expand")
        params, problems = contract.decode_params(endpoint.params_class, raw)
        if problems:
            raise refuse_params(problems)
        if fault == "500":
            return Answer.of(500, server_error().body)
        lost = fault == "lost_response"
        try:
            obj = endpoint.answer(call, params, ids)
        except LostResponse as happened:
            obj, lost = happened.answer, True
        except StripeError as refused:
            return Answer.of(refused.status, refused.body, lost=lost)
        self.server.check(f"{method} {path}", obj)
        return Answer.of(200, expand(obj, wanted, Expansion(call)), lost=lost)

    def _account(self, request: Request) -> str | None:
        account = request.headers.get("stripe-account")
        if not account or account == PLATFORM_ID:
            return None
        row = self.server.store.get(account)
        if row is None or row.kind != "account":
            raise StripeError(
                403,
                "invalid_request_error",
                f"The provided key does not have access to account '{account}' (or that account "
                "does not exist). Application access may have been revoked.",
                code="account_invalid",
            )
        return account

    # --- idempotency --------------------------------------------------------------------------

    def _recall(self, scope: str, fingerprint: str, key: str) -> Answer | None:
        """Return this key's stored answer. Another request with the same key is refused."""
        now = self.server.clock.now()
        found = self.server.store.db.execute(
            "SELECT fingerprint, status, body FROM idempotency WHERE key=? AND created > ?",
            (scope, now - _KEY_LIFE),
        ).fetchone()
        if found is None:
            return None
        if found[0] != fingerprint:
            raise StripeError(
                400,
                "idempotency_error",
                "Keys for idempotent requests can only be used with the same parameters they were "
                f"first used with. Try using a key other than '{key}' if you meant to execute a "
                "different request.",
            )
        return Answer(found[1], found[2], replayed=True)

    def _remember(self, scope: str, fingerprint: str, answer: Answer) -> None:
        self.server.store.db.execute(
            "INSERT OR REPLACE INTO idempotency VALUES (?, ?, ?, ?, ?)",
            (
                scope,
                fingerprint,
                answer.status,
                answer.text,
                self.server.clock.now(),
            ),
        )


async def _until_given_up(request: Request) -> None:
    """Wait, without answering, until the client disconnects."""
    for _ in range(int(_NEVER_ANSWERED / _LOOK_EVERY)):
        if await request.is_disconnected():
            return
        await asyncio.sleep(_LOOK_EVERY)


def _authenticate(request: Request) -> str:
    """Return the request's secret key. Only test keys are accepted, so live keys are never used."""
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    key = ""
    if scheme.lower() == "bearer":
        key = value.strip()
    elif scheme.lower() == "basic":
        try:
            key = base64.b64decode(value).decode().partition(":")[0]
        except (binascii.Error, UnicodeDecodeError):
            key = ""
    if not key:
        raise StripeError(
            401,
            "invalid_request_error",
            "You did not provide an API key. Send it in the Authorization header: "
            "'Authorization: Bearer YOUR_SECRET_KEY'.",
        )
    if key.startswith("pk_"):
        raise StripeError(
            401,
            "invalid_request_error",
            "This API call cannot be made with a publishable API key. Please use a secret API key.",
            code="secret_key_required",
        )
    if not key.startswith(("sk_test_", "rk_test_")):
        raise StripeError(
            401,
            "invalid_request_error",
            "This is a local test server. It accepts only keys that begin with sk_test_ or "
            "rk_test_. Never send it a live key.",
            code="api_key_invalid",
        )
    return key
