"""The two authentication methods in the OpenAPI description."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema


class BearerTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "apps.accounts.api.authentication.BearerTokenAuthentication"
    name = "bearer"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "The token from `POST /api/login`. Valid for 30 days.",
        }


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "apps.accounts.api.authentication.SameOriginSessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": "Set by `POST /api/login`. A write needs the header `X-CSRFToken` with "
            "the value of the cookie `csrftoken`; a DELETE needs that or our own `Origin`. Over "
            "https, both cookies' names begin with `__Host-`.",
        }
