"""Connected accounts of restaurants, which receive their money."""

import stripe

from apps.billing.gateway import Account
from apps.billing.stripe_gateway.client import our_errors, read


def create_account(*, email: str, name: str, country: str, key: str) -> Account:
    """Create an account in this country (ISO code), which can't be changed later.

    Nothing is paid out by itself: `payouts` decides when (decision 46). The capabilities are those
    of a destination charge on behalf of the account, in every country (decision 48).
    https://docs.stripe.com/connect/manual-payouts
    """
    with our_errors():
        account = stripe.Account.create(
            type="express",
            country=country,
            email=email,
            business_profile={"name": name},
            capabilities={
                "card_payments": {"requested": True},
                "transfers": {"requested": True},
            },
            settings={
                "payouts": {
                    "schedule": {"interval": "manual"},
                    # Stripe takes what the account owes from its bank, where it can.
                    "debit_negative_balances": True,
                }
            },
            idempotency_key=key,
        )
        return _account(account)


def onboarding_url(account_id: str, *, return_url: str, refresh_url: str) -> str:
    """The URL of Stripe's onboarding pages, valid once and for a few minutes."""
    with our_errors():
        link = stripe.AccountLink.create(
            account=account_id,
            type="account_onboarding",
            return_url=return_url,
            refresh_url=refresh_url,
        )
        return link.url


def dashboard_url(account_id: str) -> str:
    """The URL of the restaurant's Stripe dashboard, valid once and for a few minutes.

    Raises Refused until the account's details are submitted.
    """
    with our_errors():
        return stripe.Account.create_login_link(account_id).url


def retrieve_account(account_id: str) -> Account:
    with our_errors():
        return _account(stripe.Account.retrieve(account_id))


def _account(account: stripe.Account) -> Account:
    requirements = {
        name: list(read(account, "requirements", name) or [])
        for name in ("currently_due", "eventually_due", "past_due", "pending_verification")
    }
    return Account(
        account_id=account.id,
        details_submitted=bool(account.details_submitted),
        charges_enabled=bool(account.charges_enabled),
        payouts_enabled=bool(account.payouts_enabled),
        requirements=requirements,
        disabled_reason=read(account, "requirements", "disabled_reason") or "",
        country=read(account, "country") or "US",
        currency=read(account, "default_currency") or "usd",
    )
