"""The form of a policy: what each stage does to each field of a record, in plain sentences."""

from collections.abc import Callable
from typing import Final, NamedTuple

from querymix.settings.method import MethodSettings
from querymix.settings.presets import options_of
from querymix.settings.values import show_seconds

STAGES: Final = ("read", "strip", "screen", "pool", "write")
"""The stages that a record passes, in their order: the fields of `Row`."""
TITLES: Final = (
    "when it is read", "identifiers and category", "what few share", "the pool, and the draw", "order, and writing",
)  # fmt: skip


class Row(NamedTuple):
    """One field, and a sentence for each stage."""

    field: str
    read: str
    strip: str
    screen: str
    pool: str
    write: str


class Warned(NamedTuple):
    """One weaker choice that is in force."""

    option: str
    """As it is named in a settings file."""
    value: str
    why: str
    by_default: bool
    """Whether nobody named it."""

    @property
    def text(self) -> str:
        """It as a sentence."""
        flag = f"--{self.option.replace('_', '-')}"
        return f"{flag} {self.value}{', the default,' * self.by_default} is the weaker choice: {self.why}."


class Kept(NamedTuple):
    """Something that is stored, where, and for how long."""

    what: str
    where: str
    how_long: str


class Policy(NamedTuple):
    """All of it."""

    rows: list[Row]
    warnings: list[Warned]
    notes: list[str]
    """What else is to be known: what rules still need, and what a worker leaves to the eyes of others."""
    kept: list[Kept]


RowOf = Callable[[MethodSettings], Row]
NOT_SCREENED: Final = "Not screened."
UNCHANGED: Final = "Unchanged."


def gone(field: str, why: str) -> Row:
    """Return the row of a field that is not taken in."""
    return Row(field, why, *["It is gone."] * (len(STAGES) - 1))


def read_from(settings: MethodSettings, field: str) -> str:
    """Say where a field is read from."""
    if named := settings.fields.get(field):
        return f"Read from the field {named!r}"
    form = "the log's own form" if settings.format == "auto" else f"the form {settings.format}"
    return f"Read from its usual place in {form}"


def screens_texts(settings: MethodSettings) -> bool:
    """Say whether texts that few share are kept back: also by a preset whose crowd is still to be named."""
    known = settings.crowd is not None or "crowd_users" in options_of(settings.preset)
    return known and settings.rare != "release"


def asks_crowd(settings: MethodSettings) -> bool:
    """Say whether anything is asked of the crowd."""
    return screens_texts(settings) or settings.urls == "crowd" or bool(settings.generalize)


def drops_terms(settings: MethodSettings) -> bool:
    """Say whether rare terms are left out of texts, and so what holds them beside."""
    return screens_texts(settings) and settings.rare == "drop-terms"


def crowd_of(settings: MethodSettings) -> str:
    """Say who answers how many users share something."""
    if settings.crowd is None:
        return "by the table that is still to be named"
    if settings.crowd == "stream":
        return f"in the last {show_seconds(settings.crowd_window)}, when it leaves"
    return f"by the table {settings.crowd}"
