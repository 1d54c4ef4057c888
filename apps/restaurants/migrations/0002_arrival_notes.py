from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("restaurants", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="restaurant",
            name="dine_in_note",
            field=models.CharField(blank=True, db_default="", default="", max_length=160),
        ),
        migrations.AddField(
            model_name="restaurant",
            name="pickup_note",
            field=models.CharField(blank=True, db_default="", default="", max_length=160),
        ),
    ]
