"""URLs of the platform's host: everything public, the dashboards, and the whole API."""

from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.negotiation import DefaultContentNegotiation

from apps.preorders.urls.guest import any_other_special
from config.urls_public import handler400, handler403, handler404, handler500
from config.urls_public import urlpatterns as public_patterns

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

handler429 = "apps.common.views.too_many_requests"

urlpatterns = [
    *public_patterns,
    path("", include("apps.accounts.urls")),
    path("", include("apps.restaurants.urls.platform")),
    path("", include("apps.restaurants.urls.onboarding")),
    path("", include("apps.integrations.urls")),
    path("", include("apps.offers.urls.platform")),
    path("", include("apps.preorders.urls.owner")),
    path("", include("apps.billing.urls")),
    path("", include("apps.marketing.urls.platform")),
    path("", include("apps.admin_ops.urls")),
    path("", include("apps.monitoring.urls")),
    path("", include("apps.privacy.urls")),
    path("staff/data/", admin.site.urls),
    path(
        "api/schema",
        SpectacularAPIView.as_view(content_negotiation_class=DefaultContentNegotiation),
        name="schema",
    ),
    path("api/docs", SpectacularSwaggerSplitView.as_view(url_name="schema"), name="docs"),
    any_other_special,
]

# Without the secret, anyone could send us false reports about our emails:
# https://anymail.dev/en/stable/tips/securing_webhooks/
if settings.ANYMAIL.get("WEBHOOK_SECRET"):
    urlpatterns.append(path("anymail/", include("anymail.urls")))
if apps.is_installed("demo"):
    urlpatterns.append(path("", include("demo.urls")))
