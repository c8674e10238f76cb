"""Every metric of the service, in one place.

Rules:
- Names begin with `querymix_`; units stand in the names; counters end in `_total`.
- Labels are topics, partitions, stages, categories and kinds: never a user, never a query.
"""

from functools import partial
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

REGISTRY: Final = CollectorRegistry()
ProcessCollector(registry=REGISTRY)

_counter = partial(Counter, registry=REGISTRY)
_gauge = partial(Gauge, registry=REGISTRY)
_histogram = partial(Histogram, registry=REGISTRY)

LOGS_IN: Final = _counter("querymix_logs_in", "Records that a stage took in.", ["stage"])
LOGS_OUT: Final = _counter("querymix_logs_out", "Records that a stage let out.", ["stage"])
UNCLASSIFIED: Final = _counter("querymix_unclassified", "Records without a category.")
EMPTY: Final = _counter("querymix_empty", "Records whose query is empty: nothing, blanks or a lone '-'.")
SUPPRESSED: Final = _counter(
    "querymix_suppressed",
    "Records suppressed, since they held nothing but identifiers or were held too long.",
    ["stage"],
)
HOLD_SHARE: Final = _gauge(
    "querymix_suppressed_by_hold_ratio",
    "Share of the records pooled so far that were held too long and suppressed.",
    ["partition"],
)
REPEATS: Final = _counter(
    "querymix_repeats_suppressed", "Records suppressed, since their user had asked the same a short time before."
)
SCREENED: Final = _counter(
    "querymix_screened",
    "Records suppressed by a rule: rare, since too few users share what they say, or long.",
    ["reason"],
)
REFUSED: Final = _counter("querymix_refused", "Records that went to the dead letter.", ["topic"])
IDENTIFIERS: Final = _counter("querymix_identifiers", "Records that an identifier was cut from.", ["kind"])
SURROGATES: Final = _counter(
    "querymix_surrogates",
    "Records in which a surrogate stands for an identifier; also in querymix_identifiers.",
    ["kind"],
)
OWN_RETURNED: Final = _counter(
    "querymix_own_query_returned", "Records released under the user who asked them (paper mode only)."
)
LOST: Final = _counter(
    "querymix_lost_to_retention",
    "Records of a topic (frames, in classified and evidence) that retention removed before they were read.",
    ["topic"],
)
LOGS_LOST: Final = _counter(
    "querymix_logs_lost",
    "Records in frames that were lost: of classified, they are in no pool; of evidence, they are in no profile.",
    ["topic"],
)
FRAMES_MISSING: Final = _counter(
    "querymix_frames_missing", "Frames that were written and that the topic lacks.", ["topic"]
)
FRAMES_REPEATED: Final = _counter(
    "querymix_frames_repeated", "Frames that a topic holds a second time; they were left out.", ["topic"]
)
LAST_POLL: Final = _gauge(
    "querymix_last_poll_timestamp_seconds", "When Kafka last answered this worker, in seconds since 1970."
)
BEGUN_ANEW: Final = _counter(
    "querymix_partitions_begun_anew", "Times that a partition was begun anew, since Kafka had failed it.", ["topic"]
)
LAG: Final = _gauge("querymix_lag_records", "Records not yet taken in.", ["topic", "partition"])
POOL_DEPTH: Final = _gauge("querymix_pool_held", "Queries held.", ["category", "partition"])
POOL_K: Final = _gauge("querymix_pool_k", "The pool's k.", ["category", "partition"])
POOL_USERS: Final = _gauge("querymix_pool_users", "Different users in the pool.", ["category", "partition"])
POOL_COUNTED: Final = _gauge(
    "querymix_pool_counted_users",
    "Different users in the pool that count towards k: the established ones with --established, else all.",
    ["category", "partition"],
)
POOL_MISSING: Final = _gauge(
    "querymix_pool_missing_users",
    "Users missing to the k + 1 that a release needs at least (in paper mode: queries to k).",
    ["category", "partition"],
)
POOL_OLDEST: Final = _gauge(
    "querymix_pool_oldest_seconds", "Age of the oldest query held, by category.", ["category", "partition"]
)
EXPECTED: Final = _gauge(
    "querymix_release_expected_timestamp_seconds",
    "By when a release can be expected, seconds since 1970; 0: with the next records; +Inf: once other users come.",
    ["partition"],
)
HOLD_AGE: Final = _gauge("querymix_hold_age_seconds", "Age of the oldest query held.", ["partition"])
ANONYMITY: Final = _gauge(
    "querymix_effective_anonymity_users",
    "Effective anonymity of the releases so far, 5th percentile.",
    ["category", "partition"],
)
WAITING: Final = _gauge(
    "querymix_waiting_releases", "Releases that wait for their cell of time to end (--time-precision).", ["partition"]
)
CROWD_PAIRS: Final = _gauge(
    "querymix_crowd_pairs", "Pairs of an item and a user that the stream's own crowd holds.", ["partition"]
)
CROWD_FORGOTTEN: Final = _gauge(
    "querymix_crowd_forgotten_pairs",
    "Pairs that the stream's own crowd has forgotten before they were --crowd-window old.",
    ["partition"],
)
ATTACKED: Final = _counter(
    "querymix_attacked_lines", "Released lines that attacks were tried on, one in 16 k.", ["category"]
)
NAMED: Final = _counter(
    "querymix_attacked_owners_named",
    "Owners that an attack named rightly; may count probabilities.",
    ["attack", "category"],
)
BATCH: Final = _histogram(
    "querymix_batch_logs", "Records in one transaction.", ["stage"],
    buckets=(1, 10, 100, 500, 1000, 2000, 4000, 8000, 16_000),
)  # fmt: skip
_TIMES: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
TRANSACTION: Final = _histogram(
    "querymix_transaction_seconds", "Time of one transaction, its work included.", ["stage"], buckets=_TIMES
)
STORE: Final = _histogram("querymix_store_seconds", "Time of one write to the profile store.", buckets=_TIMES)
STORE_RETRIES: Final = _counter("querymix_store_retries", "Writes to the profile store that failed.")
EVIDENCE: Final = _counter("querymix_evidence", "Records counted into profiles.")
ASSIGNED: Final = _gauge("querymix_assigned_partitions", "Partitions of this worker.", ["topic"])
PERIOD_BEGAN: Final = _gauge(
    "querymix_pseudonym_period_began_timestamp_seconds",
    "When the period of the released ids began (--pseudonym-period), in seconds since 1970.",
)
PERIODS: Final = _counter("querymix_pseudonym_periods", "Periods whose key this worker took.")
DRY_RUN: Final = _gauge("querymix_dry_run", "1 where nothing is released (--dry-run).")
RULES: Final = _gauge("querymix_rules_info", "The rules in force, by their hash.", ["partition", "rules"])
RELOAD_FAILED: Final = _gauge(
    "querymix_reload_failed", "1 where the settings could not be read again and the old ones are in force, else 0."
)
CROWD_END: Final = _gauge(
    "querymix_crowd_window_end_timestamp_seconds",
    "When the window of the crowd table in use ended (--crowd FILE), in seconds since 1970.",
)
KNOWLEDGE: Final = _gauge("querymix_knowledge_info", "The knowledge in use.", ["version"])
