"""Uploaded files, when they are kept on this machine's disk."""

from pathlib import Path

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase
from django.views.decorators.http import require_safe
from django.views.static import serve

A_YEAR = 365 * 24 * 60 * 60
KEPT_UNDER = "photos"


@require_safe
def uploaded_file(request: HttpRequest, path: str) -> HttpResponseBase:
    """One file below `MEDIA_ROOT/photos`. Its content never changes, so it may be kept for ever."""
    if Path(path).parts[:1] != (KEPT_UNDER,):
        raise Http404
    response = serve(request, path, document_root=str(settings.MEDIA_ROOT))
    if isinstance(response, FileResponse):
        response.headers["Cache-Control"] = f"public, max-age={A_YEAR}, immutable"
    return response
