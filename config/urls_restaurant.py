"""A restaurant's host: its public pages, the API, and the way to its owner's door."""

from django.urls import path

from apps.restaurants.views.tenants import owner_entry
from config.urls_public import handler400, handler403, handler404, handler500
from config.urls_public import urlpatterns as public_patterns

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

urlpatterns = [*public_patterns, path("owner-dashboard", owner_entry)]
