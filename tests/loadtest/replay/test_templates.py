"""A log that is sent with another user or time is the same log but for these, in the form that they had."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.codecs.aol import AolCodec
from querymix.codecs.base import UnreadableRecordError
from querymix.codecs.fields import FIELDS
from querymix.codecs.jsonlines import JsonLinesCodec

from loadtest.replay.templates import aol_template, filled, fresh, json_template

AT = 1_700_000_000.25
texts = st.text(st.characters(exclude_characters="\t\n\r\0", exclude_categories=["Cs"]), max_size=20)
times = st.sampled_from(
    ["2006-03-01 07:17:12", "2006-03-01T07:17:12", "2006-03-01T07:17:12.5Z", "2006-03-01 07:17", 1141200000,
     1141200000.5, 1141200000123, 1141200000123456, 1141200000123456789]
)  # fmt: skip


@given(texts, st.sampled_from([[], ["1"], ["1", "http://www.example.com/a"], ["", ""]]))
def test_an_aol_line_keeps_its_text_rank_and_url(text: str, clicked: list[str]) -> None:
    line = "\t".join(["17", text, "2006-03-01 07:17:12", *clicked])
    found = filled(aol_template(line).encode(), b"u\xff5", AT)
    assert found == "\t".join(["", text, "2023-11-14 22:13:20", *clicked]).encode().replace(b"\t", b"u\xff5\t", 1)


@given(
    user=st.integers(0, 2**53) | st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=9),
    text=st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    time=times,
    new=st.integers(0, 10**15),
)
def test_a_json_line_keeps_all_other_fields_and_the_forms_of_these(
    user: int | str, text: str, time: str | float, new: int
) -> None:
    line = json.dumps({"ip": 7, "user": user, "time": time, "query": text, "extra": {"a": [1, None, "\0"]}})
    found = filled(json_template(line, FIELDS).encode(), b"%d" % new, AT)
    before, after = json.loads(line), json.loads(found)
    assert after["user"] == (new if isinstance(user, int) else str(new))
    assert type(after["time"]) is type(time)
    assert list(after) == list(before)
    assert {name: after[name] for name in ("ip", "query", "extra")} == {
        name: before[name] for name in ("ip", "query", "extra")
    }
    (query,), refused = JsonLinesCodec().decode([found.decode()], "a test", 1)
    assert not refused
    assert abs(query.at - AT) <= 1
    if isinstance(time, str) and len(time) == 19:
        assert len(str(after["time"])) == 19
        assert str(after["time"])[10] == time[10]


def test_a_user_is_escaped_where_it_stands_in_a_json_text() -> None:
    found = filled(json_template('{"user":"a","time":1141200000,"query":"q"}', FIELDS).encode(), b'"\\', AT)
    assert json.loads(found)["user"] == '"\\'


def test_a_json_line_that_cannot_be_written_again_is_refused() -> None:
    with pytest.raises(UnreadableRecordError):
        json_template('{"user":1,"time":1141200000,"query":"\\ud800"}', FIELDS)


@given(
    st.sets(st.text("0123456789", min_size=1, max_size=6) | st.text(min_size=1, max_size=6), min_size=1, max_size=12),
    st.integers(1, 120),
)
def test_users_are_new_in_each_round(names: set[str], rounds: int) -> None:
    users = {name.encode("utf-8", "surrogatepass") for name in names}
    longest = max(map(len, users))
    made = [fresh(user, number, longest) for number in range(1, rounds + 1) for user in users]
    assert len({*made, *users}) == len(users) * (rounds + 1)


@given(st.integers(0, 10**12), st.integers(1, 99))
def test_a_number_stays_a_number(user: int, number: int) -> None:
    assert str(int(fresh(b"%d" % user, number, 13))).encode() == fresh(b"%d" % user, number, 13)


def test_what_is_filled_is_read_by_the_service() -> None:
    line = filled(aol_template("17\tnew york\t2006-03-01 07:17:12\t\t").encode(), b"1002000017", AT).decode()
    (query,), refused = AolCodec().decode([line], "a test", 1)
    assert (query.user, query.text, query.at, refused) == ("1002000017", "new york", 1_700_000_000.0, [])
