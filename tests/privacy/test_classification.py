"""Every table is classified by the personal data it holds; a new one must be, too (decision 63)."""

import pytest
from django.apps import apps
from django.db import models

from apps.privacy.account_deletion import RECORDS_OF_PEOPLE
from apps.privacy.classification import HOLDINGS, Erasure, Export, Holding, Whose, holding_of
from tests.stored_words import tables_without_a_model

TEXT = (
    models.CharField,
    models.TextField,
    models.JSONField,
    models.GenericIPAddressField,
    models.BinaryField,
    models.FileField,
)
MODELS = sorted(apps.get_models(include_auto_created=True), key=lambda each: each._meta.label)


def text_columns(model):
    """Columns that could hold a name; those with choices can't."""
    fields = [getattr(each, "output_field", each) for each in model._meta.concrete_fields]
    named = zip(model._meta.concrete_fields, fields, strict=True)
    return {own.name for own, kind in named if isinstance(kind, TEXT) and not own.choices}


def complaint(model, holding):
    """What is wrong about how a model is classified; empty if nothing is."""
    if holding is None:
        return "is in no holding"
    if holding.is_empty and holding.whose == Whose.NONE:
        return ""
    listed = set(holding.personal) | set(holding.other)
    if missing := text_columns(model) - listed:
        return f"doesn't say what is in {sorted(missing)}"
    if unknown := listed - {each.name for each in model._meta.get_fields()}:
        return f"names columns that aren't there: {sorted(unknown)}"
    return ""


@pytest.mark.parametrize("model", MODELS, ids=lambda each: each._meta.label)
def test_every_table_is_classified_with_all_its_text_columns(model):
    assert complaint(model, holding_of(model._meta.label)) == ""


def test_a_new_table_and_a_new_text_column_are_noticed():
    order = apps.get_model("preorders.PreOrder")
    assert complaint(order, None) == "is in no holding"
    bare = Holding(Whose.NONE)
    assert "customer_email" in complaint(order, bare)
    assert "customer_name" in complaint(order, bare)
    assert "search_text" in complaint(order, bare)
    extras = Holding(Whose.NONE, other=(*text_columns(order), "shoe_size"))
    assert complaint(order, extras) == "names columns that aren't there: ['shoe_size']"


def test_no_holding_is_of_a_table_that_is_gone():
    assert set(HOLDINGS) <= {each._meta.label for each in MODELS}


@pytest.mark.django_db
def test_no_table_is_outside_the_models():
    """A table that no model is for would be nobody's business here."""
    assert tables_without_a_model() == {"django_migrations"}


@pytest.mark.parametrize("label", sorted(HOLDINGS))
def test_what_is_retained_or_not_exported_has_a_reason(label):
    found = HOLDINGS[label]
    if found.whose == Whose.NONE:
        assert not found.personal
        return
    assert found.erasure != Erasure.NOTHING
    unexplained = found.erasure in (Erasure.RETAINED, Erasure.EXPIRES) or found.export in (
        Export.ON_REQUEST,
        Export.NOTHING,
    )
    assert not unexplained or found.reason or found.is_empty


def test_every_record_that_names_who_did_it_is_renamed():
    """A column `actor`, `by` or `resolved_by` that account deletion doesn't know fails here."""
    named = {
        (each, column)
        for each in MODELS
        for column in ("actor", "by", "resolved_by")
        if column in {one.name for one in each._meta.concrete_fields}
    }
    assert named == set(RECORDS_OF_PEOPLE)
