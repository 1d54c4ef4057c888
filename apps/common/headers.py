"""The Permissions-Policy header, which none of our packages sets."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

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


class PermissionsPolicyMiddleware:
    """Adds the header to every response; a view that needs another policy sets it itself."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        return response
