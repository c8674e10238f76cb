"""The Grafana dashboard, and that dashboards and alert rules ask for metrics that exist."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from prometheus_client import Metric
from querymix.telemetry import REGISTRY

from tests.deploy.files import DEPLOY, document

DASHBOARDS = sorted((DEPLOY / "grafana" / "dashboards").glob("*.json"))
SAMPLES = {"counter": ["_total"], "gauge": [""], "histogram": ["_bucket", "_count", "_sum"]}
USED = re.compile(r"\bquerymix_\w+")
GROUPED = re.compile(r"\bby \(([^)]*)\)")


def panels(dashboard: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """All panels, those inside of rows too."""
    for panel in dashboard["panels"]:
        yield panel
        yield from panel.get("panels", [])


def expressions() -> Iterator[str]:
    """Every expression of every dashboard and rule."""
    for file in DASHBOARDS:
        for panel in panels(json.loads(file.read_text())):
            yield from (target["expr"] for target in panel.get("targets", []))
    for group in document(DEPLOY / "prometheus" / "alerts.yml")["groups"]:
        yield from (rule["expr"] for rule in group["rules"])


def labels_of(metric: Metric, name: str) -> set[str]:
    """The labels that a sample of a metric has, as the service declares them."""
    collector = REGISTRY._names_to_collectors[name]  # the registry has no public way to the declared labels
    return set(collector._labelnames) | ({"le"} if metric.type == "histogram" else set())  # type: ignore[attr-defined]


def ours() -> list[Metric]:
    """The metrics of querymix itself, without those of its process."""
    return [metric for metric in REGISTRY.collect() if metric.name.startswith("querymix_")]


def known() -> dict[str, set[str]]:
    """Every sample name that a worker can show, with its labels."""
    return {
        metric.name + ending: labels_of(metric, metric.name) for metric in ours() for ending in SAMPLES[metric.type]
    }


def test_dashboards_and_rules_ask_for_metrics_and_labels_that_the_service_has() -> None:
    """A renamed metric would leave an empty panel and a silent alert."""
    names = known()
    seen = set()
    for expression in expressions():
        metrics = set(USED.findall(expression))
        seen |= metrics
        assert metrics <= names.keys(), expression
        by = {label.strip() for found in GROUPED.findall(expression) for label in found.split(",")} - {"", "instance"}
        matched = set(re.findall(r"(\w+)=~?\"", expression)) - {"job", "alertname", "alertstate"}
        assert by | matched <= set().union(*(names[metric] for metric in metrics)), expression
    never = {metric.name for metric in ours()} - {re.sub("_(total|bucket|count|sum)$", "", m) for m in seen}
    assert not never, "metrics that no panel and no rule uses"


@pytest.mark.parametrize("file", DASHBOARDS, ids=lambda file: file.stem)
def test_a_dashboard_can_be_provisioned(file: Any) -> None:
    """Unique panel ids, panels that do not overlap, and the data source that is provisioned."""
    dashboard = json.loads(file.read_text())
    every = list(panels(dashboard))
    ids = [panel["id"] for panel in every]
    assert len(set(ids)) == len(ids)
    taken: set[tuple[int, int]] = set()
    for panel in every:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken, panel["title"]
        assert at["x"] + at["w"] <= 24, panel["title"]
        taken |= cells
        refs = [target["refId"] for target in panel.get("targets", [])]
        assert len(set(refs)) == len(refs)
        assert panel["type"] == "row" or refs, panel["title"]
    (source,) = document(DEPLOY / "grafana" / "provisioning" / "datasources" / "prometheus.yml")["datasources"]
    (variable,) = dashboard["templating"]["list"]
    assert variable["current"]["value"] == source["uid"]


def test_a_dashboard_has_a_row_for_each_thing_to_watch() -> None:
    """What an operator looks for."""
    rows = [panel["title"] for panel in json.loads(DASHBOARDS[0].read_text())["panels"] if panel["type"] == "row"]
    assert rows == [
        "Now",
        "Throughput",
        "Lag",
        "Pools",
        "Dead letters",
        "Transactions",
        "Profile store and knowledge",
    ]
