"""`--surrogates on` from end to end: in files, in the library, and where it is refused."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import querymix
from click.testing import Result
from querymix.core.errors import ConfigError

Command = Callable[..., Result]
USERS = 60


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Return a log in which each user asks for one soccer player by telephone, with two clicks a query."""
    path = tmp_path / "log.tsv"
    path.write_text(
        "".join(
            f"{user}\tbarcelona players 212-555-{user:04d}\t2006-03-01 00:{user // 60:02d}:{user % 60:02d}\t{rank}\t"
            "http://example.com\n"
            for user in range(1000, 1000 + USERS)
            for rank in (1, 2)
        )
    )
    return path


def run(querymix_: Command, log: Path, out: Path, *options: object) -> tuple[list[str], dict[str, object]]:
    result = querymix_("run", log, "-o", out, "--k", 3, "--reserve", 0, "--json", *options)
    assert result.exit_code == 0, result.stderr
    return [line.split("\t")[1] for line in out.read_text().splitlines()], json.loads(result.stdout)


def test_numbers_leave_as_numbers_of_nobody_and_rows_of_one_query_together(
    querymix: Command, log: Path, tmp_path: Path
) -> None:
    cut, before = run(querymix, log, tmp_path / "cut")
    made, after = run(querymix, log, tmp_path / "made", "--surrogates", "on")
    assert set(cut) == {"barcelona players"}
    assert len(made) == len(cut)
    assert all(re.fullmatch(r"barcelona players [2-9]\d\d-555-01\d\d", text) for text in made)
    assert not set(made) & set(re.findall(r"\t(bar[^\t]+)\t", log.read_text()))
    assert made[::2] == made[1::2], "both rows of a query have one surrogate"
    assert len(set(made)) > USERS // 3
    assert before["identifiers_swapped"] == {}
    assert before["identifiers_removed"] == after["identifiers_removed"] == {"phone": 2 * USERS}
    assert after["identifiers_swapped"] == {"phone": 2 * USERS}


def test_the_summary_tells_how_many_were_swapped(querymix: Command, log: Path, tmp_path: Path) -> None:
    result = querymix("run", log, "-o", tmp_path / "out", "--surrogates", "on")
    assert re.search(
        rf"identifiers cut from +phone {2 * USERS} *\nof these swapped in +phone {2 * USERS}", result.output
    )


def test_repeats_that_dedupe_suppresses_are_known_by_their_surrogate(
    querymix: Command, log: Path, tmp_path: Path
) -> None:
    lines = log.read_text()
    log.write_text(lines + lines.replace(" 00:", " 01:"))
    _, figures = run(querymix, log, tmp_path / "out", "--surrogates", "on", "--dedupe", "24h")
    assert figures["suppressed_as_repeats"] == 2 * USERS


def test_a_stream_as_its_own_crowd_is_refused_with_the_way_out(querymix: Command, log: Path, tmp_path: Path) -> None:
    result = querymix("run", log, "-o", tmp_path / "out", "--surrogates", "on", "--crowd", "stream")
    assert result.exit_code == 2
    assert "--surrogates on cannot be given with --crowd stream" in result.stderr
    assert "querymix crowd build" in result.stderr


def test_the_library_swaps_too(small_bundle: Path) -> None:
    with pytest.raises(ConfigError):
        querymix.Anonymizer(surrogates="maybe")  # type: ignore[arg-type]
    records = [{"user": str(n), "query": f"barcelona 212-555-{n}", "time": n} for n in range(1000, 1100)]
    released = list(querymix.anonymize(records, 3, knowledge=small_bundle, surrogates="on"))
    assert released
    assert all(re.fullmatch(r"barcelona [2-9]\d\d-555-01\d\d", str(row["query"])) for row in released)
