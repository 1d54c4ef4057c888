"""The diner's pages, on a restaurant's host and on the platform's."""

from django.urls import path

from apps.preorders import cancel_pages, guest_pages, mail_pages, pages

urlpatterns = [
    path("specials/<uuid:special_id>", pages.special, name="special"),
    path("specials/<uuid:special_id>/pre-order", pages.pre_order, name="pre-order"),
    path("cancel-pre-order", cancel_pages.cancel, name="cancel-pre-order"),
    path("order/<str:token>", guest_pages.order_page, name="order"),
    path("mail-choices/<str:key>", mail_pages.mail_choices, name="mail-choices"),
    path("email-updates", mail_pages.email_updates, name="email-updates"),
    path("pre-order-confirmation", pages.confirmation, name="pre-order-confirmation"),
]
