from django.urls import path

from apps.preorders.cart import api as cart_api
from apps.preorders.cart.api import CartOffersView
from apps.preorders.guest import api as guest_api
from apps.preorders.manage.api import check_ins, export, ledger, orders, payments
from apps.preorders.manage.api.orders import PickUpTodayView
from apps.preorders.manage.api.today import TodayView
from apps.preorders.push import api as push_api
from apps.preorders.reports.api import AnalyticsView
from apps.preorders.special import api as special_api

urlpatterns = [
    path("pre-orders", guest_api.PreOrdersView.as_view()),
    path("pre-orders/<str:reference>", guest_api.PreOrderView.as_view()),
    path("specials/<uuid:offer_id>/friends/<str:friends_link>", guest_api.FriendsView.as_view()),
    path("cart/offers", CartOffersView.as_view()),
    path("create-multi-offer-payment-intent", cart_api.MultiOfferPaymentIntentView.as_view()),
    path("checkouts/<uuid:checkout_id>", cart_api.CheckoutView.as_view()),
    path("checkouts/<uuid:checkout_id>/resume", cart_api.CheckoutResumeView.as_view()),
    path("checkouts/<uuid:checkout_id>/confirm", cart_api.CheckoutConfirmView.as_view()),
    path(
        "checkouts/<uuid:checkout_id>/items/<uuid:order_id>/retry",
        cart_api.CheckoutRetryView.as_view(),
    ),
    path("email-subscription", guest_api.EmailSubscriptionView.as_view()),
    path("orders", orders.OrdersView.as_view()),
    path("orders/bulk", orders.BulkView.as_view()),
    path("orders/export", export.ExportView.as_view()),
    path("orders/changes", orders.ChangesView.as_view()),
    path("orders/<uuid:order_id>", orders.OrderView.as_view()),
    path("orders/<uuid:order_id>/pick-up", orders.PickUpView.as_view()),
    path("orders/<uuid:order_id>/no-show", orders.NoShowView.as_view()),
    path("orders/<uuid:order_id>/undo", orders.UndoView.as_view()),
    path("orders/<uuid:order_id>/notes", orders.NotesView.as_view()),
    path("orders/phone", payments.PhoneOrdersView.as_view()),
    path("orders/<uuid:order_id>/cancel", payments.CancelView.as_view()),
    path("orders/<uuid:order_id>/refund", payments.RefundView.as_view()),
    path("orders/<uuid:order_id>/resend", orders.ResendView.as_view()),
    path("orders/<uuid:order_id>/new-link", orders.NewLinkView.as_view()),
    path("pick-up", orders.PickUpLookUpView.as_view()),
    path("dishes/<uuid:offer_id>", special_api.DishView.as_view()),
    path("dishes/<uuid:offer_id>/change", special_api.DishChangeView.as_view()),
    path("menu/dishes/<uuid:dish_id>", special_api.MenuDishView.as_view()),
    path("menu/dishes/<uuid:dish_id>/change", special_api.MenuDishChangeView.as_view()),
    path("specials/<uuid:offer_id>/overview", special_api.OverviewView.as_view()),
    path("specials/<uuid:offer_id>/cancel", special_api.OfferCancellationView.as_view()),
    path("specials/<uuid:offer_id>/messages", special_api.GuestMessagesView.as_view()),
    path(
        "specials/<uuid:offer_id>/messages/preview", special_api.GuestMessagePreviewView.as_view()
    ),
    path("specials/<uuid:offer_id>/rescue", special_api.RescueView.as_view()),
    path("pick-up/list", check_ins.PickupListView.as_view()),
    path("pick-up/check-ins", check_ins.CheckInsView.as_view()),
    path("specials/<uuid:offer_id>/follow", push_api.FollowView.as_view()),
    path("specials/<uuid:offer_id>/unfollow", push_api.UnfollowView.as_view()),
    path("notices/push", push_api.OwnerPushView.as_view()),
    path("notices/push/stop", push_api.OwnerPushStopView.as_view()),
    path("pick-up/today", PickUpTodayView.as_view()),
    path("analytics", AnalyticsView.as_view()),
    path("today", TodayView.as_view()),
    path("ledger/orders", ledger.LedgerByOrderView.as_view()),
    path("ledger", ledger.LedgerView.as_view()),
]
