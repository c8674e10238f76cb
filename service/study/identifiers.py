"""Labelled queries for identifier removal: made-up identifiers in query style, harmless look-alikes, and their scoring.

Rules:
- Every identifier is invented (Faker, or drawn by census frequency from lists that the caller gives); no real query.
- A row holds one identifier at most, or is a look-alike, which nothing should be cut from.
- Query style: lower case, no grammar, every fifth row with one typing error in a word around the identifier.
- An identifier counts as found only if each of its letters and digits lies in a cut span: a remaining part is a miss.

Source: `issues show 4`, point 5; spec/streaming.md, "HIPAA Safe Harbor identifiers".
"""

import random
import string
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from time import process_time
from typing import Final, Protocol

from faker import Faker

from service.core.identifiers import Identifier

HARMLESS: Final = "harmless"


class Finder(Protocol):
    """What is evaluated: service.core.identifiers.Detector, or another behind the same method."""

    def find(self, text: str) -> list[Identifier]:
        """Return the identifiers of `text`, sorted and disjoint."""
        ...


@dataclass(frozen=True, slots=True)
class Row:
    """A query; `text[start:end]` is an identifier of `kind`, or nothing is and `kind` is HARMLESS."""

    text: str
    kind: str
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Score:
    """What an evaluation found."""

    found: dict[str, int]
    """Identifiers wholly cut, by kind."""
    total: dict[str, int]
    """Identifiers, by kind."""
    changed: int
    """Look-alikes that lost something."""
    lookalikes: int
    seconds: float
    """CPU time in `find` alone, all rows: other processes do not count."""
    missed: list[Row] = field(repr=False)
    """The rows that went wrong, made up like the rest."""

    @property
    def recall(self) -> dict[str, float]:
        """Share of the identifiers that were wholly cut, by kind."""
        return {kind: self.found.get(kind, 0) / total for kind, total in sorted(self.total.items())}

    @property
    def changed_share(self) -> float:
        """Share of the look-alikes that lost something."""
        return self.changed / self.lookalikes if self.lookalikes else 0.0

    @property
    def queries_per_second(self) -> float:
        """Rows that `find` handles in a second."""
        return (sum(self.total.values()) + self.lookalikes) / self.seconds if self.seconds else 0.0


def evaluate(detector: Finder, rows: Iterable[Row]) -> Score:
    """Run `detector` over `rows` and score it."""
    rows = list(rows)
    begin = process_time()
    answers = [detector.find(row.text) for row in rows]
    seconds = process_time() - begin
    found: Counter[str] = Counter()
    total: Counter[str] = Counter()
    changed = lookalikes = 0
    missed: list[Row] = []
    for row, answer in zip(rows, answers, strict=True):
        if row.kind == HARMLESS:
            lookalikes += 1
            changed += bool(answer)
            right = not answer
        else:
            total[row.kind] += 1
            right = covered(row, answer)
            found[row.kind] += right
        if not right:
            missed.append(row)
    return Score(dict(found), dict(total), changed, lookalikes, seconds, missed)


def covered(row: Row, answer: Sequence[Identifier]) -> bool:
    """Return whether every letter and digit of the row's identifier lies in a span of `answer`."""
    return all(
        any(one.start <= place < one.end for one in answer)
        for place in range(row.start, row.end)
        if row.text[place].isalnum()
    )


AROUND: Final[dict[str, tuple[str, ...]]] = {
    "name": (
        "{}",
        "{}",
        "{} {city}",
        "{} {city} {state}",
        "{} phone number",
        "{} obituary",
        "find {}",
        "who is {}",
        "{} myspace",
        "{} attorney",
        "{} arrested",
        "{} email address",
        "{} {state} address",
        "{} real estate agent",
        "pictures of {}",
        "{} high school reunion",
        "where does {} live",
        "{} family tree",
        "{} birth records",
        "{} wedding registry",
    ),
    "address": (
        "{}",
        "directions to {}",
        "map of {}",
        "{} home value",
        "who lives at {}",
        "house for sale {}",
        "restaurants near {}",
        "property taxes {}",
    ),
    "zip": ("{}", "weather {}", "pizza delivery {}", "jobs in {}", "movie times {}", "{} apartments for rent"),
    "date": (
        "born {}",
        "dob {}",
        "date of birth {}",
        "birth certificate {}",
        "who died {}",
        "my birthday {}",
        "born on {} where",
    ),
    "age": (
        "{} year old man fall",
        "aged {} nursing home",
        "my mother is {} years old",
        "{} yr old woman stroke",
        "turning {} party",
    ),
    "phone": (
        "{}",
        "who called from {}",
        "reverse lookup {}",
        "{} whose number is this",
        "fax {}",
        "call {}",
        "phone number {}",
    ),
    "email": ("{}", "email {}", "who is {}", "{} myspace", "password reset {}", "find {} owner"),
    "ssn": ("{}", "ssn {}", "social security number {}", "my social is {}", "{} identity theft", "credit report {}"),
    "medical": (
        "medical record number {}",
        "mrn {}",
        "patient id {} lab results",
        "mrn: {}",
        "chart number {}",
        "prescription number {} refill",
        "medical record {}",
    ),
    "plan": (
        "medicare number {}",
        "policy number {}",
        "member id {} claim",
        "health plan id {}",
        "insurance policy {}",
        "medicaid id {}",
        "group number {} dental",
    ),
    "account": (
        "account number {}",
        "checking account {} balance",
        "acct {}",
        "loan number {}",
        "iban {}",
        "my bank account is {}",
        "acct # {} overdraft",
    ),
    "card": ("{}", "credit card {}", "visa {}", "is {} a valid card number", "charge on {}", "card number {} stolen"),
    "licence": (
        "drivers license {}",
        "driver license number {}",
        "passport number {}",
        "license no {} check",
        "certificate number {}",
        "medical license {} verify",
    ),
    "vehicle": ("{}", "vin {}", "carfax {}", "vin number {} history", "check vin {}", "{} recall"),
    "plate": ("license plate {}", "plate number {}", "plate {} owner", "who owns license plate {}", "tag number {}"),
    "device": (
        "serial number {}",
        "serial no {} warranty",
        "imei {}",
        "sn {} lookup",
        "device serial {}",
        "mac address {}",
    ),
    "url": ("{}", "{} pictures", "http://{}", "www.{}", "go to {}"),
    "ip": ("{}", "ping {}", "whois {}", "trace {}", "who is {}", "ip address {}", "block {} firewall"),
    "photo": ("{}", "photo {}", "delete {} from camera", "recover {}"),
    "code": ("{}", "track {}", "tracking number {}", "ups {}", "fedex {}", "where is package {}", "confirmation {}"),
}
"""Query templates of each kind; `{city}` and `{state}` are not part of the identifier."""

CITIES: Final = ("columbus", "tulsa", "spokane", "fresno", "toledo", "omaha", "tampa", "el paso", "baton rouge")
STATES: Final = ("ohio", "oklahoma", "wa", "california", "fl", "texas", "louisiana", "new york", "nc")

Draw = Callable[[], str]
Weighted = Sequence[tuple[str, float]]


class Maker:
    """Draws made-up identifiers of every kind from one seed.

    Args:
        seed: the same seed gives the same rows.
        given, family: names with their frequencies, to draw half of the persons by; Faker's own where empty.
    """

    def __init__(self, seed: int, given: Weighted = (), family: Weighted = ()) -> None:
        self.random = random.Random(seed)
        self.fake = Faker("en_US")
        self.fake.seed_instance(seed)
        self._given = list(zip(*given, strict=True)) if given else []
        self._family = list(zip(*family, strict=True)) if family else []
        self.makers: dict[str, Draw] = {
            "name": self.name,
            "address": self.address,
            "zip": self.zip,
            "date": self.date,
            "age": lambda: str(self.random.randint(90, 109)),
            "phone": self.phone,
            "email": self.email,
            "ssn": self.ssn,
            "medical": lambda: self.pattern("#######", "########", "??######", "##-##-##-##"),
            "plan": lambda: self.pattern("#########?", "???######", "##########", "###-##-####-?", "?########"),
            "account": lambda: self.random.choice(
                (self.fake.iban().lower(), self.pattern("########", "##########", "####-######"))
            ),
            "card": self.card,
            "licence": lambda: self.pattern("?#######", "########", "?##-####-####", "??######", "#########"),
            "vehicle": lambda: self.fake.vin().lower(),
            "plate": lambda: self.fake.license_plate().lower(),
            "device": lambda: self.random.choice(
                (self.pattern("?##??###???#", "############", "??#########"), self.fake.mac_address())
            ),
            "url": self.url,
            "ip": lambda: self.random.choice((self.fake.ipv4_public(), self.fake.ipv4_public(), self.fake.ipv6())),
            "photo": lambda: self.random.choice(("img_{}.jpg", "dsc0{}.jpg", "img_{}", "dscn{}.jpg")).format(
                self.pattern("####")
            ),
            "code": lambda: self.pattern(
                "1z???##?##########", "############", "###############", "94##################", "????########"
            ),
        }

    def pattern(self, *patterns: str) -> str:
        """Fill one of `patterns`: a digit for "#", a letter for "?"."""
        chosen = self.random.choice(patterns)
        filled = (
            str(self.random.randint(0, 9))
            if char == "#"
            else self.random.choice(string.ascii_lowercase)
            if char == "?"
            else char
            for char in chosen
        )
        return "".join(filled)

    def name(self) -> str:
        """Draw a person's name of two or three words, given name first in nine of ten."""
        if self._given and self._family and self.random.random() < 0.5:
            first = str(self.random.choices(self._given[0], self._given[1])[0])
            last = str(self.random.choices(self._family[0], self._family[1])[0])
        else:
            first, last = self.fake.first_name().lower(), self.fake.last_name().lower()
        return self.random.choices(
            (
                f"{first} {last}",
                f"{first} {self.random.choice(string.ascii_lowercase)} {last}",
                f"{first} {self.fake.first_name().lower()} {last}",
                f"{last}, {first}",
                f"{self.random.choice(('mr', 'mrs', 'dr', 'dr.'))} {last}",
                f"{first} {last} jr",
                f"{last} {first}",
            ),
            (70, 8, 5, 4, 5, 2, 6),
        )[0]

    def address(self) -> str:
        """Draw a street address with its number, sometimes with unit, city, state and ZIP code."""
        street = self.fake.street_address().lower()
        short = self.random.random()
        if short < 0.4:
            kind = self.random.choice(("st", "ave", "rd", "dr", "ln", "street", "avenue", "blvd", "court", "road"))
            way = self.random.choice(("", "", "n ", "s ", "west "))
            name = self.random.choice(
                (
                    self.fake.last_name().lower(),
                    "maple",
                    "oak",
                    "main",
                    "park",
                    "cedar hill",
                    "5th",
                    "42nd",
                    "washington",
                    "elm",
                )
            )
            street = f"{self.random.randint(1, 19999)} {way}{name} {kind}"
        elif short < 0.45:
            street = f"{self.random.choice(('po box', 'p.o. box', 'p o box'))} {self.random.randint(1, 9999)}"
        if self.random.random() < 0.3:
            street = f"{street} {self.random.choice(CITIES)} {self.random.choice(STATES)}"
        elif self.random.random() < 0.1:
            street = self.fake.address().lower().replace("\n", ", ")
        return street

    def zip(self) -> str:
        """Draw a ZIP code with its city, its state, or both."""
        code = self.random.choice((self.fake.zipcode(), self.fake.zipcode(), self.fake.zipcode_plus4()))
        return self.random.choice(
            (
                f"{self.random.choice(CITIES)} {self.random.choice(STATES)} {code}",
                f"{self.random.choice(CITIES)} {code}",
                f"{self.fake.city().lower()}, {self.fake.state_abbr().lower()} {code}",
                f"{code} {self.random.choice(CITIES)}",
                f"{self.random.choice(STATES)} {code}",
            )
        )

    def date(self) -> str:
        """Draw a full date in one of the usual forms."""
        day = self.fake.date_of_birth(minimum_age=1, maximum_age=100)
        form = self.random.choice(
            ("%m/%d/%Y", "%m-%d-%Y", "%B %d %Y", "%d %B %Y", "%Y-%m-%d", "%b %d, %Y", "%m/%d/%y", "%m.%d.%Y")
        )
        return day.strftime(form).lower()

    def phone(self) -> str:
        """Draw a telephone number in one of the usual forms."""
        area, middle, last = self.pattern("##"), self.pattern("##"), self.pattern("####")
        area, middle = f"{self.random.randint(2, 9)}{area}", f"{self.random.randint(2, 9)}{middle}"
        made = self.random.choice(
            (
                "{}-{}-{}",
                "({}) {}-{}",
                "{}.{}.{}",
                "{} {} {}",
                "{}{}{}",
                "1-{}-{}-{}",
                "+1 {} {} {}",
                "1 {} {} {}",
                "({}){}-{}",
                "+1{}{}{}",
                "{}/{}-{}",
            )
        ).format(area, middle, last)
        return made if self.random.random() < 0.7 else self.fake.phone_number()

    def email(self) -> str:
        """Draw an e-mail address, one in five spelled out."""
        address = self.fake.email() if self.random.random() < 0.5 else self.fake.free_email()
        if self.random.random() < 0.2:
            address = address.replace("@", " at ").replace(".", " dot ")
        return address

    def ssn(self) -> str:
        """Draw an SSN with dashes or spaces."""
        return self.random.choice((self.fake.ssn(), self.fake.ssn(), self.fake.ssn().replace("-", " ")))

    def card(self) -> str:
        """Draw a card number that passes Luhn, bare or in groups."""
        number = self.fake.credit_card_number(self.random.choice(("visa16", "mastercard", "discover", "amex")))
        if self.random.random() < 0.5:
            return number
        mark = self.random.choice((" ", "-"))
        if len(number) == 15:
            return mark.join((number[:4], number[4:10], number[10:]))
        return mark.join(number[at : at + 4] for at in range(0, len(number), 4))

    def url(self) -> str:
        """Draw the address of a personal page."""
        user = self.fake.user_name()
        return self.random.choice(
            (
                "myspace.com/{}",
                "geocities.com/{}",
                "facebook.com/{}",
                "home.example.net/~{}",
                "{}.blogspot.com",
                "{}.livejournal.com",
                "cs.example.edu/~{}/index.html",
                "linkedin.com/in/{}",
                "flickr.com/photos/{}",
                "xanga.com/{}",
                "angelfire.com/tx/{}",
                "members.aol.com/{}",
            )
        ).format(user)

    def row(self, kind: str) -> Row:
        """Return a query around an identifier of `kind`."""
        template = self.random.choice(AROUND[kind])
        template = template.replace("{city}", self.random.choice(CITIES)).replace("{state}", self.random.choice(STATES))
        before, after = template.split("{}")
        if self.random.random() < 0.2 and kind in FORMED:
            before, after = self.typo(before), self.typo(after)
        made = self.makers[kind]()
        return Row(f"{before}{made}{after}", kind, len(before), len(before) + len(made))

    def typo(self, text: str) -> str:
        """Swap two letters in a longer word of `text`, or return it as it is."""
        places = [at for at in range(1, len(text) - 2) if text[at - 1 : at + 3].isalpha()]
        if not places:
            return text
        at = self.random.choice(places)
        return f"{text[:at]}{text[at + 1]}{text[at]}{text[at + 2 :]}"

    def lookalike(self) -> Row:
        """Return one of the hand-written look-alikes, some with a figure drawn into them."""
        text = self.random.choice(LOOKALIKES)
        for mark, low, high in (("{year}", 1950, 2007), ("{price}", 10, 9999), ("{small}", 2, 89)):
            text = text.replace(mark, str(self.random.randint(low, high)))
        return Row(text, HARMLESS)


FORMED: Final = frozenset(
    {"name", "address", "zip", "email", "card", "vehicle", "url", "ip", "photo", "ssn", "phone", "code"}
)
"""Kinds whose own form gives them away, so that a typing error around them must not matter."""


def labelled(seed: int, n: int, given: Weighted = (), family: Weighted = ()) -> Iterator[Row]:
    """Yield `n` rows: every third a look-alike, the kinds in turn between.

    Args:
        seed: the same seed gives the same rows (with the same version of Faker).
        n: how many rows.
        given, family: census names with frequencies, to draw half of the persons by.
    """
    maker = Maker(seed, given, family)
    kinds = list(AROUND)
    for number in range(n):
        if number % 3 == 2:
            yield maker.lookalike()
        else:
            yield maker.row(kinds[(number - number // 3) % len(kinds)])


LOOKALIKES: Final = tuple(
    line.strip()
    for line in """
    will smith; paris hilton pictures; calvin klein underwear; tommy hilfiger outlet; ralph lauren polo shirts;
    houston rockets schedule; orange county; virginia beach hotels; rose garden; will power;
    grant money for college; bush gardens tampa; jack russell terrier; mark down sale; may flowers;
    boeing 747 seating; canon a530; nokia 6230; iphone 4s case; hp deskjet 5550 driver; dell inspiron 1501;
    sony dcr-hc26; ford f150; bmw 325i; honda cbr600rr; glock 19; ak 47; ruger 10/22; remington 870; epson r220 ink;
    lexmark z515; xbox 360 games; ps2 cheats; windows 98 drivers; windows xp sp2; office 2003; sql server 2005;
    visual studio 6; java 1.4.2; firefox 1.5.0.4; mysql 5.0.22 download; directx 9.0c; mp3 320 kbps; route 66;
    i 95 traffic; interstate 80 road conditions; highway 101 map; us 1; state road 7; exit 13; area 51;
    area code 213; 310 area code; 800 numbers; 1 800 flowers; 1-800-contacts; 411; 911 calls; 311;
    dial 1 800 collect; delta flight 1242; united flight 93; american airlines 11; {year} world series;
    {year} presidential election; world war 2 {year}; summer of {year}; tax forms {year}; {year} honda civic;
    {year} super bowl; march 17 {year}; july 4 {year}; september 11 {year}; december 25; april 15 tax deadline;
    events of may {year}; class of {year}; calendar {year}; vietnam {year} timeline; {year} ford mustang gt;
    {year} toyota camry recall; oscars {year}; hurricane season {year}; {price} dollars; homes under {price};
    ${price} loan; laptops under ${price}; price of gold {price}; {price} calorie diet; {small} percent of {price};
    {small} day diet; {small} ways to save; top {small} songs; {small} weeks pregnant; {small} miles;
    {small} year old birthday party ideas; {small} inch tv; {small} gb hard drive; {small} oz to ml;
    convert {price} pounds to kilos; square root of {price}; {small} times {small}; {small} celsius in fahrenheit;
    how many feet in {price} meters; 2 + 2; 12 x 12; 3.14159; pi 3.14159265358979; 1000000 dollars; 1000000000;
    123456789; 10000 bc; 20000 leagues under the sea; 101 dalmatians; 50 first dates; 12 angry men; 8 mile;
    21 grams; 007 games; 24 season 5; apollo 13; blink 182; sum 41; u2 tour; 3 doors down; maroon 5; matchbox 20;
    boyz 2 men; 50 cent; 98 degrees; 311 band; sr 71; b 52 bomber; f 16; m16; 90210 cast; beverly hills 90210;
    isbn 0439785960; 9780439785969; upc 012345678905; part number 97540-23a; toner cartridge q2612a;
    error 0x80070002; error code 12029; rfc 2822; ieee 802.11; 802.11g router; iso 9001; section 8 housing; title 9;
    chapter 7 bankruptcy; form 1040; w2 form; i 9 form; 1099 misc; 401k rollover; 529 plan; 501c3; public law 107;
    article 15; amendment 14; psalm 23; john 3 16; genesis 1 1; romans 8 28; matthew 5; 192.168.1.1;
    192.168.0.1 login; 127.0.0.1; 255.255.255.0; 10.0.0.1; version 2.0.0.7 update; winzip 9.0; acrobat reader 7.0;
    photoshop 7; nero 6; linux 2.6.16; php 4.4.2; 1080p; 16:9; 4x6 prints; 8x10 frame; 2x4 lumber; 9mm;
    20/20 vision; 24/7; 9/11; 7/4 time; 1/2 cup; 3/4 inch plywood; 50/50; mp3.com/; cnn.com/weather; espn.com/nfl;
    yahoo.com/games; nytimes.com; www.amazon.com; google.com/maps; myspace.com; myspace.com/music; facebook.com;
    geocities.com; blogspot.com; hotmail.com; www.gmail.com; aol.com; youtube.com/videos; jobs at google;
    look at this; live at five; home at last; work at home dot com; at t wireless; craigslist.org;
    wikipedia.org/wiki/usa; irs.gov/forms; match.com; led zeppelin; jimi hendrix; bob dylan lyrics;
    johnny cash songs; janet jackson; michael jackson trial; elvis presley; frank sinatra; dean martin;
    billy joel concert; elton john tickets; james taylor; neil young; van morrison; norah jones; kelly clarkson;
    carrie underwood; taylor hicks; clay aiken; ruben studdard; jessica simpson; ashlee simpson; lindsay lohan;
    hilary duff; jennifer lopez; jennifer aniston; brad pitt; angelina jolie; tom cruise; katie holmes;
    nicole kidman; john travolta; robert de niro; al pacino; clint eastwood; denzel washington; morgan freeman;
    samuel jackson movies; keanu reeves; harrison ford; sean connery; james bond; harry potter; indiana jones;
    luke skywalker; homer simpson; charlie brown; peter pan; tom sawyer; nancy drew; sherlock holmes; king arthur;
    robin hood; captain kirk; mickey mouse; donald duck; george bush; george w bush; john kerry; bill clinton;
    hillary clinton; ronald reagan; abraham lincoln; george washington; thomas jefferson; benjamin franklin;
    martin luther king; rosa parks; malcolm x; helen keller; anne frank; albert einstein; isaac newton;
    charles darwin; marie curie; thomas edison; henry ford; walt disney; bill gates; steve jobs; donald trump;
    martha stewart; oprah winfrey; dr phil; rachael ray; emeril lagasse; jane austen; mark twain; ernest hemingway;
    stephen king; john grisham; dan brown; william shakespeare; edgar allan poe; robert frost; maya angelou;
    emily dickinson; claude monet; pablo picasso; andy warhol; frank lloyd wright; michael jordan shoes;
    tiger woods golf; babe ruth; barry bonds; david beckham; lance armstrong; muhammad ali; mike tyson;
    dale earnhardt; jeff gordon; tony hawk; shaquille oneal; kobe bryant; peyton manning; brett favre; tom brady;
    serena williams; andre agassi; roger federer; wayne gretzky; kenneth cole shoes; liz claiborne; ann taylor;
    eddie bauer; lane bryant; jenny craig; betty crocker; sara lee; jimmy dean; oscar mayer; jack daniels; jim beam;
    johnny walker; sam adams; captain morgan; aunt jemima; uncle ben rice; dr pepper; mr clean; mrs fields cookies;
    ben and jerrys; harley davidson; john deere tractors; mercedes benz; rolls royce; smith and wesson;
    black and decker; johnson and johnson; procter and gamble; ernst and young; charles schwab; edward jones;
    merrill lynch; morgan stanley; jp morgan; wells fargo; fannie mae; freddie mac; sallie mae; mary kay;
    estee lauder; max factor; elizabeth arden; victoria secret; dolce gabbana; louis vuitton; kate spade;
    vera bradley; marc jacobs; christian dior; yves saint laurent; johns hopkins; brigham young university;
    george mason university; james madison university; william and mary; sam houston state; stephen f austin;
    john jay college; robert morris college; thomas jefferson high school; martin luther king elementary;
    walter reed hospital; john f kennedy airport; george bush intercontinental airport; john wayne airport;
    henry ford museum; franklin county; jefferson parish; montgomery county md; anne arundel county;
    prince george county; st paul minnesota; san jose california; santa barbara; los angeles; ann arbor michigan;
    jackson mississippi; madison wisconsin; austin texas; charlotte nc; houston texas; dallas cowboys;
    lincoln nebraska; jacksonville jaguars; carolina panthers; georgia bulldogs; washington redskins;
    florence italy; paris france; sydney australia; victoria canada; jordan river; israel palestine; lake charles;
    fort wayne; mount vernon; port charlotte; glen burnie; cape may; crystal lake; hope mills; faith hill;
    joy division; amber alert; crystal ball; pearl harbor; ruby tuesday; jade plant; violet flower; daisy chain;
    lily of the valley; iris flower; rosemary chicken; ginger ale; olive garden; basil plant; cherry pie;
    candy land; penny stocks; sterling silver; gold price; art gallery; gene therapy; pat down; bill payment;
    bob haircut; rob banks; rich text; frank sausage; jack hammer; nick nacks; don juan; ray ban; drew university;
    chase bank; grant writing; guy fawkes; lance corporal; max payne; miles per gallon; rusty nails; sandy beaches;
    skip bo; sue the bank; tony awards; victor valley; wade pool; ward healer; angel food cake; april showers;
    june bug; august moon; summer camp; autumn leaves; dawn dish soap; eve online; grace period; heather plant;
    holly tree; ivy league; melody maker; misty mountains; robin bird; carol singers; cliff notes; dale carnegie;
    earl grey tea; marsh mallow; brown sugar; green tea; white house; black friday; young adults; king size bed;
    price is right; long island; little rock; rice recipes; baker street; cook books; miller lite; taylor guitars;
    turner classic movies; walker texas ranger; wright brothers; hill street blues; wood floors; stone age;
    banks in texas; parks department; fields of dreams; bridges of madison county; bishop lamont; page rank;
    day care; love songs; ball games; church bells; hunt for red october; fisher price; singer sewing machine;
    gates of heaven; parker pens; cooper tires; mason jars; carter administration; ford focus; lincoln navigator;
    chevrolet; dodge charger; hudson river; jackson hole; mitchell report; howard stern; lee jeans; levi strauss;
    wrangler; hershey park; kellogg cereal; campbell soup; heinz ketchup; kraft dinner; nelson mandela; murphy bed;
    murphy oil soap; bell peppers; cox cable; ross store; kohls; sears; jc penney; nordstrom; macys;
    barnes and noble; mary had a little lamb; hey jude lyrics; billie jean lyrics; eleanor rigby; jolene song;
    roxanne police; layla clapton; angie stones; rosanna toto; sweet caroline; oh susanna; danny boy;
    john brown body; frosty the snowman; rudolph red nosed; jack and jill; humpty dumpty; peter piper;
    georgie porgie; tom dooley; barbara ann beach boys; peggy sue; maggie may; ruby dont take your love;
    come on eileen; jessies girl; me and bobby mcgee; hit the road jack; along came mary; proud mary;
    take a letter maria; medical license requirements; medicare part d; license plate holder;
    driver license renewal; insurance policy types; bank account interest; serial killers; serial port;
    model number lookup; passport application; birth certificate copy; death certificates; marriage records;
    social security office; phone number lookup; free email; account manager jobs; patient rights;
    certificate of deposit rates; group health insurance; policy analyst; member of congress; device manager;
    ticket master; order of operations; vin diesel; tag heuer; photo printer; fingerprint jobs; age of empires;
    age 50 benefits; zip lining; zip drive; mobile homes; street dance; avenue q; drive in movies; park place;
    court records; way of life; 5 star hotels; 4 wheel drive; 7 eleven; 3 ring circus; 80 gb hard drive;
    2 way radio; 2006 supreme court; 100 yard dash; 10 step program; 60 minutes; 20 questions; 30 day trial;
    100 year old house; 99 bottles of beer; 95 theses; 92 chevy truck; 97 honda accord; 1000 island dressing;
    3 mile island; 42nd street musical; 16 candles; 12 step; 7 deadly sins; 10 commandments
    """.replace("\n", ";").split(";")
    if line.strip()
)
"""Queries that hold names, numbers and codes which identify nobody."""
