from django.urls import path

from apps.preorders.api import cart_views, offer_views, order_export, order_money, orders, views
from apps.preorders.api.analytics import AnalyticsView
from apps.preorders.api.cart_offers import CartOffersView
from apps.preorders.api.day_count import PickUpTodayView

urlpatterns = [
    path("pre-orders", views.PreOrdersView.as_view()),
    path("pre-orders/<str:reference>", views.PreOrderView.as_view()),
    path("cart/offers", CartOffersView.as_view()),
    path("create-multi-offer-payment-intent", cart_views.MultiOfferPaymentIntentView.as_view()),
    path("checkouts/<uuid:checkout_id>", cart_views.CheckoutView.as_view()),
    path("checkouts/<uuid:checkout_id>/confirm", cart_views.CheckoutConfirmView.as_view()),
    path(
        "checkouts/<uuid:checkout_id>/lines/<uuid:order_id>/retry",
        cart_views.CheckoutRetryView.as_view(),
    ),
    path("email-subscription", views.EmailSubscriptionView.as_view()),
    path("orders", orders.OrdersView.as_view()),
    path("orders/bulk", orders.BulkView.as_view()),
    path("orders/export", order_export.ExportView.as_view()),
    path("orders/changes", orders.ChangesView.as_view()),
    path("orders/<uuid:order_id>", orders.OrderView.as_view()),
    path("orders/<uuid:order_id>/pick-up", orders.PickUpView.as_view()),
    path("orders/<uuid:order_id>/no-show", orders.NoShowView.as_view()),
    path("orders/<uuid:order_id>/undo", orders.UndoView.as_view()),
    path("orders/<uuid:order_id>/notes", orders.NotesView.as_view()),
    path("orders/phone", order_money.PhoneOrdersView.as_view()),
    path("orders/<uuid:order_id>/cancel", order_money.CancelView.as_view()),
    path("orders/<uuid:order_id>/refund", order_money.RefundView.as_view()),
    path("orders/<uuid:order_id>/resend", orders.ResendView.as_view()),
    path("pick-up", orders.PickUpLookUpView.as_view()),
    path("specials/<uuid:offer_id>/overview", offer_views.OverviewView.as_view()),
    path("specials/<uuid:offer_id>/rescue", offer_views.RescueView.as_view()),
    path("pick-up/today", PickUpTodayView.as_view()),
    path("analytics", AnalyticsView.as_view()),
    path("ledger", views.LedgerView.as_view()),
]
