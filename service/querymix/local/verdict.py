"""Whether a run came to what its user may expect, and if not, why: warnings out of figures.

Rules:
- It is pure: figures go in, findings come out. A run that has one of the serious ones ends with exit code 3; its output
  is complete all the same.
- A finding says what is wrong, how much, the likeliest reason, and what to do.
- No user and no query is in it, but for an id that is a placeholder (querymix.local.noticed).
- Of a log below `TINY` records nothing is said but that its lines were refused: its pools cannot fill. Below `SMALL`
  a loss is told and not serious: such a log is a trial.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from querymix.core.rules import Rules
from querymix.local.noticed import Heavy, Noticed
from querymix.local.output import STANDARD_OUTPUT
from querymix.settings.values import show_seconds, show_span

TINY: Final = 100
SMALL: Final = 1_000
"""Records."""
LITTLE: Final = 0.1
"""Share of the records that were read: below it, little was released."""
ONE_USER: Final = 0.2
"""Share of the records from which on one user has many, whoever it is."""
PLACEHOLDER: Final = 0.05
"""Share of the records from which on users without an id are many; a zero may be somebody's number below `ONE_USER`."""
MOST: Final = 0.5
"""Share of the records from which on such users are serious, whatever was released."""
_LESS_RARE: Final = (
    "too few users share what they say. More leaves with a crowd of more users or a longer window ('querymix crowd "
    "build', --crowd-window), a lower --crowd-users, --crowd-items terms, or --rare drop-terms (WEAKER); where it is "
    "--generalize, with a lower --group-users or --group-policy empty."
)
_BEFORE_POOLS: Final = {
    "unclassified": "most have no category that the knowledge bundle knows, and --unclassified drop leaves them out. "
    "See that the right field is taken for the query, or give --unclassified pool.",
    "suppressed_by_identifiers": "most are nothing but identifiers, such as addresses and numbers. See that the right "
    "field is taken for the query.",
    "suppressed_as_rare": f"most are suppressed as rare: {_LESS_RARE}",
    "suppressed_as_long": "most are longer than --most-words or --most-characters. Give a higher one, and see that the "
    "right field is taken for the query.",
}
"""Why little was released, where most never came to a pool."""
_SHOWN: Final = 3
"""Reasons of refusals that are told."""


class Finding(NamedTuple):
    """Something that a run's user has to know."""

    code: str
    """For machines: `refused`, `little_released`, `much_rare`, `placeholder_user`, `one_user`, `no_effect`,
    `contradiction`, `old_crowd`, `other_crowd` or `unscreened`."""
    text: str
    """For people."""
    serious: bool = True
    """Whether it makes the exit code 3."""


def judge(
    figures: Mapping[str, Any],
    rules: Rules,
    noticed: Noticed,
    max_refused: float,
    empty: Callable[[], Mapping[str, str]] = dict,
) -> list[Finding]:
    """Return what is to be said of a run whose account is `figures`, the serious findings first.

    Where it has a state, `this_run` is judged: many good days before hide no bad one. `max_refused` is the share of
    lines between 0 and 1 up to which refusing them is nothing special. `empty` tells the fields that no record has,
    each with the option that names it.
    """
    pools = figures.get("categories")
    in_cells = 0 if pools is None else figures["held"] - sum(pool["held"] for pool in pools.values())
    figures = figures.get("this_run", figures)
    little = _little(figures, in_cells, rules, noticed)
    found = [_refused(figures, noticed, max_refused), little or _rare(figures), _heavy(noticed)]
    if noticed.records:
        found += [_empty(option, name) for name, option in empty().items()]
    return [one for one in found if one]


def contradictions(rules: Rules) -> list[Finding]:
    """Return which rules work against each other, whatever the log."""
    if rules.established is None or rules.bound is None or rules.established <= rules.bound:
        return []
    return [
        Finding(
            "contradiction",
            f"--established {show_seconds(rules.established)} is longer than --max-hold {show_seconds(rules.bound)}: "
            "what users ask before they count towards k is suppressed unless others who count share its pool. "
            "Give a shorter --established or a longer --max-hold.",
            serious=False,
        )
    ]


def of_crowd(table: Path, old: str, *, changed: bool) -> list[Finding]:
    """Return what to say of a run's crowd table: that it is old, in words, or not the one that the run began with."""
    found = [Finding("old_crowd", old, serious=False)] if old else []
    if changed:
        text = (
            f"the crowd table {table} is not the one that this run began with: what was decided stays, and what was "
            "read since is screened by this one."
        )
        found.append(Finding("other_crowd", text, serious=False))
    return found


def of_waiting(*, unscreened: bool) -> list[Finding]:
    """Return what to say where queries wait from a run before this one, which had other rules about what few share."""
    text = (
        "what waited in --state from the run before was not screened by this run's rules about length and what few "
        "share: it leaves as it is. Where nothing of it may leave, begin with another --state."
    )
    return [Finding("unscreened", text)] if unscreened else []


def without_effect(reasons: Mapping[str, str], given: Iterable[str]) -> list[Finding]:
    """Return what to say of options that are not read, by the reason of each; `given`: those of the command line."""
    named = set(given)
    return [
        Finding("no_effect", f"--{name.replace('_', '-')} has no effect {reason}", serious=name in named)
        for name, reason in reasons.items()
    ]


def interrupted_remark(output: str, *, resumes: bool) -> str:
    """Return what to say of a run over files that was interrupted; `resumes`: it has a state."""
    name = "what went to standard output" if output == STANDARD_OUTPUT else output
    if resumes:
        return f"interrupted: {name} is partial. To finish it, give the same command again: it goes on from here."
    return (
        f"interrupted: {name} is partial, and no profile was changed. To have it whole, give the same command again: "
        "it begins anew."
    )


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} % ({part:,} of {whole:,})"


def _refused(figures: Mapping[str, Any], noticed: Noticed, most: float) -> Finding | None:
    refused, total = figures["refused"], figures["in"]
    if not refused or refused <= most * total:
        return None
    reasons = "; ".join(f"{reason} ({count:,})" for reason, count in noticed.reasons(_SHOWN))
    return Finding(
        "refused",
        f"{_share(refused, total)} of the lines were refused, more than --max-refused {100 * most:g}%"
        f"{': ' if reasons else ''}{reasons}. Correct the log or the options that say how it is read, or give a higher "
        "--max-refused.",
    )


def _empty(option: str, name: str) -> Finding:
    text = f"{option} names {name!r}, of which no record has a value: see that the name is right"
    return Finding("no_effect", text, serious=False)


def _little(figures: Mapping[str, Any], in_cells: int, rules: Rules, noticed: Noticed) -> Finding | None:
    """`in_cells` were drawn, and wait for their cell of time to end."""
    released, read = figures["released"], figures["in"] - figures["refused"] - figures["empty"]
    if read < TINY or released + in_cells >= LITTLE * read:
        return None
    amount = f"only {released:,}" if released else "none"
    text = f"{amount} of {read:,} records were released: {_why(figures, rules, noticed)}"
    return Finding("little_released", text, serious=read >= SMALL)


def _rare(figures: Mapping[str, Any]) -> Finding | None:
    rare, read = figures["suppressed_as_rare"], figures["in"] - figures["refused"] - figures["empty"]
    if read < TINY or rare < MOST * read:
        return None
    text = f"{_share(rare, read)} of the records that were read were suppressed as rare: {_LESS_RARE}"
    return Finding("much_rare", text, serious=False)


def _why(figures: Mapping[str, Any], rules: Rules, noticed: Noticed) -> str:
    users, most = noticed.few_users, _largest(figures)
    if most in _BEFORE_POOLS:
        return _BEFORE_POOLS[most]
    if users == 1:
        return (
            "all that could be pooled have one and the same user, whom nobody can hide. See that the right field is "
            "taken for the user."
        )
    if users and rules.mode == "distinct":
        return (
            f"the log has {users:,} users, and a release needs {_needed(rules)} in one category. Give a lower --k"
            f"{' or --reserve' * bool(rules.reserve)}, or a log of more users."
        )
    if rules.established is not None and noticed.records and noticed.span < rules.established:
        return (
            f"--established {show_seconds(rules.established)} is longer than the log, which spans "
            f"{show_span(noticed.span)}: no user counts towards k. Give a shorter one, or a longer log."
        )
    needed = _needed(rules)
    return {
        "held": f"most still wait in pools that have no {needed} yet. Give a lower --k, or a longer log.",
        "suppressed_by_hold": (
            f"most were held longer than --max-hold {show_seconds(rules.bound or 0.0)} before {needed} came together."
        ),
        "suppressed_as_repeats": (
            "most repeat what their user asked before. Give a shorter --dedupe, or none, and see that the right field "
            "is taken for the user."
        ),
    }[most]


def _needed(rules: Rules) -> str:
    if rules.mode == "paper":
        return f"k queries ({rules.k:,})"
    more = f", and by chance up to {rules.reserve:,} more (--reserve)," if rules.reserve else ""
    return f"k + 1 users ({rules.k + 1:,}){more}"


def _largest(figures: Mapping[str, Any]) -> str:
    """Return what became of most records that were read and not released."""
    fates = (
        "held", "suppressed_by_hold", "suppressed_as_repeats", "suppressed_by_identifiers", "suppressed_as_rare",
        "suppressed_as_long", "unclassified",
    )  # fmt: skip
    return max(fates, key=lambda fate: int(figures[fate]))


def _heavy(noticed: Noticed) -> Finding | None:
    if noticed.records < TINY or noticed.few_users == 1:
        return None
    nobody = [one for one in noticed.placeholders if one.placeholder.strip("0") or one.share >= ONE_USER]
    share = sum(one.share for one in nobody)
    if share >= PLACEHOLDER:
        return Finding("placeholder_user", _of_placeholders(nobody), serious=share >= MOST)
    heaviest = noticed.heaviest
    if heaviest is None or heaviest.share < ONE_USER or noticed.few_users is not None:
        return None
    return Finding(
        "one_user",
        f"one user id has {100 * heaviest.share:.0f} % of the records ({heaviest.records:,}). It counts as one user: "
        "most of what it asks is held or suppressed. If it stands for many people or for a program (an exit address, a "
        "default, a robot), give each person an id or leave its lines out.",
        serious=heaviest.share >= MOST,
    )


def _of_placeholders(nobody: list[Heavy]) -> str:
    names = ", ".join(f'"{one.placeholder}"' for one in nobody[:_SHOWN])
    share, records = sum(one.share for one in nobody), sum(one.records for one in nobody)
    return (
        f"{100 * share:.0f} % of the records ({records:,}) have a placeholder for their user ({names}), which stands "
        "for many people. Each counts as one user: most of what they ask is held or suppressed, and its profile is "
        "nobody's. Give each of them an id, such as a cookie or a session, or leave these lines out."
    )
