"""URLs of every host: guests' pages, the public API, and uploaded images."""

from django.urls import include, path, re_path

from apps.common.views import UPLOADED_PICTURE_PATTERN, uploaded_picture
from apps.restaurants.middleware import stays_open

stays_open(uploaded_picture)

handler400 = "apps.common.views.bad_request"
handler403 = "apps.common.views.permission_denied"
handler404 = "apps.common.views.page_not_found"
handler500 = "apps.common.views.server_error"

urlpatterns = [
    path("", include("apps.offers.urls.public")),
    path("", include("apps.preorders.urls.guest")),
    path("", include("apps.marketing.urls.public")),
    path("api/", include("apps.restaurants.api.public_urls")),
    path("api/", include("apps.offers.api.urls")),
    path("api/", include("apps.preorders.urls.api")),
    path("api/", include("apps.admin_ops.api.urls")),
    re_path(UPLOADED_PICTURE_PATTERN, uploaded_picture),
]
