from django.db import migrations

from apps.common.rls import protect


class Migration(migrations.Migration):
    dependencies = [("offers", "0001_initial")]

    operations = protect(
        "offers_photo",
        "offers_dish",
        "offers_specialoffer",
        "offers_offertransition",
    )
