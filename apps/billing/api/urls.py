"""The API of a restaurant's account and money, on the platform's host."""

from django.urls import path

from apps.billing.api.views import connect, sign_up, subscriptions

urlpatterns = [
    path("subscription/create-checkout-session", subscriptions.CreateCheckoutSessionView.as_view()),
    path("subscriptions/status", subscriptions.SubscriptionStatusView.as_view()),
    path("subscriptions/cancel", subscriptions.CancelView.as_view()),
    path("subscriptions/resume", subscriptions.ResumeView.as_view()),
    path("create-subscription-payment-intent", sign_up.SubscriptionPaymentView.as_view()),
    path("restaurant/register", sign_up.RegisterSubscriberView.as_view()),
    path("subscriptions/billing-portal", subscriptions.BillingPortalView.as_view()),
    path("connect-status", connect.ConnectStatusView.as_view()),
    path("connect-onboarding", connect.ConnectOnboardingView.as_view()),
    path("connect-dashboard", connect.ConnectDashboardView.as_view()),
    path("stripe/onboarding", connect.StripeOnboardingView.as_view()),
]
