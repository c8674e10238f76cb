"""The real sources of the default knowledge, where this machine has them."""

import pytest
from querymix_lab.knowledge.sources.default import Inputs, installed
from querymix_lab.knowledge.sources.files import SourceError

from tests.optional import need, wordnet


@pytest.fixture(scope="session")
def inputs() -> Inputs:
    """Return the installed packages and WordNet."""
    folder = wordnet()
    try:
        return installed(folder)
    except SourceError as error:
        need(there=False, reason=str(error))
        raise
