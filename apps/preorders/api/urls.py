from django.urls import path

from apps.preorders.api import views

urlpatterns = [
    path("pre-orders", views.PreOrdersView.as_view()),
    path("pre-orders/<str:reference>", views.PreOrderView.as_view()),
    path("orders", views.OrdersView.as_view()),
    path("ledger", views.LedgerView.as_view()),
]
