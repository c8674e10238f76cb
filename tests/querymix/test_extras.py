"""What happens where an extra is not installed."""

import ast
import sys
import tomllib
from datetime import date
from importlib import import_module
from pathlib import Path

import pytest
import querymix
from click.testing import CliRunner
from querymix.cli import SERVICE, main
from querymix.crowd.writing import write_table
from querymix.extras import EXTRAS, advice

from tests.optional import reason_of

PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def test_every_extra_that_is_advised_is_one_of_the_package() -> None:
    extras = tomllib.loads(PROJECT.read_text())["project"]["optional-dependencies"]
    assert set(EXTRAS.values()) <= extras.keys()


def test_a_missing_package_is_told_by_the_extra_that_brings_it() -> None:
    assert advice(ModuleNotFoundError(name="spacy.tokens")) == (
        "the Python package 'spacy' is missing: pip install 'querymix[lab]'"
    )
    assert advice(ModuleNotFoundError(name="querymix.nothing")) is None


def test_a_command_without_its_extra_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "aiokafka", None)
    for name in [name for name in sys.modules if name.startswith(("querymix.kafka", "querymix.commands.topics"))]:
        package, _, own = name.rpartition(".")
        if package in sys.modules:  # put back too: else later tests would find what is imported here under the name
            monkeypatch.setattr(sys.modules[package], own, sys.modules[name])
        monkeypatch.delitem(sys.modules, name)
    result = CliRunner().invoke(main, ["topics", "--help"])
    assert result.exit_code == 2
    assert "pip install 'querymix[service]'" in result.output
    assert CliRunner().invoke(main, ["--help"]).exit_code == 0


@pytest.mark.parametrize("package", SERVICE)
def test_a_worker_without_one_of_its_packages_is_listed_with_what_to_install(
    monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    for there in SERVICE:
        import_module(there)  # of several that are missing the first is named
    monkeypatch.setitem(sys.modules, package, None)
    for arguments, code in (["worker", "--help"], 2), (["--help"], 0):
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == code
        assert f"the Python package '{package}' is missing" in " ".join(result.output.split())


def test_a_crowd_table_is_shown_without_the_extra_that_makes_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    for name in ("build", "add", "drop"):
        result = CliRunner().invoke(main, ["crowd", name, "log.csv"])
        assert result.exit_code == 2
        assert "pip install 'querymix[crowd]'" in result.output
    write_table(tmp_path / "t", {}, least=20, first=date(2026, 3, 1), last=date(2026, 3, 2), established=0.0)
    assert CliRunner().invoke(main, ["crowd", "show", str(tmp_path / "t")]).exit_code == 0


def test_a_missing_module_of_our_own_is_a_failure_and_no_skip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "")
    assert reason_of(ModuleNotFoundError(name="querymix.nothing")) is None
    assert reason_of(ModuleNotFoundError(name="pymongo")) is not None
    assert reason_of(ImportError("broken")) is None


def test_nothing_is_skipped_for_a_missing_package_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    assert reason_of(ModuleNotFoundError(name="pymongo")) is None


def test_each_package_that_the_product_imports_is_always_there_or_belongs_to_an_extra() -> None:
    """Else a command without it, even --help, ends with a traceback where no extra is installed."""
    always = {"click", "orjson", "pydantic", "rich", "zstandard"}
    known = always | EXTRAS.keys() | set(sys.stdlib_module_names) | {"querymix"}
    unknown = set()
    for path in Path(querymix.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            unknown |= {name.partition(".")[0] for name in names} - known
    assert unknown == set()
