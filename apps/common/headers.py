"""Headers every answer carries that no package of ours sets."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

# What a page of ours may ask a browser for: passkeys, and nothing else.
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
# For the one page that reads codes off a camera.
PERMISSIONS_WITH_CAMERA = PERMISSIONS.replace("camera=()", "camera=(self)")


class PermissionsPolicyMiddleware:
    """Says so on every answer; a view that needs something else sets the header itself."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        return response
