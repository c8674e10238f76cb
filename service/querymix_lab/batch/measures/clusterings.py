"""What data mining finds in a released log that it found in the original: partitions of the users, compared.

Rules:
- A partition is one label a user, in the order of the original's users; users of whom nothing leaves are one more
  group, since there is nothing to tell them apart.
- Numbers of clusters are chosen on the original alone, by the Calinski-Harabasz index.

Sources: thesis (Erola 2013), sections 5.3.2.4 (Jaccard and Rand index of k-means) and 5.5.2.1 (IL).
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from sklearn.cluster import KMeans
from sklearn.feature_extraction import DictVectorizer
from sklearn.metrics.cluster import pair_confusion_matrix
from sklearn.preprocessing import normalize

from querymix_lab.batch.base import Log
from querymix_lab.batch.measures.information import entropy
from querymix_lab.batch.measures.views import View, by_user

Labels = Sequence[int] | npt.NDArray[np.integer[Any]]
Distances = npt.NDArray[np.float32]


class Agreement(NamedTuple):
    """How far two partitions agree; 1 where they are the same."""

    jaccard: float
    rand: float


def agreement(one: Labels, other: Labels) -> Agreement:
    """Return the Jaccard and Rand index of two partitions of the same users; 1 where there are no pairs."""
    (apart, first), (second, both) = pair_confusion_matrix(one, other).tolist()
    together = first + second + both
    every = together + apart
    return Agreement(both / together if together else 1.0, (both + apart) / every if every else 1.0)


def partition_distance(one: Labels, other: Labels) -> float:
    """Return formula 5.17: 0 for the same partition, 1 for two that tell nothing of each other."""
    joint = entropy(Counter(zip(map(int, one), map(int, other), strict=True)))
    if not joint:
        return 0.0
    return (2 * joint - entropy(Counter(map(int, one))) - entropy(Counter(map(int, other)))) / joint


def k_means(original: Log, released: Log, view: View, clusters: int, seed: int = 1) -> tuple[Labels, Labels]:
    """Return the users' clusters by k-means in both logs: the counts of `view`, each user at length 1.

    All users are one cluster where the original has nothing to count.
    The thesis clusters by its own user distance; counts are what any consumer has.
    """
    before, after = by_user(original, view), by_user(released, view)
    features = DictVectorizer(dtype=np.float32)
    names = {thing: str(number) for number, thing in enumerate(dict.fromkeys(t for c in before.values() for t in c))}
    if not names:  # there is nothing to tell anybody apart by
        return [0] * len(before), [0] * len(before)
    features.fit([dict.fromkeys(names.values(), 1)])
    labels = []
    for counts in (before, after):
        rows = [{names[t]: n for t, n in counts.get(user, Counter()).items() if t in names} for user in before]
        table = normalize(features.transform(rows))
        wanted = min(clusters, len(before))
        labels.append(KMeans(wanted, n_init=1, random_state=seed, init="random").fit_predict(table))
    return labels[0], labels[1]


def hierarchical(distances: Distances, clusters: int) -> Labels:
    """Return the users' clusters by average linkage over their distances, n by n."""
    if len(distances) == 1:
        return [1]
    tree = linkage(squareform(distances, checks=False), "average")
    labels: npt.NDArray[np.int32] = fcluster(tree, clusters, "maxclust")
    return labels


def calinski_harabasz(distances: Distances, labels: Labels) -> float:
    """Return the Calinski-Harabasz index from distances alone: exact where they are Euclidean. 0 for one cluster.

    The scatter around the mean of n points is the sum of all squared distances between them over 2n.
    """
    squares = distances.astype(np.float64) ** 2
    count = len(squares)
    places = [np.flatnonzero(np.asarray(labels) == label) for label in np.unique(labels)]
    within = sum(squares[np.ix_(place, place)].sum() / (2 * len(place)) for place in places)
    between = squares.sum() / (2 * count) - within
    groups = len(places)
    if groups < 2 or groups == count or within <= 0:
        return 0.0
    return float((between / (groups - 1)) / (within / (count - groups)))


def best_number(distances: Distances, candidates: Sequence[int]) -> int:
    """Return the number of clusters with the highest Calinski-Harabasz index, the least of equal ones."""
    if len(distances) < 3:
        return 1
    tree = linkage(squareform(distances, checks=False), "average")
    scores = {number: calinski_harabasz(distances, fcluster(tree, number, "maxclust")) for number in candidates}
    return max(scores, key=lambda number: (scores[number], -number))


def information_loss(original: Distances, released: Distances, clusters: int) -> float:
    """Return IL (formula 5.18), in per cent: how far the clusters of the released users are from those of the original.

    Both are distances between the same users in the same order.
    """
    return 100 * partition_distance(hierarchical(original, clusters), hierarchical(released, clusters))
