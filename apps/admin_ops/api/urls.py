from django.urls import path

from apps.admin_ops.api import views

urlpatterns = [path("health", views.HealthView.as_view())]
