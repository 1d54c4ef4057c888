"""Account services, one module per use case. The most used names are exported here."""

from apps.accounts.services.passwords import LONGEST_PASSWORD
from apps.accounts.services.sign_in import (
    INVALID_LOGIN,
    CodeNeeded,
    InvalidLogin,
    sign_in,
    sign_out,
)
from apps.accounts.services.tokens import (
    issue_token,
    revoke_all_tokens,
    revoke_token,
    valid_token,
)

__all__ = [
    "INVALID_LOGIN",
    "LONGEST_PASSWORD",
    "CodeNeeded",
    "InvalidLogin",
    "issue_token",
    "revoke_all_tokens",
    "revoke_token",
    "sign_in",
    "sign_out",
    "valid_token",
]
