"""`querymix attack` and `querymix match`: what a released log gives away."""

from contextlib import ExitStack
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from querymix.bootstrap.parts import make_classifier, make_detector, open_bundle
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


@click.command(short_help="Attack a released log: who owned its queries?")
@click.argument("original", type=_FILE)
@click.argument("released", type=_FILE)
@click.option("--method", "methods", multiple=True, help="An attack's name, or all; give it several times.")
@click.option("--outsiders", type=_FILE, help="A log of other users, which membership tells members from.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@options(AttackSettings)
@speaking
@reporting
def attack(
    original: str, released: str, methods: tuple[str, ...], outsiders: str | None, as_json: bool,
    settings: Path | None, **given: Any,
) -> None:  # fmt: skip
    """Attack a released log: who owned its queries? ORIGINAL is the log that RELEASED was made of.

    \b
    querymix attack log.tsv released.tsv --k 20
    querymix attack log.tsv released.tsv --method kernel --method authorship

    Each attack sees the released log and what the column "knows" says; the original only tells whether it is right.
    A success over 1/k says that k does not hold against it. Attacks: d1 to d4 (and d1+t to d4+t in time order), kernel,
    repeats, kin, authorship, halves, sessions, membership, residue, and sybils, which adds accounts of the attacker to
    ORIGINAL and runs the method anew at --k.
    """
    from querymix_lab.attacks.suite import ATTACKS, QUICK, run  # noqa: PLC0415 - numpy is an extra, and slow to import

    chosen = load(AttackSettings, given, settings)
    tell_options(chosen)
    names = list(ATTACKS) if "all" in methods else list(methods or QUICK)
    if unknown := sorted(set(names) - set(ATTACKS)):
        raise ConfigError(f"--method: {unknown[0]!r} is no attack; those are {', '.join(ATTACKS)} and all")
    if "all" in methods and not outsiders:
        names.remove("membership")
    try:
        with passing() as bar:
            task = bar.add_task("reading", total=len(names) + 1)
            case = _read(original, released, outsiders, chosen)
            rows, failed = run(case, names, lambda name: bar.update(task, advance=1, description=name))
    except ValueError as error:
        raise ConfigError(str(error)) from None
    if not rows:
        raise ConfigError("; ".join(failed))
    for reason in failed:
        echo(f"querymix: left out: {reason}", err=True)
    if as_json:
        figures = {"k": chosen.k, "lines": len(case.released), "own_returns": case.truth.own_returns}
        print_json(figures | {"attacks": rows})
    else:
        _show(rows, chosen.k)


def _read(original: str, released: str, outsiders: str | None, chosen: AttackSettings) -> "Case":
    """Read and classify the logs. Raises ValueError where they have nothing in common."""
    from querymix_lab.attacks import logs  # noqa: PLC0415 - as above
    from querymix_lab.attacks.attacked import Files  # noqa: PLC0415
    from querymix_lab.attacks.suite import Case  # noqa: PLC0415

    bundle = open_bundle(chosen)
    classify, vocabulary = make_classifier(chosen, bundle), logs.Vocabulary()
    with ExitStack() as owned:
        first, second = (
            logs.read(read_log(name, chosen, owned), classify, vocabulary) for name in (original, released)
        )
        others = logs.read(read_log(outsiders, chosen, owned), classify, vocabulary) if outsiders else None
    files = Files.of(first, second)
    return Case(
        files.asked, files.released, files.truth, list(vocabulary.texts), make_detector(chosen, bundle), chosen.k,
        chosen.delta, chosen.seed, others,
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
    console.print(table(columns, cells, no_wrap=True, box=None, pad_edge=False, collapse_padding=True))
    console.print(f"1/k is {100 / k:.1f} %. Baseline: naming the user most released in the line's category.")
    console.print("recall@90: lines named at a precision of 90 %. worst 10th: lines of the users named most.")
    console.print("Beside the released log the attacker knows:")
    for knows, names in groupby(rows, key=lambda row: str(row["knows"])):
        console.print(f"  {'; '.join(row['attack'] for row in names)}: {knows}")


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

    Source: Pàmies-Estrems et al. 2016, section 3.3.3 (log matcher).
    """
    from querymix_lab.attacks.match import match as count  # noqa: PLC0415 - as above

    chosen = load(FormSettings, given, settings)
    with ExitStack() as owned:
        matched = count(read_log(first, chosen, owned), read_log(second, chosen, owned))
    if as_json:
        print_json(matched._asdict())
        return
    share = 100 / max(1, matched.first)
    console = Console(highlight=False)
    console.print(f"{matched.first:,} and {matched.second:,} records")
    console.print(f"same user and query          {matched.pairs:,} ({matched.pairs * share:.2f} %)")
    console.print(f"same user, query and time    {matched.records:,} ({matched.records * share:.2f} %)")
