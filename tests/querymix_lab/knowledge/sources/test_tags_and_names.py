"""Which words are no units, which names are tagged, and who is famous. All data is made up."""

from pathlib import Path

import pytest
from querymix.core.grammar import content, tag_log_odds
from querymix.core.knowledge import ADJECTIVE, COMMON, FIRST_NAME, HONORIFIC, NOUN, STOP, SURNAME, Term
from querymix_lab.knowledge.facts import CategoryFact, Fact, TagFact
from querymix_lab.knowledge.sources.files import LISTS, SourceError
from querymix_lab.knowledge.sources.people import is_everyday, name_facts, rare_surname_facts
from querymix_lab.knowledge.sources.tags import FUNCTION_WORDS, TAG_LOG_ODDS, log_odds_facts, without_units
from querymix_lab.knowledge.sources.words import plain_list, word_lists

LISTS_OF_NAMES = word_lists()


def test_a_word_that_is_no_unit_loses_noun_and_adjective_and_keeps_the_rest() -> None:
    facts: list[Fact] = [
        TagFact("make", NOUN | COMMON),
        TagFact("garden", NOUN),
        CategoryFact("make", "Business", 1.0),
        TagFact("make do", NOUN | ADJECTIVE),
    ]
    assert list(without_units(facts, {"make"})) == [
        TagFact("make", COMMON | STOP),
        TagFact("garden", NOUN),
        CategoryFact("make", "Business", 1.0),
        TagFact("make do", NOUN | ADJECTIVE),
    ]


def test_only_words_that_are_known_have_tag_log_odds(tmp_path: Path) -> None:
    file = tmp_path / "tag-log-odds.tsv"
    file.write_text("# own, before, after\n-3\t2\t-1\tmake zyzzx find\n5\t0\t0\tgarden\n")
    assert list(log_odds_facts(file, {"make", "garden"})) == [
        TagFact("make", tag_log_odds(-3, 2, -1)),
        TagFact("garden", tag_log_odds(5, 0, 0)),
    ]


@pytest.mark.parametrize("numbers", ["16\t0\t0", "0\t0\tx", "0\t10\t0", "0\t0\t-4"])
def test_a_line_without_tag_log_odds_is_named(tmp_path: Path, numbers: str) -> None:
    file = tmp_path / "tag-log-odds.tsv"
    file.write_text(f"0\t0\t0\tgarden\n{numbers}\tmake\n")
    with pytest.raises(SourceError, match=r"tag-log-odds\.tsv:2: no tag log-odds"):
        list(log_odds_facts(file, {"make"}))


def test_each_word_is_listed_once_and_the_word_before_tells_verbs_from_nouns() -> None:
    found = list(log_odds_facts(LISTS / TAG_LOG_ODDS, _Everything()))
    listed = {fact.term: fact.tags for fact in found}
    assert len(listed) == len(found) > 40_000

    def noun(text: str) -> bool:
        """Say whether the last word is one."""
        return content([Term(listed[word]) for word in text.split()])[-1]

    assert noun("the cook")
    assert not noun("how to cook")
    assert noun("tax returns")
    assert not noun("she returns")


class _Everything(set[str]):
    """A set that holds every word."""

    def __contains__(self, word: object) -> bool:
        return True


def test_no_given_name_but_a_stop_word_is_in_the_list() -> None:
    listed, stop = set(plain_list(LISTS / FUNCTION_WORDS)), set(plain_list(LISTS / "stop.txt"))
    assert not (listed - stop) & (LISTS_OF_NAMES["given-sure"] | LISTS_OF_NAMES["given-possible"])
    assert {"in", "make"} <= listed


def test_all_that_the_detector_takes_for_a_name_or_a_title_is_tagged() -> None:
    tags: dict[str, int] = {}
    for fact in name_facts({"zelmira": 0.1, "star": 0.1}, {"quackenbush": 0.1}, {"the"}, {"star"}):
        tags[fact.term] = tags.get(fact.term, 0) | fact.tags
    assert all(
        tags[name] & FIRST_NAME
        for name in (*LISTS_OF_NAMES["given-sure"], *LISTS_OF_NAMES["given-possible"], "zelmira")
    )
    assert all(tags[word] & HONORIFIC for word in LISTS_OF_NAMES["name-honorifics"] | LISTS_OF_NAMES["name-titles"])
    assert "star" not in tags
    assert tags["quackenbush"] == SURNAME


def test_a_name_that_thousands_bear_is_no_topic_unless_the_web_holds_it() -> None:
    first, last = {"jo": 3.0, "zelmira": 0.002}, {"doe": 1.0}
    assert is_everyday("jo doe", first, last, [])
    assert not is_everyday("jo doe", first, last, [("jo", "doe")])
    assert not is_everyday("zelmira doe", first, last, [])
    assert not is_everyday("jo doe park", first, last, [])


def test_a_rare_surname_is_tagged_where_the_web_has_no_such_word(tmp_path: Path) -> None:
    file = tmp_path / "surnames"
    file.write_text("DOE 1.000 1.000 1\nZYZZXMAN 0.000 1.000 2\nRAREBRAND 0.000 1.000 3\n")
    assert list(rare_surname_facts(file, {"rarebrand"})) == [TagFact("zyzzxman", SURNAME)]
