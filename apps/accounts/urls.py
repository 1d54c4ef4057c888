"""Signing in and out, on the platform's host alone."""

from django.urls import path

from apps.accounts import views
from apps.accounts.api.views import LogoutView

urlpatterns = [
    path("login", views.LoginView.as_view(), name="login"),
    path("logout", views.sign_out, name="logout"),
    path("api/logout", LogoutView.as_view()),
]
