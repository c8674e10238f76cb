"""Ids of a period are put in by Rust as by Python."""

import random
from importlib import import_module
from typing import Any

import pytest
from querymix.core.draw import random_key
from querymix.core.periods import Ids, with_ids
from querymix.core.records import Query, Release
from querymix.native_path import SWITCH

NATIVE = import_module("querymix.native")
DAY = 86_400.0
USERS = ["ann", "bob", "Jos\u00e9", "", "\udc80"]


def releases_of(users: list[str]) -> list[Release]:
    """Return releases with all fields of their own."""
    query = Query("owner", "q", "", 0.0)
    return [
        Release(user, (place,), query, 2, query, place, (query,), place / 3, (4,)) for place, user in enumerate(users)
    ]


def test_releases_get_the_ids_that_python_gives_them(monkeypatch: pytest.MonkeyPatch) -> None:
    ids, others = Ids(key := random_key()), Ids(key)
    before = releases_of(random.Random(1).choices(USERS, k=2_000))
    monkeypatch.delenv(SWITCH, raising=False)
    after = with_ids(tuple(before), DAY, ids)
    monkeypatch.setenv(SWITCH, "off")
    assert after == with_ids(before, DAY, others)
    assert {type(release) for release in after} == {Release}
    assert ids == others  # what was not known is made and remembered
    assert [release[1:] for release in after] == [release[1:] for release in before]


@pytest.mark.parametrize("release", [7, [], (), ("ann",), ("ann",) * 10])
def test_what_is_no_release_is_refused(release: Any) -> None:
    with pytest.raises(TypeError):
        NATIVE.with_ids([release], Ids(random_key()), Release)


def test_what_the_ids_raise_is_raised() -> None:
    with pytest.raises(KeyError):
        NATIVE.with_ids(releases_of(["ann"]), {"bob": "1"}, Release)
    with pytest.raises(TypeError):
        NATIVE.with_ids(releases_of(["ann"]), Ids(random_key()), dict)
