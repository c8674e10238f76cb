"""What to say of an input of which nothing, or not all, could be read."""

from querymix.local.reading import Input

_OTHER_FORMAT = {
    "aol": "Its lines are not user, query, time, rank and URL parted by tabs",
    "json": "Its lines are not one JSON object each",
}


def unread_remark(source: Input, form: str) -> str:
    """Return what to say of an input, and what to do about it; empty where it was read to its end."""
    if source.damage:
        if source.queries:
            return f"{source.name}: {source.damage.reason}. What could be read of it was processed."
        return f"{source.name}: nothing could be read: {source.damage.reason}."
    if source.queries or not source.refused:
        return ""
    return (
        f"{source.name}: none of its {source.refused:,} lines could be read. {_OTHER_FORMAT[form]}. "
        f"{_advice(source.beginning.lstrip(), form)}"
    )


def _advice(beginning: str, form: str) -> str:
    """Return what to do, told from the first line's first characters."""
    if beginning.startswith("[") and form == "json":
        return "It may be a JSON array: make lines of it, for example with jq -c '.[]'."
    if beginning.startswith("{"):
        if form == "aol":
            return "It looks like JSON lines: give --format json."
        return "Where an object takes several lines, make one line of it, for example with jq -c ."
    if "\t" in beginning and form == "json":
        return "It looks like the AOL form: give --format aol."
    if form == "aol" and beginning.count(",") > 1:
        return "It looks like CSV: part the fields by tabs."
    return "The file of refused records says why; convert the log, or give another --format."
