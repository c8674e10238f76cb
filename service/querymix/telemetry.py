"""Every metric of the service, in one place.

Rules:
- Names begin with `querymix_`; units stand in the names; counters end in `_total`.
- Labels are topics, partitions, stages, categories and kinds: never a user, never a query.
"""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

REGISTRY: Final = CollectorRegistry()
ProcessCollector(registry=REGISTRY)

LOGS_IN: Final = Counter("querymix_logs_in", "Records that a stage took in.", ["stage"], registry=REGISTRY)
LOGS_OUT: Final = Counter("querymix_logs_out", "Records that a stage let out.", ["stage"], registry=REGISTRY)
UNCLASSIFIED: Final = Counter("querymix_unclassified", "Records without a category.", registry=REGISTRY)
SUPPRESSED: Final = Counter(
    "querymix_suppressed", "Records suppressed, since they held nothing but identifiers or were held too long.",
    ["stage"], registry=REGISTRY,
)  # fmt: skip
HOLD_SHARE: Final = Gauge(
    "querymix_suppressed_by_hold_ratio", "Share of the logs pooled so far that were held too long and suppressed.",
    ["partition"], registry=REGISTRY,
)  # fmt: skip
REPEATS: Final = Counter(
    "querymix_repeats_suppressed", "Records suppressed, since their user had asked the same a short time before.",
    registry=REGISTRY,
)  # fmt: skip
REFUSED: Final = Counter("querymix_refused", "Records that went to the dead letter.", ["topic"], registry=REGISTRY)
IDENTIFIERS: Final = Counter(
    "querymix_identifiers", "Records that an identifier was cut from.", ["kind"], registry=REGISTRY
)
OWN_RETURNED: Final = Counter(
    "querymix_own_query_returned", "Releases of a query under its own user (paper mode only).", registry=REGISTRY
)
LOST: Final = Counter(
    "querymix_lost_to_retention", "Records that retention removed before they were read.", ["topic"], registry=REGISTRY
)
FRAMES_MISSING: Final = Counter(
    "querymix_frames_missing", "Frames that were written and that the topic lacks.", ["topic"], registry=REGISTRY
)
FRAMES_REPEATED: Final = Counter(
    "querymix_frames_repeated", "Frames that a topic holds a second time; they were left out.", ["topic"],
    registry=REGISTRY,
)  # fmt: skip
LAST_POLL: Final = Gauge(
    "querymix_last_poll_timestamp_seconds", "When Kafka last answered this worker, in seconds since 1970.",
    registry=REGISTRY,
)  # fmt: skip
LAG: Final = Gauge("querymix_lag_records", "Records not yet taken in.", ["topic", "partition"], registry=REGISTRY)
POOL_DEPTH: Final = Gauge("querymix_pool_held", "Queries held.", ["category", "partition"], registry=REGISTRY)
POOL_K: Final = Gauge("querymix_pool_k", "The pool's k.", ["category", "partition"], registry=REGISTRY)
HOLD_AGE: Final = Gauge("querymix_hold_age_seconds", "Age of the oldest query held.", ["partition"], registry=REGISTRY)
ANONYMITY: Final = Gauge(
    "querymix_effective_anonymity_users",
    "Effective anonymity of the releases so far, 5th percentile.",
    ["category", "partition"],
    registry=REGISTRY,
)
WAITING: Final = Gauge(
    "querymix_waiting_releases", "Releases that wait for their cell of time to end (--time-precision).", ["partition"],
    registry=REGISTRY,
)  # fmt: skip
ATTACKED: Final = Counter(
    "querymix_attacked_lines", "Released lines that attacks were tried on, one in 4 k.", ["category"], registry=REGISTRY
)
NAMED: Final = Counter(
    "querymix_attacked_owners_named", "Owners that an attack named rightly; may count probabilities.",
    ["attack", "category"], registry=REGISTRY,
)  # fmt: skip
BATCH: Final = Histogram(
    "querymix_batch_logs", "Records in one transaction.", ["stage"], registry=REGISTRY,
    buckets=(1, 10, 100, 500, 1000, 2000, 4000, 8000),
)  # fmt: skip
_TIMES: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
TRANSACTION: Final = Histogram(
    "querymix_transaction_seconds", "Time of one transaction, its work included.", ["stage"], registry=REGISTRY,
    buckets=_TIMES,
)  # fmt: skip
STORE: Final = Histogram(
    "querymix_store_seconds", "Time of one write to the profile store.", registry=REGISTRY, buckets=_TIMES
)
STORE_RETRIES: Final = Counter("querymix_store_retries", "Writes to the profile store that failed.", registry=REGISTRY)
EVIDENCE: Final = Counter("querymix_evidence", "Records counted into profiles.", registry=REGISTRY)
ASSIGNED: Final = Gauge("querymix_assigned_partitions", "Partitions of this worker.", ["topic"], registry=REGISTRY)
KNOWLEDGE: Final = Gauge("querymix_knowledge_info", "The knowledge in use.", ["version"], registry=REGISTRY)
