"""What is stored where, and for how long: of a run, and of the service. docs/SECURITY.md says how to guard it."""

from querymix.core.surrogates import REMEMBERED
from querymix.settings.asking import asks_crowd
from querymix.settings.method import MethodSettings, RunSettings
from querymix.settings.policy.table import Kept
from querymix.settings.rare import STREAM
from querymix.settings.service import TopicSettings, WorkerSettings
from querymix.settings.values import show_seconds

_YOURS = "until you delete it"


def kept_by(settings: MethodSettings, topics: TopicSettings | None) -> list[Kept]:
    """Return what is stored; `topics` says how long a service's internal topics are kept."""
    found = [Kept("queries that wait, with their users", "memory", _held(settings)), *_of_ids(settings)]
    if asks_crowd(settings) and settings.crowd == STREAM:
        window = f"{show_seconds(3 * settings.crowd_window)} at most"
        what = "which users had what, as far as it is counted, as keyed hashes with their key"
        found.append(Kept(what, "memory, with the pools", window))
    if settings.surrogates == "on":
        what = "queries in which something was swapped, as they came, with their users"
        later = show_seconds((settings.dedupe or 0.0) + REMEMBERED)
        found.append(Kept(what, "memory", f"until such a query comes that is {later} later, or the program ends"))
    if settings.established is not None or settings.dedupe is not None:
        spans = [span for span in (settings.established, settings.dedupe) if span is not None]
        found.append(
            Kept("when users were seen, and what they asked", "memory, with the pools", show_seconds(max(spans)))
        )
    if settings.pseudonym_key_file is not None:
        found.append(Kept("the key of the hashed user ids", "the file of --pseudonym-key-file", _YOURS))
    if isinstance(settings, WorkerSettings):
        return found + _of_service(settings, topics)
    return found + (_of_run(settings) if isinstance(settings, RunSettings) else [])


def _held(settings: MethodSettings) -> str:
    if settings.hold_policy in ("wait", "merge"):
        return "until they leave, without a bound"
    return f"until they leave, {show_seconds(settings.max_hold)} at most"


def _of_ids(settings: MethodSettings) -> list[Kept]:
    period = settings.pseudonym_period
    if period is None or isinstance(period, str):
        return []
    return [Kept("the key of the ids at hand", "memory", f"until the next period begins ({show_seconds(period)})")]


def _of_run(settings: RunSettings) -> list[Kept]:
    found = [Kept("what was released", f"the output ({settings.output})", _YOURS)]
    if settings.order == "time":
        found.append(Kept("the records, while they are put in order", "temporary files without a name", "the run"))
    place = settings.refused or "the output's name with .refused"
    found.append(Kept("refused lines, as they came", place, _YOURS))
    if settings.folder is not None:
        goes_on = (
            "until you delete it" if settings.state is not None else "until the run is over, then until you delete it"
        )
        what = "queries that wait, with their users, and the key of the last ids"
        found.append(Kept(what, f"the folder {settings.folder}", goes_on))
    if settings.profiles is not None:
        found.append(Kept("how often each user asked in each category", str(settings.profiles), _YOURS))
    return found


def _of_service(settings: WorkerSettings, topics: TopicSettings | None) -> list[Kept]:
    dry = settings.dry_run == "on"
    prefix = f"{settings.prefix}-dry-run" if dry else settings.prefix
    internal = "--internal-retention of 'topics create'" if topics is None else show_seconds(topics.internal_retention)
    raw = settings.raw_topic or f"{settings.prefix}.raw"
    released = "nothing: a dry run" if dry else "what was released"
    found = [
        Kept("records as they came", f"topic {raw}", "the retention that you give it"),
        Kept("queries without identifiers, with their users", f"topic {prefix}.classified", internal),
        Kept("queries that wait, with their users", f"topic {prefix}.state", f"{_held(settings)}, and an hour"),
        Kept("users and counts of categories", f"topic {prefix}.evidence", internal),
        Kept(released, f"topic {prefix}.anonymized", "the retention that you give it"),
        Kept("refused records, as they came", f"topic {prefix}.deadletter", "the retention that you give it"),
        Kept("counts, and no user", f"topic {prefix}.positions", "for good"),
    ]
    if isinstance(settings.pseudonym_period, float):
        found.append(Kept("the key of the ids at hand", f"topic {prefix}.periods", "until the next period begins"))
    if "profiler" in settings.roles:
        where = f"MongoDB, database {settings.database}"
        found.append(Kept("how often each user asked in each category", where, _YOURS))
    return found
