"""A restaurant's host: its public pages and the API, nothing of the platform's."""

from config.urls_public import handler400, handler403, handler404, handler500, urlpatterns

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]
