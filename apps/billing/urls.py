from django.urls import path

from apps.billing import webhooks

app_name = "billing"
urlpatterns = [path("stripe/webhook/<uuid:uuid>", webhooks.receive, name="webhook")]
