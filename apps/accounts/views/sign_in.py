"""Sign-in, sign-out, password reset, and email confirmation pages.

The forms work without JavaScript; islands replace some of them.
"""

from typing import Any

from allauth.socialaccount.adapter import get_adapter as social_adapter
from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from apps.accounts import bot_check, rate_limits
from apps.accounts import emails as accounts_emails
from apps.accounts.api.views.passwords import EMAIL_SENT, RESET
from apps.accounts.forms import ForgotPasswordForm, LoginForm, NewPasswordForm
from apps.accounts.known_devices import remember_device
from apps.accounts.services import CodeNeeded, passwords, sign_in
from apps.accounts.services import sign_out as end_session
from apps.accounts.services.sign_in import safe_destination
from apps.common import clock
from apps.common.client_address import client_address
from apps.common.errors import DomainError

# The next page after an email is confirmed.
AFTER_CONFIRMATION = "/free-tier-quick-start"


def render_refusal(form: Form, refusal: DomainError) -> None:
    """Show the error at the fields it names, otherwise above the form."""
    shown = [error for error in refusal.fields if error.field in form.fields]
    for error in shown:
        form.add_error(error.field, error.message)
    if not shown:
        form.add_error(None, refusal.message)


def render_answer(
    request: HttpRequest, template: str, context: dict[str, Any], refusal: DomainError | None = None
) -> HttpResponse:
    """Render the page, with the status and the Retry-After header of `refusal`, if any."""
    page = render(request, template, context, status=refusal.status if refusal else None)
    if refusal and refusal.retry_after:
        page.headers["Retry-After"] = str(refusal.retry_after)
    return page


@method_decorator(
    [never_cache, ensure_csrf_cookie, sensitive_post_parameters("password")], name="dispatch"
)
class LoginView(View):
    def get(self, request: HttpRequest) -> HttpResponse:
        destination = safe_destination(request.GET.get("next"))
        if request.user.is_authenticated:
            return redirect(destination)
        return self._form(request, LoginForm(), destination)

    def post(self, request: HttpRequest) -> HttpResponse:
        destination = safe_destination(request.POST.get("next"))
        form = LoginForm(request.POST)
        if not form.is_valid():
            return self._form(request, form, destination, status=400)
        try:
            user = sign_in(
                request=request,
                address=client_address(request),
                destination=destination,
                **form.cleaned_data,
            )
        except CodeNeeded:
            return redirect("mfa_authenticate")
        except DomainError as refusal:
            render_refusal(form, refusal)
            page = self._form(request, form, destination, status=refusal.status)
            if refusal.retry_after:
                page.headers["Retry-After"] = str(refusal.retry_after)
            return page
        response = redirect(destination)
        remember_device(request, response, user)
        return response

    @staticmethod
    def _form(
        request: HttpRequest, form: LoginForm, destination: str, status: int = 200
    ) -> HttpResponse:
        context = {
            "form": form,
            "next": destination,
            "providers": social_adapter(request).list_providers(request),
        }
        return render(request, "accounts/login.html", context, status=status)


@require_POST
def sign_out_page(request: HttpRequest) -> HttpResponse:
    end_session(request=request)
    return redirect("login")


@method_decorator(never_cache, name="dispatch")
class ForgotPasswordPage(View):
    """The sign-in page's "Forgot your password?" dialog, for browsers without JavaScript."""

    template = "accounts/forgot_password.html"

    def get(self, request: HttpRequest) -> HttpResponse:
        return render(request, self.template, {"form": ForgotPasswordForm()})

    def post(self, request: HttpRequest) -> HttpResponse:
        form = ForgotPasswordForm(request.POST)
        if not form.is_valid():
            return render(request, self.template, {"form": form}, status=400)
        email = form.cleaned_data["email"]
        try:
            rate_limits.EMAILS_BY_ADDRESS.count(client_address(request))
            rate_limits.EMAILS_PER_RECIPIENT.count(email)
            accounts_emails.queue_password_reset(email)
        except DomainError as refusal:
            render_refusal(form, refusal)
            return render_answer(request, self.template, {"form": form}, refusal)
        return render(request, self.template, {"sent": EMAIL_SENT})


@method_decorator(
    [never_cache, ensure_csrf_cookie, sensitive_post_parameters("password", "confirmation")],
    name="dispatch",
)
class ResetPasswordPage(View):
    """Choose a new password. The token is in the URL, so the page sends no Referer header."""

    template = "accounts/reset_password.html"

    def get(self, request: HttpRequest) -> HttpResponse:
        token = request.GET.get("token", "")
        valid = bool(token) and passwords.user_for_reset_token(token) is not None
        return self._page(request, token, NewPasswordForm() if valid else None)

    def post(self, request: HttpRequest) -> HttpResponse:
        token = request.POST.get("token", "")
        form = NewPasswordForm(request.POST)
        if not form.is_valid():
            return self._page(request, token, form, status=400)
        try:
            rate_limits.LINKS_BY_ADDRESS.count(client_address(request))
            passwords.reset_password(
                request=request, token=token, password=form.cleaned_data["password"]
            )
        except DomainError as refusal:
            render_refusal(form, refusal)
            is_over = any(error.field == "token" for error in refusal.fields)
            return self._page(request, token, None if is_over else form, status=refusal.status)
        messages.success(request, RESET)
        return redirect("login")

    def _page(
        self, request: HttpRequest, token: str, form: NewPasswordForm | None, status: int = 200
    ) -> HttpResponse:
        context = {"token": token, "form": form, "props": {"token": token}}
        page = render(request, self.template, context, status=status)
        page.headers["Referrer-Policy"] = "no-referrer"
        return page


@require_safe
@never_cache
@ensure_csrf_cookie
def verify_email(request: HttpRequest) -> HttpResponse:
    """The page a confirmation link opens. Its script sends the token.

    A GET changes nothing, so an email scanner that follows links doesn't use the link up.
    """
    props = {
        "email": request.GET.get("email", "")[:255],
        "token": request.GET.get("token", "")[:200],
        "next": AFTER_CONFIRMATION,
        **bot_check.form_props(now=clock.now()),
    }
    page = render(request, "accounts/verify_email.html", {"props": props})
    page.headers["Referrer-Policy"] = "no-referrer"
    return page
