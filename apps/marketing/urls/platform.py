"""URLs of the marketing app, on the platform's host."""

from django.urls import path

from apps.marketing.api.views import announcements
from apps.marketing.api.views.demo import TrackDemoView
from apps.marketing.views import audience, campaigns, instagram, printables, quick_start
from apps.marketing.views import demo as views_demo

_AUDIENCE = "restaurant/audience"
urlpatterns = [
    path(_AUDIENCE, audience.audience, name="audience"),
    path(f"{_AUDIENCE}/import", audience.import_page, name="audience-import"),
    path(f"{_AUDIENCE}/export", audience.export, name="audience-export"),
    path(f"{_AUDIENCE}/nudges", audience.nudges, name="audience-nudges"),
    path(f"{_AUDIENCE}/<uuid:subscriber_id>/remove", audience.remove, name="audience-remove"),
    path(f"{_AUDIENCE}/emails/new", campaigns.new_campaign, name="campaign-new"),
    path(f"{_AUDIENCE}/emails/<uuid:campaign_id>", campaigns.campaign, name="campaign"),
    path(f"{_AUDIENCE}/emails/<uuid:campaign_id>/stop", campaigns.stop, name="campaign-stop"),
    path("demo", views_demo.demo, name="demo"),
    path("free-tier-quick-start", quick_start.quick_start, name="quick-start"),
    path(
        "restaurant/offers/<uuid:offer_id>/<slug:kind>.pdf", printables.printable, name="printable"
    ),
    path(
        "restaurant/offers/<uuid:offer_id>/instagram-<slug:kind>.jpg",
        instagram.picture,
        name="instagram-picture",
    ),
    path("api/demo/track", TrackDemoView.as_view()),
    path("api/announcements", announcements.AnnouncementsView.as_view()),
    path("api/announcements/generate", announcements.GenerateAnnouncementView.as_view()),
    path("api/announcements/post", announcements.PostAnnouncementView.as_view()),
    path("api/announcements/reminder", announcements.ReminderView.as_view()),
    path(
        "api/announcements/<uuid:announcement_id>/reminder",
        announcements.AnnouncementReminderView.as_view(),
    ),
    path("api/send-announcement-courtesy-copy", announcements.CourtesyCopyView.as_view()),
]
