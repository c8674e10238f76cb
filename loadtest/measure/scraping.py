"""The workers' metrics, read from their pages: counters and gauges summed over labels that do not matter here.

Rule: a page that does not answer is None, never zero: a worker that was killed has no lag to tell of.
"""

import urllib.request
from dataclasses import dataclass, field

from prometheus_client.parser import text_string_to_metric_families

_TIMEOUT = 2.0


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
    """Logs counted into profiles since it began."""
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
    cpu = memory = evidence = 0.0
    lag: dict[str, float] = {}
    held: dict[str, float] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            if sample.name == "process_cpu_seconds_total":
                cpu = sample.value
            elif sample.name == "process_resident_memory_bytes":
                memory = sample.value
            elif sample.name == "querymix_evidence_total":
                evidence = sample.value
            elif sample.name == "querymix_lag_records":
                topic = sample.labels["topic"]
                lag[topic] = lag.get(topic, 0.0) + sample.value
            elif sample.name == "querymix_pool_held":
                category = sample.labels["category"]
                held[category] = held.get(category, 0.0) + sample.value
    return Page(cpu, memory, lag, evidence, held)
