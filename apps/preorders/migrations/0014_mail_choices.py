import uuid

import django.db.models.deletion
from django.db import migrations, models

from apps.common.rls import protect


class Migration(migrations.Migration):
    dependencies = [
        ("preorders", "0009_row_level_security"),
        ("restaurants", "0004_row_level_security"),
    ]

    operations = [
        migrations.CreateModel(
            name="EmailPreference",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("email", models.EmailField(max_length=255)),
                ("news", models.BooleanField(default=False)),
                ("reminders", models.BooleanField(default=True)),
                ("stopped_at", models.DateTimeField(null=True)),
                ("changed_at", models.DateTimeField()),
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
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("restaurant", "email"), name="one_mail_choice_each"
                    )
                ],
            },
        ),
        *protect("preorders_mailchoice"),
    ]
