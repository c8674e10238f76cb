"""Small sources of knowledge, all made up."""

import json
from pathlib import Path

from querymix_lab.knowledge.sources.default import Inputs

LICENCE = "  1 made up for the test\n"
# offset, file, type, words, pointers | gloss
NOUNS = """\
00000001 03 n 01 entity 0 000 | that which is
00000002 18 n 01 person 0 001 @ 00000001 n 0000 | a human
00000003 04 n 01 sport 0 001 @ 00000001 n 0000 | play
00000004 06 n 01 racket 0 001 @ 00000003 n 0000 | it hits balls
00000005 18 n 01 Ada_Example 0 001 @i 00000002 n 0000 | a made-up person
00000006 13 n 01 goose 0 001 @ 00000001 n 0000 | a dish
"""
INDEX = """\
ada_example n 1 1 @i 1 0 00000005
entity n 1 0 1 0 00000001
goose n 1 1 @ 1 0 00000006
person n 1 1 @ 1 1 00000002
racket n 1 1 @ 1 1 00000004
sport n 1 1 @ 1 1 00000003
"""


def wordnet_folder(folder: Path) -> Path:
    """Write a small WordNet."""
    folder.mkdir()
    for name in ("data.adj", "index.adj", "verb.exc"):
        (folder / name).write_text(LICENCE)
    (folder / "index.verb").write_text(LICENCE + "goose v 1 0 1 0 00000001\n")
    (folder / "index.adv").write_text(LICENCE + "fast r 1 0 1 0 00000001\n")
    (folder / "data.noun").write_text(LICENCE + NOUNS)
    (folder / "index.noun").write_text(LICENCE + INDEX)
    (folder / "noun.exc").write_text("geese goose\n")
    (folder / "cntlist.rev").write_text("racket%1:06:00:: 1 4\n")
    return folder


def lists_folder(folder: Path) -> Path:
    """Write small lists."""
    folder.mkdir()
    (folder / "wordnet-anchors.tsv").write_text("sport#1\tSports\nperson#1\tSociety/People\t0.25\n")
    (folder / "wordnet-files.tsv").write_text("13\tHome/Cooking\t0.5\n")
    (folder / "stop.txt").write_text("# none\nthe of in\n")
    (folder / "function-words.txt").write_text("# none\nthe\n")
    (folder / "tag-log-odds.tsv").write_text("-9\t4\t0\tthe zyzzx\n")
    (folder / "given-names.txt").write_text("# none\nzelmira\n")
    (folder / "surnames.txt").write_text("zyzzxman\n")
    (folder / "street.txt").write_text("lane\n")
    (folder / "famous.tsv").write_text("Arts/Music\tthe made-ups\n")
    (folder / "topics-test.tsv").write_text("Sports/Tennis\ttennis racket, tennis\n")
    return folder


def inputs(folder: Path) -> Inputs:
    """Write small files of every source."""
    places = folder / "places"
    places.mkdir()
    city = {"countrycode": "US", "admin1code": "IN", "name": "Saint Racket", "population": 5000}
    tables = {
        "us_states": {"IN": {"name": "Indiana"}},
        "countries": {"US": {"name": "United States", "continentcode": "NA"}},
        "cities1000": {"1": city},
        "cities15000": {},
    }
    for name, table in tables.items():
        (places / f"{name}.json").write_text(json.dumps(table))
    words = {"the": 9_000_000, "racket": 2_000_000, "tennis": 1_900_000, "goose": 90_000, "rackets": 80_000}
    words |= {"geese": 70_000, "rakcet": 900, "ada": 800, "example": 700, "unheard": 600, "person": 500, "sport": 400}
    files = {
        "unigrams": "".join(f"{word}\t{count}\n" for word, count in words.items()),
        "bigrams": "ada example\t100000\nsport racket\t150000.0\nthe racket\t900000\n",
        "female": "ADA 1.000 1.000 1\n",
        "male": "EXAMPLE 0.002 0.002 1\n",
        "surnames": "EXAMPLE 0.500 0.500 1\nRARE 0.000 0.500 2\n",
        "dictionary": "\ufeffthe 9\nracket 2\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    return Inputs(
        **{name: folder / name for name in files},
        wordnet=wordnet_folder(folder / "wordnet"),
        places=places,
        lists=lists_folder(folder / "lists"),
    )
