"""What to say of an input of which nothing, or not all, could be read."""

from querymix.codecs.recognize import FORMS, Form, recognize
from querymix.local.reading import Input


def unread_remark(source: Input, form: Form) -> str:
    """Return what to say of an input, and what to do about it; empty where it was read to its end."""
    if source.damage:
        if source.queries:
            return f"{source.name}: {source.damage.reason}. What could be read of it was processed."
        return f"{source.name}: nothing could be read: {source.damage.reason}."
    if source.queries:
        return ""
    if form.format == "access" and source.line > 1 and not source.refused:
        seen = ", ".join(name for name in form.shown if "." in name)
        return (
            f"{source.name}: none of its {source.line - 1:,} lines is a search: the query's parameter "
            f"({form.names.get('query', 'url.q')}) is in none of them. "
            f"{f'There is {seen}. ' if seen else ''}Name it, such as --fields query=url.search."
        )
    if not source.refused:
        return ""
    return (
        f"{source.name}: none of its {source.refused:,} lines could be read as {FORMS[form.format]}. "
        f"{_advice(source, form)}"
    )


def passed_over(source: Input, form: Form) -> str:
    """Return what to say of an access log's requests that are no searches; empty where there is nothing to say."""
    count = source.line - 1 - source.queries - source.refused
    if form.format != "access" or not source.queries or not count:
        return ""
    return f"{source.name}: {count:,} of {source.line - 1:,} lines are no searches, and were passed over."


def _advice(source: Input, form: Form) -> str:
    """Return what to do, told from the first lines."""
    lines = source.first_lines() if source.regular else []
    beginning = lines[0].lstrip("\ufeff \t") if lines else ""
    told = recognize(lines)
    if told.format != form.format and (told.format != "aol" or "\t" in beginning):
        return f"It looks like {FORMS[told.format]}: give --format {told.format}, or leave --format out."
    if beginning.startswith("["):
        return "It may be a JSON array: make lines of it, for example with jq -c '.[]'."
    if beginning.startswith("{"):
        return "Where an object takes several lines, make one line of it, for example with jq -c ."
    if form.format == "aol" and any(beginning.count(sign) > 1 for sign in ",;|"):
        return (
            "Where it is CSV, name its columns: --fields user=NAME,query=NAME,time=NAME, or their numbers where it has "
            "no header: --fields user=1,query=2,time=3."
        )
    return "The file of refused records says why; convert the log, or give another --format."
