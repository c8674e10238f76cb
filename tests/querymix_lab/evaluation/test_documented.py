"""Documented numbers: python-stdnum's examples in each spelling, and what Presidio's tests expect to be found."""

from importlib import import_module

import pytest
from querymix.core.errors import ConfigError
from querymix_lab.evaluation.documented import BARE, WITH_WORD, examples, recognizer_tests, schemes


def test_an_example_stands_there_as_documented_compact_and_formed() -> None:
    assert examples("ch.ssn") == ["7569217076985", "756.9217.0769.85"]


def test_only_valid_examples_count() -> None:
    known = import_module("stdnum.nl.bsn")
    found = examples("nl.bsn")
    assert found
    assert all(known.is_valid(one) for one in found)
    assert "1112.22.334" not in found


def test_a_module_that_is_not_there_is_a_message() -> None:
    with pytest.raises(ConfigError, match="python-stdnum"):
        examples("xx.none")


def test_each_example_is_asked_bare_and_with_its_word() -> None:
    rows = schemes()
    assert len(rows[BARE]) == len(rows[WITH_WORD]) > 300
    for bare, beside in zip(rows[BARE], rows[WITH_WORD], strict=True):
        assert bare.kind == beside.kind
        assert beside.text.endswith(f" {bare.text}")
        assert beside.text[beside.start : beside.end] == bare.text


def test_entities_stand_in_their_texts() -> None:
    rows = list(recognizer_tests())
    assert len(rows) > 800
    assert all(0 <= row.start < row.end <= len(row.text) for row in rows)
    assert {"de_passport", "us_ssn", "iban"} <= {row.kind for row in rows}
