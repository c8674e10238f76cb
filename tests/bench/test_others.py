"""The benchmark against others, where it needs nothing that is installed for it alone."""

import json
import sys
from importlib import import_module
from pathlib import Path

import pytest
from click import ClickException
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from querymix.core.identifiers import Identifier
from querymix_lab.evaluation.identifiers import Row, covered

from tests.bench import others
from tests.bench.redactors import EXPRESSIONS, MARK, benthos, expressions, marked

PLACES = st.lists(st.integers(0, 12), min_size=2, max_size=4, unique=True).map(sorted)


@given(st.text("ab 1", min_size=12, max_size=12), PLACES)
def test_what_is_read_off_a_redacted_text_redacts_it_to_the_same(text: str, places: list[int]) -> None:
    redacted = marked(text, [Identifier("code", *two) for two in zip(places[::2], places[1::2], strict=False)])
    assert marked(text, others.cuts(text, redacted)) == redacted


def test_a_text_that_does_not_fit_counts_as_cut_from_end_to_end() -> None:
    assert covered(Row("call ann lee", "name", 5, 12), others.cuts("call ann lee", "something else"))


def test_each_expression_cuts_its_kind_and_leaves_other_words() -> None:
    texts = [
        "mail ann@example.com now",
        "ping 203.0.113.9",
        "visa 4111 1111 1111 1111",
        "call (212) 555-0134",
        "24 7 help",
    ]
    marks = [f"mail {MARK} now", f"ping {MARK}", f"visa {MARK}", f"call {MARK}", "24 7 help"]
    assert list(expressions()(texts)) == marks


def test_benthos_gets_the_same_expressions() -> None:
    mapping = json.loads(benthos(Path("in"), Path("out")))["pipeline"]["processors"][0]["mapping"]
    assert mapping.count("re_replace_all") == len(EXPRESSIONS)
    assert all(json.dumps(one) in mapping for one in EXPRESSIONS.values())


def test_a_query_with_a_click_is_not_replaced() -> None:
    lines = ["7\tlamp\t2006-03-01 07:00:00\t\t", "7\tsofa\t2006-03-01 07:00:01\t1\thttp://example.com"]
    rows = [Row("call 212-555-0134", "phone", 5, 17)]
    assert others.plant(lines, rows, 2) == (lines, {})
    log, planted = others.plant(lines[:1] * 2, rows, 2)
    assert planted == {1: rows[0]}
    assert [line.split("\t")[1] for line in log] == ["lamp", "call 212-555-0134"]


def test_a_run_may_warn_and_a_failure_is_not_measured() -> None:
    ends = [sys.executable, "-c", "import sys; sys.exit(int(sys.argv[1]))"]
    assert others.cpu_seconds([*ends, "3"], native=True) > 0
    with pytest.raises(ClickException, match="failed"):
        others.cpu_seconds([*ends, "1"], native=True)


def test_a_small_comparison_counts_what_was_planted_and_names_what_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    import_module("faker")
    import_module("names")
    monkeypatch.setattr(others, "BUILT", Path("nowhere"))
    monkeypatch.setenv("PATH", "/nowhere")
    small = ["--lines", "400", "--every", "2", "--labels", "made-up", "--rounds", "1", "--json"]
    done = CliRunner().invoke(others.main, [*small, "--only", "four expressions", "--only", "querymix run, plain"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["left_out"] == {"four expressions, Benthos": "no Go (1.24 or newer) is installed"}
    removed = found["sides"]["four expressions, Python"]["removed"]
    assert 0 < removed["ip"][0] <= removed["ip"][1]
    assert removed["name"][0] == 0 < removed["name"][1]
    assert removed["all"] == [sum(removed[kind][place] for kind in removed if kind != "all") for place in (0, 1)]
    whole, planted = found["sides"]["querymix run, plain Python"]["left_whole"]
    assert whole < planted == removed["all"][1]
