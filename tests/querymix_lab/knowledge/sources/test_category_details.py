"""A dictionary's kinds are levels below a category; no place has any, and a term of several kinds what they share."""

from pathlib import Path

import pytest
from querymix.core.knowledge import Term
from querymix_lab.knowledge.compiling import compile_facts
from querymix_lab.knowledge.facts import CategoryFact, Fact
from querymix_lab.knowledge.sources.senses import Categories, sense_facts
from querymix_lab.knowledge.sources.wordnet import WordNet

from tests.querymix_lab.knowledge import made

NOUNS = """\
00000001 03 n 01 entity 0 000 | all
00000002 04 n 01 play 0 001 @ 00000001 n 0000 | the anchor
00000003 04 n 01 ball_game 0 001 @ 00000002 n 0000 | a kind with kinds
00000004 04 n 02 bowls 0 lawn/bowling 0 001 @ 00000003 n 0000 | a kind with a kind, and a stroke in a name
00000005 04 n 01 short_bowls 0 001 @ 00000004 n 0000 | no kind of its own
00000006 04 n 02 catch 0 short_bowls 0 001 @ 00000003 n 0000 | no kind of its own
00000007 15 n 01 town 0 001 @ 00000001 n 0000 | a place
00000008 15 n 01 port 0 001 @ 00000007 n 0000 | a place
00000009 15 n 01 free_port 0 001 @ 00000008 n 0000 | a place
00000010 03 n 01 thing 0 001 @ 00000001 n 0000 | without an anchor
00000011 18 n 01 person 0 001 @ 00000001 n 0000 | what every dictionary has
"""
INDEX = {
    "entity": [1], "play": [2], "ball_game": [3], "bowls": [4], "short_bowls": [5, 6], "catch": [6], "town": [7],
    "port": [8], "free_port": [9], "thing": [10], "person": [11],
}  # fmt: skip


@pytest.fixture
def found(tmp_path: Path) -> dict[str, Term]:
    """The terms of a small dictionary with two anchors."""
    folder = made.wordnet_folder(tmp_path / "wordnet")
    index = "".join(
        f"{lemma} n {len(keys)} 1 @ {len(keys)} 0 {' '.join(f'{key:08}' for key in keys)}\n"
        for lemma, keys in INDEX.items()
    )
    (folder / "data.noun").write_text(made.LICENCE + NOUNS)
    (folder / "index.noun").write_text(made.LICENCE + index)
    (folder / "cntlist.rev").write_text("")
    (tmp_path / "wordnet-anchors.tsv").write_text("play#1\tSports/Play\ntown#1\tRegional\n")
    (tmp_path / "wordnet-files.tsv").write_text("3\tScience\t0.5\n")
    wordnet = WordNet(folder)
    words = {word for lemma in INDEX for word in lemma.split("_")}
    return dict(compile_facts(sense_facts(wordnet, Categories(wordnet, tmp_path), words)))


@pytest.mark.parametrize(
    ("term", "path"),
    [
        ("play", "Sports/Play"),
        ("ball game", "Sports/Play/Ball_Game"),
        ("bowls", "Sports/Play/Ball_Game/Bowls"),
        ("catch", "Sports/Play/Ball_Game"),
        ("short bowls", "Sports/Play/Ball_Game/Bowls"),  # its first sense is the commoner one
        ("free port", "Regional"),
        ("thing", "Science"),
    ],
)
def test_each_kind_with_kinds_of_its_own_is_a_level(found: dict[str, Term], term: str, path: str) -> None:
    assert found[term].path == path


def compiled(facts: list[Fact]) -> str:
    return dict(compile_facts(facts))["term"].path


def test_a_detail_counts_nowhere_and_belongs_to_the_path_that_it_was_given_with() -> None:
    facts: list[Fact] = [
        CategoryFact("term", "Sports/Play", 1.0, detail="Sports/Play/Ball_Game"),
        CategoryFact("term", "Sports/Other", 1.5),
        CategoryFact("term", "Arts", 2.0, detail="Arts/Play/Stage"),
    ]
    assert compiled(facts) == "Sports/Other"
    assert compiled([*facts, CategoryFact("term", "Sports/Play", 1.0)]) == "Sports/Play/Ball_Game"


def test_sources_that_differ_in_detail_leave_what_they_share() -> None:
    details = ("Sports/Play/Ball_Game/Bowls", "Sports/Play/Ball_Game/Catch")
    facts: list[Fact] = [CategoryFact("term", "Sports/Play", 1.0, detail=detail) for detail in details]
    assert compiled(facts) == compiled(facts[::-1]) == "Sports/Play/Ball_Game"
