"""Signing in and out as pages, without a script."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from apps.accounts import services
from apps.accounts.addresses import client_address
from apps.accounts.destinations import safe_destination
from apps.accounts.forms import LoginForm
from apps.common.errors import DomainError


@method_decorator([never_cache, sensitive_post_parameters("password")], name="dispatch")
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
            services.sign_in(request=request, address=client_address(request), **form.cleaned_data)
        except DomainError as refusal:
            form.add_error(None, refusal.message)
            answer = self._form(request, form, destination, status=refusal.status)
            if refusal.retry_after:
                answer.headers["Retry-After"] = str(refusal.retry_after)
            return answer
        return redirect(destination)

    @staticmethod
    def _form(
        request: HttpRequest, form: LoginForm, destination: str, status: int = 200
    ) -> HttpResponse:
        context = {"form": form, "next": destination}
        return render(request, "accounts/login.html", context, status=status)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    services.sign_out(request=request)
    return redirect("login")
