"""Held-out queries about made-up people, and harmless ones about public names: for names alone, and never tuned on.

Rules:
- Names are drawn from Faker in several countries' forms and put in lower case; accents stay in one row of four.
- A row's identifier reaches from the first to the last word of the name, or of both people where two are joined.
- The templates, the forms of names and the harmless queries are others than those of made_up.py and lookalikes.py.

Source: written by hand; the forms follow public bug reports of other removers (presidio, scrubadub, spaCy, llm-guard).
"""

import random
import unicodedata
from collections.abc import Iterator
from typing import Final

from faker import Faker

from querymix_lab.evaluation.identifiers import HARMLESS, Row

LOCALES: Final = {
    "en_US": 40,
    "es_MX": 8,
    "es_ES": 4,
    "en_GB": 8,
    "en_IN": 4,
    "de_DE": 6,
    "fr_FR": 6,
    "it_IT": 6,
    "nl_NL": 5,
    "pl_PL": 5,
    "pt_BR": 4,
    "sv_SE": 4,
}
"""Countries' names and their weights."""

TEMPLATES: Final = (
    "{}",
    "{}",
    "{}",
    "{} of {city}",
    "{} {city} {state}",
    "{} in {state}",
    "{}, {city}",
    "{} obituary {city}",
    "{} funeral home",
    "{} death notice {state}",
    "{} current address",
    "address of {}",
    "home phone of {}",
    "{} cell number",
    "{} mugshot",
    "{} dui arrest",
    "{} county jail",
    "{} court case",
    "{} facebook",
    "{} linkedin profile",
    "{} on myspace",
    "facebook {}",
    "myspace page of {}",
    "what happened to {}",
    "how old is {}",
    "who was {}",
    "is {} married",
    "people search {}",
    "email for {}",
    "{} realtor {city}",
    "{} attorney {state}",
    "law office of {}",
    "{} md {city}",
    "{} dds",
    "{} high school {city}",
    "{} class of 1988",
    "{} wedding",
    "wedding of {}",
    "{} baby registry",
    "{} genealogy",
    "{} ancestors",
    "{} born in {state}",
    "descendants of {}",
    "photos of {}",
    "{} blog",
    "{} soccer coach {city}",
    "{}'s house",
    "{}'s phone number",
    "intitle:{}",
    '"{}"',
    "({})",
)
"""Contexts; `{}` is the name."""

COUPLES: Final = (
    "{} and {}",
    "{} & {}",
    "{} and {} wedding",
    "{} & {} wedding registry",
    "{} and {} engagement announcement",
    "{} vs {}",
    "{} or {} {city}",
    "{}, {}",
    "marriage of {} and {}",
)
CITIES: Final = (
    "akron",
    "boise",
    "chattanooga",
    "des moines",
    "little rock",
    "duluth",
    "mobile",
    "cedar rapids",
    "reno",
)
STATES: Final = ("tennessee", "iowa", "mn", "nevada", "al", "new jersey", "south dakota", "virginia", "pa")


class People:
    """Draws names and queries around them from one seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self._fakers = {locale: Faker(locale) for locale in LOCALES}
        for faker in self._fakers.values():
            faker.seed_instance(seed)

    def parts(self) -> tuple[str, str, str]:
        """Draw a given name, a second one and a surname of one country."""
        locale = self.random.choices(list(LOCALES), list(LOCALES.values()))[0]
        faker = self._fakers[locale]
        drawn = (faker.first_name().lower(), faker.first_name().lower(), faker.last_name().lower())
        return drawn if self.random.random() < 0.25 else (plain(drawn[0]), plain(drawn[1]), plain(drawn[2]))

    def person(self) -> str:
        """Draw a name in one of the forms that queries have."""
        first, second, last = self.parts()
        letter, other = self.random.choices("abcdefghjklmnprstw", k=2)
        forms: tuple[tuple[int, str], ...] = (
            (60, f"{first} {last}"),
            (6, f"{first} {letter} {last}"),
            (3, f"{first} {letter}. {last}"),
            (4, f"{first} {second} {last}"),
            (2, f"{first} {letter} {other} {last}"),
            (3, f"{last}, {first}"),
            (2, f"{last}, {first} {letter}"),
            (2, f"{last} {first} {letter}"),
            (2, f"{first} {last} jr"),
            (1, f"{first} {last}, jr."),
            (1, f"{first} {last} iii"),
            (2, f"dr {first} {last}"),
            (2, f"judge {first} {letter} {last}"),
            (1, f"officer {first} {last}"),
            (1, f"pastor {first} {last}"),
            (2, f"{first} {last}-{self.parts()[2]}"),
            (1, f"{first} {last} {self.parts()[2]}"),
            (1, f'{first} "{self.random.choice(("skip", "bud", "tex", "ace"))}" {last}'),
            (1, f"{first}_{last}".replace(" ", "_")),
            (1, f"{first}-{last}".replace(" ", "-")),
            (1, f"{first}+{last}".replace(" ", "+")),
            (1, f"{first}.{last}".replace(" ", ".")),
        )
        return self.random.choices([form for _, form in forms], [weight for weight, _ in forms])[0]

    def couple(self) -> tuple[str, str]:
        """Draw what stands on both sides of the joining word."""
        one, two = self.parts(), self.parts()
        return self.random.choice(
            (
                (f"{one[0]} {one[2]}", f"{two[0]} {two[2]}"),
                (f"{one[0]}", f"{one[1]} {one[2]}"),
                (f"{one[0]} {one[2]}", f"{two[0]} {two[1]} {two[2]}"),
            )
        )

    def row(self) -> Row:
        """Return a query around one name, or around two in one row of eight."""
        if self.random.random() < 0.125:
            template = self._placed(self.random.choice(COUPLES))
            before, between, after = template.split("{}")
            one, two = self.couple()
            made = f"{one}{between}{two}"
        else:
            before, after = self._placed(self.random.choice(TEMPLATES)).split("{}")
            made = self.person()
        return Row(f"{before}{made}{after}", "name", len(before), len(before) + len(made))

    def _placed(self, template: str) -> str:
        return template.replace("{city}", self.random.choice(CITIES)).replace("{state}", self.random.choice(STATES))


def plain(text: str) -> str:
    """Return `text` as people type it: without accents."""
    text = text.replace("ł", "l").replace("ß", "ss").replace("ø", "o")
    return "".join(char for char in unicodedata.normalize("NFD", text) if not unicodedata.combining(char))


def people(seed: int, n: int) -> Iterator[Row]:
    """Yield `n` rows: every fourth a harmless one, in turn, as often as it takes."""
    maker = People(seed)
    for number in range(n):
        yield Row(PUBLIC[number // 4 % len(PUBLIC)], HARMLESS) if number % 4 == 3 else maker.row()


PUBLIC: Final = tuple(
    query.strip()
    for query in """
    robert redford; meryl streep movies; sandra bullock; steve martin; robin williams comedy; johnny depp pirates;
    russell crowe gladiator; cameron diaz hair; drew barrymore; charlize theron; sigourney weaver; jodie foster;
    matt damon; ben stiller; owen wilson; vince vaughn; jim carrey; mike myers; adam sandler; chris rock tour;
    paul simon; carly simon; joni mitchell; james brown; stevie wonder; diana ross; tina turner; aretha franklin;
    jerry garcia; janis joplin; kurt cobain; eddie van halen; alice cooper; ozzy osbourne; phil collins genesis;
    peter gabriel; sarah mclachlan; alanis morissette; shania twain; garth brooks; george strait; tim mcgraw;
    toby keith; kenny chesney; willie nelson; waylon jennings; patsy cline; loretta lynn; reba mcentire; alan jackson;
    joe montana; jerry rice; dan marino; john elway; larry bird; magic johnson; wilt chamberlain; dennis rodman;
    hank aaron; mickey mantle; ted williams; nolan ryan; roger clemens; derek jeter; pete rose; jackie robinson;
    arnold palmer; jack nicklaus; phil mickelson; pete sampras; andy roddick; venus williams; michelle kwan;
    george w bush approval; dick cheney; colin powell; condoleezza rice; john mccain; al gore; jimmy carter;
    gerald ford; richard nixon; lyndon johnson; john f kennedy; dwight eisenhower; harry truman; woodrow wilson;
    andrew jackson; james monroe; john adams; john quincy adams; ulysses s grant; robert e lee; stonewall jackson;
    winston churchill; margaret thatcher; tony blair; nelson mandela; king henry viii; queen elizabeth;
    prince william; charles dickens; thomas hardy; virginia woolf; james joyce; george orwell; william faulkner;
    john steinbeck; arthur miller; tennessee williams; eugene oneill; walt whitman; henry david thoreau;
    ralph waldo emerson; louisa may alcott; harper lee; toni morrison; alice walker; ray bradbury; isaac asimov;
    arthur c clarke; agatha christie; tom clancy; john le carre; danielle steel; nora roberts; james patterson books;
    dean koontz; jk rowling; c s lewis; t s eliot; j r r tolkien; h g wells; e e cummings; w h auden; j d salinger;
    b b king; jp morgan chase; a g edwards; jc penney; t j maxx; h r block; j crew; e l james; mr rogers; mr bean;
    mrs doubtfire; dr strangelove; dr dolittle; dr oz; dr scholls; dr martens; judge judy; judge mathis; father ted;
    sister wives; captain america; colonel sanders; general grant; sergeant pepper; betty ford clinic; mayo clinic;
    johns hopkins hospital; sloan kettering; carnegie mellon university; duke university; wake forest;
    william paterson university; stephen f austin state university; texas a and m; sam houston; austin peay;
    james madison; george mason; john carroll university; thomas nelson community college; jack in the box;
    jack london square; jesse owens; jesse james outlaw; billy the kid; buffalo bill; annie oakley; davy crockett;
    daniel boone; lewis and clark; lewis and clark trail; bonnie and clyde; romeo and juliet; adam and eve;
    tom and jerry; ben and jerry ice cream; simon and garfunkel; hall and oates; sonny and cher; penn and teller;
    laurel and hardy; abbott and costello; gilbert and sullivan; rodgers and hammerstein; cain and abel;
    hansel and gretel; barnes and noble; smith and wesson; black and decker; johnson and johnson; proctor and gamble;
    crate and barrel; marks and spencer; dolce and gabbana; bed bath and beyond; price waterhouse coopers;
    ernst and young; crosby stills and nash; martin and lewis; will and grace; harold and kumar; thelma and louise;
    dharma and greg; kate and leopold; jordan shoes; taylor made golf; martin guitars; gibson les paul;
    baldwin pianos; craftsman tools; ethan allen furniture; johnny appleseed; paul bunyan; peter rabbit;
    winnie the pooh; charlie and the chocolate factory; mary poppins; alice in wonderland; anne of green gables;
    huckleberry finn; david copperfield; oliver twist; jane eyre; moby dick; sarah plain and tall; stuart little;
    curious george; amelia bedelia; clifford big red dog; bob the builder; dora the explorer; thomas the tank engine;
    barney and friends; arthur pbs kids; franklin turtle; max and ruby; st patrick; st francis of assisi;
    saint joseph hospital; santa clara; san antonio texas; st james infirmary; mount st helens; king james bible;
    gospel of john; book of mark; matthew mark luke and john; prophet daniel; joseph smith mormon; martin luther;
    john calvin; john wesley; billy graham; joel osteen; benny hinn; rick warren; parkinsons disease; down syndrome;
    hodgkins lymphoma; lou gehrig; crohns disease; graves disease; bell palsy; virginia slims; carolina herrera;
    georgia tech; alexandria virginia; st petersburg russia; jackson wyoming; montgomery alabama; lincoln nebraska;
    columbus ohio; cleveland browns; denver broncos; dallas mavericks; madison square garden; gordon food service;
    morgan horse; shelby mustang; lincoln town car; mercury sable; pontiac; rose bowl parade; lily pads; daisy cutter;
    holly springs; ivy plants; hazel eyes; ginger root; olive oil; sage smudge; april fools day; may day; june bugs;
    august wilson plays; summer jobs; autumn leaves; dawn of the dead; sandy beach; bill of rights;
    frank lloyd wright houses; art deco; gene splicing; rob roy drink; tom collins recipe; bloody mary mix;
    harvey wallbanger; shirley temple drink; roy rogers; john daly; arnold palmer drink; jack and coke;
    margarita recipe; grant application; chase credit card; ward churchill; dean of students; earl of sandwich;
    king of spain; duke blue devils; mark twain quotes; marcus aurelius; julius caesar; alexander the great;
    joan of arc; catherine the great; peter the great; michael moore; michael crichton; michael bolton;
    michael douglas; george michael; george harrison; ringo starr; paul mccartney; john lennon imagine; yoko ono;
    elvis costello; buddy holly; chuck berry; ray charles; louis armstrong; miles davis; john coltrane;
    duke ellington; billie holiday; ella fitzgerald; frank zappa; eric clapton; jeff beck; jimmy page; jimmy buffett;
    jimmy fallon; jay leno; david letterman; conan obrien; jon stewart; stephen colbert; bill maher; dennis miller;
    rush limbaugh; sean hannity; bill oreilly; ann coulter; larry king live; anderson cooper; katie couric;
    dan rather; tom brokaw; barbara walters; ellen degeneres; rosie odonnell; montel williams; jerry springer;
    maury povich; ricki lake; judge joe brown
    """.replace("\n", "").split(";")
)
"""Queries about public figures, works, brands, places and things named after people, which nothing is cut from."""
