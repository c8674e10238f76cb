"""What lowers an attack, and its price: told beside its figures."""

from typing import Final

_LESS: Final = "; less is released"
_SINGLE: Final = ("d1", "d2", "d3", "d4", "d1+t", "d2+t", "d3+t", "d4+t", "kernel", "repeats", "kin")
LOWERED: Final[dict[str, str]] = {
    **dict.fromkeys(_SINGLE, f"--preset strict or a larger --k{_LESS}"),
    "residue": "nothing in the method: texts are what is released",
    "halves": "--pseudonym-period 1d; lines of one user cannot be put together over days",
    "profiles": "--pseudonym-period 1d; lines of one user cannot be put together over days",
    "again": "--pseudonym-period 1d, and releasing a log once; consumers get no second sample",
    "sessions": "--time-policy trigger, the default; times are not those of the queries",
    "trail": "--pseudonym-period 1d; lines of one user cannot be put together over days",
    "time": "--time-precision 1h; lines are written once an hour is over",
    "form": "nothing is needed: lines are written in one form, whatever they came in",
    "arrivals": f"--reserve 10 or a larger --k{_LESS}",
    "authorship": f"a larger --k, if little{_LESS}",
    "embedding": f"a larger --k, if little{_LESS}",
    "pairs": f"--preset strict, since a text leaves once a day; no k lowers it{_LESS}",
    "verifier": f"--preset strict, since a text leaves once a day; no k lowers it{_LESS}",
    "membership": "nothing in the method: texts are what is released",
    "sybils": f"--established 7d and a larger --k{_LESS}",
}
"""The setting that lowers an attack, and its price."""
