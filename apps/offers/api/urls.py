"""API URLs of the offers app, on the platform's and on restaurants' hosts."""

from django.urls import path

from apps.offers.api import advice, history, menu, slots, views, visits
from apps.offers.page_cache import briefly_kept

urlpatterns = [
    path("images/upload", views.UploadImageView.as_view()),
    path("upload-image", views.UploadFileView.as_view()),
    path("dishes", views.DishesView.as_view()),
    path("dishes/special-offers", views.SpecialOffersView.as_view()),
    path("dishes/manage", menu.ManagedDishesView.as_view()),
    path("dishes/add-to-menu", menu.AddToMenuView.as_view()),
    path("dishes/<uuid:offer_id>", views.DishView.as_view()),
    path("menu/dishes", menu.MenuDishesView.as_view()),
    path("menu/dishes/<uuid:dish_id>", menu.MenuDishView.as_view()),
    path("menu/order", menu.MenuOrderView.as_view()),
    path("specials/history", history.HistoryView.as_view()),
    path("specials/advice", advice.AdviceView.as_view()),
    path("specials/available", views.AvailableSpecialsView.as_view()),
    path("specials/progress", briefly_kept(views.AllProgressView.as_view())),
    path("specials/restaurant/<uuid:restaurant_id>", views.RestaurantSpecialsView.as_view()),
    path("specials/<uuid:offer_id>", views.SpecialView.as_view()),
    path("specials/<uuid:offer_id>/seen", visits.SpecialSeenView.as_view()),
    path("specials/<uuid:offer_id>/progress", briefly_kept(views.SpecialProgressView.as_view())),
    path("specials/<uuid:offer_id>/slots", slots.SlotsView.as_view()),
]
