from django.db import migrations

from apps.common.rls import protect


class Migration(migrations.Migration):
    dependencies = [("marketing", "0002_announcements")]

    operations = protect("marketing_announcement")
