"""What settings do to each field of a record, stage by stage, in sentences that a privacy officer reads.

Rules:
- It is pure: settings go in, sentences come out. No sentence claims what these settings do not make.
- Each option changes a sentence, or stands in `NOT_TOLD` with the reason. A test holds that for options to come.
"""

from collections.abc import Mapping
from typing import Final

from querymix.settings.asking import asks_crowd, screens_texts
from querymix.settings.exposed import exposed
from querymix.settings.method import MethodSettings, RunSettings
from querymix.settings.policy.fields import rows_of
from querymix.settings.policy.kept import kept_by
from querymix.settings.policy.table import STAGES, TITLES, Kept, Policy, Row, Warned
from querymix.settings.presets import options_of
from querymix.settings.rare import STREAM
from querymix.settings.service import TopicSettings, WorkerSettings
from querymix.settings.unread import WHEN_UNREAD
from querymix.settings.weaker import ANY, weaker_of, weaker_value

__all__ = [
    "NOT_TOLD", "STAGES", "TITLES", "Kept", "Policy", "PolicySettings", "Row", "ServicePolicySettings", "Warned",
    "asks_crowd", "policy_of",
]  # fmt: skip


class PolicySettings(RunSettings):
    """A run that is told, or compared in memory, and not done."""

    complete = False


class ServicePolicySettings(WorkerSettings):
    """A worker that is told, and not started."""

    complete = False


_CONNECTS: Final = "it says how to reach a server, and nothing about a record"
_RUNS: Final = "it says how the work is done, and nothing about a record"
NOT_TOLD: Final[Mapping[str, str]] = {
    "preset": "what it sets is told option by option",
    "max_refused": "it says when a run warns",
    **dict.fromkeys(
        (
            "broker", "security_protocol", "ssl_cafile", "ssl_certfile", "ssl_keyfile", "sasl_mechanism",
            "sasl_username", "sasl_password_file", "group", "mongodb", "mongodb_uri_file",
        ),
        _CONNECTS,
    ),
    **dict.fromkeys(
        (
            "knowledge_from", "transaction_logs", "http_host", "http_port", "metrics_address", "metrics_token_file",
            "ready_lag", "stall_timeout", "session_timeout", "instance", "log_level", "log_format", "raw_partitions",
            "pool_partitions", "out_partitions", "evidence_partitions", "replication",
        ),
        _RUNS,
    ),
}  # fmt: skip
"""Options that no sentence tells, each with the reason."""


def policy_of(settings: MethodSettings, topics: TopicSettings | None = None) -> Policy:
    """Return what settings do; `topics` are those of a service's topics."""
    return Policy(rows_of(settings), _weaker(settings), _notes(settings), kept_by(settings, topics))


def _weaker(settings: MethodSettings) -> list[Warned]:
    """Return each weaker choice that is in force: those that somebody named first, then the defaults that are ones."""
    sets = options_of(settings.preset).keys()
    named = settings.model_copy(update={"crowd": settings.crowd or STREAM}) if asks_crowd(settings) else settings
    found = []
    for name, field in type(settings).model_fields.items():
        given = getattr(settings, name)
        value = weaker_value(field, given)
        unread = WHEN_UNREAD.get(name)
        if value is None or (unread is not None and unread(named, False)):
            continue
        if name == "crowd" and screens_texts(settings):
            continue  # a preset's that is still to be named
        shown = (", ".join(given) if isinstance(given, list) else "FILE") if value == ANY else value
        found.append(Warned(name, shown, weaker_of(field)[value], name not in settings.model_fields_set | sets))
    return sorted(found, key=lambda one: one.by_default)


def _notes(settings: MethodSettings) -> list[str]:
    found = []
    if settings.crowd is None and asks_crowd(settings):
        found.append(
            "These rules ask how many users share something, and no crowd is named: give --crowd FILE (make one with: "
            "querymix crowd build LOG -o FILE), or --crowd stream."
        )
    if isinstance(settings, WorkerSettings):
        found += exposed(settings, settings.mongodb.get_secret_value())
    return found
