import uuid

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models

import apps.common.clock
import apps.restaurants.models.restaurants
from apps.common.rls import protect


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="IncompleteRegistration",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("original_restaurant_id", models.UUIDField(unique=True)),
                ("email", models.EmailField(max_length=255)),
                ("name", models.CharField(max_length=255)),
                ("state", models.CharField(blank=True, max_length=50)),
                ("country", models.CharField(blank=True, max_length=50)),
                ("subscription_tier", models.CharField(max_length=20)),
                ("slug", models.CharField(max_length=100)),
                ("registration_step", models.CharField(blank=True, max_length=50)),
                ("archived_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Restaurant",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "schema_name",
                    models.CharField(
                        default=apps.restaurants.models.restaurants._schema_name,
                        editable=False,
                        max_length=63,
                        unique=True,
                    ),
                ),
                ("name", models.CharField(blank=True, max_length=255)),
                ("business_name", models.CharField(blank=True, max_length=255)),
                ("owner_name", models.CharField(blank=True, max_length=100)),
                ("description", models.TextField(blank=True)),
                ("street_address", models.CharField(blank=True, max_length=255)),
                ("city", models.CharField(blank=True, max_length=100)),
                ("state", models.CharField(blank=True, max_length=50)),
                ("zip_code", models.CharField(blank=True, max_length=20)),
                ("country", models.CharField(blank=True, max_length=50)),
                (
                    "latitude",
                    models.DecimalField(blank=True, decimal_places=7, max_digits=10, null=True),
                ),
                (
                    "longitude",
                    models.DecimalField(blank=True, decimal_places=7, max_digits=10, null=True),
                ),
                ("timezone", models.CharField(default="America/New_York", max_length=64)),
                ("phone", models.CharField(blank=True, max_length=50)),
                ("email", models.EmailField(max_length=255, unique=True)),
                ("email_confirmed_at", models.DateTimeField(blank=True, null=True)),
                ("new_email", models.EmailField(blank=True, max_length=255)),
                ("website", models.URLField(blank=True, max_length=500)),
                ("cuisine_type", models.CharField(blank=True, max_length=100)),
                ("tax_number", models.CharField(blank=True, max_length=50)),
                ("hours_of_operation", models.JSONField(blank=True, default=dict)),
                ("social_media_links", models.JSONField(blank=True, default=dict)),
                (
                    "embed_sites",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=259),
                        blank=True,
                        default=list,
                        size=None,
                    ),
                ),
                ("show_map_on_patron_menu", models.BooleanField(default=False)),
                ("shows_ratings", models.BooleanField(default=False)),
                ("asks_for_phone", models.BooleanField(default=False)),
                ("payment_customer_id", models.CharField(blank=True, max_length=255)),
                (
                    "revenue_share_percentage",
                    models.DecimalField(
                        decimal_places=2,
                        default=apps.restaurants.models.restaurants.default_revenue_share,
                        max_digits=5,
                    ),
                ),
                ("has_subscription", models.BooleanField(default=False)),
                ("billing_email", models.EmailField(blank=True, max_length=255)),
                (
                    "total_revenue_shared",
                    models.DecimalField(decimal_places=2, default=0, max_digits=10),
                ),
                ("last_billing_date", models.DateTimeField(blank=True, null=True)),
                ("currency", models.CharField(default="usd", max_length=3)),
                ("slug", models.SlugField(max_length=100, unique=True)),
                ("subdomain", models.CharField(max_length=100, unique=True)),
                ("subdomain_chosen_at", models.DateTimeField(blank=True, null=True)),
                ("domain", models.CharField(blank=True, max_length=253)),
                ("requires_two_factor", models.BooleanField(default=False)),
                ("support_access_until", models.DateTimeField(blank=True, null=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("active", "Active"),
                            ("suspended", "Suspended"),
                            ("inactive", "Inactive"),
                        ],
                        default="active",
                        max_length=20,
                    ),
                ),
                (
                    "registration_status",
                    models.CharField(
                        choices=[("incomplete", "Incomplete"), ("complete", "Complete")],
                        default="incomplete",
                        max_length=20,
                    ),
                ),
                ("registration_step", models.CharField(blank=True, max_length=50)),
                ("terms_version", models.CharField(blank=True, max_length=10)),
                ("terms_agreed_at", models.DateTimeField(blank=True, null=True)),
                ("terms_agreed_from", models.GenericIPAddressField(blank=True, null=True)),
                (
                    "subscription_tier",
                    models.CharField(
                        choices=[
                            ("free", "Free"),
                            ("branded", "Branded"),
                            ("enterprise", "Enterprise"),
                        ],
                        default="free",
                        max_length=20,
                    ),
                ),
                ("tier_type", models.CharField(blank=True, max_length=20)),
                (
                    "next_tier",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("free", "Free"),
                            ("branded", "Branded"),
                            ("enterprise", "Enterprise"),
                        ],
                        max_length=20,
                    ),
                ),
                ("next_tier_from", models.DateField(blank=True, null=True)),
                ("branding_options", models.JSONField(blank=True, default=dict)),
                ("settings", models.JSONField(blank=True, default=dict)),
                ("onboarding_completed", models.BooleanField(default=False)),
                ("profile_completed", models.BooleanField(default=False)),
                ("marketing_completed", models.BooleanField(default=False)),
                ("marketing_opt_out", models.BooleanField(default=False)),
                ("stripe_completed", models.BooleanField(default=False)),
                ("password_set", models.BooleanField(default=False)),
                ("monthly_special_offers_count", models.PositiveIntegerField(default=0)),
                ("last_special_offer_reset_date", models.DateField(blank=True, null=True)),
                ("special_offers_limit_reached", models.BooleanField(default=False)),
                ("monthly_emails_sent", models.PositiveIntegerField(default=0)),
                ("last_email_reset_date", models.DateField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("next_tier_from__isnull", False)),
                        fields=["next_tier_from"],
                        name="plan_changes_to_come",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        django.db.models.functions.text.Lower("subdomain"),
                        name="one_restaurant_per_subdomain",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("revenue_share_percentage__range", (0, 100))),
                        name="revenue_share_is_a_percentage",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "currency__in",
                                ("usd", "cad", "eur", "gbp", "aud", "nzd", "chf", "mxn"),
                            )
                        ),
                        name="currency_is_supported",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("next_tier", ""), ("next_tier_from", None)),
                            models.Q(
                                models.Q(("next_tier", ""), _negated=True),
                                ("next_tier_from__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="next_tier_has_its_day",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="FormerAddress",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("host", models.CharField(max_length=253, unique=True)),
                ("until", models.DateTimeField(db_index=True)),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="former_addresses",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Domain",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("domain", models.CharField(db_index=True, max_length=253, unique=True)),
                ("is_primary", models.BooleanField(db_index=True, default=True)),
                (
                    "tenant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="domains",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="RestaurantTransition",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("field", models.CharField(max_length=20)),
                ("old", models.CharField(max_length=20)),
                ("new", models.CharField(max_length=20)),
                ("reason_code", models.CharField(blank=True, max_length=60)),
                ("reason", models.CharField(blank=True, max_length=200)),
                ("actor", models.CharField(blank=True, max_length=100)),
                ("at", models.DateTimeField()),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="transitions",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="OwnDomain",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("host", models.CharField(max_length=253)),
                ("token", models.CharField(max_length=43)),
                (
                    "status",
                    models.CharField(
                        choices=[("waiting", "Waiting"), ("live", "Live"), ("failing", "Failing")],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                (
                    "ownership",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "Unasked"),
                            ("found", "Found"),
                            ("missing", "Missing"),
                            ("different", "Different"),
                            ("silent", "Silent"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "routing",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "Unasked"),
                            ("found", "Found"),
                            ("missing", "Missing"),
                            ("different", "Different"),
                            ("silent", "Silent"),
                        ],
                        max_length=10,
                    ),
                ),
                ("is_taken", models.BooleanField(default=False)),
                ("added_at", models.DateTimeField()),
                ("check_at", models.DateTimeField(null=True)),
                ("checked_at", models.DateTimeField(null=True)),
                ("failing_since", models.DateTimeField(null=True)),
                (
                    "restaurant",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="own_domain",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["check_at"], name="domains_to_check")],
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("owner", "Owner"),
                            ("manager", "Manager"),
                            ("kitchen", "Kitchen"),
                        ],
                        max_length=20,
                    ),
                ),
                ("role_since", models.DateTimeField(default=apps.common.clock.now)),
                ("created_at", models.DateTimeField(default=apps.common.clock.now)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("user", "restaurant"), name="one_membership_each"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("email", models.EmailField(max_length=255)),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("owner", "Owner"),
                            ("manager", "Manager"),
                            ("kitchen", "Kitchen"),
                        ],
                        max_length=20,
                    ),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("created_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("accepted_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "invited_by",
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
                        related_name="invitations",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        models.F("restaurant"),
                        django.db.models.functions.text.Lower("email"),
                        condition=models.Q(("accepted_at", None), ("revoked_at", None)),
                        name="one_open_invitation_each",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="IdempotencyKey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("caller", models.CharField(blank=True, max_length=36)),
                ("key", models.CharField(max_length=200)),
                ("fingerprint", models.CharField(max_length=64)),
                ("claimed_until", models.DateTimeField(blank=True, null=True)),
                ("result_id", models.UUIDField(blank=True, null=True)),
                ("status", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("body", models.JSONField(blank=True, null=True)),
                ("created_at", models.DateTimeField(db_index=True)),
                (
                    "restaurant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="restaurants.restaurant",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("restaurant", "caller", "key"),
                        name="one_request_per_idempotency_key",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SupportVisit",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("reason", models.CharField(max_length=200)),
                ("asked_at", models.DateTimeField()),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("ends_at", models.DateTimeField(blank=True, null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "restaurant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="support_visits",
                        to="restaurants.restaurant",
                    ),
                ),
                (
                    "staff",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["restaurant", "-asked_at"], name="latest_support_visit")
                ],
            },
        ),
        *protect(
            "restaurants_restauranttransition",
            "restaurants_owndomain",
            "restaurants_formeraddress",
            "restaurants_membership",
            "restaurants_invitation",
            "restaurants_supportvisit",
            "restaurants_idempotencykey",
        ),
    ]
