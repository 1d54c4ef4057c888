import uuid

from django.db import migrations, models


def name_present_tokens(apps, schema_editor):
    BearerToken = apps.get_model("accounts", "BearerToken")
    for token in BearerToken.objects.all():
        token.public_id = uuid.uuid4()
        token.save(update_fields=["public_id"])


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_confirmed_addresses")]

    operations = [
        migrations.AddField(
            model_name="bearertoken",
            name="public_id",
            field=models.UUIDField(null=True, default=uuid.uuid4, editable=False),
        ),
        migrations.RunPython(name_present_tokens, migrations.RunPython.noop, elidable=True),
        migrations.AlterField(
            model_name="bearertoken",
            name="public_id",
            field=models.UUIDField(default=uuid.uuid4, editable=False, unique=True),
        ),
    ]
