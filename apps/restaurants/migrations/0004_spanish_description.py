from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("restaurants", "0003_arrival_notes_in_spanish"),
    ]

    operations = [
        migrations.AddField(
            model_name="restaurant",
            name="spanish_description",
            field=models.TextField(blank=True, db_default="", default=""),
        ),
    ]
