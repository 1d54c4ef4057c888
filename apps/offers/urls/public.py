"""URLs of public pages, on restaurants' hosts and on the platform's."""

from django.urls import path

from apps.offers.views import discovery, embed, landing, legal, specials
from apps.offers.views import menu as views_menu
from apps.restaurants.middleware import stays_open

for _view in (legal.privacy, legal.guest_terms, discovery.manifest, discovery.icon):
    stays_open(_view)

urlpatterns = [
    path("", landing.home, name="home"),
    path("patron", views_menu.menu_view, name="menu"),
    path("patron/menu", views_menu.menu_view),
    path("specials/<uuid:special_id>/share.jpg", discovery.share, name="share-picture"),
    path("s/<slug:code>", specials.short_link, name="short-link"),
    path("embed", embed.embed, name="embed"),
    path("embed.js", embed.loader, name="embed-loader"),
    path("oembed", embed.oembed, name="oembed"),
    path("privacy-policy", legal.privacy, name="privacy"),
    path("terms-of-service", legal.guest_terms, name="guest-terms"),
    path("terms", legal.restaurant_terms, name="terms"),
    path("robots.txt", discovery.robots),
    path(".well-known/security.txt", discovery.security_contact),
    path("sitemap.xml", discovery.sitemap),
    path("manifest.webmanifest", discovery.manifest, name="manifest"),
    path("push-worker.js", discovery.push_worker, name="push-worker"),
    path("icon-<int:size>.png", discovery.icon, name="icon"),
]
