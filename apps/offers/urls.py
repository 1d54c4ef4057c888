"""Public pages, on a restaurant's host and on the platform's."""

from django.urls import path

from apps.offers import embedding, landing, views

urlpatterns = [
    path("", landing.home, name="home"),
    path("specials", views.specials, name="specials"),
    path("embed", embedding.embed, name="embed"),
]
