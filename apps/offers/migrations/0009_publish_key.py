from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("offers", "0006_photo_avif"),
        ("restaurants", "0004_row_level_security"),
    ]

    operations = [
        migrations.AddField(
            model_name="specialoffer",
            name="publish_digest",
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AddField(
            model_name="specialoffer",
            name="publish_key",
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.AddConstraint(
            model_name="specialoffer",
            constraint=models.UniqueConstraint(
                condition=models.Q(("publish_key", ""), _negated=True),
                fields=("restaurant", "publish_key"),
                name="one_offer_per_publish_key",
            ),
        ),
    ]
