"""What the servers need on this machine, whether it is there, and what to install."""

import importlib.util
import re
import shutil
import subprocess
from dataclasses import dataclass

from deploy.local import jars

JAVA_LEAST = 17


@dataclass(frozen=True)
class Requirement:
    """One thing needed: `found` says what is there (None: missing), `advice` what to do when it is not."""

    name: str
    server: str
    found: str | None
    advice: str


def _java() -> str | None:
    """The version of the `java` on the path if it is new enough."""
    java = shutil.which("java")
    if java is None:
        return None
    shown = subprocess.run([java, "-version"], capture_output=True, text=True, check=False)  # noqa: S603 - fixed
    version = re.search(r'version "(\d+)([^"]*)"', shown.stderr + shown.stdout)
    if version is None or int(version[1]) < JAVA_LEAST:
        return None
    return version[1] + version[2]


def requirements() -> list[Requirement]:
    """Everything that the two servers need, in the order in which to install it."""
    maven = "not needed, Kafka is in the cache" if jars.cached() else shutil.which("mvn")
    secantus = "importable" if importlib.util.find_spec("secantus") else None
    return [
        Requirement("java", "kafka", _java(), f"install Java {JAVA_LEAST} or newer (openjdk-17-jre-headless)"),
        Requirement("mvn", "kafka", maven, "install Maven (Debian's package: maven); it is needed once"),
        Requirement("secantusdb", "mongo", secantus, "pip install 'querymix[servers]'"),
    ]


def available(server: str | None = None) -> str | None:
    """Why the servers (or "kafka" or "mongo" alone) cannot run here, in one line; None if they can."""
    missing = [need for need in requirements() if need.found is None and server in (None, need.server)]
    return "; ".join(f"{need.name} is missing: {need.advice}" for need in missing) or None
