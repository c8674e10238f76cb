"""What the frontier's figures say, in words: one sentence for who has a minute, and what they do not show."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

Row = Mapping[str, Any]
COLUMNS: Final = {
    "distinct": "distinct queries kept",
    "volume": "rows kept",
    "completion": "completion kept",
    "ndcg": "clicked hosts' order kept",
    "linkage": "users found by ids",
    "owner named": "owner named",
    "bound": "one draw names at most",
    "isolation": "one person's only",
    "joined": "queries joined to one",
}
"""Columns of the table by the figure that they show."""
STREAM, THRESHOLD, SUPPRESSED, DAYS = (
    "stream, k=20",
    "threshold, 30 users",
    "rare terms, 20 users",
    "day pseudonyms, day times",
)
BOTH: Final = "stream, crowd 20"
TAIL: Final = (
    DAYS, STREAM, "stream, crowd 2", "stream, crowd 5", BOTH, "rare terms, 5 users", SUPPRESSED, "threshold, 5 users",
    THRESHOLD,
)  # fmt: skip
"""Ways that show what becomes of queries that few asked, from what mixes them to what deletes them."""
MESSAGE: Final = (
    "Most different queries of a log were asked by one person or a few: its long tail. A rule that lets only common "
    "queries out deletes it. The stream lets it out mixed: each query leaves under another user. Between both, the "
    "stream deletes what fewer users share than a crowd that you choose."
)

NOTES: Final = (
    "Kept: distinct queries, and rows, that leave, of all that were asked, as 'querymix policy --compare' counts "
    "them: what is nothing but identifiers is lost in every way. Completion (MRR at 10) and the order of clicked "
    "hosts (nDCG at 10) are shares of what the log itself gives, learned from the first four fifths of it and tested "
    "on the rest.",
    "Users found by ids: whoever has the original log, and so knows what everybody asked, takes for each released id "
    "the user who asked most of its lines. Counted are the lines that stand with another query of the same person "
    "under one id, and whose id leads to that person: their share of a person's lines, in the mean of all users. It "
    "is about who asked, and not about whose id it is: the stream's ids are another user's for a day, or a session's "
    "own. It says what an id adds; a query that one person only asked is found in the log without any id ('one "
    "person's only'). Queries joined to one: who knows one query of a person finds so many more of it by the id.",
    "Owner named: whoever knows who asked when and in which category, but not what, names the owner of so many lines:"
    " by the times and categories under an id, and of the stream also by the attacks arrivals and kernel; the best "
    "one. The first of these was changed once, after day pseudonyms had looked too safe.",
    "One person's only: lines whose text, or whose click, or whose values of further fields one person only had.",
)  # fmt: skip
LIMITS: Final = (
    "A text that many asked may still be about one person, and one that one person asked may tell nothing: isolation "
    "counts texts, and reads none.",
    "No attack here knows what somebody asked about before, as `querymix attack` lets authorship and pairs do; the "
    "figures of owners are no upper bounds. That of one draw is one, about one draw.",
    "Crowds were counted over the same log, with its few users. A search engine has millions; see the trend.",
    "The log has no place, device or language. So rules about groups of these cost nothing here, and tell nothing.",
    "Time from asking to leaving, and head counts by day, are in `querymix study run` and `querymix study utility`.",
)  # fmt: skip
MADE_UP: Final = (
    "Made up: users with as many different queries as the log's, drawn anew; how often queries, terms and adjacent "
    "terms are alike comes from heavy tails fitted to parts of the log. Their form was chosen among four by how near "
    "they came to the same log that they are compared with, so how near they come below is no test. No made-up query "
    "has a text. What lies beyond the log's own number of users is extrapolated: nothing in the log says how the tail"
    " goes on. The stream runs over up to 10,000 of them, at the times and in the categories of the log's users, "
    "moved by whole days; beyond, it is not run."
)


def percent(value: float | None) -> str:
    """Return a share in per cent: small ones with more digits; "-" for None."""
    if value is None:
        return "-"
    shown = 100 * value
    return f"{shown:.0f} %" if shown >= 10 else f"{shown:.1f} %" if shown >= 1 else f"{shown:.2f} %" if shown else "0 %"


def seen(rows: Sequence[Row]) -> list[str]:
    """Return what one sees in the picture, of the ways that were measured."""
    known = {row["told"]: row for row in rows if "failed" not in row}
    stream, both = known.get(STREAM), known.get(BOTH)
    if stream is None:
        return []
    if not stream["rows"]:
        return ["This log is too small to be mixed with k = 20: nothing leaves."]
    kept = [f"{name} {percent(known[name]['distinct'])}" for name in (THRESHOLD, SUPPRESSED) if name in known]
    named = [f"{name} {percent(known[name]['owner named'])}" for name in (DAYS, THRESHOLD, SUPPRESSED) if name in known]
    said = [
        f"Mixing (k = 20) keeps {percent(stream['distinct'])} of the distinct queries ({'; '.join(kept)}), and the "
        f"owners of {percent(stream['owner named'])} of its lines are named ({'; '.join(named)})."
    ]
    last = f"What it leaves open are texts: {percent(stream['isolation'])} of its lines are one person's only"
    if both is not None:
        last += (
            f"; suppressing rare terms before (20 users) brings that to {percent(both['isolation'])}, and leaves "
            f"{percent(both['distinct'])} of the distinct queries"
        )
    return [*said, f"{last}."]


def cells(number: int, row: Row) -> list[str]:
    """Return the cells of a way's row of the table, as texts."""
    shown = [f"{row[name]:.1f}" if name == "joined" else percent(row.get(name)) for name in COLUMNS]
    return [f"{number}", str(row["told"]), f"{row['rows']:,}", *shown]


def heads() -> list[str]:
    """Return the table's heads."""
    return ["", "way", "rows", *COLUMNS.values()]


def left_out(rows: Sequence[Row]) -> list[str]:
    """Return why some ways could not be measured."""
    return [f"left out: {row['told']}: {row['failed']}" for row in rows if "failed" in row]
