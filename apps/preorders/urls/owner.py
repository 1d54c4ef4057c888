"""The owners' pages, on the platform's host."""

from django.urls import path

from apps.preorders.manage.views import dashboard, disputes, hub, kitchen, notices, orders
from apps.preorders.reports import views as reports_views
from apps.preorders.special import views as special_views
from apps.preorders.statements import views as statements_views

urlpatterns = [
    path("restaurant", dashboard.dashboard, name="dashboard"),
    path("restaurant/dashboard", dashboard.dashboard),
    path("restaurant/offers/<uuid:offer_id>", special_views.offer, name="offer-page"),
    path("restaurant/orders/<uuid:order_id>", orders.order_for_staff, name="order"),
    path("restaurant/orders/<uuid:order_id>/pay-link.svg", orders.pay_link_code),
    path("restaurant/pick-up", orders.pick_up, name="pick-up"),
    path("restaurant/pick-up-worker.js", orders.pick_up_worker),
    path("restaurant/disputes", disputes.disputes, name="disputes"),
    path("restaurant/disputes/<uuid:dispute_id>", disputes.dispute, name="dispute"),
    path(
        "restaurant/disputes/<uuid:dispute_id>/evidence.pdf",
        disputes.evidence,
        name="dispute-evidence",
    ),
    path(
        "restaurant/fraud-warnings/<uuid:warning_id>/refund",
        disputes.refund_warned,
        name="refund-warned",
    ),
    path("platform/disputes", disputes.platform_disputes, name="platform-disputes"),
    path("restaurant/statements", statements_views.statement_page, name="statements"),
    path(
        "restaurant/statements/<str:period>/<slug:kind>.<slug:extension>",
        statements_views.statement_file,
        name="statement-file",
    ),
    path("restaurant/payouts/<uuid:payout_id>", statements_views.payout_page, name="payout-orders"),
    path(
        "restaurant/payouts/<uuid:payout_id>/orders.csv",
        statements_views.payout_file,
        name="payout-file",
    ),
    path("restaurant/invoices/<int:number>.pdf", statements_views.invoice_file, name="fee-invoice"),
    path("staff/statements", statements_views.platform_page, name="platform-statements"),
    path("restaurant/kitchen", kitchen.kitchen, name="kitchen"),
    path("restaurant/analytics", reports_views.analytics, name="analytics"),
    path("restaurant/notices", notices.notices, name="notices"),
    path("free-tier-dashboard", hub.hub, name="hub"),
]
