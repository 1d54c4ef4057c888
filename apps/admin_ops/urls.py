"""Pages of the platform's staff, on the platform's host."""

from django.urls import path

from apps.admin_ops import views

urlpatterns = [path("staff/payment-issues", views.payment_issues, name="payment-issues")]
