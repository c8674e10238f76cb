"""What is said where MongoDB fails: why, in words, and nothing of the documents that its own texts hold."""

import pytest
from pymongo.errors import (
    AutoReconnect,
    ExecutionTimeout,
    NetworkTimeout,
    OperationFailure,
    PyMongoError,
    ServerSelectionTimeoutError,
)
from querymix.stores.mongo import failed

DOCUMENT = "{_id: 'person77'}"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ServerSelectionTimeoutError(DOCUMENT), "no server answers"),
        (NetworkTimeout(DOCUMENT), "does not answer in time"),
        (ExecutionTimeout(DOCUMENT, 50), "does not answer in time"),
        (AutoReconnect(DOCUMENT), "the connection broke"),
        (OperationFailure(DOCUMENT, 13, {"codeName": "Unauthorized", "errmsg": DOCUMENT}), "(Unauthorized)"),
        (OperationFailure(DOCUMENT, 13), "(code 13)"),
        (PyMongoError(DOCUMENT), "it took no request"),
    ],
)
def test_a_failure_is_told_in_words_and_shows_no_document(error: PyMongoError, said: str) -> None:
    text = str(failed(error))
    assert said in text
    assert "person77" not in text
    assert type(error).__name__ not in text
