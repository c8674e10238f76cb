"""Templates are filled alike for a seed, labelled rightly, and with numbers that their countries take for valid."""

from importlib import import_module

import pytest
from querymix_lab.evaluation.identifiers import HARMLESS
from querymix_lab.evaluation.languages import LANGUAGES, MADE_UP, templates
from querymix_lab.evaluation.made_up_abroad import CHECKS, FORMS, Abroad, abroad, numbers

SCHEMES = sorted(
    {form for forms in FORMS.values() for _, *line in forms.get("numbers", ()) for form in line if form[0] == "="}
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_seed_gives_the_same_rows(language: str) -> None:
    first = list(abroad(language, MADE_UP, 5, 60))
    assert first == list(abroad(language, MADE_UP, 5, 60))
    assert first != list(abroad(language, MADE_UP, 6, 60))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_template_is_filled_and_its_label_marks_what_was_filled_in(language: str) -> None:
    rows = list(abroad(language, MADE_UP, 2, 400))
    assert {row.kind for row in rows} == {HARMLESS, "name rare", *(kind for kind, _ in templates(language, MADE_UP))}
    assert sum(row.kind == HARMLESS for row in rows) == 133
    for row in rows:
        assert 0 <= row.start <= row.end <= len(row.text)
        assert (row.start < row.end) == (row.kind != HARMLESS)
        assert "{" not in row.text
        assert row.text[row.start : row.end].strip() == row.text[row.start : row.end]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_rare_surname_is_none_that_faker_draws(language: str) -> None:
    known = {
        str(name).lower()
        for locale in FORMS[language]["names"]
        for name in import_module(f"faker.providers.person.{locale}").Provider.last_names
    }
    assert len(FORMS[language]["rare"]) >= 20
    assert not known & set(FORMS[language]["rare"])


@pytest.mark.parametrize("form", SCHEMES)
def test_a_number_of_a_scheme_is_valid_there(form: str) -> None:
    scheme = form.split(maxsplit=1)[0][1:]
    valid = CHECKS.get(scheme) or import_module(f"stdnum.{scheme}").is_valid
    maker = Abroad("de", 3)
    drawn = {maker.filled(form) for _ in range(5)}
    assert len(drawn) == 5
    assert all(valid(one) for one in drawn)


@pytest.mark.parametrize(
    ("scheme", "number"),
    [("rvnr", "65170839j003"), ("kvnr", "a123456780"), ("nss", "281234567840"), ("pis", "17033259504")],
)
def test_a_check_of_our_own_takes_the_documented_example_and_no_other_last_digit(scheme: str, number: str) -> None:
    assert CHECKS[scheme](number)
    others = (f"{number[:-1]}{digit}" for digit in "0123456789" if digit != number[-1])
    assert not any(CHECKS[scheme](other) for other in others)


def test_a_number_is_of_the_scheme_that_the_template_names() -> None:
    maker = Abroad("de", 1)
    drawn = [maker.made("national", "ahv-nr. {national} prüfen") for _ in range(20)]
    assert all(one.startswith("756") for one in drawn)


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_numbers_that_are_nobodys_stand_in_each_language(language: str) -> None:
    rows = numbers(language, 1, 200)
    assert rows == numbers(language, 1, 200)
    assert {row.kind for row in rows} == {HARMLESS}
    assert len({row.text for row in rows}) > 150
    assert not any("{" in row.text for row in rows)
