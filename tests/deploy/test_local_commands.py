"""Starting, stopping and failing: the command line, the rule for skipping, and what a dead parent leaves behind."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from deploy.local import jars, layout, mongo, process, wire
from deploy.local.kafka import LocalKafka
from deploy.local.layout import Layout
from deploy.local.mongo import LocalMongo, answers
from deploy.local.process import PortTakenError, Server, ServerError, free_ports, is_free
from deploy.local.requirements import available
from deploy.local.testing import require

ROOT = Path(__file__).parents[2]
SECONDS = 300
"""Within which what is waited for comes, on a busy machine too."""


def python(code: str) -> Sequence[str]:
    """The command that runs `code`."""
    return [sys.executable, "-c", code]


@pytest.mark.servers
def test_up_prints_both_addresses_and_sigterm_stops_both_servers(tmp_path: Path) -> None:
    """The command as a machine uses it."""
    require()
    command = [sys.executable, "-m", "deploy.local", "up", "--folder", str(tmp_path), "--json"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            facts = json.loads(process.stdout.readline())
            port = int(facts["bootstrap"].rpartition(":")[2])
            assert wire.serving(port, SECONDS) == 1
            assert answers(facts["uri"], 1000 * SECONDS)
            process.send_signal(signal.SIGTERM)
            assert process.wait(SECONDS) == 0
        finally:
            process.kill()
    assert is_free(port)
    assert not any(Path(f"/proc/{pid}").exists() for pid in facts["pids"])


@pytest.mark.skipif(sys.platform != "linux", reason="PR_SET_PDEATHSIG is Linux's")
def test_a_server_dies_with_a_parent_that_is_killed() -> None:
    """The parent gets no chance to clean up; the kernel does it. The server's end of the pipe closes at its death."""
    reading, writing = os.pipe()
    parent_code = f"""
import sys, pathlib, signal
from deploy.local.process import Server
sleep = [sys.executable, '-c', 'import time; print("up", flush=True); time.sleep(600)']
server = Server('sleeper', sleep, pathlib.Path('/dev/fd/{writing}'))
server.spawn()
signal.pause()
"""
    with subprocess.Popen(python(parent_code), cwd=ROOT, pass_fds=[writing]) as parent, os.fdopen(reading) as pipe:
        os.close(writing)
        assert pipe.readline() == "up\n"
        parent.kill()
        assert pipe.read() == ""  # returns only when the last writer, the sleeper, is gone


def test_a_server_that_ends_while_starting_is_reported_with_its_log_and_what_to_do(tmp_path: Path) -> None:
    """The reader of the message needs no other file to know why."""
    server = Server("test server", python("import sys; sys.exit('the disk is full')"), tmp_path / "server.log")
    server.spawn()
    with pytest.raises(ServerError, match=r"(?s)test server stopped while starting.*the disk is full.*Next: ") as told:
        server.wait_ready(lambda: False, SECONDS)
    assert type(told.value) is ServerError
    assert str(tmp_path / "server.log") in str(told.value)
    server.stop()


def test_a_server_that_never_answers_is_killed_and_reported(tmp_path: Path) -> None:
    """A hung start ends, and leaves no process."""
    server = Server("test server", python("import time; time.sleep(600)"), tmp_path / "server.log")
    server.spawn()
    with pytest.raises(ServerError, match="did not answer within 0 s"):
        server.wait_ready(lambda: False, 0)
    assert not server.running


def test_servers_that_were_never_started_have_no_address(tmp_path: Path) -> None:
    """Asking too early says so, and stopping is harmless."""
    broker, database = LocalKafka(tmp_path), LocalMongo(tmp_path)
    with pytest.raises(ServerError, match="never started"):
        _ = broker.bootstrap
    with pytest.raises(ServerError, match="never started"):
        _ = database.uri
    broker.stop()
    database.kill()


def test_a_port_that_nobody_listens_on_serves_nobody() -> None:
    """The probe says no instead of raising."""
    assert wire.serving(free_ports(1)[0]) == 0


def test_a_folder_keeps_its_ports_and_refuses_another_number_of_brokers(tmp_path: Path) -> None:
    """The same folder is the same cluster."""
    drawn = Layout.draw(1)
    file = tmp_path / "layout.json"
    file.write_text(json.dumps(vars(drawn)))
    assert Layout.of(file, 1) == drawn
    with pytest.raises(ServerError, match="holds a cluster of 1, not 3"):
        Layout.of(file, 3)


def test_where_java_is_missing_tests_skip_and_ci_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A skip on a laptop is visible; in CI a missing server is an error."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert not jars.cached()
    reason = available("kafka")
    assert reason is not None
    assert "java is missing" in reason
    assert "mvn is missing" in reason
    monkeypatch.setenv("CI", "false")
    with pytest.raises(pytest.skip.Exception, match="java is missing"):
        require("kafka")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="java is missing"):
        require("kafka")
    with pytest.raises(ServerError, match="mvn is not installed"):
        jars.classpath()


def test_a_jar_that_is_not_the_one_we_know_is_not_taken(tmp_path: Path) -> None:
    """Changed, missing or too much: each is named, whatever the repository says of its own checksums."""
    for name in ("kafka.jar", "log4j.jar"):
        (tmp_path / name).write_bytes(name.encode())
    known = jars.sums(tmp_path)
    jars.refuse_others(known, known)
    (tmp_path / "log4j.jar").write_bytes(b"another")
    with pytest.raises(ServerError, match=r"names: log4j\.jar\. None"):
        jars.refuse_others(jars.sums(tmp_path), known)
    (tmp_path / "kafka.jar").unlink()
    with pytest.raises(ServerError, match=r"names: kafka\.jar, log4j\.jar\. None"):
        jars.refuse_others(jars.sums(tmp_path), known)
    (tmp_path / "one-more.jar").touch()
    with pytest.raises(ServerError, match=r"one-more\.jar"):
        jars.refuse_others(jars.sums(tmp_path), known)


def test_what_maven_fetches_is_looked_at_before_it_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Maven that copies something else leaves no folder behind, so the next start asks it again."""
    maven = tmp_path / "mvn"
    maven.write_text(
        '#!/bin/sh\nfor one; do case "$one" in -DoutputDirectory=*) : >"${one#*=}/other.jar";; esac; done\n'
    )
    maven.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with pytest.raises(ServerError, match=r"other\.jar"):
        jars.classpath()
    assert not list((tmp_path / "cache" / "querymix").iterdir())


def test_the_jars_that_we_know_are_those_of_the_broker_in_pom_xml() -> None:
    """Whoever changes the version and forgets the hashes is told here, without Maven."""
    pom = jars.POM.read_text()
    versions = dict(re.findall(r"<artifactId>([^<]+)</artifactId>\s*<version>([^<]+)</version>\s*</dependency>", pom))
    known = {line.split()[1] for line in jars.SUMS.read_text().splitlines()}
    assert versions
    assert {f"{name}-{version}.jar" for name, version in versions.items()} <= known


def test_a_port_that_one_process_was_given_is_given_to_no_other_while_that_one_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mine = free_ports(2)
    few = f"from deploy.local import process; process.PORTS = {mine}; process.free_ports(1)"
    other = subprocess.run([sys.executable, "-c", few], capture_output=True, text=True, check=False)
    assert other.returncode == 1
    assert "ServerError: fewer than 1 free ports" in other.stderr
    monkeypatch.setattr(process, "PORTS", mine)
    with pytest.raises(ServerError, match="fewer than 1 free ports"):
        free_ports(1)


@pytest.mark.parametrize(
    ("outgoing", "left"),
    [("32768 60999", [1, 2, 3]), ("2\t2\n", [1, 3]), ("1 65535", [1, 2, 3]), ("no numbers", [1, 2, 3])],
)
def test_a_port_that_the_machine_may_give_to_a_client_is_not_given_to_a_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, outgoing: str, left: list[int]
) -> None:
    """Where the machine takes all ports for clients, any will do."""
    (tmp_path / "range").write_text(outgoing)
    monkeypatch.setattr(process, "PORTS", [1, 2, 3])
    assert process._ports(tmp_path / "range") == left
    assert process._ports(tmp_path / "no such file") == [1, 2, 3]


LISTEN = "import socket, sys; socket.create_server(('127.0.0.1', int(sys.argv[1]))); input()"


def test_a_server_whose_port_another_program_has_taken_says_so_once_and_not_at_the_next_start(tmp_path: Path) -> None:
    """Its log is that of all starts."""
    (port,) = free_ports(1)
    server = Server("test server", [*python(LISTEN), str(port)], tmp_path / "server.log")
    with socket.create_server(("127.0.0.1", port)):
        server.spawn()
        with pytest.raises(PortTakenError, match="stopped while starting"):
            server.wait_ready(lambda: False, SECONDS)
    server.spawn()
    with pytest.raises(ServerError, match="stopped while starting") as told:  # it has no input to wait for
        server.wait_ready(lambda: False, SECONDS)
    assert type(told.value) is ServerError
    server.stop()


@pytest.mark.servers
@pytest.mark.parametrize(("name", "make"), [("kafka", LocalKafka), ("mongo", LocalMongo)])
def test_a_server_takes_another_port_where_its_own_is_taken_before_it_listens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, make: Callable[[Path], LocalKafka | LocalMongo]
) -> None:
    """But not once its address may be known."""
    require(name)
    with socket.create_server(("127.0.0.1", 0)) as other:
        first = [other.getsockname()[1]]

        def drawn(count: int) -> list[int]:
            ports = free_ports(count)
            return [first.pop(), *ports[1:]] if first else ports

        for room in (layout, mongo):
            monkeypatch.setattr(room, "free_ports", drawn)
        with make(tmp_path) as server:
            assert not first
            place = server.bootstrap if isinstance(server, LocalKafka) else server.uri
            (port,) = map(int, re.findall(r"127\.0\.0\.1:(\d+)", place))
            server.stop()
            with socket.create_server(("127.0.0.1", port)), pytest.raises(PortTakenError):
                server.start()
            server.start()
            assert place == (server.bootstrap if isinstance(server, LocalKafka) else server.uri)
