"""The activity log, and pages of the platform's staff, on the platform's host."""

from django.urls import path

from apps.admin_ops.api import expirations, logs, users
from apps.admin_ops.views import (
    activity,
    developer,
    expiration,
    home,
    payment_issues,
    restaurants,
)

urlpatterns = [
    path("admin/expiration", expiration.expiration, name="expiration"),
    path("api/admin/expiration-stats", expirations.ExpirationStatsView.as_view()),
    path("api/admin/process-expirations", expirations.ProcessExpirationsView.as_view()),
    path("api/admin/scheduler/start", expirations.StartSchedulerView.as_view()),
    path("api/admin/scheduler/status", expirations.SchedulerStatusView.as_view()),
    path("api/admin/scheduler/stop", expirations.StopSchedulerView.as_view()),
    path("api/logs", logs.LogsView.as_view()),
    path("api/users", users.UsersView.as_view()),
    path("api/users/<uuid:user_id>", users.UserView.as_view()),
    path("developer", developer.developer, name="developer"),
    path("platform-admin", home.home, name="platform-admin"),
    path("restaurant/activity", activity.restaurant_activity, name="restaurant-activity"),
    path(
        "staff/restaurants/<uuid:restaurant_id>",
        restaurants.restaurant_page,
        name="staff-restaurant",
    ),
    path("staff/activity", activity.staff_activity, name="staff-activity"),
    path("staff/payment-issues", payment_issues.payment_issues, name="payment-issues"),
]
