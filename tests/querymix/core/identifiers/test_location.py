"""Exact coordinates, map links and codes of places are found; coarse coordinates stay. All data is made up."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.querymix.core.identifiers.kit import goes, lines, released

GOES = r"""
40.712937,-74.006182 => 712937 | 006182
40.712937 -74.006182 => 712937 | 006182
40.712937; -74.006182 => 712937 | 006182
(40.712937, -74.006182) => 712937 | 006182
[-74.006182, 40.712937] => 712937 | 006182
+40.7129, -074.0061 => 7129 | 0061
40.7129n 74.0061w => 7129 | 0061
n40.7129 w74.0061 => 7129 | 0061
N 40.7129° W 74.0061° => 7129 | 0061
40.7129° N, 74.0061° W => 7129 | 0061
40.7129 north 74.0061 west => 7129 | 0061
lat 40.712937 lon -74.006182 => 712937 | 006182
lat: 40.712937, lng: -74.006182 => 712937 | 006182
latitude=40.712937&longitude=-74.006182 => 712937 | 006182
{"lat":40.712937,"lng":-74.006182} => 712937 | 006182
latitude 40.712937 longitude -74.006182 => 712937 | 006182
point(-74.006182 40.712937) => 712937 | 006182
48,858370 2,294481 => 858370 | 294481
48,858370; 2,294481 => 858370 | 294481
52.520008 13.404954 => 520008 | 404954
gps 52.5200 13.4049 => 5200 | 4049
what is at -33.856784, 151.215297 => 856784 | 215297
-33.856784/151.215297 => 856784 | 215297
-1.292066, 36.821945 => 292066 | 821945
6.5244, 3.3792 => 5244 | 3792
http://maps.google.com/?q=40.712937,-74.006182 => 712937
maps.google.com/maps?ll=40.712937,-74.006182&z=15 => 712937
https://www.google.com/maps/dir/40.7351207,-73.9902644/40.7129372,-74.0061821 => 7351207 | 7129372
https://www.openstreetmap.org/#map=17/40.73512/-73.99026 => 73512 | 99026
https://www.openstreetmap.org/?mlat=40.73512&mlon=-73.99026 => 73512 | 99026
https://maps.apple.com/?ll=40.735120,-73.990264 => 735120
https://maps.apple.com/?q=40.735120%2C-73.990264 => 735120
https://waze.com/ul?ll=40.735120%2C-73.990264&navigate=yes => 735120
https://www.bing.com/maps?cp=40.735120~-73.990264&lvl=17 => 735120
geo:40.735120,-73.990264?z=17 => 735120
geo:0,0?q=40.735120,-73.990264 => 735120
39°45'12.3"n 104°59'33.1"w => 12.3 | 33.1
39°45'12"N 104°59'33"W => 12" | 33"
39º45'12"N, 104º59'33"W => 12" | 33"
39 45 12 n 104 59 33 w => 45 12 | 59 33
39-45-12n 104-59-33w => 45-12 | 59-33
39d45m12s n 104d59m33s w => 45m12 | 59m33
n 39° 45.204 w 104° 59.552 => 45.204 | 59.552
n39 45.204 w104 59.552 => 45.204 | 59.552
N 39° 45.204' W 104° 59.552' => 45.204 | 59.552
39 degrees 45 minutes 12 seconds north 104 degrees 59 minutes 33 seconds west => 12 seconds | 33 seconds
39° 45' 12.3" north, 104° 59' 33.1" west => 12.3 | 33.1
s 33° 51' 24.4" e 151° 12' 55" => 24.4 | 55"
33°51'24.4"s 151°12'55.1"e => 24.4 | 55.1
394512n1045933w => 394512 | 1045933
39:45:12n 104:59:33w => 45:12 | 59:33
48°51'30.2"n 2°17'40.1"o => 30.2 | 40.1
87g8p27q+8f => p27q
87G8P27Q+8F => P27Q
p27q+8f new york => p27q | 8f
P27Q+8F New York => P27Q
87g8p27q%2b8f => p27q
plus.codes/87g8p27q+8f => p27q
directions to 9c3xgv4c+xv london => gv4c
9c3xgv4c+xv2 => gv4c
///filled.count.soap => filled | soap
what3words filled.count.soap => filled | soap
https://what3words.com/filled.count.soap => filled | soap
https://w3w.co/filled.count.soap => filled | soap
what3words: filled.count.soap => filled
18twl8395907523 => 83959
18t wl 83959 07523 => 83959
18t 583960 4507523 => 583960
utm 18T 583960mE 4507523mN => 583960
grid ref tq 30080 80400 => 30080
os grid reference TQ3008080400 => 30080
geohash dr5regw3pp => dr5reg
https://maps.app.goo.gl/x9Qk2mZabc7 => x9Qk2mZ
https://goo.gl/maps/x9Qk2mZabc7 => x9Qk2mZ
40.712937,-74.006182 weather => 712937
restaurants near 40.712937, -74.006182 => 712937
"""


@pytest.mark.parametrize("line", lines(GOES))
def test_nothing_of_it_is_left(line: str) -> None:
    text, parts = goes(line)
    left, kinds = released(text)
    assert [part for part in parts if part in left] == []
    assert kinds


STAYS = r"""
40.7, -74.0 map
40.71, -74.01
40.7 -74.0
aspect ratio 1.85:1 or 2.39:1
pi 3.14159 e 2.71828
3.14159265358979
firefox 1.5.0.4
39°45'n 104°59'w
39 n 104 w
lat 40.7 lon -74.0
1.2345 usd 1.3456 eur
eur usd 1.0845 1.0912
98.6 degrees fahrenheit
45 degrees north latitude
map of 40 n
new york 40° n
5'10" 180 lbs
6'2" n
12' 30" pipe
7.62x39 vs 5.56x45
10.5 11.75
.0045 x 1000
angle 45° 30'
ra 05h 34m 31.94s dec +22 00 52.2
10.1038/s41586
1.7320508 square root of 3
https://www.google.com/maps
google maps
openstreetmap
c++ tutorial
2x+3x=10
35x2+22x
1+1
http://example.com///a
node.js vs deno
java.lang.string
what3words app
n 95 mask 50 pack
w 2 form 2005
s 10 5 e 12 3
12 3 45 n
2006+ford+f150
ps3+games
dr. 45.5 n
"""


@pytest.mark.parametrize("text", lines(STAYS))
def test_a_look_alike_stays(text: str) -> None:
    assert released(text) == (text, [])


FORMS = (
    "{}, {}",
    "{},{}",
    "gps {} {}",
    "maps.google.com/?q={},{}",
    "geo:{},{}",
    "lat {} lon {}",
    "[{}, {}]",
    "x {};{} y",
)


@settings(max_examples=60, deadline=None)
@given(st.floats(-90, 90), st.floats(-180, 180), st.integers(4, 9), st.sampled_from(FORMS))
def test_coordinates_of_four_decimals_and_more_go_in_every_form(
    north: float, east: float, size: int, form: str
) -> None:
    pair = (f"{north:.{size}f}", f"{east:.{size}f}")
    left, kinds = released(form.format(*pair))
    assert kinds
    assert set(kinds) <= {"location", "phone"}  # "1.0078 0.0000" has the digits of a telephone number too
    assert not any(number.rpartition(".")[2] in left for number in pair)


@settings(max_examples=60, deadline=None)
@given(st.floats(-90, 90), st.floats(-180, 180), st.integers(1, 2), st.sampled_from(FORMS))
def test_coordinates_of_one_or_two_decimals_stay(north: float, east: float, size: int, form: str) -> None:
    text = form.format(f"{north:.{size}f}", f"{east:.{size}f}")
    assert released(text) == (text, [])


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 89), st.integers(0, 59), st.floats(0, 59.9), st.sampled_from("ns"), st.sampled_from("\u00b0\u00bad")
)
def test_degrees_with_seconds_go_and_with_whole_minutes_stay(
    degrees: int, minutes: int, seconds: float, point: str, sign: str
) -> None:
    angle = f"{degrees}{sign}{minutes}'"
    assert released(f'{angle}{seconds:.1f}"{point} x') == ("x", ["location"])
    assert released(f"{angle}{point} x") == (f"{angle}{point} x", [])


def test_primes_and_the_parts_of_a_map_link_are_read() -> None:
    assert released("39\u00b045\u203212.3\u2033N 104\u00b059\u203233.1\u2033W x") == ("x", ["location"])
    link = "https://www.google.com/maps/place/x/@40.7351,-73.9902,17z/data=!3m1!8m2!3d40.7351207!4d-73.9902644"
    assert released(link)[1] == ["location"] * 3
