"""The fields of `--generalize`, and the rule about them and about URLs, put together out of settings.

Rules:
- A field of a ladder is one of the record, named once, and none that has another part in it.
- What should hold fields or URLs back is refused where there is no crowd to ask, since they would leave as they are.
"""

from collections.abc import Callable, Collection, Iterable
from typing import Final

from querymix.codecs.fields import order_of
from querymix.codecs.recognize import FORMS, Form
from querymix.core.crowd import Crowd
from querymix.core.errors import ConfigError
from querymix.core.generalize import FieldsRule, Ladders, fields_of
from querymix.knowledge.domains import registrable_domains
from querymix.settings import FormSettings, MethodSettings, ReleaseSettings
from querymix.settings.asking import need_crowd

_LIST: Final = "publicsuffixlist"


def ladder_fields(settings: FormSettings, form: Form | None = None) -> list[str]:
    """Return the fields of all ladders, in their order; `form` is that of the log, where it is known.

    Raises ConfigError where one cannot be generalized, or nobody can be asked.
    """
    ladders: Ladders = getattr(settings, "generalize", {})
    need_crowd(settings)  # what counts a crowd asks none, and releases nothing
    if not ladders:
        return []
    names = fields_of(ladders)
    if form is not None and form.format in ("aol", "access"):
        raise ConfigError(
            f"--generalize names fields, and there are none to name in {FORMS[form.format]}: leave it out, or name the "
            "log's own form, such as --format json"
        )
    named = {**(form or Form("json")).defaults, **settings.fields}
    used = {name: field for field, name in named.items() if "." not in field}  # those of lists stand in elements
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"--generalize names the field {name!r} twice: leave it in one ladder, once")
        if name in used:
            raise ConfigError(f"--generalize names the field {name!r}, which is the {used[name]}: name another field")
        if name in getattr(settings, "safe_fields", ()):
            raise ConfigError(
                f"--generalize and --safe-fields both name {name!r}: leave it out of --safe-fields, under which it "
                "would leave as it is"
            )
    if form is not None and form.format in ("csv", "tsv"):
        _need_columns(names, form.columns)
    return names


def never_filled(settings: ReleaseSettings, filled: Collection[int]) -> dict[str, str]:
    """Return the fields that travel with queries and are not among the places that had a value, by their option."""
    options = dict.fromkeys(ladder_fields(settings), "--generalize") | dict.fromkeys(
        settings.safe_fields, "--safe-fields"
    )
    order = order_of(list(options))
    return {name: options[name] for place, name in enumerate(order) if place not in filled}


def _need_columns(names: Iterable[str], columns: Collection[str]) -> None:
    if lost := [name for name in names if name not in columns]:
        raise ConfigError(f"--generalize: the header has no column {lost[0]!r}")


def fields_rules(
    settings: MethodSettings, crowd: Crowd, count: Callable[[str, Iterable[str]], object] | None = None
) -> list[FieldsRule]:
    """Return the rule about fields and URLs, none where no option asks for it.

    `count` counts a user for items, where the stream itself is the crowd. Raises ConfigError where a field cannot be
    generalized, or the list of public suffixes is missing.
    """
    names = ladder_fields(settings)
    if not names and settings.urls != "crowd":
        return []
    order = order_of([*settings.safe_fields, *names])
    return [
        FieldsRule(
            crowd,
            ladders=settings.generalize,
            places=[order.index(name) for name in names],
            users=settings.crowd_users,
            group_policy=settings.group_policy,
            group_users=settings.group_users,
            urls=settings.urls,
            remember=count is None,
            domain_of=_domains() if settings.urls == "crowd" else str,
            count=count,
        )
    ]


def _domains() -> Callable[[str], str]:
    try:
        return registrable_domains()
    except ModuleNotFoundError as error:
        if error.name != _LIST:
            raise
        raise ConfigError(
            "--urls crowd needs the list of public suffixes: pip install 'querymix[crowd]', or give --urls host"
        ) from None
