"""The demo's own page, on the platform host. Included only where the app is installed."""

from django.urls import path

from demo.views import demo_mail

urlpatterns = [path("_demo/mail", demo_mail, name="demo-mail")]
