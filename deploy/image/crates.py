"""Adds the Rust packages (crates) that the native path is linked with to a list of parts in the form CycloneDX.

    python deploy/image/crates.py SBOM

Run from the repository's root, once the native path is built: nothing is fetched. What a build alone needs is no part.
"""

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, Final

CRATE: Final = Path("service/native")
LINKED: Final = (
    "cargo", "tree", "--offline", "--locked", "--edges=normal,no-proc-macro", "--prefix=none", "--format={p}|{l}",
)  # fmt: skip


def crates(tree: str, lock: str) -> list[dict[str, Any]]:
    """Return a component for each package of a `cargo tree`, but its root, with the hash that Cargo.lock names.

    A line of the tree is `libc v0.2.1|MIT OR Apache-2.0`. Raises ValueError where there is none but the root.
    """
    hashes = {(one["name"], one["version"]): one.get("checksum") for one in tomllib.loads(lock)["package"]}
    _, *lines = [line.removesuffix(" (*)") for line in tree.splitlines()]
    if not lines:
        raise ValueError("the native path has no crates")
    found = []
    for line in sorted(set(lines)):
        package, _, licence = line.partition("|")
        name, version = package.split()[0], package.split()[1].removeprefix("v")
        url = f"pkg:cargo/{name}@{version}"
        found.append(
            {
                "type": "library",
                "bom-ref": url,
                "name": name,
                "version": version,
                "licenses": [{"expression": licence}],
                "hashes": [{"alg": "SHA-256", "content": hashes[name, version]}],
                "purl": url,
            }
        )
    return found


def with_crates(parts: dict[str, Any], linked: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a list of parts with those of the native path, which querymix itself depends on."""
    urls = [one["purl"] for one in linked]
    own = parts["metadata"]["component"]["bom-ref"]
    depends = [
        one | {"dependsOn": sorted({*one.get("dependsOn", ()), *urls})} if one["ref"] == own else one
        for one in parts["dependencies"]
    ]
    more = [{"ref": url} for url in urls]
    return parts | {"components": [*parts["components"], *linked], "dependencies": [*depends, *more]}


def main(file: Path) -> None:
    """Write the list of parts anew, with the crates."""
    tree = subprocess.run(LINKED, cwd=CRATE, capture_output=True, text=True, check=True).stdout  # noqa: S603 - fixed
    linked = crates(tree, (CRATE / "Cargo.lock").read_text())
    file.write_text(json.dumps(with_crates(json.loads(file.read_text()), linked), indent=2) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
