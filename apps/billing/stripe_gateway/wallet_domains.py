"""Payment method domains: the hosts where Stripe's elements may show wallets.

They belong to the account whose publishable key the page uses. With destination charges that is the
platform's; only platforms with direct charges register domains for connected accounts:
https://docs.stripe.com/payments/payment-methods/pmd-registration
"""

from typing import Any
from urllib.parse import quote

from apps.billing.gateway import DomainSnapshot
from apps.billing.stripe_gateway.client import ask, our_errors, read

_PATH = "/v1/payment_method_domains"
# What a guest's card can be in; intents are of cards only (decision 99).
_WALLETS = ("apple_pay", "google_pay")


def find_wallet_domain(host: str) -> DomainSnapshot | None:
    """The host as Stripe has it. https://docs.stripe.com/api/payment_method_domains/list"""
    with our_errors():
        found = ask("get", _PATH, domain_name=host, limit=1)["data"]
        return _snapshot(found[0]) if found else None


def register_wallet_domain(host: str, *, key: str) -> DomainSnapshot:
    with our_errors():
        return _snapshot(ask("post", _PATH, idempotency_key=key, domain_name=host, enabled=True))


def set_wallet_domain_enabled(domain_id: str, *, enabled: bool, key: str) -> DomainSnapshot:
    """Stripe has no deletion: a domain that isn't ours anymore is disabled.

    https://docs.stripe.com/api/payment_method_domains/update
    """
    with our_errors():
        return _snapshot(ask("post", _path_of(domain_id), idempotency_key=key, enabled=enabled))


def validate_wallet_domain(domain_id: str, *, key: str) -> DomainSnapshot:
    """Let Stripe look again at what was inactive.

    https://docs.stripe.com/api/payment_method_domains/validate
    """
    with our_errors():
        return _snapshot(ask("post", f"{_path_of(domain_id)}/validate", idempotency_key=key))


def _path_of(domain_id: str) -> str:
    return f"{_PATH}/{quote(domain_id, safe='')}"


def _snapshot(found: dict[str, Any]) -> DomainSnapshot:
    problems = [
        read(found, wallet, "status_details", "error_message") or f"{wallet} is inactive"
        for wallet in _WALLETS
        if read(found, wallet, "status") != "active"
    ]
    return DomainSnapshot(
        domain_id=found["id"],
        is_enabled=found["enabled"],
        problem=" ".join(problems),
    )
