"""API URLs of the offers app, on the platform's and on restaurants' hosts."""

from django.urls import path

from apps.offers.api.views import advice, history, menu, pickup_slots, specials, visits
from apps.offers.page_cache import cached_briefly

urlpatterns = [
    path("images/upload", specials.UploadImageView.as_view()),
    path("upload-image", specials.UploadFileView.as_view()),
    path("dishes", specials.DishesView.as_view()),
    path("dishes/special-offers", specials.SpecialOffersView.as_view()),
    path("dishes/manage", menu.ManagedDishesView.as_view()),
    path("dishes/add-to-menu", menu.AddToMenuView.as_view()),
    path("menu/dishes", menu.MenuDishesView.as_view()),
    path("menu/order", menu.MenuOrderView.as_view()),
    path("specials/history", history.HistoryView.as_view()),
    path("specials/advice", advice.AdviceView.as_view()),
    path("specials/available", specials.AvailableSpecialsView.as_view()),
    path("specials/progress", cached_briefly(specials.AllProgressView.as_view())),
    path("specials/restaurant/<uuid:restaurant_id>", specials.RestaurantSpecialsView.as_view()),
    path("specials/<uuid:offer_id>", specials.SpecialView.as_view()),
    path("specials/<uuid:offer_id>/seen", visits.SpecialSeenView.as_view()),
    path(
        "specials/<uuid:offer_id>/progress", cached_briefly(specials.SpecialProgressView.as_view())
    ),
    path("specials/<uuid:offer_id>/slots", pickup_slots.SlotsView.as_view()),
]
