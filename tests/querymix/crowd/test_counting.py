"""A crowd table is exact: it answers as a plain count does, whatever was added twice, dropped or killed."""

from collections import defaultdict
from datetime import date
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from querymix.core.crowd import CountedCrowd, items_of
from querymix.core.errors import ConfigError
from querymix.core.generalize import FieldsRule, group_item, levels, url_steps
from querymix.core.records import Query
from querymix.crowd.counting import Counting
from querymix.crowd.pairs import Pairs
from querymix.crowd.table import CrowdTable
from querymix.crowd.window import ADDING, FIRST, KEY, Window, day_of, destroy, number_of
from querymix.crowd.writing import Heading, write_rows

DAY = 86_400
BEGIN = number_of(date(2026, 3, 1))
LADDERS = {"place": ["city", "country"], "language": ["lang"]}
SOME = settings(max_examples=12)
Record = tuple[str, int, str]
"""A user, a day and a text."""
records = st.lists(
    st.tuples(
        st.sampled_from(["ann", "bob", "cyd", "dee"]),
        st.integers(0, 9),
        st.sampled_from(["red shoes", "red", "Shoes?", "", "blue  red shoes", "\ud83d\ude00 red"]),
    ),
    max_size=25,
)


def queries(some: list[Record]) -> list[Query]:
    return [
        Query(user, text, 0, (BEGIN + day) * DAY + 17.0, url=f"http://{user[0]}.example/") for user, day, text in some
    ]


def domain_of(host: str) -> str:
    return host


def add(folder: Path, some: list[Query], ladders: dict[str, list[str]] | None = None) -> None:
    window = Window(folder, ladders or {}, new=True)
    try:
        with Counting(window) as counting:
            pairs = Pairs(window.keys, window.ladders, domain_of)
            counting.add(pairs(some), pairs.groups)
            counting.keep()
    finally:
        window.close()


def drop(folder: Path, before: int) -> None:
    window = Window(folder)
    try:
        with Counting(window) as counting:
            counting.drop(day_of(BEGIN + before))
    finally:
        window.close()


def table(folder: Path, users: int, established: int, of_range: int = 1000, group_users: int = 1000) -> CrowdTable:
    """Count what the parts of a folder have."""
    window = Window(folder)
    try:
        with Counting(window, of_range=of_range) as counting:
            days = window.days()
            heading = Heading(users, days[0], days[-1], established * 86400.0, group_users, window.ladders)
            rows = counting.counts(days, users, group_users, established)
            write_rows(folder.parent / "table", rows, window.keys.items, heading)
    finally:
        window.close()
    return CrowdTable(folder.parent / "table")


def same(found: CrowdTable, plain: CountedCrowd, items: set[str]) -> None:
    """Check that a table answers for each item as a plain count does, and has nothing beside."""
    least = found.least
    for item in items:
        for users in range(least, 6):
            assert found.enough(item, users) == plain.enough(item, users), (item, users)
    assert sum(found.kinds().values()) == sum(plain.enough(item, least) for item in items)


def counted(query: Query) -> set[str]:
    return items_of(query.text) | {item for item, _ in url_steps(query.url or "", domain_of)}


class Model:
    """What the parts of a folder should have, kept as plain records."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.first: dict[str, int] = {}

    def add(self, some: list[Record]) -> None:
        self.records += some
        for user, day, _ in some:
            self.first[user] = min(day, self.first.get(user, day))

    def drop(self, before: int) -> None:
        self.records = [one for one in self.records if one[1] >= before]
        left = {user for user, *_ in self.records}
        self.first = {user: day for user, day in self.first.items() if user in left}

    def crowd(self, established: int) -> CountedCrowd:
        crowd = CountedCrowd()
        for one, query in zip(self.records, queries(self.records), strict=True):
            if not established or one[1] - self.first[one[0]] > established:
                crowd.add(query.user, counted(query))
        return crowd


@SOME
@given(
    steps=st.lists(st.tuples(records, st.integers(0, 4)), min_size=1, max_size=3),
    users=st.integers(2, 3),
    established=st.integers(0, 3),
    of_range=st.sampled_from([25, 1000]),
)
def test_a_table_answers_as_a_plain_count_of_the_same_records(
    tmp_path_factory: pytest.TempPathFactory,
    steps: list[tuple[list[Record], int]],
    users: int,
    established: int,
    of_range: int,
) -> None:
    folder, model, dropped = tmp_path_factory.mktemp("crowd") / "parts", Model(), 0
    every = {item for some, _ in steps for query in queries(some) for item in counted(query)}
    for asked, further in steps:
        some = [one for one in asked if one[1] >= dropped]
        add(folder, queries(some))
        model.add(some)
        if any(day >= dropped + further for _, day, _ in model.records):
            dropped += further
            drop(folder, dropped)
            model.drop(dropped)
    if model.records:
        same(table(folder, users, established, of_range), model.crowd(established), every)


@SOME
@given(some=records.filter(bool), users=st.integers(2, 3), established=st.integers(0, 3))
def test_a_log_that_is_added_twice_or_in_parts_counts_once(
    tmp_path_factory: pytest.TempPathFactory, some: list[Record], users: int, established: int
) -> None:
    folder, model = tmp_path_factory.mktemp("crowd") / "parts", Model()
    model.add(some)
    for part in (some[::2], some, some[1::2]):
        add(folder, queries(part))
    every = {item for query in queries(some) for item in counted(query)}
    same(table(folder, users, established), model.crowd(established), every)


fields = st.tuples(
    *(st.sampled_from([*values, None]) for values in (["rome", "bari"], ["it", "fr"], ["it-IT", "it-CH"]))
)


def plain_groups(some: list[tuple[str, tuple[str | None, ...]]], users: int) -> dict[str, int]:
    """Count groups by remainder, record by record."""
    found: dict[str, int] = {}
    moving = [(user, levels(LADDERS, values)) for user, values in some]
    for level in range(4):
        classes: defaultdict[str, set[str]] = defaultdict(set)
        for user, chain in moving:
            if level < len(chain):
                classes[group_item(level, chain[level])].add(user)
        stay = {item: len(those) for item, those in classes.items() if len(those) >= users}
        found |= stay
        moving = [one for one in moving if level >= len(one[1]) or group_item(level, one[1][level]) not in stay]
    return found


@SOME
@given(
    some=st.lists(st.tuples(st.sampled_from("abcdef"), fields), min_size=1, max_size=30),
    users=st.integers(2, 4),
    parts=st.integers(1, 3),
)
def test_groups_are_counted_by_remainder_level_by_level(
    tmp_path_factory: pytest.TempPathFactory, some: list[tuple[str, tuple[str | None, ...]]], users: int, parts: int
) -> None:
    folder = tmp_path_factory.mktemp("crowd") / "parts"
    for part in range(parts):
        asked = [Query(user, "x", 0, BEGIN * DAY, extra=(values,)) for user, values in some[part::parts]]
        add(folder, asked, LADDERS)
    found, plain = table(folder, 2, 0, group_users=users), plain_groups(some, users)
    assert found.kinds()["group"] == len(plain)
    assert all(found.enough(item, many) and not found.enough(item, many + 1) for item, many in plain.items())
    assert found.ladders == LADDERS


@SOME
@given(
    some=st.lists(st.tuples(st.sampled_from("abcdef"), fields), min_size=1, max_size=30),
    users=st.integers(2, 4),
    more=st.integers(0, 2),
)
def test_each_group_that_leaves_by_a_table_has_enough_users(
    tmp_path_factory: pytest.TempPathFactory,
    some: list[tuple[str, tuple[str | None, ...]]],
    users: int,
    more: int,
) -> None:
    """Also where a run asks for more users than the table was counted from."""
    asked = [Query(user, "x", 0, BEGIN * DAY, extra=(values,)) for user, values in some]
    folder = tmp_path_factory.mktemp("crowd") / "parts"
    add(folder, asked, LADDERS)
    rule = FieldsRule(
        table(folder, 2, 0, group_users=users),
        ladders=LADDERS,
        places=range(3),
        users=2,
        group_policy="empty",
        group_users=users + more,
        urls="host",
        remember=True,
        domain_of=domain_of,
    )
    leaving: defaultdict[object, set[str]] = defaultdict(set)
    for query in asked:
        left = rule(query)
        assert not isinstance(left, str)
        if left.extra and left.extra[0] != (None, None, None):
            leaving[left.extra[0]].add(query.user)
    assert all(len(those) >= users + more for those in leaving.values())


def test_dropping_makes_no_old_user_new_and_keeps_no_user_that_is_gone(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    asked = [("ann", 0, "red"), ("bob", 0, "red"), ("ann", 8, "red"), ("bob", 8, "red"), ("cyd", 1, "red")]
    add(folder, queries(asked))
    drop(folder, 2)
    assert table(folder, 2, 7).enough("term red", 2)  # ann and bob are as old as they were
    drop(folder, 5)
    assert len(duckdb.read_parquet(str(folder / FIRST)).fetchall()) == 2  # cyd is gone
    add(folder, queries([("cyd", 9, "red")]))
    assert not table(folder, 2, 7).enough("term red", 3)  # and new when it comes back


def test_the_hour_makes_nobody_established_too_early(tmp_path: Path) -> None:
    """Late on the first day to early on the eighth is less than seven days."""
    late, early = (BEGIN + 1) * DAY - 1.0, (BEGIN + 7) * DAY + 1.0
    asked = [Query(user, "red", 0, at) for user in ("ann", "bob") for at in (late, early)]
    add(tmp_path / "parts", asked)
    assert not table(tmp_path / "parts", 2, 7).enough("term red", 2)
    add(tmp_path / "parts", [query._replace(at=early + DAY) for query in asked])
    assert table(tmp_path / "parts", 2, 7).enough("term red", 2)


def test_a_blank_record_makes_its_user_older_and_nothing_common(tmp_path: Path) -> None:
    add(tmp_path / "parts", queries([("ann", 0, ""), ("bob", 0, " "), ("ann", 8, "red"), ("bob", 8, "red")]))
    found = table(tmp_path / "parts", 2, 7)
    assert found.enough("term red", 2)
    assert found.kinds()["term"] == 1


def test_what_a_killed_process_left_is_not_counted(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    add(folder, queries([("ann", 0, "red"), ("bob", 0, "red")]))
    (folder / ADDING).mkdir()
    (folder / ADDING / "staged.csv").write_text("half a li")
    (folder / ADDING / "2026-03-01.parquet").write_bytes(b"half a part")
    assert table(folder, 2, 0).kinds()["term"] == 1
    assert not (folder / ADDING).exists()


def test_a_drop_that_was_killed_is_finished_by_the_next_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "parts"
    add(folder, queries([("ann", 0, "red"), ("bob", 0, "red"), ("ann", 8, "blue"), ("bob", 8, "blue")]))
    with monkeypatch.context() as patched:
        unlink = Path.unlink

        def killed(path: Path, missing_ok: bool = False) -> None:
            if path.name == "2026-03-01.parquet" and path.parent == folder:
                raise KeyboardInterrupt
            unlink(path, missing_ok)

        patched.setattr(Path, "unlink", killed)
        with pytest.raises(KeyboardInterrupt):
            drop(folder, 5)
    assert (folder / "2026-03-01.parquet").exists()
    found = table(folder, 2, 7)
    assert not found.enough("term red", 2)
    assert found.enough("term blue", 2)
    assert found.first == day_of(BEGIN + 8)


def test_no_user_and_no_text_is_in_the_parts_and_a_user_is_another_in_another_folder(tmp_path: Path) -> None:
    user, text = "annabella.lovelace", "unmistakable"
    seen = []
    for name in ("one", "two"):
        add(tmp_path / name, [Query(user, text, 0, BEGIN * DAY)])
        for path in (tmp_path / name).iterdir():
            assert user.encode() not in path.read_bytes()
            assert text.encode() not in path.read_bytes()
            assert path.name == "window.json" or path.stat().st_mode & 0o077 == 0
        assert (tmp_path / name).stat().st_mode & 0o077 == 0
        part = duckdb.read_parquet(str(tmp_path / name / "2026-03-01.parquet"))
        seen.append({user for _, user, *_ in part.select("item", "usr").fetchall()})
        assert len(seen[-1]) == 1
    assert not seen[0] & seen[1]


def test_a_window_that_is_destroyed_leaves_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    add(folder, queries([("ann", 0, "red")]))
    (other := folder / "notes.txt").write_text("mine")
    destroy(folder)
    assert list(folder.iterdir()) == [other]
    with pytest.raises(ConfigError, match="no folder of parts"):
        destroy(folder)
    assert other.exists()


def test_parts_whose_key_is_gone_or_open_to_others_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    add(folder, queries([("ann", 0, "red")]))
    (folder / KEY).chmod(0o644)
    with pytest.raises(ConfigError, match="chmod 600"):
        Window(folder)
    (folder / KEY).unlink()
    with pytest.raises(ConfigError, match=r"key .* is gone.*--all"):
        Window(folder)
    destroy(folder)
    assert not folder.exists()


def test_two_processes_do_not_work_in_one_folder(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    window = Window(folder, {}, new=True)
    with pytest.raises(ConfigError, match="another process works in"):
        Window(folder)
    with pytest.raises(ConfigError, match="another process works in"):
        destroy(folder)
    window.close()
    Window(folder).close()


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.parquet").write_text("mine")
    for new in (True, False):
        with pytest.raises(ConfigError, match=r"no folder of parts|has no parts"):
            Window(tmp_path, {}, new=new)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.parquet"]


def test_groups_of_other_ladders_do_not_mix(tmp_path: Path) -> None:
    add(tmp_path / "parts", [Query("ann", "x", 0, BEGIN * DAY, extra=(("rome", "it", "it"),))], LADDERS)
    with pytest.raises(ConfigError, match="another --generalize"):
        add(tmp_path / "parts", queries([("ann", 0, "red")]))
