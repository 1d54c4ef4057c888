import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="AlarmCheck",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("claimed_until", models.DateTimeField(null=True)),
                ("checked_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Alarm",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=40)),
                (
                    "severity",
                    models.CharField(
                        choices=[("critical", "Critical"), ("warning", "Warning")], max_length=10
                    ),
                ),
                ("figure", models.FloatField()),
                ("detail", models.CharField(max_length=255)),
                ("opened_at", models.DateTimeField()),
                ("seen_at", models.DateTimeField()),
                ("closed_at", models.DateTimeField(null=True)),
                ("acknowledged_at", models.DateTimeField(null=True)),
                ("acknowledged_by", models.CharField(blank=True, max_length=100)),
                ("note", models.CharField(blank=True, max_length=255)),
            ],
            options={
                "indexes": [models.Index(fields=["-opened_at"], name="alarms_by_time")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("closed_at", None)),
                        fields=("name",),
                        name="one_open_alarm_of_a_name",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AlarmNotice",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "channel",
                    models.CharField(
                        choices=[("email", "Email"), ("webhook", "Webhook")], max_length=10
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("opened", "Alarm"),
                            ("still_open", "Still open"),
                            ("closed", "Closed"),
                        ],
                        max_length=10,
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("created_at", models.DateTimeField()),
                ("due_at", models.DateTimeField()),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("sent_at", models.DateTimeField(null=True)),
                ("error", models.CharField(blank=True, max_length=255)),
                (
                    "alarm",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to="monitoring.alarm",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("sent_at", None)), fields=["due_at"], name="notices_due"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("alarm", "channel", "number"), name="one_notice_of_a_number"
                    )
                ],
            },
        ),
    ]
