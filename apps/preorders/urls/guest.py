"""The guest's pages, on a restaurant's host and on the platform's."""

from django.urls import path

from apps.common.languages import for_guests
from apps.preorders.cart import views as cart_views
from apps.preorders.emails import views as emails_views
from apps.preorders.guest.views import find_order, friends, order_files, special, specials
from apps.preorders.guest.views import order as views_order
from apps.preorders.guest.views import waitlist as views_waitlist
from apps.preorders.statements import proof_views
from apps.restaurants.middleware import stays_open

urlpatterns = [
    path("specials", specials.specials, name="specials"),
    path("specials/<uuid:special_id>", special.special, name="special"),
    path("specials/<uuid:special_id>/pre-order", special.pre_order, name="pre-order"),
    path("specials/<uuid:special_id>/friends/<str:token>", friends.for_friends, name="friends"),
    path(
        "specials/<uuid:special_id>/friends/<str:token>/order",
        friends.order_as_friend,
        name="friends-order",
    ),
    path("specials/<uuid:special_id>/waitlist", views_waitlist.join, name="waitlist"),
    path("waitlist/<str:token>", views_waitlist.waitlist_entry, name="waitlist-entry"),
    path("waitlist/<str:token>/order", views_waitlist.order_from_entry, name="waitlist-order"),
    path("waitlist/<str:token>/portions", views_waitlist.change_portions, name="waitlist-portions"),
    path("waitlist/<str:token>/email", views_waitlist.change_email, name="waitlist-email"),
    path("waitlist/<str:token>/leave", views_waitlist.leave, name="waitlist-leave"),
    path("order/<str:token>", views_order.order_for_guest, name="order"),
    path("email-preferences/<str:key>", emails_views.email_preferences, name="email-preferences"),
    path("email-updates", emails_views.email_updates, name="email-updates"),
    path("order/<str:token>/open", views_order.open_access, name="order-open"),
    path("order/<str:token>/card", views_order.order_card, name="order-card"),
    path("order/<str:token>/calendar.ics", order_files.calendar, name="order-calendar"),
    path("order/<str:token>/receipt.pdf", order_files.receipt, name="order-receipt"),
    path("order/<str:token>/wallet.pkpass", order_files.apple_wallet, name="order-apple-wallet"),
    path("order/<str:token>/google-wallet", order_files.google_wallet, name="order-google-wallet"),
    path("order/<str:token>/data.json", order_files.my_data, name="order-data"),
    path("ledger/<uuid:order_id>", proof_views.proof_page, name="ledger-proof"),
    path("ledger/<uuid:order_id>/chain.json", proof_views.proof_chain, name="ledger-proof-chain"),
    path("find-order", find_order.find_order, name="find-order"),
    path("cart/return", cart_views.cart_return, name="cart-return"),
    path("pre-order-confirmation", views_order.confirmation, name="pre-order-confirmation"),
]
# After all others, because the team's pages have addresses like it.
any_other_special = path("specials/<slug:name>", special.unknown_special)
for each in (*urlpatterns, any_other_special):
    for_guests(each.callback)
# What guests need who ordered before the restaurant was suspended or closed.
OF_EARLIER_ORDERS = {
    *("order", "order-open", "order-card", "order-calendar", "order-receipt", "order-data"),
    *("order-apple-wallet", "order-google-wallet"),
    *("find-order", "cart-return", "pre-order-confirmation"),
    *("email-preferences", "email-updates", "waitlist-entry"),
    *("waitlist-portions", "waitlist-email", "waitlist-leave"),
}
for each in urlpatterns:
    if each.name in OF_EARLIER_ORDERS:
        stays_open(each.callback)
