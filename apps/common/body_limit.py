"""Refuses large request bodies before anything reads them.

Django limits what a form's fields take in memory. It writes any number of files of a multipart body
to disk: https://docs.djangoproject.com/en/5.2/ref/settings/#data-upload-max-memory-size
"""

from collections.abc import Callable
from typing import Any, TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from apps.common.views import too_large

View = TypeVar("View", bound=Callable[..., Any])


def up_to(max_bytes: int) -> Callable[[View], View]:
    """Mark a view that accepts bodies of up to this many bytes. It is the outermost decorator."""

    def mark(view: View) -> View:
        view.max_body_bytes = max_bytes  # type: ignore[attr-defined]
        return view

    return mark


class BodyLimitMiddleware:
    """Answers 413 to a body of more than DATA_UPLOAD_MAX_MEMORY_SIZE bytes.

    It does so before the view runs, and before CSRF protection reads the form. A view class that
    takes uploads has a limit of its own and says so with `limits_its_body`; a view function that
    takes them is marked with `up_to`. A body without a Content-Length is never read: Django takes
    it for empty (`WSGIRequest.__init__`).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], *_: Any
    ) -> HttpResponse | None:
        if getattr(getattr(view, "cls", None), "limits_its_body", False):
            return None
        try:
            announced = int(request.META.get("CONTENT_LENGTH") or 0)
        except ValueError:
            announced = 0
        limit = getattr(view, "max_body_bytes", settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
        return too_large(request) if announced > limit else None
