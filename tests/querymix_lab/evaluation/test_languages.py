"""The made-up sets of six languages are whole, apart from each other, and nobody's."""

import re
from collections import Counter

import pytest
from querymix_lab.evaluation.classifier import read_labels
from querymix_lab.evaluation.languages import HALVES, HELD_OUT, LANGUAGES, MADE_UP, half_of, harmless, templates, topics
from querymix_lab.evaluation.made_up_people import plain

KINDS = {"name", "phone", "email", "address", "postcode", "dob", "iban", "account"}
KINDS |= {"national", "passport", "licence", "plate"}


def spelled(query: str) -> str:
    """Return a query without case, accents and marks."""
    return " ".join(re.findall(r"\w+", plain(query.lower())))


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_half_has_enough_labelled_queries_and_none_of_the_others(language: str) -> None:
    made_up, held_out = (read_labels(topics(language, half)) for half in HALVES)
    assert min(len(made_up), len(held_out)) >= 250
    both = [spelled(row.query) for row in (*made_up, *held_out)]
    assert len(both) == len(set(both))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("half", HALVES)
def test_each_labelled_query_has_a_category_that_both_passes_gave(language: str, half: str) -> None:
    for row in read_labels(topics(language, half)):
        assert any(row.right(category) for category in row.votes)
        assert not re.search(r"\d{6}|@", row.query)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_half_has_templates_of_all_kinds_with_one_place(language: str) -> None:
    for half in HALVES:
        rows = templates(language, half)
        assert {kind.removesuffix(" alone") for kind, _ in rows} == KINDS
        for kind, template in rows:
            (field,) = re.findall(r"\{(\w+)\}", template)
            assert {"surname": "name"}.get(field, field) == kind.removesuffix(" alone")
            assert not re.search(r"\d{6}|@", template)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_template_and_no_harmless_query_is_twice_there(language: str) -> None:
    lines = [template for half in HALVES for _, template in templates(language, half)]
    lines += [query for half in HALVES for query in harmless(language, half)]
    assert [line for line, times in Counter(lines).items() if times > 1] == []
    assert min(len(harmless(language, half)) for half in HALVES) >= 80


def test_the_half_of_a_line_never_changes() -> None:
    """What was once held out stays so, however many lines come and go."""
    lines = ["rose garden", "din a4", "name\t{name}", "phone\ttel. {phone}"]
    assert [half_of(line) for line in lines] == [HELD_OUT, MADE_UP, HELD_OUT, MADE_UP]
