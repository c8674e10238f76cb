"""A made-up log of rich records, out of lines of the AOL form: results, clicks, place, device, language.

Rules:
- Rows of one user, text and time that follow each other become one record with several clicks.
- What is made up depends on the seed and on the user (place, device, language) or the text (results) alone, so that the
  same query has the same results whoever asks it.
- A clicked URL of the lines stands among the results, at its rank.
- The names are a producer's own. `RICH_FIELDS` is the mapping that reads them; what no mapping names is there too.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from hashlib import blake2b
from itertools import groupby
from random import Random
from typing import Any, Final

RICH_FIELDS: Final = {
    "user": "user.id", "query": "q", "time": "ts",
    "results": "serp.items", "results.url": "link", "results.rank": "pos", "results.shown": "visible",
    "results.clicked": "clicked", "results.title": "title",
    "clicks": "clicks", "clicks.url": "href", "clicks.rank": "pos", "clicks.time": "ts", "clicks.dwell": "dwell_ms",
}  # fmt: skip
"""Where the fields stand, as `--fields` takes it."""
PLACE_FIELDS: Final = ("geo.city", "geo.region", "geo.country")
DEVICE_FIELD: Final = "device"
LANGUAGE_FIELD: Final = "lang"
_RESULTS: Final = 10
_CITIES: Final = (
    ("Austin", "Texas", "US"), ("Boston", "Massachusetts", "US"), ("Dallas", "Texas", "US"), ("Leeds", "England", "GB"),
    ("Lyon", "Rhone", "FR"), ("Turin", "Piedmont", "IT"), ("Girona", "Catalonia", "ES"), ("Gent", "Flanders", "BE"),
)  # fmt: skip
_VILLAGES: Final = 400
"""Places of few users, a fifth of all."""
_DEVICES: Final = ("mobile", "desktop", "tablet", "tv")
_LANGUAGES: Final = {"US": ("en-US", "es-MX"), "GB": ("en-GB", "cy"), "FR": ("fr-FR", "br"), "IT": ("it-IT", "de-IT"),
                     "ES": ("es-ES", "ca-ES"), "BE": ("nl-BE", "fr-BE")}  # fmt: skip
_SITES: Final = ("wiki", "shop", "news", "forum", "guide", "video", "maps", "answers", "blog", "reviews")
_WORD: Final = re.compile(r"[^\W_]+")
Row = Sequence[str]


def rich_log(lines: Iterable[str], seed: int = 0) -> Iterator[str]:
    """Yield a JSON line for each query of lines of the AOL form, which have no line ends; a header is left out."""
    rows = (line.split("\t") for line in lines if not line.startswith("AnonID\t"))
    for (user, text, time), some in groupby(rows, lambda row: tuple(row[:3])):
        clicks = [row[3:5] for row in some if len(row) > 4 and row[3].isdecimal() and row[4]]
        yield json.dumps(_record(user, text, time, clicks, seed), separators=(",", ":"))


def _record(user: str, text: str, time: str, clicks: Sequence[Row], seed: int) -> dict[str, Any]:
    at = datetime.fromisoformat(time)
    draw = Random(f"{seed} {user} {text} {time}").random
    city, region, country, device, language = _person(user, seed)
    results = [dict(one) for one in _results(text, seed)]
    made, later = [], at
    for rank, url in clicks:
        place = int(rank)
        later += timedelta(seconds=1 + int(draw() * 40))
        dwell = int(draw() * draw() * 300_000)
        made.append({"href": url, "pos": place, "ts": later.isoformat() + "Z", "dwell_ms": dwell, "mouse": "left"})
        later += timedelta(milliseconds=dwell)
        if 0 < place <= _RESULTS:
            results[place - 1] |= {"link": url, "clicked": True, "visible": True}
    return {
        "event": "search",
        "user": {"id": user, "agent": f"browser/{int(draw() * 90)}"},
        "q": text,
        "ts": at.isoformat() + "Z",
        "geo": {"city": city, "region": region, "country": country},
        DEVICE_FIELD: device,
        LANGUAGE_FIELD: language,
        "serp": {"took_ms": int(draw() * 400), "items": results},
        "clicks": made,
    }


@lru_cache(1 << 12)
def _person(user: str, seed: int) -> tuple[str, str, str, str, str]:
    draw = Random(f"{seed} {user}").random
    city, region, country = _CITIES[int(draw() * draw() * len(_CITIES))]
    if draw() < 0.2:
        city = f"Village {int(draw() * _VILLAGES)}"
    usual, other = _LANGUAGES[country]
    return city, region, country, _DEVICES[int(draw() * draw() * draw() * 4)], usual if draw() < 0.9 else other


@lru_cache(1 << 12)
def _results(text: str, seed: int) -> tuple[dict[str, Any], ...]:
    draw = Random(f"{seed} {text}").random
    words = _WORD.findall(text.lower()) or ["start"]
    found = []
    for place in range(_RESULTS):
        site, word = _SITES[(place + int(draw() * 3)) % len(_SITES)], words[int(draw() * len(words))]
        host = f"www.{_host(word)}-{site}.example"
        found.append({
            "link": f"https://{host}/{_host('-'.join(words))}?ref={int(draw() * 9)}",
            "pos": place + 1,
            "visible": place < 4 + int(draw() * 6),
            "clicked": False,
            "title": f"{' '.join(words).title()} - {word.title()} {site.title()}",
            "kind": "image" if draw() < 0.1 else "web",
        })  # fmt: skip
    return tuple(found)


def _host(text: str) -> str:
    """Return a text as part of a URL: plain letters as they are, others by a hash."""
    plain = text.isascii() and len(text) < 50
    return text if plain else f"x{blake2b(text.encode('utf-8', 'replace'), digest_size=6).hexdigest()}"
