"""Harmless queries that look as if they held an identifier: famous people, brands, models, prices, versions, songs.

Source: written by hand for this package.
"""

from typing import Final

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
