from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("restaurants", "0002_arrival_notes"),
    ]

    operations = [
        migrations.AddField(
            model_name="restaurant",
            name="spanish_dine_in_note",
            field=models.CharField(blank=True, db_default="", default="", max_length=160),
        ),
        migrations.AddField(
            model_name="restaurant",
            name="spanish_pickup_note",
            field=models.CharField(blank=True, db_default="", default="", max_length=160),
        ),
    ]
