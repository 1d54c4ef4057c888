"""Marketing on the platform's host."""

from django.urls import path

from apps.marketing import pages
from apps.marketing.api.views import TrackDemoView

urlpatterns = [
    path("demo", pages.demo, name="demo"),
    path("api/demo/track", TrackDemoView.as_view()),
]
