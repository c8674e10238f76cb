"""A key of a period that a killed run dropped is in no file once the state is opened again."""

import shutil
from contextlib import closing
from pathlib import Path

from querymix.local.checkpoint import Checkpoint

KEY = "5ec4e7" * 5 + "aa"


def files_with(folder: Path, text: str) -> list[str]:
    return [path.name for path in folder.iterdir() if text.encode() in path.read_bytes()]


def test_a_key_that_a_killed_run_has_left_is_gone_once_its_state_is_opened(tmp_path: Path) -> None:
    killed, state = tmp_path / "killed", {"batch": 1, "refusals": 0}
    with closing(Checkpoint(tmp_path / "state", {})) as checkpoint:
        checkpoint.save(state | {"ids": [86_400.0, 1, KEY]}, b"", b"")
        checkpoint._ids = None  # as if it had been killed before it cut the log off
        checkpoint.save(state | {"ids": [86_400.0, 2, "00" * 16]}, b"", b"")
        shutil.copytree(tmp_path / "state", killed)
    assert files_with(killed, KEY)
    with closing(Checkpoint(killed, {})) as checkpoint:
        assert not files_with(killed, KEY)
        assert checkpoint.load()
