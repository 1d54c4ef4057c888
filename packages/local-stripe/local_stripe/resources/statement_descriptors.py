"""What a charge is called on a guest's bank statement."""

from ..server import Call
from ..store import Json

# https://docs.stripe.com/get-started/account/statement-descriptors
_MOST, _FORBIDDEN = 22, str.maketrans("", "", "<>\\'\"*")


def statement_descriptor(call: Call, intent: Json) -> str:
    """The intent's own, or that of the account the charge is on behalf of, which is its name unless
    it has set one: https://docs.stripe.com/changelog/2019-02-19/changes-statement-descriptor-behaviors-charges
    """
    if intent["statement_descriptor"] or not intent["on_behalf_of"]:
        return intent["statement_descriptor"] or "LOCAL STRIPE"
    account = call.for_account(None).get("account", intent["on_behalf_of"])
    own = account["settings"]["payments"]["statement_descriptor"]
    name = str(own or account["business_profile"]["name"] or "").translate(_FORBIDDEN)
    cut = name[:_MOST]
    if cut != name and call.server.faults.does("long_names_are_cut_at_a_word"):
        cut = cut.rpartition(" ")[0] or cut
    return cut.strip().upper()
