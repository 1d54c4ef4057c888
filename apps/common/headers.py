"""Headers that none of our packages sets, or sets well for restaurants' own domains."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse

from apps.common.api import errors
from apps.common.error_codes import ErrorCode
from apps.common.languages import API_PREFIX

USE_HTTPS = "Use https. If this request had a token or a password, replace it."

# Pages can use passkeys and no other browser feature listed here.
PERMISSIONS = ", ".join(
    [
        "camera=()",
        "display-capture=()",
        "geolocation=()",
        "microphone=()",
        "midi=()",
        "payment=()",
        "publickey-credentials-create=(self)",
        "publickey-credentials-get=(self)",
        "serial=()",
        "usb=()",
    ]
)
# For the pickup page, which scans codes with the camera.
PERMISSIONS_WITH_CAMERA = PERMISSIONS.replace("camera=()", "camera=(self)")


class ApiOverHttpsMiddleware:
    """Refuses API requests over http where pages are redirected to https.

    A redirect would hide that a client has sent its token in the clear. OWASP ASVS 5, 4.1.2.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        over_http = settings.SECURE_SSL_REDIRECT and not request.is_secure()
        if over_http and request.path.startswith(API_PREFIX):
            code = ErrorCode.FORBIDDEN
            return JsonResponse(errors.body(code, USE_HTTPS), status=code.status)
        return self.get_response(request)


class PermissionsPolicyMiddleware:
    """Adds the header to every response; a view that needs another policy sets it itself."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        if "Cache-Control" not in response.headers and (
            request.path.startswith(API_PREFIX) or "Cookie" in response.get("Vary", "")
        ):
            # The answer can be about the person whom a cookie, a token, or an order's link names,
            # so neither a proxy nor a shared device may store it. OWASP ASVS 5, 14.3.2.
            response.headers["Cache-Control"] = "private, no-store"
        if settings.SECURE_HSTS_SECONDS and request.is_secure() and not _is_ours(request):
            # Without includeSubDomains: the restaurant's other sites may not have https. Django's
            # SecurityMiddleware keeps a header that is already there.
            only_here = f"max-age={settings.SECURE_HSTS_SECONDS}"
            response.headers.setdefault("Strict-Transport-Security", only_here)
        return response


def _is_ours(request: HttpRequest) -> bool:
    """Whether the host is the platform's or a subdomain of it, not a restaurant's own domain."""
    host = request.get_host().partition(":")[0]
    return f".{host}".endswith(f".{settings.ROOT_DOMAIN}")
