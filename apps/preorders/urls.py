"""The diner's pages, on a restaurant's host and on the platform's."""

from django.urls import path

from apps.preorders import cancel_pages, guest_pages, mail_pages, pages, waiting_pages

urlpatterns = [
    path("specials/<uuid:special_id>", pages.special, name="special"),
    path("specials/<uuid:special_id>/pre-order", pages.pre_order, name="pre-order"),
    path("specials/<uuid:special_id>/waiting-list", waiting_pages.join, name="waiting-list"),
    path("waiting/<str:token>", waiting_pages.place, name="waiting-place"),
    path("waiting/<str:token>/order", waiting_pages.order, name="waiting-order"),
    path("waiting/<str:token>/leave", waiting_pages.leave, name="waiting-leave"),
    path("cancel-pre-order", cancel_pages.cancel, name="cancel-pre-order"),
    path("order/<str:token>", guest_pages.order_page, name="order"),
    path("mail-choices/<str:key>", mail_pages.mail_choices, name="mail-choices"),
    path("email-updates", mail_pages.email_updates, name="email-updates"),
    path("pre-order-confirmation", pages.confirmation, name="pre-order-confirmation"),
]
