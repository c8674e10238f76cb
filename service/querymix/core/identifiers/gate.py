"""The first look at a query: whether it can hold an identifier at all, told from its characters and its words.

Example: "cheap hotels in amsterdam" and "windows 7" are not searched; "dr hall", "call 217-555" and "JohnSmith" are.

Rules:
- No is certain: `Detector.find` would find nothing. Yes only means that it has to look.
- A word with a tag of a name, a mark or a number that stands in identifiers, or a word that can make one of what stands
  beside it: each of them is a yes.
- A name may hide from the tags: run together ("jennifermartinez", "JohnSmith"), as a possessive ("jennifer's"), as
  initials and a surname ("j r martinez phone"), or behind a question for a person ("who is zyzzx zyzzxman").
- The search parts words at marks at which a query's words are not parted. Where it does, the answer is yes.

service/native/src/classify/gate.rs says the same of texts of ASCII, with the word lists from here: what changes here,
in `Vocabulary.is_whole`, `CASED`, `ELIDED` or one of the two `possible`, changes there too.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from querymix.core.identifiers.names.parts import CASED
from querymix.core.identifiers.names.roles import CORE_WORDS, MIN_UNSPACED, RARE_REFERENCES, SYLLABLES, Vocabulary
from querymix.core.identifiers.recognizers import ALL, age, document, email, photo, street, username
from querymix.core.identifiers.recognizers.seed_phrase import FEWEST, possible
from querymix.core.identifiers.spans import word_set
from querymix.core.identifiers.tokens import ELIDED
from querymix.core.knowledge import FIRST_NAME, HONORIFIC, Knowledge, Term

QUIET: Final = re.compile(
    r"[A-Za-z ,?!\"']*(?:(?:(?<=www)(?<![A-Za-z.]www)\.|\.(?:com|net|org|edu|gov)(?![A-Za-z.]))[A-Za-z ,?!\"']*)*|"
    r"[A-Za-z ,?!\"]*(?<![A-Za-z])(?!(?:9[0-9]|1[01][0-9])(?![0-9]))[0-9]{1,4}(?![A-Za-z0-9])[A-Za-z ,?!\"]*"
)
"""Words and usual hosts, or words and one short number that is no high age: a name may be found there, or what a word
gives away."""
DUTCH: Final = re.compile(r"[1-9][0-9]{3} +[A-Za-z]{2}")
"""A Dutch postcode, which is one where it is all of a query."""
NAME_TAGS: Final = FIRST_NAME | HONORIFIC
"""A name needs one of these, and a word more: a surname or a given name alone is no identifier. What needs none of them
is told by its words."""
LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz")
SPELLED: Final = email.AT_WORDS | {"dot"}
"""Words of addresses that are spelled out."""
COUPLED: Final = word_set(
    "anniversary engagement marriage married registry wedding weddings hochzeit verlobung trauung mariage fiancailles "
    "boda bodas casamento nozze matrimonio bruiloft huwelijk"
)
"""Words beside which two surnames are a couple: the knowledge's list `name-weddings`."""
TOLD: Final = SPELLED | COUPLED | SYLLABLES | age.WORDS | username.WORDS
"""Words that can make an identifier of letters."""
CUES: Final = TOLD.union(
    photo.CAMERAS, street.CUES, document.SHORT_NUMBERED, *(one.words for one in ALL if one.digits <= 4)
)
"""Words that can make an identifier of a short number; an age shows by its number."""
WITHOUT_FIGURES: Final = frozenset[str]().union(*(one.words for one in ALL if one.digits == 0))
"""Those that can make one without any."""


class Lists(NamedTuple):
    """Words of a knowledge base that the first look asks for."""

    core: frozenset[str]
    """Words that make a name of what stands beside them."""
    private: frozenset[str]
    """Words of private persons, beside which initials and a surname are a name."""
    asking: frozenset[str]
    """Pairs of words that ask for a person."""


def lists(knowledge: Knowledge) -> Lists:
    """Return the words that the first look at queries asks for."""
    words = knowledge.words
    core = words("name-titles") | words("name-trades") | words("name-honorifics") | words("name-cues")
    return Lists(CORE_WORDS | core, words("name-private") | words("name-trades"), words("name-asking"))


class Gate:
    """Says whether a query can hold an identifier, asking a knowledge base for its lists."""

    def __init__(self, knowledge: Knowledge, vocabulary: Vocabulary) -> None:
        self._knowledge = knowledge
        self._vocabulary = vocabulary
        core, self._private, self._asking = lists(knowledge)
        self._told, self._cues = TOLD | core, CUES | core
        perhaps = self._private.union(pair.partition(" ")[0] for pair in self._asking)
        self._hints, self._hints_of_numbers = self._told | perhaps, self._cues | perhaps
        """Words without which `_tells` says no."""

    def suspicious(self, text: str, words: Sequence[str], terms: Sequence[Term]) -> bool:
        """Return whether `text` can hold an identifier.

        `words` are its words (`querymix.core.text.words`), `terms` what is known of each of them.
        """
        if not text.isascii():
            return True
        tags, whole = 0, False
        for word, term in zip(words, terms):  # noqa: B905 - they are as many, and this is each query's
            tags |= term.tags
            if len(word) >= MIN_UNSPACED and term.references < RARE_REFERENCES:
                whole = whole or self._vocabulary.is_whole(word, term)
        if (tags & NAME_TAGS and not text.isalpha()) or whole or not (text.islower() or CASED.search(text) is None):
            return True
        if text.replace(" ", "").isalpha():
            if len(words) == 1:
                return False
            told = not self._hints.isdisjoint(words) and self._tells(words, self._told)
        else:
            told = (
                QUIET.fullmatch(text) is None
                or (not self._hints_of_numbers.isdisjoint(words) and self._tells(words, self._cues))
                or street.ended.possible(words)
                or DUTCH.fullmatch(text) is not None
                or ("'" in text and self._hides(words))
            )
        return told or (len(words) >= FEWEST and possible(words))

    def _tells(self, words: Sequence[str], told: frozenset[str]) -> bool:
        """Return whether words without a tag of a name may make an identifier."""
        return (
            not told.isdisjoint(words)
            or " ".join(words[:2]) in self._asking
            or not (LETTERS.isdisjoint(words) or self._private.isdisjoint(words))
        )

    def _hides(self, words: Sequence[str]) -> bool:
        """Return whether words with an apostrophe may be other ones to the search that make an identifier."""
        bare = [word.removesuffix("'s") for word in words]
        for word, rest in zip(words, bare, strict=True):
            if "'" in word:
                if "." in word or word.count("'") > 1:
                    return True  # the search parts it elsewhere, or more than once
                if word == rest and ELIDED.sub("", word) in WITHOUT_FIGURES:
                    return True
        if bare == words:
            return False
        terms = list(map(self._knowledge.__getitem__, bare))
        whole = any(map(self._vocabulary.is_whole, bare, terms))
        return whole or any(term.tags & NAME_TAGS for term in terms) or self._tells(bare, self._cues)
