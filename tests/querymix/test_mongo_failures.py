"""What is said where MongoDB fails: why, in words, and nothing of the documents that its own texts hold."""

import pytest
from pymongo.errors import (
    AutoReconnect,
    ExecutionTimeout,
    NetworkTimeout,
    OperationFailure,
    PyMongoError,
    ServerSelectionTimeoutError,
    WTimeoutError,
)
from querymix.core.errors import QuerymixError, RefusedError, TransientError
from querymix.stores.mongo_failures import failed, refused

DOCUMENT = "{_id: 'person77'}"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ServerSelectionTimeoutError(DOCUMENT), "no server answers"),
        (NetworkTimeout(DOCUMENT), "does not answer in time"),
        (ExecutionTimeout(DOCUMENT, 50), "does not answer in time"),
        (AutoReconnect(DOCUMENT), "the connection broke"),
        (WTimeoutError(DOCUMENT, 64), "not safe on enough replicas"),
        (
            OperationFailure(DOCUMENT, 13, {"codeName": "Unauthorized", "errmsg": DOCUMENT}),
            "(Unauthorized, code 13): grant",
        ),
        (OperationFailure(DOCUMENT, 13), "(Unauthorized, code 13): grant"),
        (OperationFailure(DOCUMENT, 77, {"codeName": "NewError"}), "(NewError, code 77): the server's log says why"),
        (OperationFailure(DOCUMENT, 77, {"codeName": DOCUMENT}), "(an error without a name, code 77)"),
        (OperationFailure(f"{DOCUMENT}: No space left on device", 1), "(OutOfDiskSpace, code 1): the database's disk"),
        (OperationFailure(f"{DOCUMENT}: over your space Quota"), "(quota): the database's quota is used up"),
        (PyMongoError(DOCUMENT), "it took no request"),
    ],
)
def test_a_failure_is_told_in_words_and_shows_no_document(error: PyMongoError, said: str) -> None:
    text = str(failed(error))
    assert said in text
    assert "person77" not in text
    assert type(error).__name__ not in text


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (1, "InternalError, code 1): the server failed inside: see whether its disk is full"),
        (14031, "OutOfDiskSpace, code 14031): the database's disk is full"),
        (10107, "NotWritablePrimary, code 10107): the primary has moved"),
        (189, "PrimarySteppedDown, code 189): the primary has moved"),
        (262, "ExceededTimeLimit, code 262): the server is too slow"),
        (64, "WriteConcernFailed, code 64): the write is not safe on enough replicas"),
        (8000, "AtlasError, code 8000): the hosted database refuses it"),
        (16500, "RequestRateTooLarge, code 16500): the hosted database's quota"),
    ],
)
def test_the_server_s_common_codes_are_told_by_name_with_what_to_do(code: int, said: str) -> None:
    error = refused("3 of 9 profiles", {"code": code, "errmsg": DOCUMENT})
    assert str(error).startswith(f"MongoDB refused 3 of 9 profiles ({said}")
    assert "person77" not in str(error)
    assert type(error) is TransientError


@pytest.mark.parametrize("code", [13, 18])
def test_a_user_that_is_refused_is_a_wrong_setting_at_a_start(code: int) -> None:
    assert type(failed(OperationFailure(DOCUMENT, code))) is RefusedError


def test_an_answer_that_is_no_answer_is_told_too() -> None:
    odd: list[dict[str, object]] = [{}, {"code": "x"}, {"code": None, "errmsg": None}, {"codeName": 7, "code": -1}]
    for error in odd:
        told = refused("the request", error)
        assert isinstance(told, QuerymixError)
        assert "an error without a name" in str(told)
