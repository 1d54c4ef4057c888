"""Which notices an owner wants, and when (decision 134)."""

from datetime import time

from django.conf import settings
from django.db import models

QUIET_FROM, QUIET_UNTIL = time(22), time(8)


class NoticePreference(models.Model):
    """Which notices an owner wants from a restaurant, and their quiet hours in its time zone.

    Without a row, the defaults here apply. Equal hours mean none are quiet.
    """

    restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.CASCADE, related_name="+", db_index=False
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    first_order = models.BooleanField(default=True)
    needs_a_push = models.BooleanField(default=True)
    payment_problem = models.BooleanField(default=True)
    offer_result = models.BooleanField(default=True)
    quiet_from = models.TimeField(default=QUIET_FROM)
    quiet_until = models.TimeField(default=QUIET_UNTIL)
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["restaurant", "user"], name="one_notice_preference_each"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} of {self.restaurant_id}"
