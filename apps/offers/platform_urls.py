"""The front door's other addresses and the terms, on the platform's host (R2–R4, R29)."""

from django.urls import path

from apps.offers import landing

urlpatterns = [
    path("register", landing.landing, name="register"),
    path("progressive-registration", landing.landing),
    path("marketing", landing.landing),
    path("terms", landing.terms, name="terms"),
]
