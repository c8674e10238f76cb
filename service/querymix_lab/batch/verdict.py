"""Whether a method's result is what its user may expect, and if not, why: findings out of figures.

Rules:
- It is pure. With a serious finding the command ends with exit code 3; its output is complete all the same.
- A finding says what is wrong, how much, the likeliest reason, and what to do. No user and no query is in it.
- Methods that keep common texts alone release some 3 % of a log; so little is less than `LITTLE` here.
"""

from collections.abc import Mapping
from typing import Any, Final

from querymix.local.verdict import Finding

LITTLE: Final = 0.01
"""Share of the lines that were read: below it, little was released."""
MAX_REFUSED: Final = 0.05
"""Share of the lines up to which refusing them is nothing special."""
_REASONS: Final = {
    "suppressed_by_method": "the method left them out, since too few users share them: give a longer log or a smaller "
    "--k (threshold: --users; korolova: a larger --privacy-epsilon)",
    "suppressed_by_identifiers": "nothing was left of them once identifiers were cut: see that the right field is "
    "taken for the query",
    "unclassified": "they have no category that the knowledge bundle knows: see that the right field is taken for the "
    "query, or give a bundle that knows its words with --knowledge",
}


def judge(figures: Mapping[str, Any]) -> list[Finding]:
    """Return what is to be said of an account (`Account.figures`)."""
    found = []
    read, refused, released = figures["in"], figures["refused"], figures["released"]
    if refused > MAX_REFUSED * read:
        share = f"{100 * refused / read:.1f} % of the lines ({refused:,} of {read:,}) were refused"
        found.append(
            Finding("refused", f"{share}: the refused file has the reasons. Correct the log, or say how to read it.")
        )
    usable = read - refused - figures["empty"]
    if usable and released < LITTLE * usable:
        amount = f"only {released:,}" if released else "none"
        most = max(_REASONS, key=lambda name: int(figures[name]))
        found.append(
            Finding(
                "little_released", f"{amount} of {usable:,} lines were released. Most of the others: {_REASONS[most]}."
            )
        )
    return found
