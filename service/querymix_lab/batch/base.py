"""What all batch methods share: the log that goes in, what comes out, and the account of both.

Rules:
- A method sees the log as the stream's pools do: identifiers are cut from the texts, user ids are pseudonyms where
  there is a key.
- in = released + held + suppressed + unclassified + empty + refused, always: the words of the stream's account
  (querymix.core.account). Lines that leave beyond those that came in are `added`, and in no sum.
- Chance comes from the `Draw` that a method is given alone. No repr shows a query or a user.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Final, Literal, NamedTuple, Protocol

from pydantic import BaseModel, Field
from querymix.core.draw import Draw
from querymix.core.errors import ConfigError
from querymix.core.records import UNCLASSIFIED, Query
from querymix.settings.values import Seconds
from querymix.settings.weaker import weaker


class Row(NamedTuple):
    """One classified query: of the log that goes in, or of the one that leaves."""

    query: Query
    """Its text is what may be released, its user the pseudonym where a key is given. In a log that leaves: as it is
    written, under the user and at the time that are released (`at` in seconds, `time` as a text)."""
    category: int
    """Place in `knowledge.CATEGORIES`, or `UNCLASSIFIED`."""
    path: tuple[str, ...]
    """The category's path, first level first; empty where unclassified."""
    place: int
    """Counted from 0 over the queries of the log, refused lines left out. In a log that leaves: of the row whose text
    this is, -1 where there is no such row."""
    generalized: bool = False
    """Whether the text is a more general one than any query that was asked; such a row counts in no profile."""
    topics: tuple[tuple[str, ...], ...] = ()
    """The categories of the query's noun phrases (querymix_lab.batch.phrases), for the method that looks at each; empty
    where they were not looked up, or none has one."""

    @property
    def user(self) -> str:
        """The user who asked."""
        return self.query.user

    def __repr__(self) -> str:
        return f"Row(place={self.place})"


@dataclass(frozen=True, repr=False)
class Log:
    """A classified log, in the order in which it was read."""

    rows: Sequence[Row]
    suppressed_by_identifiers: int = 0
    """Queries of which nothing was left once their identifiers were cut; they are not among the rows."""
    refused: int = 0
    """Lines that could not be read."""
    identifiers_removed: Mapping[str, int] = field(default_factory=dict)
    """Queries that an identifier was cut from, by kind."""
    empty: int = 0
    """Empty queries; they are not among the rows."""

    @cached_property
    def users(self) -> dict[str, list[Row]]:
        """Each user's rows, the users in the order in which they first come."""
        users: dict[str, list[Row]] = {}
        for row in self.rows:
            users.setdefault(row.query.user, []).append(row)
        return users

    @cached_property
    def classified(self) -> "Log":
        """The same log without the queries that have no category."""
        rows = [row for row in self.rows if row.category != UNCLASSIFIED]
        return replace(self, rows=rows)

    def content(self) -> Iterator[bytes]:
        """Yield what tells the log from another one."""
        for row in self.rows:
            seen = (row.user, row.query.text, row.query.at, row.query.url, row.path, row.topics)
            yield repr(seen).encode("utf-8", "replace")

    def account(self, **counts: int) -> "Account":
        """Return what became of each line: `counts` of a method, and what was lost before it saw any."""
        by_identifiers, refused, empty = self.suppressed_by_identifiers, self.refused, self.empty
        return Account(suppressed_by_identifiers=by_identifiers, refused=refused, empty=empty, **counts)

    def __repr__(self) -> str:
        return f"Log({len(self.rows)} rows)"


KINDS: Final = ("kept", "replaced", "generalized")
"""What `Account.released` adds up."""
REASONS: Final = ("suppressed_by_method", "suppressed_by_identifiers")
"""What `Account.suppressed` adds up."""


@dataclass(frozen=True, slots=True)
class Account:
    """What became of every line of the log. All but `added` add up to the lines that were read."""

    kept: int = 0
    """Released under the user who asked them."""
    replaced: int = 0
    """Another query was released under the user instead."""
    generalized: int = 0
    """A more general text was released instead."""
    suppressed_by_method: int = 0
    """Nothing was released instead, as the method wants it."""
    suppressed_by_identifiers: int = 0
    """Nothing was left of the query once its identifiers were cut."""
    unclassified: int = 0
    """Left out since the query has no category, where the method needs one."""
    empty: int = 0
    """Asked for nothing."""
    refused: int = 0
    """Could not be read."""
    added: int = 0
    """Released beyond what a user had asked: small users of a cluster get as many queries as the others."""

    @property
    def total(self) -> int:
        """All lines that were read."""
        return self.released + self.suppressed + self.unclassified + self.empty + self.refused

    @property
    def released(self) -> int:
        """Lines that were read and for which one leaves."""
        return self.kept + self.replaced + self.generalized

    @property
    def suppressed(self) -> int:
        """Suppressed for any reason."""
        return self.suppressed_by_method + self.suppressed_by_identifiers

    @property
    def written(self) -> int:
        """All lines that leave."""
        return self.released + self.added

    @property
    def held(self) -> int:
        """None: a method sees the whole log."""
        return 0

    def figures(self) -> dict[str, int]:
        """Return the account under the names that users see, a sum before its parts."""
        lost = ("held", "suppressed", *REASONS, "unclassified", "empty", "refused")
        names = ("released", *KINDS, *lost, "added", "written")
        return {"in": self.total, **{name: getattr(self, name) for name in names}}


@dataclass(frozen=True, repr=False)
class Outcome:
    """What a method made of a log."""

    released: Log
    """Grouped by user, in the order in which the users first come in the log; each user's in the order of time."""
    account: Account
    groups: Sequence[tuple[str, ...]] = ()
    """Clusters of users who leave with the same queries; empty where the method makes none."""
    notes: Sequence[str] = ()
    """Sentences for whoever gave the command, with no query and no user in them."""
    figures: Mapping[str, float] = field(default_factory=dict)
    """What the method itself knows of its result, such as the distortion or an epsilon."""

    def __repr__(self) -> str:
        return f"Outcome({len(self.released.rows)} released)"


class Options(BaseModel, frozen=True):
    """Every method's parameters; which of them a method reads stands in `METHODS`."""

    k: int = Field(20, ge=2, description="Users that a released query stays hidden among.")
    levels: int = Field(5, ge=1, le=5, description="Levels of the category path that count (odp).")
    times: Literal["day", "query"] = Field(
        "day",
        description="Released time: the day, or the second.",
        json_schema_extra=weaker({"query": "whoever knows when somebody searched looks for that second"}),
    )
    candidates: int = Field(10, ge=1, description="Clusters that each user is tried with (clump).")
    wordnet: Path = Field(Path("/usr/share/wordnet"), description="Folder of WordNet 3.0 (clump, partition).")
    first: int = Field(20, ge=1, description="Queries, and clicks, that count of each user (korolova).")
    privacy_epsilon: float = Field(2.302585, gt=0, le=100, description="Epsilon of all that is released (korolova).")
    privacy_delta: float = Field(1e-5, gt=0, lt=0.5, description="Delta, likewise (korolova).")
    users: int = Field(30, ge=2, description="Users who have to ask a text (threshold).")
    window: Seconds = Field(396 * 86_400.0, gt=0, description="Within which time they ask it (threshold).")


Tick = Callable[[float], None]
"""Told the share of the work that is done, between 0 and 1, for a progress bar."""


def no_tick(_: float) -> None:
    """Tell nobody."""


class Run(Protocol):
    """A method: from a log to what may be released of it."""

    def __call__(self, log: Log, options: Options, draw: Draw, tick: Tick = ..., /) -> Outcome:
        """Return the outcome. Raises ConfigError where the log or the options do not allow any."""
        ...


def balance(log: Log, released: Iterable[Row], used: Log | None = None) -> Account:
    """Return the account of a method that looks at texts: user by user, what left against what was asked.

    `used` is the part of `log` that the method could use (`log.classified` for one that needs categories); what it
    leaves out is unclassified. A text that a user asked and gets back is kept, as often as both times; of the rest,
    generalized lines count first, then replaced ones; what is left is suppressed, or added where more left than came.
    """
    used = used or log
    left: dict[str, Counter[str]] = {}
    general: Counter[str] = Counter()
    for row in released:
        if row.generalized:
            general[row.user] += 1
        else:
            left.setdefault(row.user, Counter())[row.query.text] += 1
    kept = replaced = generalized = suppressed = added = 0
    for user in {**used.users, **dict.fromkeys(left), **dict.fromkeys(general)}:
        asked = Counter(row.query.text for row in used.users.get(user, ()))
        got = left.get(user, Counter())
        same = (asked & got).total()
        vague = min(general[user], asked.total() - same)
        others = min(got.total() - same, asked.total() - same - vague)
        kept, generalized, replaced = kept + same, generalized + vague, replaced + others
        suppressed += asked.total() - same - vague - others
        added += general[user] - vague + got.total() - same - others
    left_out = len(log.rows) - len(used.rows)
    return log.account(
        kept=kept,
        replaced=replaced,
        generalized=generalized,
        suppressed_by_method=suppressed,
        unclassified=left_out,
        added=added,
    )


def check_users(log: Log, k: int) -> None:
    """Raise ConfigError where a log has too few users for a single cluster of k."""
    if len(log.users) < k:
        raise ConfigError(
            f"the log has {len(log.users):,} users that the method can use and --k is {k:,}: a cluster needs k of "
            "them. Give a longer log, or a smaller --k."
        )
