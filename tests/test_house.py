"""The house rules that no linter checks: lengths of files and functions, and documents that name what is there."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CODE = sorted(path for room in ("service", "loadtest", "deploy", "docs") for path in (ROOT / room).rglob("*.py"))
DOCUMENTS = sorted(
    [ROOT / "README.md", *(path for room in ("docs", "deploy", "loadtest") for path in (ROOT / room).rglob("*.md"))]
)
LONGEST_FILE = 300
LONGEST_FUNCTION = 50
LONGER: dict[str, str] = {}
"""Functions that may be longer, as path:name, each with its reason."""

_LINK = re.compile(r"\[[^\]]*\]\(([^)\s#]+)[^)]*\)")
_FILE = re.compile(r"`((?:service|loadtest|deploy|docs|tests)/[a-z0-9_./-]*)`")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def long_functions() -> set[str]:
    """Return the functions that are too long, as path:name; the docstring counts, decorators do not."""
    return {
        f"{name_of(path)}:{node.name}"
        for path in CODE
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= LONGEST_FUNCTION
    }


def test_a_file_of_code_has_300_lines_at_most() -> None:
    assert [name_of(path) for path in CODE if len(path.read_bytes().splitlines()) > LONGEST_FILE] == []


def test_a_function_has_50_lines_at_most_or_a_reason() -> None:
    assert long_functions() == LONGER.keys()


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_what_a_document_links_to_or_names_is_there(path: Path) -> None:
    text = path.read_text()
    links = [path.parent / link for link in _LINK.findall(text) if "://" not in link]
    assert [
        str(file)
        for file in [*links, *(ROOT / name for name in _FILE.findall(text) if "secrets/" not in name)]
        if not file.exists()
    ] == []
