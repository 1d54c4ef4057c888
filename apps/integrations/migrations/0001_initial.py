import uuid

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

from apps.common.rls import protect


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("restaurants", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="WebhookDelivery",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("pending", "Waiting"),
                            ("delivered", "Delivered"),
                            ("failed", "Failed"),
                        ],
                        default="pending",
                        max_length=10,
                    ),
                ),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("due_at", models.DateTimeField()),
                ("created_at", models.DateTimeField()),
                (
                    "restaurant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="WebhookAttempt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("milliseconds", models.PositiveIntegerField()),
                ("response_code", models.PositiveSmallIntegerField(null=True)),
                ("response_body", models.TextField(blank=True)),
                ("error", models.CharField(blank=True, max_length=20)),
                (
                    "restaurant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
                (
                    "delivery",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="log",
                        to="integrations.webhookdelivery",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="WebhookEndpoint",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("url", models.CharField(max_length=500)),
                ("description", models.CharField(blank=True, max_length=100)),
                (
                    "event_types",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=40), size=None
                    ),
                ),
                ("secret", models.CharField(max_length=255)),
                ("previous_secret", models.CharField(blank=True, max_length=255)),
                ("previous_until", models.DateTimeField(blank=True, null=True)),
                (
                    "status",
                    models.CharField(
                        choices=[("on", "On"), ("off", "Off")], default="on", max_length=10
                    ),
                ),
                (
                    "off_reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("owner", "You turned it off."),
                            (
                                "failing",
                                "We turned it off: for three days, no event could be delivered.",
                            ),
                            ("gone", "We turned it off: the address answered 410, “gone”."),
                        ],
                        max_length=10,
                    ),
                ),
                ("failures", models.PositiveIntegerField(default=0)),
                ("failing_since", models.DateTimeField(blank=True, null=True)),
                ("not_before", models.DateTimeField()),
                ("created_at", models.DateTimeField()),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="webhookdelivery",
            name="endpoint",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="deliveries",
                to="integrations.webhookendpoint",
            ),
        ),
        migrations.CreateModel(
            name="WebhookEvent",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("type", models.CharField(max_length=40)),
                ("body", models.TextField()),
                ("occurred_at", models.DateTimeField()),
                (
                    "restaurant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="webhookdelivery",
            name="event",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="deliveries",
                to="integrations.webhookevent",
            ),
        ),
        migrations.AddIndex(
            model_name="webhookendpoint",
            index=models.Index(fields=["restaurant", "created_at"], name="endpoints_of"),
        ),
        migrations.AddIndex(
            model_name="webhookevent",
            index=models.Index(fields=["restaurant", "-occurred_at"], name="webhook_events_of"),
        ),
        migrations.AddIndex(
            model_name="webhookevent",
            index=models.Index(fields=["occurred_at"], name="webhook_events_to_delete"),
        ),
        migrations.AddIndex(
            model_name="webhookdelivery",
            index=models.Index(
                fields=["endpoint", "-created_at", "-id"], name="deliveries_of_endpoint"
            ),
        ),
        migrations.AddIndex(
            model_name="webhookdelivery",
            index=models.Index(
                condition=models.Q(("status", "pending")),
                fields=["endpoint", "due_at"],
                name="deliveries_due_by_endpoint",
            ),
        ),
        migrations.AddIndex(
            model_name="webhookdelivery",
            index=models.Index(
                condition=models.Q(("status", "pending")), fields=["due_at"], name="deliveries_due"
            ),
        ),
        migrations.AddConstraint(
            model_name="webhookdelivery",
            constraint=models.UniqueConstraint(
                fields=("event", "endpoint"), name="one_delivery_per_endpoint"
            ),
        ),
        *protect(
            "integrations_webhookendpoint",
            "integrations_webhookevent",
            "integrations_webhookdelivery",
            "integrations_webhookattempt",
        ),
    ]
