"""Kafka's jars: fetched once by Maven as pom.xml says, then found in the user's cache.

The cache folder carries the hash of pom.xml, so another Kafka version is another folder, and a second start does not
call Maven. A folder appears whole or not at all: Maven copies into a temporary one that is renamed when complete.
Beside the jars may lie an archive of their loaded classes (`kafka.train` makes it), with which Java starts Kafka in
about half the time; Java itself ignores one that another version of it made.
"""

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from deploy.local.process import ServerError

POM = Path(__file__).with_name("pom.xml")
MAVEN_SECONDS = 600


def cache_folder() -> Path:
    """Where the jars of this pom.xml are or will be: under XDG_CACHE_HOME, or ~/.cache without it."""
    base = os.environ.get("XDG_CACHE_HOME")
    digest = hashlib.sha256(POM.read_bytes()).hexdigest()[:16]
    return (Path(base) if base else Path.home() / ".cache") / "querymix" / f"kafka-{digest}"


def class_archive() -> Path:
    """Where the archive of loaded classes is or will be."""
    return cache_folder() / "classes.jsa"


def cached() -> bool:
    """Whether the jars are there, so that Maven is not needed."""
    return cache_folder().is_dir()


def classpath() -> str:
    """The class path of a broker, all jars by name in a fixed order. The first call may take Maven half a minute.

    Raises `ServerError` when Maven is missing or fails.
    """
    folder = cache_folder()
    if not folder.is_dir():
        _fetch(folder)
    return os.pathsep.join(str(jar) for jar in sorted(folder.glob("*.jar")))


def _fetch(folder: Path) -> None:
    maven = shutil.which("mvn")
    if maven is None:
        raise ServerError("mvn is not installed and Kafka's jars are not in the cache; Debian: apt-get install maven")
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix="fetch-", dir=folder.parent))
    try:
        goal = ["dependency:copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={fresh}"]
        done = subprocess.run(  # noqa: S603 - fixed arguments
            [maven, "-B", "-q", "-f", str(POM), *goal],
            capture_output=True,
            text=True,
            check=False,
            timeout=MAVEN_SECONDS,
        )
        if done.returncode != 0:
            report = "\n".join((done.stdout + done.stderr).splitlines()[-15:])
            raise ServerError(f"Maven could not fetch Kafka:\n{report}\nNext: run `mvn -f {POM} {goal[0]}` by hand.")
        try:
            fresh.rename(folder)
        except OSError:
            if not folder.is_dir():  # otherwise another process fetched the same jars first
                raise
    except subprocess.TimeoutExpired as slow:
        raise ServerError(f"Maven took over {MAVEN_SECONDS} s to fetch Kafka. Next: try again later.") from slow
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
