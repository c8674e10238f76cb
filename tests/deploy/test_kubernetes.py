"""The Kubernetes manifests, by the API's own schemas, and what must hold between them."""

from typing import Any

import kubernetes_validate  # type: ignore[import-untyped]  # it comes without types
import pytest

from service.settings import TopicSettings, WorkerSettings
from tests.deploy.files import DEPLOY, document, documents

FOLDER = DEPLOY / "kubernetes"
FILES = document(FOLDER / "kustomization.yaml")["resources"]
MANIFESTS = [manifest for file in FILES for manifest in documents(FOLDER / file)]


def one(kind: str, name: str = "") -> dict[str, Any]:
    """The only manifest of a kind, and of a name where there are several."""
    (found,) = (m for m in MANIFESTS if m["kind"] == kind and name in ("", m["metadata"]["name"]))
    return found


@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda m: f"{m['kind']}-{m['metadata']['name']}")
def test_a_manifest_follows_the_schema_of_a_kubernetes_version(manifest: dict[str, Any]) -> None:
    """Strict: a field that the API does not know is an error."""
    kubernetes_validate.validate(manifest, kubernetes_validate.latest_version(), strict=True)


def test_every_file_is_part_of_the_kustomization() -> None:
    """A file that is left out would never be applied."""
    assert {file.name for file in FOLDER.glob("*.yaml")} == {*FILES, "kustomization.yaml"}


def test_selectors_find_the_workers_and_the_workers_alone() -> None:
    """The Service, the budget and the spread look for the labels that the pods have."""
    labels = one("StatefulSet")["spec"]["template"]["metadata"]["labels"]
    assert one("StatefulSet")["spec"]["selector"]["matchLabels"] == labels
    assert one("Service")["spec"]["selector"] == labels
    assert one("PodDisruptionBudget")["spec"]["selector"]["matchLabels"] == labels
    assert one("Job")["spec"]["template"]["metadata"]["labels"] != labels
    policy = one("NetworkPolicy")["spec"]["podSelector"]["matchLabels"]
    assert policy.items() <= labels.items()
    assert policy.items() <= one("Job")["spec"]["template"]["metadata"]["labels"].items()


def test_a_worker_is_named_by_its_pod_and_probed_on_its_pages() -> None:
    """Static membership needs a name that stays; a worker that is behind is alive and not ready."""
    assert one("StatefulSet")["spec"]["serviceName"] == one("Service")["metadata"]["name"]
    (worker,) = one("StatefulSet")["spec"]["template"]["spec"]["containers"]
    (name,) = worker["env"]
    assert name == {"name": "QUERYMIX_INSTANCE", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}
    assert worker["livenessProbe"]["httpGet"] == {"path": "/health/live", "port": "http"}
    assert worker["readinessProbe"]["httpGet"] == {"path": "/health/ready", "port": "http"}
    assert worker["ports"] == [{"name": "http", "containerPort": WorkerSettings().http_port}]


@pytest.mark.parametrize("kind", ["StatefulSet", "Job"])
def test_a_pod_has_no_more_rights_than_it_needs(kind: str) -> None:
    """As the namespace's restricted pod security asks, and with a root that is read-only."""
    pod = one(kind)["spec"]["template"]["spec"]
    assert pod["securityContext"]["runAsNonRoot"]
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert pod["automountServiceAccountToken"] is False
    (container,) = pod["containers"]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert container["resources"]["limits"].keys() == {"memory"}


@pytest.mark.parametrize(
    ("kind", "settings"), [("StatefulSet", WorkerSettings), ("Job", TopicSettings)], ids=["worker", "topics"]
)
def test_every_option_that_is_set_exists_and_secrets_come_from_files(kind: str, settings: Any) -> None:
    """A misspelt variable would be ignored in silence; a password in a ConfigMap would be no secret."""
    (container,) = one(kind)["spec"]["template"]["spec"]["containers"]
    (mount,) = (m for m in container["volumeMounts"] if m["name"] == "secrets")
    names = {f"QUERYMIX_{name.upper()}" for name in settings.model_fields}
    for source in container["envFrom"]:
        for variable, value in one("ConfigMap", source["configMapRef"]["name"])["data"].items():
            assert variable in names
            assert isinstance(value, str), f"{variable}: a ConfigMap holds texts"
            if variable.endswith("FILE"):
                assert value.startswith(mount["mountPath"])
