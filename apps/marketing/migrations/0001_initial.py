import uuid

import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models

import apps.common.languages
from apps.common.rls import protect


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("offers", "0001_initial"),
        ("preorders", "0001_initial"),
        ("restaurants", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Announcement",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("message", models.TextField(max_length=2000)),
                ("digest", models.CharField(max_length=64)),
                ("special_offer_ids", models.JSONField(default=list)),
                ("platforms", models.JSONField(default=list)),
                ("created_at", models.DateTimeField()),
                ("courtesy_copy_at", models.DateTimeField(blank=True, null=True)),
                ("short_message", models.TextField(blank=True, max_length=2000)),
                ("remind_at", models.DateTimeField(blank=True, null=True)),
                ("remind_attempts", models.PositiveSmallIntegerField(default=0)),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "remind_user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="announcements",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Campaign",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("announcement", "Announcement"),
                            ("nudge", "Reminder that it's close"),
                        ],
                        default="announcement",
                        max_length=15,
                    ),
                ),
                (
                    "segment",
                    models.CharField(
                        choices=[
                            ("all", "Everyone who follows you"),
                            ("ordered", "Followers who ordered before"),
                            ("waiting", "Followers on a waitlist"),
                            ("missed", "Followers who wanted a dish back"),
                        ],
                        default="all",
                        max_length=10,
                    ),
                ),
                ("subject", models.CharField(blank=True, max_length=120)),
                ("note", models.TextField(blank=True, max_length=2000)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("scheduled", "Scheduled"),
                            ("sending", "Sending"),
                            ("sent", "Sent"),
                            ("canceled", "Canceled"),
                        ],
                        default="scheduled",
                        max_length=10,
                    ),
                ),
                ("send_at", models.DateTimeField()),
                ("invited_up_to", models.UUIDField(blank=True, null=True)),
                ("is_invited", models.BooleanField(default=False)),
                ("limit_reached", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "announcement",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="campaigns",
                        to="marketing.announcement",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "restaurant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="campaigns",
                        to="restaurants.restaurant",
                    ),
                ),
                (
                    "special_offer",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="campaigns",
                        to="offers.specialoffer",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="DemoLead",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("email", models.EmailField(max_length=255)),
                ("ip_address", models.GenericIPAddressField(blank=True, null=True)),
                ("user_agent", models.CharField(blank=True, max_length=500)),
                ("completed_steps", models.JSONField(default=list)),
                ("referrer_url", models.CharField(blank=True, max_length=500)),
                ("created_at", models.DateTimeField()),
                ("last_seen_at", models.DateTimeField(db_index=True)),
                (
                    "converted_to_restaurant",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="EmailAnnouncementUsage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("emails_sent_count", models.PositiveIntegerField(default=0)),
                ("special_offer_ids", models.JSONField(default=list)),
                ("announcement_message", models.TextField(blank=True)),
                ("tier_type", models.CharField(blank=True, max_length=20)),
                ("limit_applied", models.PositiveIntegerField()),
                ("created_at", models.DateTimeField()),
                (
                    "announcement",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="marketing.announcement",
                    ),
                ),
                (
                    "campaign",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="usage",
                        to="marketing.campaign",
                    ),
                ),
                (
                    "restaurant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="EmailInvitation",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("customer_email", models.EmailField(blank=True, max_length=255)),
                ("customer_name", models.CharField(blank=True, max_length=255)),
                ("language", models.CharField(default=apps.common.languages.spoken, max_length=10)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("queued", "Waiting"),
                            ("sent", "Sent"),
                            ("delivered", "Delivered"),
                            ("opened", "Opened"),
                            ("clicked", "Clicked"),
                            ("ordered", "Ordered"),
                            ("dropped", "Not sent"),
                            ("failed", "Not delivered"),
                        ],
                        default="sent",
                        max_length=10,
                    ),
                ),
                ("due_at", models.DateTimeField()),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("claimed_at", models.DateTimeField(blank=True, null=True)),
                ("error", models.CharField(blank=True, max_length=255)),
                ("provider_id", models.CharField(blank=True, max_length=255)),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                ("delivered_at", models.DateTimeField(blank=True, null=True)),
                ("opened_at", models.DateTimeField(blank=True, null=True)),
                ("clicked_at", models.DateTimeField(blank=True, null=True)),
                ("ordered_at", models.DateTimeField(blank=True, null=True)),
                ("reservation_url", models.URLField(blank=True, max_length=500)),
                ("email_subject", models.CharField(blank=True, max_length=255)),
                ("created_at", models.DateTimeField()),
                (
                    "announcement",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="marketing.announcement",
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to="marketing.campaign",
                    ),
                ),
                (
                    "pre_order",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="preorders.preorder",
                    ),
                ),
                (
                    "restaurant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
                (
                    "special_offer",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="offers.specialoffer",
                    ),
                ),
                (
                    "subscriber",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="preorders.subscriber",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="announcement",
            index=models.Index(
                fields=["restaurant", "-created_at"], name="announcements_newest_first"
            ),
        ),
        migrations.AddIndex(
            model_name="announcement",
            index=models.Index(
                condition=models.Q(("remind_at__isnull", False)),
                fields=["remind_at"],
                name="announcements_to_remind",
            ),
        ),
        migrations.AddConstraint(
            model_name="announcement",
            constraint=models.UniqueConstraint(
                fields=("restaurant", "digest"), name="one_announcement_per_text"
            ),
        ),
        migrations.AddIndex(
            model_name="campaign",
            index=models.Index(fields=["restaurant", "-created_at"], name="campaigns_newest_first"),
        ),
        migrations.AddIndex(
            model_name="campaign",
            index=models.Index(
                condition=models.Q(("status__in", ["scheduled", "sending"])),
                fields=["send_at"],
                name="campaigns_under_way",
            ),
        ),
        migrations.AddConstraint(
            model_name="campaign",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind", "nudge")),
                fields=("special_offer",),
                name="one_nudge_per_special",
            ),
        ),
        migrations.AddConstraint(
            model_name="campaign",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "nudge"), _negated=True),
                    ("special_offer__isnull", False),
                    _connector="OR",
                ),
                name="nudge_is_about_a_special",
            ),
        ),
        migrations.AddConstraint(
            model_name="demolead",
            constraint=models.UniqueConstraint(
                django.db.models.functions.text.Lower("email"), name="one_lead_per_email"
            ),
        ),
        migrations.AddIndex(
            model_name="emailannouncementusage",
            index=models.Index(fields=["restaurant", "-created_at"], name="email_usage_of"),
        ),
        migrations.AddIndex(
            model_name="emailinvitation",
            index=models.Index(
                condition=models.Q(("status", "queued")),
                fields=["restaurant", "due_at"],
                name="invitations_queued",
            ),
        ),
        migrations.AddIndex(
            model_name="emailinvitation",
            index=models.Index(fields=["restaurant", "claimed_at"], name="invitations_pace"),
        ),
        migrations.AddIndex(
            model_name="emailinvitation",
            index=models.Index(fields=["campaign", "status"], name="invitations_of_campaign"),
        ),
        migrations.AddIndex(
            model_name="emailinvitation",
            index=models.Index(fields=["customer_email"], name="invitations_by_email"),
        ),
        migrations.AddConstraint(
            model_name="emailinvitation",
            constraint=models.UniqueConstraint(
                condition=models.Q(("customer_email", ""), _negated=True),
                fields=("campaign", "customer_email"),
                name="one_invitation_per_address",
            ),
        ),
        *protect(
            "marketing_announcement",
            "marketing_campaign",
            "marketing_emailinvitation",
            "marketing_emailannouncementusage",
        ),
    ]
