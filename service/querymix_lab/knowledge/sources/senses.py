"""Categories and tags of the words that WordNet knows.

Rules:
- A noun sense has the category of the nearest anchor (lists/wordnet-anchors.tsv) among itself and what it is a kind
  or an instance of, nearest by steps; without one that of its lexicographer file (lists/wordnet-files.tsv), if any.
- Where WordNet marks a sense's topic ("(baseball) ..."), the topic's category counts instead, unless the sense's own
  anchor lies within `NEAR` steps. An adjective has the category of the nouns that it pertains to, and of its topic.
- A sense's path has a level more for each kind between the anchor and itself ("Recreation/Pets/Dogs/Hunting_Dog"); of a
  lemma's senses in one category, as deep as most of their use is.
- A lemma's counts sum to at most `WEIGHT`, shared among its senses as they are used. Each plural form has the same.
- COMMON: at least one sense is written in lower case, or it is a verb's form or an adverb. FAMOUS: a person's name of
  several words.

Source: Princeton WordNet 3.0; the anchors and file weights are this package's own.
"""

from collections import deque
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

from querymix.core.knowledge import ADJECTIVE, COMMON, FAMOUS, LONGEST_UNIT, NOUN

from querymix_lab.knowledge.category_paths import certain, named
from querymix_lab.knowledge.facts import CategoryFact, TagFact
from querymix_lab.knowledge.sources.files import LISTS, SourceError, rows
from querymix_lab.knowledge.sources.wordnet import WordNet, plural
from querymix_lab.knowledge.sources.words import plain, written

WEIGHT: Final = 10.0
NEAR: Final = 2
_MIN: Final = 0.05
REGIONAL: Final = "Regional"
_OF_ADJECTIVE: Final = ("\\", ";c", "+", "=")
_NO_CATEGORY: Final = ("", 0.0)


class Categories:
    """Gives each synset its category."""

    def __init__(self, wordnet: WordNet, folder: Path = LISTS) -> None:
        """Read the anchors and file weights under `folder`; raises SourceError where an anchor is no noun sense."""
        self._wordnet = wordnet
        self._anchors: dict[str, tuple[str, float]] = {}
        anchors = folder / "wordnet-anchors.tsv"
        for number, name, category in _table(anchors):
            try:
                self._anchors[wordnet.sense(name)] = category
            except KeyError:
                raise SourceError(f"{anchors}:{number}: WordNet has no such noun sense; correct it") from None
        self._files = {int(name): category for _, name, category in _table(folder / "wordnet-files.tsv")}
        self._person = wordnet.sense("person#1")
        self._found: dict[str, tuple[str, float, int]] = {}
        self._people: dict[str, bool] = {}

    def of_noun(self, key: str) -> tuple[str, float]:
        """Return the path and weight of a noun synset, ("", 0.0) where it has none."""
        path, weight, steps = self._nearest(key)
        if steps > NEAR:
            for symbol, target in self._wordnet.synsets[key].pointers:
                if symbol == ";c" and target.startswith("n"):
                    topic, topic_weight, _ = self._nearest(target)
                    if topic:
                        return topic, topic_weight
        return (path, weight) if path else self._files.get(self._wordnet.synsets[key].file, _NO_CATEGORY)

    def of_adjective(self, key: str) -> tuple[str, float]:
        """Return the path and weight of an adjective synset, ("", 0.0) where it has none."""
        pointers = self._wordnet.synsets[key].pointers
        for wanted in _OF_ADJECTIVE:
            for symbol, target in pointers:
                if symbol == wanted and target.startswith("n"):
                    path, weight = self.of_noun(target)
                    if path:
                        return path, weight * (0.8 if wanted in _OF_ADJECTIVE[:2] else 0.5)
        return _NO_CATEGORY

    def detail(self, key: str, path: str) -> str:
        """Return the path of a noun synset of the category `path`, with a level for each kind below its anchor.

        A synset without kinds of its own is no level; the path is `path` where no anchor gave it.
        """
        at = key
        kinds: list[str] = []
        while at not in self._anchors:
            kinds.append(at)
            above = [parent for parent in self._wordnet.synsets[at].parents if self._nearest(parent)[0]]
            if not above:
                return path
            at = min(above, key=lambda parent: self._nearest(parent)[2])
        if self._anchors[at][0] != path:
            return path
        levels = [self._wordnet.synsets[kind].words[0] for kind in reversed(kinds) if kind in self._wordnet.with_kinds]
        return "/".join([path, *map(named, levels)])

    def is_person(self, key: str) -> bool:
        """Tell whether a synset is one person, not a kind of person."""
        for symbol, target in self._wordnet.synsets[key].pointers:
            if symbol == "@i":
                if target not in self._people:
                    self._people[target] = any(at == self._person for at, _ in self._ancestors(target))
                if self._people[target]:
                    return True
        return False

    def _nearest(self, key: str) -> tuple[str, float, int]:
        """Return path, weight and steps of the nearest anchor; an empty path and many steps where there is none."""
        anchor = self._found.get(key)
        if anchor is None:
            anchored = ((*self._anchors[at], steps) for at, steps in self._ancestors(key) if at in self._anchors)
            anchor = self._found[key] = next(anchored, ("", 0.0, len(self._anchors)))
        return anchor

    def _ancestors(self, key: str) -> Iterator[tuple[str, int]]:
        """Yield `key` and all that it is a kind of, with the steps to it, nearest first."""
        seen = {key}
        queue = deque([(key, 0)])
        while queue:
            at, steps = queue.popleft()
            yield at, steps
            for parent in self._wordnet.synsets[at].parents:
                if parent not in seen:
                    seen.add(parent)
                    queue.append((parent, steps + 1))


def sense_facts(wordnet: WordNet, categories: Categories, words: Collection[str]) -> Iterator[CategoryFact | TagFact]:
    """Yield the facts of each lemma whose words are all among `words` (those seen on the web)."""
    for kind in ("noun", "adj"):
        for lemma in wordnet.senses[kind]:
            parts = plain(lemma).split()
            if len(parts) <= LONGEST_UNIT and all(part in words for part in parts):
                yield from _lemma_facts(wordnet, categories, kind, lemma, words)
    for word in sorted(wordnet.other_words):
        if word in words:
            yield TagFact(word, COMMON)


def _lemma_facts(
    wordnet: WordNet, categories: Categories, kind: str, lemma: str, words: Collection[str]
) -> Iterator[CategoryFact | TagFact]:
    term = plain(lemma)
    tags = NOUN if kind == "noun" else ADJECTIVE
    counts: dict[str, float] = {}
    details: dict[str, dict[str, float]] = {}
    for sense in wordnet.senses[kind][lemma]:
        path, weight = categories.of_noun(sense.key) if kind == "noun" else categories.of_adjective(sense.key)
        if path:
            counts[path] = counts.get(path, 0.0) + WEIGHT * weight * sense.share
            placed = kind != "noun" or path.partition("/")[0] == REGIONAL  # where a place is says more than its kind
            detail = path if placed else categories.detail(sense.key, path)
            inside = details.setdefault(path, {})
            inside[detail] = inside.get(detail, 0.0) + sense.share
        if lemma in wordnet.synsets[sense.key].words:
            tags |= COMMON
        elif kind == "noun" and " " in term and categories.is_person(sense.key):
            tags |= FAMOUS
    forms = dict.fromkeys((term, *written(lemma)))
    if kind == "noun" and tags & COMMON:
        forms.update(dict.fromkeys(_plurals(wordnet, lemma, term, words)))
    for form in forms:
        yield TagFact(form, tags)
        for path, count in counts.items():
            if count >= _MIN:
                yield CategoryFact(form, path, round(count, 2), detail=certain(details[path], path))


def _plurals(wordnet: WordNet, lemma: str, term: str, words: Collection[str]) -> Iterator[str]:
    """Yield the plural forms of a lemma; a regular form only where the web has its last word."""
    exceptions = wordnet.plurals.get(lemma, [])
    yield from exceptions
    regular = plural(term)
    if not exceptions and regular.rpartition(" ")[2] in words and regular not in wordnet.senses["noun"]:
        yield regular


def _table(path: Path) -> Iterator[tuple[int, str, tuple[str, float]]]:
    """Yield line number, name, and category path and weight, the weight 1 where it is left out."""
    for number, (name, category, *weight) in rows(path, "name path weight", least=2):
        yield number, name, (category, float(weight[0]) if weight else 1.0)
