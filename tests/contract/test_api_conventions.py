"""Conventions that the whole description of the API keeps (decisions 65 and 66)."""

import pytest

from apps.common.error_codes import ErrorCode
from tests.contract.test_every_operation import DESCRIPTION

SCHEMAS = DESCRIPTION["components"]["schemas"]
OPERATIONS = [
    (f"{method.upper()} {path}", operation)
    for path, methods in DESCRIPTION["paths"].items()
    for method, operation in methods.items()
]
# Decimals with two places that aren't amounts.
PERCENTAGES = {"taxRate", "revenueSharePercentage"}
# Deletions whose answers the original contract fixes.
DELETIONS_WITH_AN_ANSWER = {"DELETE /api/dishes/{offerId}", "DELETE /api/specials/{offerId}"}


def resolved(schema):
    if "$ref" in schema:
        return SCHEMAS[schema["$ref"].rpartition("/")[2]]
    if "allOf" in schema:
        return resolved(schema["allOf"][0])
    return schema


def amounts_without_currency(schema, *, within=False, seen=()):
    """The paths of amounts that neither their object nor one around it gives a currency."""
    schema = resolved(schema)
    if id(schema) in seen:
        return
    seen = (*seen, id(schema))
    if schema.get("type") == "array":
        yield from amounts_without_currency(schema["items"], within=within, seen=seen)
    properties = schema.get("properties", {})
    within = within or "currency" in properties
    for name, inner in properties.items():
        is_amount = inner.get("format") == "decimal" and inner.get("pattern", "").endswith(
            "{0,2})?$"
        )
        if is_amount and name not in PERCENTAGES and not within:
            yield name
        yield from amounts_without_currency(inner, within=within, seen=seen)


@pytest.mark.parametrize(("name", "operation"), OPERATIONS, ids=lambda each: str(each)[:60])
def test_every_amount_has_its_currency_beside_or_around_it(name, operation):
    for status, answer in operation["responses"].items():
        for content in answer.get("content", {}).values():
            assert list(amounts_without_currency(content["schema"])) == [], (name, status)


def test_some_amounts_are_found():
    special = {"$ref": "#/components/schemas/OrderMoney"}
    assert "subtotal" in list(amounts_without_currency(special))


@pytest.mark.parametrize(("name", "operation"), OPERATIONS, ids=lambda each: str(each)[:60])
def test_every_refusal_is_described_with_its_codes(name, operation):
    assert "default" not in operation["responses"]
    for status, answer in operation["responses"].items():
        if status < "400" or name.startswith("GET /api/health"):
            continue
        codes = [code for code in ErrorCode if f"`{code}`:" in answer["description"]]
        assert codes, (name, status)
        assert {code.status for code in codes} == {int(status)}
        if status == "429":
            assert {"Retry-After", "RateLimit", "RateLimit-Policy"} <= set(answer["headers"])


@pytest.mark.parametrize(("name", "operation"), OPERATIONS, ids=lambda each: str(each)[:60])
def test_statuses_mean_the_same_everywhere(name, operation):
    responses = operation["responses"]
    if name.startswith("DELETE ") and name not in DELETIONS_WITH_AN_ANSWER:
        assert "204" in responses
    if "requestBody" in operation:
        assert {"400", "413", "415"} <= set(responses)
    if any(each["in"] == "path" for each in operation.get("parameters", ())):
        assert "404" in responses
    assert "406" not in responses


@pytest.mark.parametrize(("name", "operation"), OPERATIONS, ids=lambda each: str(each)[:60])
def test_a_list_has_one_pagination(name, operation):
    taken = {each["name"]: each["schema"] for each in operation.get("parameters", ())}
    assert ("cursor" in taken) == ("limit" in taken)
    if "cursor" not in taken:
        return
    assert (taken["limit"]["minimum"], taken["limit"]["type"]) == (1, "integer")
    assert taken["limit"]["default"] <= taken["limit"]["maximum"] <= 500
    answer = resolved(operation["responses"]["200"]["content"]["application/json"]["schema"])
    assert answer.get("type") == "array" or "nextCursor" in answer["properties"]


def test_every_code_says_what_it_means_and_is_used():
    described = str([operation["responses"] for _, operation in OPERATIONS])
    elsewhere = {ErrorCode.METHOD_NOT_ALLOWED, ErrorCode.INTERNAL_ERROR}
    for code in set(ErrorCode) - elsewhere:
        assert code.meaning.endswith(".")
        assert f"`{code}`" in described, code


def test_the_version_is_stated_and_names_are_in_camel_case():
    assert DESCRIPTION["info"]["version"] == "1.0.0"
    assert "Sunset" in DESCRIPTION["info"]["description"]
    for path in DESCRIPTION["paths"]:
        assert "_" not in path
