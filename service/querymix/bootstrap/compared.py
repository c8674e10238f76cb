"""Two sets of settings over one log, put together in memory (querymix.local.comparing).

Rules:
- Where settings ask a crowd and name no table, the log itself is counted: each of its users, however new. That is said.
- A table that is named is asked as in a run.
"""

from collections.abc import Iterable, Mapping
from contextlib import closing
from functools import partial
from typing import Any, Final

from querymix.bootstrap.generalizing import ladder_fields
from querymix.bootstrap.parts import (
    make_classifying,
    make_codec,
    make_ordering,
    make_releasing,
    open_bundle,
)
from querymix.bootstrap.pseudonym_key import make_pseudonyms
from querymix.bootstrap.screening import open_crowd, screening_rules
from querymix.codecs.fields import order_of
from querymix.codecs.recognize import Form
from querymix.core.crowd import CountedCrowd, Crowd, items_of
from querymix.core.errors import ConfigError
from querymix.core.generalize import group_item, levels, url_steps, urls_of
from querymix.core.records import Query
from querymix.knowledge.domains import registrable_domains
from querymix.local.comparing import Counting, Side, Tick, count_crowd, measure
from querymix.local.forms import form_of
from querymix.local.reading import Input
from querymix.local.unread_inputs import unread_remark
from querymix.settings import MethodSettings
from querymix.settings.asking import asks_crowd
from querymix.settings.policy import PolicySettings
from querymix.settings.rare import STREAM
from querymix.stages.period_ids import PeriodIds

COUNTED: Final = (
    "{} asks how many users share something: all users of this log were counted, however new they are. A table of more "
    "logs, or a stream's window, suppresses other queries"
)
_COUNTED: Final = "counted"
"""What `--crowd` is where the log itself was counted: neither a file nor the stream."""


def compare(log: str, chosen: Mapping[str, PolicySettings], tick: Tick) -> dict[str, Any]:
    """Return what each set of settings makes of a log, by its name, and what is to be said of that.

    Raises ConfigError where the log cannot be read twice, or an option is wrong.
    """
    found: dict[str, Any] = {"settings": {}, "remarks": [], "unread": False}
    for name, settings in chosen.items():
        crowd = None
        if counts(settings):
            crowd = _counted(log, settings, tick)
            found["remarks"].append(COUNTED.format(name))
        with closing(_opened(log)) as source:
            form = form_of([source], settings)
            side = _side(settings, form, crowd)
            found["settings"][name] = measure(source, side, partial(_told, tick, name))
            if remark := unread_remark(source, form):
                found["unread"] = True
                found["remarks"].append(f"{name}: {remark}")
    return found


def _told(tick: Tick, name: str, doing: str) -> None:
    tick(f"{name}: {doing}")


def counts(settings: MethodSettings) -> bool:
    """Say whether the log itself has to be counted."""
    return asks_crowd(settings) and settings.crowd in (None, STREAM)


def _opened(log: str) -> Input:
    source = Input(log)
    if not source.regular:
        source.close()
        raise ConfigError(f"--compare reads the log several times, and {source.name} can be read once: give a file")
    return source


def _counted(log: str, settings: PolicySettings, tick: Tick) -> CountedCrowd:
    named = settings.model_copy(update={"crowd": _COUNTED})
    with closing(_opened(log)) as source:
        codec = make_codec(named, settings.time_policy, settings.time_precision, form_of([source], settings))
        return count_crowd(source, codec, _counting(named), tick)


def _counting(settings: PolicySettings) -> Counting:
    domain_of = registrable_domains() if settings.urls == "crowd" else None
    names = ladder_fields(settings)
    order = order_of([*settings.safe_fields, *names])
    places = [order.index(name) for name in names]

    def items(query: Query) -> Iterable[str]:
        yield from items_of(query.text)
        if domain_of is not None:
            for url in urls_of(query):
                yield from (step for step, _ in url_steps(url, domain_of))

    def groups(query: Query) -> list[str]:
        values: Any = query.extra[0] if places and query.extra else ()
        chain = levels(settings.generalize, [values[place] for place in places]) if values else []
        return [group_item(number, one) for number, one in enumerate(chain)]

    return Counting(items, groups, settings.group_users)


def _side(settings: PolicySettings, form: Form, crowd: Crowd | None) -> Side:
    named = settings if crowd is None else settings.model_copy(update={"crowd": _COUNTED})
    codec = make_codec(named, settings.time_policy, settings.time_precision, form)
    pseudonyms = make_pseudonyms(settings, form, kept=False)
    return Side(
        codec,
        make_classifying(named, open_bundle(settings), pseudonyms, screening_rules(named, crowd or open_crowd(named))),
        make_releasing(named, codec.format, make_ordering(settings), in_order=True),
        PeriodIds(settings.pseudonym_period),
        order_of([*settings.safe_fields, *ladder_fields(named)]),
    )
