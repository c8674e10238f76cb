"""`querymix schema`: each line that leaves is as the schema says, and what must not leave is not."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import Result
from querymix.codecs.jsonlines import JsonLinesCodec
from querymix.codecs.schema import schema_of as schema_of_codec

from tests.querymix.codecs.test_rich_fields import RICH_FIELDS
from tests.querymix.commands.test_rich_run import FIELDS, record

Command = Callable[..., Result]
RICH = ("--fields", FIELDS)


def schema_of(querymix: Command, *options: str | Path, **environment: str | None) -> Any:
    result = querymix("schema", *options, **environment)
    assert result.exit_code == 0, result.stderr
    schema = json.loads(result.stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a made-up log of rich records, some without clicks, with further fields of several types."""
    records = []
    for number in range(90):
        one = record(number)
        one["user"] = {"id": f"u{number % 30}", "agent": f"browser {number % 3}"}
        one["serp"]["took"] = number / 2
        one["serp"]["items"] += [
            {"pos": "2", "visible": 1, "clicked": False},
            {"link": "http://127.0.0.1/", "title": "x"},
        ]
        one["clicks"] = one["clicks"][: number % 2] + [{"dwell_ms": number}][: number % 3]
        records.append(one | {"geo": {"city": "Lyon", "at": [1.5, 2.0]}, "device": number % 2 == 0 or None})
    path = tmp_path_factory.mktemp("log") / "log.ndjson"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in records))
    return path


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--urls", "full", "--time-form", "plain", "--category-column", "on"),
        ("--time-form", "milliseconds", "--time-precision", "1h", "--safe-fields", "geo.city,device,serp.took"),
        ("--time-form", "nanoseconds", "--safe-fields", "geo,user.agent", "--urls", "full"),
        ("--time-form", "seconds", "--pseudonym-period", "record", "--time-policy", "query"),
    ],
)
def test_each_released_line_is_as_the_schema_says(
    querymix: Command, log: Path, tmp_path: Path, options: tuple[str, ...]
) -> None:
    out = tmp_path / "out.ndjson"
    assert querymix("run", log, "-o", out, "--k", "3", "--reserve", "0", *RICH, *options).exit_code == 0
    lines = out.read_text().splitlines()
    assert len(lines) > 50
    for validator in (schema_of(querymix, *RICH, *options), schema_of(querymix, log, *RICH, *options)):
        for line in lines:
            validator.validate(json.loads(line))


def released(**more: Any) -> dict[str, Any]:
    return {"user": {"id": "123"}, "q": "soccer", "ts": "2006-03-01T07:17:12Z"} | more


def result(**more: Any) -> dict[str, Any]:
    return {"serp": {"items": [{"link": "http://www.a.example", "pos": 1} | more]}}


GOOD = [
    released(),
    released(**result(title="T", visible=True)),
    released(clicks=[{"ts": 8, "dwell_ms": 3000}], url="http://a.example", rank=3),
    released(clicks=[{}, {"pos": 1}]),
]
BAD = [
    released(user={"id": "ann"}),
    released(q=""),
    released(ts="2006-03-01 07:17:12"),
    released(ts=1_141_197_432),
    released(ip="127.0.0.1"),
    released(url="http://a.example/page"),
    released(url="http://127"),
    released(clicks=[]),
    released(clicks=[{"ts": "2006-03-01T07:17:20Z"}]),
    released(clicks=[{"ts": 1_141_197_440}]),
    released(clicks=[{"dwell_ms": 3500}]),
    released(clicks=[{"mouse": 1}]),
    released(serp={"items": [{"link": "http://www.a.example/page"}]}),
    released(serp={"took": 3}),
    released(**result(kind="web")),
    released(**result(visible=1)),
    released(**result(pos="1")),
    {"user": {"id": "123"}, "q": "soccer"},
]


def test_a_line_with_anything_else_is_not_as_the_schema_says(querymix: Command) -> None:
    validator = schema_of(querymix, *RICH, "--time-form", "iso", QUERYMIX_PSEUDONYM_PERIOD=None)
    assert [record for record in GOOD if not validator.is_valid(record)] == []
    assert [record for record in BAD if validator.is_valid(record)] == []


@pytest.mark.parametrize("urls", [("full",), ("crowd", "--crowd", "stream")], ids=["full", "crowd"])
def test_a_schema_allows_whole_urls_where_they_may_leave(querymix: Command, urls: tuple[str, ...]) -> None:
    validator = schema_of(querymix, *RICH, "--urls", *urls)
    validator.validate(released(url="http://a.example/page", **result(link="http://www.a.example/page?q")))


def test_fields_that_leave_in_groups_are_in_the_schema_and_need_not_be_there() -> None:
    groups = ["geo.city", "geo.country", "lang"]
    codec = JsonLinesCodec(fields=RICH_FIELDS, safe=["device", *groups])
    schema = schema_of_codec(codec, "iso", groups=groups)
    validator = jsonschema.Draft202012Validator(schema)
    validator.validate(released(geo={"country": "US"}, lang="en"))
    validator.validate(released())
    assert not validator.is_valid(released(geo={"street": "x"}))
    assert not validator.is_valid(released(lang=None))
    assert "--generalize" in schema["properties"]["lang"]["description"]
    assert "description" not in schema["properties"]["device"]


def test_the_log_tells_the_form_of_its_times(querymix: Command, log: Path) -> None:
    validator = schema_of(querymix, log, *RICH)
    assert validator.is_valid(released(ts="2006-03-01 07:17:12"))
    assert not validator.is_valid(released())
    assert not validator.is_valid(released(ts=1_141_197_432))
    assert schema_of(querymix, *RICH).is_valid(released(ts=1_141_197_432))


def test_the_unit_of_a_field_is_in_the_schema(querymix: Command) -> None:
    fields = "clicks=c,clicks.dwell=stay,clicks.dwell_unit=s,clicks.time=after_ms"
    schema = schema_of(querymix, "--fields", fields).schema["properties"]["c"]["items"]["properties"]
    assert (schema["stay"]["maximum"], schema["after_ms"]["maximum"]) == (86_400, 86_400_000)
    assert "Milliseconds after the query" in schema["after_ms"]["description"]


@pytest.mark.parametrize(
    ("form", "says"), [("csv", "user, query, time, rank, url"), ("aol", "parted by tabs"), ("access", "combined")]
)
def test_what_is_no_json_has_no_schema(querymix: Command, form: str, says: str) -> None:
    told = querymix("schema", "--format", form)
    assert told.exit_code == 2
    assert "only JSON has a JSON Schema" in told.stderr
    assert says in told.stderr
