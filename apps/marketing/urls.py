"""URLs of the marketing app, on the platform's host."""

from django.urls import path

from apps.marketing import pages, quick_start
from apps.marketing.api import announcements
from apps.marketing.api.views import TrackDemoView

urlpatterns = [
    path("demo", pages.demo, name="demo"),
    path("free-tier-quick-start", quick_start.quick_start, name="quick-start"),
    path("api/demo/track", TrackDemoView.as_view()),
    path("api/announcements", announcements.AnnouncementsView.as_view()),
    path("api/announcements/generate", announcements.GenerateAnnouncementView.as_view()),
    path("api/announcements/post", announcements.PostAnnouncementView.as_view()),
    path("api/send-announcement-courtesy-copy", announcements.CourtesyCopyView.as_view()),
]
