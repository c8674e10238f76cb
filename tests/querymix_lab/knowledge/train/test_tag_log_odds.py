"""Tag log-odds are learned from tagged texts that are made up; the tagger here is a made-up rule."""

from array import array
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import numpy  # noqa: F401 - what is tested needs it: without it the module is skipped
import wordsegment  # noqa: F401 - what is tested needs it: without it the module is skipped
from querymix.core.grammar import OWN, TO_NEXT, TO_PREVIOUS
from querymix_lab.knowledge.sources.files import rows
from querymix_lab.knowledge.sources.tags import COLUMNS
from querymix_lab.knowledge.train.query_texts import EDGE, LONGEST, Texts
from querymix_lab.knowledge.train.tag_log_odds import MIN_SEEN, Tagged, lines, log_odds

from tests.querymix_lab.knowledge import made


def tag(texts: Sequence[str]) -> Tagged:
    """Tag texts: "cook" is a noun but after "to", "garden" always is one, all other words never are."""
    numbers = {EDGE: 0}
    found = Tagged([], *(array("i") for _ in range(4)))
    for text in texts:
        words = [EDGE, *text.split(), EDGE]
        for before, here, after in zip(words, words[1:], words[2:], strict=False):
            for part, word in zip(found[1:4], (before, here, after), strict=True):
                part.append(numbers.setdefault(word, len(numbers)))
            found.content.append(here == "garden" or (here == "cook" and before != "to"))
    found.words.extend(numbers)
    return found


def itself(word: str) -> tuple[str]:
    return (word,)


def test_what_a_word_adds_to_the_next_one_is_learned() -> None:
    found = log_odds(tag(["cook", "to cook", "the cook", "to garden", "the garden", "garden"] * 2_000), itself)
    own, _, _ = found["cook"]
    assert found["to"][1] < 0
    assert own + found["to"][1] < 0 <= own + found["the"][1]
    assert found["garden"][0] > own
    assert all(
        number in bounds
        for numbers in found.values()
        for number, bounds in zip(numbers, (OWN, TO_NEXT, TO_PREVIOUS), strict=True)
    )


def test_edges_numbers_and_words_seen_too_seldom_are_not_listed() -> None:
    assert set(log_odds(tag(["garden 2006"] * MIN_SEEN + ["cook"]), itself)) == {"garden"}


def test_a_rare_word_gets_the_numbers_of_words_with_its_ending() -> None:
    def by_ending(word: str) -> tuple[str, str]:
        return word, word[-3:]

    texts = [*(f"{letter}{letter}den" for letter in "abcdefgh"), "garden", *(f"{x}{x}ing" for x in "abcdefgh")] * 9
    found = log_odds(tag([*texts, *["zzing"] * 3]), by_ending)
    assert found["zzing"][0] < 0


def test_the_same_texts_give_the_same_list_and_its_lines_are_read_back(tmp_path: Path) -> None:
    texts = ["cook", "to cook", "the cook book", "the garden of books"] * 9
    found = log_odds(tag(texts), itself)
    assert found == log_odds(tag(texts), itself)
    file = tmp_path / "tag-log-odds.tsv"
    file.write_text("\n".join(lines(found)) + "\n")
    read = {word: tuple(map(int, numbers)) for _, (*numbers, words) in rows(file, COLUMNS) for word in words.split()}
    assert read == found


def test_texts_hold_their_word_are_short_and_the_same_each_time(tmp_path: Path) -> None:
    inputs = made.inputs(tmp_path)
    texts = Texts(inputs, seed=3)
    some = [texts.about("racket") for _ in range(200)]
    again = Texts(inputs, seed=3)
    assert some == [again.about("racket") for _ in range(200)]
    assert all("racket" in text and len(text) <= LONGEST for text in some)
    assert ["racket"] in some
    assert all(len(text) <= LONGEST for text in islice(texts, 100))


def test_the_features_of_a_word_are_itself_its_endings_and_its_kind(tmp_path: Path) -> None:
    texts = Texts(made.inputs(tmp_path), seed=1)
    assert texts.features(EDGE) == (EDGE,)
    assert texts.features("gardening")[:4] == ("gardening", "-ng", "-ing", "-ning")
    assert len({texts.features(word)[4] for word in ("2006", "mp3", "the", "goose", "fast", "zyzzx", "racket")}) == 7
