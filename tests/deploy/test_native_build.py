"""What the native path is built from is whole, and its parts are listed."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest

from deploy.image.crates import crates, with_crates
from tests.deploy.files import ROOT

CRATE: Final = ROOT / "service" / "native"
LOCK: Final[list[dict[str, Any]]] = tomllib.loads((CRATE / "Cargo.lock").read_text())["package"]
TREE: Final = """querymix-native v0.0.0 (/src/service/native)|
b v1.0.0|MIT OR Apache-2.0
a v2.0.0|MIT
b v1.0.0|MIT OR Apache-2.0 (*)
"""
HASHES: Final = """
package = [
  {name = "a", version = "2.0.0", checksum = "aa"},
  {name = "b", version = "1.0.0", checksum = "bb"},
  {name = "c", version = "1.0.0", checksum = "cc"},
]
"""


def test_each_crate_has_the_hash_of_its_file() -> None:
    """Cargo refuses another file; nothing comes from anywhere but the registry."""
    others = [one for one in LOCK if one["name"] != "querymix-native"]
    assert len(others) < len(LOCK)
    assert all(len(one["checksum"]) == 64 and one["source"].startswith("registry+") for one in others)


def test_a_crate_that_is_linked_is_listed_once_with_its_licence_and_hash() -> None:
    found = crates(TREE, HASHES)
    assert [(one["purl"], one["licenses"], one["hashes"][0]["content"]) for one in found] == [
        ("pkg:cargo/a@2.0.0", [{"expression": "MIT"}], "aa"),
        ("pkg:cargo/b@1.0.0", [{"expression": "MIT OR Apache-2.0"}], "bb"),
    ]


def test_a_tree_without_crates_is_refused() -> None:
    with pytest.raises(ValueError, match="no crates"):
        crates(TREE.splitlines()[0], HASHES)


def test_querymix_depends_on_its_crates_in_the_list_of_parts() -> None:
    parts = {
        "metadata": {"component": {"bom-ref": "root"}},
        "components": [{"name": "click", "bom-ref": "click"}],
        "dependencies": [{"ref": "click"}, {"ref": "root", "dependsOn": ["click"]}],
    }
    both = with_crates(parts, crates(TREE, HASHES))
    assert [one["name"] for one in both["components"]] == ["click", "a", "b"]
    assert both["dependencies"] == [
        {"ref": "click"},
        {"ref": "root", "dependsOn": ["click", "pkg:cargo/a@2.0.0", "pkg:cargo/b@1.0.0"]},
        {"ref": "pkg:cargo/a@2.0.0"},
        {"ref": "pkg:cargo/b@1.0.0"},
    ]
    assert parts["components"] == [{"name": "click", "bom-ref": "click"}]
    json.dumps(both)


def test_a_source_distribution_holds_what_the_native_path_is_built_from(tmp_path: Path) -> None:
    """And nothing that was built, nor a part of the tests."""
    listing = [sys.executable, "setup.py", "--quiet", "egg_info", f"--egg-base={tmp_path}"]
    subprocess.run(listing, cwd=ROOT, check=True, capture_output=True)
    names = set((tmp_path / "querymix.egg-info" / "SOURCES.txt").read_text().splitlines())
    sources = {path.relative_to(ROOT).as_posix() for path in CRATE.glob("src/**/*.rs")}
    assert sources | {"service/native/Cargo.toml", "service/native/Cargo.lock", "setup.py"} <= names
    assert {name for name in names if name.startswith("service/native/")} == {
        "service/native/Cargo.toml", "service/native/Cargo.lock", *sources
    }  # fmt: skip
    assert not [name for name in names if name.endswith(".so") or name.startswith("tests/")]
