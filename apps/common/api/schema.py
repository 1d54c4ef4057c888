"""The OpenAPI description: what every operation has in common, and each one's refusals.

Every status that an operation answers is described, and no other: `tests/contract` compares. Most
refusals follow from the view (whether it reads a body, needs a sign-in, is limited, …). A view adds
its own in `refusals`, by method:

    refusals = {"POST": (ErrorCode.SOLD_OUT, ErrorCode.UNAVAILABLE)}
"""

import re
from collections.abc import Iterable
from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import build_parameter_type
from rest_framework import serializers
from rest_framework.permissions import SAFE_METHODS, IsAuthenticated

from apps.common.error_codes import ErrorCode, FieldErrorCode

ERROR_CODES = [(str(code), code.meaning) for code in ErrorCode]
FIELD_ERROR_CODES = [(str(code), str(code)) for code in FieldErrorCode]
_RETRY_AFTER = {"description": "Seconds to wait.", "schema": {"type": "integer"}}
_RATE_LIMIT = {
    "RateLimit-Policy": {
        "description": 'The limit: `"name";q=<requests>;w=<seconds>`.',
        "schema": {"type": "string"},
    },
    "RateLimit": {
        "description": 'What is left of it: `"name";r=<requests>;t=<seconds until reset>`.',
        "schema": {"type": "string"},
    },
}
_REPLAYED = {
    "Idempotent-Replayed": {
        "description": "`true` for the stored answer of an earlier request with the same key.",
        "schema": {"type": "string"},
    }
}
_HEADERS: dict[int, dict[str, Any]] = {
    401: {"WWW-Authenticate": {"description": "`Bearer`.", "schema": {"type": "string"}}},
    429: {"Retry-After": _RETRY_AFTER, **_RATE_LIMIT},
    503: {"Retry-After": _RETRY_AFTER},
}


class FieldErrorSerializer(serializers.Serializer[Any]):
    field = serializers.CharField(help_text="Its name as it was sent; `items.0.price` in a list.")
    code = serializers.ChoiceField(FIELD_ERROR_CODES)
    message = serializers.CharField()


class ErrorSerializer(serializers.Serializer[Any]):
    code = serializers.ChoiceField(ERROR_CODES)
    message = serializers.CharField(help_text="For people, in the language of the request.")
    errors = FieldErrorSerializer(many=True)  # type: ignore[assignment]


class ContractSchema(AutoSchema):
    def get_operation_id(self) -> str:
        """The method and the view's name, such as `getOrder`, for readable generated clients."""
        name = type(self.view).__name__.removesuffix("View")
        return f"{self.method.lower()}{name}"

    def get_tags(self) -> list[str]:
        return [type(self.view).__module__.split(".")[1]]

    def get_operation(self, *args: Any, **kwargs: Any) -> Any:
        operation: Any = super().get_operation(*args, **kwargs)
        if operation is not None:
            self._describe_refusals(operation)
            if any(each["name"] == "Idempotency-Key" for each in operation.get("parameters", ())):
                for status, answer in operation["responses"].items():
                    if status < "300":
                        answer["headers"] = _REPLAYED
        return operation

    def _get_parameters(self) -> list[Any]:
        parameters = {(each["name"], each["in"]): each for each in super()._get_parameters()}
        describe = getattr(self.view, "described_parameters", None)
        for added in describe(self.method) if describe else ():
            found = build_parameter_type(
                name=added.name,
                schema={"type": "string", **({"format": "uuid"} if added.type is not str else {})},
                location=added.location,
                required=added.required,
                description=added.description,
            )
            parameters.setdefault((added.name, added.location), found)
        return sorted(parameters.values(), key=lambda each: each["name"])

    def _describe_refusals(self, operation: Any) -> None:
        responses = operation["responses"]
        has_input = bool(operation.get("parameters"))
        by_status: dict[int, list[ErrorCode]] = {}
        for code in dict.fromkeys(
            self._refusals(has_input=has_input, has_body="requestBody" in operation)
        ):
            by_status.setdefault(code.status, []).append(code)
        for status, codes in sorted(by_status.items()):
            described = responses.setdefault(
                str(status),
                self._get_response_for_code(ErrorSerializer, str(status)),  # type: ignore[no-untyped-call]
            )
            described["description"] = "\n".join(f"* `{code}`: {code.meaning}" for code in codes)
            headers = _HEADERS.get(status, {})
            if ErrorCode.REQUEST_IN_PROGRESS in codes:
                headers = headers | {"Retry-After": _RETRY_AFTER}
            if headers:
                described["headers"] = headers
        operation["responses"] = dict(sorted(responses.items()))

    def _token_scope(self, method: str) -> str:
        """The scope that a bearer token needs (apps.accounts.api.authentication)."""
        asked = getattr(self.view, "token_scope", None)
        usual = "read" if method in SAFE_METHODS else "everything"
        return str(asked(method)) if asked else usual

    def _refusals(self, *, has_input: bool, has_body: bool) -> Iterable[ErrorCode]:
        view, method = self.view, self.method
        if has_input or has_body:
            yield ErrorCode.INVALID
            yield ErrorCode.MALFORMED
        if method not in SAFE_METHODS:
            # Middlewares refuse these, whether or not the view reads a body or needs a sign-in.
            yield ErrorCode.TOO_LARGE
            yield ErrorCode.SUPPORT_VISIT
        if has_body:
            yield ErrorCode.UNSUPPORTED_MEDIA_TYPE
        if view.get_authenticators():
            yield ErrorCode.UNAUTHENTICATED
            if method not in SAFE_METHODS:
                yield ErrorCode.CSRF_FAILED
            if self._token_scope(method) != "read":
                yield ErrorCode.INSUFFICIENT_SCOPE
            yield ErrorCode.TOO_MANY_ATTEMPTS  # of a bearer token's requests
        if any(isinstance(each, IsAuthenticated) for each in view.get_permissions()):
            yield ErrorCode.UNAUTHENTICATED
        if "{" in self.path:
            yield ErrorCode.NOT_FOUND
        if view.throttle_classes:
            yield ErrorCode.TOO_MANY_ATTEMPTS
        describe = getattr(view, "described_refusals", None)
        if describe:
            yield from describe(method)
        yield from getattr(view, "refusals", {}).get(method, ())


def camel_case_path_parameters(result: Any, **kwargs: Any) -> Any:
    """Write names in paths as everywhere in the API: `{offerId}`, where the code says
    `offer_id`."""
    paths = {}
    for path, operations in result["paths"].items():
        for operation in operations.values():
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "path":
                    parameter["name"] = camel_case(parameter["name"])
        paths[re.sub(r"\{(\w+)\}", lambda found: f"{{{camel_case(found[1])}}}", path)] = operations
    return result | {"paths": paths}


def camel_case(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
