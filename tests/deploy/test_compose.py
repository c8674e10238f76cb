"""docker-compose.yml and the Dockerfile, as far as they can be checked without a Docker engine."""

import json
import os
import re
import shlex
import shutil
import subprocess
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from querymix.settings import RENAMED, TopicSettings, WorkerSettings

from tests.deploy.files import DEPLOY, ROOT, document

ROLES = {"classifier", "anonymizer", "profiler"}
USERS = {"searchengine", "analyst", *(f"querymix-{name}" for name in (*ROLES, "setup", "operator"))}
SECRETS = {"mongodb_root_password", "mongodb_password", "mongodb_uri", "pseudonym_key", "grafana_password"} | {
    f"kafka_{user}" for user in USERS
}
NOT_PASSED_ON = {
    "QUERYMIX_MONGODB",  # the URI holds a password, and comes from a secret
    "QUERYMIX_DATABASE",  # the user that is made has rights on the default one alone
    "QUERYMIX_INSTANCE",  # a name that no other worker has; the service is scaled
    "QUERYMIX_HTTP_HOST",  # the image sets it
    "QUERYMIX_HTTP_PORT",  # the health check looks there
    "QUERYMIX_METRICS_ADDRESS",  # Prometheus looks at the port of the pages
}
NOT_OF_THE_ROLE = {
    "classifier": set[str](),
    "anonymizer": {"QUERYMIX_MONGODB_URI_FILE", "QUERYMIX_PSEUDONYM_KEY_FILE"},
    "profiler": {"QUERYMIX_PSEUDONYM_KEY_FILE"},
}
"""Secrets that a role does not need, and does not get."""
PINNED = re.compile(r"[a-z/]+:v?\d+\.\d+\.\d+[a-z0-9.-]*@sha256:[0-9a-f]{64}")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    """The file, with its anchors resolved."""
    return document(ROOT / "docker-compose.yml")


def test_the_file_follows_the_compose_specification(compose: dict[str, Any]) -> None:
    """The schema is the one that check-jsonschema carries; the program itself does not go with faust's click."""
    carrier = metadata.distribution("check-jsonschema")
    schema = Path(str(carrier.locate_file("check_jsonschema/builtin_schemas/vendor/compose-spec.json")))
    jsonschema.validate(compose, json.loads(schema.read_text()))


def test_docker_compose_itself_takes_the_file() -> None:
    """`docker compose config` resolves variables and refuses what the schema lets through; it needs no engine."""
    docker = shutil.which("docker")
    if docker is None or subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode:
        pytest.skip("the docker compose plugin is not installed")
    for more in ([], ["--no-interpolate"]):
        subprocess.run([docker, "compose", "config", "--quiet", *more], cwd=ROOT, check=True)


def images(root: Path) -> list[str]:
    """Return every image that is fetched; our own is built."""
    services = document(root / "docker-compose.yml")["services"].values()
    bases = re.findall(r"^(?:ARG PYTHON=|FROM )(\S+)", (root / "deploy" / "Dockerfile").read_text(), re.MULTILINE)
    named = [*(service["image"] for service in services), *bases]
    return [one for one in named if one != "${PYTHON}" and not one.startswith("querymix:")]


def test_every_image_has_a_pinned_tag_and_its_digest() -> None:
    """No image changes under an operator who changed nothing, also when its tag is built again."""
    assert len(set(images(ROOT))) == 5
    assert [one for one in images(ROOT) if not PINNED.fullmatch(one)] == []


def test_one_command_writes_the_digest_of_every_image(tmp_path: Path) -> None:
    """Of a new tag, which has none, as of an old one; what is no digest is not written."""
    (tmp_path / "deploy").mkdir()
    for name in ("docker-compose.yml", "deploy/Dockerfile"):
        text = (ROOT / name).read_text()
        (tmp_path / name).write_text(re.sub(r"kafka:4\.1\.1@sha256:\w+", "kafka:4.2.0", text))
    skopeo = tmp_path / "skopeo"
    skopeo.write_text(
        '#!/bin/sh\nfor image; do :; done\nprintf "sha256:%s" "$(printf %s "$image" | sha256sum | cut -c1-64)"\n'
    )
    skopeo.chmod(0o755)
    command = ["sh", str(DEPLOY / "image" / "digests.sh")]
    environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}", "ROOT": str(tmp_path)}
    subprocess.run(command, env=environment, check=True, capture_output=True)
    tags = [one.partition("@")[0] for one in images(ROOT)]
    expected = {tag.replace("4.1.1", "4.2.0") for tag in tags}
    assert set(images(tmp_path)) == {
        f"{tag}@sha256:{sha256(f'docker://{tag}'.encode()).hexdigest()}" for tag in expected
    }
    skopeo.write_text("#!/bin/sh\necho not found\n")
    before = (tmp_path / "docker-compose.yml").read_text()
    failed = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
    assert failed.returncode == 1
    assert "no digest, but 'not found'" in failed.stderr
    assert (tmp_path / "docker-compose.yml").read_text() == before


def test_what_others_wait_for_can_be_waited_for(compose: dict[str, Any]) -> None:
    """A condition on health needs a health check, in the file or in the image."""
    for name, service in compose["services"].items():
        for other, how in service.get("depends_on", {}).items():
            needed = compose["services"][other]
            if how["condition"] == "service_healthy":
                assert needed["healthcheck"]["test"][0] == "CMD", f"{name} waits for the health of {other}"
            if how["condition"] == "service_completed_successfully":
                assert needed["restart"] == "on-failure:5", f"{other} runs once"


def test_the_worker_can_be_scaled(compose: dict[str, Any]) -> None:
    """A fixed name, a published port or a fixed membership would be one worker's only."""
    for role in ROLES:
        worker = compose["services"][role]
        assert not worker.keys() & {"container_name", "ports", "hostname"}
        assert "QUERYMIX_INSTANCE" not in worker["environment"]
    prometheus = document(DEPLOY / "prometheus" / "prometheus.yml")
    (found,) = prometheus["scrape_configs"][0]["dns_sd_configs"]
    assert set(found["names"]) == ROLES


def test_nothing_is_published_beyond_this_machine(compose: dict[str, Any]) -> None:
    """The topics hold raw queries: no way in from elsewhere, and none out."""
    published = {name for name, service in compose["services"].items() if "ports" in service}
    for name, service in compose["services"].items():
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", [])), name
        if name != "rights":
            assert service["networks"] == (["inside", "host"] if name in published else ["inside"]), name
    assert compose["networks"]["inside"]["internal"]
    assert compose["networks"]["host"]["driver_opts"]["com.docker.network.bridge.enable_ip_masquerade"] == "false"


def test_kafka_asks_whoever_is_not_in_its_own_container_for_a_password(compose: dict[str, Any]) -> None:
    """Who comes without one may do everything, so those listeners are the container's own."""
    settings = compose["services"]["kafka"]["environment"]
    protocols = dict(pair.split(":") for pair in settings["KAFKA_LISTENER_SECURITY_PROTOCOL_MAP"].split(","))
    places = dict(pair.split("://") for pair in settings["KAFKA_LISTENERS"].split(","))
    assert protocols.keys() == places.keys()
    for name, protocol in protocols.items():
        assert protocol == "SASL_PLAINTEXT" or places[name].startswith("127.0.0.1:"), name
    assert settings["KAFKA_SUPER_USERS"] == "User:ANONYMOUS"
    assert settings["KAFKA_AUTHORIZER_CLASS_NAME"] == "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
    rights = compose["services"]["rights"]
    assert rights["network_mode"] == "service:kafka"
    assert rights["image"] == compose["services"]["kafka"]["image"]


def test_each_role_has_its_own_user_and_no_secret_that_it_does_not_need(compose: dict[str, Any]) -> None:
    """Who gets into one container has one role's rights."""
    for service in (*ROLES, "topics"):
        user = f"querymix-{'setup' if service == 'topics' else service}"
        found = compose["services"][service]
        assert found["environment"]["QUERYMIX_SASL_USERNAME"] == f"${{QUERYMIX_SASL_USERNAME:-{user}}}"
        assert {"source": f"kafka_{user}", "target": "kafka_password"} in found["secrets"]
        assert sum("kafka" in str(secret) for secret in found["secrets"]) == 1
    for role in ROLES:
        assert compose["services"][role]["environment"]["QUERYMIX_ROLES"] == role
        assert not compose["services"][role]["environment"].keys() & NOT_OF_THE_ROLE[role]
    assert "pseudonym_key" not in compose["services"]["profiler"]["secrets"]
    assert compose["services"]["anonymizer"]["secrets"] == [
        {"source": "kafka_querymix-anonymizer", "target": "kafka_password"}
    ]


def test_the_users_are_made_with_their_rights_and_no_password_on_a_command_line(
    compose: dict[str, Any], tmp_path: Path
) -> None:
    """The script with Kafka's tools replaced by some that note how they are called."""
    assert set(compose["services"]["rights"]["secrets"]) == {f"kafka_{user}" for user in USERS}
    tools, secrets = tmp_path / "tools", tmp_path / "secrets"
    tools.mkdir()
    secrets.mkdir()
    for tool in ("configs", "acls"):
        program = tools / f"kafka-{tool}.sh"
        program.write_text(
            f'#!/bin/sh\necho "$@" >>{tmp_path}/{tool}\nfor last; do :; done\n'
            f'if [ {tool} = configs ]; then cat "$last" >>{tmp_path}/given; fi\n'
        )
        program.chmod(0o755)
    for user in USERS:
        (secrets / f"kafka_{user}").write_text(f"word-of-{user}\n")
    places = {"SECRETS": secrets, "TOOLS": tools, "ACLS": DEPLOY / "kafka-acls.sh"}
    environment = {"PATH": "/usr/bin:/bin"} | {name: str(place) for name, place in places.items()}
    subprocess.run(["sh", DEPLOY / "compose" / "kafka-users.sh"], env=environment, check=True)
    made = (tmp_path / "configs").read_text()
    assert set(re.findall(r"--entity-name (\S+)", made)) == USERS
    assert "word-of" not in made
    given = (tmp_path / "given").read_text().splitlines()
    assert set(given) == {f"SCRAM-SHA-512=password=word-of-{user}" for user in USERS}
    allowed = (tmp_path / "acls").read_text()
    assert set(re.findall(r"User:(\S+)", allowed)) == USERS
    assert "--bootstrap-server 127.0.0.1:9095" in allowed


def test_no_secret_stands_in_the_file(compose: dict[str, Any]) -> None:
    """Every password comes from a file that Git does not take."""
    for name, service in compose["services"].items():
        for variable, value in service.get("environment", {}).items():
            path = re.sub(r"^\$\{\w+:-(.*)\}$", r"\1", str(value or ""))
            if re.search("PASSWORD|SECRET|TOKEN|KEY", variable):
                assert value is None or path.startswith("/run/secrets/"), f"{name}: {variable}"
            if path.startswith("/run/secrets/"):
                there = {one["target"] if isinstance(one, dict) else one for one in service["secrets"]}
                assert Path(path).name in there, f"{name}: {variable}"
    assert compose["secrets"].keys() == SECRETS
    ignored = subprocess.run(
        ["git", "check-ignore", *(secret["file"] for secret in compose["secrets"].values())],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    assert len(ignored.stdout.splitlines()) == len(SECRETS)


def test_the_secrets_script_makes_each_secret_once(tmp_path: Path) -> None:
    """A second run keeps what is there; the URI holds the password of the user."""
    (tmp_path / "secrets").mkdir()
    script = shutil.copy(DEPLOY / "compose" / "secrets.sh", tmp_path)
    subprocess.run(["sh", script], check=True, capture_output=True)
    first = {file.name: file.read_text() for file in (tmp_path / "secrets").iterdir()}
    assert first.keys() == SECRETS
    assert f":{first['mongodb_password']}@" in first["mongodb_uri"]
    assert len(set(first.values())) == len(SECRETS)
    assert min(map(len, first.values())) >= 64
    assert (tmp_path / "secrets").stat().st_mode & 0o077 == 0
    again = subprocess.run(["sh", script], check=True, capture_output=True)
    assert not again.stdout
    assert first == {file.name: file.read_text() for file in (tmp_path / "secrets").iterdir()}


@pytest.mark.parametrize(
    ("service", "settings"), [*((role, WorkerSettings) for role in sorted(ROLES)), ("topics", TopicSettings)]
)
def test_every_option_can_be_set_and_no_other(compose: dict[str, Any], service: str, settings: Any) -> None:
    """A new option that is not passed on could not be used; a misspelt one would keep the worker from starting."""
    old = [old for old, new in RENAMED.items() if new in settings.model_fields]
    names = {f"QUERYMIX_{name.upper()}" for name in (*settings.model_fields, *old, "settings")}
    unset = NOT_PASSED_ON | NOT_OF_THE_ROLE[service] if service in ROLES else set()
    assert compose["services"][service]["environment"].keys() == names - unset


def test_what_is_passed_on_has_its_default_where_it_is_not_set(compose: dict[str, Any]) -> None:
    """An empty text is no default: it would be refused as a value, and hide that of a settings file."""
    for service in (*ROLES, "topics"):
        for variable, value in compose["services"][service]["environment"].items():
            if variable != "QUERYMIX_ROLES":
                assert value is None or re.fullmatch(rf"\$\{{{variable}:-.+\}}", value), variable


def test_every_container_is_locked_down_and_bounded(compose: dict[str, Any]) -> None:
    """No rights but its user's, who is not root; a root that is read-only; bounds on memory, processors and logs."""
    for name, service in compose["services"].items():
        assert service["read_only"], name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert int(service["user"].split(":")[0]) > 0, name
        assert service.keys() >= {"mem_limit", "cpus", "pids_limit", "tmpfs"}, name
        assert service["logging"]["options"].keys() == {"max-size", "max-file"}, name


def test_the_broker_may_run_what_it_unpacks(compose: dict[str, Any]) -> None:
    """The libraries of zstd and snappy are unpacked to /tmp, where Docker forbids to run files unless told."""
    options = dict(one.partition(":")[::2] for one in compose["services"]["kafka"]["tmpfs"])
    assert "exec" in options["/tmp"].split(",")  # noqa: S108


def test_the_files_that_are_mounted_are_there(compose: dict[str, Any]) -> None:
    """Docker would make a folder in place of a missing file."""
    for service in compose["services"].values():
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert source in compose["volumes"] or (ROOT / source).exists(), source


def test_the_dockerfile_copies_what_the_build_context_lets_through() -> None:
    """.dockerignore leaves everything out but what is named."""
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    assert "*" in lines
    let_through = {line.removeprefix("!") for line in lines if line.startswith("!")}
    copied = {
        source
        for line in (DEPLOY / "Dockerfile").read_text().splitlines()
        if line.startswith("COPY ") and "--from" not in line
        for source in shlex.split(line)[1:-1]
    }
    assert copied == let_through
    assert not [name for name in copied if not (ROOT / name).exists()]


def test_the_image_runs_the_worker_as_nobody_in_particular() -> None:
    """Exec form throughout, so that SIGTERM reaches the worker; not as root."""
    lines = (DEPLOY / "Dockerfile").read_text().splitlines()
    assert 'ENTRYPOINT ["querymix"]' in lines
    assert 'CMD ["worker"]' in lines
    assert "USER 10001:10001" in lines
    health = next(line for line in lines if "/health/live" in line)
    assert json.loads(health.strip().removeprefix("CMD "))[0] == "python"
