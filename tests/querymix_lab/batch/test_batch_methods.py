"""What every batch method keeps to: it reads the options that its table names, and its account adds up."""

from pathlib import Path
from typing import Any

import pytest
import sklearn  # noqa: F401 - what is tested needs it: without it the module is skipped
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from querymix.core.draw import seeded_draw
from querymix.core.errors import ConfigError
from querymix_lab.batch.base import KINDS, REASONS, Log, Options, Outcome
from querymix_lab.batch.methods import EVERY, METHODS, PROFILED, unused
from querymix_lab.settings import BatchSettings

from tests.querymix_lab.batch.made import log_of, logs
from tests.querymix_lab.knowledge.made import LICENCE, wordnet_folder

FOLDER_LIFE = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


WORDS = ("entity", "sport", "soccer", "club", "music", "movie", "hotel", "dog", "cat", "apple", "pie")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dictionary of which all but the first words are kinds of the third."""
    folder = wordnet_folder(tmp_path_factory.mktemp("batch") / "wordnet")
    nouns = index = ""
    for number, word in enumerate(WORDS, 1):
        above = f"001 @ {min(number - 1, 3):08} n 0000" if number > 1 else "000"
        nouns += f"{number:08} 03 n 01 {word} 0 {above} | made up\n"
        index += f"{word} n 1 1 @ 1 0 {number:08}\n"
    (folder / "data.noun").write_text(LICENCE + nouns)
    (folder / "index.noun").write_text(LICENCE + index)
    (folder / "cntlist.rev").write_text("")
    return folder


def run(method: str, before: Log, folder: Path, seed: int = 1, k: int = 2) -> Outcome:
    options = Options(k=k, users=k, wordnet=folder, first=3, privacy_epsilon=100.0, privacy_delta=0.49)
    return METHODS[method].load()(before, options, seeded_draw(seed))


@pytest.mark.parametrize("method", METHODS)
@FOLDER_LIFE
@given(logs, st.integers(2, 4), st.integers(0, 9), st.integers(0, 9), st.integers(0, 100))
def test_every_line_that_was_read_is_in_the_account_once(
    folder: Path, method: str, before: Log, k: int, cut: int, refused: int, seed: int
) -> None:
    before = Log(before.rows, cut, refused)
    try:
        outcome = run(method, before, folder, seed, k)
    except ConfigError:  # too few users
        assume(False)
    figures = outcome.account.figures()
    assert figures["in"] == len(before.rows) + cut + refused
    sums = ("released", "held", "suppressed", "unclassified", "refused")
    assert figures["in"] == sum(figures[name] for name in sums)
    assert figures["released"] == sum(figures[name] for name in KINDS)
    assert figures["suppressed"] == sum(figures[name] for name in REASONS)
    assert figures["written"] == figures["released"] + figures["added"] == len(outcome.released.rows)
    assert (figures["suppressed_by_identifiers"], figures["refused"]) == (cut, refused)
    assert min(figures.values()) >= 0


def test_the_words_are_those_of_the_streams_account() -> None:
    from querymix.core.account import Account  # noqa: PLC0415 - the other one of this name is used above

    theirs = Account().figures()
    mine = run("threshold", log_of({"a": ["x"], "b": ["x"]}), Path()).account.figures()
    assert [name for name in mine if name in theirs] == [
        "in", "released", "held", "suppressed", "suppressed_by_identifiers", "unclassified", "empty", "refused",
    ]  # fmt: skip


class Noting(Options):
    """Options that note which of them are read."""

    def __getattribute__(self, name: str) -> Any:
        if name in Options.model_fields:
            read.add(name)
        return super().__getattribute__(name)


read: set[str] = set()


@pytest.mark.parametrize("method", METHODS)
def test_a_method_reads_the_options_that_its_table_names_and_no_other(folder: Path, method: str) -> None:
    options = Noting(k=2, users=2, wordnet=folder, first=3, privacy_epsilon=100.0, privacy_delta=0.49)
    read.clear()
    METHODS[method].load()(log_of({user: ["dog", "cat", "apple pie"] for user in "abcd"}), options, seeded_draw(1))
    assert read == set(METHODS[method].uses)


class Counting:
    """Stands for chance and notes that it was asked."""

    def __init__(self) -> None:
        self.asked = False
        self._draw = seeded_draw(1)

    def __getattr__(self, name: str) -> Any:
        self.asked = True
        return getattr(self._draw, name)


@pytest.mark.parametrize("method", METHODS)
def test_a_method_has_a_use_for_a_seed_where_it_draws(folder: Path, method: str) -> None:
    draw: Any = Counting()
    options = Options(k=2, users=2, wordnet=folder, first=3, privacy_epsilon=100.0, privacy_delta=0.49)
    METHODS[method].load()(log_of({user: ["dog", "cat", "dog"] for user in "abcd"}), options, draw)
    assert draw.asked == ("seed" in METHODS[method].also)


def test_the_table_has_every_option_of_the_command() -> None:
    """A new option has to be put into methods.toml: under `every`, or with the methods that have a use for it."""
    named = EVERY.union(PROFILED, *(set(method.uses) | set(method.also) for method in METHODS.values()))
    assert named == BatchSettings.model_fields.keys()
    for method in METHODS.values():
        assert not EVERY & {*method.uses, *method.also}
        assert set(method.uses) <= Options.model_fields.keys()
        assert not set(method.also) & Options.model_fields.keys() - {"k"}


@pytest.mark.parametrize("method", METHODS)
def test_what_a_method_has_no_use_for_is_all_but_what_its_table_names(method: str) -> None:
    table = METHODS[method]
    every = set(BatchSettings.model_fields)
    used = EVERY.union(table.uses, table.also, PROFILED if "profiles" in table.also else ())
    assert unused(method, every) == sorted(every - used)
    assert unused(method, []) == []
    if not set(table.also) >= PROFILED:
        assert unused(method, ["classifier"]) == ["classifier"]
