"""Every pattern takes linear time: what each may hold is bounded, and nothing that repeats can be parted in two ways.

Python's engine tells no number of steps, so the patterns are looked at, not timed.
"""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from re import _constants as codes  # type: ignore[attr-defined]  # no other way to read a pattern
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import pytest
import querymix.codecs
import querymix.core
from querymix.core.expressions import Expression
from querymix.core.identifiers.recognizers import credential, ip, phone

REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT)
"""Those that give back what they took, so that the rest is tried again."""
PARTED = {
    "credential.USER_INFO": "at-signs part what repeats, and what stands between them holds none",
    "gate.QUIET": "a dot parts it; fullmatch",
    "hosts._PLAIN": "dots and dashes part it; match",
    "text._HOST": "dots part it; fullmatch",
    "roles._SPLIT_NAME": "an apostrophe or a dash parts it; fullmatch",
    "code.DIMENSIONS": "an x parts it; fullmatch",
    "access_log._LINE": "commas part it; fullmatch",
    "people._WORD": "an apostrophe parts it, and what repeats holds none",
}
"""Patterns with a repetition without a bound inside of another one: why there is one way only to part a text."""
BEGUN = {
    "access_log._REQUEST", "code.DIMENSIONS", "device.MIXED", "gate.QUIET", "hosts._NAME", "record_times._NUMBER",
    "roles._SPLIT_NAME", "text._HOST", "people._WORD", "places._TOKEN", "tokens.TOKEN",
}  # fmt: skip
"""Patterns that begin with a repetition without a bound. They match whole texts, but for the last three, whose rest is
optional: none begins anew at each character of what repeats."""


def patterns() -> Iterator[tuple[str, re.Pattern[Any]]]:
    seen = set()
    for package in (querymix.core, querymix.codecs):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for name, value in vars(importlib.import_module(found.name)).items():
                if isinstance(value, re.Pattern | Expression):
                    pattern = re.compile(value.pattern, value.flags)
                    if pattern not in seen:
                        seen.add(pattern)
                        yield f"{found.name.rpartition('.')[2]}.{name}", pattern


def inner(code: Any, value: Any) -> list[Any]:
    """Return the parts of one piece of a parsed pattern."""
    if code in (*REPEATS, codes.POSSESSIVE_REPEAT):
        return [value[2]]
    if code is codes.BRANCH:
        return list(value[1])
    if code is codes.SUBPATTERN:
        return [value[3]]
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [value[1]]
    return [value] if code is codes.ATOMIC_GROUP else []


def depth(tree: Any) -> int:
    """Return how many repetitions without a bound stand inside of each other."""
    found = 0
    for code, value in tree:
        below = max(map(depth, inner(code, value)), default=0)
        found = max(found, below + (code in REPEATS and value[1] is codes.MAXREPEAT))
    return found


def glued(tree: Any) -> bool:
    """Return whether a run of one kind can be parted in many ways: a repetition of nothing but one that may be longer.

    In "(?:-?[0-9]{1,5}){1,8}" forty digits are parted in every way before it is known that a letter stands behind them.
    """
    for code, value in tree:
        if code in REPEATS and value[1] > 4:
            must = [piece for piece in value[2] if not (piece[0] in REPEATS and piece[1][0] == 0)]
            if len(must) == 1 and must[0][0] in REPEATS and must[0][1][1] > must[0][1][0]:
                return True
        if any(map(glued, inner(code, value))):
            return True
    return False


def begun(tree: Any) -> bool:
    """Return whether something begins with a repetition without a bound and goes on: each character may begin it."""
    for place, (code, value) in enumerate(tree):
        if code in REPEATS and value[1] is codes.MAXREPEAT:
            return place + 1 < len(tree)
        if code in (codes.BRANCH, codes.SUBPATTERN):
            return any(map(begun, inner(code, value)))
        if not (code in REPEATS and value[0] == 0):
            return False
    return False


def parsed(pattern: re.Pattern[Any]) -> Any:
    return _parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)


def test_no_repetition_without_a_bound_stands_in_another_unless_there_is_one_way_to_part_a_text() -> None:
    assert {name for name, pattern in patterns() if depth(parsed(pattern)) > 1} == PARTED.keys()


def test_no_run_of_one_kind_can_be_parted_in_many_ways() -> None:
    assert [name for name, pattern in patterns() if glued(parsed(pattern)) and name not in PARTED] == []


def test_no_pattern_begins_with_a_repetition_without_a_bound_but_for_those_that_match_whole_texts() -> None:
    assert {name for name, pattern in patterns() if begun(parsed(pattern))} == BEGUN


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("(?:a+)+", True),
        ("(?:-?[0-9]{1,5}){1,8}", True),
        ("(?:-?[0-9]{1,5}+){1,8}", False),
        ("(?:-[0-9]{1,5}){1,8}", False),
        ("(?:[0-9]{2}){1,8}", False),
    ],
)
def test_what_counts_as_parted_in_many_ways(text: str, is_one: bool) -> None:
    assert glued(_parser.parse(text)) is is_one


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (credential.CUT_PASSWORD, "ab://:" * 10_000),
        (credential.CUT_PASSWORD, "http://a:b" + "/" * 60_000),
        (credential.WEBHOOK, "-" * 60_000),
        (ip.DASHED, "a1-1-1-1-" * 7_000),
        (phone.ABROAD, f"+9{'5' * 41}a " * 1_400),
    ],
    ids=lambda value: getattr(value, "pattern", value)[:12],
)
def test_texts_that_took_patterns_minutes_are_read_in_a_moment(pattern: re.Pattern[str], text: str) -> None:
    """Nothing is timed: by the patterns of 0.4 these took from half a minute to hours."""
    assert list(pattern.finditer(text)) == []
