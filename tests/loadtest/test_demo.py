"""The README's first command: every step runs, whatever the environment of the tests says."""

import os
from pathlib import Path

import faker  # noqa: F401 - made-up logs need it, so without it the module is skipped
import pytest

from loadtest import demo


def test_the_demonstration_runs_to_its_end_and_shows_what_came_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in os.environ if name.startswith("QUERYMIX_")]:
        monkeypatch.delenv(name)
    monkeypatch.setattr(demo, "LINES", 4_000)
    monkeypatch.setattr(demo, "USERS", 200)
    demo.demo(tmp_path / "demo")
    shown = capfd.readouterr().out
    assert "what was released under it" in shown
    assert "All files are in" in shown
    released = (tmp_path / "demo" / "released.tsv").read_text().splitlines()
    assert len(released) > demo.SHOWN
