"""URLs on the platform's host: the landing page's other paths, and the team's menu and history."""

from django.urls import path

from apps.offers import landing, owner_pages

urlpatterns = [
    path("register", landing.landing, name="register"),
    path("progressive-registration", landing.landing),
    path("marketing", landing.landing),
    path("restaurant/menu", owner_pages.menu, name="menu"),
    path("specials/history", owner_pages.history, name="history"),
]
