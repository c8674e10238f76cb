"""What is learned of a made-up click log: who enters, who leaves no trace, and that it is the same each time."""

import gzip
import random
from pathlib import Path

import pytest
from querymix.core.identifiers import Detector
from querymix.core.knowledge import CATEGORIES, FIRST_NAME, NOUN, STOP, SURNAME
from querymix.core.packed_weights import unpack
from querymix.knowledge.bundle import Bundle
from querymix.knowledge.layout import Source
from querymix.knowledge.writing import bundle_bytes, write
from querymix_lab.knowledge.compiling import compile_facts
from querymix_lab.knowledge.facts import CategoryFact, Fact, TagFact, WeightsFact
from querymix_lab.knowledge.sources.words import word_lists
from querymix_lab.knowledge.train.clicks import learn
from querymix_lab.knowledge.train.operator_facts import base_facts, facts_from, label_facts

from tests.conftest import Command

ARTS, HEALTH, SPORTS = (CATEGORIES.index(name) for name in ("Arts", "Health", "Sports"))
HOSTS = {"band.test": ARTS, "clinic.test": HEALTH, "league.test": SPORTS}
TIME = "2006-03-01 07:00:00"


def one(place: int, weight: int) -> tuple[int, ...]:
    return tuple(weight if at == place else 0 for at in range(len(CATEGORIES)))


@pytest.fixture
def base(tmp_path: Path) -> Bundle:
    facts: list[Fact] = [
        WeightsFact("goal", one(SPORTS, 80)),
        CategoryFact("goal", "Sports/Soccer", 1),
        WeightsFact("doctor", one(HEALTH, 80)),
        CategoryFact("fever", "Health", 1),
        CategoryFact("goal doctor", "Sports", 1, own=False),
        TagFact("the", STOP),
        TagFact("tune", NOUN),
        TagFact("jennifer", FIRST_NAME),
        TagFact("smith", SURNAME),
    ]
    path = tmp_path / "base.bundle"
    sources = [Source("made up", "none", len(facts))]
    write(path, bundle_bytes(compile_facts(facts), sources, one(ARTS, 3), word_lists(), b"piece weights..." * 3))
    return Bundle(path)


def log(path: Path, rows: list[tuple[str, str, str]]) -> Path:
    lines = ["AnonID\tQuery\tQueryTime\tItemRank\tClickURL"]
    lines += [f"{user}\t{query}\t{TIME}\t1\thttp://www.{host}/x" for user, query, host in rows]
    with gzip.open(path, "wt") if path.suffix == ".gz" else path.open("w") as file:
        file.write("\n".join(lines) + "\n")
    return path


def rows(query: str, host: str, users: int, first: int = 9_000_000) -> list[tuple[str, str, str]]:
    return [(str(first + number), query, host) for number in range(users)]


def learned(base: Bundle, path: Path, min_users: int = 5) -> dict[str, tuple[int, ...]]:
    return {fact.term: fact.weights for fact in learn([path], HOSTS, base, Detector(base), min_users=min_users).facts}


def best(weights: tuple[int, ...]) -> int:
    return weights.index(max(weights))


def test_a_term_that_enough_users_searched_for_gets_weights_for_what_they_clicked(base: Bundle, tmp_path: Path) -> None:
    path = log(tmp_path / "log.tsv", rows("zither tune", "band.test", 9) + rows("goal", "league.test", 9))
    found = learned(base, path)
    assert {"zither", "tune", "zither tune"} <= found.keys()
    assert best(found["zither"]) == best(found["zither tune"]) == ARTS


def test_one_user_too_few_keeps_a_term_out_however_often_they_searched(base: Bundle, tmp_path: Path) -> None:
    path = log(tmp_path / "log.tsv", rows("zither tune", "band.test", 4) * 50 + rows("lute tune", "band.test", 1))
    found = learned(base, path)
    assert found.keys() <= {"tune"}
    assert learned(base, path, min_users=6) == {}


def test_a_user_counts_once_however_often_they_click(base: Bundle, tmp_path: Path) -> None:
    some = rows("zither", "band.test", 6) + rows("fever", "clinic.test", 6)
    once = learned(base, log(tmp_path / "a.tsv", some))
    often = learned(base, log(tmp_path / "b.tsv", some + rows("zither", "band.test", 1) * 100))
    assert once == often


def test_a_host_below_a_known_one_counts_and_an_unknown_one_does_not(base: Bundle, tmp_path: Path) -> None:
    path = log(tmp_path / "a.tsv", rows("zither", "shop.band.test", 6) + rows("lute", "other.test", 6))
    result = learn([path], HOSTS, base, Detector(base))
    assert result.joined == 6
    assert [fact.term for fact in result.facts] in (["zither"], [])


def test_identifiers_long_numbers_and_stop_words_at_the_ends_are_no_terms(base: Bundle, tmp_path: Path) -> None:
    some = rows("jennifer smith zither", "band.test", 9) + rows("the zither 90210", "band.test", 9, 8_000_000)
    found = learned(base, log(tmp_path / "a.tsv", some + rows("fever", "clinic.test", 30)))
    assert found.keys() <= {"zither", "fever"}


def test_order_and_names_of_users_do_not_matter(base: Bundle, tmp_path: Path) -> None:
    some = rows("zither tune", "band.test", 7) + rows("goal tune", "league.test", 8) + rows("tune", "clinic.test", 6)
    shuffled = [(f"u{user}", query, host) for user, query, host in some]
    random.Random(1).shuffle(shuffled)
    assert learned(base, log(tmp_path / "a.tsv", some)) == learned(base, log(tmp_path / "b.tsv.gz", shuffled))


def test_a_base_that_already_expects_the_clicks_hardly_moves(base: Bundle, tmp_path: Path) -> None:
    some = rows("goal", "league.test", 40) + rows("doctor", "clinic.test", 40) + rows("zither", "band.test", 40)
    found = learned(base, log(tmp_path / "a.tsv", some))
    assert found["goal"][SPORTS] < found["zither"][ARTS]


def test_base_facts_compile_into_the_base_again(base: Bundle) -> None:
    assert dict(compile_facts(base_facts(base))) == dict(base.terms())


def test_names_of_hosts_are_terms_where_the_base_knows_no_such_word(base: Bundle) -> None:
    hosts = {"zithers.test": ARTS, "goal.test": SPORTS, "shop.lutes.test": ARTS, "abc.test": ARTS, "a-b.test": ARTS}
    assert list(label_facts(hosts, base)) == [CategoryFact("zithers", "Arts", 1.0)]


def given_files(folder: Path) -> dict[str, list[Path]]:
    some = rows("zither tune", "band.test", 9) + rows("secretword", "band.test", 4) + rows("goal", "league.test", 9)
    (folder / "hosts.tsv").write_text("band.test\tArts/Music\nleague.test\tSports\nclinic.test\tTop/Health\n")
    (folder / "titles.tsv").write_text("Top/Sports/Ski_Jumping\t7\nTop/World/Deutsch\t9\nTop/Health\t0\n")
    (folder / "terms.tsv").write_text("zithers\tArts\t3\ngoal kick\tSports\t1\n")
    return {
        "clicks": [log(folder / "log.tsv.gz", some)],
        "directory": [folder / "hosts.tsv"],
        "categories": [folder / "titles.tsv"],
        "site_terms": [folder / "terms.tsv"],
    }


def test_all_sources_add_their_facts(base: Bundle, tmp_path: Path) -> None:
    facts = [fact for _, some in facts_from(base, min_users=5, **given_files(tmp_path)) for fact in some]
    assert CategoryFact("clinic.test", "Health", 1.0) in facts
    assert CategoryFact("ski jumping", "Sports/Ski_Jumping", 1.0, own=False) in facts
    assert CategoryFact("zithers", "Arts", 3.0) in facts
    terms = dict(compile_facts(facts))
    assert terms["goal"].category == SPORTS
    assert unpack(terms["goal"].weights)[SPORTS] > 60
    assert terms["ski jumping"].path == "Sports/Ski_Jumping"


def test_the_command_is_deterministic_and_can_go_on_from_its_own_result(
    querymix: Command, base: Bundle, tmp_path: Path
) -> None:
    files = given_files(tmp_path)
    args = [part for name, (path,) in files.items() for part in (f"--{name.replace('_', '-')}", path)]
    for name in ("one", "two"):
        done = querymix("knowledge", "learn", *args, "--base", tmp_path / "base.bundle", "-o", tmp_path / name)
        assert done.exit_code == 0, done.output
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    content = (tmp_path / "one").read_bytes()
    assert b"secretword" not in content
    assert b"9000000" not in content
    assert b"zither tune" in content
    assert Bundle(tmp_path / "one").header["bias"] == list(one(ARTS, 3))
    assert bytes(Bundle(tmp_path / "one").piece_weights) == bytes(base.piece_weights) != b""
    again = querymix("knowledge", "learn", *args, "--base", tmp_path / "one", "-o", tmp_path / "three")
    assert again.exit_code == 0
    first, second = Bundle(tmp_path / "one"), Bundle(tmp_path / "three")
    assert best(tuple(unpack(second["zither"].weights))) == ARTS
    assert first.version != base.version


def test_files_that_do_not_belong_together_are_told(querymix: Command, base: Bundle, tmp_path: Path) -> None:
    path = log(tmp_path / "log.tsv", rows("zither", "other.test", 9))
    (tmp_path / "hosts.tsv").write_text("band.test\tArts\n")
    args = ["--clicks", path, "--directory", tmp_path / "hosts.tsv", "--base", tmp_path / "base.bundle"]
    done = querymix("knowledge", "learn", *args, "-o", tmp_path / "out")
    assert done.exit_code == 2
    assert "right files" in done.output
    (tmp_path / "hosts.tsv").write_text("band.test\n")
    done = querymix("knowledge", "learn", *args, "-o", tmp_path / "out")
    assert done.exit_code == 2
    assert "hosts.tsv:1" in done.output
