"""Options that a combination does not read: each is named, and each option of a run has been thought about."""

from typing import Any

import pytest
from querymix.settings import RunSettings, load
from querymix.settings.unread import WHEN_UNREAD, unread


def test_every_option_of_a_run_says_when_it_is_not_read() -> None:
    assert WHEN_UNREAD.keys() == RunSettings.model_fields.keys()


@pytest.mark.parametrize(
    ("given", "piped", "names"),
    [
        ({}, False, []),
        ({"delta": "1.5"}, False, ["delta"]),
        ({"delta": "1.5", "mode": "paper"}, False, []),
        ({"draw": "owner", "mode": "paper"}, False, ["draw"]),
        ({"draw": "entry", "mode": "paper"}, False, []),
        ({"max_hold": "1d", "hold_policy": "wait"}, False, ["max_hold"]),
        ({"hold_policy": "wait"}, False, []),
        ({"confidence": "0.5", "classifier": "paper"}, False, ["confidence"]),
        ({"confidence": "0.5"}, False, []),
        ({"order": "time"}, True, ["order"]),
        ({"order": "time"}, False, []),
        ({"order": "input"}, True, []),
        ({"preset": "strict"}, False, []),
        ({"preset": "strict", "established": "1h", "dedupe": "1h", "time_precision": "1m"}, False, ["preset"]),
        ({"preset": "strict", "established": "1h", "dedupe": "1h"}, False, []),
    ],
)
def test_an_option_that_is_not_read_is_named_where_it_was_given(
    given: dict[str, Any], piped: bool, names: list[str]
) -> None:
    found = unread(load(RunSettings, given), piped=piped)
    assert list(found) == names
    assert all(why.endswith(".") for why in found.values())
