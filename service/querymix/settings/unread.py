"""Which options of the method and of a run are not read in a given combination, and why.

Rule: each option of `RunSettings` stands in `WHEN_UNREAD`, so that one that is added cannot be forgotten.
"""

from collections.abc import Callable, Mapping
from typing import Final

from querymix.settings.asking import asks_crowd
from querymix.settings.method import MethodSettings, RunSettings
from querymix.settings.presets import options_of
from querymix.settings.rare import STREAM

Rule = Callable[[MethodSettings, bool], str]
"""Says why an option is not read, nothing where it is; the second argument: whether the input is a pipe."""


def _always(_: MethodSettings, __: bool) -> str:
    return ""


def _when(unread: Callable[[MethodSettings], bool], why: str) -> Rule:
    return lambda settings, _: why if unread(settings) else ""


def _order(settings: MethodSettings, piped: bool) -> str:
    in_time = isinstance(settings, RunSettings) and settings.order == "time"
    return "on a pipe, whose lines are taken as they come: give the log as a file." if piped and in_time else ""


def _preset(settings: MethodSettings) -> bool:
    sets = options_of(settings.preset).keys()
    return bool(sets) and sets <= settings.model_fields_set


WHEN_UNREAD: Final[Mapping[str, Rule]] = {
    "again": _when(
        lambda chosen: isinstance(chosen, RunSettings) and not chosen.folder,
        "without --state, which knows what was released.",
    ),
    "confidence": _when(
        lambda chosen: chosen.classifier == "paper", "with --classifier paper: it bounds the share that 'terms' counts."
    ),
    "delta": _when(lambda chosen: chosen.mode == "distinct", "with --mode distinct: only --mode paper grows k by it."),
    "draw": _when(
        lambda chosen: chosen.mode == "paper" and chosen.draw == "owner",
        "with --mode paper, which draws among the queries: give --mode distinct.",
    ),
    "max_hold": _when(
        lambda chosen: chosen.hold_policy == "wait", "with --hold-policy wait, which waits without a bound."
    ),
    **dict.fromkeys(
        ("session_gap", "session_most", "session_scope"),
        _when(lambda chosen: chosen.unit == "query", "with --unit query: only --unit session puts sessions together."),
    ),
    **dict.fromkeys(
        ("crowd_users", "crowd_items", "rare"),
        _when(lambda chosen: chosen.crowd is None, "without --crowd, which knows how many users share an item."),
    ),
    "crowd": _when(
        lambda chosen: chosen.crowd is not None and not asks_crowd(chosen),
        "with --rare release, where neither --generalize nor --urls crowd asks it anything.",
    ),
    "crowd_window": _when(
        lambda chosen: chosen.crowd != STREAM, "but with --crowd stream: a table has a window of its own."
    ),
    **dict.fromkeys(
        ("group_users", "group_policy"),
        _when(lambda chosen: not chosen.generalize, "without --generalize, which names the fields."),
    ),
    "order": _order,
    "reserve": _when(lambda chosen: chosen.mode == "paper", "with --mode paper, which counts queries, not users."),
    "preset": _when(_preset, "where each of its options is named by itself."),
    **dict.fromkeys(
        (
            "category_column", "checkpoint", "classifier", "click_wait", "dedupe", "established", "fields",
            "format", "generalize", "hold_policy", "k", "keep_identifiers", "knowledge", "longest_query", "max_refused",
            "mode", "most_characters", "most_words", "output", "profiles", "pseudonym_key_file", "refused",
            "safe_fields", "state", "surrogates", "time_form", "time_policy", "pseudonym_period", "time_precision",
            "unclassified", "unit", "urls",
        ),
        _always,
    ),
}  # fmt: skip
"""For each option when it is not read; `fields`, `safe_fields`, `time_form`, `established` are refused where not."""


def unread(settings: MethodSettings, *, piped: bool = False) -> dict[str, str]:
    """Return the options that were named, anywhere, and are not read, each with the reason."""
    named = sorted(settings.model_fields_set & WHEN_UNREAD.keys())
    return {name: why for name in named if (why := WHEN_UNREAD[name](settings, piped))}
