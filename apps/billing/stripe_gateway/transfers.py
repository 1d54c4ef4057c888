"""Transfers to restaurants: reversed for a dispute, and made again when it is won.

With destination charges Stripe takes a disputed amount from the platform and leaves the transfer
alone: https://docs.stripe.com/disputes/connect
"""

from typing import Any
from urllib.parse import quote

from apps.billing.gateway import Transfer, TransferReversal
from apps.billing.stripe_gateway.client import ask, id_of, our_errors, read
from apps.common.money import Money

_PAGE_SIZE = 100


def retrieve_transfer(transfer_id: str) -> Transfer:
    """The transfer with all of its reversals."""
    path = f"/v1/transfers/{quote(transfer_id, safe='')}"
    with our_errors():
        found = ask("get", path)
        page = ask("get", f"{path}/reversals", limit=_PAGE_SIZE)
        return _transfer(found, page["data"])


def reverse_transfer(
    transfer_id: str, *, amount: Money, with_fee: bool, dispute_id: str, key: str
) -> None:
    """Take part of a transfer back, and return the same share of our fee if there was one.

    https://docs.stripe.com/api/transfer_reversals/create
    """
    params: dict[str, Any] = {"amount": amount.cents, "metadata": {"dispute": dispute_id}}
    if with_fee:
        params["refund_application_fee"] = True
    with our_errors():
        path = f"/v1/transfers/{quote(transfer_id, safe='')}/reversals"
        ask("post", path, idempotency_key=key, **params)


def transfer_for_dispute(dispute_id: str) -> Transfer | None:
    """The transfer that was made because this dispute was won."""
    with our_errors():
        page = ask("get", "/v1/transfers", transfer_group=dispute_id, limit=1)
        return _transfer(page["data"][0], []) if page["data"] else None


def return_transfer(
    *, amount: Money, currency: str, destination: str, dispute_id: str, key: str
) -> Transfer:
    """Transfer the money again after a won dispute.

    Raises Refused if the platform's balance doesn't cover it.
    """
    with our_errors():
        made = ask(
            "post",
            "/v1/transfers",
            idempotency_key=key,
            amount=amount.cents,
            currency=currency,
            destination=destination,
            transfer_group=dispute_id,
            metadata={"dispute": dispute_id},
        )
        return _transfer(made, [])


def _transfer(found: Any, reversals: list[Any]) -> Transfer:
    return Transfer(
        transfer_id=read(found, "id"),
        amount=Money(read(found, "amount")),
        currency=read(found, "currency"),
        destination=id_of(read(found, "destination")),
        reversals=tuple(
            TransferReversal(
                reversal_id=read(each, "id"),
                amount=Money(read(each, "amount")),
                dispute_id=read(each, "metadata", "dispute") or "",
            )
            for each in reversals
        ),
    )
