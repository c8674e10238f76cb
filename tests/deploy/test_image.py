"""The image, really built and really run: with the rights that the Compose file and the manifests leave it.

It takes two to six minutes, most of it for the base, which is made from Debian's packages (no image registry is asked),
and for the native path.
"""

import asyncio
import json
import os
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final
from uuid import uuid4

import aiokafka
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from deploy.local.process import free_ports
from deploy.local.testing import Broker, Database
from tests.deploy.files import DEPLOY, ROOT
from tests.deploy.test_locks import pins

pytestmark = pytest.mark.slow  # building the image takes minutes
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
TOOLS: Final = ("buildah", "podman", "debootstrap", "runc")
LOCKED: Final = ["--read-only", "--tmpfs=/tmp", "--cap-drop=ALL", "--security-opt=no-new-privileges"]
"""The hardening of docker-compose.yml and of the manifests."""
LIMITS: Final = ["--ulimit=nofile=1024:1024", "--ulimit=nproc=1024:1024"]
"""Podman's own limits may be above those of a machine that is a container itself, which cannot raise them."""
SECONDS: Final = 1200
"""Within which a container does what it is for, on a machine that is busy and copies the whole image for each."""


def overlays(folder: Path) -> bool:
    """Tell whether the kernel stacks folders here; otherwise each container is a copy of the whole image."""
    for name in ("lower", "upper", "work", "both"):
        (folder / name).mkdir()
    options = f"lowerdir={folder}/lower,upperdir={folder}/upper,workdir={folder}/work"
    mount: list[str | Path] = ["mount", "-t", "overlay", "-o", options, "overlay", folder / "both"]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        return False
    subprocess.run(["umount", folder / "both"], check=True)
    return True


class Image:
    """The image in a storage of its own."""

    name: Final = f"querymix:{PROJECT['version']}"

    def __init__(self, storage: Path) -> None:
        self.storage = storage
        self.driver = "overlay" if overlays(storage) else "vfs"

    def podman(self, *arguments: str, stdin: bytes | None = None) -> "subprocess.CompletedProcess[bytes]":
        """Call podman on that storage."""
        run = self.storage / "run"
        command = ["podman", f"--storage-driver={self.driver}", f"--root={self.storage}", f"--runroot={run}"]
        # Files for events and cgroupfs: there is no systemd in a container. crun refuses mixed cgroup versions.
        command += ["--events-backend=file", "--cgroup-manager=cgroupfs", "--runtime=runc"]
        return subprocess.run([*command, *arguments], input=stdin, capture_output=True, check=False, timeout=SECONDS)

    def run(self, *arguments: str, options: tuple[str, ...] = (), stdin: bytes | None = None) -> bytes:
        """Run `querymix` in a container with no network and return its output."""
        done = self.podman(
            "run", "--rm", "-i", "--network=none", *LOCKED, *LIMITS, *options, self.name, *arguments, stdin=stdin
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout


@pytest.fixture(scope="module")
def image() -> Iterator[Image]:
    """Build the image; the tools are packages of Debian's."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing or os.geteuid() != 0:
        pytest.skip(f"building the image takes root and Debian's packages {', '.join(missing or TOOLS)}")
    # Podman's sockets need a short path, which pytest's own folders are not.
    storage = Path(tempfile.mkdtemp(prefix="qm-"))
    image = Image(storage)
    try:
        built = subprocess.run(
            ["sh", DEPLOY / "image" / "build.sh"],
            env=os.environ
            | {"BASE": "debian", "STORAGE_DRIVER": image.driver, "STORAGE": str(storage), "IMAGE": image.name},
            capture_output=True,
            text=True,
            check=False,
        )
        assert built.returncode == 0, built.stdout[-4000:] + built.stderr[-4000:]
        yield image
    finally:
        shutil.rmtree(storage, ignore_errors=True)


def test_the_image_says_its_version(image: Image) -> None:
    """Without a network, with a read-only root and no rights at all; the native path is in it."""
    assert image.run("--version").decode().strip() == f"querymix, version {PROJECT['version']} (native)"


def test_the_image_anonymizes_a_log(image: Image, made_up_log: Path, made_up_rows: list[str]) -> None:
    """The whole method, with the knowledge that comes along."""
    # The log is in no order, and a pipe is not put in one: with a bound on the hold nearly nothing would leave.
    options = ("--k", "5", "--hold-policy", "wait")
    out = image.run("run", "-", "-o", "-", *options, stdin=made_up_log.read_bytes()).decode().splitlines()
    released = [line for line in out if not line.startswith("AnonID")]
    assert released
    asked = {row.split("\t")[1] for row in made_up_rows}
    assert sum(line.split("\t")[1] in asked for line in released) > 0.9 * len(released), "texts, some of them cut"
    assert not {line.split("\t")[0] for line in released} & {row.split("\t")[0] for row in made_up_rows}, "ids of a day"


def test_the_image_holds_what_the_service_needs_and_no_tools(image: Image) -> None:
    """Every package of the extra `service`; nothing to install or compile with; nothing that its user may change."""
    look = """if True:
        import importlib.metadata, os, shutil
        print(*(one.metadata["Name"] for one in importlib.metadata.distributions()))
        print(*filter(shutil.which, ("pip", "pip3", "cargo", "rustc", "gcc", "cc", "make", "apt")))
        print(os.getuid(), os.getgid(), os.access("/opt/querymix", os.W_OK))
    """
    output = image.run("-c", look, options=("--entrypoint=python",)).decode().splitlines()
    packages, tools, rights = output
    needed = {
        canonicalize_name(Requirement(one).name)
        for one in [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["service"]]
    }
    assert needed <= {canonicalize_name(name) for name in packages.split()}
    assert tools.split() == ["apt"], "Debian itself has apt, which does nothing without root"
    assert rights == "10001 10001 False"


def test_the_list_of_parts_has_each_package_of_the_image_and_its_licence(image: Image) -> None:
    """Of the form CycloneDX, and nothing in it that is not there: the image holds what is locked and ourselves."""
    look = """if True:
        import importlib.metadata, json
        there = {one.metadata["Name"]: one.version for one in importlib.metadata.distributions()}
        print(json.dumps([there, json.load(open("/opt/querymix/sbom.cdx.json"))]))
    """
    there, parts = json.loads(image.run("-c", look, options=("--entrypoint=python",)))
    installed = {canonicalize_name(name): version for name, version in there.items()}
    own = parts["metadata"]["component"]
    assert (own["name"], own["version"]) == ("querymix", PROJECT["version"])
    python = [part for part in parts["components"] if part.get("purl", "pkg:pypi/").startswith("pkg:pypi/")]
    listed = {canonicalize_name(part["name"]): part["version"] for part in python}
    assert listed | {"querymix": PROJECT["version"]} == installed
    assert all(part["licenses"] for part in parts["components"] if part["name"] != "querymix")
    locked = pins(ROOT / "locks" / "service.txt")
    assert {name: locked[name][0] for name in installed.keys() - {"querymix"}} == listed
    crates = {part["name"]: part["version"] for part in parts["components"] if part not in python}
    assert {"pyo3", "pyo3-ffi"} <= crates.keys()
    packages = tomllib.loads((ROOT / "service" / "native" / "Cargo.lock").read_text())["package"]
    assert crates.items() <= {one["name"]: one["version"] for one in packages}.items()


@asynccontextmanager
async def container(image: Image, *arguments: str, port: int = 0) -> AsyncIterator[str]:
    """Run `querymix` in the background on this machine's network and yield the container's name."""
    name = f"querymix-{uuid4().hex[:8]}"
    options = ["-d", f"--name={name}", "--network=host", *LOCKED, *LIMITS]
    options += [f"--env=QUERYMIX_HTTP_PORT={port}"] if port else []
    started = await asyncio.to_thread(image.podman, "run", *options, image.name, *arguments)
    assert started.returncode == 0, started.stderr.decode()
    try:
        yield name
    finally:
        await asyncio.to_thread(image.podman, "rm", "--force", "--time=0", name)


async def test_the_image_works_on_kafka_answers_its_health_check_and_stops_when_told(
    image: Image, kafka: Broker, mongo: Database, made_up_rows: list[str]
) -> None:
    """Raw logs go in and anonymized ones come out of a worker in a container; SIGTERM ends it with exit code 0."""
    name = f"image-{uuid4().hex}"
    topics = ["--broker", kafka.bootstrap, "--prefix", name]
    async with asyncio.timeout(SECONDS):
        async with container(image, "topics", "create", *topics) as made:
            assert (await asyncio.to_thread(image.podman, "wait", made)).stdout.split() == [b"0"]
        (port,) = free_ports(1)
        options = [*topics, "--group", name, "--mongodb", mongo.uri, "--database", name, "--k", "5"]
        async with container(image, "worker", *options, port=port) as worker:
            async with aiokafka.AIOKafkaProducer(bootstrap_servers=kafka.bootstrap) as producer:
                sent = [await producer.send(f"{name}.raw", row.encode()) for row in made_up_rows]
                await asyncio.gather(*sent)
            async with aiokafka.AIOKafkaConsumer(
                f"{name}.anonymized",
                bootstrap_servers=kafka.bootstrap,
                auto_offset_reset="earliest",
                isolation_level="read_committed",
            ) as consumer:
                released = await consumer.getone()
            assert released.key == released.value.split(b"\t")[0]
            assert released.key not in {row.split("\t")[0].encode() for row in made_up_rows}, "an id of the day"
            assert int(released.value.split(b"\t")[3]) < len(made_up_rows)
            # A busy machine may take longer than the five seconds of a look.
            while (await asyncio.to_thread(image.podman, "healthcheck", "run", worker)).returncode:  # noqa: ASYNC110
                await asyncio.sleep(1)
            await asyncio.to_thread(image.podman, "stop", "--time=300", worker)
            ended = await asyncio.to_thread(image.podman, "inspect", "--format={{.State.ExitCode}}", worker)
            assert ended.stdout.split() == [b"0"]
