"""For tests that need the real servers: the one rule for skipping.

A fixture calls `require("kafka")`, then yields from within `with LocalKafka(tmp_path_factory.mktemp("kafka"))`; the
session is the scope to choose, with topics and databases named anew by each test.
"""

import os

import pytest

from deploy.local.requirements import available


def require(server: str | None = None) -> None:
    """Skip the test, saying why, where the server ("kafka", "mongo", or both) cannot run; with CI=true fail it."""
    reason = available(server)
    if reason is None:
        return
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail(f"CI must run the real servers: {reason}", pytrace=False)
    pytest.skip(reason)
