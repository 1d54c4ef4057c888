"""Uploaded pictures, when they are kept on this machine's disk."""

from django.conf import settings
from django.http import FileResponse, HttpRequest, HttpResponseBase
from django.views.decorators.http import require_safe
from django.views.static import serve

# What we name our files, and nothing else below MEDIA_ROOT.
URL_PATTERN = r"^media/(?P<path>photos/[0-9a-f-]{36}/[0-9a-f-]{36}/\d+\.(?:avif|webp|jpg))\Z"
ONE_YEAR_SECONDS = 365 * 24 * 60 * 60


@require_safe
def uploaded_picture(request: HttpRequest, path: str) -> HttpResponseBase:
    """One file. Its content never changes, so it may be kept for ever."""
    response = serve(request, path, document_root=str(settings.MEDIA_ROOT))
    if isinstance(response, FileResponse):
        response.headers["Cache-Control"] = f"public, max-age={ONE_YEAR_SECONDS}, immutable"
    return response
