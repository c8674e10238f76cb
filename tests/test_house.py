"""The house rules that no linter checks: lengths, what documents name, who imports what, and options that are read."""

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import querymix_lab.settings
from querymix import settings
from querymix.cli import COMMANDS
from querymix.commands.lazy import LAB
from querymix.core.rules import Rules
from querymix.extras import EXTRAS
from querymix.settings import policy
from querymix_lab.batch.base import Options

ROOT = Path(__file__).parent.parent
CODE = sorted(path for room in ("service", "loadtest", "deploy", "docs") for path in (ROOT / room).rglob("*.py"))
DOCUMENTS = sorted(
    [ROOT / "README.md", *(path for room in ("docs", "deploy", "loadtest") for path in (ROOT / room).rglob("*.md"))]
)
LONGEST_FILE = 300
LONGEST_FUNCTION = 50
LONGER: dict[str, str] = {}
"""Functions that may be longer, as path:name, each with its reason."""

CORE_MAY_IMPORT = sys.stdlib_module_names | {"querymix.core", "querymix.native_path"}
"""All that the core imports: the standard library, itself, and what tells whether its twins in Rust are there."""
LAB_ONLY = {module for module, extra in EXTRAS.items() if extra in ("lab", "teach", "presidio")}
"""What a machine without the laboratory lacks."""
KINDS: dict[str, type[settings.Settings]] = {
    name: kind
    for name, kind in (vars(settings) | vars(policy) | vars(querymix_lab.settings)).items()
    if isinstance(kind, type) and issubclass(kind, settings.Settings)
}
"""Every kind of settings by its name."""

_LINK = re.compile(r"\[[^\]]*\]\(([^)\s#]+)[^)]*\)")
_FILE = re.compile(r"`((?:service|loadtest|deploy|docs|tests)/[a-z0-9_./-]*)`")
_MODULE = re.compile(r"`([a-z0-9_/]+\.py)`")
"""A file of code by the end of its path."""


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
    known = [f"/{name_of(file)}" for file in [*CODE, *(ROOT / "tests").rglob("*.py"), ROOT / "setup.py"]]
    assert [end for end in _MODULE.findall(text) if not any(file.endswith(f"/{end}") for file in known)] == []


def imports(path: Path) -> Iterator[str]:
    """Yield the modules that a file imports, wherever in it; what is imported from a module is named with it."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'.' * node.level}{node.module or ''}.{name.name}" for name in node.names)


def below(module: str, allowed: frozenset[str] | set[str]) -> bool:
    """Say whether a module is one of `allowed`, or lies in one."""
    parts = module.split(".")
    return any(".".join(parts[:end]) in allowed for end in range(1, len(parts) + 1))


def test_the_core_imports_the_standard_library_and_itself_alone() -> None:
    product = ROOT / "service/querymix"
    core = sorted((product / "core").rglob("*.py"))
    assert len(core) > 50
    assert [
        f"{name_of(path)}: {module}"
        for path in [*core, product / "ports.py"]
        for module in imports(path)
        if not below(module, CORE_MAY_IMPORT)
    ] == []


def test_the_tests_of_the_product_import_nothing_of_the_laboratory() -> None:
    tests = sorted(path for room in ("querymix", "contracts", "e2e") for path in (ROOT / "tests" / room).rglob("*.py"))
    assert len(tests) > 90
    found = [f"{name_of(path)}: {module}" for path in tests for module in imports(path) if below(module, LAB_ONLY)]
    assert found == []


WITHOUT_LAB = """
import json, sys
blocked = set(sys.argv[1].split(","))
class Blocked:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in blocked:
            raise ModuleNotFoundError(name=name)
sys.meta_path.insert(0, Blocked)
from click.testing import CliRunner
from querymix.cli import main
done = [CliRunner().invoke(main, args) for args in json.load(sys.stdin)]
assert not blocked & {name.partition(".")[0] for name in sys.modules}
print(json.dumps([[one.exit_code, one.output] for one in done]))
"""


def test_the_product_runs_where_the_laboratory_is_not_and_says_what_its_commands_need(
    small_bundle: Path, made_up_log: Path, tmp_path: Path
) -> None:
    lab = [[name] for name, place in COMMANDS.items() if place is LAB] + [["knowledge", "build"]]
    run = ["run", str(made_up_log), "-o", str(tmp_path / "out"), "--knowledge", str(small_bundle), "--json"]
    calls = [run, ["--help"], ["knowledge", "info"], *lab, *([*name, "--help"] for name in lab)]
    command = [sys.executable, "-c", WITHOUT_LAB, ",".join(sorted(LAB_ONLY))]
    done = subprocess.run(command, input=json.dumps(calls).encode(), stdout=subprocess.PIPE, check=True)
    (ran, helped, known, *refused) = json.loads(done.stdout)
    assert (ran[0], helped[0], known[0]) == (0, 0, 0)
    assert json.JSONDecoder().raw_decode(ran[1])[0]["released"] > 0  # warnings may follow
    assert (tmp_path / "out").stat().st_size > 0
    assert len(refused) == 2 * len(lab)
    for code, output in refused:
        assert code == 2
        assert "pip install 'querymix[lab]'" in output


def shown() -> Iterator[tuple[str, type[settings.Settings]]]:
    """Yield each file of a command with the kind of settings whose options it shows."""
    for path in sorted((ROOT / "service").glob("*/commands/*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "options":
                assert isinstance(node.args[0], ast.Name)
                yield name_of(path), KINDS[node.args[0].id]


def read_options() -> Iterator[tuple[type[settings.Settings], str]]:
    """Yield each option that is read, with each kind of settings that the reading file names."""
    for path in (ROOT / "service").rglob("*.py"):
        tree = ast.parse(path.read_bytes())
        named = {KINDS[node.id] for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in KINDS}
        for node in ast.walk(tree) if named else ():
            if isinstance(node, ast.Attribute):
                holder = node.value.id if isinstance(node.value, ast.Name) else getattr(node.value, "attr", "")
                if holder.strip("_") in ("settings", "chosen"):
                    yield from ((kind, node.attr) for kind in named)


def test_each_option_that_a_command_shows_is_read() -> None:
    # Those that are read by their names: by `make_rules`, by `load`, and by the laboratory's batch methods.
    read: set[tuple[type[settings.Settings], str]] = set(read_options())
    read |= {(settings.MethodSettings, name) for name in (*Rules._fields, "preset")}
    read |= {(querymix_lab.settings.BatchSettings, name) for name in Options.model_fields}
    commands = list(shown())
    assert len(commands) > 15
    assert [
        f"{file}: {name}"
        for file, kind in commands
        for name in kind.model_fields
        if not any(name == option and issubclass(kind, reader) for reader, option in read)
    ] == []


@pytest.mark.xdist_group("house")
def test_xdist_keeps_the_tests_of_a_group_together(request: pytest.FixtureRequest) -> None:
    """Without groups each process makes a module's fixtures for itself, such as the image, and nothing says so."""
    assert "PYTEST_XDIST_WORKER" not in os.environ or request.node.nodeid.endswith("@house")


SYSTEM_ERRORS = {"OSError", "PermissionError", "FileNotFoundError", "Exception", "BaseException", "IOError"}


def shown_errors(source: bytes) -> Iterator[int]:
    """Yield the lines where the text of an error of the system becomes part of another text."""
    for handler in ast.walk(ast.parse(source)):
        if not isinstance(handler, ast.ExceptHandler) or handler.type is None or handler.name is None:
            continue
        if not {node.id for node in ast.walk(handler.type) if isinstance(node, ast.Name)} & SYSTEM_ERRORS:
            continue
        for node in (node for statement in handler.body for node in ast.walk(statement)):
            shown = node.value if isinstance(node, ast.FormattedValue) else None
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("str", "repr"):
                shown = node.args[0]
            if isinstance(shown, ast.Name) and shown.id == handler.name:
                yield shown.lineno


def test_no_message_shows_an_error_of_the_system_with_its_number() -> None:
    """`str` of such an error begins with "[Errno 30]"; `querymix.core.errors.reason` says why alone."""
    assert list(shown_errors(b"try: pass\nexcept OSError as error: raise Wrong(f'x: {error}')")) == [2]
    assert [(name_of(path), line) for path in CODE for line in shown_errors(path.read_bytes())] == []


def test_what_is_printed_goes_through_what_shows_escape_codes() -> None:
    """`querymix.commands.common.echo` and `querymix.consoles.Console` are for texts; others print what is safe."""
    printing = re.compile(r"click\.echo(?!\(visible)|click\.secho|from rich\.console import|import rich\b")
    found = [
        f"{name_of(path)}: {line}"
        for path in CODE
        if path.is_relative_to(ROOT / "service") and path.name != "consoles.py"
        for line in path.read_text().splitlines()
        if printing.search(line) and "Text.assemble" not in line and "PLC0415" not in line
    ]
    assert found == []
