"""URLs of signing in, the account pages, and their API, on the platform's host only.

django-allauth looks up the names that start with `account_`, `mfa_`, and `socialaccount_`.
"""

from allauth.account import views as allauth_views
from allauth.urls import build_provider_urlpatterns
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from apps.accounts.api.views import account as api
from apps.accounts.api.views import confirmation, passwords, tokens
from apps.accounts.views import account as views_account
from apps.accounts.views import sign_in

login = sign_in.LoginView.as_view()
reset = sign_in.ResetPasswordPage.as_view()

urlpatterns = [
    path("login", login, name="login"),
    path("login", login, name="account_login"),
    path("logout", sign_in.sign_out_page, name="logout"),
    path("logout", sign_in.sign_out_page, name="account_logout"),
    path("forgot-password", sign_in.ForgotPasswordPage.as_view(), name="account_reset_password"),
    path("reset-password", reset, name="reset_password"),
    path("restaurant/reset-password", reset),
    path("verify-email", sign_in.verify_email, name="verify_email"),
    # --- account pages ---
    path("account", views_account.account, name="account"),
    path("account/name", views_account.change_name, name="account_name"),
    path("account/sessions", views_account.end_sessions, name="account_sessions"),
    path(
        "account/sessions/<int:session_id>",
        views_account.end_one_session,
        name="account_session",
    ),
    path("account/tokens", views_account.create_token, name="account_tokens"),
    path("account/tokens/<uuid:token_id>", views_account.revoke, name="account_token"),
    path("account/confirmation", views_account.send_confirmation, name="account_confirmation"),
    path("account/email", views_account.EmailView.as_view(), name="account_email"),
    path(
        "account/password",
        views_account.ChangePasswordView.as_view(),
        name="account_change_password",
    ),
    path(
        "account/password/first",
        views_account.SetPasswordView.as_view(),
        name="account_set_password",
    ),
    path(
        "account/again",
        views_account.ReauthenticateView.as_view(),
        name="account_reauthenticate",
    ),
    re_path(
        r"^account/confirm-email/(?P<key>[-:\w]+)$",
        allauth_views.confirm_email,
        name="account_confirm_email",
    ),
    path("account/inactive", allauth_views.account_inactive, name="account_inactive"),
    path(
        "account/sign-up",
        RedirectView.as_view(url="/", query_string=False),
        name="account_signup",
    ),
    path("account/two-factor/", include("allauth.mfa.urls")),
    path("account/connections/", include("allauth.socialaccount.urls")),
    path("account/with/", include(build_provider_urlpatterns())),
    # --- the API ---
    path("api/logout", api.LogoutView.as_view()),
    path("api/hcaptcha-config", confirmation.HcaptchaConfigView.as_view()),
    path("api/verify-hcaptcha", confirmation.VerifyHcaptchaView.as_view()),
    path("api/send-email-confirmation", confirmation.SendEmailConfirmationView.as_view()),
    path("api/forgot-password", passwords.ForgotPasswordView.as_view()),
    path("api/validate-reset-token", passwords.ValidateResetTokenView.as_view()),
    path("api/reset-password", passwords.ResetPasswordView.as_view()),
    path("api/restaurant/password", passwords.PasswordView.as_view()),
    path("api/tokens", tokens.TokensView.as_view()),
    path("api/tokens/<uuid:token_id>", tokens.TokenView.as_view()),
]
