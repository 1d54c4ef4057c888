from typing import ClassVar

from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("marketing", "0001_initial")]
    reviewed: ClassVar = {
        "AddConstraint campaign": "the index is of returns alone, and no version has written one; "
        "campaigns are few and no guest waits for one"
    }

    operations = [
        migrations.AlterField(
            model_name="campaign",
            name="kind",
            field=models.CharField(
                choices=[
                    ("announcement", "Announcement"),
                    ("nudge", "Reminder that it's close"),
                    ("return", "A dish that was asked for"),
                ],
                default="announcement",
                max_length=15,
            ),
        ),
        migrations.AddConstraint(
            model_name="campaign",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind", "return")),
                fields=("special_offer",),
                name="one_return_per_special",
            ),
        ),
        AddConstraintNotValid(
            model_name="campaign",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "return"), _negated=True),
                    ("special_offer__isnull", False),
                    _connector="OR",
                ),
                name="return_is_about_a_special",
            ),
        ),
    ]
