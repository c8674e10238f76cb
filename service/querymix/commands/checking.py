"""What `querymix check` does (check.py has its options)."""

from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Final

from rich.progress import TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from querymix.bootstrap.generalizing import never_filled
from querymix.bootstrap.parts import (
    make_classifying,
    make_codec,
    make_ordering,
    make_releasing,
    make_rules,
    open_bundle,
)
from querymix.bootstrap.pseudonym_key import make_pseudonyms
from querymix.bootstrap.screening import crowd_findings, open_crowd, screening_rules
from querymix.codecs.recognize import FORMS, Form
from querymix.commands.bars import Progress
from querymix.commands.common import PARTIAL, print_json
from querymix.commands.progress import say, tell_options
from querymix.consoles import Console
from querymix.local.checking import GOOD, MOST, Setting
from querymix.local.checking import check as look_at
from querymix.local.forms import form_of
from querymix.local.noticed import Noticed
from querymix.local.reading import Input
from querymix.local.unread_inputs import unread_remark
from querymix.local.verdict import contradictions, judge
from querymix.settings import CheckSettings, load
from querymix.settings.presets import options_of
from querymix.terminal import visible

_KS: Final = (5, 10, 20, 50, 100)


def check(log: str, settings: Path | None, given: Mapping[str, Any], *, as_json: bool) -> None:
    """Say what a log is, and what a run would make of it by the options that were `given`, and those of a file."""
    chosen = load(CheckSettings, given, settings)
    tell_options(chosen)
    with ExitStack() as owned:
        source = Input(log)
        owned.callback(source.close)
        form = form_of([source], chosen)
        codec = make_codec(chosen, chosen.time_policy, chosen.time_precision, form)
        noticed = Noticed(chosen.k + chosen.reserve)
        bar = owned.enter_context(Progress(TextColumn("{task.description}"), TimeElapsedColumn(), transient=True))
        task = bar.add_task("reading", total=None)
        tick = partial(bar.update, task, advance=1)
        tried = _settings(chosen, codec.format)
        pseudonyms = make_pseudonyms(chosen, form, kept=False)
        screens = screening_rules(chosen, table := open_crowd(chosen))
        stage = make_classifying(chosen, open_bundle(chosen), pseudonyms, screens)
        found = look_at(source, codec, stage, tried, noticed, lambda doing: tick(description=f"checking: {doing}"))
    account, *_ = [one.pop("account") for one in found["settings"]]
    rules = make_rules(chosen)
    findings = [
        *contradictions(rules),
        *judge(account, rules, noticed, chosen.max_refused, lambda: never_filled(chosen, stage.filled)),
        *crowd_findings(table, noticed.latest),
    ]
    remark = unread_remark(source, form)
    warnings = [
        *filter(None, [remark]),
        *(() if pseudonyms or chosen.pseudonym_period is not None else _of_ids(found["users"])),
        *(one.text for one in findings),
    ]
    if as_json:
        print_json({"format": form.format, **found, "warnings": warnings, "findings": [one.code for one in findings]})
    else:
        _show(found, form, Console(highlight=False))
        for warning in warnings:
            say(f"warning: {warning}")
    if remark or any(one.serious for one in findings):
        raise SystemExit(PARTIAL)


def _of_ids(users: Mapping[str, Any]) -> list[str]:
    return [
        f"many user ids look like {one}, and leave as they are: give --pseudonym-period 1d or --pseudonym-key-file, or "
        "see that the right field is taken for the user"
        for one in users["ids_look_like"]
    ]


def _settings(chosen: CheckSettings, log_format: str) -> list[Setting]:
    """Return what is tried: what was asked for, other k, and the strict preset."""

    def setting(name: str, **changed: Any) -> Setting:
        other = chosen.model_copy(update=changed)
        return Setting(name, other.k, lambda: make_releasing(other, log_format, make_ordering(other), in_order=True))

    tried = [setting(f"--k {chosen.k}")]
    tried += [setting(f"--k {k}", k=k) for k in _KS if k != chosen.k]
    if chosen.preset != "strict":
        strict = load(CheckSettings, chosen.model_dump(include=chosen.model_fields_set) | {"preset": "strict"})
        tried.append(
            setting(f"--k {chosen.k} --preset strict", **{name: getattr(strict, name) for name in options_of("strict")})
        )
    return tried


def _show(found: Mapping[str, Any], form: Form, console: Console) -> None:
    users, times = found["users"], found["times"]
    told = " (told from the first lines)" if form.told else ""
    head = Table.grid(padding=(0, 3))
    head.add_row("form", f"{FORMS[form.format]}{told}")
    if form.shown:
        names = ", ".join(
            f"{field}={name}"
            for field, name in form.names.items()
            if form.names.get(field.partition(".")[0]) in form.seen  # of a list's fields: where the list is there
        )
        head.add_row("fields", Text(visible(names)))
    part = "" if found["whole"] else f", the first ones; no more than {MOST:,} are looked at"
    head.add_row("records", f"{found['records']:,}{part}")
    head.add_row("refused", f"{found['refused']:,}{_reasons(found['refused_because'])}")
    head.add_row(
        "users",
        f"{users['number']:,}; half of them have {users['median_records']:g} records or more, the busiest "
        f"{100 * users['busiest']:.1f} % of all",
    )
    head.add_row(
        "times",
        f"{times['first']} to {times['last']}: {times['days']:,} days, {times['days_without']:,} without a record; "
        f"{times['median_day']:g} records on the median day"
        if times["days"]
        else "none",
    )
    removed = ", ".join(f"{kind} {count:,}" for kind, count in found["identifiers"].items())
    head.add_row("identifiers cut from", removed or "none")
    rare, long = found["suppressed_as_rare"], found["suppressed_as_long"]
    if rare or long:
        head.add_row("suppressed by rules", f"{rare:,} too rare, {long:,} too long")
    head.add_row("a run would take", f"about {found['seconds']:.0f} s and {found['peak_memory_bytes'] / 2**20:.0f} MiB")
    console.print(head)
    _show_settings(found, console)


def _show_settings(found: Mapping[str, Any], console: Console) -> None:
    by_rules = found["suppressed_as_rare"] + found["suppressed_as_long"]
    table = Table(title="What would be released", title_justify="left")
    table.add_column("options")
    for name in ("released", "held", "suppressed", "lost"):
        table.add_column(name, justify="right")
    for one in sorted(found["settings"], key=lambda one: (len(one["options"].split()), one["k"])):
        numbers = (f"{one[name]:,}" for name in ("released", "held", "suppressed"))
        table.add_row(one["options"], *numbers, f"{100 * (1 - one['share']):.1f} %")
    table.caption = "lost: of what could be read and asked for something, all that is not released"
    table.caption_justify = "left"
    console.print(table)
    if found["fits"]:
        console.print(f"{found['fits']} releases {100 * GOOD:.0f} % or more of this log.")
    elif found["records"] and by_rules > (1 - GOOD) * found["records"]:
        console.print(f"No setting above releases {100 * GOOD:.0f} % of this log: the rules suppress more than that.")
    elif found["records"]:
        console.print(
            f"No setting above releases {100 * GOOD:.0f} % of this log: it has too few users for its categories, or "
            "too few records a day. A longer --max-hold, or a log of more users, loses less."
        )


def _reasons(reasons: Mapping[str, int]) -> str:
    return "".join(f"; {reason}: {count:,}" for reason, count in reasons.items())
