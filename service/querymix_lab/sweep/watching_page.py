"""The report's section on who watches over time: attacks by setting, beside 1/k."""

from collections.abc import Iterator, Sequence
from typing import Final

from querymix_lab.sweep import html, plots
from querymix_lab.sweep.pieces import Row

_PLOTTED: Final = (
    "trail, 10 known, with categories", "trail, all known", "arrivals, surest 10%", "repeats", "kin",
    "profiles, known counts", "authorship+kernel",
)  # fmt: skip
"""Attacks that the plot shows; the table has all."""


def over_time(watched: Sequence[Row]) -> Iterator[str]:
    """Yield the section's parts, none where nothing was measured."""
    if not any(row["attacks"] for row in watched):
        return
    bound = 1 / watched[0]["k"]
    names = list(dict.fromkeys(name for row in watched for name in row["attacks"]))
    yield "<h2>Who watches over time</h2>"
    yield (
        f"<p class=note>k = {watched[0]['k']}. One draw bounds what whoever knows one pool at one moment can name, and "
        "nothing bounds what who watches over time can. A share is of lines, or of persons that are looked for; of "
        "pairs it is that of the claimed ones that are right. Green: at or under 1/k. Red: over it. Empty: the setting "
        "leaves nothing to attack, or the log is too short.</p>"
    )
    knows = {name: row["attacks"][name]["knows"] for row in watched for name in row["attacks"]}
    lines = [["released", "", *(row["released"] for row in watched)]]
    for name in names:
        found = [row["attacks"].get(name, {}).get("success") for row in watched]
        lines.append([name, html.prose(knows[name]), *(html.share(one, bound) for one in found)])
    yield html.table(["attack", "knows", *(row["told"] for row in watched)], lines)
    shown = [name for name in _PLOTTED if name in names]
    groups = {
        row["told"]: [100 * row["attacks"].get(name, {}).get("success", 0.0) for name in shown] for row in watched
    }
    yield plots.bars("Named by who watches over time", "%", groups, shown, 100 * bound)
