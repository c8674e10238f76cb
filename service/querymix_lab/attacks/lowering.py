"""What lowers an attack, and its price: told beside its figures."""

from typing import Final

_LESS: Final = "; less is released"
_SHORTER: Final = "a shorter --pseudonym-period, or session; lines of one user stand together for less long"
_SINGLE: Final = ("d1", "d2", "d3", "d4", "d1+t", "d2+t", "d3+t", "d4+t", "kernel", "repeats", "kin")
LOWERED: Final[dict[str, str]] = {
    **dict.fromkeys(_SINGLE, f"--preset strict or a larger --k{_LESS}"),
    "residue": "nothing in the method: texts are what is released",
    "halves": _SHORTER,
    "profiles": _SHORTER,
    "again": "--pseudonym-period 1d, and releasing a log once; consumers get no second sample",
    "sessions": "--time-policy trigger, the default; times are not those of the queries",
    "trail": f"{_SHORTER}; or --time-precision 1d: lines are written once the day is over",
    "time": "--time-precision 1h; lines are written once an hour is over",
    "form": "nothing is needed: lines are written in one form, whatever they came in",
    "arrivals": f"a larger --reserve, or a larger --k{_LESS}",
    "authorship": f"a larger --k, if little{_LESS}",
    "embedding": f"a larger --k, if little{_LESS}",
    "pairs": f"--preset strict, since a text leaves once a day; no k lowers it{_LESS}",
    "verifier": f"--preset strict, since a text leaves once a day; no k lowers it{_LESS}",
    "membership": "nothing in the method: texts are what is released",
    "sybils": f"--established 7d and a larger --k{_LESS}",
}
"""The setting that lowers an attack, and its price."""
