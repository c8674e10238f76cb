"""Who counts in a pool with `established`: what was looked up before must not outlive what it was looked up in."""

from hypothesis import example, given
from hypothesis import strategies as st
from querymix.core.draw import seeded_draw
from querymix.core.hold_clock import Jump
from querymix.core.pools import Pools
from querymix.core.records import Query
from querymix.core.rules import Rules

SINCE = 50.0
RULES = Rules(3, established=SINCE, click_wait=0.0, reserve=1)
TRIGGER = Query("", "", 0, 0.0)
steps = st.lists(st.tuples(st.sampled_from(["ann", "bob", "eve", "look", "jump", "back", "off"]), st.integers(0, 40)))


@given(steps)
@example([("ann", 0), ("look", 0), ("jump", 20), ("look", 40)])
def test_after_a_look_those_count_who_were_first_seen_long_enough_ago_whatever_was_looked_up_before(
    made: list[tuple[str, int]],
) -> None:
    pools, now = Pools(RULES, seeded_draw(1)), 1000.0
    for kind, seconds in [*made, ("look", 0)]:
        now += seconds
        if kind == "jump":  # what came lately is made younger
            pools.move_on(Jump(now - 30, float(seconds)), exact=False)
        elif kind == "back":  # the clock begins again earlier
            now -= 2 * seconds
            pools.put_back(now)
        elif kind == "off":  # all is forgotten, and the next look sees everybody for the first time
            pools.follow(Rules(3, click_wait=0.0, reserve=1))
            pools.follow(RULES)
        elif kind == "look":
            before = {name: pools.first_seen(name) for name in ("ann", "bob", "eve")}
            known = {name for _, pool in pools for name in pool.known}
            pools.expire(now, TRIGGER)
            for _, pool in pools:
                for name in pool.user_counts.keys() | pool.owner_rows.keys():
                    first = before[name]
                    counts = first is not None and now - first >= SINCE
                    assert (name in pool.known) == (counts or name in known)
        else:
            pools.arrive(1, Query(kind, f"text {now}", now, now), now)
