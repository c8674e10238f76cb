"""Expressions that are compiled when they are first used."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from typing import Any

import pytest
from querymix.core.expressions import Expression, expression


def test_an_expression_finds_what_the_compiled_one_finds() -> None:
    late, made = expression("(a+)b", re.I), re.compile("(a+)b", re.I)
    text = "AAb ab b"
    assert [match.span(1) for match in late.finditer(text)] == [match.span(1) for match in made.finditer(text)]
    assert (late.sub("x", text), late.findall(text)) == ("x x b", ["AA", "a"])
    assert (late.pattern, late.flags, late.groups) == (made.pattern, made.flags, made.groups)
    assert late.match("b") is None
    assert late.fullmatch("aB") is not None


def test_an_expression_is_compiled_when_it_is_first_used() -> None:
    broken = expression("(")
    assert broken.pattern == "("
    with pytest.raises(re.error):
        broken.search("a")


def test_an_expression_of_bytes_is_one_too() -> None:
    assert expression(rb"[\r\n]").split(b"a\nb") == [b"a", b"b"]


def held(value: Any) -> Iterator[Expression]:
    """Yield the expressions that a module's constant is, or holds."""
    if isinstance(value, Expression):
        yield value
    elif isinstance(value, dict):
        yield from held(list(value.values()))
    elif isinstance(value, tuple | list):
        for one in value:
            yield from held(one)


def test_each_expression_of_the_product_can_be_compiled() -> None:
    found: set[Expression] = set()
    for package in ("querymix.core", "querymix.codecs"):
        for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            found.update(held(list(vars(importlib.import_module(module.name)).values())))
    assert len(found) > 200
    for one in found:
        assert re.compile(one.pattern, one.flags).flags == one.flags
