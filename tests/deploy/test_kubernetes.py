"""The Kubernetes manifests, by the schemas of the API and of the two operators, and what must hold between them."""

import shutil
import subprocess
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import kubernetes_validate  # type: ignore[import-untyped]  # it comes without types
import pytest
import yaml
from querymix.settings import TopicSettings, WorkerSettings

from tests.deploy.files import DEPLOY, document, documents

FOLDER: Final = DEPLOY / "kubernetes"
COMPONENTS: Final = ("monitoring", "keda")
ROLES: Final = ("classifier", "anonymizer", "profiler")
FILES: Final = [
    *(name for name in document(FOLDER / "kustomization.yaml")["resources"] if name not in ROLES),
    "worker/worker.yaml",
]
MANIFESTS: Final = [manifest for file in FILES for manifest in documents(FOLDER / file)]
OPERATED: Final = [
    manifest
    for component in COMPONENTS
    for file in document(FOLDER / component / "kustomization.yaml")["resources"]
    for manifest in documents(FOLDER / component / file)
]
MODELS: Final = {
    "PodMonitor": "cloudcoil.models.prometheus_operator.v1",
    "PrometheusRule": "cloudcoil.models.prometheus_operator.v1",
    "ScaledObject": "cloudcoil.models.keda.v1alpha1",
}
"""Where the operators' own schemas are, as types made from them."""
SECRETS: Final = {
    "StatefulSet": {"secretName": "querymix-worker", "defaultMode": 0o440},
    "Job": {"secretName": "querymix-setup", "defaultMode": 0o440},
}


def one(kind: str, manifests: list[dict[str, Any]] = MANIFESTS) -> dict[str, Any]:
    """The only manifest of a kind."""
    (found,) = (manifest for manifest in manifests if manifest["kind"] == kind)
    return found


def all_of(kind: str, manifests: list[dict[str, Any]] = MANIFESTS) -> list[dict[str, Any]]:
    """All manifests of a kind."""
    return [manifest for manifest in manifests if manifest["kind"] == kind]


def pod(kind: str) -> dict[str, Any]:
    """What the pods of the only manifest of a kind are made of."""
    found: dict[str, Any] = one(kind)["spec"]["template"]["spec"]
    return found


def containers(kind: str) -> list[dict[str, Any]]:
    """All containers of its pods."""
    return [*pod(kind).get("initContainers", []), *pod(kind)["containers"]]


def settings_of(name: str) -> dict[str, str]:
    """What a generated ConfigMap holds."""
    (generated,) = (one for one in document(FOLDER / "kustomization.yaml")["configMapGenerator"] if one["name"] == name)
    lines = [line for file in generated["envs"] for line in (FOLDER / file).read_text().splitlines()]
    pairs = [line.split("=", 1) for line in lines if line and not line.startswith("#")]
    assert len({key for key, _ in pairs}) == len(pairs), "kustomize refuses a key that stands in two files"
    return dict(pairs)


def strict(manifest: dict[str, Any]) -> None:
    """Check a manifest of Kubernetes' own: a field that the API does not know is an error."""
    kubernetes_validate.validate(manifest, kubernetes_validate.latest_version(), strict=True)


@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda m: f"{m['kind']}-{m['metadata']['name']}")
def test_a_manifest_follows_the_schema_of_a_kubernetes_version(manifest: dict[str, Any]) -> None:
    """As it stands in the file."""
    strict(manifest)


@pytest.mark.parametrize("manifest", OPERATED, ids=lambda m: str(m["kind"]))
def test_a_manifest_for_an_operator_follows_that_operators_schema(manifest: dict[str, Any]) -> None:
    """The type drops a field that it does not know, so the manifest has to come out of it as it went in."""
    model = getattr(import_module(MODELS[manifest["kind"]]), manifest["kind"])
    read = model.model_validate(manifest)
    assert read.model_dump(mode="json", by_alias=True, exclude_unset=True) == manifest


def test_every_file_is_part_of_a_kustomization() -> None:
    """A file that is left out would never be applied."""
    for folder in (FOLDER, *(FOLDER / name for name in (*COMPONENTS, *ROLES, "worker"))):
        found = document(folder / "kustomization.yaml")
        named = {*found["resources"], *(patch.get("path") for patch in found.get("patches", []))} - {None}
        beside = {file.name for file in folder.glob("*.yaml")} - {"kustomization.yaml"}
        assert beside <= named, folder
        assert named - beside <= {*ROLES, "../worker"}, folder
    generated = document(FOLDER / "kustomization.yaml")["configMapGenerator"]
    used = {FOLDER / env for one in generated for env in one["envs"]}
    assert set((FOLDER / "settings").iterdir()) == used


def test_the_rules_for_the_operator_are_the_alerts() -> None:
    """They are made from one file: sh deploy/kubernetes/monitoring/make-rules.sh."""
    assert one("PrometheusRule", OPERATED)["spec"] == document(DEPLOY / "prometheus" / "alerts.yml")


def test_selectors_find_the_workers_and_the_workers_alone() -> None:
    """The Service, the budget, the monitor and the scaling look for the labels that the pods have."""
    labels = one("StatefulSet")["spec"]["template"]["metadata"]["labels"]
    assert one("StatefulSet")["spec"]["selector"]["matchLabels"] == labels
    assert one("Service")["spec"]["selector"] == labels
    assert one("PodDisruptionBudget")["spec"]["selector"]["matchLabels"] == labels
    assert one("PodMonitor", OPERATED)["spec"]["selector"]["matchLabels"] == labels
    assert one("Job")["spec"]["template"]["metadata"]["labels"] != labels
    policies = {one["metadata"]["name"]: one["spec"]["podSelector"]["matchLabels"] for one in all_of("NetworkPolicy")}
    assert policies["querymix"].items() <= labels.items()
    assert policies["querymix"].items() <= one("Job")["spec"]["template"]["metadata"]["labels"].items()
    assert policies["querymix-metrics"] == labels


def test_the_monitor_scrapes_under_the_job_that_the_alerts_ask_for() -> None:
    """And under the pod's name, so that a restart with another address is seen as one."""
    spec = one("PodMonitor", OPERATED)["spec"]
    assert one("StatefulSet")["spec"]["template"]["metadata"]["labels"][spec["jobLabel"]] == "querymix"
    (endpoint,) = spec["podMetricsEndpoints"]
    assert endpoint["port"] in {port["name"] for port in pod("StatefulSet")["containers"][0]["ports"]}
    assert endpoint["relabelings"][0]["targetLabel"] == "instance"


def test_workers_grow_with_the_lag_up_to_the_partitions() -> None:
    """A worker more than partitions would do nothing."""
    partitions = {int(value) for key, value in settings_of("querymix-topics").items() if key.endswith("_PARTITIONS")}
    scaled = {}
    for manifest in all_of("ScaledObject", OPERATED):
        spec = manifest["spec"]
        assert spec["minReplicaCount"] < spec["maxReplicaCount"] <= max(partitions)
        (trigger,) = spec["triggers"]
        scaled[spec["scaleTargetRef"]["name"]] = trigger["metadata"]["query"]
    topics = dict(zip(ROLES, ("raw", "classified", "evidence"), strict=True))
    assert scaled == {
        f"querymix-{role}": f'sum(querymix_lag_records{{topic=~".+[.]{topic}", namespace="querymix"}})'
        for role, topic in topics.items()
    }


def test_a_worker_is_named_by_its_pod_and_probed_on_its_pages() -> None:
    """Static membership needs a name that stays; a worker that is behind is alive and not ready."""
    assert one("StatefulSet")["spec"]["serviceName"] == one("Service")["metadata"]["name"]
    (worker,) = pod("StatefulSet")["containers"]
    (name,) = worker["env"]
    assert name == {"name": "QUERYMIX_INSTANCE", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}
    assert worker["livenessProbe"]["httpGet"] == {"path": "/health/live", "port": "http"}
    assert worker["readinessProbe"]["httpGet"] == {"path": "/health/ready", "port": "http"}
    settings: dict[str, Any] = {"metrics_address": settings_of("querymix-worker")["QUERYMIX_METRICS_ADDRESS"]}
    _, port = WorkerSettings(**settings).metrics_address or ("", 0)
    assert worker["ports"] == [
        {"name": "http", "containerPort": WorkerSettings().http_port},
        {"name": "metrics", "containerPort": port},
    ]
    (policy,) = (one for one in all_of("NetworkPolicy") if one["metadata"]["name"] == "querymix-metrics")
    (rule,) = policy["spec"]["ingress"]
    assert rule["ports"] == [{"protocol": "TCP", "port": port}]
    assert one("Service")["spec"]["ports"] == [{"name": "metrics", "port": port, "targetPort": "metrics"}]


@pytest.mark.parametrize("kind", ["StatefulSet", "Job"])
def test_a_pod_has_no_more_rights_than_it_needs(kind: str) -> None:
    """As the namespace's restricted pod security asks, with a root that is read-only and with its own secrets alone."""
    assert pod(kind)["securityContext"]["runAsNonRoot"]
    assert pod(kind)["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert pod(kind)["automountServiceAccountToken"] is False
    assert [volume["secret"] for volume in pod(kind)["volumes"] if "secret" in volume] == [SECRETS[kind]]
    for container in containers(kind):
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert container["resources"]["limits"].keys() == {"memory"}


@pytest.mark.parametrize("kind", ["StatefulSet", "Job"])
def test_a_pod_has_no_variables_that_the_namespace_adds(kind: str) -> None:
    """A service named querymix would give QUERYMIX_PORT, which is no option, and the worker would refuse to start."""
    assert pod(kind)["enableServiceLinks"] is False


@pytest.mark.parametrize(
    ("kind", "settings"), [("StatefulSet", WorkerSettings), ("Job", TopicSettings)], ids=["worker", "topics"]
)
def test_every_option_that_is_set_exists_and_secrets_come_from_files(kind: str, settings: Any) -> None:
    """A misspelt variable would keep the worker from starting; a password in a ConfigMap would be no secret."""
    for container in containers(kind):
        (mount,) = (m for m in container["volumeMounts"] if m["name"] == "secrets")
        (source,) = container["envFrom"]
        for variable, value in settings_of(source["configMapRef"]["name"]).items():
            assert variable in {f"QUERYMIX_{name.upper()}" for name in settings.model_fields}
            if variable.endswith("FILE"):
                assert value.startswith(mount["mountPath"])


SHELL: Final = """#!/bin/sh
echo "$@" >>"$0.calls"
code="$(head -n 1 "$0.codes")"
sed -i 1d "$0.codes"
exit "$code"
"""


@pytest.mark.parametrize(
    ("kind", "name", "codes", "exit_code"),
    [
        ("StatefulSet", "wait", [1, 2, 0], 0),
        ("Job", "topics", [1, 1, 0], 0),
        ("Job", "topics", [1, 2], 2),
    ],
    ids=["a worker waits for Kafka, then for a topic", "the Job waits for Kafka", "the Job ends at a wrong option"],
)
def test_what_waits_asks_again_and_knows_when_to_stop(
    kind: str, name: str, codes: list[int], exit_code: int, tmp_path: Path
) -> None:
    """The commands of the manifest, with a `querymix` that ends with these codes, and a `sleep` that does not."""
    program = tmp_path / "querymix"
    program.write_text(SHELL)
    program.chmod(0o755)
    (tmp_path / "querymix.codes").write_text("".join(f"{code}\n" for code in codes))
    (tmp_path / "sleep").symlink_to("/bin/true")
    (container,) = (one for one in containers(kind) if one["name"] == name)
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    ended = subprocess.run(container["command"], env=environment, timeout=300, check=False)
    assert ended.returncode == exit_code
    verb = "check" if kind == "StatefulSet" else "create"
    assert (tmp_path / "querymix.calls").read_text().splitlines() == [f"topics {verb}"] * len(codes)


@pytest.fixture
def rendered(tmp_path: Path) -> "Rendering":
    """A copy of the folder to change and render."""
    if shutil.which("kubectl") is None:
        pytest.skip("kubectl is not installed, which brings kustomize")
    shutil.copytree(FOLDER, tmp_path / "kubernetes")
    return Rendering(tmp_path / "kubernetes")


class Rendering:
    """What kustomize makes of a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def replace(self, file: str, old: str, new: str) -> None:
        """Change a file, as an operator would."""
        text = (self.folder / file).read_text()
        assert old in text
        (self.folder / file).write_text(text.replace(old, new))

    def manifests(self) -> list[dict[str, Any]]:
        """Render, and check what comes out."""
        done = subprocess.run(
            ["kubectl", "kustomize", self.folder], capture_output=True, text=True, check=False, timeout=300
        )
        assert done.returncode == 0, done.stderr
        made = list(yaml.safe_load_all(done.stdout))
        for manifest in made:
            if manifest["kind"] not in MODELS:
                strict(manifest)
        return made


def settings_used(manifests: list[dict[str, Any]], kind: str) -> str:
    """The ConfigMap that the pods of a kind read."""
    specs = [manifest["spec"]["template"]["spec"] for manifest in all_of(kind, manifests)]
    (name,) = {
        source["configMapRef"]["name"]
        for spec in specs
        for container in [*spec.get("initContainers", []), *spec["containers"]]
        for source in container["envFrom"]
    }
    assert name in {manifest["metadata"]["name"] for manifest in manifests if manifest["kind"] == "ConfigMap"}
    return str(name)


def test_a_changed_setting_reaches_the_pods_and_leaves_the_job_alone(rendered: Rendering) -> None:
    """The pods' template changes with the settings, so they are replaced; a Job's template must never change."""
    before = rendered.manifests()
    rendered.replace("settings/worker.env", "QUERYMIX_K=20", "QUERYMIX_K=50")
    rendered.replace("settings/topics.env", "QUERYMIX_OUT_PARTITIONS=12", "QUERYMIX_OUT_PARTITIONS=24")
    after = rendered.manifests()
    assert settings_used(before, "StatefulSet") != settings_used(after, "StatefulSet")
    assert len(all_of("StatefulSet", before)) == len(ROLES)
    assert one("Job", before) == one("Job", after)


def test_a_new_image_brings_a_new_job(rendered: Rendering) -> None:
    """Kubernetes refuses to change a Job, so that one with another image needs another name."""
    before = one("Job", rendered.manifests())
    rendered.replace("kustomization.yaml", "newTag: 0.11.0", "newTag: 0.3.0")
    after = one("Job", rendered.manifests())
    assert before["metadata"]["name"] == "querymix-topics-0.11.0"
    assert after["metadata"]["name"] == "querymix-topics-0.3.0"
    (container,) = after["spec"]["template"]["spec"]["containers"]
    assert container["image"].endswith("/querymix:0.3.0")


def test_the_components_add_monitoring_and_scaling(rendered: Rendering) -> None:
    """The number of workers is then KEDA's alone: applied again it must not be set back."""
    assert all("replicas" in one["spec"] for one in all_of("StatefulSet", rendered.manifests()))
    commented = "# components:\n#   - monitoring\n#   - keda\n"
    rendered.replace("kustomization.yaml", commented, commented.replace("# ", "").replace("#", ""))
    made = rendered.manifests()
    assert {manifest["kind"] for manifest in made} >= MODELS.keys()
    assert not any("replicas" in one["spec"] for one in all_of("StatefulSet", made))
    targets = {one["spec"]["scaleTargetRef"]["name"] for one in all_of("ScaledObject", made)}
    assert targets == {one["metadata"]["name"] for one in all_of("StatefulSet", made)}
    assert {manifest["metadata"].get("namespace", "querymix") for manifest in made} == {"querymix"}


@pytest.mark.parametrize("role", ROLES)
def test_a_role_has_its_own_user_and_secrets_and_its_pods_are_found_by_its_own_manifests(
    rendered: Rendering, role: str
) -> None:
    """Who gets into one pod has one role's rights at Kafka; only the profiler may reach MongoDB."""
    made = rendered.manifests()
    named = [one for one in made if one["metadata"]["name"] == f"querymix-{role}"]
    assert sorted(one["kind"] for one in named) == ["PodDisruptionBudget", "Service", "StatefulSet"]
    spec = one("StatefulSet", named)["spec"]
    labels = spec["template"]["metadata"]["labels"]
    assert labels["querymix/role"] == role
    assert spec["selector"]["matchLabels"] == labels
    assert one("Service", named)["spec"]["selector"] == labels
    assert spec["serviceName"] == one("Service", named)["metadata"]["name"]
    assert one("PodDisruptionBudget", named)["spec"]["selector"]["matchLabels"] == labels
    template = spec["template"]["spec"]
    assert template["topologySpreadConstraints"][0]["labelSelector"]["matchLabels"] == labels
    secrets = [volume["secret"] for volume in template["volumes"] if "secret" in volume]
    assert secrets == [{"secretName": f"querymix-{role}", "defaultMode": 0o440}]
    for container in (*template["initContainers"], *template["containers"]):
        given = {variable["name"]: variable.get("value") for variable in container["env"]}
        assert given["QUERYMIX_SASL_USERNAME"] == f"querymix-{role}"
    assert given["QUERYMIX_ROLES"] == role
    assert given.keys() <= {f"QUERYMIX_{name.upper()}" for name in WorkerSettings.model_fields}
    assert ("QUERYMIX_PSEUDONYM_KEY_FILE" in given) == (role == "classifier")
    assert ("QUERYMIX_MONGODB_URI_FILE" in given) == (role == "profiler")
    reach = {
        port["port"]
        for policy in all_of("NetworkPolicy", made)
        if policy["spec"]["podSelector"]["matchLabels"].items() <= labels.items()
        for rule in policy["spec"].get("egress", [])
        for port in rule["ports"]
    }
    assert reach == {53, 9093} | ({27017} if role == "profiler" else set())
