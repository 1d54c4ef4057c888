"""URLs of the operations pages."""

from django.urls import path

from apps.admin_ops import demo_mail

urlpatterns = [
    path("_demo/mail", demo_mail.demo_mail, name="demo-mail"),
]
