"""The staff's Status page with its runbooks, and metrics, on the platform's host."""

from django.urls import path

from apps.monitoring import views

urlpatterns = [
    path("metrics", views.metrics_page, name="metrics"),
    path("staff/status", views.status, name="status"),
    path("staff/runbooks/<slug:name>", views.runbook, name="runbook"),
]
