"""`docs/data-model.md` is generated from the models; here it is compared with them."""

from django.apps import apps

from devtools import data_model


def test_the_data_model_page_matches_the_models() -> None:
    assert data_model.PAGE.read_text() == data_model.render(), "Run `make docs`."


def test_the_data_model_page_has_every_app_with_tables() -> None:
    with_tables = {
        model._meta.app_label for model in apps.get_models() if model.__module__.startswith("apps.")
    }
    assert with_tables == set(data_model.TITLES)


def test_the_data_model_page_explains_a_column_by_its_comment() -> None:
    source = '''
class Email(models.Model):
    """Not a comment."""

    # The first is 1;
    # the next has the next.
    number = models.IntegerField()
    # About nothing.

    sent_at = models.DateTimeField(
        null=True  # never, if it is dropped
    )
    due_at = models.DateTimeField()
'''
    assert data_model._notes_in(source.strip()) == {
        "number": "The first is 1; the next has the next",
        "sent_at": "Never, if it is dropped",
    }
