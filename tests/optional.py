"""What a machine may lack: the one rule by which a test is skipped, with its reason, and the one that sets its tier.

A pytest plugin. A test, a fixture or a whole module that meets a missing optional package is skipped and says what to
install; no module has to decide it for itself. What needs more than a Python package asks `need`.
"""

import os
from collections.abc import Generator, Iterable
from importlib.util import find_spec
from pathlib import Path

import pytest
from querymix.extras import advice

DEVELOPERS = {
    "check_jsonschema",
    "cloudcoil",
    "confluent_kafka",
    "jsonschema",
    "kubernetes_validate",
    "referencing",
    "yaml",
}
"""Packages of the extra `dev` that tests import."""
WORDNET = "WORDNET"
"""Environment variable: the folder of WordNet 3.0's files, where it is not Debian's."""
NATIVE = "querymix.native"
NO_NATIVE = "the native path (service/native) is not built: make native"


SERVERS = {"kafka", "mongo", "guarded"}
"""Fixtures that are a real server: a test that asks for one has the mark `servers`."""


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests on real servers, and keep those that share a module's fixture in one process of xdist's."""
    for item in items:
        if isinstance(item, pytest.Function):
            info = item._fixtureinfo
            if SERVERS & set(info.names_closure):
                item.add_marker(pytest.mark.servers)
            if any(found[-1].scope == "module" for found in info.name2fixturedefs.values()):
                item.add_marker(pytest.mark.xdist_group(item.module.__name__))


def in_ci() -> bool:
    """Say whether this is CI, where what the machine can run must run."""
    return os.environ.get("CI", "").lower() == "true"


def need(there: bool, reason: str) -> None:
    """Skip the test where something is not there, and fail it in CI; `reason` says what to install."""
    if there:
        return
    if in_ci():
        pytest.fail(f"CI must run this: {reason}", pytrace=False)
    pytest.skip(reason)


def wordnet() -> Path:
    """Return the folder of WordNet 3.0's files, or skip the test."""
    folder = Path(os.environ.get(WORDNET, "/usr/share/wordnet"))
    need((folder / "index.noun").is_file(), f"{folder}: no WordNet 3.0; apt-get install wordnet-base")
    return folder


def need_native() -> None:
    """Skip the test where the native path is not built."""
    need(find_spec(NATIVE) is not None, NO_NATIVE)


def reason_of(error: BaseException | None) -> str | None:
    """Return why a test cannot run here, or None where `error` is a failure, as it always is in CI."""
    if in_ci() or not isinstance(error, ModuleNotFoundError):
        return None
    if error.name == NATIVE:
        return NO_NATIVE
    module = (error.name or "").partition(".")[0]
    if module in DEVELOPERS:
        return f"the Python package {module!r} is missing: pip install 'querymix[dev]'"
    return advice(error)


class OptionalModule(pytest.Module):
    """A module of tests that is skipped where an optional package that it imports is missing."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        """Import the module and return its tests."""
        try:
            return list(super().collect())
        except self.CollectError as error:
            reason = reason_of(error.__cause__)
            if reason is None:
                raise
            pytest.skip(reason, allow_module_level=True)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module:
    """Collect every module by the rule above."""
    return OptionalModule.from_parent(parent, path=module_path)


def _skipping() -> Generator[None, object, object]:
    try:
        return (yield)
    except ModuleNotFoundError as error:
        reason = reason_of(error)
        if reason is None:
            raise
        pytest.skip(reason)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None, object, object]:
    """Skip where a fixture meets a missing package."""
    return (yield from _skipping())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    """Skip where a test itself meets one."""
    return (yield from _skipping())
