"""`study classifier` and `study identifiers` on the sets that come along, in six languages."""

from importlib import import_module
from pathlib import Path

import orjson
import pytest
from querymix_lab.evaluation.languages import LANGUAGES, harmless, topics

from tests.conftest import Command


@pytest.fixture
def small(querymix: Command, small_bundle: Path) -> Command:
    """Run a command with the small bundle."""
    return lambda *args: querymix(*args, "--knowledge", small_bundle)


@pytest.fixture
def lab(small: Command) -> Command:
    """Run it where queries can be made up; where they cannot, the test is skipped."""
    import_module("faker")
    import_module("stdnum")
    return small


def test_the_classifier_is_measured_on_all_languages_without_any_file(small: Command) -> None:
    done = small("study", "classifier", "--json")
    assert done.exit_code == 0, done.output
    result = orjson.loads(done.stdout)["languages"]
    assert list(result) == list(LANGUAGES)
    for one in result.values():
        assert one["right of all, low"] <= one["right of all"] <= one["right of all, high"]
        assert {"covered", "right of covered", "categories", "confusion", "queries/s"} <= one.keys()
    table = small("study", "classifier", "--labels", "made-up").output
    assert all(f" {language} " in table for language in LANGUAGES)


def test_one_language_is_told_by_category_and_no_query_is_shown(small: Command) -> None:
    done = small("study", "classifier", "--language", "de", "--labels", "made-up")
    assert done.exit_code == 0, done.output
    assert "precision" in done.output
    assert "95 %" in done.output
    long = [line.split("\t")[0] for line in topics("de", "made-up").read_text("utf-8").splitlines() if len(line) > 30]
    assert not any(query in done.output for query in long)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("classifier", "--labels", "labels.tsv", "--language", "de"), "leave one of them out"),
        (("classifier", "--plot", "confusion.png"), "--plot draws one set"),
        (("identifiers", "--labels", "presidio", "--language", "de"), "leave one of them out"),
        (("identifiers", "--language", "all", "--count", "60", "--compare", "presidio"), "name one"),
        (("identifiers", "--language", "all", "--count", "60", "--surrogates"), "name one"),
        (("identifiers", "--keep-identifiers", "iris"), "'iris' is no kind of identifier"),
    ],
)
def test_options_that_do_not_go_together_are_told(lab: Command, options: tuple[str, ...], reason: str) -> None:
    done = lab("study", *options)
    assert done.exit_code == 2
    assert reason in done.output


def test_identifiers_of_all_languages_stand_in_one_table(lab: Command) -> None:
    args = ("study", "identifiers", "--language", "all", "--labels", "held-out", "--count", "900")
    done = lab(*args, "--json")
    assert done.exit_code == 0, done.output
    result = orjson.loads(done.stdout)
    for language in LANGUAGES:
        found = result[language]
        assert found["lookalikes"]["of"] == 50
        assert found["kinds"]["iban"]["recall"] == 1.0
        assert {"found", "of", "recall", "partly"} == found["kinds"]["email"].keys()
    shown = lab(*args).output
    assert not any(query in shown for query in harmless("de", "held-out") if len(query) > 12)


@pytest.mark.parametrize("columns", [("--language", "it", ["it"]), ("--language", "all", ["en", *LANGUAGES])])
def test_numbers_that_are_nobodys_are_counted_as_look_alikes(lab: Command, columns: tuple[str, str, list[str]]) -> None:
    *option, names = columns
    done = lab("study", "identifiers", "--labels", "numbers", *option, "--count", "700", "--json")
    assert done.exit_code == 0, done.output
    result = orjson.loads(done.stdout)
    assert [name for name in result if name not in ("knowledge", "skipped")] == names
    assert all(result[name]["kinds"] == {} for name in names)
    assert sum(result[name]["lookalikes"]["of"] for name in names) == 700


def test_documented_numbers_are_asked_bare_and_with_their_word(lab: Command) -> None:
    done = lab("study", "identifiers", "--labels", "python-stdnum", "--json")
    result = orjson.loads(done.stdout)
    assert result["bare"]["kinds"]["de.idnr"]["of"] == result["with its word"]["kinds"]["de.idnr"]["of"] > 0
    done = lab("study", "identifiers", "--labels", "presidio", "--json")
    assert orjson.loads(done.stdout)["querymix"]["kinds"]["us_ssn"]["recall"] == 1.0
