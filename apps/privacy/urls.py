"""An account's own data, on the platform's host only."""

from django.urls import path

from apps.privacy import api, views

urlpatterns = [
    path("account/data", views.download_data, name="account_data"),
    path("account/delete", views.DeleteAccountPage.as_view(), name="account_delete"),
    path("account-deleted", views.account_deleted, name="account_deleted"),
    path("api/account/data", api.AccountDataView.as_view()),
    path("api/account/deletion", api.AccountDeletionView.as_view()),
]
