"""Account pages: name, email, password, devices, and API tokens."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from allauth.account import views as allauth_views
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.socialaccount.adapter import get_adapter as social_adapter
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from apps.accounts import rate_limits
from apps.accounts.emails import queue_password_reset
from apps.accounts.forms import NameForm, TokenForm
from apps.accounts.models import User
from apps.accounts.services import confirmation
from apps.accounts.services import sign_out as end_session
from apps.accounts.services.accounts import AlreadyRegistered, account_for_email, is_confirmed
from apps.accounts.services.sessions import end_other_sessions_and_tokens
from apps.accounts.services.sessions import end_session as end_device_session
from apps.accounts.services.tokens import (
    issue_token,
    revoke_listed_token,
    tokens_of,
)
from apps.accounts.staff_access import has_staff_access
from apps.accounts.step_up import REAUTHENTICATE_URL, has_stepped_up
from apps.accounts.two_factor import has_second_factor
from apps.activity.presentation import details_of, title_of
from apps.activity.selectors import events_of_account
from apps.common import clock
from apps.common.browsers import browser_name
from apps.common.cursors import cursor_of_page
from apps.common.errors import DomainError

NAME_SAVED = "Name saved."
OTHERS_ENDED = "All other devices and API clients are signed out."
SESSION_ENDED = "That device is signed out."
UNKNOWN_SESSION = "That device is already signed out."
TOKEN_ENDED = "Token revoked."
TAKEN = "That email already has an account. Use a different one."
TOKENS = "/account#tokens"  # the part of the account page where tokens are created
EMAIL_SENT = "We sent a link to {email}."


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # login_required
    return request.user


def _name_form(request: HttpRequest) -> NameForm:
    return NameForm({"name": _user(request).name})


def _page(
    request: HttpRequest,
    form: NameForm,
    status: int = 200,
    *,
    token_form: TokenForm | None = None,
    new_token: str = "",
) -> HttpResponse:
    user = _user(request)
    sessions = UserSession.objects.purge_and_list(user)
    for session in sessions:
        session.browser = browser_name(session.user_agent)
    events = events_of_account(account=user, cursor=cursor_of_page(request.GET.get("activity")))
    context: dict[str, Any] = {
        "account": user,
        "form": form,
        "activity": [
            {"event": each, "title": title_of(each), "details": details_of(each)}
            for each in events.events
        ],
        "older_activity": events.next_cursor,
        "is_older_activity": "activity" in request.GET,
        "is_confirmed": is_confirmed(user),
        "new_address": EmailAddress.objects.filter(
            user=user, verified=False, primary=False
        ).first(),
        "has_second_factor": has_second_factor(user),
        "needs_second_factor": user.is_staff and not has_staff_access(request, user),
        "sessions": sorted(sessions, key=lambda each: each.last_seen_at, reverse=True),
        "token_form": token_form or TokenForm(auto_id="token-%s"),
        "new_token": new_token,
        # Required before the form is shown: what is typed would be lost on the way to the proof.
        "proof_url": "" if has_stepped_up(request, user) else _proof_url(TOKENS),
        "tokens": tokens_of(user, now=clock.now()),
        "providers": social_adapter(request).list_providers(request),
    }
    return render(request, "accounts/account.html", context, status=status)


@require_safe
@never_cache
@login_required
def account(request: HttpRequest) -> HttpResponse:
    return _page(request, _name_form(request))


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
    """Revoke all bearer tokens and end all other sessions; with `everywhere`, this one too."""
    user = _user(request)
    end_other_sessions_and_tokens(request=request, user=user)
    if request.POST.get("everywhere"):
        end_session(request=request)
        return redirect("login")
    messages.success(request, OTHERS_ENDED)
    return redirect("account")


@require_POST
@login_required
def end_one_session(request: HttpRequest, session_id: int) -> HttpResponse:
    """Sign out one other device."""
    found = UserSession.objects.filter(user=_user(request), pk=session_id).first()
    if found is None:
        messages.error(request, UNKNOWN_SESSION)
    elif found.is_current():
        end_session(request=request)
        return redirect("login")
    else:
        end_device_session(found)
        messages.success(request, SESSION_ENDED)
    return redirect("account")


@require_POST
@never_cache
@login_required
def create_token(request: HttpRequest) -> HttpResponse:
    """Create an API token, shown on the page of the answer and never again."""
    user = _user(request)
    if not has_stepped_up(request, user):
        return to_reauthentication(TOKENS)
    form = TokenForm(request.POST, auto_id="token-%s")  # the page has another form with a name
    if not form.is_valid():
        return _page(request, _name_form(request), token_form=form, status=400)
    try:
        token = issue_token(
            user=user,
            name=form.cleaned_data["name"],
            scope=form.cleaned_data["scope"],
            lifetime=timedelta(days=form.cleaned_data["days"]),
            now=clock.now(),
        )
    except DomainError as refusal:
        form.add_error(None, refusal.message)
        return _page(request, _name_form(request), token_form=form, status=refusal.status)
    return _page(request, _name_form(request), new_token=token)


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
    """Resend the confirmation email."""
    user = _user(request)
    try:
        rate_limits.EMAILS_PER_RECIPIENT.count(user.email)
        if not is_confirmed(user):
            confirmation.send_link(email=user.email.lower(), now=clock.now(), has_account=True)
        messages.success(request, EMAIL_SENT.format(email=user.email))
    except DomainError as refusal:
        messages.error(request, refusal.message)
    return redirect("account")


class StepUpMixin:
    """A page that needs a step-up. Without one, it redirects to the page that asks for it."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if isinstance(request.user, User) and not has_stepped_up(request, request.user):
            return to_reauthentication(request.get_full_path())
        return super().dispatch(request, *args, **kwargs)  # type: ignore[misc,no-any-return]


def _proof_url(back: str) -> str:
    return f"{REAUTHENTICATE_URL}?{urlencode({'next': back})}"


def to_reauthentication(back: str) -> HttpResponse:
    """Redirect to the step-up page, which leads `back` afterwards."""
    return redirect(_proof_url(back))


class ReauthenticateView(allauth_views.ReauthenticateView):  # type: ignore[misc]
    """The step-up page: asks for the second factor where there is one, otherwise for the password.

    An account with neither gets a link by email that gives it a password, or signs in again.
    """

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        user = request.user
        methods = get_adapter().get_reauthentication_methods(user)
        if isinstance(user, User) and not methods:
            return self._without_password(request, user)
        if methods and methods[0]["id"] != "reauthenticate":
            query = request.GET.urlencode()
            return redirect(f"{methods[0]['url']}?{query}")
        return super().dispatch(request, *args, **kwargs)  # type: ignore[no-any-return]

    @staticmethod
    def _without_password(request: HttpRequest, user: User) -> HttpResponse:
        context: dict[str, Any] = {"account": user}
        if request.method == "POST":
            try:
                rate_limits.EMAILS_PER_RECIPIENT.count(user.email)
                queue_password_reset(user.email)
                context["sent"] = EMAIL_SENT.format(email=user.email)
            except DomainError as refusal:
                context["problem"] = refusal.message
        return render(request, "account/reauthenticate_by_email.html", context)


class EmailView(StepUpMixin, allauth_views.EmailView):  # type: ignore[misc]
    """Change the email. A confirmed email stays in use until the new one is confirmed."""

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
            confirmation.replace_unconfirmed(
                request=self.request, user=user, email=address, now=clock.now()
            )
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
class ChangePasswordView(StepUpMixin, allauth_views.PasswordChangeView):  # type: ignore[misc]
    success_url = reverse_lazy("account")


@method_decorator([never_cache, _secret], name="dispatch")
class SetPasswordView(StepUpMixin, allauth_views.PasswordSetView):  # type: ignore[misc]
    success_url = reverse_lazy("account")
