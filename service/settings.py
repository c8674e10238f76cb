"""Every option, defined once: as a command-line option, an environment variable, and a key of a settings file.

Owns: the options and where they are read from. How the text of one is read stands in service/values.py, how a command
takes them in service/commands/options.py.

Rules:
- This is the only reader of the environment. `--max-hold` is `QUERYMIX_MAX_HOLD` and `max_hold` in the file.
- The command line wins over the environment, the environment over the file, the file over the defaults.
- A default is the safer choice. A weaker one has to be named, and its description says what it weakens.
- A refused value is not shown back, since it may be a secret.
"""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from service.core.errors import Misconfigured
from service.values import Names, Output, Pairs, Seconds

PREFIX: Final = "QUERYMIX_"


class Settings(BaseSettings):
    """Reads options from what was given, the environment and a settings file."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="forbid", hide_input_in_errors=True, frozen=True)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """What was given, then the environment; `load` puts the file under both."""
        return init_settings, env_settings


class BundleSettings(Settings):
    """Which knowledge base answers."""

    knowledge: Path | None = Field(
        None, description="Knowledge bundle to classify with; default: the one that comes along."
    )


class KnowledgeSettings(BundleSettings):
    """How queries are classified."""

    classifier: Literal["terms", "paper"] = Field(
        "terms", description="Add the weights of all terms of a query, or take only its rarest unit, as the paper does."
    )
    confidence: float = Field(
        0.0,
        ge=0,
        le=1,
        description="Least share of the winning category under 'terms'; below it a query is unclassified.",
    )
    keep_identifiers: Names = Field(
        [],
        description="Kinds of identifiers to leave in the released text, parted by commas (WEAKER).",
    )


class LogSettings(KnowledgeSettings):
    """How a log is read."""

    format: Literal["aol", "json"] = Field("aol", description="Form of the log: AOL (tabs) or JSON lines.")
    json_fields: Pairs = Field(
        {}, description="Names of the fields in JSON lines, such as user=uid,query=q,time=ts,rank=pos,url=click."
    )


class MethodSettings(LogSettings):
    """The method: how queries are pooled, what leaves."""

    safe_fields: Names = Field(
        [],
        description="Further JSON fields to release with the query, parted by commas. WEAKER: all others are dropped.",
    )
    urls: Literal["host", "full"] = Field("host", description="Release a click's host only, or its full URL (WEAKER).")
    k: int = Field(20, ge=2, description="Users that a released query stays hidden among.")
    mode: Literal["distinct", "paper"] = Field(
        "distinct",
        description="Wait for k + 1 distinct users and never return an own query, or do as the paper prints (WEAKER).",
    )
    draw: Literal["owner", "entry"] = Field(
        "owner",
        description="Draw a released query's owner, each pooled one as likely, or draw among the queries, so that "
        "whoever asks much is the likely owner (WEAKER).",
    )
    delta: str = Field(
        "1.2",
        coerce_numbers_to_str=True,
        description="Growth of k in paper mode where all pooled users are the same; 1: off (WEAKER).",
    )
    max_hold: Seconds | None = Field(
        None,
        description="Longest time that a query is held, such as 10m; default: no bound. A run counts by the times in "
        "the log, the service by its own clock.",
    )
    hold_policy: Literal["wait", "suppress", "merge"] = Field(
        "wait", description="What becomes of a query held longer: wait on, suppress it, or move it to the shared pool."
    )
    time_policy: Literal["trigger", "query"] = Field(
        "trigger",
        description="Released time: that of the arrival that set the release off, or the query's own (WEAKER).",
    )
    unclassified: Literal["drop", "pool"] = Field(
        "drop", description="Queries without a category: drop them, or pool them among themselves."
    )
    pseudonym_key_file: Path | None = Field(
        None, description="File with a secret key: user ids leave as keyed hashes. Without it they leave as they came."
    )


class RunSettings(MethodSettings):
    """One local run."""

    output: Output = Field("-", description="File to write; - for standard output.")
    profiles: Path | None = Field(None, description="SQLite file that the profiles grow in; default: none are kept.")
    refused: str | None = Field(
        None, description="File for refused records with their reasons; default: the output's name with .refused."
    )
    checkpoint: Path | None = Field(None, description="Folder to resume from after a kill; holds raw queries.")
    order: Literal["time", "input"] = Field(
        "time", description="Put the logs of files in time order, or take them as they come (standard input always is)."
    )
    processes: int = Field(
        1,
        ge=1,
        le=256,
        description="Processes that classify; with more than one, pooling and writing go on in one beside them.",
    )


class AttackSettings(LogSettings):
    """What an attacker takes the method's parameters for."""

    k: int = Field(20, ge=2, description="The k that the log was released with, as far as the attacker knows.")
    delta: str = Field("1.2", coerce_numbers_to_str=True, description="The delta, likewise.")
    seed: int = Field(1, ge=0, description="What the attacks' own chance begins with: the same seed, the same figures.")


class StudySettings(AttackSettings):
    """A study of one log over many settings."""

    k: int = Field(20, ge=2, description="The k that the report is about; the other options vary beside it.")
    ks: Names = Field(["2", "5", "10", "20", "50", "100"], description="All k to measure, parted by commas.")
    processes: int = Field(2, ge=1, description="Settings measured at the same time.")


class ConnectionSettings(Settings):
    """How to reach Kafka, and what the topics are called."""

    broker: str = Field("localhost:9092", description="Kafka brokers, host:port parted by commas.")
    prefix: str = Field("querylog", description="What the topics' names begin with: PREFIX.raw, PREFIX.anonymized, ...")
    group: str = Field("querymix", description="What consumer groups and transactional ids begin with.")
    security_protocol: Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] = Field(
        "PLAINTEXT", description="As Kafka's security.protocol."
    )
    ssl_cafile: Path | None = Field(None, description="Certificates to trust (PEM).")
    ssl_certfile: Path | None = Field(None, description="Client certificate (PEM).")
    ssl_keyfile: Path | None = Field(None, description="Key of the client certificate (PEM).")
    sasl_mechanism: Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] = Field(
        "SCRAM-SHA-512", description="As Kafka's sasl.mechanism."
    )
    sasl_username: str | None = Field(None, description="User name for SASL.")
    sasl_password_file: Path | None = Field(None, description="File with the password for SASL.")


class TopicSettings(ConnectionSettings):
    """How the topics are made."""

    raw_partitions: int = Field(4, ge=1, description="Partitions of the raw topic, where it is not there yet.")
    pool_partitions: int = Field(
        4,
        ge=1,
        description="Partitions of the classified and state topics: how far the anonymizer scales. Fixed for good.",
    )
    out_partitions: int = Field(4, ge=1, description="Partitions of the anonymized topic.")
    evidence_partitions: int = Field(
        4, ge=1, description="Partitions of the evidence topic: how far the profiler scales. Fixed for good."
    )
    replication: int = Field(1, ge=1, description="Copies of each partition; 3 in production.")
    internal_retention: Seconds = Field(
        86400.0, ge=60, description="How long the classified and evidence topics are kept."
    )


class MongoSettings(Settings):
    """How to reach MongoDB."""

    mongodb: str = Field("mongodb://localhost:27017", description="MongoDB's URI, without secrets.")
    mongodb_uri_file: Path | None = Field(None, description="File with a URI that holds secrets; wins over --mongodb.")
    database: str = Field("querymix", description="Name of the database.")


class WorkerSettings(MethodSettings, ConnectionSettings, MongoSettings):
    """One worker of the service."""

    roles: Names = Field(
        ["classifier", "anonymizer", "profiler"], description="What this worker does, parted by commas."
    )
    knowledge_from: Literal["bundle", "mongodb"] = Field(
        "bundle", description="Read the knowledge from the bundle, or from MongoDB and again on each new version."
    )
    hot: Pairs = Field({}, description="Shards of hot categories, such as Arts=4,Regional=2: each a pool of its own.")
    category_header: Literal["on", "off"] = Field("on", description="Name the category in a header of each release.")
    transaction_logs: int = Field(4000, ge=1, description="Logs in one transaction, at most.")
    http_host: str = Field("127.0.0.1", description="Address to serve health and metrics on.")
    http_port: int = Field(6066, ge=1, le=65535, description="Port to serve health and metrics on.")
    profiles_token_file: Path | None = Field(
        None, description="File with a token that opens /profiles/{user} (WEAKER); without it the page is not there."
    )
    ready_lag: int = Field(100_000, ge=0, description="Records of lag up to which the worker says that it is ready.")
    stall_timeout: Seconds = Field(120.0, ge=1, description="Exit when a partition with lag has not moved for so long.")
    session_timeout: Seconds = Field(
        10.0, ge=1, le=60, description="A worker that the broker has not heard of for so long loses its partitions."
    )
    instance: str | None = Field(None, description="Static group membership: a name that no other worker has.")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="How much to log.")


S = TypeVar("S", bound=Settings)


def load(kind: type[S], given: Mapping[str, Any], file: Path | None = None) -> S:
    """Return the options of `kind` out of what was given on the command line, the environment and `file`.

    Raises Misconfigured with the option's name where a value is wrong.
    """
    known = {f"{PREFIX}{name.upper()}" for name in (*_every_name(), "settings")}
    stray = sorted(name for name in os.environ if name.startswith(PREFIX) and name not in known)
    if stray:
        raise Misconfigured(f"the environment has {stray[0]}, which is no option of querymix: correct or unset it")
    below = _read(file) if file else {}
    unknown = sorted(below.keys() - _every_name())
    if unknown:
        raise Misconfigured(f"{file}: unknown key {unknown[0]!r}. 'querymix run --help' shows the options.")
    try:
        above = kind(**{name: value for name, value in given.items() if value is not None})
        rest = {name: below[name] for name in below.keys() & kind.model_fields.keys() - above.model_fields_set}
        return kind(**(above.model_dump(include=above.model_fields_set) | rest)) if rest else above
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else "settings"
        raise Misconfigured(
            f"--{name.replace('_', '-')} ({PREFIX}{name.upper()}): {first['msg'].removeprefix('Value error, ')}"
        ) from None


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise Misconfigured(f"cannot read the settings file {file}: {error.strerror}") from None
    except ValueError as error:
        raise Misconfigured(f"the settings file {file} is no TOML: {error}") from None


def _every_name() -> set[str]:
    return {name for kind in (RunSettings, TopicSettings, WorkerSettings, StudySettings) for name in kind.model_fields}


def read_secret(path: Path | None, option: str) -> str | None:
    """Return the content of a secret's file, None where none is named.

    Raises Misconfigured where it cannot be read or is empty.
    """
    if path is None:
        return None
    try:
        secret = path.read_bytes().decode("utf-8-sig").strip()
    except (OSError, ValueError) as error:
        raise Misconfigured(f"{option}: cannot read {path}: {getattr(error, 'strerror', 'it is no text')}") from None
    if not secret:
        raise Misconfigured(f"{option}: {path} is empty")
    return secret
