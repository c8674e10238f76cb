"""Which form the inputs of a command have, told from their first lines where nobody has named it."""

from collections.abc import Callable, Collection, Sequence

from querymix.codecs.recognize import AOL, FORMS, Form, field_names, recognize, with_times
from querymix.codecs.rich_fields import FIELDS_OF
from querymix.core.errors import ConfigError
from querymix.local.reading import Input
from querymix.settings import FormSettings

_NEEDS_NOTHING = ("aol", "access")
"""Forms whose codec has to know nothing of the log; a pipe is not waited for then."""


def form_of(sources: Sequence[Input], settings: FormSettings, before: Callable[[], Form | None] = lambda: None) -> Form:
    """Return the form of all inputs; inputs without a line have that of what came `before` them.

    Raises MissingFieldError where a field that is needed is in none of the first lines, and ConfigError where the
    inputs differ in their columns.
    """
    if settings.format in _NEEDS_NOTHING and not sources[0].regular:
        return AOL._replace(format=settings.format)  # type: ignore[arg-type]  # one of those above
    first = next((source for source in sources if source.first_lines()), None)
    if first is None:
        return _of_nothing(settings, before())
    form = recognize(first.first_lines(), settings.format, settings.fields)
    form = with_times(form._replace(names=field_names(form, settings.fields, first.name)), first.first_lines())
    for source in sources:
        lines = source.first_lines() if source is not first else []
        other = recognize(lines, settings.format, settings.fields)
        if lines and other[:5] != form._replace(told=other.told)[:5]:
            if other.format == form.format:
                raise ConfigError(
                    f"{source.name} has other columns than {first.name}: give them in runs of their own "
                    "(--state carries on from one to the next)"
                )
            raise ConfigError(
                f"{source.name} is read as {FORMS[other.format]}, unlike {first.name}: give them in runs of their own"
            )
    return form


def _of_nothing(settings: FormSettings, before: Form | None) -> Form:
    """Return the form of inputs that hold nothing, so that a day without records can be any log's."""
    if before is not None and settings.format in ("auto", before.format):
        return before
    if settings.format != "auto":
        return AOL._replace(format=settings.format)
    return AOL._replace(format="json") if settings.fields else AOL


def form_remark(form: Form, name: str, further: Collection[str] = ()) -> str:
    """Return what to say of a form as the first lines tell it; empty where there is nothing to say.

    `further` are the fields that are read beside those that every record has.
    """
    lists = (
        [kind for kind in FIELDS_OF if kind in form.names and form.names[kind] not in form.seen] if form.seen else []
    )
    absent = [f"{form.names[kind]!r} (the {kind})" for kind in lists]
    lacks = f"None of the first lines of {name} has {' or '.join(absent)}: see to --fields where that is wrong."
    if not form.told or form.format == "aol":
        return lacks if absent else ""
    said = f"{name} is read as {FORMS[form.format]} (--format {form.format})"
    known = {*form.names.values()} & set(form.seen) | set(further)
    dropped = [column for column in form.columns if column and column not in known]
    if dropped and form.shown:
        said += f"; not read, and dropped: {', '.join(dropped)}"
        unnamed = [field for field in ("rank", "url") if form.names.get(field) not in form.seen]
        if unnamed:
            said += (
                f" (where one of them is the {' or the clicked '.join(unnamed)}, name it: --fields {unnamed[0]}=...)"
            )
    return f"{said}. {lacks}" if absent else f"{said}."
