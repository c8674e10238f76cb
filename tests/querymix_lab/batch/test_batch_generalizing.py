"""From a log to bags of nouns of WordNet, and from clusters to lines."""

import json
from pathlib import Path

import pytest
from querymix.core.draw import seeded_draw
from querymix.core.errors import ConfigError
from querymix_lab.batch.base import Log, Options
from querymix_lab.batch.clump import clump
from querymix_lab.batch.generalizing import Nouns
from querymix_lab.batch.made_rows import NO_TIME
from querymix_lab.batch.methods import METHODS, unused
from querymix_lab.batch.topdown_partition import partition

from tests.conftest import Command
from tests.optional import wordnet
from tests.querymix_lab.batch.made import START, log_of, row
from tests.querymix_lab.batch.made import log as made_log

NOUNS = "dog cat wolf tiger apple pie orange banana piano violin guitar lesson weather"
FIVE = ("clump", "partition", "korolova", "poblete", "threshold")


@pytest.fixture(scope="module")
def nouns() -> Nouns:
    return Nouns(wordnet())


@pytest.fixture(scope="module")
def folder(nouns: Nouns, made_up_rows: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a part of WordNet that is read in no time: the nouns of these tests, and all above them."""
    whole, part = wordnet(), tmp_path_factory.mktemp("wordnet")
    for name in ("data.adj", "index.adj", "index.verb", "index.adv", "verb.exc", "noun.exc", "cntlist.rev"):
        (part / name).touch()
    keys = dict.fromkeys(nouns.of(" ".join((NOUNS, *(row.split("\t")[1] for row in made_up_rows)))))
    first, waiting = {key[1:] for key in keys}, list(keys)
    while waiting:
        more = [parent for parent in nouns._wordnet.synsets[waiting.pop()].parents if parent not in keys]
        keys.update(dict.fromkeys(more))
        waiting += more
    lines = (whole / "data.noun").read_text("ascii", "replace").splitlines(keepends=True)
    (part / "data.noun").write_text("".join(line for line in lines if f"n{line[:8]}" in keys))
    lines = (whole / "index.noun").read_text("ascii").splitlines(keepends=True)
    known = (line for line in lines if line[0] != " " and (fields := line.split())[-int(fields[2])] in first)
    (part / "index.noun").write_text("".join(known))
    return part


def test_nouns_are_found_in_their_first_meaning_and_in_the_plural(nouns: Nouns) -> None:
    assert nouns.of("the dogs") == nouns.of("dog")
    assert nouns.of("mice") == nouns.of("mouse") != []
    assert nouns.of("cherries boxes women") == nouns.of("cherry box woman")
    assert nouns.of("of xqzzt 2006 a") == []
    assert len(nouns.of("dog dog")) == 2


def test_the_taxonomy_holds_the_terms_and_all_above_them(nouns: Nouns) -> None:
    keys = nouns.of("dog cat")
    taxonomy, numbers = nouns.taxonomy(keys)
    assert taxonomy.names[0] == "entity"
    dog, cat = (taxonomy.path(numbers[key]) for key in keys)
    shared = next(node for node in dog if node in cat)
    assert taxonomy.names[shared] == "carnivore"
    assert taxonomy.level(0) == 1


def users_of(*texts: str) -> Log:
    return log_of({f"u{number}": text.split(",") for number, text in enumerate(texts)})


def test_users_of_a_cluster_leave_with_the_same_lines_and_nothing_of_their_own(folder: Path) -> None:
    before = made_log(
        *(
            row(f"u{user}", text, at=START + 50_000 * user, rank="3", url="http://site.com")
            for user, texts in enumerate((("dog", "apple pie"), ("cat",), ("wolf", "orange"), ("tiger", "banana")))
            for text in texts
        )
    )
    for method in (clump, partition):
        outcome = method(before, Options(k=2, wordnet=folder), seeded_draw(1))
        assert sorted(user for group in outcome.groups for user in group) == ["u0", "u1", "u2", "u3"]
        for group in outcome.groups:
            assert len(group) >= 2
            lines = [[each.query._replace(user="") for each in outcome.released.users[user]] for user in group]
            assert all(mine == lines[0] for mine in lines)
        assert all(each.generalized for each in outcome.released.rows)
        assert {each.query.time for each in outcome.released.rows} == {NO_TIME}
        assert {(each.query.rank, each.query.url) for each in outcome.released.rows} == {(None, None)}
        assert outcome.account.total == len(before.rows)
        assert outcome.account.written == len(outcome.released.rows)


def test_clump_keeps_what_two_users_have_in_common(folder: Path) -> None:
    outcome = clump(
        users_of("dog,apple", "wolf,apple", "piano", "violin"), Options(k=2, wordnet=folder), seeded_draw(1)
    )
    terms = {user: [each.query.text for each in rows] for user, rows in outcome.released.users.items()}
    assert terms["u0"] == terms["u1"] == ["apple", "canine"]
    assert terms["u2"] == terms["u3"] == ["musical instrument"]
    assert outcome.account.generalized == 6


def test_clump_without_repeated_terms_loses_what_these_stood_for(folder: Path) -> None:
    outcome = clump(users_of("dog,dog", "dog,dog"), Options(k=2, wordnet=folder), seeded_draw(1))
    assert outcome.figures["distortion_per_item"] == 0.0
    assert outcome.figures["distortion_per_item_without_repetitions"] == 0.5


def test_users_without_a_noun_leave_with_nothing_and_are_counted(folder: Path) -> None:
    outcome = clump(users_of("dog", "cat", "xqzzt"), Options(k=2, wordnet=folder), seeded_draw(1))
    assert "u2" not in outcome.released.users
    assert outcome.notes == ["1 users asked nothing with a noun of WordNet: nothing leaves under them"]
    assert (outcome.account.generalized, outcome.account.suppressed) == (2, 1)


def test_too_few_users_with_nouns_are_refused(folder: Path) -> None:
    with pytest.raises(ConfigError, match="--k is 3"):
        clump(users_of("dog", "cat", "xqzzt"), Options(k=3, wordnet=folder), seeded_draw(1))


def test_without_wordnet_the_message_says_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="wordnet-base"):
        clump(users_of("dog", "cat"), Options(k=2, wordnet=tmp_path), seeded_draw(1))


def named(method: str, **options: object) -> list[str]:
    """Return those of the options that a method has a use for, as they are given."""
    idle = unused(method, options)
    return [
        part
        for name, value in options.items()
        if name not in idle
        for part in (f"--{name.replace('_', '-')}", str(value))
    ]


MADE_UP = ("clump", "partition", "korolova")
"""The methods of which no line has a time of the log."""


def test_every_method_states_its_guarantee_in_one_sentence() -> None:
    for name in FIVE:
        assert METHODS[name].guarantee.endswith(".")
        assert METHODS[name].guarantee.count(". ") == 0


@pytest.mark.parametrize("method", FIVE)
def test_a_log_in_json_leaves_as_json_with_nothing_of_a_safe_field_in_made_up_lines(
    method: str, querymix: Command, folder: Path, tmp_path: Path
) -> None:
    source, released = tmp_path / "log.jsonl", tmp_path / "out.jsonl"
    texts = ("guitar lessons", "weather", "piano lessons")
    lines = [
        {
            "user": user,
            "query": text,
            "time": "2006-03-02T10:00:00Z",
            "rank": 1,
            "url": "http://w.com/x",
            "city": f"c{user}",
        }
        for user in range(400)
        for text in texts
    ]
    source.write_text("".join(json.dumps(line) + "\n" for line in lines))
    options = [
        "--format", "json", *named(method, wordnet=folder, k=5, first=3, privacy_epsilon=50, safe_fields="city"),
    ]  # fmt: skip
    told = querymix("batch", method, str(source), "-o", str(released), "--json", *options)
    assert told.exit_code == 0, told.output
    figures = json.loads(told.stdout)
    left = [json.loads(line) for line in released.read_text().splitlines()]
    assert figures["in"] == len(lines)
    assert figures["written"] == len(left) > 0
    needed = {"user", "query", "time"} | (set() if method in MADE_UP else {"city"})
    assert all(needed <= set(line) <= needed | {"rank", "url"} for line in left)
    assert {line["time"] for line in left} == {"1970-01-01T00:00:00Z" if method in MADE_UP else "2006-03-02T00:00:00Z"}


@pytest.mark.parametrize("method", FIVE)
def test_the_same_log_in_the_aol_form_comes_out_in_it(
    method: str, querymix: Command, folder: Path, made_up_log: Path, tmp_path: Path
) -> None:
    released = tmp_path / "out.tsv"
    options = named(method, wordnet=folder, k=3, users=3, first=5, privacy_epsilon=90, privacy_delta=0.4)
    told = querymix("batch", method, str(made_up_log), "-o", str(released), "--json", *options)
    assert told.exit_code == (3 if method == "korolova" else 0), (
        told.output
    )  # it releases less than 1 % of so small a log
    figures = json.loads(told.stdout)
    sums = ("released", "held", "suppressed", "unclassified", "empty", "refused")
    assert sum(figures[name] for name in sums) == figures["in"] == 4_000
    lines = released.read_text().splitlines()
    assert lines[0].startswith("AnonID\t")
    assert len(lines) - 1 == figures["written"] > 0
    assert all(line.count("\t") == 4 for line in lines)
