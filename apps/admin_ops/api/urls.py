from django.urls import path

from apps.admin_ops.api import views

urlpatterns = [
    path("activity", views.ActivityView.as_view()),
    path("health", views.HealthView.as_view()),
    path("health/live", views.LiveView.as_view()),
    path("health/ready", views.ReadyView.as_view()),
]
