"""The options of the method, and of the commands that run it over files."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from querymix.codecs.base import LONGEST_LINE, LONGEST_QUERY
from querymix.codecs.spelling import TIME_FORM, TimeForm
from querymix.core.rules import MAX_SESSION
from querymix.settings.base import Settings
from querymix.settings.presets import DEFAULT, Preset, new_name
from querymix.settings.rare import RareSettings
from querymix.settings.values import (
    FieldNames,
    MaybePeriod,
    MaybeSeconds,
    MaybeWholeSeconds,
    Names,
    Output,
    Seconds,
    Share,
)
from querymix.settings.weaker import ANY, weaker

Format = Literal["auto", "aol", "csv", "tsv", "json", "access"]


class BundleSettings(Settings):
    """Which knowledge base answers."""

    knowledge: Path | None = Field(None, description="Knowledge bundle to use; default: the one that comes along.")


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
        description="Kinds of identifiers to leave in the released text, parted by commas.",
        json_schema_extra=weaker({ANY: "identifiers of these kinds leave with the queries"}),
    )


class FormSettings(Settings):
    """What a log looks like."""

    format: Format = Field(
        "auto",
        description="Form of the log: AOL (tabs), CSV or TSV with a header, JSON lines (as Parquet and Arrow files are "
        "read), a web server's access log; or told from the first lines.",
    )
    fields: FieldNames = Field(
        {},
        description="Where the fields stand, such as user=uid,query=q,time=ts,rank=pos,url=click: names of columns or "
        "of JSON fields (user.id is id inside of user), numbers of columns without a header, or places in an access "
        "log (address, cookie.NAME, url.NAME). Lists of JSON: results=serp.items,results.url=link and "
        "clicks=clicks,clicks.time=ts, with the names of what is read of their elements.",
    )
    longest_query: int = Field(
        LONGEST_QUERY,
        ge=1,
        le=LONGEST_LINE,
        description="Characters of the longest query that is taken; a longer one is refused and counted, since the "
        "time that one takes grows with them.",
    )

    @property
    def outer_names(self) -> list[str]:
        """The names of the record's own fields, and none inside of its lists."""
        return [name for field, name in self.fields.items() if "." not in field]


class LogSettings(FormSettings, KnowledgeSettings):
    """How a log is read and classified."""


class ReleaseSettings(LogSettings):
    """What leaves, whatever the method."""

    safe_fields: Names = Field(
        [],
        description="Further fields or columns to release with the query, parted by commas; all others are dropped.",
        json_schema_extra=weaker({ANY: "what stands in them may tell whose a query is"}),
    )
    urls: Literal["host", "full", "crowd"] = Field(
        "host",
        description="Release a click's host only; its full URL; or (crowd) as much of it as --crowd-users have in "
        "common: the URL, its host, its registrable domain, or nothing.",
        json_schema_extra=weaker(
            {
                "full": "a path may name a person or a page of one's own",
                "crowd": "whole URLs leave that enough users had, where host lets out no path",
            }
        ),
    )
    time_form: Literal["auto", TimeForm] = Field(
        "auto",
        description="How all times of an output are written, in UTC and to the second: as most of the first lines "
        "write theirs (auto), iso 2006-03-01T07:17:12Z, plain 2006-03-01 07:17:12, or a number since 1970. The AOL "
        "form and access logs have a form of their own.",
    )
    k: int = Field(20, ge=2, description="User ids, not people, that a released query's owner is hidden among.")
    pseudonym_key_file: Path | None = Field(
        None,
        description="File with a secret key: user ids become keyed hashes as soon as they are read, so that profiles "
        "have no others. Without it they stay as they came, but for those of an access log, which are hashed under a "
        "key that is forgotten.",
    )


class MethodSettings(ReleaseSettings, RareSettings):
    """The method: how queries are pooled."""

    pseudonym_period: MaybePeriod = Field(
        86400.0,
        description="How long a released id lasts, such as 1d or 7d (counted from 1970, UTC): then each user gets a "
        "new one, and neither id tells the other, though lines that are alike may. session: for one release; record: "
        "for one line; none: for good.",
        json_schema_extra=weaker({"none": "whoever knows when somebody searched finds that id and all lines under it"}),
    )
    preset: Annotated[Preset, BeforeValidator(new_name)] = Field(
        DEFAULT,
        description="Options to begin with; those named win. 'querymix policy --list' tells what each is for, and "
        "'querymix policy --preset NAME' what it does. none: the name of default up to 0.6.0.",
    )
    mode: Literal["distinct", "paper"] = Field(
        "distinct",
        description="Wait for more than k distinct users and never return an own query, or do as the paper prints.",
        json_schema_extra=weaker({"paper": "one who asks much fills a pool alone, and may get an own query back"}),
    )
    draw: Literal["owner", "entry"] = Field(
        "owner",
        description="Draw a released query's owner, each pooled one as likely, or draw among the queries.",
        json_schema_extra=weaker({"entry": "whoever asks much is the likely owner"}),
    )
    reserve: int = Field(
        10,
        ge=0,
        description="Wait for up to so many users beyond k, a number drawn anew at each arrival, so that releases "
        "hardly tell how full a pool is; 0: for none.",
        json_schema_extra=weaker({"0": "whoever knows when others asked names more owners"}),
    )
    delta: str = Field(
        "1.2",
        coerce_numbers_to_str=True,
        description="Growth of k in paper mode where all pooled users are the same; 1: off.",
        json_schema_extra=weaker({"1": "a pool of one user's queries lets them out"}),
    )
    max_hold: Seconds = Field(
        30 * 86400.0,
        description="Longest time that a query is held, such as 10m. A run counts by the times "
        "in the log, the service by its own clock.",
    )
    hold_policy: Literal["trim", "wait", "suppress", "merge"] = Field(
        "trim",
        description="What becomes of a query held longer: suppress it alone (trim); wait on without a bound; suppress "
        "it with as many as any late user needs; or move it to a shared pool (merge).",
        json_schema_extra=weaker(
            {
                "wait": "raw queries stay",
                "merge": "a text's category tells its owner beyond 1/k, and profiles read from the released log are "
                "wrong",
            }
        ),
    )
    established: MaybeSeconds = Field(
        None,
        description="Count towards k only users first seen at least so long ago, such as 7d; none, the default: all "
        "count.",
        json_schema_extra=weaker({"none": "new accounts of one attacker count as users that hide somebody"}),
    )
    dedupe: MaybeSeconds = Field(
        None,
        description="Suppress a query that its user asked already within this time, such as 24h; none, the default: "
        "repeats leave too.",
        json_schema_extra=weaker({"none": "what one person asks again and again shows"}),
    )
    click_wait: Seconds = Field(
        1.0,
        description="Gather the records of one query (one a click) for so long, so that it leaves whole under one "
        "user; 0: each leaves by itself.",
        json_schema_extra=weaker({"0": "one query's clicks leave under several users, and tell of each other"}),
    )
    unit: Literal["query", "session"] = Field(
        "query",
        description="What leaves as one under one other user: a query, or a session, which is queries of one user, one "
        "soon after the other.",
        json_schema_extra=weaker({"session": "queries that leave together tell more of their owner"}),
    )
    session_gap: Seconds = Field(
        300.0,
        description="Time that two queries of a session are less than apart, such as 5m; a session is pooled once it "
        "has had no further query for so long.",
    )
    session_most: int = Field(5, ge=2, le=MAX_SESSION, description="Queries of a session, at most.")
    session_scope: Literal["category", "all"] = Field(
        "category",
        description="A session's queries are those of one category, and those without one that stand among them; or "
        "all, pooled under the first one's category.",
        json_schema_extra=weaker({"all": "profiles read from the released log are wrong"}),
    )
    time_policy: Literal["trigger", "query"] = Field(
        "trigger",
        description="Released time: that of the arrival that set the release off, or the query's own (what is written "
        "together is then sorted by time).",
        json_schema_extra=weaker({"query": "who reads the released log can put sessions together again"}),
    )
    time_precision: MaybeWholeSeconds = Field(
        None,
        description="Cut released times to a grid of whole seconds, such as 1h, and write each cell's lines in "
        "shuffled order once the cell is over; none, the default: times leave to the second.",
        json_schema_extra=weaker({"none": "whoever knows when somebody searched looks for that second"}),
    )
    unclassified: Literal["pool", "drop"] = Field(
        "pool",
        description="Queries without a category: pool them among themselves, under the same bound, or drop them. They "
        "enter no profile.",
    )


class LibrarySettings(MethodSettings):
    """The method inside of somebody else's program, whose environment is not ours to read."""

    from_environment = False
    time_form: TimeForm = TIME_FORM


class CheckSettings(MethodSettings):
    """What a log would come to."""

    max_refused: Share = Field(
        0.05, description="Share of refused lines up to which a run counts as done; with more the exit code is 3."
    )


class FileSettings(Settings):
    """Where a local command writes."""

    output: Output = Field(
        "-",
        description="File to write, packed where its name ends with .gz, .bz2, .xz or .zst; - for standard output. Of "
        "run only: {date} or {category} in it make one a day or a category; .parquet, .arrow or .feather have columns.",
    )
    profiles: Path | None = Field(None, description="SQLite file that the profiles grow in; default: none are kept.")
    refused: str | None = Field(None, description="File for refused records; default: the output's name with .refused.")


class OutputSettings(FileSettings, ReleaseSettings):
    """A local command that releases a log."""

    category_column: Literal["off", "on"] = Field(
        "off", description="Name each released record's category in a further column or field."
    )


class RunSettings(OutputSettings, CheckSettings):
    """One local run."""

    state: Path | None = Field(
        None,
        description="Folder to resume from after a kill, and from which the next inputs go on, such as the next day's; "
        "holds raw queries.",
    )
    checkpoint: Path | None = Field(
        None, description="As --state where no inputs follow: what waits for its cell of time leaves at the end."
    )
    again: Literal["off", "on"] = Field(
        "off",
        description="Release inputs that the state has taken already once more, or older ones; the profiles count "
        "both.",
        json_schema_extra=weaker({"on": "whoever has both releases names more owners than one shows"}),
    )
    order: Literal["time", "input"] = Field(
        "time", description="Put records of files in time order, or take them as they come (standard input always is)."
    )

    @property
    def folder(self) -> Path | None:
        """The folder of the state."""
        return self.state or self.checkpoint
