"""The examples in the core's docstrings are true."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest
from querymix import core
from querymix.core import draw, knowledge

ROOT = Path(core.__path__[0])
MODULES = sorted(path for path in ROOT.rglob("*.py") if ">>> " in path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_what_a_docstring_shows_is_what_happens(path: Path) -> None:
    module = import_module(".".join(("querymix.core", *path.relative_to(ROOT).with_suffix("").parts)))
    names = {**vars(knowledge), **vars(draw), **vars(module)}
    found = doctest.testmod(module, globs=names)
    assert found.attempted
    assert not found.failed
