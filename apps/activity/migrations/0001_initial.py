import uuid

from django.db import migrations, models

# --- imports by hand ---
from apps.activity.append_only import append_only
from apps.common.rls import protect


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="LoggedEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("kind", models.CharField(max_length=40)),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("success", "Done"),
                            ("failure", "Failed"),
                            ("refused", "Refused"),
                        ],
                        default="success",
                        max_length=10,
                    ),
                ),
                (
                    "actor_kind",
                    models.CharField(
                        choices=[
                            ("account", "Account"),
                            ("staff", "Fully Booked staff"),
                            ("guest", "Guest or visitor"),
                            ("system", "Fully Booked"),
                        ],
                        max_length=10,
                    ),
                ),
                ("actor_id", models.UUIDField(null=True)),
                ("account_id", models.UUIDField(null=True)),
                ("restaurant_id", models.UUIDField(null=True)),
                ("object_kind", models.CharField(blank=True, max_length=20)),
                ("object_id", models.CharField(blank=True, max_length=40)),
                ("address", models.CharField(blank=True, max_length=43)),
                ("device", models.CharField(blank=True, max_length=80)),
                ("request_id", models.CharField(blank=True, max_length=64)),
                ("details", models.JSONField(blank=True, default=dict)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["restaurant_id", "-at"], name="events_of_a_restaurant"),
                    models.Index(fields=["account_id", "-at"], name="events_of_an_account"),
                    models.Index(fields=["-at"], name="events_of_all"),
                    models.Index(fields=["expires_at"], name="events_to_delete"),
                ],
            },
        ),
        *protect(
            "activity_loggedevent",
        ),
        # --- by hand ---
        append_only("activity_loggedevent"),
    ]
