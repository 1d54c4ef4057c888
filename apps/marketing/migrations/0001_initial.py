import uuid

import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models

from apps.common.rls import protect


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("restaurants", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Announcement",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("message", models.TextField(max_length=2000)),
                ("digest", models.CharField(max_length=64)),
                ("special_offer_ids", models.JSONField(default=list)),
                ("platforms", models.JSONField(default=list)),
                ("created_at", models.DateTimeField()),
                ("courtesy_copy_at", models.DateTimeField(blank=True, null=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="announcements",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["restaurant", "-created_at"], name="announcements_newest_first"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("restaurant", "digest"), name="one_announcement_per_text"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="DemoLead",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("email", models.EmailField(max_length=255)),
                ("ip_address", models.GenericIPAddressField(blank=True, null=True)),
                ("user_agent", models.CharField(blank=True, max_length=500)),
                ("completed_steps", models.JSONField(default=list)),
                ("referrer_url", models.CharField(blank=True, max_length=500)),
                ("created_at", models.DateTimeField()),
                ("last_seen_at", models.DateTimeField(db_index=True)),
                (
                    "converted_to_restaurant",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        django.db.models.functions.text.Lower("email"), name="one_lead_per_email"
                    )
                ],
            },
        ),
        *protect(
            "marketing_announcement",
        ),
    ]
