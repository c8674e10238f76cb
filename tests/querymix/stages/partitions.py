"""What the tests of a partition share: streams, records that compaction leaves, and how to look at a state."""

import json
import random
from collections.abc import Iterable
from typing import Any, NamedTuple

from hypothesis import strategies as st
from querymix.codecs.frames import encode_classified
from querymix.core.draw import Draw
from querymix.core.records import Query, Release
from querymix.core.rules import Rules
from querymix.stages.cells import Ordering
from querymix.stages.crowding import Crowding
from querymix.stages.partition import MIN_DELTAS, PART_BYTES, Entry, Partition, Step

WAIT = Rules(2, max_hold=None, hold_policy="wait", click_wait=0.0, reserve=1)
"""Each row at once, and nothing is given up."""
DAY = 86_400.0
RULES = [
    WAIT,
    Rules(2, reserve=1),
    Rules(2, max_hold=50.0, dedupe=20.0, established=5.0, reserve=1),
    Rules(2, max_hold=50.0, hold_policy="suppress", reserve=1),
    Rules(3, max_hold=50.0, hold_policy="merge", reserve=1),
    Rules(2, mode="paper", delta="1.5"),
    Rules(2, max_hold=50.0, hold_policy="merge", draw="entry", reserve=1),
    Rules(2, max_hold=500.0, unit="session", session_gap=20.0, session_most=3, reserve=1),
    Rules(2, max_hold=50.0, dedupe=20.0, unit="session", session_gap=20.0, session_most=3, reserve=1, click_wait=0.0),
]
TEXTS = ["guitar chords", "caf\u00e9", "\udce9", "\U0001f600", "tab\ttab", ""]


class Batch(NamedTuple):
    """What one step is given."""

    frames: list[bytes]
    wait: float
    """Seconds since the step before."""
    logs: list[tuple[int, Query]]


class NewDraw(Draw):
    """Draws as the operating system's generator does: a number never comes a second time."""

    def __init__(self, seed: int) -> None:
        super().__init__(random.Random(seed).randbytes)
        self.asked = 0

    def below(self, n: int) -> int:
        self.asked += 1
        return super().below(n)


@st.composite
def streams(draw: st.DrawFn, most: int = 25) -> list[Batch]:
    """Return batches of frames; each record has a number of its own for a rank."""
    batches, number = [], 0
    shapes = st.lists(st.tuples(st.integers(-1, 2), st.lists(st.integers(0, 5), max_size=8)), max_size=4)
    for shape, wait in draw(st.lists(st.tuples(shapes, st.sampled_from([0, 1, 9, 60])), max_size=most)):
        frames, logs = [], []
        for category, users in shape:
            queries = []
            for user in users:
                extra = (False, ("user", "query"), ((1, (2,)),)) if number % 3 else ()
                text = TEXTS[number % len(TEXTS)]
                queries.append(Query(f"user{user}", text, number, number / 7, number, "a.example", extra))
                number += 1
            owns = [(category, -1)[query.user == "user0"] for query in queries] if number % 5 == 0 else []
            frames.append(encode_classified(category, queries, "", owns))
            logs += [(category, query) for query in queries]
        batches.append(Batch(frames, float(wait), logs))
    return batches


class Log:
    """A partition of the state topic: everything that was ever written."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def compacted(self, keep: random.Random | None = None) -> list[Entry]:
        """Return the last entry of each key, and with `keep` some of the older ones too, in the log's order."""
        last = {entry.key: place for place, entry in enumerate(self.entries)}
        return [
            entry
            for place, entry in enumerate(self.entries)
            if last[entry.key] == place or (keep is not None and keep.random() < 0.5)
        ]


def partition(
    rules: Rules,
    seed: int = 5,
    *,
    small: bool = True,
    ordering: Ordering = Ordering(),  # noqa: B008
    crowding: Crowding | None = None,
) -> Partition:
    """Return a new one; a small one writes snapshots often, in parts of a few entries."""
    sizes = (300, 200) if small else (MIN_DELTAS, PART_BYTES)
    return Partition(
        rules, NewDraw(seed), ordering=ordering, crowding=crowding, least_deltas=sizes[0], part_bytes=sizes[1]
    )


def run(it: Partition, batches: Iterable[Batch], log: Log, *, begin: float = 0.0) -> list[Step]:
    """Take the batches in and write the log."""
    steps = []
    now = begin
    for batch in batches:
        now += batch.wait
        steps.append(it.step(batch.frames, it.position + len(batch.frames), now))
        log.entries += steps[-1].entries
    return steps


def everything(it: Partition) -> dict[str, Any]:
    """Return all of a partition's state that has a say in what comes."""
    return {
        "pools": {
            category: (
                pool.k, pool.users, pool.queries, pool.user_counts, pool.owner_rows, pool.owners, pool.spread,
                pool.released, pool.own_returned, pool.suppressed, pool.merged, pool.anonymity,
            )
            for category, pool in it.pools
        },
        "rules": it.pools.rules,
        "position": it.position,
        "arrived": it.arrived,
        "pooling": without_hashes(it.pooling.snapshot()),
        "crowd": without_hashes({"crowd_head": it.releasing.crowd.head(), "crowd": list(it.releasing.crowd.rows())}),
        "cells": it.cells.head(),
        "waiting": list(it.cells.rows()),
    }  # fmt: skip


def decided(step: Step) -> tuple[Any, ...]:
    """Return what a step decided, without the score, which begins anew where a state is restored."""
    return step.releases, [(entry.key, _unkeyed(entry.value)) for entry in step.entries], step.account


def _unkeyed(value: bytes) -> tuple[dict[str, Any], bytes]:
    head, _, frames = value.partition(b"\n")
    return without_hashes(json.loads(head)), frames


def without_hashes(state: dict[str, Any]) -> dict[str, Any]:
    """Return a state without the key that each draws for itself, and what is hashed under it, but for its size."""
    sizes: dict[str, Any] = {name: [len(text) for text in state[name]] for name in ("seen", "asked") if name in state}
    if (head := state.get("crowd_head")) and head["window"]:
        sizes["crowd_head"] = {**head, "window": {**head["window"], "key": None}}
        sizes["crowd"] = [(generation, len(text)) for generation, text in state.get("crowd", ())]
    return {**state, **sizes, "seen_key": None}


def released(steps: Iterable[Step]) -> list[Release]:
    return [release for step in steps for release in step.releases]


def ticks(it: Partition, begin: float, end: float) -> list[Step]:
    """Let a second pass at a time, as a worker does without frames."""
    return [it.step([], it.position, float(now)) for now in range(int(begin), int(end)) if it.due(now)]
