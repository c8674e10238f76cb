"""The examples in the core's docstrings are true."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest
from querymix import core
from querymix.core import draw, hosts, knowledge

ROOT = Path(hosts.__file__).parent
MODULES = sorted(
    ".".join(("querymix.core", *path.relative_to(ROOT).with_suffix("").parts))
    for path in Path(core.__path__[0]).rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", MODULES)
def test_what_a_docstring_shows_is_what_happens(name: str) -> None:
    module = import_module(name)
    names = {**vars(knowledge), **vars(draw), **vars(module)}
    found = doctest.testmod(module, globs=names)
    assert found.attempted
    assert not found.failed
