"""The activity log, and pages of the platform's staff, on the platform's host."""

from django.urls import path

from apps.admin_ops.api import expirations as api
from apps.admin_ops.views import activity, expiration, payment_issues

urlpatterns = [
    path("admin/expiration", expiration.expiration, name="expiration"),
    path("api/admin/expiration-stats", api.ExpirationStatsView.as_view()),
    path("api/admin/process-expirations", api.ProcessExpirationsView.as_view()),
    path("api/admin/scheduler/start", api.StartSchedulerView.as_view()),
    path("api/admin/scheduler/status", api.SchedulerStatusView.as_view()),
    path("api/admin/scheduler/stop", api.StopSchedulerView.as_view()),
    path("restaurant/activity", activity.restaurant_activity, name="restaurant-activity"),
    path("staff/activity", activity.staff_activity, name="staff-activity"),
    path("staff/payment-issues", payment_issues.payment_issues, name="payment-issues"),
]
