"""A secret is taken only from where nobody else reads it, and is not shown anywhere afterwards."""

import logging
import pickle
import re
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import faust
import pytest
from click.testing import Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import SecretStr, ValidationError
from querymix.bootstrap.mongo import connect_mongo
from querymix.core.errors import ConfigError
from querymix.kafka.connection import client_options, sasl_password
from querymix.settings import LoadSettings, TopicSettings, WorkerSettings, load, read_secret, read_token
from querymix.settings.exposed import exposed
from querymix.settings.values import holds_secret

Command = Callable[..., Result]
WORD = "hunter2"
WITH_PASSWORD = [
    f"mongodb://ann:{WORD}@mongo:27017",
    f"mongodb+srv://ann:{WORD}@cluster.example.org/?tls=true",
    f"mongodb://ann:{WORD}/@s@mongo:27017/",
    f"mongodb://ann:{WORD}%40%2F@mongo/querymix?authSource=admin",
    f"mongodb://ann:{WORD}@[nowhere",
    f"mongodb://:{WORD}@mongo",
    f"mongodb://ann:{WORD}\n@mongo",
    f"mongodb://mongo/?tls=true&tlsCertificateKeyFilePassword={WORD}",
    f"mongodb://mongo/?PROXYPASSWORD={WORD}",
    f"mongodb://key@mongo/?authMechanismProperties=AWS_SESSION_TOKEN:{WORD}",
]
WITHOUT = [
    "mongodb://mongo:27017",
    "mongodb://a:1,b:2,c:3/?replicaSet=rs",
    "mongodb://[::1]:27017",
    "mongodb://CN%3Dquerymix@mongo/?authMechanism=MONGODB-X509&tls=true",
    "mongodb+srv://cluster.example.org/?tls=true",
]
TOKEN = "0123456789abcdef0123456789ABCDEF"  # noqa: S105 - made up


pytestmark = pytest.mark.usefixtures("bare_environment")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "secret"


def refused(kind: type[Any], given: dict[str, Any], below: Path | None = None) -> str:
    with pytest.raises(ConfigError) as caught:
        load(kind, given, below)
    shown = "".join(traceback.format_exception(caught.value))
    assert WORD not in shown
    return str(caught.value)


@pytest.mark.parametrize("kind", [WorkerSettings, LoadSettings])
@pytest.mark.parametrize("uri", WITH_PASSWORD)
def test_a_password_on_the_command_line_is_refused_with_the_way_out(kind: type[Any], uri: str) -> None:
    said = refused(kind, {"mongodb": uri})
    for word in ("--mongodb:", "--mongodb-uri-file", "QUERYMIX_MONGODB", "ps", "change the password"):
        assert word in said


@pytest.mark.parametrize("uri", WITHOUT)
def test_a_uri_without_a_password_is_taken_from_the_command_line(uri: str) -> None:
    assert load(WorkerSettings, {"mongodb": uri}).mongodb.get_secret_value() == uri


@pytest.mark.parametrize("uri", WITH_PASSWORD)
def test_a_password_is_taken_from_the_environment(uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUERYMIX_MONGODB", uri)
    assert load(WorkerSettings, {}).mongodb.get_secret_value() == uri


@pytest.mark.parametrize(("mode", "taken"), [(0o600, True), (0o400, True), (0o640, False), (0o604, False)])
def test_a_password_in_a_settings_file_is_taken_where_its_owner_alone_reads_it(
    file: Path, mode: int, *, taken: bool
) -> None:
    file.write_text(f'mongodb = "{WITH_PASSWORD[0]}"\n')
    file.chmod(mode)
    if taken:
        assert load(WorkerSettings, {}, file).mongodb.get_secret_value() == WITH_PASSWORD[0]
    else:
        assert f"chmod 600 {file}" in refused(WorkerSettings, {}, file)


def test_a_settings_file_without_a_password_may_be_read_by_all(file: Path) -> None:
    file.write_text(f'mongodb = "{WITHOUT[1]}"\nk = 7\n')
    file.chmod(0o644)
    assert load(WorkerSettings, {}, file).k == 7
    file.write_text(f'mongodb = ["{WORD}"]\n')
    assert refused(WorkerSettings, {}, file) == f"{file}: mongodb: give a text"


@given(st.text(min_size=1).filter(lambda word: "@" not in word), st.text())
def test_whatever_the_password_it_is_seen_to_be_one(word: str, rest: str) -> None:
    assert holds_secret(f"mongodb://ann:{word}@mongo:27017/{rest}")


def test_the_settings_show_the_uri_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUERYMIX_MONGODB", WITH_PASSWORD[0])
    found = load(WorkerSettings, {"k": "7"})
    for shown in (repr(found), str(found), repr(found.model_dump()), found.model_dump_json(), repr([*found])):
        assert WORD not in shown
    assert pickle.loads(pickle.dumps(found)).mongodb == found.mongodb  # noqa: S301 - our own


def test_no_error_of_the_settings_shows_what_was_given() -> None:
    with pytest.raises(ValidationError) as caught:
        WorkerSettings(mongodb=WITH_PASSWORD[0], k=WORD, broker=f"{WORD}@kafka")
    assert WORD not in str(caught.value) + repr(caught.value)


def test_a_password_before_a_broker_is_refused_and_not_shown() -> None:
    said = refused(TopicSettings, {"broker": f"ann:{WORD}@kafka:9092"})
    assert "--sasl-password-file" in said


def test_a_command_line_with_a_password_ends_with_2(querymix: Command) -> None:
    for command in (["worker"], ["knowledge", "load"]):
        result = querymix(*command, "--mongodb", WITH_PASSWORD[0])
        assert result.exit_code == 2
        assert "--mongodb-uri-file" in result.stderr
        assert WORD not in result.output


def test_a_uri_whose_password_is_not_encoded_is_told_how_to_be(file: Path) -> None:
    file.write_text(f"mongodb://ann:{WORD}@/%@mongo:27017\n")
    with pytest.raises(ConfigError, match="%40 for @") as caught:
        connect_mongo(WorkerSettings(mongodb_uri_file=file))
    assert WORD not in str(caught.value)


ODD = ["p%40 s/w@rd:#?&=", 'quote"d\\', "pässwörd", "пароль", " blanks stay ", "\u00a0no-break", "$(x)`x`", "a=b,c"]


@pytest.mark.parametrize("secret", ODD)
@pytest.mark.parametrize("begin", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\r", "\n\n"])
def test_a_secret_is_what_the_file_holds_without_its_mark_and_line_end(
    file: Path, begin: str, secret: str, end: str
) -> None:
    file.write_bytes((begin + secret + end).encode())
    found = read_secret(file, "--option")
    assert found is not None
    assert found.get_secret_value() == secret
    assert secret not in repr([found])


@given(st.text(st.characters(blacklist_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1).filter(str.strip))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_any_text_of_one_line_is_a_secret(tmp_path: Path, secret: str) -> None:
    (tmp_path / "secret").write_text(secret + "\n", encoding="utf-8", newline="")
    found = read_secret(tmp_path / "secret", "--option")
    assert found is not None
    assert found.get_secret_value() == secret.removeprefix("\ufeff")


@pytest.mark.parametrize("content", [b"", b"\n", b"\xef\xbb\xbf\r\n", b"  \n", b"\xff\xfe\x00", b"one\ntwo\n"])
def test_a_file_that_holds_no_secret_is_refused_by_its_option(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(ConfigError, match=r"^--option: (the file |cannot read the file: it is no text)"):
        read_secret(file, "--option")


def test_a_secret_given_in_place_of_its_file_is_not_shown(tmp_path: Path) -> None:
    for name in (Path(WORD), Path("/" + WORD), Path(f"mongodb://ann:{WORD}@mongo"), tmp_path, Path(WORD * 100)):
        with pytest.raises(ConfigError, match=r"^--option: cannot read the file: .* Give the name of a file") as caught:
            read_secret(name, "--option")
        assert WORD not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("secret", ODD)
def test_a_client_of_kafka_gets_the_password_as_it_is(file: Path, secret: str) -> None:
    file.write_text(secret + "\n", encoding="utf-8")
    chosen = TopicSettings(security_protocol="SASL_PLAINTEXT", sasl_username="ann", sasl_password_file=file)
    given = client_options(chosen)["sasl_plain_password"]
    assert given.credentials.held.password == secret
    assert secret not in f"{given!r} {given.credentials.held!r}"
    shown = faust.SASLCredentials(username="ann", password=sasl_password(chosen), mechanism="PLAIN")
    assert secret not in repr(shown) + str(shown)
    assert secret not in repr(chosen)


@pytest.mark.parametrize(
    ("token", "says"),
    [
        ("x", "has 1 characters and needs 32"),
        (TOKEN[1:], "has 31 characters"),
        ("a" * 64, "repeats itself"),
        ("abc" * 20, "repeats itself"),
        (TOKEN + " x", "holds a blank"),
        (TOKEN + "é", "holds a blank or a letter"),
        (TOKEN + "\x7f", "holds a blank or a letter"),
    ],
)
def test_a_token_that_could_be_guessed_or_not_be_sent_is_refused_with_the_command_that_makes_one(
    file: Path, token: str, says: str
) -> None:
    file.write_text(token, encoding="utf-8")
    with pytest.raises(ConfigError, match=re.escape(says)) as caught:
        read_token(file, "--metrics-token-file")
    assert "openssl rand -hex 32" in str(caught.value)
    assert str(caught.value).startswith("--metrics-token-file: ")
    assert token not in str(caught.value) or len(token) == 1


def test_a_long_token_is_taken_and_without_a_file_there_is_none(file: Path) -> None:
    file.write_text(TOKEN + "\r\n")
    assert read_token(file, "--option") == SecretStr(TOKEN)
    assert read_token(None, "--option") is None
    assert read_secret(None, "--option") is None


@pytest.mark.parametrize(
    ("text", "address"),
    [("127.0.0.1:9100", ("127.0.0.1", 9100)), (":9100", ("", 9100)), ("[::1]:9100", ("::1", 9100))],
)
def test_an_address_is_a_host_and_a_port(text: str, address: tuple[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    assert load(WorkerSettings, {"metrics_address": text}).metrics_address == address
    monkeypatch.setenv("QUERYMIX_METRICS_ADDRESS", text)
    assert load(WorkerSettings, {"k": "7"}).metrics_address == address


@pytest.mark.parametrize("text", ["", "9100", "host", "host:", "host:0", "host:65536", "host:-1", "host:\u0661"])
def test_what_is_no_address_is_refused(text: str) -> None:
    assert refused(WorkerSettings, {"metrics_address": text}).endswith("or :9100 for all addresses")


def test_logging_a_secret_by_mistake_shows_stars(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    file.write_text(WORD)
    logging.getLogger("querymix").error("%s %r", read_secret(file, "--option"), read_secret(file, "--option"))
    assert WORD not in caplog.text


def said(mongodb: str = "mongodb://localhost:27017", **chosen: Any) -> str:
    return "\n".join(exposed(WorkerSettings(**{"pseudonym_key_file": "key"} | chosen), mongodb))


def test_a_worker_that_leaves_nothing_to_others_says_nothing() -> None:
    assert said() == ""
    assert said("mongodb://ann:x@mongo/?tls=true", broker="kafka:9093", security_protocol="SASL_SSL") == ""
    assert said("mongodb+srv://cluster.example.org", broker="kafka:9093", security_protocol="SSL") == ""
    assert said("mongodb://[::1]:1,127.0.0.2/?tls=false", broker="localhost:1, 127.0.0.1:2,[::1]:3") == ""
    assert said("mongodb://%2Ftmp%2Fmongodb-27017.sock") == ""


@pytest.mark.parametrize(
    ("protocol", "broker", "words"),
    [
        ("PLAINTEXT", "kafka:9092", ["PLAINTEXT", "in the clear, and no broker asks", "SASL_SSL"]),
        ("SASL_PLAINTEXT", "localhost:9092,kafka:9092", ["SASL_PLAINTEXT", "in the clear. Set up TLS"]),
        ("PLAINTEXT", "localhost.example.org:9092", ["PLAINTEXT"]),
    ],
)
def test_queries_in_the_clear_are_told_with_the_way_out(protocol: str, broker: str, words: list[str]) -> None:
    text = said(broker=broker, security_protocol=protocol)
    for word in words:
        assert word in text
    assert "kafka" not in text


@pytest.mark.parametrize(
    "uri",
    ["mongodb://mongo", f"mongodb://ann:{WORD}@mongo:27017/?tls=false", "mongodb+srv://cluster.example.org/?tls=false",
     "mongodb://localhost,mongo/"],
)  # fmt: skip
def test_profiles_in_the_clear_are_told_by_who_writes_or_reads_them(uri: str) -> None:
    assert "tls=true" in said(uri)
    assert WORD not in said(uri)
    assert said(uri, roles="classifier,anonymizer") == ""
    assert "tls=true" in said(uri, roles="classifier", knowledge_from="mongodb")


def test_ids_as_they_came_are_told_by_the_classifier_which_would_hide_them() -> None:
    as_they_came: dict[str, Any] = {"pseudonym_key_file": None, "pseudonym_period": "none"}
    assert "--pseudonym-key-file FILE" in said(**as_they_came)
    assert said(**as_they_came, roles="anonymizer,profiler") == ""
    assert said(**as_they_came, format="access") == ""  # refused without a key
    for period in ("1d", "session", "record"):
        assert said(pseudonym_key_file=None, pseudonym_period=period) == ""


def test_a_worker_says_at_its_start_what_its_defaults_leave_open(
    querymix: Command, caplog: pytest.LogCaptureFixture
) -> None:
    result = querymix("worker", "--broker", "192.0.2.1:1", "--format", "csv", "--pseudonym-period", "none")
    assert result.exit_code == 2
    for word in ("in the clear", "user ids are released as they came"):
        assert caplog.text.count(word) == 1
