"""A made-up log of rich records: it can be read by its own mapping, and is the same for the same lines and seed."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.codecs.jsonlines import JsonLinesCodec
from querymix.core.rich import rich_of
from querymix_lab.evaluation.rich_log import DEVICE_FIELD, LANGUAGE_FIELD, PLACE_FIELDS, RICH_FIELDS, rich_log

AT = "2006-03-01 07:17:12"
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\r\0\ufeff"), min_size=1, max_size=20)
clicks = st.one_of(st.just(""), st.tuples(st.integers(0, 500), texts).map(lambda one: f"\t{one[0]}\t{one[1]}"))


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["1", "22"]), texts, clicks), max_size=5), st.integers(0, 9))
def test_each_record_is_read_by_the_mapping_that_comes_along(rows: list[tuple[str, str, str]], seed: int) -> None:
    lines = [f"{user}\t{text}\t{AT}{click}" for user, text, click in rows if user]
    made = list(rich_log(["AnonID\tQuery\tQueryTime\tItemRank\tClickURL", *lines], seed))
    assert made == list(rich_log(lines, seed))
    codec = JsonLinesCodec(fields=RICH_FIELDS, safe=[*PLACE_FIELDS, DEVICE_FIELD, LANGUAGE_FIELD])
    decoded = codec.decode(made, "log", 1)
    assert not decoded.refusals
    for query in decoded.queries:
        rich = rich_of(query)
        assert rich is not None
        assert len(rich.results) == 10
        assert len(query.extra[0]) == 5  # type: ignore[arg-type]


def test_rows_of_one_query_are_one_record_whose_clicked_url_stands_among_the_results() -> None:
    row = f"7\tred shoes\t{AT}\t"
    [line, other] = rich_log([f"{row}2\thttp://a.example/x", f"{row}4\thttp://b.example", f"8\tred shoes\t{AT}"])
    record = json.loads(line)
    assert [click["href"] for click in record["clicks"]] == ["http://a.example/x", "http://b.example"]
    results = record["serp"]["items"]
    assert [one["pos"] for one in results if one["clicked"]] == [2, 4]
    assert results[1]["link"] == "http://a.example/x"
    unclicked = json.loads(other)["serp"]["items"]
    assert [one for one in results if not one["clicked"]] == [one for one in unclicked if one["pos"] not in (2, 4)]


def test_a_person_keeps_place_device_and_language() -> None:
    records = [json.loads(one) for one in rich_log([f"7\ttext {n}\t{AT}" for n in range(9)])]
    assert len({(str(one["geo"]), one["device"], one["lang"]) for one in records}) == 1
    some = [json.loads(one) for one in rich_log([f"{n}\ttext\t{AT}" for n in range(99)])]
    assert len({one["geo"]["city"] for one in some}) > len({one["geo"]["country"] for one in some}) > 2
