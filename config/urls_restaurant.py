"""URLs of a restaurant's host: its public pages, the public API, and a link for the owner."""

from django.urls import path

from apps.preorders.urls.guest import any_other_special
from apps.restaurants.middleware import stays_open
from apps.restaurants.views.tenants import owner_entry
from config.urls_public import handler400, handler403, handler404, handler500
from config.urls_public import urlpatterns as public_patterns

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

stays_open(owner_entry)

urlpatterns = [*public_patterns, path("owner-dashboard", owner_entry), any_other_special]
