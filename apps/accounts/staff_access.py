"""The rule for platform staff: their rights belong to a session, not to an account."""

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request

from apps.accounts.models import User
from apps.accounts.step_up import has_passed_second_factor, is_by_token


def has_staff_access(request: HttpRequest | Request, user: User) -> bool:
    """Whether this request has staff rights: active staff in a two-step session.

    Never with a bearer token. Only the demo's own staff account works without a second factor, and
    only in the demo.
    """
    if not user.is_staff or not user.is_active or is_by_token(request):
        return False
    in_demo = settings.DEMO and user.email.lower() == settings.DEMO_STAFF_EMAIL
    return in_demo or has_passed_second_factor(request, user)
