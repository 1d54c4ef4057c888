from django.urls import path

from apps.admin_ops.api import views

urlpatterns = [
    path("activity", views.ActivityView.as_view()),
    path("health", views.HealthView.as_view()),
]
