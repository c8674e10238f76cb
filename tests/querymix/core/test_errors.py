"""What an error of the system is shown as."""

import errno
import os

import pytest
from querymix.core.errors import reason


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (OSError(errno.EROFS, os.strerror(errno.EROFS), "p.db"), "Read-only file system"),
        (ValueError("it is cut short."), "it is cut short"),
        (OSError("no model there"), "no model there"),
        (OSError(), "it gave no reason"),
    ],
)
def test_a_reason_has_no_number_no_class_and_no_end_of_a_sentence(error: Exception, shown: str) -> None:
    assert reason(error) == shown
