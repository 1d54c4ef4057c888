"""What a guest's note says about what they can't eat."""

import pytest

from apps.offers.dietary import mentions_allergy


@pytest.mark.parametrize(
    "note",
    [
        "One portion without gremolata, please: lemon allergy.",
        "ALLERGIC to kiwi",
        "Alérgica al limón",
        "Tengo alergias",
        "My daughter is lactose-intolerant",
        "Intolerancia a la fructosa",
        "Celiac!",
        "coeliac disease",
        "Soy celíaca",
        "Enfermedad: celiaquía",
        "risk of anaphylaxis",
        "Riesgo de choque anafiláctico",
        "I carry an EpiPen",
        "I carry an epi-pen",
        "No allergies",
    ],
)
def test_a_note_that_speaks_of_an_allergy_is_one(note: str) -> None:
    assert mentions_allergy(note)


@pytest.mark.parametrize("note", ["", "Extra gremolata", "Sin cebolla, por favor", "Clergy table"])
def test_a_note_that_speaks_of_no_allergy_is_none(note: str) -> None:
    assert not mentions_allergy(note)
