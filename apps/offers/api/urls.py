"""The offers' part of `/api`, the same on the platform's and on a restaurant's host."""

from django.urls import path

from apps.offers.api import views

urlpatterns = [
    path("images/upload", views.UploadImageView.as_view()),
    path("upload-image", views.UploadFileView.as_view()),
    path("dishes", views.DishesView.as_view()),
    path("dishes/special-offers", views.SpecialOffersView.as_view()),
    path("dishes/<uuid:offer_id>", views.DishView.as_view()),
    path("specials/available", views.AvailableSpecialsView.as_view()),
    path("specials/restaurant/<uuid:restaurant_id>", views.RestaurantSpecialsView.as_view()),
    path("specials/<uuid:offer_id>", views.SpecialView.as_view()),
    path("specials/<uuid:offer_id>/progress", views.SpecialProgressView.as_view()),
]
