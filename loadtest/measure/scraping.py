"""The workers' metrics, read from their pages: counters and gauges summed over labels that do not matter here.

Rule: a page that does not answer is None, never zero: a worker that was killed has no lag to tell of.
"""

import urllib.request
from dataclasses import dataclass, field

from prometheus_client.parser import text_string_to_metric_families

_TIMEOUT = 2.0
_LABELS = {
    "querymix_lag_records": "topic",
    "querymix_logs_in_total": "stage",
    "querymix_logs_out_total": "stage",
    "querymix_pool_held": "category",
}
"""The label by which a metric's samples are told apart; over all others they are summed."""


@dataclass(frozen=True)
class Page:
    """What one worker says of itself."""

    cpu: float = 0.0
    """Seconds of CPU since it began."""
    memory: float = 0.0
    """Resident bytes."""
    lag: dict[str, float] = field(default_factory=dict)
    """Records not taken in, by topic."""
    evidence: float = 0.0
    """Records counted into profiles since it began."""
    passed: float = 0.0
    """Records that its classifiers passed on since it began."""
    pooled: float = 0.0
    """Records that its anonymizers took in since it began."""
    held: dict[str, float] = field(default_factory=dict)
    """Queries in its pools, by category."""


def read(url: str) -> Page | None:
    """Return what a worker's /metrics page says, None where it does not answer."""
    try:
        with urllib.request.urlopen(url, timeout=_TIMEOUT) as answer:  # noqa: S310 - the caller's own workers
            return parse(answer.read().decode())
    except (OSError, ValueError):
        return None


def answers(url: str) -> bool:
    """Whether a page answers with 200."""
    try:
        with urllib.request.urlopen(url, timeout=_TIMEOUT) as answer:  # noqa: S310 - the caller's own workers
            return bool(answer.status == 200)
    except OSError:
        return False


def parse(text: str) -> Page:
    """Return what a page in Prometheus' text form says. Raises ValueError where it has another form."""
    sums: dict[tuple[str, str], float] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            label = sample.labels.get(_LABELS.get(sample.name, ""), "")
            sums[sample.name, label] = sums.get((sample.name, label), 0.0) + sample.value

    def by_label(name: str) -> dict[str, float]:
        return {label: value for (found, label), value in sums.items() if found == name}

    return Page(
        cpu=sums.get(("process_cpu_seconds_total", ""), 0.0),
        memory=sums.get(("process_resident_memory_bytes", ""), 0.0),
        lag=by_label("querymix_lag_records"),
        evidence=sums.get(("querymix_evidence_total", ""), 0.0),
        passed=sums.get(("querymix_logs_out_total", "classifier"), 0.0),
        pooled=sums.get(("querymix_logs_in_total", "anonymizer"), 0.0),
        held=by_label("querymix_pool_held"),
    )
