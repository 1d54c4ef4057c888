"""Users, their bearer tokens, and pending email confirmations."""

import uuid
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models.functions import Lower


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Create a user. The email is stored as typed and is unique regardless of case."""
        user = self.model(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.full_clean(exclude=["password"])
        user.save(force_insert=True)
        return user

    def get_by_natural_key(self, username: str | None) -> "User":
        # `iexact` would compare UPPER(email), and the index is on LOWER(email).
        return self.alias(address=Lower("email")).get(address=(username or "").lower())


class User(AbstractBaseUser, PermissionsMixin):
    """A person who signs in. Memberships say which restaurants they work for."""

    class Role(models.TextChoices):
        ADMIN = "admin", "Admin"
        USER = "user", "User"
        EDITOR = "editor", "Editor"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    email = models.EmailField(max_length=255, unique=True)
    name = models.CharField(max_length=100)
    role = models.CharField(max_length=20, choices=Role, default=Role.USER)
    has_completed_onboarding = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    class Meta:
        constraints = [
            models.UniqueConstraint(Lower("email"), name="one_account_per_email"),
        ]

    def __str__(self) -> str:
        return self.email

    @property
    def is_staff(self) -> bool:
        """Whether this is platform staff (not a restaurant's)."""
        return self.role == self.Role.ADMIN


class BearerToken(models.Model):
    """An API client's token. Only its SHA-256 is stored; it is shown once (DECISIONS X51)."""

    class Scope(models.TextChoices):
        """What a client can do with the token, within its user's role."""

        READ = "read", "Read"
        ORDERS = "orders", "Read, and manage orders"
        EVERYTHING = "everything", "Everything your role can do"

    public_id = models.UUIDField(default=uuid.uuid4, editable=False, unique=True)
    name = models.CharField(max_length=50)
    scope = models.CharField(max_length=20, choices=Scope, default=Scope.EVERYTHING)
    user = models.ForeignKey(User, models.CASCADE, related_name="bearer_tokens")
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(db_index=True)
    last_used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"token of {self.user_id} until {self.expires_at:%Y-%m-%d}"


class EmailConfirmation(models.Model):
    """A confirmation link sent to an email address, whether or not it has an account yet.

    Only the SHA-256 of its token is stored. The row is deleted when the link is used.
    """

    email = models.EmailField(max_length=255)  # in lower case
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        indexes = [models.Index("email", name="confirmations_by_email")]

    def __str__(self) -> str:
        return f"{self.email} until {self.expires_at:%Y-%m-%d %H:%M}"
