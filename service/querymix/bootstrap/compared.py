"""Two sets of settings over one log, put together in memory (querymix.local.comparing).

Rules:
- Where settings ask a crowd and name no table, the log itself is counted: each of its users, however new. That is said.
- A table that is named is asked as in a run.
"""

from collections.abc import Mapping
from contextlib import closing
from functools import partial
from typing import Any, Final

from querymix.bootstrap.parts import (
    make_classifying,
    make_codec,
    make_ordering,
    make_releasing,
    open_bundle,
)
from querymix.bootstrap.pseudonym_key import make_pseudonyms
from querymix.bootstrap.screening import crowd_rules, open_crowd, screening_rules
from querymix.codecs.recognize import Form
from querymix.core.crowd import CountedCrowd, Crowd
from querymix.core.errors import ConfigError
from querymix.local.comparing import Side, Tick, count_crowd, measure
from querymix.local.forms import form_of
from querymix.local.reading import Input
from querymix.local.unread_inputs import unread_remark
from querymix.settings import MethodSettings, PolicySettings
from querymix.settings.policy import asks_crowd
from querymix.settings.rare import STREAM
from querymix.stages.period_ids import PeriodIds
from querymix.stages.screening import Screening

COUNTED: Final = (
    "{} asks how many users share something: all users of this log were counted, however new they are. A table of more "
    "logs, or a stream's window, suppresses other queries"
)
_NO_CROWD: Final[dict[str, Any]] = {"crowd": None, "rare": "release", "generalize": {}, "urls": "host"}
"""What lets the pools be made without rules of their own."""


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
    crowd = CountedCrowd()
    rules = crowd_rules(settings.model_copy(update={"crowd": STREAM}), crowd, crowd.add)
    with closing(_opened(log)) as source:
        count_crowd(source, _codec(settings, form_of([source], settings)), rules, tick)
    return crowd


def _codec(settings: PolicySettings, form: Form) -> Any:
    named = settings.model_copy(update={"crowd": settings.crowd or STREAM})
    return make_codec(named, settings.time_policy, settings.time_precision, form)


def _side(settings: PolicySettings, form: Form, crowd: Crowd | None) -> Side:
    codec = _codec(settings, form)
    # A crowd that was counted here stands beside the stage, which would look for a table.
    alone = settings if crowd is None else settings.model_copy(update={"crowd": STREAM})
    pools = settings.model_copy(update=_NO_CROWD)
    return Side(
        codec,
        make_classifying(
            settings,
            open_bundle(settings),
            make_pseudonyms(settings, form, kept=False),
            screening_rules(alone, open_crowd(alone)),
        ),
        Screening([] if crowd is None else crowd_rules(alone, crowd)),
        make_releasing(pools, codec.format, make_ordering(settings), in_order=True),
        PeriodIds(settings.pseudonym_period),
        sorted({*settings.safe_fields, *(name for ladder in settings.generalize.values() for name in ladder)}),
    )
