"""`querymix attack` and `querymix match`: what a released log gives away."""

import re
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from querymix.bootstrap.parts import make_classifier, make_detector, make_ordering, make_rules, open_bundle
from querymix.commands.common import echo, print_json, reporting
from querymix.commands.options import options
from querymix.commands.progress import speaking, tell_options
from querymix.consoles import Console
from querymix.core.errors import ConfigError
from querymix.settings import FormSettings, load

from querymix_lab.bootstrap import read_log
from querymix_lab.commands.showing import passing, table
from querymix_lab.settings import AttackSettings

if TYPE_CHECKING:
    from querymix_lab.attacks.suite import Case

_FILE = click.Path(exists=True, dir_okay=False)


@click.command(short_help="Attack a log's release: who owned its queries?")
@click.argument("log", type=_FILE)
@click.argument("released", type=_FILE, required=False)
@click.option("--method", "methods", multiple=True, help="An attack's name, or all; give it several times.")
@click.option("--outsiders", type=_FILE, help="A log of other users, which membership tells members from.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@options(AttackSettings)
@speaking
@reporting
def attack(
    log: str, released: str | None, methods: tuple[str, ...], outsiders: str | None, as_json: bool,
    settings: Path | None, **given: Any,
) -> None:  # fmt: skip
    """Attack a log's release: who owned its queries?

    \b
    querymix attack log.tsv --k 20                         the method runs over LOG, then quick attacks
    querymix attack log.tsv --k 20 --method all            every attack; minutes
    querymix attack log.tsv --k 20 --preset strict         what other options change
    querymix attack log.tsv released.tsv --k 20            a release of LOG that is there already

    Without RELEASED, the recommended way, the method itself runs over LOG with the options given, so that each line's
    owner is known. With RELEASED owners are known as far as its texts tell, and some attacks are left out. Each attack
    knows what is said below the table. A success over 1/k says that k does not hold against it. Attacks: d1 to d4
    (d1+t to d4+t in time order), kernel, repeats, kin, residue, halves, profiles, sessions, trail, time, form,
    arrivals, again (needs --pseudonym-period none), authorship, embedding, pairs, verifier (needs --verifier),
    membership (needs --outsiders) and sybils. Nothing is written.
    """
    from querymix_lab.attacks.suite import run  # noqa: PLC0415 - numpy is an extra, and slow to import

    chosen = load(AttackSettings, given, settings)
    tell_options(chosen)
    names = _names(methods, released, outsiders, chosen)
    with passing() as bar:
        task = bar.add_task("reading", total=len(names) + 1)
        case = _case(log, released, outsiders, chosen)
        rows, failed = run(case, names, lambda name: bar.update(task, advance=1, description=name))
    if not rows:
        raise ConfigError("; ".join(failed))
    for reason in failed:
        echo(f"querymix: left out: {reason}", err=True)
    if as_json:
        attacked = case.attacked
        figures = {
            "k": chosen.k, "queries": len(attacked.asked), "lines": len(attacked.released),
            "simulated": released is None, "own_returns": case.own_returns,
        }  # fmt: skip
        print_json(figures | {"attacks": rows})
    else:
        _show(rows, chosen.k)


def _names(methods: Sequence[str], released: str | None, outsiders: str | None, chosen: AttackSettings) -> list[str]:
    """Return the attacks to run. Raises ConfigError where one is unknown."""
    from querymix_lab.attacks.suite import ATTACKS, QUICK, QUICK_OF_FILES  # noqa: PLC0415 - as above

    if unknown := sorted({*methods} - {*ATTACKS, "all"}):
        raise ConfigError(f"--method: {unknown[0]!r} is no attack; those are {', '.join(ATTACKS)} and all")
    quick = QUICK_OF_FILES if released else QUICK
    names = list(ATTACKS) if "all" in methods else list(dict.fromkeys(methods)) or list(quick)
    for name, needed in (("membership", outsiders), ("verifier", chosen.verifier)):
        if needed and name not in names:
            names.append(name)
        elif not needed and "all" in methods:
            names.remove(name)
    return names


def _case(log: str, released: str | None, outsiders: str | None, chosen: AttackSettings) -> "Case":
    """Read and classify the logs, and run the method where nothing is released yet.

    Raises ConfigError where the logs have nothing in common, or nothing is released.
    """
    from querymix_lab.attacks import logs  # noqa: PLC0415 - as above
    from querymix_lab.attacks.clicks import Clicks  # noqa: PLC0415
    from querymix_lab.attacks.simulated import simulate  # noqa: PLC0415
    from querymix_lab.attacks.suite import Case, files_of  # noqa: PLC0415

    bundle, clicks = open_bundle(chosen), Clicks()
    classify, vocabulary = make_classifier(chosen, bundle), logs.Vocabulary()
    with ExitStack() as owned:
        asked = logs.read(read_log(log, chosen, owned), classify, vocabulary, clicks.add)
        second = logs.read(read_log(released, chosen, owned), classify, vocabulary) if released else None
        others = logs.read(read_log(outsiders, chosen, owned), classify, vocabulary) if outsiders else None
    rules, ordering = make_rules(chosen).check(), make_ordering(chosen)
    detector, texts = make_detector(chosen, bundle), list(vocabulary.texts)
    common = partial(Case, texts=texts, rules=rules, seed=chosen.seed, detector=detector, outsiders=others)
    if second is not None:
        return common(attacked=files_of(asked, second))
    pooled = asked.classified() if chosen.unclassified == "drop" else asked
    period = chosen.pseudonym_period
    made = simulate(pooled, rules, seed=chosen.seed, ordering=ordering, period=period)
    if not len(made.released):
        raise ConfigError(
            f"{log}: nothing of it is released with these options, so there is nothing to attack: give a longer log, "
            "or a smaller --k"
        )
    return common(
        attacked=made, clicked=clicks.of(asked, made.asked), period=period, precision=ordering.precision,
        command=chosen.verifier, most=chosen.verifier_pairs, patience=chosen.verifier_timeout,
    )  # fmt: skip


def _show(rows: list[dict[str, Any]], k: int) -> None:
    columns = ("attack", "success", "95 %", "baseline", "recall@90", "worst 10th", "lines")
    cells = [
        [
            row["attack"], _percent(row["success"]),
            f"{100 * row['low']:.1f}-{100 * row['high']:.1f}" if "low" in row else "",
            *(_percent(row.get(name)) for name in ("baseline", "recall_at_90", "worst_tenth")), f"{row['lines']:,}",
        ]
        for row in rows
    ]  # fmt: skip
    console = Console(highlight=False)
    made = table(columns, cells, no_wrap=True, box=None, pad_edge=False, collapse_padding=True)
    made.columns[0].no_wrap = False  # where a window is narrow, names are broken and no figure is cut
    console.print(made)
    console.print(
        f"1/k is {100 / k:.1f} %. Baseline: naming the user most released in the line's category; chance for the rest."
    )
    console.print("recall@90: lines named at a precision of 90 %. worst 10th: lines of the users named most.")
    for row in rows:
        if "told" in row:
            console.print(f"{row['attack']}: {row['told']}")
    for title, key in (("Beside the released log the attacker knows:", "knows"), ("What lowers it:", "lowered")):
        grouped: dict[str, list[str]] = {}
        for row in rows:
            # "trail, 5 known" and "residue: name" are rows of one attack.
            grouped.setdefault(str(row[key]), []).append(re.split("[,:]", row["attack"])[0])
        console.print(title)
        for text, names in grouped.items():
            console.print(f"  {'; '.join(dict.fromkeys(names))}: {text}")


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f} %"


@click.command(short_help="Count the records that two logs have in common.")
@click.argument("first", type=_FILE)
@click.argument("second", type=_FILE)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@options(FormSettings)
@reporting
def match(first: str, second: str, as_json: bool, settings: Path | None, **given: Any) -> None:
    """Count the records that two logs have in common: same user and query, and same time too.

    \b
    querymix match log.tsv released.tsv

    A released log has its users' own ids under --pseudonym-period none only. Source: Pàmies-Estrems et al. 2016,
    section 3.3.3 (log matcher).
    """
    from querymix_lab.attacks.match import NO_USERS  # noqa: PLC0415 - as above
    from querymix_lab.attacks.match import match as count  # noqa: PLC0415

    chosen = load(FormSettings, given, settings)
    with ExitStack() as owned:
        matched = count(read_log(first, chosen, owned), read_log(second, chosen, owned))
    if matched.first and matched.second and not matched.users:
        echo(f"querymix: warning: {NO_USERS}", err=True)
    if as_json:
        print_json(matched._asdict())
        return
    share = 100 / max(1, matched.first)
    console = Console(highlight=False)
    console.print(f"{matched.first:,} and {matched.second:,} records")
    console.print(f"same user and query          {matched.pairs:,} ({matched.pairs * share:.2f} %)")
    console.print(f"same user, query and time    {matched.records:,} ({matched.records * share:.2f} %)")
