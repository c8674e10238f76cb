"""Kafka's jars: fetched once by Maven as pom.xml says, then found in the user's cache.

jars.sha256 names each jar and its hash, and what differs is not taken. The cache folder carries the hash of both files,
so another Kafka version is another folder, and a second start does not call Maven. A folder appears whole or not at
all: Maven copies into a temporary one that is renamed when it is complete and as it has to be.
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
SUMS = Path(__file__).with_name("jars.sha256")
"""In the form of sha256sum. After a change in pom.xml `python -m deploy.local lock` writes it anew."""
MAVEN_SECONDS = 600


def cache_folder() -> Path:
    """Where the jars of these files are or will be: under XDG_CACHE_HOME, or ~/.cache without it."""
    base = os.environ.get("XDG_CACHE_HOME")
    digest = hashlib.sha256(POM.read_bytes() + SUMS.read_bytes()).hexdigest()[:16]
    return (Path(base) if base else Path.home() / ".cache") / "querymix" / f"kafka-{digest}"


def class_archive() -> Path:
    """Where the archive of loaded classes is or will be."""
    return cache_folder() / "classes.jsa"


def cached() -> bool:
    """Whether the jars are there, so that Maven is not needed."""
    return cache_folder().is_dir()


def classpath() -> str:
    """The class path of a broker, all jars by name in a fixed order. The first call may take Maven half a minute.

    Raises `ServerError` when Maven is missing or fails, or when it fetched other jars than `SUMS` names.
    """
    folder = cache_folder()
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix="fetch-", dir=folder.parent))
        try:
            fetch(fresh)
            refuse_others(sums(fresh), SUMS.read_text())
            try:
                fresh.rename(folder)
            except OSError:
                if not folder.is_dir():  # otherwise another process fetched the same jars first
                    raise
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    return os.pathsep.join(str(jar) for jar in sorted(folder.glob("*.jar")))


def sums(folder: Path) -> str:
    """Return the jars of a folder and their hashes, as sha256sum writes them."""
    jars = sorted(folder.glob("*.jar"))
    return "".join(f"{hashlib.sha256(jar.read_bytes()).hexdigest()}  {jar.name}\n" for jar in jars)


def refuse_others(found: str, expected: str) -> None:
    """Raise `ServerError` where one jar is missing, too much, or not the one that is expected."""
    differ = {line.split()[1] for line in set(found.splitlines()) ^ set(expected.splitlines())}
    if differ:
        raise ServerError(
            f"Maven fetched other jars than {SUMS} names: {', '.join(sorted(differ))}. None of them is used. Next: "
            "look where Maven fetches from (settings.xml); after a change in pom.xml: python -m deploy.local lock"
        )


def fetch(folder: Path) -> None:
    """Let Maven copy the jars that pom.xml asks for into a folder. Raises `ServerError`."""
    maven = shutil.which("mvn")
    if maven is None:
        raise ServerError("mvn is not installed and Kafka's jars are not in the cache; Debian: apt-get install maven")
    # Strict: what a repository sends is as the repository says; that it is what we know, `SUMS` says.
    goal = ["dependency:copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={folder}"]
    try:
        done = subprocess.run(  # noqa: S603 - fixed arguments
            [maven, "-B", "-q", "--strict-checksums", "-f", str(POM), *goal],
            capture_output=True,
            text=True,
            check=False,
            timeout=MAVEN_SECONDS,
        )
    except subprocess.TimeoutExpired as slow:
        raise ServerError(f"Maven took over {MAVEN_SECONDS} s to fetch Kafka. Next: try again later.") from slow
    if done.returncode != 0:
        report = "\n".join((done.stdout + done.stderr).splitlines()[-15:])
        raise ServerError(f"Maven could not fetch Kafka:\n{report}\nNext: run `mvn -f {POM} {goal[0]}` by hand.")
