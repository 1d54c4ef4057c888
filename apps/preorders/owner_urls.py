"""The owners' pages, on the platform's host."""

from django.urls import path

from apps.preorders import (
    analytics_page,
    dashboard,
    hub,
    kitchen_pages,
    offer_pages,
    order_pages,
)

urlpatterns = [
    path("restaurant", dashboard.dashboard, name="dashboard"),
    path("restaurant/dashboard", dashboard.dashboard),
    path("restaurant/offers/<uuid:offer_id>", offer_pages.offer, name="offer-page"),
    path("restaurant/orders/<uuid:order_id>", order_pages.order, name="order"),
    path("restaurant/orders/<uuid:order_id>/pay-link.svg", order_pages.pay_link_code),
    path("restaurant/pick-up", order_pages.pick_up, name="pick-up"),
    path("restaurant/kitchen", kitchen_pages.kitchen, name="kitchen"),
    path("restaurant/analytics", analytics_page.analytics, name="analytics"),
    path("free-tier-dashboard", hub.hub, name="hub"),
]
