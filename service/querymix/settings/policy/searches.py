"""What becomes of who searched, what was asked, and when: the rows of user, query and time."""

from typing import Final

from querymix.settings.asking import asks_crowd, screens_texts
from querymix.settings.method import MethodSettings
from querymix.settings.policy.table import NOT_SCREENED, UNCHANGED, Row, crowd_of, read_from
from querymix.settings.rare import STREAM
from querymix.settings.values import show_seconds

_ITEMS: Final = {
    "terms": "one of its terms",
    "pairs": "one of its terms or pairs of adjacent terms",
    "queries": "it as a whole, or one of its terms or pairs of adjacent terms",
}


def user(settings: MethodSettings) -> Row:
    """Return the row of the user."""
    stream = asks_crowd(settings) and settings.crowd == STREAM
    window = show_seconds(settings.crowd_window)
    since = settings.established
    known = f", once it was first seen {show_seconds(since)} ago," if since is not None else ""
    counted = f"Counts{known} once for each thing that the record says, for {window}."
    looked = "Not looked at: the table holds no users." if asks_crowd(settings) else NOT_SCREENED
    return Row(
        "user",
        f"{read_from(settings, 'user')}.",
        _hashed(settings),
        counted if stream else looked,
        _waits(settings),
        _id(settings),
    )


def _hashed(settings: MethodSettings) -> str:
    if settings.pseudonym_key_file is not None:
        return "Becomes a keyed hash under the key of --pseudonym-key-file; the id itself goes no further."
    access = "keyed hash under a key that the run draws and forgets"
    if settings.format == "access":
        return f"Becomes a {access}; a service needs --pseudonym-key-file."
    return "Stays as it came" + (f"; of an access log it becomes a {access}." if settings.format == "auto" else ".")


def _waits(settings: MethodSettings) -> str:
    if settings.mode == "paper":
        return (
            f"Waits until the pool has {settings.k} queries, whoever asked them ({settings.delta} times as many where "
            "all are one user's); leaves with a query that is drawn, which may be its own."
        )
    chance = f", and by chance up to {settings.reserve} more," if settings.reserve else ""
    since = settings.established
    counting = f", counting only those first seen {show_seconds(since)} ago or earlier" if since is not None else ""
    return (
        f"Waits until more than {settings.k} distinct users{chance} wait in the pool of one category{counting}; leaves "
        f"with {'a session' if settings.unit == 'session' else 'a query'} of another user, never with its own."
    )


def _id(settings: MethodSettings) -> str:
    period = settings.pseudonym_period
    if period == "session":
        return "Written as a random id for each release: lines of one release share it, and no others do."
    if period == "record":
        return "Written as a random id for each line: no two lines share one."
    if period is None:
        hashed = settings.pseudonym_key_file is not None
        return f"Written for good as {'that hash' if hashed else 'what it was read as'}: all its lines can be joined."
    return (
        f"Written as an id that lasts for {show_seconds(float(period))}, counted from 1970 in UTC: lines under it can "
        "be joined, and no id tells that of another period."
    )


def query(settings: MethodSettings) -> Row:
    """Return the row of the query."""
    return Row(
        "query",
        f"{read_from(settings, 'query')}; one of more than {settings.longest_query} characters is refused.",
        _stripped(settings),
        _screened(settings),
        _drawn(settings),
        _as_text(settings),
    )


def _stripped(settings: MethodSettings) -> str:
    kept = (
        f", but for those kept by choice ({', '.join(settings.keep_identifiers)})" if settings.keep_identifiers else ""
    )
    cut = f"Identifiers that are found, such as names, addresses and numbers, are cut{kept}"
    if settings.surrogates == "on":
        cut += "; names, places and numbers among them are swapped for made-up ones of their kind once it is screened"
    return f"{cut}; a query that is nothing else is suppressed."


def _screened(settings: MethodSettings) -> str:
    bounds = [
        f"{bound} {name}"
        for bound, name in ((settings.most_words, "words"), (settings.most_characters, "characters"))
        if bound is not None
    ]
    found = [f"Suppressed beyond {' or '.join(bounds)}."] if bounds else []
    shared = f"fewer than {settings.crowd_users} users asked {_ITEMS[settings.crowd_items]}, {crowd_of(settings)}"
    if not screens_texts(settings):
        found.append("A text that one person only asked may leave.")
    elif settings.rare == "suppress":
        found.append(f"Suppressed where {shared}.")
    else:
        found.append(f"Loses terms as long as {shared}; with none left it is suppressed.")
    return " ".join(found)


def _drawn(settings: MethodSettings) -> str:
    entry = settings.draw == "entry" or settings.mode == "paper"
    drawn = "each query" if entry else "each user with a query there"
    parts = [f"Waits with those of other users, and {drawn} is drawn as likely as the others"]
    if settings.unit == "session":
        scope = "of one category" if settings.session_scope == "category" else "of any category"
        parts.append(
            f"leaves with up to {settings.session_most - 1} more {scope} that its user asked less than "
            f"{show_seconds(settings.session_gap)} apart"
        )
    if settings.dedupe is not None:
        parts.append(f"is suppressed where its user asked it within {show_seconds(settings.dedupe)} before")
    hold = show_seconds(settings.max_hold)
    parts.append(
        {
            "trim": f"is suppressed once it was held for {hold}",
            "suppress": f"is suppressed, with as many others as a late user needs, once it was held for {hold}",
            "merge": f"moves to a pool of all categories once it was held for {hold}",
            "wait": "waits without a bound",
        }[settings.hold_policy]
    )
    return "; ".join(parts) + "."


def _as_text(settings: MethodSettings) -> str:
    left = "without what was cut" if settings.surrogates == "off" else "with what was swapped"
    shared = ", in lower case, with single blanks, and where a term is rare as it stands without the marks at its ends"
    normal = shared if screens_texts(settings) else ""
    return f"Written {left}{normal}."


def time(settings: MethodSettings) -> Row:
    """Return the row of the time."""
    own = settings.time_policy == "query"
    precision = settings.time_precision
    form = (
        "in the form of most of the first lines"
        if settings.time_form == "auto"
        else f"in the form {settings.time_form}"
    )
    if precision is None:
        order = "sorted by time as they come" if own else "in the order of the draws"
        written = f"Written to the second, {form}, {order}."
    else:
        cell = show_seconds(precision)
        together = f"the lines of {cell} are written together, shuffled, once it is over (of very many, a part sooner)"
        written = f"Cut to {cell}, {form}: {together}."
    return Row(
        "time",
        f"{read_from(settings, 'time')}, in UTC.",
        UNCHANGED,
        NOT_SCREENED,
        "Stays that of the query itself." if own else "Replaced by that of the search that set the release off.",
        written,
    )
