"""Marketing on the platform's host."""

from django.urls import path

from apps.marketing.api.views import announcements
from apps.marketing.api.views.demo import TrackDemoView
from apps.marketing.views import demo as views_demo
from apps.marketing.views import quick_start

urlpatterns = [
    path("demo", views_demo.demo, name="demo"),
    path("free-tier-quick-start", quick_start.quick_start, name="quick-start"),
    path("api/demo/track", TrackDemoView.as_view()),
    path("api/announcements", announcements.AnnouncementsView.as_view()),
    path("api/announcements/generate", announcements.GenerateAnnouncementView.as_view()),
    path("api/announcements/post", announcements.PostAnnouncementView.as_view()),
    path("api/send-announcement-courtesy-copy", announcements.CourtesyCopyView.as_view()),
]
