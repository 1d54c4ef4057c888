"""People who looked at the demo and left their address (D23)."""

from django.db import models
from django.db.models.functions import Lower


class DemoLead(models.Model):
    """One person's way through the demo. Where they came from is forgotten after 30 days (X63)."""

    email = models.EmailField(max_length=255)  # in lower case
    ip_address = models.GenericIPAddressField(null=True, blank=True)
    user_agent = models.CharField(max_length=500, blank=True)
    completed_steps = models.JSONField(default=list)  # names, in the order they were first done
    referrer_url = models.CharField(max_length=500, blank=True)
    converted_to_restaurant = models.ForeignKey(
        "restaurants.Restaurant", models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField()
    last_seen_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(Lower("email"), name="one_lead_per_email")]

    def __str__(self) -> str:
        return self.email
