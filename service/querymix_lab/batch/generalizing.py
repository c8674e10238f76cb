"""What Clump and Partition share: from a log to bags of nouns, and from clusters of these to what leaves.

Rules:
- A user's transaction is the bag of the nouns of all its queries: words of WordNet, in their most frequent meaning,
  plurals as their singular, without function words. What is no noun is suppressed.
- The taxonomy is what WordNet has above the log's nouns; of several more general synsets the first counts.
- What leaves is one line for each generalized term, under each user of the cluster: the synset's first word, with no
  other field, and for all users the same time, which no log changes (made_rows.py).
- A query counts as generalized where at least one of its nouns has a term that stands for it; the lines beyond one a
  query count as added.

Source: Milani Fard and Wang 2010, "An effective clustering approach to web query log anonymization", section 5.1.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from querymix.core.errors import ConfigError
from querymix.core.text import words

from querymix_lab.batch.base import Log, Options, Outcome, check_users
from querymix_lab.batch.made_rows import general
from querymix_lab.batch.taxonomy import Taxonomy
from querymix_lab.knowledge.sources.files import LISTS
from querymix_lab.knowledge.sources.wordnet import WordNet
from querymix_lab.knowledge.sources.words import plain_list

_ENDINGS: Final = (
    ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"), ("ies", "y"),
)  # fmt: skip
"""WordNet's own rules for plurals (man 7 morphy)."""


class Group(NamedTuple):
    """A cluster of transactions, and what all of them are generalized to."""

    members: list[int]
    nodes: list[int]


Cluster = Callable[[Sequence[Sequence[int]], Taxonomy], list[Group]]


class Nouns:
    """The nouns of WordNet, as keys of synsets."""

    def __init__(self, folder: Path) -> None:
        """Read WordNet. Raises ConfigError where it is not in `folder`."""
        try:
            self._wordnet = WordNet(folder)
        except OSError:
            raise ConfigError(
                f"no WordNet 3.0 in {folder}, which this method takes its taxonomy from: apt-get install wordnet-base "
                "(Debian), or name its folder with --wordnet"
            ) from None
        self._stop = frozenset(plain_list(LISTS / "stop.txt"))
        self._singular = {plural: lemma for lemma, plurals in self._wordnet.plurals.items() for plural in plurals}
        self._known: dict[str, str] = {}

    def of(self, text: str) -> list[str]:
        """Return the synsets of a text's nouns."""
        return [key for word in words(text) if (key := self._key(word))]

    def _key(self, word: str) -> str:
        """Return the synset of a word's first meaning, empty where it is no noun."""
        if word not in self._known:
            self._known[word] = next(self._found(word), "")
        return self._known[word]

    def _found(self, word: str) -> Iterator[str]:
        if len(word) < 2 or word in self._stop or not word[0].isalpha():  # a letter is no term
            return
        lemmas = [word, self._singular.get(word, "")]
        lemmas += [word.removesuffix(old) + new for old, new in _ENDINGS if word.endswith(old)]
        for lemma in lemmas:
            if senses := self._wordnet.senses["noun"].get(lemma):
                yield senses[0].key

    def taxonomy(self, keys: Iterable[str]) -> tuple[Taxonomy, dict[str, int]]:
        """Return the tree of these synsets and all above them, and each one's node."""
        numbers: dict[str, int] = {}
        parents: list[int] = []
        above = self._wordnet.synsets
        for key in sorted(keys):
            path = [key]
            while path[-1] not in numbers and (more := above[path[-1]].parents):
                path.append(more[0])
            for each in reversed(path):
                if each not in numbers:
                    general = above[each].parents
                    numbers[each] = len(parents)
                    parents.append(numbers[general[0]] if general else -1)
        names = [above[key].words[0] for key in numbers]
        return Taxonomy(parents, names), numbers


def generalize(log: Log, options: Options, cluster: Cluster) -> Outcome:
    """Return the outcome of a clustering of the log's transactions."""
    nouns = Nouns(options.wordnet)
    terms = {user: [nouns.of(row.query.text) for row in rows] for user, rows in log.users.items()}
    terms = {user: lines for user, lines in terms.items() if any(lines)}
    check_users(Log([row for user in terms for row in log.users[user]]), options.k)
    taxonomy, numbers = nouns.taxonomy({key for lines in terms.values() for line in lines for key in line})
    users = list(terms)
    by_line = [[[numbers[key] for key in line] for line in terms[user]] for user in users]
    transactions = [[item for line in lines for item in line] for lines in by_line]
    groups = cluster(transactions, taxonomy)
    nodes = {member: group.nodes for group in groups for member in group.members}
    rows = [
        general(users[member], taxonomy.names[node])
        for member in range(len(users))
        for node in sorted(nodes[member], key=taxonomy.names.__getitem__)
    ]
    found = sum(represented(by_line[member], nodes[member], taxonomy) for member in range(len(users)))
    lines = len(log.rows)
    account = log.account(generalized=found, suppressed_by_method=lines - found, added=len(rows) - found)
    notes = [f"{len(log.users) - len(users):,} users asked nothing with a noun of WordNet: nothing leaves under them"]
    return Outcome(
        Log(rows), account, [tuple(users[member] for member in group.members) for group in groups],
        notes if len(users) < len(log.users) else [], figures(groups, transactions, taxonomy),
    )  # fmt: skip


def represented(lines: Sequence[Sequence[int]], nodes: Sequence[int], taxonomy: Taxonomy) -> int:
    """Return how many of a user's queries have a noun that one of the generalized terms stands for, each for one."""
    items = [(number, item) for number, line in enumerate(lines) for item in line]
    under: dict[int, list[int]] = {}
    for at, (_, item) in enumerate(items):
        for node in taxonomy.path(item):
            under.setdefault(node, []).append(at)
    taken: set[int] = set()
    for node in sorted(nodes, key=taxonomy.level, reverse=True):  # so that none takes what only a more special one can
        places = under[node]
        while places[-1] in taken:
            places.pop()
        taken.add(places.pop())
    return len({items[at][0] for at in taken})


def figures(groups: Sequence[Group], transactions: Sequence[Sequence[int]], taxonomy: Taxonomy) -> dict[str, float]:
    """Return the paper's quality indicators: distortion, and mean length and level, of bags and of sets."""
    sizes = [len(group.members) for group in groups]
    bags = [(len(group.members), group.nodes) for group in groups]
    sets = [(size, sorted(set(nodes))) for size, nodes in bags]
    groups_ = [[transactions[at] for at in group.members] for group in groups]
    distortion, of_sets = (
        sum(map(taxonomy.loss_of, groups_, (nodes for _, nodes in some)), start=0.0) for some in (bags, sets)
    )
    items = max(1, sum(map(len, transactions)))
    return {
        "distortion": distortion,
        "distortion_per_item": distortion / items,
        "distortion_per_item_without_repetitions": of_sets / items,
        "items": sum(map(len, transactions)),
        "terms_of_the_taxonomy": len(taxonomy.names),
        "average_length": sum(size * len(nodes) for size, nodes in bags) / sum(sizes),
        "average_level": _level(bags, taxonomy),
        "average_length_without_repetitions": sum(size * len(nodes) for size, nodes in sets) / sum(sizes),
        "average_level_without_repetitions": _level(sets, taxonomy),
    }


def _level(some: Iterable[tuple[int, Sequence[int]]], taxonomy: Taxonomy) -> float:
    levels = [(size, taxonomy.level(node)) for size, nodes in some for node in nodes]
    return sum(size * level for size, level in levels) / max(1, sum(size for size, _ in levels))
