"""A run's figures: they add up, name the pools, and show no user and no query."""

import io
import json
from typing import Any

from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.consoles import Console
from querymix.core.draw import seeded_draw
from querymix.core.knowledge import CATEGORIES
from querymix.core.pseudonyms import Pseudonyms
from querymix.core.records import OTHER, POOL_NAMES, UNCLASSIFIED, Classification, Query
from querymix.core.rules import HoldPolicy, Rules
from querymix.core.score import NONE, Guesses
from querymix.local.advice import Advisor
from querymix.local.summary import STAGES, Stopwatch, show, summarize
from querymix.stages.cells import Cells, Ordering
from querymix.stages.classifying import Classifying
from querymix.stages.pooling import Pooling
from querymix.stages.releasing import Releasing

KEYS = {
    "in", "classified", "released", "held", "suppressed", "unclassified", "empty", "refused", "own_query_returned",
    "logs_per_second", "categories", "stages",
}  # fmt: skip


def topic_of(text: str, url: str | None = None, /) -> Classification:
    if text == "secret name":
        return Classification(UNCLASSIFIED, "", "", "", ("name",))
    return Classification(int(text) if text.isdecimal() else UNCLASSIFIED, "", "", text)


def figures(texts: list[str], *, refused: int = 0, drop: bool = True, policy: HoldPolicy = "merge") -> dict[str, Any]:
    classifying = Classifying(topic_of, unclassified="drop" if drop else "pool")
    rules = Rules(2, max_hold=50.0, hold_policy=policy)
    pooling = Pooling(rules, seeded_draw(1))
    watch = Stopwatch()
    with watch.stage("pool"):
        pooling(
            classifying(Query(f"person{n % 5}", text, "", 7.0 * n, n, "") for n, text in enumerate(texts))
        )  # fmt: skip
    logs = len(texts) + refused
    releasing = Releasing(pooling, Cells(Ordering(), seeded_draw(1)))
    guesses = Guesses(40, 1.0, 3.0)
    return summarize(classifying, releasing, watch, Advisor(rules), guesses, refused=refused, logs=logs)


@how(deadline=None)
@given(st.lists(st.sampled_from(["0", "1", "15", "zyx", "secret name", ""])), st.integers(0, 9), st.booleans())
def test_the_figures_add_up(texts: list[str], refused: int, drop: bool) -> None:
    found = figures(texts, refused=refused, drop=drop)
    assert found.keys() >= KEYS
    parts = ("released", "held", "suppressed", "unclassified", "empty", "refused")
    assert sum(found[part] for part in parts) == found["in"] == len(texts) + refused
    assert found["classified"] == sum(text.isdecimal() for text in texts)
    assert found["unclassified"] + found["unclassified_pooled"] == texts.count("zyx")
    for name in ("released", "held", "own_query_returned"):
        assert sum(pool[name] for pool in found["categories"].values()) == found[name]
    assert found["stages"].keys() == set(STAGES)
    assert json.loads(json.dumps(found)) == found


def test_what_was_suppressed_says_why_and_what_it_was_suppressed_for() -> None:
    found = figures(["0"] * 2 + ["1"] * 200 + ["secret name"] * 3, policy="suppress")
    assert found["suppressed_by_identifiers"] == 3
    assert found["categories"]["Adult"]["suppressed"] == 2
    assert found["suppressed_by_hold"] == sum(pool["suppressed"] for pool in found["categories"].values())
    assert found["suppressed"] == 3 + found["suppressed_by_hold"]


def test_the_guarantee_is_told_with_its_bound_and_its_absence_too() -> None:
    found = figures(["1"] * 20)
    assert found["owner_named_at_most"] == 0.5
    for bound, says in ((0.5, "with probability 0.5 at most"), (None, "no bound")):
        out = io.StringIO()
        show({**found, "owner_named_at_most": bound}, Console(file=out, width=120))
        assert says in out.getvalue()


def test_what_becomes_of_user_ids_is_told_with_the_option_that_hides_them() -> None:
    found = figures(["1"] * 20)
    assert found["user_ids"] == "as they came"
    for kind, says in (("as they came", "--pseudonym-key-file hides them"), ("pseudonyms", "keyed hashes; they last")):
        out = io.StringIO()
        show({**found, "user_ids": kind}, Console(file=out, width=120))
        assert says in out.getvalue()
        assert "--pseudonym-period 1d" in " ".join(out.getvalue().split())
    out = io.StringIO()
    show({**found, "user_ids": "new each 1d"}, Console(file=out, width=120))
    assert "nobody can join lines by them for longer" in out.getvalue()
    assert Classifying(topic_of, pseudonyms=Pseudonyms(b"0123456789abcdef" * 2)).hides_users


def test_every_pool_has_a_name_of_its_own() -> None:
    names = [POOL_NAMES[category] for category in (*range(len(CATEGORIES)), UNCLASSIFIED, OTHER)]
    assert names[:16] == list(CATEGORIES)
    assert len(set(names)) == 18


def test_what_people_read_holds_every_figure_and_no_user_or_query() -> None:
    texts = ["15"] * 3_000 + ["zyx"] * 7 + ["secret name"] * 2
    found = figures(texts, refused=1, drop=False)
    out = io.StringIO()
    show(found, Console(file=out, width=120, color_system=None))
    text = out.getvalue()
    assert "3,010 records" in text
    assert f"{found['released']:,}" in text
    assert "Sports" in text
    assert "name 2" in text
    assert "unclassified, pooled" in text
    for secret in ("person", "zyx", "secret"):
        assert secret not in text
        assert secret not in json.dumps(found)


def test_a_run_over_nothing_can_be_shown() -> None:
    out = io.StringIO()
    show(figures([]), Console(file=out, width=120))
    assert "0 records" in out.getvalue()


def test_a_stage_counts_only_what_happens_inside_it() -> None:
    watch = Stopwatch()
    with watch.stage("read"), watch.stage("write"):
        pass
    assert watch.seconds["read"] >= watch.seconds["write"] >= 0
    assert watch.seconds["pool"] == 0
    assert watch.elapsed >= watch.seconds["read"]


def test_what_attacks_on_the_released_lines_came_to_is_told() -> None:
    for guesses, told in ((Guesses(40, 1.0, 3.0), "d1 2.5 %, kernel 7.5 % of 40 lines tried"), (NONE, "too few lines")):
        out = io.StringIO()
        show(figures([]) | {"attacks": guesses.figures()}, Console(file=out, width=120))
        assert told in out.getvalue()


def test_the_line_of_this_run_alone_adds_up() -> None:
    out = io.StringIO()
    run = {"in": 27, "released": 1, "held": -3, "suppressed": 5, "unclassified": 7, "empty": 11, "refused": 6}
    show(figures([]) | {"this_run": run}, Console(file=out, width=200, color_system=None))
    _, _, shown = next(line for line in out.getvalue().splitlines() if "of this run alone" in line).partition("alone")
    total, parts = shown.strip().removeprefix("in ").split(": ")
    numbers = dict(part.rsplit(" ", 1) for part in parts.split(", "))
    assert sum(map(int, numbers.values())) == int(total) == run["in"]
    assert numbers.keys() == run.keys() - {"in"}
