"""The account's own pages: who one is, how one signs in, and what is signed in."""

from typing import Any
from uuid import UUID

from allauth.account import views as allauth_views
from allauth.account.models import EmailAddress
from allauth.socialaccount.adapter import get_adapter as social_adapter
from allauth.usersessions.internal.flows.sessions import end_other_sessions
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from apps.accounts import rate_limits
from apps.accounts.browsers import browser_name
from apps.accounts.forms import NameForm
from apps.accounts.models import User
from apps.accounts.services import confirmation
from apps.accounts.services import sign_out as end_session
from apps.accounts.services.accounts import AlreadyRegistered, account_for_email, is_confirmed
from apps.accounts.services.tokens import revoke_all_tokens, revoke_listed_token, tokens_of
from apps.accounts.two_factor import has_second_factor, has_staff_access
from apps.common import clock
from apps.common.errors import DomainError

NAME_SAVED = "Your name is saved."
OTHERS_ENDED = "Every other device and program has been signed out."
TOKEN_ENDED = "The token is revoked."
TAKEN = "There is an account with this e-mail. Use another one."
EMAIL_SENT = "A letter with a link is on its way to {email}."


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # login_required
    return request.user


def _page(request: HttpRequest, form: NameForm, status: int = 200) -> HttpResponse:
    user = _user(request)
    sessions = UserSession.objects.purge_and_list(user)
    for session in sessions:
        session.browser = browser_name(session.user_agent)
    context: dict[str, Any] = {
        "account": user,
        "form": form,
        "is_confirmed": is_confirmed(user),
        "new_address": EmailAddress.objects.filter(
            user=user, verified=False, primary=False
        ).first(),
        "has_second_factor": has_second_factor(user),
        "needs_second_factor": user.is_staff and not has_staff_access(user),
        "sessions": sorted(sessions, key=lambda each: each.created_at, reverse=True),
        "tokens": tokens_of(user, now=clock.now()),
        "providers": social_adapter(request).list_providers(request),
    }
    return render(request, "accounts/account.html", context, status=status)


@require_safe
@never_cache
@login_required
def account(request: HttpRequest) -> HttpResponse:
    return _page(request, NameForm({"name": _user(request).name}))


@require_POST
@login_required
def change_name(request: HttpRequest) -> HttpResponse:
    form = NameForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=400)
    user = _user(request)
    user.name = form.cleaned_data["name"]
    user.save(update_fields=["name"])
    messages.success(request, NAME_SAVED)
    return redirect("account")


@require_POST
@login_required
def end_sessions(request: HttpRequest) -> HttpResponse:
    """Sign out everywhere else, or with `everywhere` here too; every bearer token ends."""
    user = _user(request)
    revoke_all_tokens(user=user)
    end_other_sessions(request, user)
    if request.POST.get("everywhere"):
        end_session(request=request)
        return redirect("login")
    messages.success(request, OTHERS_ENDED)
    return redirect("account")


@require_POST
@login_required
def revoke(request: HttpRequest, token_id: UUID) -> HttpResponse:
    try:
        revoke_listed_token(user=_user(request), token_id=token_id)
        messages.success(request, TOKEN_ENDED)
    except DomainError as refusal:
        messages.error(request, refusal.message)
    return redirect("account")


@require_POST
@login_required
def send_confirmation(request: HttpRequest) -> HttpResponse:
    """Another letter for an address that is not confirmed yet."""
    user = _user(request)
    try:
        rate_limits.EMAILS_PER_RECIPIENT.count(user.email)
        if not is_confirmed(user):
            confirmation.send_link(email=user.email.lower(), now=clock.now(), has_account=True)
        messages.success(request, EMAIL_SENT.format(email=user.email))
    except DomainError as refusal:
        messages.error(request, refusal.message)
    return redirect("account")


class EmailView(allauth_views.EmailView):  # type: ignore[misc]
    """Another address: the present one stays until the new one is confirmed."""

    success_url = reverse_lazy("account_email")

    def form_valid(self, form: Any) -> HttpResponse:
        user, address = _user(self.request), form.cleaned_data["email"]
        taken = account_for_email(address)
        try:
            if taken is not None and taken != user:
                raise AlreadyRegistered
            if is_confirmed(user):
                return super().form_valid(form)  # type: ignore[no-any-return]
            rate_limits.EMAILS_PER_RECIPIENT.count(address)
            confirmation.replace_unconfirmed(user=user, email=address, now=clock.now())
        except AlreadyRegistered:
            form.add_error("email", TAKEN)
            return self.form_invalid(form)  # type: ignore[no-any-return]
        except DomainError as refusal:
            form.add_error("email", refusal.message)
            return self.form_invalid(form)  # type: ignore[no-any-return]
        messages.success(self.request, EMAIL_SENT.format(email=address))
        return redirect("account")


_secret = sensitive_post_parameters("oldpassword", "password1", "password2")


@method_decorator([never_cache, _secret], name="dispatch")
class ChangePasswordView(allauth_views.PasswordChangeView):  # type: ignore[misc]
    success_url = reverse_lazy("account")


@method_decorator([never_cache, _secret], name="dispatch")
class SetPasswordView(allauth_views.PasswordSetView):  # type: ignore[misc]
    success_url = reverse_lazy("account")
