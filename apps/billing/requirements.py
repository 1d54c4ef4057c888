"""Describes Stripe's account requirements in words an owner understands.

Stripe names a requirement by a path, such as `individual.dob.day`, `external_account`, or
`person_1A2b.verification.document`: first the person or business, then the detail.
"""

from collections.abc import Iterable

_EXACT = {
    "external_account": "A bank account or debit card for payouts",
    "business_type": "The type of business",
    "business_profile.mcc": "The business's industry",
    "business_profile.product_description": "A description of what the business sells",
    "business_profile.url": "The business's website, or a description of what it sells",
    "business_profile.name": "The business's name",
    "business_profile.support_phone": "A phone number for guests",
    "business_profile.support_email": "An email address for guests",
    "business_profile.annual_revenue": "The business's annual revenue",
    "business_profile.estimated_worker_count": "The number of employees",
    "settings.payments.statement_descriptor": "The name guests see on their card statement",
}
_PREFIXES = {
    "tos_acceptance": "Your acceptance of Stripe's terms of service",
    "documents": "A document about the business",
    "interv_": "An answer to a question from Stripe",
}
_OWNERS = {
    "individual": "the account owner",
    "company": "the business",
    "representative": "the business's representative",
    "owners": "the business's owners",
    "directors": "the business's directors",
    "executives": "the business's executives",
    "authorizer": "the person who authorizes the account",
    "person": "someone at the business",
}
# The longest matching prefix wins.
_DETAILS = {
    "verification.additional_document": "A second document that proves the address of",
    "verification.document": "An ID document of",
    "verification.proof_of_liveness": "A live photo of",
    "verification": "Proof of the identity of",
    "address": "The address of",
    "registered_address": "The home address of",
    "dob": "The date of birth of",
    "email": "The email address of",
    "phone": "The phone number of",
    "first_name": "The name of",
    "last_name": "The name of",
    "name": "The legal name of",
    "structure": "The legal structure of",
    "tax_id": "The tax ID of",
    "vat_id": "The VAT ID of",
    "id_number": "The Social Security or tax number of",
    "ssn_last_4": "The last four digits of the Social Security number of",
    "relationship": "The role of",
    "nationality": "The nationality of",
    "political_exposure": "Any public office held by",
    "owners_provided": "Confirmation that all owners are listed for",
    "directors_provided": "Confirmation that all directors are listed for",
    "executives_provided": "Confirmation that all executives are listed for",
}


def requirement_sentences(requirements: Iterable[str]) -> list[str]:
    """A sentence for each requirement, in the given order, without duplicates.

    The parts of a date of birth (day, month, year) share one sentence.
    """
    return list(dict.fromkeys(map(_sentence, requirements)))


def _sentence(requirement: str) -> str:
    if requirement in _EXACT:
        return _EXACT[requirement]
    first, _, rest = requirement.partition(".")
    for beginning, sentence in _PREFIXES.items():
        if first.startswith(beginning):
            return sentence
    whose = _OWNERS.get("person" if first.startswith("person_") else first)
    if whose:
        fitting = [what for what in _DETAILS if rest == what or rest.startswith(f"{what}.")]
        if fitting:
            return f"{_DETAILS[max(fitting, key=len)]} {whose}"
        return f"More information about {whose}" + (f" ({_readable(rest)})" if rest else "")
    return f"Information that Stripe calls “{_readable(requirement)}”"


def _readable(path: str) -> str:
    return path.replace(".", " ").replace("_", " ")
