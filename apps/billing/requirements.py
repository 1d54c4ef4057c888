"""What the processor asks of an account, in words an owner understands (R94).

It names each requirement by a path: `individual.dob.day`, `person_1A2b.verification.document`,
`external_account`. Whose it is stands first, what it is after that.
"""

from collections.abc import Iterable

_WHOLE = {
    "external_account": "A bank account or debit card for payouts",
    "business_type": "What kind of business it is",
    "business_profile.mcc": "What the business sells",
    "business_profile.product_description": "A description of what the business sells",
    "business_profile.url": "The business's website, or a description of what it sells",
    "business_profile.name": "The business's name",
    "business_profile.support_phone": "A phone number for guests",
    "business_profile.support_email": "An e-mail address for guests",
    "business_profile.annual_revenue": "The business's yearly revenue",
    "business_profile.estimated_worker_count": "How many people work there",
    "settings.payments.statement_descriptor": "The name guests see on their card statement",
}
_BEGINNINGS = {
    "tos_acceptance": "Your agreement to Stripe's terms of service",
    "documents": "A document about the business",
    "interv_": "An answer to a question of Stripe's",
}
_WHOSE = {
    "individual": "the account's owner",
    "company": "the business",
    "representative": "the business's representative",
    "owners": "the business's owners",
    "directors": "the business's directors",
    "executives": "the business's executives",
    "authorizer": "who authorizes the account",
    "person": "a person of the business",
}
# The longest beginning that fits says what it is.
_WHAT = {
    "verification.additional_document": "A second document that proves the address of",
    "verification.document": "An identity document of",
    "verification.proof_of_liveness": "A live picture of",
    "verification": "A proof of the identity of",
    "address": "The address of",
    "registered_address": "The home address of",
    "dob": "The date of birth of",
    "email": "The e-mail address of",
    "phone": "The phone number of",
    "first_name": "The name of",
    "last_name": "The name of",
    "name": "The legal name of",
    "structure": "The legal form of",
    "tax_id": "The tax number of",
    "vat_id": "The VAT number of",
    "id_number": "The social security or tax number of",
    "ssn_last_4": "The last four digits of the social security number of",
    "relationship": "The role of",
    "nationality": "The nationality of",
    "political_exposure": "Whether there is a public office held by",
    "owners_provided": "That every owner was named, for",
    "directors_provided": "That every director was named, for",
    "executives_provided": "That every executive was named, for",
}


def requirement_sentences(requirements: Iterable[str]) -> list[str]:
    """Each of them once, in the order they were given; parts of one thing (the day, month and year
    of a date) are said together."""
    return list(dict.fromkeys(map(_sentence, requirements)))


def _sentence(requirement: str) -> str:
    if requirement in _WHOLE:
        return _WHOLE[requirement]
    first, _, rest = requirement.partition(".")
    for beginning, sentence in _BEGINNINGS.items():
        if first.startswith(beginning):
            return sentence
    whose = _WHOSE.get("person" if first.startswith("person_") else first)
    if whose:
        fitting = [what for what in _WHAT if rest == what or rest.startswith(f"{what}.")]
        if fitting:
            return f"{_WHAT[max(fitting, key=len)]} {whose}"
        return f"A detail about {whose}" + (f" ({_spaced(rest)})" if rest else "")
    return f"A detail that Stripe calls “{_spaced(requirement)}”"


def _spaced(path: str) -> str:
    return path.replace(".", " ").replace("_", " ")
