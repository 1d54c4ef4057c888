from django.db import migrations, models

import apps.common.languages


class Migration(migrations.Migration):
    dependencies = [("preorders", "0014_mail_choices")]

    operations = [
        migrations.AddField(
            model_name="preorder",
            name="language",
            field=models.CharField(default=apps.common.languages.spoken, max_length=10),
        )
    ]
