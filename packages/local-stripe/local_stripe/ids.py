"""IDs in Stripe's format: a prefix for the object type, then random letters and digits."""

import secrets
import string

_ALPHABET = (string.ascii_letters + string.digits).encode()
# The character for each byte, so a whole ID needs one call for random bytes, not one for each.
_CHARACTER_OF_BYTE = bytes(_ALPHABET[byte % len(_ALPHABET)] for byte in range(256))

PREFIXES = {
    "account": "acct_",
    "application_fee": "fee_",
    "balance_transaction": "txn_",
    "bank_account": "ba_",
    "billing_portal.session": "bps_",
    "charge": "ch_",
    "checkout.session": "cs_test_",
    "customer": "cus_",
    "dispute": "du_",
    "event": "evt_",
    "fee_refund": "fr_",
    "file": "file_",
    "invoice": "in_",
    "invoiceitem": "ii_",
    "item": "li_",
    "line_item": "il_",
    "payment_intent": "pi_",
    "payment_method": "pm_",
    "payment_method_domain": "pmd_",
    "payout": "po_",
    "price": "price_",
    "product": "prod_",
    "radar.early_fraud_warning": "issfr_",
    "refund": "re_",
    "setup_intent": "seti_",
    "subscription": "sub_",
    "subscription_item": "si_",
    "transfer": "tr_",
    "transfer_reversal": "trr_",
    "webhook_endpoint": "we_",
}
_LENGTHS = {"account": 16, "checkout.session": 58, "customer": 14, "product": 14}


def random_text(length: int) -> str:
    return secrets.token_bytes(length).translate(_CHARACTER_OF_BYTE).decode()


def new_id(kind: str) -> str:
    return PREFIXES[kind] + random_text(_LENGTHS.get(kind, 24))


def new_request_id() -> str:
    return "req_" + random_text(14)


def new_client_secret(intent_id: str) -> str:
    return f"{intent_id}_secret_{random_text(25)}"
