"""A name's ending says how a file is packed, and what is packed reads back as it was."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.core.errors import ConfigError
from querymix.local.packing import packed, packing_of
from querymix.local.unpacking import plain

ENDINGS = (".gz", ".bz2", ".xz", ".zst", ".GZ")


@pytest.mark.parametrize("ending", ENDINGS)
@given(st.lists(st.binary()))
def test_what_is_packed_reads_back_as_it_was(ending: str, blocks: Iterable[bytes]) -> None:
    packing = packing_of(f"out.tsv{ending}")
    assert packing
    data = b"".join(packed(packing, [b"1\tgolf\n", *blocks]))
    assert b"".join(plain(iter([data]), None)) == b"".join([b"1\tgolf\n", *blocks])


@pytest.mark.parametrize("name", ["out", "out.tsv", "out.gz.tsv", "gz", ".gz", "a.gz/out"])
def test_any_other_name_is_plain(name: str) -> None:
    assert packing_of(name) is None


@pytest.mark.parametrize("name", ["out.zip", "out.ORC", "out.tgz", "out.tsv.lz4", "dir/out.7z"])
def test_a_form_that_is_not_written_is_refused_with_those_that_are(name: str) -> None:
    with pytest.raises(ConfigError, match=r"no form that is written\. .*\.gz, \.bz2, \.xz, \.zst"):
        packing_of(name)
