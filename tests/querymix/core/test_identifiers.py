"""Identifiers are found by form, by a word beside them, by place and by name; look-alikes stay. All data is made up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.core.identifiers import KINDS, Detector, Identifier, cut
from querymix.core.knowledge import (
    UNKNOWN,
    Term,
)

from tests.known import Known
from tests.querymix.core.identifiers.kit import base, kept, suspicious

FOUND = [
    ("email", "write jo.doe@example.com today", "write today"),
    ("email", "jo dot doe at example dot com", ""),
    ("email", "john at gmail.com", ""),
    ("phone", "who called 217-555-0142", "who called"),
    ("phone", "(217) 555-0142 ext 12", ""),
    ("phone", "217.555.0142 fax", "fax"),
    ("phone", "+1 217 555 0142", ""),
    ("phone", "2175550142", ""),
    ("phone", "phone 555-0142", "phone"),
    ("phone", "+44 20 7946 0958", ""),
    ("us_ssn", "ssn 219-09-9999", "ssn"),
    ("us_ssn", "219 09 9999", ""),
    ("us_ssn", "social security number 219099999", "social security number"),
    ("card", "4111 1111 1111 1111 stolen", "stolen"),
    ("card", "371449635398431", ""),
    ("vehicle", "1m8gdm9axkp042788 recall", "recall"),
    ("ip", "whois 203.0.113.77", "whois"),
    ("ip", "2001:db8:0:1::9f", ""),
    ("device", "3c:22:fb:01:9a:7e", ""),
    ("device", "serial number c02x91kqjg5h", "serial number"),
    ("medical", "mrn: 00482913", "mrn:"),
    ("medical", "medical record number 8841-2291", "medical record number"),
    ("plan", "medicare number 1eg4-te5-mk73", "medicare number"),
    ("account", "my account number is 44112233", "my account number is"),
    ("licence", "drivers license d1234567", "drivers license"),
    ("plate", "license plate 7abc123", "license plate"),
    ("plate", "plate abc 1234 owner", "plate owner"),
    ("photo", "img_4411.jpg", ""),
    ("url", "myspace.com/maple_jo pictures", "pictures"),
    ("url", "http://cs.example.edu/~jdoe", ""),
    ("url", "jodoe.blogspot.com", ""),
    ("code", "track 1z999aa10123456784", "track"),
    ("code", "123837465019 package", "package"),
    ("zip", "springfield il 62704 weather", "weather"),
    ("zip", "zip code 62704", "zip code"),
    ("zip", "62704-1234", ""),
    ("zip", "62704 springfield", ""),
    ("zip", "62704 zyzzyxville weather", "weather"),
    ("zip", "62704 north zyzzyx", ""),
    ("zip", "62704 north zyzzyx il", ""),
    ("address", "1420 maple ave", ""),
    ("address", "123 n main st apt 4 springfield il 62704", ""),
    ("address", "map of 45 e 72nd st", "map of"),
    ("address", "po box 311 springfield il", ""),
    ("address", "759 kowalczyk plaza", ""),
    ("date", "born 3/4/1961", "born"),
    ("date", "dob march 4 1961", "dob"),
    ("date", "date of birth 1961-03-04", "date of birth"),
    ("age", "94 year old man", "man"),
    ("age", "aged 101", "aged"),
    ("name", "jennifer brown", ""),
    ("name", "hope martinez obituary", "obituary"),
    ("name", "mary j smith dallas", "dallas"),
    ("name", "smith, john", ""),
    ("name", "kowalczyk jennifer", ""),
    ("name", "dr. kowalczyk office", "office"),
    ("name", "mr brown", ""),
    ("name", "john zzyzxman", ""),
    ("name", "jose de la cruz", ""),
    ("name", "mary jennifer smith", ""),
    ("name", "john smith-brown jr", ""),
    ("name", "rose hall obituary", "obituary"),
    ("name", "john mary zzyzxman", ""),
    ("name", "john smith west virginia", "west virginia"),
    ("name", "jennifer brown texas", "texas"),
    ("name", "mary martinez high school", "high school"),
    ("name", "john smith church", "church"),
    ("name", "jennifer hicks", ""),
    ("name", "JENNIFER BROWN'S wedding", "wedding"),
]


@pytest.mark.parametrize(("kind", "text", "left"), FOUND)
def test_an_identifier_is_found_and_nothing_of_it_is_left(kind: str, text: str, left: str) -> None:
    remaining, kinds = kept(text)
    assert remaining == left
    assert kinds == [kind]


LOOK_ALIKES = """
boeing 747; canon a530; windows 98; 2006 honda civic; march 17 2006; summer of 1969; $2500 loan;
route 66 road trip; i 95 traffic; area code 217; flight 1242; firefox 1.5.0.4; 1000000000; 123456789;
3.14159265358979; isbn 0306406152; 9780306406157; 192.168.1.1 login; 127.0.0.1; 10:30:00; std::vector;
4 wheel drive; 80 gb hard drive; 2006 supreme court; 5 star hotels; 100 year old house; 99 bottles;
medical license requirements; serial port 2005; account manager 2006; license plate holder; zip drive 250;
cnn.com/weather; myspace.com; myspace.com/music; look at this; at t wireless; 401k rollover;
part number 97540-23a-00411; error 0x80070002; toner q2612a; 1 800 flowers; born in 1961; famous born march 4;
rose garden; hope stone; peter garden; yolanda kowalczyk; jennifer; brown; house of brown; john smith lyrics;
mary brown elementary school; john brown university; st. john's flowers; smith & mary; springfield il; san tomas;
texas 20000; 10000 maniacs; tom; dr pepper; will smith; paris hilton; rose hall; summer hall; hope garden;
hope west virginia; 62704 new weather; 62704 north zyzzyx weather; 62704 thailand; 62704 woodland;
jennifer stone park zyzzx; mary west virginia; jennifer stone texas zyzzx
"""


@pytest.mark.parametrize("text", [" ".join(text.split()) for text in LOOK_ALIKES.split(";")])
def test_a_look_alike_stays(text: str) -> None:
    assert kept(text) == (text, [])


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, text, _ in FOUND])
def test_a_kind_that_is_switched_off_stays_in_the_text(kind: str, text: str) -> None:
    others = tuple(other for other in KINDS if other != kind)
    assert kept(text, others) == (text, [])


def test_an_unknown_kind_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="unknown kinds of identifier: iris"):
        Detector(base(), ["name", "iris"])


def test_several_identifiers_of_one_query_are_told_in_order() -> None:
    assert kept("jennifer brown 1420 maple ave dallas tx 217-555-0142") == ("", ["name", "address", "phone"])


def test_a_date_beside_a_name_is_the_persons() -> None:
    assert kept("john smith 3/4/1961") == ("", ["name", "date"])


def test_a_full_date_alone_stays() -> None:
    assert kept("earthquake 3/4/1961") == ("earthquake 3/4/1961", [])


def test_spans_hold_where_folding_would_change_the_length() -> None:
    text = "İİ maria smith"
    assert cut(text, Detector(base()).find(text)) == "İİ"


def test_digits_and_dashes_of_other_scripts_are_read() -> None:
    assert kept("\uff12\uff11\uff17\u2013555\u20130142") == ("", ["phone"])
    assert kept("٢١٩-٠٩-٩٩٩٩") == ("", ["us_ssn"])


def test_accents_do_not_hide_a_name() -> None:
    assert kept("josé martínez") == ("", ["name"])


@pytest.mark.parametrize(
    "text", ["", " ", "\x00", "\x00jennifer\x00brown", "\ud800 john smith", "😀" * 50, "'s", "& , ;", "#"]
)
def test_odd_text_does_no_harm(text: str) -> None:
    found = Detector(base()).find(text)
    assert all(0 <= item.start < item.end <= len(text) for item in found)


def test_no_repr_shows_text() -> None:
    found = Detector(base()).find("jennifer brown")
    assert repr(found) == "[Identifier(kind='name', start=0, end=14)]"


def test_suspicion_is_raised_by_marks_and_by_tags_of_names() -> None:
    assert suspicious("call 217-555")
    assert suspicious("jo at example dot com")
    assert suspicious("jennifer brown")
    assert suspicious("judge brown")
    assert not suspicious("brown sugar")
    assert not suspicious("jennifer")
    assert not suspicious("cheap flights to spain")


WORDS = """
jennifer john brown smith rose garden dr mr pizza 217-555-0142 62704 springfield il 1420 maple ave born 3/4/1961
jo@example.com mrn 00482913 plate abc123 94 year old , ' & at dot com myspace.com/jo of 4111111111111111 zzyzxman st
"""
PLAIN = "pizza the weather house water kitchen mail power in for"
words = st.sampled_from(WORDS.split())


@given(st.lists(words, max_size=12).map(" ".join) | st.text(max_size=80))
def test_spans_are_sorted_disjoint_and_inside_the_text(text: str) -> None:
    found = Detector(base()).find(text)
    edges = [edge for item in found for edge in item[1:]]
    assert edges == sorted(edges)
    assert all(item.start < item.end <= len(text) for item in found)
    assert all(item.kind in KINDS for item in found)


@given(st.lists(words, max_size=12).map(" ".join) | st.text(max_size=80))
def test_what_is_not_suspicious_holds_nothing(text: str) -> None:
    assert suspicious(text) or Detector(base()).find(text) == []


@given(st.text(max_size=60), st.lists(st.integers(0, 60), max_size=8))
def test_cutting_takes_the_spans_and_no_other_character(text: str, places: list[int]) -> None:
    edges = sorted({min(place, len(text)) for place in places})
    found = [Identifier("name", start, end) for start, end in zip(edges[::2], edges[1::2], strict=False)]
    inside = {place for item in found for place in range(item.start, item.end)}
    outside = "".join(char for place, char in enumerate(text) if place not in inside)
    assert "".join(cut(text, found).split()) == ("".join(outside.split()) if found else "".join(text.split()))


@given(st.lists(st.sampled_from(PLAIN.split()), max_size=9).map(" ".join))
def test_text_without_digits_and_names_is_untouched(text: str) -> None:
    assert kept(text) == (text, [])


class Counting(Known):
    """A knowledge base that counts how often it is asked."""

    asked = 0

    def __getitem__(self, term: str) -> Term:
        self.asked += 1
        return super().get(term, UNKNOWN)


@pytest.mark.parametrize(
    "unit",
    [
        "john smith ",
        "smith john ",
        "1420 maple ave ",
        "springfield il 62704 ",
        "maria de la ",
        "mr ",
        "po box 31 ",
        "mrn 4411 ",
    ],
)
def test_look_ups_grow_no_faster_than_the_text(unit: str) -> None:
    asked = []
    for times in (200, 400):
        terms = Counting(base())
        Detector(terms).find(unit * times)
        asked.append(terms.asked)
    assert asked[1] <= 2 * asked[0] + 40


@pytest.mark.parametrize(
    "unit", ["a", "1", "a1", "1-", "@", "a@", ".", "1.", ":", "a:", "/", "john ", "1 ", "-", "1z", "jo at ", "(1", "'"]
)
def test_a_megabyte_of_anything_comes_to_an_end(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    assert all(item.end <= len(text) for item in Detector(base()).find(text))


@pytest.mark.parametrize("text", ["john smith", "call 217-555-0142", "jo DOT doe at example DOT com", "müller 90210"])
def test_the_gate_lets_through_whatever_can_be_found(text: str) -> None:
    assert suspicious(text)


def test_the_gate_stops_plain_words() -> None:
    assert not suspicious("cheap hotels in amsterdam")


def test_tokens_stand_where_the_text_has_them_however_it_is_spaced() -> None:
    assert kept("call\t217-555-0142  now")[0] == "call now"
    assert kept("(jennifer brown), dallas")[1] == ["name"]
