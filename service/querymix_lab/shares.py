"""Shares, as all studies count them."""


def share(part: int, whole: int) -> float:
    """Return which share of `whole` is `part`, 0 where there is nothing."""
    return part / whole if whole else 0.0
