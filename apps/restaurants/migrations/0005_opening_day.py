from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("restaurants", "0004_spanish_description"),
    ]

    operations = [
        migrations.AddField(
            model_name="restaurant",
            name="opening_day",
            field=models.DateField(blank=True, null=True),
        ),
    ]
