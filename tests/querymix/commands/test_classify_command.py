"""`querymix classify`: one query a line in, one JSON object a line out."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest
from click.testing import Result

Command = Callable[..., Result]
Spawn = Callable[..., "Popen[bytes]"]


def answers(querymix: Command, *queries: str) -> list[dict[str, Any]]:
    result = querymix("classify", stdin="".join(f"{query}\n" for query in queries).encode())
    assert (result.exit_code, result.stderr) == (0, "")
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_the_worked_value_is_answered_with_its_unit_and_path(querymix: Command) -> None:
    query = "european soccer barcelona players"
    assert answers(querymix, query) == [
        {
            "query": query,
            "released": query,
            "category": "Sports",
            "path": "Sports/Soccer",
            "unit": "european soccer",
            "removed": [],
        }
    ]


def test_a_misspelt_word_is_classified_by_its_recommendation_and_released_as_it_came(querymix: Command) -> None:
    (answer,) = answers(querymix, "barcelonna")
    assert (answer["unit"], answer["category"], answer["released"]) == ("barcelona", "Regional", "barcelonna")


def test_identifiers_are_told_by_kind_and_gone_from_the_released_text(querymix: Command) -> None:
    (answer,) = answers(querymix, "soccer joe@example.com")
    assert (answer["released"], answer["removed"], answer["category"]) == ("soccer", ["email"], "Sports")
    (answer,) = answers(querymix, "joe@example.com")
    assert (answer["released"], answer["removed"], answer["unit"]) == ("", ["email"], None)


@pytest.mark.parametrize("query", ["-", "", "zyxw", "the of"])
def test_a_query_without_a_category_says_so(querymix: Command, query: str) -> None:
    (answer,) = answers(querymix, query)
    assert answer == {
        "query": query, "released": query.replace("-", ""), "category": None, "path": None, "unit": None, "removed": [],
    }  # fmt: skip


def test_every_line_gets_an_answer_in_its_order(querymix: Command) -> None:
    queries = ["soccer", "zyxw", "", "chess", "soccer"]
    assert [answer["query"] for answer in answers(querymix, *queries)] == queries


def test_bytes_that_are_no_text_nuls_and_long_lines_get_an_answer(querymix: Command) -> None:
    result = querymix("classify", stdin=b"soccer \xff\nsoccer \0\n" + b"soccer " * 20_000 + b"\r\nsoccer")
    assert result.exit_code == 0
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["category"] for answer in found] == ["Sports"] * 4
    assert found[-1]["query"] == "soccer"


def test_an_answer_leaves_before_the_next_question_comes(spawn: Spawn) -> None:
    process = spawn("classify")
    assert process.stdin is not None
    assert process.stdout is not None
    for query in (b"soccer", b"zyxw"):
        process.stdin.write(query + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["query"] == query.decode()


def test_kinds_can_be_kept_and_unknown_kinds_are_refused(querymix: Command) -> None:
    result = querymix("classify", "--keep-identifiers", "email", stdin=b"soccer joe@example.com\n")
    assert json.loads(result.stdout)["released"] == "soccer joe@example.com"
    result = querymix("classify", "--keep-identifiers", "ssn", stdin=b"soccer 219-09-9999 529.982.247-25\n")
    assert json.loads(result.stdout)["released"] == "soccer 219-09-9999 529.982.247-25"
    result = querymix("classify", "--keep-identifiers", "emails", stdin=b"")
    assert result.exit_code == 2
    assert "'emails' is no kind of identifier" in result.stderr


def test_a_bundle_that_is_not_there_is_named(querymix: Command, tmp_path: Path) -> None:
    result = querymix("classify", "--knowledge", tmp_path / "none.bundle", stdin=b"soccer\n")
    assert result.exit_code == 2
    assert "none.bundle" in result.stderr
    assert "soccer" not in result.stderr
