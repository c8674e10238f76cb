"""Names that are words, places or brands too, and how far each is a name first.

Rules:
- Only names that the knowledge base's tags cannot settle stand here: those in a dictionary or with more than three
  million web references, if at least four in 100,000 people bear them. Rarer ones of that kind are never names alone.
- A name is sure where its bearers (per million) against its web references (millions) reach 0.25 (given names) or 0.40
  (surnames), and possible down to 0.03; some hundred nicknames and flower names were moved by hand.

Source: US census 1990 (PyPI `names`), Google web counts (PyPI `wordsegment`), dictionary WordNet 3.0.
"""

from typing import Final

from service.core.identifiers.spans import word_set

GIVEN_SURE: Final = word_set("""
    aaron abel abraham ada adam adrian alan albert alex alexander alfred alice alicia aline alison allan allen
    allison alma althea amanda amelia amos amy ana andre andrea andrew andy angela angelica angelina angelique anita
    ann anna anne annie anthony antonio arnold arthur ashley barbara barry beatrice beau ben benjamin bennie benny
    bernard beryl beth betty beverly billy blake bob bobby bonnie booker brad bradley brandon brenda brent brett
    brian bridget brittany brooke bruce bryan byron calvin carissa carl carlos carlton carmen carol caroline carolyn
    carrie casey cassandra cassie catherine cathy chad charles charlie chelsea cheryl chester chris christi christie
    christina christine christopher chuck cindy claire clara clarence claude clayton clement clifford clifton clyde
    cody colette colin colleen concepcion conrad constance cora courtney coy craig curt curtis cynthia damon dan
    dana daniel danielle danny dante darren dave david debbie deborah della demetrius denise dennis derek derrick
    dewey dexter diana diane domingo dominic dominick dominique don dona donald donna dorian doris dorothy doug
    douglas doyle earnest ed eddie eddy edgar edward edwin elaine elijah elisa elizabeth ellen elton emery emilia
    emily emma enid eric erica erik erin ernest ester esther eugene eugenia eva evan everett fabian fanny fay
    felicia felix fernando flora floyd frances francis frank fred frederick gabriel gail galen garland garrett gary
    geoffrey george georgette gerald gilbert gina glenn gloria gordon gracie greg gregory gwen haley hannah harold
    harry harvey heather hector helen henry herbert herman hillary horace howard hugh ian ida ira irving isaac iva
    ivan jackie jacob jake james jamie jane janet jason jay jean jeff jeffrey jenna jennifer jenny jeremiah jeremy
    jerome jerry jesse jessica jill jim jimmy jo joan joe joel joey john johnny jon jonathan jose joseph josh joshua
    josue joyce juan judith judy julia julian julie justin karen karl kate katherine kathleen kathy katie katrina
    kay keith kelley kelly kelvin ken kendall kenneth kenny kevin kim kimberley kimberly kirk kris kurt kyle lacy
    larry laura lauren laurie lawrence leigh lena leo leon leonard leonardo leslie levi lillie linda lindsay lisa
    liz liza lloyd loren lori lorraine louis louise lowell lucy luis luke luther lydia lynn mack mae magdalena
    maggie malcolm manuel mara marc marcel marco marcus margaret margarita marguerite mari maria marian marie
    marilyn mario marion mark marlin martha marty marvin mary matt matthew maurice mavis megan melba melissa
    meredith merle micah michael michele michelle miguel mike milton mina minerva mitchell mohammad mollie molly
    mona monica nancy naomi natalie nathan neal neil nestor neva nicholas nick nicole nikki nina noah noel noemi
    norma norman odessa ola oliver olivia oscar otis owen pablo paige pam pamela pansy patricia patrick patsy patty
    paul paula pauline pedro peggy penelope percy perry pete peter phil philip phillip phoebe preston rachel ralph
    ramona randall randolph randy raphael raymond rebecca rebekah regina reuben rex rhea ricardo richard rick rickey
    ricky rita robbie robert roberto robin rodney roger roland ron ronald roosevelt rosa rosario roy royce russell
    ruth ryan sally salvador sam samantha samuel sandra sandy santiago santos sara sarah saul scot scott scottie
    sean selma seth shane shannon shari sharon shawn sheila shelby shelley sherman sherry shirley sidney silvia
    simon sophie stan stanley stella stephanie stephen steve steven stuart sue susan susanna suzanne tammy tara ted
    terence teresa terri terry theodore theresa thomas tia tiffany tim timothy tina toby todd tom tommy toni tony
    tracy travis trevor tristan troy tyler tyson ulysses valerie vanessa vera vernon veronica victor vince vincent
    virgil wade wallace walter warren wayne wendy wesley whitney willard william willie willis winfred wm
    """)
"""Given names that are read as names before any other use."""

GIVEN_MAYBE: Final = word_set("""
    adelaide alba alberta alexandria ali amber angel antony april art ashlee augusta augustine aurora austin autumn
    avery bart basil bennett bill blair boyd bradford brady brandy britney brooklyn bruno bryant burton cameron
    candy carey carlo carroll carson carter charity charlotte chase cherry christian clare clark clay cleveland
    cliff clinton cole cornell cruz crystal daisy dale dallas dalton dane daphne darwin dawn dean dee denis destiny
    devon dion dirk dixie dolly drew dusty dylan earl ebony eli elliot elliott ellis elvis emerson eve faith fern
    fletcher florence francisco franklin gale gene geneva georgia ginger glen grace graham grant guy hal hans harley
    harrison hazel heath helena hilary holly homer hope hugo hung iris isabella isaiah israel ivory ivy jack jackson
    jacques jade jan jasmine jasper jefferson jesus jewel jordan joy june kent kenya kerry kitty lance laurel lea
    lee lewis libby lily logan lolita lou lucas lucia madison mai mariana marina marshall martin mason max maxwell
    melody mercedes merlin mia michel mickey miles misty monroe monte morgan morris moses murray myrtle nan ned
    nelly nelson norris olive opal orlando pat pearl penny pierre quincy ray reed rich riley rob rocky rod roman
    romeo rose rosemary ross ruby rusty sang savannah sebastian sky sofia solomon sonny spencer stefan sterling
    stewart summer sydney taylor teddy terra trent trenton trinidad trinity truman ty victoria viola violet virginia
    ward wiley will wilson winston xavier zelda
    """)
"""Given names that are words, places or brands as often: they need a surer neighbour."""

FAMILY_SURE: Final = word_set("""
    abbott abel adams agee albers alderman alexander allen allison alonso ambrose andersen anderson andrews aragon
    archer armstrong arnold arroyo askew atkins avery bailey baker baldwin ballard bandy bannister barber barker
    barkley barnes barrett barth bartlett barton bates bauer baum baxter beard beck becker behrens bell bender
    bennett benson benton berg bergman berry bishop blackburn blake bland bock booker boone borges boswell bourgeois
    bower bowman boyd boyle bradley brady bragg brandt bray brewer britt brooks brown browne browning bryant
    buchanan bullock burgess burk burke burnett burnham burns burnside burr burroughs burt burton busby butler
    butterfield byrd cain calderon caldwell campbell canfield cannon canty carlson carmichael carpenter carr carroll
    carson carter cartwright caruso carver casey castro cervantes chamberlain chambers chandler chang chapman chavez
    clark clary clayton clement cline cochran cohen colbert cole coleman collier collins colon comer compton
    connolly connors conway cook cooke coon cooper corbett cordova cortes cortez cotter coulter cox coy craven
    crawford crockett croft crook crosby crouch crouse crump cruz culbertson cummings cunningham currier curry
    curtis cutler dahl dalton daniels davenport davidson davis dawson decker dempsey devries dias diaz dickens
    dickey dietrich dill dix dixon dobson doss douglass dowdy downing doyle drake dumas duncan dunn durant dyer
    eastman eaves edwards elam elliott ellis ellison ellsworth emery evans everett fain farrell farrow faulkner
    faust fay ferguson ferrara finch fink fischer fisher fitch fitzgerald fleming fletcher foreman foster fowler
    franco freeman frey frye fuchs fuentes fuller fulton gable gallant galloway gamble garcia gardner garner garrett
    garrison geiger gentile gentry gibbs gibson gilbert gill gillespie gilman girard goad goddard goldsmith gonzalez
    goodman gordon gould graf graham granger graves gray greco greenberg greene gregory gresham griffin griffith
    grimm groves guevara guthrie haggard hahn hale haley hamilton hammond hancock hanks hansen hanson harden harding
    hardy harper harris harrison hart hartley harvey hathaway hawkins hayes hays haywood heller henderson henson
    herman herrick herring hess hickey hildebrand hobbs hoffman hoffmann hogan hogg holmes holt hoover hopkins
    hopper horne howard howe hoyle hubbard hudson huff huggins hughes hunt huston hutchins hutchinson hutton jackson
    jacobs jaeger jamison jansen jarrell jeffers jenkins jennings jensen jimenez johnson johnston joiner jones
    juarez kane kaufman keaton keller kelley kendall kennedy kidd kinsey kirk kline knight knox koch krebs kuhn
    lackey lacy laird lambert laney lange langley lawton layman leach leal leary ledbetter lee leger leonard lewis
    lind lipscomb livingston locke logan looney lopez lorenz lovelace lovell lowe lowry lucas luce luna lund lynch
    lyons mack madrigal mahan malone mann manning marsh marshall martin martinez mason matthews mauldin maxwell mays
    mccarthy mccauley mccormick mcdonald mcintosh mckinley mcpherson meade medina meek messina meyer middleton
    miller mills minter mitchell montgomery moody moore morgan morris morrison morrow morse morton moss mott mull
    muller mulligan murillo murphy murray myers nance napier nash neal nelson newcomb newman nielsen nix nixon
    norris noyes ochoa ogle oliver olson orozco orr ortega osborne owen owens paige paine palmer parker parnell parr
    parrish parson parsons pate patten patterson paxton payne peacock pearson peck perkins perry peters peterson
    petty phillips pickett pierce poe pollack pollard pollock ponce porter powell prater proctor purcell pyle quinn
    randall randolph rankin ransom rasmussen rector reed reedy reid reiter reyes reynolds rhea rhodes richards
    richardson riddle ridley riley rivera roach robbins roberts robertson robinson rodgers rodriguez rogers roper
    rosales rosario ross roth rouse rudd ruff runyon russell rutherford rutledge salter sanchez sanders santiago
    santos sargent sawyer schilling schmidt schneider schulz schwartz scott seaman seward sexton shaver shaw shearer
    shepard shepherd sherman shields shockley shoemaker silva simmons simpson sims singleton skinner slater
    slaughter sledge smalley smith snead sorensen sousa sparks speer spencer stafford stamper stanley stanton stark
    starkey starling steed steele steen stephens stephenson stevens stevenson steward stewart stoner stout stover
    strickland stringer stubbs sullivan summers sumner sutton swain swanson tabor tanner tate tatum taylor tharp
    thomas thompson thornton thorpe thrasher tobin townsend trevino trotter tucker turner turpin tyson underwood
    valdez vandyke vargas vaughan vega vela velazquez vigil vinson wade waggoner wagner wagoner waite walker wallace
    waller walsh walton ward ware warren waterman watson watts waugh weaver webb weber weir welch wells wheatley
    wheeler whitehead whiting whitlow whittle wilder wilkins wilkinson willard williams williamson willis wilson
    winslow withers witherspoon wolfe wolff wong woodcock woodruff woods woodward workman wren wright wyatt wylie
    zapata ziegler zimmer
    """)
"""Surnames that are read as names before any other use."""

FAMILY_MAYBE: Final = word_set("""
    aaron abraham addison aguilera aiken albert ali alley amos anthony arthur ash ashley ashton augustine austin
    bacon badger ball banks baron barrow barry bass battle beam bean beaver beavers beckett benedict benjamin
    bentley bernard bernstein beverly billings binder birch bird black blair blank bliss blocker bloom blunt bolton
    bond bonds booth borders bourne bowie bowling bradford branch brandon braun bravo bridges bright brink bruce
    bruno bryan buck bull bunch burden burger bush butcher butts calvin cameron camp carey carl carlisle carlton
    casper castle cave champagne champion chan charles chase cheek chen cheney cherry chester chestnut chin cho chow
    christian christie christopher churchill clarke clarkson clay clemens cleveland clifford clifton clinton cloud
    coats cody coffin comstock cone conn conrad cope cornell cornish corona costa cote cotton couch courtney couture
    craft craig crane crisp cromwell cross crow custer dale daniel darling davies day dean dennis dent derrick dewey
    dexter dick dickinson dion dodge doe donald douglas dove dow downs draper drew duff duke durham dye earl easter
    eddy edgar elder ellington elliot emerson epstein ernst fairbanks falcon farmer felix fields finn flanders flint
    flood florence flowers floyd forbes ford forte fortune fountain fox francis frank franklin franz fraser
    frederick french friedman frost fry funk gabriel gage gale gardiner garland gary gates gee george gillette glenn
    goldberg golden goldman gore grace grant green greenwood gross grove guy hacker hackney hall ham hammer hampton
    han handy hannah harder hare harley harlow harness harp hastings hatch hawk hawks hawthorne hay hazel heath heck
    helm hendrix henry herbert hewitt hill hilton hitchcock ho holden holder holland hood hook hooker hooks horn
    houghton houston hoy hull hunter hurt hyatt hyde irving isaac ivory ivy jacob jacques james jasper jean
    jefferson jeffrey johns jolly jordan joseph joy joyce jude julian jung kahn kaiser kaplan kay keen keith kellogg
    kelly kenny kent kern keys khan kim king klein kraft kruger kyle lam lamb lancaster lance lane lang lavigne
    lawrence lay lear leigh lemon leon leone leslie levy li libby lim lima lin lindsay lira little liu lively lloyd
    long love lu luke luther lynn lyon macdonald mace mackenzie macon madden madison madrid majors malcolm mansfield
    manuel marcus marino marion marks marquis marvin marx masters may mayer mayo mcafee mccartney mcgraw mead
    meadows medley mercer meredith michel miles milton miner minor mock monk monroe moon morley moses motley muse
    neil ness neumann newton ng ngo nicholas noble noel norman norton oakley ogden oswald otis outlaw pace packard
    pagan page painter parish parks parry partridge patrick paul peek penn penny peoples pepper pierre pike pinto
    piper pitt polk pond ponder pope potter powers prescott presley preston price priest prince ralph rash ray
    raymond reagan redding reich rice rich richard richmond rico rider rivers rockwell roe roland roman rosa rose
    rounds rowan roy ruby rush rushing russ rust ruth ryan sage salisbury salmon samson samuel sander sands savage
    scales schubert seal seals sears seymour shade shah shank shannon sharp sheets sheffield shelby shelley sheridan
    sherwood shin shirley shook shorter sierra simon sinclair singer singh slack smart smiley snow solomon spear
    spears springer stack stanford staples starr stein steinberg steiner sterling stern stockton stone storey stowe
    strain strand strange strauss stuart stump sutherland swan sweat sweet swift taft talbot tan tang temple terry
    thomson thorn titus todd toledo tracy travis trent trout tuck turk tyler valencia valentine ventura vera vernon
    vest vidal villa vincent wall wallis walls walter wang warden warner washington waters watt webster welsh wesley
    west weston wharton wheat white whitman whitney wicker wilde wiley wilkes wills winston wise wolf wood woody
    worthy wu yang yi young younger yu
    """)
"""Surnames that are words, places or brands as often."""
