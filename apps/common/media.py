"""Serves uploaded images that are stored on the local disk."""

from django.conf import settings
from django.http import FileResponse, HttpRequest, HttpResponseBase
from django.views.decorators.http import require_safe
from django.views.static import serve

# The names we give our files; nothing else below MEDIA_ROOT is served.
URL_PATTERN = r"^media/(?P<path>photos/[0-9a-f-]{36}/[0-9a-f-]{36}/\d+\.(?:avif|webp|jpg))\Z"
ONE_YEAR_SECONDS = 365 * 24 * 60 * 60


@require_safe
def uploaded_picture(request: HttpRequest, path: str) -> HttpResponseBase:
    """One image. Its content never changes, so browsers can cache it for a year."""
    response = serve(request, path, document_root=str(settings.MEDIA_ROOT))
    if isinstance(response, FileResponse):
        response.headers["Cache-Control"] = f"public, max-age={ONE_YEAR_SECONDS}, immutable"
    return response
