"""Names that are words, places or brands too, and how far each is a name first.

Rules:
- Only names that the knowledge base's tags cannot settle stand here: those in a dictionary or with more than three
  million web references, if at least four in 100,000 people bear them. Rarer ones of that kind are never names alone.
- So do those that a dictionary has as another form of a word only ("hicks", "reeves") or as a rare word ("jared"), if
  25 in a million bear them: they are sure from a ratio (see below) of 60 (given names) or 100 (surnames) on, possible
  from 2.6 or 25 on, and possible at most where the other word is in use ("winters", "maples").
- A name is sure where its bearers (per million) against its web references (millions) reach 0.25 (given names) or 0.40
  (surnames), and possible down to 0.03; some hundred nicknames and flower names were moved by hand.

Source: US census 1990 (PyPI `names`), Google web counts (PyPI `wordsegment`), dictionary WordNet 3.0.
"""

from typing import Final

from service.core.identifiers.spans import word_set

GIVEN_SURE: Final = word_set("""
    aaron abel abraham ada adam adrian alan albert alex alexander alfred alice alicia aline alison allan allen allison
    alma althea amanda amelia amos amy ana andre andrea andrew andy angela angelica angelina angelique anita ann anna
    anne annie anthony antonio arnold arthur ashley barbara barry beatrice beau ben benjamin bennie benny bernard beryl
    beth betty beverly billy blake bob bobby bonnie booker brad bradley brandon brenda brent brett brian bridget
    brittany brooke bruce bryan byron calvin carissa carl carlos carlton carmen carmine carol caroline carolyn carrie
    casey cassandra cassie catherine cathy chad charles charlie chelsea cheryl chester chris christen christi christie
    christina christine christopher chuck cindy claire clara clarence claude clayton clement clifford clifton clyde cody
    colette colin colleen concepcion conrad constance cora corrie courtney coy craig curt curtis cynthia damon dan dana
    daniel danielle danny dante darren dave david debbie deborah della demetrius denise dennis derek derrick dewey
    dexter diana diane domingo dominic dominick dominique don dona donald donna dorian doris dorothy doug douglas doyle
    earnest ed eddie eddy edgar edward edwin elaine elijah elisa elizabeth ellen elton emery emilia emily emma enid eric
    erica erik erin ernest ester esther eugene eugenia eva evan everett fabian fanny fay felicia felix fernando flora
    floyd frances francis frank fred frederick gabriel gail galen garland garrett gary geoffrey george georgette gerald
    gilbert gina glenn gloria gordon gracie greg gregory gwen haley hannah harold harry harvey heather hector helen
    henry herbert herman hillary horace howard hugh ian ida ira irving isaac iva ivan jackie jacob jake james jamie jane
    janet jared jarred jason jay jean jeff jeffrey jenna jennifer jenny jeremiah jeremy jerome jerry jesse jessica jill
    jim jimmy jo joan joe joel joey john johnny jon jonathan jose joseph josh joshua josue joyce juan judith judy julia
    julian julie justin karen karl kate katherine kathleen kathy katie katrina kay keith kelley kelly kelvin ken kendall
    kenneth kenny kevin kim kimberley kimberly kirk kris kurt kyle lacy larry laura lauren laurie lawrence leigh lena
    leo leon leonard leonardo leslie levi lillie linda lindsay lisa liz liza lloyd loren lori lorraine louis louise
    lowell lucy luis luke luther lydia lynn mack mae magdalena maggie malcolm manuel mara marc marcel marco marcus
    margaret margarita marguerite mari maria marian marie marilyn mario marion mark marlin martha marty marvin mary matt
    matthew maurice mavis megan melba melissa meredith merle micah michael michele michelle miguel mike milton mina
    minerva mitchell mohammad mollie molly mona monica nancy naomi natalie nathan neal neil nestor neva nicholas nick
    nicole nikki nina noah noel noemi norma norman odessa ola oliver olivia ora oscar otis owen pablo paige pam pamela
    pansy patricia patrick patsy patty paul paula pauline pedro peggy penelope percy perry pete peter phil philip
    phillip phoebe pilar preston rachel ralph ramona randall randolph randy raphael raymond rebecca rebekah regina
    reuben rex rhea ricardo richard rick rickey ricky rita robbie robert roberto robin rodney roger roland ron ronald
    roosevelt rosa rosario rosita roy royce russell ruth ryan sally salvador sam samantha samuel sandra sandy santiago
    santos sara sarah saul scot scott scottie sean selma seth shane shannon shari sharon shawn sheila shelby shelley
    sherman sherry shirley sidney silvia simon sophie stan stanley stella stephanie stephen steve steven stuart sue
    susan susanna suzanne tammy tara ted terence teresa terri terry theodore theresa thomas tia tiffany tim timothy tina
    toby todd tom tommy toni tony tracy travis trevor tristan troy tyler tyson ulysses valerie vanessa vera vernon
    veronica victor vince vincent virgil wade wallace walter warren wayne wendy wesley whitney willard william willie
    willis winfred wm
    """)
"""Given names that are read as names before any other use."""

GIVEN_MAYBE: Final = word_set("""
    adelaide alba alberta alexa alexandria ali amber andreas angel antony april art asa ashlee augusta augustine aurora
    austin autumn avery barb barrett bart barton basil bella benedict bennett benton bill birdie blair bonny boyd
    bradford brady brandy brant britney britt brooklyn bruno bryant buddy burton cameron candy carey carina carlo
    carroll carson carter chang charity charlotte chase cherry christian clare clark clay cleveland cliff clinton cole
    coleman cornell cristal cruz crystal daisy dale dallas dalton dane daphne darwin dawn dean dee denis destiny devon
    dion dirk dixie dolly drew duncan dusty dylan earl ebony eli elliot elliott ellis elvis emerson eve faith fern
    fletcher florence francisco franklin freeman gale garret gene geneva georgia ginger glen grace graham grant guy hal
    hank hans harley harris harrison hazel heath helena hilary holly homer hope hugo hung iris isabella isaiah israel
    ivory ivy jack jackson jacques jade jan jasmine jasper jefferson jesus jewel jonah jordan joy jude june kent kenya
    kerry kip kitty kylie lance laurel lea lee len leone lewis libby lily lindy lino logan lolita lon lou lucas lucia
    lulu madison mai malik marge mariah mariana marina marquis marshall martin mason max maxwell maya mel melody
    mercedes merlin merry mia michel mickey miles milo missy misty monroe monte morgan morris morton moses murray myrtle
    nan napoleon ned nelly nelson norris olive opal orlando palmer parker pat pearl penny pierre prudence quincy quinn
    raven ray reed reid rich riley rob rocky rod roman romeo rose rosemary ross ruby russ rusty sang savannah sebastian
    sid sky sofia solomon sonny spencer starr stefan sterling stewart summer sydney tad tanner taylor teddy terra tiara
    tod tori trent trenton trey trinidad trinity truman ty victoria viola violet virginia wally walton ward weston wiley
    will wilson winston xavier zelda
    """)
"""Given names that are words, places or brands as often: they need a surer neighbour."""

FAMILY_SURE: Final = word_set("""
    abbott abel adams agee albers alderman alexander allen allgood allison alonso ambrose andersen anderson andrews
    aragon archer arias armstrong arnold arroyo askew atkins avery bailey baker baldwin ballard bandy bannister barber
    barker barkley barnes barrett barrios barth bartlett barton bates batiste bauer baum baxter beard beck becker
    behrens bell bender bennett benson benton berg bergman berry bishop blackburn blain blake bland bock boles booker
    boone borges boswell bourgeois bower bowers bowman boyd boyle bradley brady bragg brandt bray brewer britt brogan
    brooks brown browne browning brunet bryant buchanan bullock burgess burk burke burnett burnham burns burnside burr
    burroughs burt burton busby butler butterfield byrd cain calderon caldwell calkins campbell canfield cannon canty
    carlson carmichael carpenter carr carrell carroll carson carter cartwright caruso carver casey castro cervantes
    chamberlain chambers chandler chang chapman chasse chavez clark clary clayton clement cline cochran cohen colbert
    cole coleman collier collins colon colter comer compton conger connolly connors conway cook cooke coon coons cooper
    corbett cordova cortes cortez cotter coulter cox coy craven cravens crawford creel crockett croft cronk crook crosby
    crouch crouse crozier crump cruz culbertson cummings cunningham currier curry curtis cutler dahl dalton daniels
    davenport davidson davis dawson decker dempsey devries dews dias diaz dickens dickey dietrich dill dix dixon dobbins
    dobson doss douglass dowdy downing doyle drake dumas duncan dunn dunning durant dyer eastman eaves edwards elam
    elliott ellis ellison ellsworth emery evans everett fain farrell farrow faulkner faust fay ferguson ferrara finch
    fink fischer fisher fitch fitzgerald fleming fletcher foreman foster fowler franco franks freeman frey frye fuchs
    fuentes fuller fulton gable gaddis gallant galloway gamble garcia gardner garner garrett garrison gaskin gaskins
    geiger gentile gentry gibbs gibson gilbert gill gillespie gilman girard givens gladden goad goddard goldsmith
    gonzalez goodman gordon gould graf graham granger graves gray greco greenberg greene gregory gresham griffin
    griffith grimes grimm groves guevara guthrie haggard hahn hale hales haley hamilton hammond hancock hanks hansen
    hanson harden harding hardy harper harris harrison hart hartley harvey hathaway hawkins hayes hays haywood heller
    helms henderson henson herman herrick herring hess hickey hicks hildebrand hinds hobbs hoffman hoffmann hogan hogg
    holmes holt hoover hopkins hopper horne howard howe hoyle hubbard hudson huff huggins hughes hunt huston hutchins
    hutchinson hutton jackson jacobs jaeger jamison jansen jarrell jeffers jenkins jennings jensen jimenez johnson
    johnston joiner jones juarez kane kaufman keaton keister keller kelley kendall kennedy kerns kidd kinsey kirk kline
    knight knox koch krebs kuhn lackey lacy laird lally lambert landers laney lange langley lawton layman leach leal
    leary leatherwood ledbetter lee leger leonard lewis lind lipscomb livingston locke logan looney lopes lopez lorenz
    lovelace lovell lowe lowry lucas luce luna lund lynch lyons mack madrigal mahan malone mann manning marsh marshall
    martin martinez mason matthews mauldin maxwell mays mccarthy mccauley mccormick mcdonald mcintosh mckinley mcpherson
    meade medina meek messina meyer mickle middleton miller mills minter mitchell montes montgomery moody moore morales
    morgan morris morrison morrow morse morton moss mott mull muller mulligan murillo murphy murray myers nance napier
    nash neal nelson newcomb newman nielsen nix nixon norris noyes ochoa ogle oliver olson orozco orr ortega osborne
    owen owens paige paine palmer pappas parker parnell parr parrish parson parsons paschal pate patten patterson paxton
    payne peacock pearson peck perkins perry peters peterson petty phillips pickett pierce poe pollack pollard pollock
    ponce porter powell prater proctor purcell pyle quinn quinones randall randolph rankin ransom rasmussen reaves
    rector redden reed reedy reeves reid reiter reyes reynolds rhea rhodes richards richardson ricks riddle ridley riley
    rivera roach robbins roberts robertson robinson robles rodgers rodriguez rogers rondeau roper rosales rosario ross
    roth rouse rudd ruff runyon russell rutherford rutledge salter sanchez sanders santiago santos sargent sawyer
    sawyers schilling schmidt schneider schulz schwartz scott seaman seidel seward sexton shaver shaw shearer shepard
    shepherd sherman shields shockley shoemaker silva simmons simpson sims singleton skinner slater slaughter sledge
    smalley smalls smith smothers snead snipes sorensen sousa sparks speer spencer stafford stallings stamper stanley
    stanton stark starkey starling steed steele steelman steen stephens stephenson stevens stevenson steward stewart
    stiles stockman stokes stoner stoops stout stover strickland stringer stubbs sullivan summers sumner sumpter sutton
    swain swanson tabor tanner tate tatum taylor tharp thomas thompson thornton thorpe thrasher tobin towner townsend
    trevino trotter tucker turner turpin tyson underwood valdez vandyke vargas vaughan vega vela velazquez verdin vigil
    vinson wade waggoner wagner wagoner waite walker wallace waller walsh walton ward ware warren waterman watson watts
    waugh weatherly weaver webb weber weir welch wells wheatley wheeler whited whitehead whitener whiting whitlow
    whittle wilder wiles wilkins wilkinson willard williams williamson willis wilson winslow withers witherspoon wolfe
    wolff wong woodcock woodruff woods woodward workman wren wright wyatt wylie zapata ziegler zimmer
    """)
"""Surnames that are read as names before any other use."""

FAMILY_MAYBE: Final = word_set("""
    aaron abraham addison aguilera aiken albert ali alley amos anthony arthur ash ashley ashton augustine austin babbitt
    bacon badger bales ball bane banister banks baron barrow barrows barry bass basso batten battle beam bean beaver
    beavers beckett beery benedict benjamin bennet bentley bernard bernstein beverly bey billings binder birch bird
    birdsong black blackwood blair blank bliss blocker bloom bloomer blunt boatman bode bolton bond bonds booth boozer
    borders bourne bowie bowling bracken bradford branch brandon brant braun bravo bridges bright brill brink bruce
    bruno bryan buck bull bunch burden burg burger bush bushman buss butcher butters butts calvin cameron camp canter
    cantor capers caraway carey carl carlisle carlton carper carrion casper castle cave champagne champion chan charles
    chase cheek chen cheney cherry chester chestnut chin cho chou chow christian christie christopher churchill clapper
    clarke clarkson clay cleaver clegg clemens cleveland clifford clifton clinton cloud coats cody coffin coles collard
    combs comstock cone coney conn conrad cope cornell cornish corona costa cote cotton couch courtney couture covey
    craft craig crane cress crews crisp cromwell crooks cropper cross crow cruse custer dale daniel darling davies day
    dean dennis dent derrick dewey dexter dibble dick dickinson dingle dion dodge doe donald douglas dove dow downer
    downs draper drew duff duke dukes durham dye dykes earl earls easter eddy edgar eggers elder ellington elliot
    emerson epstein ernst fabian fairbanks falcon farina farmer felix feller felts fetter fielder fields finn flack
    flanders fleck flint flood florence flowers floyd forbes ford forester forte fortune fountain fox francis frank
    franklin franz fraser frederick freedman french friedman frost fry fryer funk furlong gabriel gage gainer gale
    gardiner garland gary gates gee george gibbons gillette gist glenn goings goldberg golden goldman gore grace grant
    greaves green greenwood grizzle grooms gross grove gurney guy hacker hackney hake hall ham hammer hampton han handy
    hannah harder hare harley harlow harness harp hastings hasty hatch havens hawk hawks haws hawthorne hay hazel
    hazelwood heath heck hedges helm hendrix henry herbert hewitt hill hilton hitchcock ho hoard holden holder holland
    hood hook hooker hooks horn horst houghton houston hoy hull hunter hurt hyatt hyde irving isaac ivory ivy jacob
    jacques james jasper jean jefferson jeffrey jester johns jolly jordan joseph joy joyce jude julian jung kahn kaiser
    kaplan kay keen keith kellogg kelly kenny kent kern keys khan kim king kirsch klein knoll kohl kraft kruger kyle lam
    lamb lancaster lance lane lang lash lasher lavigne lawless lawrence lay lear leech lees leigh lemon lemons leon
    leone leslie levy li libby lim lima lin lindsay lira little liu lively lloyd long love loveless lu luke luster
    luther lynn lyon macdonald mace mackenzie macon madden madison madrid majors malcolm mansfield manuel maples marcus
    mares marino marion marks marquis martens martins marvin marx masters may mayer mayo mcafee mccartney mcgraw mead
    meadows medley mercer meredith michel miles milton miner minor moats mock moll monger monk monroe moon morley moses
    motley mouton muse nave neil ness nester nettles neumann newton ng ngo nicholas noble nobles noel norman norton
    nutter oakley ogden oswald otis outlaw pace packard packer paddock pagan page painter pang pare parish parks parry
    partridge patrick paul pease peek peeler pence penn penny peoples pepper pierre pike pinto piper pitman pitt plowman
    plumb polk pond ponder pooler pope potter powers prescott presley preston price priest prince pulley purser quirk
    rainwater ralph raper rash ray raymond reagan redding reich reis rice rich richard richmond rico rider rife riffle
    rivers robins rockwell roe roebuck roland roman rood rooks rosa rose rounds rowan roy ruble ruby rush rushing rusk
    russ rust ruth ryan sabin saddler sage salisbury salmon salmons samson samuel sander sands savage savoy scales
    schubert seal seals sears seymour shade shah shank shanks shannon sharp shay sheets sheffield shelby shelley
    sheridan sherwood shin shirk shirley shiver shivers shook shorter sierra silvers simon sinclair singer singh skipper
    slack slay smart smiley smock snook snow solomon sowers spear spears speck spiller springer squires stack stanford
    staples starr stein steinberg steiner sterling stern stocker stockton stoker stone storey stowe strain strand
    strange strauss stuart stump sutherland swan swank sweat sweet swift taft talbot tan tang teeter temple terry testa
    thatcher thomson thorn thrower tiller tingle tinker titus todd toledo tracy travis trent trice troupe trout tuck
    turk tyler valencia valentine veal ventura vera vermillion vernon vest vestal vidal villa vincent vines waddle
    wainwright wall wallis walls walter wang warden waring warner washington waters watt weathers webster welsh wesley
    west wester weston wharton wheat whetstone white whitman whitney wick wicker wicks wilde wiley wilkes wills wilt
    winder winston winters wise wold wolf wood woodman woody worthy wu yang yi young younger yu
    """)
"""Surnames that are words, places or brands as often."""
