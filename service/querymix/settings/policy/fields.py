"""What becomes of the fields of a record: a row for each, derived from the settings in force.

Rule: a sentence says what the code does under these settings, and no more. The guarantees are docs/guarantees.md.
"""

from typing import Final

from querymix.settings.asking import drops_terms
from querymix.settings.method import MethodSettings, RunSettings
from querymix.settings.policy.searches import query, time, user
from querymix.settings.policy.table import NOT_SCREENED, UNCHANGED, Row, RowOf, crowd_of, gone, read_from
from querymix.settings.service import WorkerSettings
from querymix.settings.values import show_seconds

_CLEARED: Final = (
    "Identifiers are cut from it where it is a text, and it is left out where it repeats what was cut from the query; "
    "numbers stay."
)


def rows_of(settings: MethodSettings) -> list[Row]:
    """Return a row for each field of a record."""
    safe = [_safe(settings, name) for name in settings.safe_fields]
    ladders = [
        _of_ladder(settings, ladder, place)
        for ladder, fields in settings.generalize.items()
        for place in range(len(fields))
    ]
    return [row(settings) for row in _ROWS] + safe + ladders + [_category(settings), _rest(settings)]


def _rank(settings: MethodSettings) -> Row:
    return Row(
        "rank", f"{read_from(settings, 'rank')}.", UNCHANGED, NOT_SCREENED, _travels(settings), "Written as it came."
    )


def _travels(settings: MethodSettings) -> str:
    if settings.click_wait:
        return (
            f"Travels with its query, and so do those of records that its user sends within "
            f"{show_seconds(settings.click_wait)} for the same query."
        )
    return "Travels with its record alone: the further records of one query leave by themselves."


def _cut(settings: MethodSettings) -> tuple[str, str]:
    """Say what is read of a URL, and what is left of it once it was screened."""
    dropped = _beside(settings)
    if settings.urls == "host":
        return "cut to its scheme and host", dropped or NOT_SCREENED
    if settings.urls == "full":
        return "taken whole", dropped or NOT_SCREENED
    shared = f"{settings.crowd_users} users had, {crowd_of(settings)}"
    cut = f"Cut to what {shared}: the whole URL, its host, its domain, or nothing."
    return "taken whole for now", f"{cut} {dropped}".rstrip()


def _beside(settings: MethodSettings) -> str:
    return "Left out where it holds a word that was left out of the query as rare." if drops_terms(settings) else ""


def _path(settings: MethodSettings) -> str:
    return "" if settings.urls == "host" else ", and cut to its host where its path does"


def _url(settings: MethodSettings) -> Row:
    read, screened = _cut(settings)
    return Row(
        "URL",
        f"{read_from(settings, 'url')}, and {read}.",
        f"Left out where its host holds a word that was cut from the query{_path(settings)}.",
        screened,
        _travels(settings),
        "Written as it is by then; left out where nothing is left.",
    )


def _results(settings: MethodSettings) -> Row:
    if not (named := _list_of(settings, "results")):
        return gone("results", "Dropped: --fields names no list of results.")
    read, screened = _cut(settings)
    titles = " A title leaves with the whole URL alone." if settings.urls == "crowd" else ""
    return Row(
        "results",
        f"Read from the list {named!r}: of each its URL ({read}), rank, title, and whether it was shown and clicked.",
        f"Identifiers are cut from titles; a URL is left out where its host holds a word that was cut from the query"
        f"{_path(settings)}.",
        f"{screened}{titles}",
        "Travel with their query.",
        "Written in their order, as far as they are left.",
    )


def _clicks(settings: MethodSettings) -> Row:
    if not (named := _list_of(settings, "clicks")):
        return gone("clicks", "Dropped: --fields names no list of clicks.")
    read, screened = _cut(settings)
    return Row(
        "clicks",
        f"Read from the list {named!r}: of each its URL ({read}), rank, and times.",
        f"A URL is left out where its host holds a word that was cut from the query{_path(settings)}.",
        screened,
        "Travel with their query; a click's time is whole seconds after its query, never a time of day.",
        "Written in their order; the time spent on a page is in whole seconds.",
    )


def _list_of(settings: MethodSettings, name: str) -> str:
    return next((place for field, place in settings.fields.items() if field.partition(".")[0] == name), "")


_ROWS: Final[tuple[RowOf, ...]] = (user, query, time, _rank, _url, _results, _clicks)


def _safe(settings: MethodSettings, name: str) -> Row:
    return Row(
        name,
        "Read, since --safe-fields names it.",
        _CLEARED,
        _beside(settings) or NOT_SCREENED,
        "Travels with its query.",
        "Written as it is by then.",
    )


def _of_ladder(settings: MethodSettings, ladder: str, place: int) -> Row:
    fields = settings.generalize[ladder]
    tag = ladder == "language" and len(fields) == 1
    steps = "first it is cut to its first subtag, then emptied" if tag else f"as step {place + 1} of {len(fields)}"
    end = {
        "empty": "where no step has enough, all of them are empty",
        "suppress": "where no step has enough, the query is suppressed",
    }[settings.group_policy]
    return Row(
        fields[place],
        f"Read, since --generalize names it in the ladder {ladder}.",
        _CLEARED,
        f"Stays where {settings.group_users} users share all values of --generalize that are left, "
        f"{crowd_of(settings)}; else it goes, {steps}; {end}.",
        "Travels with its query.",
        "Written as far as it is left.",
    )


def _category(settings: MethodSettings) -> Row:
    told = settings.confidence and settings.classifier == "terms"
    sure = f", and none where its share is below {settings.confidence:g}" if told else ""
    none = "pooled by themselves" if settings.unclassified == "pool" else "dropped"
    merged = settings.unit == "session" and settings.session_scope == "all"
    pool = "that of the first query of its session" if merged else "its own"
    hot = settings.hot if isinstance(settings, WorkerSettings) else {}
    shards = f"; these have several pools: {', '.join(hot)}" if hot else ""
    return Row(
        "category",
        "No field of the log: it is worked out from the query, and the host of what was clicked.",
        f"Chosen by the classifier '{settings.classifier}' with the knowledge of "
        f"{settings.knowledge or 'the default bundle'}{sure}; queries without one are {none}.",
        NOT_SCREENED,
        f"A query waits in the pool of one category, {pool}{shards}.",
        _named(settings),
    )


def _named(settings: MethodSettings) -> str:
    if isinstance(settings, WorkerSettings):
        return "Written in a header of each release." if settings.category_header == "on" else "Not written."
    if isinstance(settings, RunSettings) and settings.category_column == "on":
        return "Written in a further column or field."
    return "Not written."


def _rest(settings: MethodSettings) -> Row:
    return gone("everything else", "Dropped: nothing is read but the fields above.")
