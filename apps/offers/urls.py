"""URLs of public pages, on restaurants' hosts and on the platform's."""

from django.urls import path

from apps.offers import embedding, found, landing, legal, menu_page, views

urlpatterns = [
    path("", landing.home, name="home"),
    path("patron", menu_page.menu, name="menu"),
    path("patron/menu", menu_page.menu),
    path("specials", views.specials, name="specials"),
    path("specials/<uuid:special_id>/share.jpg", found.share, name="share-picture"),
    path("embed", embedding.embed, name="embed"),
    path("privacy-policy", legal.privacy, name="privacy"),
    path("terms-of-service", legal.guest_terms, name="guest-terms"),
    path("terms", legal.restaurant_terms, name="terms"),
    path("robots.txt", found.robots),
    path("sitemap.xml", found.sitemap),
    path("manifest.webmanifest", found.manifest, name="manifest"),
    path("icon-<int:size>.png", found.icon, name="icon"),
]
