"""Whether the native path is used is told by the version, and a variable turns it off."""

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner
from querymix import __version__, native_path
from querymix.cli import main
from querymix.core.errors import ConfigError
from querymix.knowledge import engine
from querymix.knowledge.bundle import Bundle
from querymix.native_path import SWITCH

from tests.conftest import Command
from tests.optional import need_native


def build(**environment: str) -> str:
    """Return what a new process says about its build."""
    clean = {name: value for name, value in os.environ.items() if name != SWITCH}
    command = [sys.executable, "-m", "querymix", "--version"]
    done = subprocess.run(command, env=clean | environment, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.strip().partition(" (")[2]


def test_where_the_native_path_is_built_it_is_used() -> None:
    need_native()
    assert build() == "native)"


def test_where_it_is_turned_off_plain_python_does_the_same() -> None:
    assert build(**{SWITCH: "off"}) == "plain Python)"


def test_the_version_tells_that_a_run_would_refuse_the_module(module: Path) -> None:
    source = module.parent / "Cargo.lock"
    source.touch()
    os.utime(source, (5, 5))
    shown = CliRunner().invoke(main, ["--version"])
    assert shown.output == f"querymix, version {__version__} (native)\n"
    os.utime(module, (0, 0))
    native_path._built.cache_clear()
    shown = CliRunner().invoke(main, ["--version"])
    assert (shown.exit_code, shown.output) == (0, (
        f"querymix, version {__version__} (native. The native path cannot be used here: the native path ({module}) is "
        "older than its sources. `make native` builds it anew, QUERYMIX_NATIVE=off does without it.)\n"
    ))  # fmt: skip


@pytest.mark.parametrize("value", ["off", "on"])
def test_the_variable_is_no_unknown_option(querymix: Command, tmp_path: Path, value: str) -> None:
    log = tmp_path / "log.tsv"
    log.write_text("1\tsoccer\t2006-03-01 00:00:00\t\t\n")
    assert querymix("run", log, "-o", tmp_path / "out", **{SWITCH: value}).exit_code == 0


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Have a module in place of the native path's, whose sources are in a folder of the test's own."""
    file = tmp_path / "native.abi3.so"
    file.touch()
    stand_in = ModuleType("querymix.native")
    stand_in.__file__, stand_in.__spec__ = str(file), ModuleSpec("querymix.native", None)
    (tmp_path / "src" / "classify").mkdir(parents=True)
    monkeypatch.setitem(sys.modules, "querymix.native", stand_in)
    monkeypatch.setattr(native_path, "SOURCES", tmp_path)
    monkeypatch.delenv(SWITCH, raising=False)
    native_path._built.cache_clear()
    yield file
    native_path._built.cache_clear()


@pytest.mark.parametrize("source", ["src/classify/decide.rs", "Cargo.lock"])
def test_a_module_that_is_older_than_its_sources_is_refused(module: Path, source: str, small_bundle: Path) -> None:
    (module.parent / source).touch()
    os.utime(module, (0, 0))
    with pytest.raises(ConfigError, match=r"native\.abi3\.so\) is older than its sources\. `make native` builds it"):
        engine.make_engine(Bundle(small_bundle), 0.0)


@pytest.mark.parametrize("command", ["run", "check", "match"])
def test_each_command_that_asks_for_it_says_so_and_what_to_do(module: Path, tmp_path: Path, command: str) -> None:
    (module.parent / "Cargo.lock").touch()
    os.utime(module, (0, 0))
    log = tmp_path / "log.tsv"
    log.write_text("1\tsoccer\t2006-03-01 00:00:00\t\t\n")
    result = CliRunner().invoke(main, [command, str(log), *([str(log)] if command == "match" else [])])
    assert (result.exit_code, type(result.exception)) == (2, SystemExit)
    assert "is older than its sources. `make native` builds it anew" in result.stderr


def test_a_module_that_is_newer_than_its_sources_is_taken(module: Path, small_bundle: Path) -> None:
    source = module.parent / "src" / "classify" / "decide.rs"
    source.touch()
    os.utime(source, (0, 0))
    with pytest.raises(AttributeError, match="no attribute 'Engine'"):  # it was asked for an engine
        engine.make_engine(Bundle(small_bundle), 0.0)


def test_a_module_of_another_machine_is_refused(module: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> ModuleType:
        raise ImportError(f"{module}: wrong ELF class: ELFCLASS32")

    monkeypatch.setattr(native_path, "import_module", fail)
    with pytest.raises(ConfigError, match=r"cannot be used here: .*: ELFCLASS32\. .* QUERYMIX_NATIVE=off"):
        engine.make_engine(Bundle(), 0.0)
