"""What a run reads: all that an earlier start has not decided, wherever that stopped."""

from pathlib import Path

import pytest
from querymix.codecs.aol import AolCodec
from querymix.core.records import Query
from querymix.local.reading import Input
from querymix.local.sources import Source


def after(path: Path, queries: int, refusals: int, *, in_order: bool) -> tuple[list[Query], list[int]]:
    """Return the queries, and the lines of the refusals, that come after so many."""
    source = Input(str(path))
    batches = list(Source([source], AolCodec(), in_order=in_order).batches(queries, refusals))
    assert (source.queries, source.refused) == (40_000, 2), "all is read, whatever is left out"
    return (
        [query for batch in batches for query in batch.queries],
        [refusal.line for batch in batches for refusal in batch.refusals],
    )


@pytest.mark.parametrize("in_order", [False, True])
def test_what_an_earlier_start_has_decided_is_left_out_also_in_the_middle_of_a_batch(
    in_order: bool, tmp_path: Path
) -> None:
    rows = [f"{n}\twords {n}\t2006-03-01 00:{n * 7 % 60:02d}:{n % 60:02d}\t\t" for n in range(40_000)]
    (tmp_path / "log").write_text("\n".join([*rows[:10], "no time", *rows[10:], "this is no row"]))
    every, lines = after(tmp_path / "log", 0, 0, in_order=in_order)
    assert len(every) == 40_000
    assert lines == [11, 40_002]
    for queries, refusals in ((1, 0), (13_333, 1), (16_384, 0), (39_999, 2), (40_000, 2)):
        assert after(tmp_path / "log", queries, refusals, in_order=in_order) == (every[queries:], lines[refusals:])
