"""The owners' pages, on the platform's host."""

from django.urls import path

from apps.preorders.pages import analytics, dashboard, hub, kitchen, offer, orders

urlpatterns = [
    path("restaurant", dashboard.dashboard, name="dashboard"),
    path("restaurant/dashboard", dashboard.dashboard),
    path("restaurant/offers/<uuid:offer_id>", offer.offer, name="offer-page"),
    path("restaurant/orders/<uuid:order_id>", orders.order, name="order"),
    path("restaurant/orders/<uuid:order_id>/pay-link.svg", orders.pay_link_code),
    path("restaurant/pick-up", orders.pick_up, name="pick-up"),
    path("restaurant/kitchen", kitchen.kitchen, name="kitchen"),
    path("restaurant/analytics", analytics.analytics, name="analytics"),
    path("free-tier-dashboard", hub.hub, name="hub"),
]
