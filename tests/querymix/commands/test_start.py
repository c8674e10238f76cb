"""What a command imports before it begins: as little as it needs, since that is most of what a small file costs."""

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from querymix.cli import SERVICE

IMPORTED = """
import json, sys
from querymix.cli import main
try:
    main(sys.argv[1:])
except SystemExit as ended:
    assert not ended.code, ended.code
print("\\n" + json.dumps(sorted(sys.modules)))
"""


def imported(*arguments: str) -> set[str]:
    """Return the modules that a command has imported when it ends."""
    done = subprocess.run([sys.executable, "-c", IMPORTED, *arguments], stdout=subprocess.PIPE, check=True, text=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize("command", ["run", "check", "classify", "worker"])
def test_the_help_of_a_command_imports_its_options_and_nothing_of_its_work(command: str) -> None:
    for package in SERVICE if command == "worker" else ():
        import_module(package)  # without them it has no options
    found = imported(command, "--help")
    work = ("querymix.bootstrap", "querymix.core.identifiers", "querymix.kafka", "querymix.knowledge", "querymix.local",
            "querymix.stages", "asyncio", "rich", "pydantic_settings", "aiokafka")  # fmt: skip
    assert [name for name in found if name.startswith(work)] == []
    assert "querymix.settings.method" in found


def test_a_version_is_told_without_any_options() -> None:
    assert not {"pydantic", "rich", "querymix.settings"} & imported("--version")


def test_a_run_imports_no_event_loop_no_processes_and_no_extra(
    small_bundle: Path, made_up_log: Path, tmp_path: Path
) -> None:
    found = imported("run", str(made_up_log), "-o", str(tmp_path / "out"), "--knowledge", str(small_bundle), "-q")
    assert "querymix.local.runner" in found
    needless = {"asyncio", "ssl", "multiprocessing", "concurrent.futures", "logging", "argparse", "pydantic_settings",
                "dotenv", "querymix.core.surrogates", "querymix.kafka", "duckdb", "pyarrow", "numpy"}  # fmt: skip
    assert not needless & found


def test_numbers_of_persons_are_made_ready_for_the_first_query_that_may_hold_one() -> None:
    asked = (
        "from querymix.core.identifiers.recognizers.national import ENGINE;"
        "from querymix.core.identifiers import Detector;"
        "from tests.querymix.core.identifiers.kit import base;"
        "finds = Detector(base()).find;"
        "finds('cheap flights'); print('_patterns' in vars(ENGINE));"
        "finds('1234 5678'); print('_patterns' in vars(ENGINE))"
    )
    done = subprocess.run([sys.executable, "-c", asked], stdout=subprocess.PIPE, check=True, text=True)
    assert done.stdout.split() == ["False", "True"]


def test_a_plugin_of_pydantic_s_that_lies_around_is_not_shown_the_options(
    small_bundle: Path, made_up_log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "nosy-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: nosy\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[pydantic]\nnosy = nosy:plugin\n")
    (tmp_path / "nosy.py").write_text("class plugin:\n    new_schema_validator = lambda *_, **__: (None, None, None)\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    log = ("run", str(made_up_log), "-o", str(tmp_path / "out"), "--knowledge", str(small_bundle), "-q")
    assert "nosy" not in imported(*log)
    monkeypatch.setenv("PYDANTIC_DISABLE_PLUGINS", "another")
    assert "nosy" in imported(*log, "-o", str(tmp_path / "out2"))
