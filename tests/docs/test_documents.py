"""Every code block of the documents runs here, on made-up logs, or stands in a list with the reason why it cannot.

A document is a story: its commands run one after the other in one folder. Commands that need a server, an image or many
minutes are not run; their command lines are parsed by the program, so that no unknown command or option stands there.
"""

import ast
import gzip
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections import Counter
from datetime import datetime
from pathlib import Path
from urllib.parse import quote_plus

import click
import faker  # noqa: F401 - made-up logs need it, so without it the module is skipped
import pytest
import yaml
from click.testing import CliRunner
from querymix.cli import main as querymix_main
from querymix_lab.evaluation.rich_log import rich_log

from deploy.local.__main__ import main as local_main
from loadtest.__main__ import main as loadtest_main
from loadtest.synthesize import HEADER
from tests.docs.blocks import DOCUMENTS, ROOT, Command, blocks, commands, stray
from tests.optional import need

OWN_TESTS = {"docs/library.md": "tests/querymix/test_api.py runs its examples"}
"""Documents with tests of their own."""
PROGRAMS = {
    ("querymix",): querymix_main,
    ("python", "-m", "querymix"): querymix_main,
    ("python", "-m", "loadtest"): loadtest_main,
    ("python", "-m", "deploy.local"): local_main,
}
PARSED = {
    "querymix account": "needs Kafka",
    "querymix status": "needs Kafka",
    "querymix upgrade check": "needs Kafka",
    "querymix deadletter": "needs Kafka",
    "querymix topics": "needs Kafka",
    "querymix worker": "needs Kafka",
    "querymix knowledge build": "writes the default bundle, in a minute",
    "querymix knowledge learn": "needs an operator's own files",
    "querymix knowledge load": "needs MongoDB",
    "querymix knowledge teach": "takes 40 minutes",
    "querymix attack log.tsv.gz --k 20 --method all": "takes minutes",
    "querymix compare": "takes minutes",
    "querymix study run": "takes minutes",
    "querymix study classifier": "needs labels that do not come along, or measures six languages",
    "querymix study identifiers": "takes half a minute",
    "querymix study linguistics": "needs a file of real queries",
    "querymix study recommendations": "takes half a minute",
    "querymix study protocol": "takes half a minute",
    "querymix batch": "needs packages of the laboratory; tests/querymix_lab/batch runs each method",
    "python -m deploy.local": "starts servers; tests/deploy runs it",
    "python -m loadtest run": "starts servers; tests/loadtest runs it",
    "python -m loadtest replay": "needs Kafka, or sends for minutes",
    "python -m loadtest growth": "takes a quarter of an hour",
    "python -m loadtest synthesize": "the documents' logs have millions of lines",
    "python -m loadtest compare": "needs two reports",
    "python -m loadtest capacity --rate 158500 --report": "needs a report",
    "python -m loadtest describe": "the guide's real log does not come along",
}
"""Our commands that are parsed and not run, with the reason."""
NOT_RUN = {
    "make": "sets everything up",
    "pip": "needs a package index",
    "docker": "needs a Docker engine",
    "podman": "needs the image",
    "kubectl": "needs a cluster",
    "kcat": "needs Kafka",
    "sh": "makes secrets or images; tests/deploy runs the scripts",
    "python -m tests.bench": "takes minutes",
    "python -m querymix_lab.knowledge.train": "takes minutes; tests/querymix_lab/knowledge/train runs it small",
    "python deploy/examples/consumer.py": "needs Kafka; tests/deploy/test_consumer.py runs it",
}
"""Others' commands, by how they begin, with the reason."""
PYTHON_NOT_RUN = {
    "deploy/local/README.md": "starts servers; its names are imported, tests/deploy runs the rest",
    "docs/evaluation.md": "reads its standard input; tests/querymix_lab/commands runs one like it",
}
USER = "22422"
"""Whose profile the documents show."""
INPUTS = ("demo/log.tsv", "log.tsv", "jan.tsv.gz", "feb.tsv.gz", "big.tsv.gz", "log.tsv.gz")
SKIPPED = "the Python package"


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


STORIES = [path for path in DOCUMENTS if name_of(path) not in OWN_TESTS]


@pytest.fixture
def folder(tmp_path: Path, made_up_rows: list[str], small_bundle: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the logs that the documents name, where every program is found, and go there."""
    [(busiest, _)] = Counter(row.split("\t")[0] for row in made_up_rows).most_common(1)
    made_up_rows = [re.sub(f"^{busiest}\t", f"{USER}\t", row) for row in made_up_rows]
    text = "\n".join([HEADER, *made_up_rows]) + "\n"
    for name in INPUTS:
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    objects = [dict(zip(("uid", "q", "ts"), row.split("\t"), strict=False)) for row in made_up_rows]
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(one) + "\n" for one in objects))
    (tmp_path / "searches.ndjson").write_text("".join(json.dumps(document(one)) + "\n" for one in objects))
    (tmp_path / "rich.ndjson").write_text("".join(f"{line}\n" for line in rich_log(made_up_rows)))
    names, *_ = [block.text for block in blocks(ROOT / "docs/files.md") if block.language == "toml"]
    (tmp_path / "rich.toml").write_text(names)
    (tmp_path / "access.log").write_text("".join(request(one) for one in objects))
    (tmp_path / "log.csv").write_text("uid,q,ts\n" + "".join(",".join(one.values()) + "\n" for one in objects))
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool, program in {"querymix": f'{sys.executable} -m querymix "$@"', "tail": 'cat "$2"'}.items():
        (tools / tool).write_text(f"#!/bin/sh\nexec {program}\n")  # tail -F would never end
        (tools / tool).chmod(0o755)
    for variable in [name for name in os.environ if name.startswith("QUERYMIX_")]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("QUERYMIX_KNOWLEDGE", str(small_bundle))
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, (ROOT / "service", ROOT))))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def document(row: dict[str, str]) -> dict[str, object]:
    """Return a row as a search index exports it."""
    at = row["ts"].replace(" ", "T") + "Z"
    return {"_source": {"@timestamp": at, "user": {"id": row["uid"]}, "search": {"text": row["q"]}}}


def request(row: dict[str, str]) -> str:
    """Return a row as a web server logs it."""
    at = datetime.fromisoformat(row["ts"]).strftime("%d/%b/%Y:%H:%M:%S +0000")
    words = quote_plus(row["q"])
    return f'198.51.100.7 - - [{at}] "GET /find?words={words} HTTP/1.1" 200 512 "-" "Mozilla" "sid={row["uid"]}"\n'


def parts(line: str) -> list[list[str]]:
    """Return the words of each program that a line calls."""
    words = shlex.split(re.sub(r"([|;])", r" \1 ", line))
    found: list[list[str]] = [[]]
    for word in words:
        if word in {"|", ";"}:
            found.append([])
        else:
            found[-1].append(word)
    return [[word for word in one if not re.fullmatch(r"QUERYMIX_\w+=.*", word)] for one in found if one]


def parse(words: list[str]) -> None:
    """Parse the command line of one of our programs, and run nothing; an unknown option raises."""
    for start, program in PROGRAMS.items():
        if tuple(words[: len(start)]) == start:
            given = [word for word in words[len(start) :] if word not in {">", "…"}]
            command: click.Command = program
            context = click.Context(program)
            while isinstance(command, click.Group) and given and not given[0].startswith("-"):
                found = command.get_command(context, given[0])
                assert found is not None, f"there is no command {' '.join(words)}"
                command, given = found, given[1:]
            if not {"--help", "--version"} & set(given):
                try:
                    command.make_context("program", [word for word in given if not word.startswith(("[", "DIR]"))])
                except click.BadParameter as error:  # files that are not here; options are read before
                    if "does not exist" not in str(error) and "SCENARIO" not in given:
                        raise
            return
    raise AssertionError(f"who runs {' '.join(words)}?")


def ours(words: list[str]) -> bool:
    return any(tuple(words[: len(start)]) == start for start in PROGRAMS)


def begins(line: str, names: dict[str, str]) -> bool:
    return any(line == name or line.startswith((name + " ", name + ".")) for name in names)


def run(command: Command, folder: Path) -> str:
    """Run a command and return what it printed."""
    [words, *more] = parts(command.text)
    if not more and ">" not in words and ours(words):
        start = next(start for start in PROGRAMS if tuple(words[: len(start)]) == start)
        given = [*map(str, words[len(start) :])]
        result = CliRunner().invoke(PROGRAMS[start], given)
        code, output = result.exit_code, result.output
    else:
        done = subprocess.run(
            ["bash", "-c", command.text], check=False, cwd=folder, capture_output=True, text=True, timeout=120
        )
        code, output = done.returncode, done.stdout + done.stderr
    need(SKIPPED not in output, output)
    lost = code == 3 and "records were released" in output  # these few records, which as a pipe are in no order
    assert code == 0 or lost, f"{command.block.document}:{command.block.line}: {command.text}\n{output}"
    return output


def shape(line: str) -> str:
    """Return what of a line does not depend on the log: its words, and where numbers stand."""
    return re.sub(r"\s+", " ", re.sub(r"\d[\d,.]*", "0", line)).strip(" █▏▎▍▌▋▊▉")


def missing(shown: list[str], output: str) -> list[str]:
    """Return the lines that a document shows and the program does not print; of lists the label is compared."""
    printed = [shape(line) for line in output.splitlines()]
    wanted = [shape(line.partition("...")[0]) for line in shown if line.strip() != "..."]
    return [line for line in wanted if not any(one.startswith(line.partition(" 0, ")[0]) for one in printed)]


@pytest.mark.parametrize("path", STORIES, ids=name_of)
def test_every_command_of_a_document_runs_or_is_understood(path: Path, folder: Path) -> None:
    for command in commands(path):
        for words in parts(command.text):
            line = " ".join(words)
            if begins(line, NOT_RUN):
                break
            if begins(line, PARSED):
                parse(words)
                break
        else:
            output = run(command, folder)
            assert missing(command.shown, output) == [], output


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_every_block_is_fenced_and_names_its_language(path: Path) -> None:
    assert stray(path) == []
    assert {block.language for block in blocks(path)} <= {"console", "python", "sh", "text", "toml", "yaml"}


@pytest.mark.parametrize("path", STORIES, ids=name_of)
def test_blocks_of_python_and_data_can_be_read(path: Path) -> None:
    for block in blocks(path):
        if block.language == "toml":
            tomllib.loads(block.text)
        elif block.language == "yaml":
            assert yaml.safe_load(block.text)
        elif block.language == "python":
            tree = ast.parse(block.text)
            if block.document in PYTHON_NOT_RUN:
                tree.body = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
            exec(compile(tree, f"{block.document}:{block.line}", "exec"), {})  # noqa: S102 - our own documents


def test_make_targets_and_extras_that_the_documents_name_are_there() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    extras = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"])
    for path in STORIES:
        for command in commands(path):
            if command.text.startswith("make "):
                assert command.text.split()[1] in targets
            for named in re.findall(r"^pip install .*\[([a-z,]+)\]", command.text):
                assert set(named.split(",")) <= extras, command.text


_SUM = re.compile(r"(?:in|total) = (released(?:[\s+]+[a-z]+)+)")


def test_every_page_that_adds_the_account_up_names_all_of_its_parts() -> None:
    parts = {"released", "held", "suppressed", "unclassified", "empty", "refused"}
    found = {path: _SUM.findall(path.read_text()) for path in DOCUMENTS}
    assert sum(map(len, found.values())) > 5
    for path, sums in found.items():
        for one in sums:
            assert parts <= set(re.findall("[a-z]+", one)), f"{path.name}: {one}"


def test_the_table_of_warnings_has_the_names_that_a_run_gives() -> None:
    source = (ROOT / "service/querymix/local/verdict.py").read_text()
    given = set(re.findall(r"Finding\(\s*\"([a-z_]+)\"", source))
    table = (ROOT / "docs/files.md").read_text().partition("## Warnings")[2].partition("\n## ")[0]
    assert given == set(re.findall(r"^\| `([a-z_]+)` \|", table, re.MULTILINE))


def anchors(path: Path) -> set[str]:
    """Return the names of a page's headings, as GitHub makes them."""
    heads = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", path.read_text(), flags=re.M | re.S), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_a_link_to_a_heading_meets_one(path: Path) -> None:
    for page, anchor in re.findall(r"\]\(([^)\s#:]*)#([^)\s]+)\)", path.read_text()):
        assert anchor in anchors(path.parent / page if page else path), f"{page}#{anchor}"


def test_a_wrong_option_in_a_document_is_found() -> None:
    with pytest.raises(click.UsageError):
        parse(["querymix", "worker", "--brocker", "kafka:9092"])


def test_the_readme_is_short() -> None:
    text = (ROOT / "README.md").read_text()
    assert len(text.splitlines()) <= 150
    assert len(text.split()) <= 1500


def test_the_page_of_national_numbers_is_current() -> None:
    """`python -m docs.national_numbers` writes it."""
    from docs import national_numbers  # noqa: PLC0415 - only here

    assert national_numbers.FILE.read_text("utf-8") == national_numbers.page()


def test_the_page_of_options_and_the_picture_are_current() -> None:
    """`python -m docs.options` and `python -m docs.flow` write them."""
    from docs import flow, options  # noqa: PLC0415 - only here

    assert flow.FILE.read_text() == flow.picture()
    if not any(SKIPPED in str(command.short_help) for _, command in options.commands(querymix_main, "querymix")):
        assert options.FILE.read_text() == options.page()
