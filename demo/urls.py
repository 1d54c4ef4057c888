"""The demo's own page, on the platform host. Included only where the app is installed."""

from django.urls import path

from demo.views import demo_emails

urlpatterns = [path("_demo/mail", demo_emails, name="demo-emails")]
