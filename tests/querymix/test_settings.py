"""The command line wins over the environment, that over the file, and no refused value is shown."""

from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from querymix.commands.options import options
from querymix.core.errors import ConfigError
from querymix.settings import (
    KnowledgeSettings,
    LibrarySettings,
    MethodSettings,
    RunSettings,
    Settings,
    TopicSettings,
    WorkerSettings,
    load,
)  # fmt: skip
from querymix.settings.values import read_seconds, show_seconds, show_span, takes_seconds
from querymix.settings.weaker import weaker_help, weaker_of, weaker_value

MARK = "zqx-secret"


pytestmark = pytest.mark.usefixtures("bare_environment")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "querymix.toml"


def wrong(given: dict[str, Any], file: Path | None = None) -> str:
    """Return why options are refused."""
    with pytest.raises(ConfigError) as caught:
        load(RunSettings, given, file)
    return str(caught.value)


def test_without_anything_the_safer_choices_stand() -> None:
    found = load(RunSettings, {})
    assert (found.k, found.mode, found.urls, found.time_policy) == (20, "distinct", "host", "trigger")
    assert (found.safe_fields, found.keep_identifiers, found.unclassified) == ([], [], "pool")
    assert (found.max_hold, found.hold_policy, found.profiles, found.checkpoint) == (30 * 86400.0, "trim", None, None)
    assert (found.preset, found.established, found.dedupe, found.click_wait) == ("default", None, None, 1.0)


@pytest.mark.parametrize("place", ["given", "environment", "file"])
def test_the_strict_preset_sets_what_is_not_named_elsewhere(
    place: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text('dedupe = "1h"\n' + ('preset = "strict"\n' if place == "file" else ""))
    if place == "environment":
        monkeypatch.setenv("QUERYMIX_PRESET", "strict")
    found = load(RunSettings, {"k": "30"} | ({"preset": "strict"} if place == "given" else {}), file)
    assert (found.established, found.dedupe, found.k) == (7 * 86400.0, 3600.0, 30)
    named = load(RunSettings, {"preset": "strict", "established": "1d"}, None)
    assert (named.established, named.dedupe) == (86400.0, 86400.0)
    assert load(RunSettings, {"preset": "none"}, file).established is None


@pytest.mark.parametrize(
    ("given", "environment", "in_file", "k"),
    [
        (None, None, None, 20),
        (None, None, 30, 30),
        (None, 40, None, 40),
        (None, 40, 30, 40),
        (50, None, None, 50),
        (50, None, 30, 50),
        (50, 40, None, 50),
        (50, 40, 30, 50),
        (20, 40, 30, 20),
    ],
)
def test_the_command_line_wins_over_the_environment_and_that_over_the_file(
    monkeypatch: pytest.MonkeyPatch,
    file: Path,
    given: int | None,
    environment: int | None,
    in_file: int | None,
    k: int,
) -> None:
    if environment is not None:
        monkeypatch.setenv("QUERYMIX_K", str(environment))
    file.write_text("" if in_file is None else f"k = {in_file}\n")
    assert load(RunSettings, {"k": None if given is None else str(given)}, file).k == k


def test_each_option_comes_from_its_own_place(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    monkeypatch.setenv("QUERYMIX_MAX_HOLD", "10m")
    file.write_text('mode = "paper"\nmax_hold = "1h"\nk = 7\n')
    found = load(RunSettings, {"k": "9", "mode": None}, file)
    assert (found.k, found.max_hold, found.mode) == (9, 600.0, "paper")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0", 0.0),
        ("90s", 90.0),
        ("1.5s", 1.5),
        ("10m", 600.0),
        ("2h", 7200.0),
        ("1d", 86400.0),
        ("250ms", 0.25),
    ],
)
def test_a_duration_is_read_alike_from_everywhere(
    monkeypatch: pytest.MonkeyPatch, file: Path, text: str, seconds: float
) -> None:
    assert load(RunSettings, {"click_wait": text}).click_wait == seconds
    file.write_text(f'click_wait = "{text}"\n')
    assert load(RunSettings, {}, file).click_wait == seconds
    monkeypatch.setenv("QUERYMIX_CLICK_WAIT", text)
    assert load(RunSettings, {}).click_wait == seconds


def seconds_of_every_kind() -> list[tuple[type[Settings], str]]:
    kinds = (RunSettings, WorkerSettings, TopicSettings)
    return [(kind, name) for kind in kinds for name, field in kind.model_fields.items() if takes_seconds(field)]


@pytest.mark.parametrize(("kind", "name"), seconds_of_every_kind())
@pytest.mark.parametrize("number", ["600", "10.5"])
def test_a_time_without_its_unit_is_refused_wherever_it_stands(
    monkeypatch: pytest.MonkeyPatch, file: Path, kind: type[Settings], name: str, number: str
) -> None:
    """`--max-hold 10` was ten seconds; who wrote it meant ten days."""
    file.write_text(f"{name} = {number}\n")
    for given, below in (({name: number}, None), ({}, file)):
        with pytest.raises(ConfigError, match="a time needs its unit: 10s, 10m, 10h or 10d"):
            load(kind, given, below)
    file.write_text(f'{name} = "{number}"\n')
    with pytest.raises(ConfigError, match="needs its unit"):
        load(kind, {}, file)
    monkeypatch.setenv(f"QUERYMIX_{name.upper()}", number)
    with pytest.raises(ConfigError, match=f"QUERYMIX_{name.upper()}.*needs its unit"):
        load(kind, {})


@pytest.mark.parametrize("seconds", [0.25, 10.0, 90.0, 600.0, 5400.0, 172_800.0, 1_234_567.0, 0.1])
def test_a_time_is_shown_as_it_is_read(seconds: float) -> None:
    assert read_seconds(show_seconds(seconds)) == pytest.approx(seconds)
    assert "e" not in show_seconds(seconds)


def test_a_zero_needs_no_unit_and_a_number_of_python_is_seconds(file: Path) -> None:
    file.write_text("click_wait = 0\n")
    assert load(RunSettings, {}, file).click_wait == 0
    assert load(LibrarySettings, {"max_hold": 600, "dedupe": 1.5}).max_hold == 600.0


@pytest.mark.parametrize("place", ["given", "environment", "file"])
def test_none_takes_a_protection_of_the_preset_back(place: str, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("established", "dedupe", "time_precision")
    file.write_text("".join(f'{name} = "none"\n' for name in names) if place == "file" else "")
    if place == "environment":
        for name in names:
            monkeypatch.setenv(f"QUERYMIX_{name.upper()}", "none")
    given = dict.fromkeys(names, "none") if place == "given" else {}
    found = load(RunSettings, {"preset": "strict"} | given, file)
    assert (found.established, found.dedupe, found.time_precision) == (None, None, None)


def test_none_takes_one_protection_back_and_is_no_time_where_there_must_be_one() -> None:
    one = load(RunSettings, {"preset": "strict", "dedupe": "none"})
    assert (one.established, one.dedupe, one.time_precision) == (7 * 86400.0, None, 3600.0)
    assert "a time is a number" in wrong({"max_hold": "none"})


def test_in_python_none_takes_a_protection_of_the_preset_back_also_once_it_is_restored() -> None:
    found = load(LibrarySettings, {"preset": "strict", "dedupe": None, "established": "none", "knowledge": None})
    assert (found.established, found.dedupe, found.time_precision) == (None, None, 3600.0)
    again = load(LibrarySettings, found.model_dump(mode="json"))
    assert (again.established, again.dedupe, again.time_precision) == (None, None, 3600.0)


@pytest.mark.parametrize("text", ["", "m", "10 minutes", "10mm", "10x", "ten", "1h30m", "s10", "10m "])
def test_what_is_no_duration_is_refused(text: str) -> None:
    assert wrong({"max_hold": text}) == (
        "--max-hold (QUERYMIX_MAX_HOLD): a time is a number with ms, s, m, h or d, such as 10m"
    )


@pytest.mark.parametrize(("text", "share"), [("5%", 0.05), ("0%", 0.0), ("100%", 1.0), ("2.5%", 0.025), ("7 %", 0.07)])
def test_a_share_is_read_alike_from_everywhere(
    monkeypatch: pytest.MonkeyPatch, file: Path, text: str, share: float
) -> None:
    assert load(RunSettings, {}).max_refused == 0.05
    assert load(RunSettings, {"max_refused": text}).max_refused == share
    file.write_text(f'max_refused = "{text}"\n')
    assert load(RunSettings, {}, file).max_refused == share
    file.write_text(f"max_refused = {share}\n")
    assert load(RunSettings, {}, file).max_refused == share
    monkeypatch.setenv("QUERYMIX_MAX_REFUSED", text)
    assert load(RunSettings, {}).max_refused == share


@pytest.mark.parametrize("text", ["5", "0.05", "%", "five%", "-1%", "101%", "nan%", "inf%", ""])
def test_what_is_no_share_is_refused(text: str) -> None:
    assert wrong({"max_refused": text}).endswith("a share is a number from 0% to 100%, such as 5%")


@pytest.mark.parametrize("text", ["-1s", "nans", "infs", "-infs"])
def test_a_duration_that_no_clock_has_is_refused(text: str) -> None:
    assert wrong({"max_hold": text}).startswith("--max-hold (QUERYMIX_MAX_HOLD): give ")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"k": "ten"}, "--k (QUERYMIX_K): give a whole number"),
        ({"k": "1"}, "--k (QUERYMIX_K): give 2 or more"),
        ({"mode": "best"}, "--mode (QUERYMIX_MODE): give 'distinct' or 'paper'"),
        ({"confidence": "2"}, "--confidence (QUERYMIX_CONFIDENCE): give 1 or less"),
        ({"confidence": "half"}, "--confidence (QUERYMIX_CONFIDENCE): give a number"),
        ({"crowd": ""}, "--crowd (QUERYMIX_CROWD): give a file, or none"),
    ],
)
def test_what_to_give_in_place_of_a_wrong_value_is_told_in_plain_words(given: dict[str, str], told: str) -> None:
    assert wrong(given) == told


@pytest.mark.parametrize("text", ["device,market", "device,,market,"])
def test_a_list_is_parted_by_commas_or_a_list_in_the_file(
    monkeypatch: pytest.MonkeyPatch, file: Path, text: str
) -> None:
    assert load(RunSettings, {"safe_fields": text}).safe_fields == ["device", "market"]
    for written in (f'safe_fields = "{text}"', 'safe_fields = ["device", "market"]'):
        file.write_text(written)
        assert load(RunSettings, {}, file).safe_fields == ["device", "market"]
    monkeypatch.setenv("QUERYMIX_SAFE_FIELDS", text)
    assert load(RunSettings, {}).safe_fields == ["device", "market"]


def test_an_empty_list_on_the_command_line_takes_away_what_the_file_names(file: Path) -> None:
    file.write_text('safe_fields = ["device"]')
    assert load(RunSettings, {"safe_fields": ""}, file).safe_fields == []


@pytest.mark.parametrize("name", ["fields", "json_fields"])
def test_a_mapping_is_pairs_or_a_table_in_the_file(monkeypatch: pytest.MonkeyPatch, file: Path, name: str) -> None:
    names = {"user": "uid", "query": "q"}
    assert load(RunSettings, {"fields": "user=uid,query=q"}).fields == names
    for written in (
        f'{name} = "user=uid,query=q"',
        f'{name} = {{ user = "uid", query = "q" }}',
        f'[{name}]\nuser = "uid"\nquery = "q"\n',
    ):
        file.write_text(written)
        assert load(RunSettings, {}, file).fields == names
    monkeypatch.setenv(f"QUERYMIX_{name.upper()}", "user=uid,query=q")
    assert load(RunSettings, {}).fields == names


def test_the_environment_may_be_in_small_letters_and_counts_where_an_option_is_not_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("querymix_k", "7")
    monkeypatch.setenv("QUERYMIX_SAFE_FIELDS", "a,b")
    monkeypatch.setenv("QUERYMIX_MODE", "paper")
    found = RunSettings(mode="distinct")
    assert (found.k, found.safe_fields, found.mode) == (7, ["a", "b"], "distinct")
    assert found.model_fields_set == {"k", "safe_fields", "mode"}
    assert LibrarySettings().k == 20, "the library's options are those of its caller alone"


def test_a_new_name_in_the_environment_wins_over_the_old_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUERYMIX_JSON_FIELDS", "user=old")
    monkeypatch.setenv("QUERYMIX_FIELDS", "user=new")
    assert load(RunSettings, {}).fields == {"user": "new"}
    assert load(RunSettings, {"fields": "user=given"}).fields == {"user": "given"}


def test_a_pair_without_its_mark_is_refused() -> None:
    assert wrong({"fields": MARK}) == ("--fields (QUERYMIX_FIELDS): give name=field pairs, such as user=uid,query=q")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"fields": "user=uid,query=q,user=id"}, "one name stands there twice: give each once"),
        ({"generalize": "place=city,lang=l,place=country"}, "one name stands there twice: give each once"),
        ({"fields": "=uid"}, "give name=field pairs"),
        ({"generalize": "=city"}, "give ladders such as"),
        ({"generalize": "none"}, "give ladders such as"),
    ],
)
def test_a_pair_that_would_be_lost_is_refused(given: dict[str, str], told: str) -> None:
    assert f": {told}" in wrong(given)


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ('generalize = ["city"]', "give ladders such as"),
        ('generalize = { "" = ["city"] }', "give ladders such as"),
        ('fields = ["user"]', "give name=field pairs"),
        ("most_words = true", "give a number, or none"),
    ],
)
def test_a_wrong_type_in_the_file_is_told_in_plain_words(file: Path, written: str, told: str) -> None:
    file.write_text(written)
    assert f": {told}" in wrong({}, file)


def test_paths_are_paths_and_a_factor_in_the_file_may_be_a_number(file: Path) -> None:
    file.write_text('profiles = "profiles.db"\ndelta = 1.5\n')
    found = load(RunSettings, {"checkpoint": "state"}, file)
    assert (found.profiles, found.checkpoint, found.delta) == (Path("profiles.db"), Path("state"), "1.5")


WRONG: list[tuple[str, str]] = [
    ("k", MARK),
    ("k", "1"),
    ("mode", MARK),
    ("format", MARK),
    ("urls", MARK),
    ("time_policy", MARK),
    ("hold_policy", MARK),
    ("unclassified", MARK),
    ("order", MARK),
    ("max_hold", MARK),
    ("fields", MARK),
]


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_wrong_value_names_where_it_stood_and_is_not_shown(
    monkeypatch: pytest.MonkeyPatch, file: Path, name: str, value: str
) -> None:
    begin = f"--{name.replace('_', '-')} (QUERYMIX_{name.upper()}): "
    file.write_text(f'{name} = "{value}"\n')
    messages = [(begin, wrong({name: value})), (f"{file}: {name}: ", wrong({}, file))]
    monkeypatch.setenv(f"QUERYMIX_{name.upper()}", value)
    messages += [(begin, wrong({})), (begin, wrong({}, file))]
    for begin, message in messages:
        assert message.startswith(begin)
        assert len(message) > len(begin)
        assert MARK not in message


@pytest.mark.parametrize(("name", "value"), [("safe_fields", "[1]"), ("fields", "5"), ("profiles", "5"), ("k", "2.5")])
def test_a_wrong_type_in_the_file_names_the_file_and_its_key(file: Path, name: str, value: str) -> None:
    file.write_text(f"{name} = {value}\n")
    assert wrong({}, file).startswith(f"{file}: {name}: ")


def test_a_good_value_above_does_not_hide_a_wrong_one_below_of_another_option(file: Path) -> None:
    file.write_text("k = 1\n")
    assert wrong({"mode": "paper"}, file) == f"{file}: k: give 2 or more"
    assert load(RunSettings, {"k": "5"}, file).k == 5


def test_an_unknown_key_in_the_file_is_named(file: Path) -> None:
    file.write_text(f'maxhold = "{MARK}"\n')
    message = wrong({}, file)
    assert message.startswith(f"{file}: unknown key 'maxhold'")
    assert MARK not in message


def test_a_key_of_another_command_is_left_alone(file: Path) -> None:
    file.write_text('k = 7\noutput = "out.tsv"\n')
    assert load(KnowledgeSettings, {}, file).knowledge is None
    assert load(MethodSettings, {}, file).k == 7


def test_a_missing_settings_file_is_an_operators_mistake(file: Path) -> None:
    assert "No such file" in wrong({}, file)


@pytest.mark.parametrize("content", [f"k = {MARK}".encode(), f"{MARK} ===".encode(), b"k = 5\nk = 6\n", b"\xff\xfe"])
def test_a_file_that_is_no_toml_is_an_operators_mistake_and_not_shown(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    message = wrong({}, file)
    assert f"the settings file {file} is no TOML" in message
    assert MARK not in message


@pytest.mark.parametrize("content", ["k = " + "[" * 9000 + "]" * 9000, "k = " + "{a=" * 9000 + "1" + "}" * 9000])
def test_a_file_that_is_nested_too_deeply_is_refused_in_one_line(file: Path, content: str) -> None:
    """However deep: the reader calls itself for each level, and Python ends that by an error of its own."""
    file.write_text(content)
    assert wrong({}, file) == f"the settings file {file} is no TOML: it is nested too deeply"


@pytest.mark.parametrize("number", ["0x" + "f" * 9000, "9" * 4000, str(1 << 63), str(-(1 << 63) - 1), "9" * 9000])
def test_a_number_that_toml_does_not_allow_is_refused_in_one_line(file: Path, number: str) -> None:
    """TOML has 64 bits. Python reads more, and may then refuse to write what it read."""
    file.write_text(f"k = {number}\n")
    message = wrong({}, file)
    assert f"the settings file {file} is no TOML" in message
    assert len(message) < 300


def test_settings_cannot_be_changed_afterwards() -> None:
    found = load(RunSettings, {})
    with pytest.raises(ValueError, match="frozen"):
        found.k = 2  # type: ignore[misc]  # what is tested


@click.command()
@options(RunSettings, short={"output": "-o"})
def show(settings: Path | None, **given: Any) -> None:
    """Show some options."""
    found = load(RunSettings, given, settings)
    click.echo(f"{found.k} {found.mode} {found.max_hold} {found.output} {','.join(found.safe_fields)}")


@pytest.mark.parametrize(
    ("arguments", "environment", "shown"),
    [
        ([], {}, "20 distinct 2592000.0 - "),
        (["--k", "5", "-o", "out", "--max-hold", "10m", "--safe-fields", "a,b"], {}, "5 distinct 600.0 out a,b"),
        (["--k", "5"], {"QUERYMIX_K": "6", "QUERYMIX_MODE": "paper"}, "5 paper 2592000.0 - "),
        (["--mode", "distinct"], {"QUERYMIX_MODE": "paper"}, "20 distinct 2592000.0 - "),
        ([], {"QUERYMIX_OUTPUT": "out", "QUERYMIX_MAX_HOLD": "1d"}, "20 distinct 86400.0 out "),
    ],
)
def test_a_command_gets_its_options_from_all_places(
    arguments: list[str], environment: dict[str, str], shown: str
) -> None:
    result = CliRunner().invoke(show, arguments, env=environment, catch_exceptions=False)
    assert result.output.rstrip("\n") == shown


def test_a_command_finds_its_settings_file_by_option_or_variable(file: Path) -> None:
    file.write_text("k = 8\n")
    assert CliRunner().invoke(show, ["--settings", str(file)], catch_exceptions=False).output.startswith("8 ")
    environment = {"QUERYMIX_SETTINGS": str(file)}
    assert CliRunner().invoke(show, [], env=environment, catch_exceptions=False).output.startswith("8 ")


@pytest.mark.parametrize("kind", [KnowledgeSettings, MethodSettings, RunSettings, WorkerSettings, TopicSettings])
def test_every_option_is_described_and_none_says_by_itself_what_is_weaker(kind: type[Settings]) -> None:
    for field in kind.model_fields.values():
        assert field.description
        assert field.description.endswith(".")
        assert "weaker" not in field.description.lower(), "it stands in querymix.settings.weaker's form"


def test_the_weaker_options_are_these_and_the_help_marks_them() -> None:
    fields = RunSettings.model_fields | WorkerSettings.model_fields
    weaker = {name for name, field in fields.items() if weaker_of(field)}
    assert weaker == {"keep_identifiers", "safe_fields", "urls", "mode", "draw", "delta", "reserve", "time_policy"} | {
        "hold_policy", "click_wait", "established", "dedupe", "time_precision", "again", "pseudonym_period", "unit",
        "session_scope", "crowd", "rare", "profiles_token_file",
    }  # fmt: skip
    assert {name for name, field in fields.items() if " WEAKER: " in weaker_help(field)} == weaker


@pytest.mark.parametrize(
    ("name", "value", "weaker"),
    [
        ("urls", "full", "full"), ("urls", "host", None), ("urls", "crowd", "crowd"), ("delta", "1", "1"),
        ("delta", "1.0", "1"), ("delta", "1.2", None), ("reserve", 0, "0"), ("reserve", 10, None),
        ("click_wait", 0.0, "0"), ("pseudonym_period", None, "none"), ("pseudonym_period", 86400.0, None),
        ("pseudonym_period", "session", None), ("safe_fields", ["place"], "any"), ("safe_fields", [], None),
        ("rare", "drop-terms", "drop-terms"), ("rare", "release", "release"), ("rare", "suppress", None),
        ("k", 2, None),
    ],
)  # fmt: skip
def test_a_value_is_told_to_be_weaker_however_it_was_written(name: str, value: object, weaker: str | None) -> None:
    assert weaker_value(RunSettings.model_fields[name], value) == weaker


def test_each_weaker_value_can_be_chosen_and_each_default_that_is_one_is_known() -> None:
    """A value that is spelled wrong here would never be warned of."""
    for name, field in RunSettings.model_fields.items():
        for value in weaker_of(field):
            given = "email" if value == "any" else value
            chosen = load(RunSettings, {"crowd": "stream", name: given})
            assert weaker_value(field, getattr(chosen, name)) == value
    defaults = RunSettings.model_construct()
    weak = {name for name, field in RunSettings.model_fields.items() if weaker_value(field, getattr(defaults, name))}
    assert weak == {"established", "dedupe", "time_precision", "crowd"}


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0.0, "0s"), (0.25, "0.25s"), (59.9, "59s"), (61, "1m 1s"), (3599.0, "59m 59s"), (3600, "1h"), (5400, "1h 30m"),
        (172_800, "2d"), (200_000, "2d 7h"), (86_400 + 59, "1d"),
    ],
)  # fmt: skip
def test_a_span_is_shown_in_its_two_largest_units(seconds: float, shown: str) -> None:
    assert show_span(seconds) == shown


def test_a_stream_has_no_first_lines_that_tell_the_form_of_its_times() -> None:
    assert RunSettings().time_form == "auto"
    assert (WorkerSettings().time_form, LibrarySettings().time_form) == ("iso", "iso")
    with pytest.raises(ConfigError, match="--time-form"):
        load(WorkerSettings, {"time_form": "auto"})
