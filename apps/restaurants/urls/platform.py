"""The API of restaurants and their people, on the platform's host."""

from django.urls import include, path

from apps.restaurants.api.views.login import LoginView
from apps.restaurants.api.views.registration import RegisterView, VerifyEmailConfirmationView

urlpatterns = [
    path("api/", include("apps.restaurants.api.urls")),
    path("api/login", LoginView.as_view()),
    path("api/register", RegisterView.as_view()),
    path("api/verify-email-confirmation", VerifyEmailConfirmationView.as_view()),
]
