"""Which form the first lines of a log tell, and what is said where a field is missing."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.codecs.recognize import AOL, Form, field_names, guessed, recognize, with_times
from querymix.core.errors import MissingFieldError

AOL_LINE = "142\tmovie posters\t2006-03-01 07:17:12\t1\thttp://a.example"
HIT = '198.51.100.7 - - [10/Oct/2006:13:55:36 -0700] "GET /find?search=movie+posters&lang=en HTTP/1.1" 200 5 "-" "M"'
NESTED = json.dumps({"_source": {"@timestamp": "2006-03-01T00:00:00Z", "user": {"id": 7}, "search": {"query": "x"}}})


@pytest.mark.parametrize(
    ("lines", "form"),
    [
        ([], "aol"),
        (["", "  "], "aol"),
        ([AOL_LINE], "aol"),
        (["AnonID\tQuery\tQueryTime\tItemRank\tClickURL", AOL_LINE], "aol"),
        (["\ufeffAnonID\tQuery\tQueryTime"], "aol"),
        (["142\tmovie posters\t2006-03-01 07:17:12"], "aol"),
        (["query\tuser\ttime", "movie posters\t142\t2006-03-01 07:17:12"], "tsv"),
        (["user,query,time", "142,movie posters,2006-03-01 07:17:12"], "csv"),
        (["user;query;time;agent"], "csv"),
        (['"user"\t"query"\t"time"'], "csv"),
        (["user|query|time"], "csv"),
        (["ClickURL,AnonID,QueryTime,Query,ItemRank"], "csv"),
        ([NESTED], "json"),
        (["", "\ufeff" + NESTED], "json"),
        (["broken", NESTED], "json"),
        (["{broken", HIT], "access"),
        (["# comment", HIT], "access"),
        (["a line of words, with commas, that nobody knows"], "aol"),
        (["142,movie posters,2006-03-01 07:17:12"], "csv"),
        (["\ufeffsep=;", "user;query;time"], "csv"),
        ([",user,query,time", "0,142,movie posters,2006-03-01 07:17:12"], "csv"),
        (["user_id,query,time,,", "142,movie posters,2006-03-01 07:17:12,,"], "csv"),
        (["142\x01movie posters\x012006-03-01 07:17:12"], "csv"),
        (["7\t142\tmovie posters\t2006-03-01 07:17:12"], "tsv"),
        (["user\tquery\ttime", *['"142"\t"movie posters"\t"2006-03-01 07:17:12"'] * 9], "csv"),
        (["user\tquery\ttime", *['142\t"movie posters"\t2006-03-01 07:17:12', "1\tx\t2006-03-01 07:17:12"] * 9], "tsv"),
    ],
)
def test_the_first_lines_tell_the_form(lines: list[str], form: str) -> None:
    found = recognize(lines)
    assert found.format == form
    assert found.told == any(line.strip() for line in lines)


def test_a_form_that_is_named_is_not_looked_for() -> None:
    assert recognize([AOL_LINE], "json") == Form("json")
    assert recognize([NESTED], "aol") == AOL


@pytest.mark.parametrize(
    ("lines", "time"),
    [
        (["broken", "\ufeff[" + json.dumps({"a": {"t": 1141197432}, "t": "2006-03-01"}) + ",", "{}"], "a.t"),
        (["u,q,t", '1,"a ""b"", c",1141197432'], "t"),
        (["sep=;", "u;q;t;;", "1;a;1141197432;;"], "t"),
        (["1\ta\t1141197432"], "3"),
    ],
)
def test_the_form_of_times_is_told_from_the_field_of_the_time(lines: list[str], time: str) -> None:
    fields = {"user": "1", "query": "2", "time": time} if time == "3" else {"time": time}
    form = recognize(lines, "csv" if time != "a.t" else "auto", fields)
    assert with_times(form._replace(names={**form.defaults, **fields}), lines).times == "seconds"


def test_columns_have_the_numbers_that_are_given_where_there_is_no_header() -> None:
    fields = {"user": "1", "query": "2", "time": "3"}
    form = recognize(["142,movie posters,2006-03-01 07:17:12"], fields=fields)
    assert (form.format, form.columns, form.headed) == ("csv", ("1", "2", "3"), False)
    assert field_names(form, fields, "log")["query"] == "2"


def table(*rows: str, head: str) -> list[str]:
    """Return the lines of a table, with enough rows to tell what is in its columns."""
    return [head, *rows * 3]


@pytest.mark.parametrize(
    ("lines", "advice"),
    [
        (table("142;rock music;2006-03-01 07:17:12", head="Wer;Was;Wann"), "user=Wer,query=Was,time=Wann"),
        (table("1141197432000,rock music,142", head="1141197430000,x,7"), "user=3,query=2,time=1"),
        (
            [f"{number}|{number % 3}|rock music|03/0{number % 7}/2006" for number in range(9)],
            "user=2,query=3,time=4",
        ),
        (table("0,142,rock music,2006/03/01 7:17", head=",uid,q,day"), "user=uid,query=q,time=day"),
    ],
)  # fmt: skip
def test_what_a_header_does_not_tell_is_advised_by_the_values(lines: list[str], advice: str) -> None:
    with pytest.raises(MissingFieldError) as error:
        field_names(recognize(lines), {}, "log")
    assert error.value.fields == advice


@pytest.mark.parametrize("head", ["#Version: 1.0", "user,query", "a b c", "", "x,y,z,u,v,w"])
@pytest.mark.parametrize("sign", [",", "\t"])
def test_a_first_line_of_another_width_is_no_error(head: str, sign: str) -> None:
    row = sign.join(("x", "142", "movie posters", "2006-03-01 07:17:12"))
    assert recognize([head, *[row] * 20]).format in ("csv", "tsv")
    assert not any("142" in name for name in said(recognize([head, *[row] * 20])).split())


def test_columns_without_a_name_are_read_beside_the_others() -> None:
    form = recognize([",user,query,time,", "0,142,movie posters,2006-03-01 07:17:12,"])
    assert form.columns == ("", "user", "query", "time", "")
    assert form.shown == ("user", "query", "time")


@given(st.lists(st.text("az ,;1/-:\t|", max_size=12), max_size=6), st.sampled_from(["auto", "csv", "tsv"]))
def test_a_first_line_is_shown_only_where_other_lines_have_times_in_its_place(lines: list[str], named: str) -> None:
    assert recognize(lines, named).shown == ()


def test_the_names_of_a_form_hold_where_none_are_given() -> None:
    csv = recognize(["ClickURL,AnonID,QueryTime,Query,ItemRank"])
    assert field_names(csv, {}, "log") == {
        "user": "AnonID", "query": "Query", "time": "QueryTime", "rank": "ItemRank", "url": "ClickURL",
    }  # fmt: skip
    json_lines = recognize(['{"AnonID":"1","Query":"x","QueryTime":"2006-03-01 00:00:00"}'])
    assert field_names(json_lines, {}, "log")["user"] == "AnonID"
    assert field_names(recognize(["time,query,user"]), {}, "log")["user"] == "user"
    assert field_names(recognize([HIT.replace("search=", "q=")]), {}, "log")["query"] == "url.q"


@pytest.mark.parametrize(
    ("lines", "advice"),
    [
        (["ts,q,uid,pos,click,agent"], "user=uid,query=q,time=ts,rank=pos,url=click"),
        (["Timestamp;Search Term;Client-ID"], "user=Client-ID,query=Search Term,time=Timestamp"),
        ([NESTED], "user=_source.user.id,query=_source.search.query,time=_source.@timestamp"),
        ([HIT], "user=address,query=url.search,time=time"),
        (
            ['{"user":{"$oid":"1"},"query":"x","time":{"$date":{"$numberLong":"5"}}}'],
            "user=user.$oid,query=query,time=time.$date.$numberLong",
        ),
        (["query,when,benutzer"], "user=?,query=query,time=when"),
    ],
)
def test_a_missing_field_is_named_with_those_there_are_and_with_what_would_work(lines: list[str], advice: str) -> None:
    with pytest.raises(MissingFieldError) as error:
        field_names(recognize(lines), {}, "log.x")
    assert error.value.fields == advice
    assert str(error.value).startswith("log.x is read as ")
    assert error.value.what.count("(the ")


def test_a_field_that_was_given_wrongly_is_named_and_the_right_ones_stay() -> None:
    given_fields = {"user": "uid", "query": "qq", "time": "ts"}
    with pytest.raises(MissingFieldError, match=r"'qq' \(the query\)") as error:
        field_names(recognize(["ts,q,uid,user"], fields=given_fields), given_fields, "log")
    assert error.value.fields == "user=uid,query=q,time=ts"


@pytest.mark.parametrize(
    "lines",
    [
        ["142,movie posters,2006/03/01 7:17", "143,zqx,2006/03/01 7:18"],
        ["142;zqx;7:17 pm"],
        ["anna\tzqx\tyesterday"],
        ["anna,zqx,null", *["ben,zqx rock,2006-03-01 07:17:12"] * 9],
        ["anna,zqx,soon", *["anna,rock,2006-03-01 07:17:12"] * 9],
        ["anna;zqx;2006-03-01 07:17:12", *["ben;rock;2006-03-01 07:17:12"] * 9],
        [json.dumps({f"zqx {n}": {"query": n}}) for n in range(9)],
        [json.dumps({f"zqx{n}": {"user": n, "time": n} for n in range(900)})],
        [HIT.replace("search=movie+posters&lang=en", f"zqx{n}=1") for n in range(40)],
    ],
)
@pytest.mark.parametrize("named", ["auto", "csv", "tsv", "json", "access"])
def test_no_message_shows_what_may_be_somebodys_text(lines: list[str], named: str) -> None:
    form = recognize(lines, named)
    assert not {"zqx", "anna"} & set(re.findall(r"\w+", said(form)))
    assert not any("zqx" in name for name in form.shown)


def said(form: Form) -> str:
    """Return what is said of missing fields, empty where none is."""
    try:
        field_names(form, {}, "log")
    except MissingFieldError as error:
        return str(error) + repr(error)
    return ""


def test_searches_may_be_rare_in_an_access_log() -> None:
    form = recognize([HIT.replace("search=movie+posters&lang=en", "page=2")] * 300)
    assert field_names(form, {}, "log")["query"] == "url.q"


def test_a_guess_takes_no_field_twice_and_keeps_what_is_certain() -> None:
    assert guessed(["text", "query"], {"query": "text"}) == {"query": "text"}
    assert guessed(["user.name", "user.id", "query", "time"], {}) == {
        "user": "user.id", "query": "query", "time": "time",
    }  # fmt: skip


@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), max_size=5),
    st.sampled_from(["auto", "csv", "json"]),
)
def test_whatever_the_lines_are_a_form_is_told(lines: list[str], named: str) -> None:
    assert recognize(lines, named).format in ("aol", "csv", "tsv", "json", "access")
