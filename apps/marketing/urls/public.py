"""URLs of the marketing app that guests use, on a restaurant's host and on the platform's."""

from django.urls import path

from apps.marketing.views import follow, tracking
from apps.restaurants.middleware import stays_open

stays_open(tracking.opened)

urlpatterns = [
    path("follow", follow.follow, name="follow"),
    path("follow/<str:token>", follow.confirm, name="follow-confirm"),
    path("e/<str:token>", tracking.clicked, name="email-click"),
    path("e/<str:token>/open.gif", tracking.opened, name="email-open"),
]
