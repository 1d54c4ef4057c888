from django.db import migrations


def keep_present_addresses(apps, schema_editor):
    """Accounts that are there were opened by hand, so their addresses count as confirmed."""
    User = apps.get_model("accounts", "User")
    EmailAddress = apps.get_model("account", "EmailAddress")
    known = set(EmailAddress.objects.values_list("user_id", flat=True))
    EmailAddress.objects.bulk_create(
        EmailAddress(user_id=pk, email=email.lower(), verified=True, primary=True)
        for pk, email in User.objects.values_list("pk", "email")
        if pk not in known
    )


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_email_confirmation"),
        ("account", "0009_emailaddress_unique_primary_email"),
    ]

    operations = [migrations.RunPython(keep_present_addresses, migrations.RunPython.noop)]
