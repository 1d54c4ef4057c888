"""Marketing on the platform's host."""

from django.urls import path

from apps.marketing.api.views import TrackDemoView

urlpatterns = [path("api/demo/track", TrackDemoView.as_view())]
