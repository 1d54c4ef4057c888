"""URLs of the webhook pages, on the platform's host."""

from django.urls import path

from apps.integrations import views

_ONE = "restaurant/webhooks/<uuid:endpoint_id>"
urlpatterns = [
    path("restaurant/webhooks", views.webhooks, name="webhooks"),
    path(_ONE, views.webhook, name="webhook"),
    path(f"{_ONE}/secret", views.rotate_secret, name="webhook-secret"),
    path(f"{_ONE}/on", views.turn_on, name="webhook-on"),
    path(f"{_ONE}/off", views.turn_off, name="webhook-off"),
    path(f"{_ONE}/delete", views.delete, name="webhook-delete"),
    path(f"{_ONE}/test", views.send_test, name="webhook-test"),
    path(f"{_ONE}/send-again", views.send_again, name="webhook-send-again"),
]
