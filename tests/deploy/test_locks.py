"""What is installed: each package at one version and with the hashes of its files, as `make lock` wrote them."""

import json
import re
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.deploy.files import DEPLOY, ROOT
from tests.optional import need

LOCKS: Final = ROOT / "locks"
PYPROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS: Final[dict[str, list[str]]] = PYPROJECT["project"]["optional-dependencies"]
GROUPS: Final[dict[str, list[Any]]] = PYPROJECT["dependency-groups"]
OLD_NAMES: Final = {"knowledge", "study"}
"""Extras that are `lab` under an older name."""
HASH: Final = re.compile(r"--hash=sha256:[0-9a-f]{64}")
HOST: Final = re.compile(r"\w+://|--(?:extra-)?index-url|--find-links|\bfiles\.|\bregistry\.")


def lines(file: Path) -> Iterator[tuple[Requirement, list[str]]]:
    """Yield each package of a lock and its hashes; refuses anything else."""
    text = re.sub(r"^#.*\n", "", file.read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    for line in text.splitlines():
        pin, *hashes = re.split(r"\s+(?=--)", line.strip())
        assert all(map(HASH.fullmatch, hashes)), f"{file.name}: {pin}"
        yield Requirement(pin), hashes


def pins(file: Path) -> dict[str, list[str]]:
    """Return each package's name to its one version and its hashes."""
    found: dict[str, list[str]] = {}
    for one, hashes in lines(file):
        assert re.fullmatch(r"==[^*,]+", str(one.specifier)), f"{file.name}: {one}"
        assert canonicalize_name(one.name) not in found, f"{file.name}: {one}"
        found[canonicalize_name(one.name)] = [str(one.specifier).removeprefix("=="), *hashes]
    return found


def wanted(requirements: list[Any]) -> Iterator[Requirement]:
    """Yield what an extra or a group asks for, through the others that it names."""
    for one in requirements:
        if isinstance(one, dict):
            yield from wanted(GROUPS[one["include-group"]])
        elif (requirement := Requirement(one)).name == "querymix":
            for extra in requirement.extras:
                yield from wanted(EXTRAS[extra])
        else:
            yield requirement


def needs(lock: str) -> list[Requirement]:
    """Return what the file of that name in locks/ must hold at least."""
    if lock in GROUPS:
        return list(wanted(GROUPS[lock]))
    return list(wanted([*PYPROJECT["project"]["dependencies"], *EXTRAS.get(lock, [])]))


FILES: Final = sorted(LOCKS.glob("*.txt"))


def test_each_extra_and_each_group_has_a_lock() -> None:
    """And no lock is left over from one that is gone; `run` is what every installation has."""
    assert {file.stem for file in FILES} == EXTRAS.keys() - OLD_NAMES | GROUPS.keys() | {"run"}
    assert all(EXTRAS[old] == ["querymix[lab]"] for old in OLD_NAMES)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_package_of_a_lock_has_one_version_and_its_hashes(file: Path) -> None:
    """As --require-hashes asks; several where a release has wheels for several platforms."""
    assert all(len(pinned) > 1 for pinned in pins(file).values())
    assert max(len(pinned) for pinned in pins(file).values()) > 2


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_lock_fulfils_what_pyproject_asks_for(file: Path) -> None:
    """Whoever changes pyproject.toml and forgets `make lock` is told here."""
    locked = pins(file)
    for one in needs(file.stem):
        name = canonicalize_name(one.name)
        assert name in locked, f"{one} is not in locks/{file.name}: make lock"
        version = locked[name][0]
        assert one.specifier.contains(version, prereleases=True), f"{one}, but {version}: make lock"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_all_locks_hold_the_versions_that_are_tested_together(file: Path) -> None:
    """One version of a package in all of them: that of constraints.txt."""
    together = pins(ROOT / "constraints.txt")
    for name, (version, *_) in pins(file).items():
        assert together[name] == [version], f"{name}: make lock"


def test_the_package_is_built_with_what_is_locked() -> None:
    """Without build isolation, what pyproject.toml names for the build must be there."""
    locked = pins(LOCKS / "build.txt")
    for one in map(Requirement, PYPROJECT["build-system"]["requires"]):
        assert one.specifier.contains(locked[canonicalize_name(one.name)][0])


def test_no_lock_names_a_host() -> None:
    """Where packages come from is the user's configuration: a mirror serves the same files."""
    for file in (*FILES, ROOT / "constraints.txt", *(LOCKS / "npm").iterdir()):
        assert not HOST.search(file.read_text()), file.name


def test_the_npm_package_is_locked_too() -> None:
    """`npm ci` refuses what has another hash, and a package.json that says something else."""
    asked = json.loads((LOCKS / "npm" / "package.json").read_text())
    locked = json.loads((LOCKS / "npm" / "package-lock.json").read_text())["packages"]
    assert locked.pop("")["dependencies"] == asked["dependencies"]
    assert all(one["integrity"].startswith("sha512-") for one in locked.values())


def installs(text: str) -> list[str]:
    """Return the calls of pip that install something, each as one line, variables of the Makefile put in."""
    variables = dict(re.findall(r"^(PIP|LOCKED|OWN) = (.*)$", text, re.MULTILINE))
    text = re.sub(r"^(?:PIP|LOCKED|OWN) = .*$", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    for _ in variables:
        text = re.sub(r"\$\((?:call )?(PIP|LOCKED|OWN)[^)]*\)(?!\))", lambda name: variables[name[1]], text)
    return re.findall(r"-m pip (?:--python \S+ )?install [^&|;\n]*", text)


@pytest.mark.parametrize("file", [ROOT / "Makefile", DEPLOY / "Dockerfile"], ids=lambda file: file.name)
def test_nothing_is_installed_without_its_hash(file: Path) -> None:
    """Except our own package, which brings nothing along: --no-deps."""
    calls = installs(file.read_text())
    assert len(calls) >= 3
    for call in calls:
        assert "--require-hashes" in call or ("--no-deps" in call and re.search(r"whl|--editable \.", call)), call


SERVICE: Final = [one.name for one, _ in lines(LOCKS / "service.txt") if one.marker is None or one.marker.evaluate()]


@pytest.mark.parametrize("name", SERVICE)
def test_a_package_of_the_service_says_its_licence(name: str) -> None:
    """The list of parts (SBOM) of the image reads it there. docs/licences.md sums them up."""
    try:
        about = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        need(False, f"{name} is missing: pip install 'querymix[service]'")
    classifiers = [one for one in about.get_all("Classifier", []) if one.startswith("License ::")]
    assert about.get_all("License-Expression") or about.get_all("License") or classifiers
