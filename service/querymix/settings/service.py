"""The options of the service on Kafka and MongoDB."""

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr

from querymix.codecs.spelling import TIME_FORM, TimeForm
from querymix.settings.base import Settings
from querymix.settings.method import BundleSettings, Format, MethodSettings
from querymix.settings.values import Brokers, MaybeAddress, Names, Pairs, Seconds
from querymix.settings.weaker import ANY, weaker


class ConnectionSettings(Settings):
    """How to reach Kafka, and what the topics are called."""

    broker: Brokers = Field("localhost:9092", description="Kafka brokers, host:port parted by commas.")
    prefix: str = Field("querylog", description="What the topics' names begin with: PREFIX.raw, PREFIX.anonymized, ...")
    raw_topic: str | None = Field(
        None, description="Topic of the raw records, where it is not PREFIX.raw: one that another program made."
    )
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


class GroupSettings(ConnectionSettings):
    """What the service is called where it reads and writes."""

    group: str = Field("querymix", description="What consumer groups and transactional ids begin with.")


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

    mongodb: SecretStr = Field(
        "mongodb://localhost:27017",
        validate_default=True,
        description="MongoDB's URI. With a password in it, only from the environment or a settings file that its owner "
        "alone may read.",
    )
    mongodb_uri_file: Path | None = Field(None, description="File with a URI that holds secrets; wins over --mongodb.")
    database: str = Field("querymix", description="Name of the database.")


class LoadSettings(BundleSettings, MongoSettings):
    """What to load, and where to."""


class WorkerSettings(MethodSettings, GroupSettings, MongoSettings):
    """One worker of the service."""

    format: Format = Field(
        "aol",
        description="Form of the raw records: aol, json or access; a topic has no header, as CSV needs one.",
    )
    time_form: TimeForm = Field(
        TIME_FORM,
        description="How all released times of JSON are written, in UTC and to the second: iso 2006-03-01T07:17:12Z, "
        "plain 2006-03-01 07:17:12, or a number since 1970. The AOL form and access logs have a form of their own.",
    )
    roles: Names = Field(
        ["classifier", "anonymizer", "profiler"], description="What this worker does, parted by commas."
    )
    knowledge_from: Literal["bundle", "mongodb"] = Field(
        "bundle", description="Read the knowledge from the bundle, or from MongoDB and again on each new version."
    )
    hot: Pairs = Field({}, description="Shards of hot categories, such as Arts=4,Regional=2: each a pool of its own.")
    category_header: Literal["on", "off"] = Field("on", description="Name the category in a header of each release.")
    transaction_logs: int = Field(16_000, ge=1, description="Records in one transaction, at most.")
    http_host: str = Field("127.0.0.1", description="Address to serve health, profiles and metrics on.")
    http_port: int = Field(6066, ge=1, le=65535, description="Port to serve health, profiles and metrics on.")
    metrics_address: MaybeAddress = Field(
        None, description="Address to serve /metrics on instead, host:port: open to others than health is."
    )
    metrics_token_file: Path | None = Field(
        None, description="File with a token that /metrics then asks for, of 32 characters at least."
    )
    profiles_token_file: Path | None = Field(
        None,
        description="File with a token that opens /profiles/{user}, of 32 characters at least; without it the page is "
        "not there.",
        json_schema_extra=weaker({ANY: "whoever has the token reads what interests a user"}),
    )
    ready_lag: int = Field(100_000, ge=0, description="Records of lag up to which the worker says that it is ready.")
    stall_timeout: Seconds = Field(120.0, ge=1, description="Exit when a partition with lag has not moved for so long.")
    session_timeout: Seconds = Field(
        10.0, ge=1, le=60, description="A worker that the broker has not heard of for so long loses its partitions."
    )
    instance: str | None = Field(None, description="Static group membership: a name that no other worker has.")
    dry_run: Literal["off", "on"] = Field(
        "off",
        description="Measure everything and release nothing, to try options on the live input; the group and the "
        "topics, but for the raw one, have names of their own: PREFIX-dry-run.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="How much to log.")
    log_format: Literal["text", "json"] = Field("text", description="Form of the log: lines of text, or of JSON.")
