"""Names that are topics, whatever the knowledge base holds: people, brands, characters, works and places named so.

Rules:
- A pair stands here when searchers mean the star, label or place, not someone they know. The knowledge base adds its
  own (tag FAMOUS, a category, web references); this list only makes a small base safe to run with.
- Only what the name rules would otherwise cut needs to stand here.

Source: written by hand.
"""

from typing import Final

FAMOUS_NAMES: Final = frozenset(
    name.strip()
    for name in """
    aaron carter, aaron judge, aaron neville, aaron rodgers, aaron spelling, abercrombie and fitch, abraham lincoln,
    abraham maslow, ace ventura, adam brody, adam clayton powell, adam driver, adam lambert, adam levine, adam sandler,
    adam smith, adrian peterson, agatha christie, al capone, al gore, al green, al hirt, al jolson, al pacino, al roker,
    al sharpton, alan greenspan, alan jackson, alan rickman, alan turing, albert einstein, alec baldwin, alex rodriguez,
    alex trebek, alexander graham bell, alexander hamilton, alfred adler, alfred hitchcock, alfred nobel, alice cooper,
    alice in chains, alice springs, alice walker, alice wonderland, alicia keys, alicia silverstone, allen iverson,
    allis chalmers, aly raisman, amanda bynes, amanda knox, amelia earhart, amy adams, amy coney barrett, amy grant, amy
    lee, amy poehler, amy schumer, amy tan, amy winehouse, andre agassi, andrea bocelli, andrea yates, andrew carnegie,
    andrew jackson, andrew johnson, andrew lloyd webber, andy griffith, andy irons, andy kaufman, andy murray, andy
    roddick, andy rooney, andy warhol, angelina jolie, angie dickinson, anita hill, ann arbor, ann coulter, ann landers,
    ann rice, ann taylor, anna faris, anna karenina, anna kendrick, anna kournikova, anna nicole smith, anne boleyn,
    anne frank, anne geddes, anne hathaway, anne klein, anne of cleves, anne rice, annie hall, annie lennox, annie
    oakley, ansel adams, anthony hopkins, antonin scalia, antonio banderas, antonio vivaldi, apolo ohno, aretha
    franklin, ariana grande, arlen specter, armin van buuren, arnold palmer, arnold palmer drink, arnold schwarzenegger,
    arthur andersen, arthur ashe, arthur conan doyle, arthur miller, arthur murray, arya stark, ashlee simpson, ashley
    judd, ashley olsen, ashley simpson, ashley tisdale, ashton kutcher, atticus finch, audrey hepburn, aunt jemima,
    austin powers, austin texas, avril lavigne, ayn rand, babe ruth, baby ruth, bank of america, barack obama, barbara
    bush, barbara streisand, barbara walters, barbra streisand, barnes and noble, barnes noble, barney fife, barney
    frank, barney stinson, barry allen, barry bonds, barry manilow, barry sanders, barry white, bart simpson, beatrix
    potter, ben affleck, ben and jerry, ben folds, ben folds five, ben franklin, ben harper, ben hogan, ben hur, ben
    roethlisberger, ben sherman, ben simmons, ben stiller, benedict cumberbatch, benjamin franklin, benjamin moore,
    benny goodman, benny hill, bernie mac, bernie madoff, bernie sanders, bessie coleman, bessie smith, beth moore,
    bethany hamilton, betsey johnson, betsy ross, bette davis, bette midler, betty boop, betty crocker, betty ford,
    betty grable, betty white, beverly cleary, beverly hills, beverly hills 90210, bill belichick, bill clinton, bill
    cosby, bill engvall, bill gates, bill maher, bill monroe, bill murray, bill nye, bill o'reilly, bill oreilly, billie
    eilish, billie holiday, billie jean, billie jean king, billie joe, billy bob, billy bob thornton, billy crystal,
    billy currington, billy graham, billy idol, billy joel, billy madison, billy ray cyrus, billy the kid, bing crosby,
    bishop lamont, bjorn borg, black and decker, blake shelton, bloody mary, bo derek, bo jackson, bob barker, bob
    costas, bob dole, bob dylan, bob evans, bob hope, bob marley, bob newhart, bob ross, bob saget, bob seger, bob vila,
    bob weir, bob welch, bobbi brown, bobby brown, bobby darin, bobby fischer, bobby flay, bobby jones, bobby knight,
    bobby mcgee, bobby vinton, bonnie clyde, bonnie raitt, bonnie tyler, booker t washington, boris becker, boris
    johnson, brad paisley, brad pitt, bradley cooper, brandi carlile, brent corrigan, bret hart, brett favre, brian
    adams, brian boitano, brian eno, brian epstein, brian may, brian mcknight, briana banks, bridget jones, brigham
    young, britney spears, brittany murphy, brittany spears, brooke burke, brooke shields, brooks brothers, bruce
    banner, bruce dickinson, bruce jenner, bruce lee, bruce springsteen, bruce wayne, bruce willis, bruno mars, bryan
    adams, buck owens, bucky covington, bud light, buddy guy, buddy holly, buffalo bill, burt reynolds, buster keaton,
    caesar augustus, caitlyn jenner, cal ripken, cal ripken jr, calamity jane, calvin coolidge, calvin harris, calvin
    johnson, calvin klein, cameron diaz, captain beefheart, captain kirk, captain morgan, carl jung, carl lewis, carl
    perkins, carl rogers, carl sagan, carl sandburg, carlos mencia, carlos santana, carmelo anthony, carmen electra,
    carmen miranda, carmen sandiego, carol burnett, carole king, carolina herrera, caroline kennedy, carrie bradshaw,
    carrie fisher, carrie underwood, cary grant, casey anthony, cat stevens, cate blanchett, catherine bell, catherine
    parr, catherine zeta jones, celine dion, cesar chavez, chad michael murray, chandler bing, charles barkley, charles
    borromeo, charles darwin, charles dickens, charles lindbergh, charles manson, charles ponzi, charles river, charles
    schulz, charles schwab, charles town, charlie brown, charlie chaplin, charlie daniels, charlie parker, charlie rose,
    charlie sheen, charlotte bronte, charlotte russe, charlton heston, chase bank, chase manhattan, che guevara, cheryl
    ladd, chester a arthur, chester arthur, chester bennington, chet atkins, chevy chase, chris benoit, chris bosh,
    chris brown, chris cornell, chris daughtry, chris evans, chris farley, chris hemsworth, chris isaak, chris paul,
    chris pratt, chris rock, chris stapleton, chris tucker, chris van allsburg, christian audigier, christian bale,
    christian dior, christian louboutin, christian slater, christina aguilera, christina applegate, christina ricci,
    christine daae, christopher columbus, christopher reeve, chuck berry, chuck e cheese, chuck jones, chuck norris,
    chuck taylor, cindy crawford, cindy margolis, cindy sheehan, claire danes, clara barton, clarence darrow, clarence
    thomas, clark gable, clark kent, claude monet, clay aiken, clay county, clay walker, clement attlee, cliff burton,
    clint black, clint eastwood, coach carter, coach k, colbie caillat, cole haan, cole porter, colin farrell, colin
    firth, colin powell, conan obrien, condoleezza rice, conrad hilton, corey taylor, courteney cox, courtney love,
    craig david, craig ferguson, craigs list, crispus attucks, crosby stills, crystal gayle, crystal light, curious
    george, curt cobain, curtis jackson, cyndi lauper, daisy duke, daisy fuentes, daisy ridley, dale carnegie, dale
    earnhardt, dale earnhardt jr, dale jarrett, dan aykroyd, dan brown, dan gable, dan marino, dan rather, dana carvey,
    dana perino, dane cook, danica patrick, daniel boone, daniel craig, daniel radcliffe, daniel webster, danielle
    steel, danny devito, danny glover, danny rand, dante alighieri, darth vader, dave barry, dave brubeck, dave
    chappelle, dave clark, dave clark five, dave grohl, dave matthews, dave matthews band, dave mustaine, dave ramsey,
    davey jones, david beckham, david blaine, david bohm, david bowie, david byrne, david cameron, david carradine,
    david caruso, david cassidy, david copperfield, david crosby, david duchovny, david gilmour, david gray, david
    guetta, david hasselhoff, david hume, david lee roth, david letterman, david lynch, david mccullough, david ortiz,
    david ricardo, david spade, david tennant, david yurman, davy crockett, davy jones, davy jones locker, dean koontz,
    dean martin, dean witter, debbie gibson, debbie reynolds, deborah harry, deion sanders, demi lovato, demi moore,
    denis leary, denise austin, denise richards, dennis hopper, dennis miller, dennis quaid, dennis rodman, denny
    hamlin, denzel washington, derek jeter, dexter morgan, diana krall, diana prince, diana ross, diane arbus, diane
    keaton, diane lane, diane sawyer, dick cheney, dick clark, dick tracy, dick van dyke, dickey betts, dido armstrong,
    dierks bentley, dirty harry, doc holliday, doctor who, doctor zhivago, dodge ram, dolly parton, dolores huerta, don
    draper, don henley, don imus, don johnson, don juan, don knotts, don mclean, don quixote, don williams, donald duck,
    donald rumsfeld, donald sutherland, donald trump, donna karan, donna reed, donna summer, donnie darko, donny osmond,
    donovan mcnabb, doris day, doris duke, dorothea dix, dorothy hamill, dorothy parker, doug flutie, dr atkins, dr
    bronner, dr bronners, dr doolittle, dr dre, dr evil, dr feelgood, dr house, dr jekyll, dr john, dr kevorkian, dr
    laura, dr love, dr mario, dr martens, dr martin luther king, dr oz, dr pepper, dr perricone, dr phil, dr quinn, dr
    robotnik, dr ruth, dr scholl, dr scholls, dr seuss, dr spock, dr strange, dr strangelove, dr suess, dr suzanne, dr
    weil, dr who, drew barrymore, drew brees, duane allman, duke ellington, duncan hines, dustin hoffman, dusty
    springfield, dwight eisenhower, dwight howard, dwight schrute, dwight yoakam, dwyane wade, dylan thomas, earl grey,
    ed bradley, ed hardy, ed harris, ed sheeran, ed sullivan, eddie bauer, eddie guerrero, eddie money, eddie murphy,
    eddie van halen, eddie vedder, edgar allan poe, edgar allen poe, edgar degas, edith piaf, edith wharton, edward
    cullen, edward hopper, edward jenner, edward jones, edward kennedy, edward norton, edward scissorhands, edwin
    hubble, eileen fisher, eleanor rigby, eleanor roosevelt, elena kagan, eli apple, eli lilly, eli manning, eli
    whitney, elizabeth ann seton, elizabeth arden, elizabeth hurley, elizabeth smart, elizabeth taylor, elizabeth
    warren, ella fitzgerald, elle macpherson, ellen degeneres, ellen page, ellen pompeo, ellen ripley, ellie goulding,
    elliot page, elliott smith, elmer fudd, elon musk, elton john, elvis costello, elvis presley, elvis stojko, emeril
    lagasse, emily blunt, emily bronte, emily deschanel, emily dickinson, emma roberts, emma stone, emma thompson, emma
    watson, emmett till, emmitt smith, enrique iglesias, eric carle, eric clapton, eric holder, erica jong, erik
    erikson, erin andrews, erin brockovich, erin brokovich, ernest hemingway, estee lauder, esther williams, ethan
    allen, ethan frome, ethan hawke, ethan hunt, eugene oneill, eva longoria, eva mendes, evan williams, evangeline
    lilly, evel knievel, faith evans, faith hill, fannie farmer, fannie mae, fanny mae, farrah fawcett, father brown,
    father christmas, father ted, ferris bueller, fiona apple, florence griffith joyner, florence henderson, florence
    nightingale, florida georgia, ford harrison, ford madox ford, ford taurus, forrest gump, francis bacon, francis
    drake, francis scott key, francis xavier, frank castle, frank gehry, frank lloyd wright, frank ocean, frank sinatra,
    frank turner, frank zappa, frankie valli, franklin covey, franklin roosevelt, franz ferdinand, franz kafka, fred
    astaire, fred durst, fred flintstone, fred meyer, fred perry, fred rogers, freddie mac, freddie mercury, freddy
    krueger, freddy kruger, freddy mercury, frederic remington, frederick douglass, frederick remington, frida kahlo,
    friedrich nietzsche, gabby douglas, galileo galilei, garrison keillor, garth brooks, gary allan, gary coleman, gary
    cooper, gary larson, gary oldman, gary paulsen, gary player, gary puckett, gary sinise, gene autry, gene hackman,
    gene kelly, gene pool, gene simmons, gene wilder, george berkeley, george bernard shaw, george burns, george bush,
    george carlin, george clooney, george eliot, george floyd, george foreman, george forman, george gershwin, george
    harrison, george jones, george lopez, george lucas, george marshall, george mason, george michael, george orwell,
    george patton, george santos, george soros, george stephanopoulos, george strait, george w bush, george wallace,
    george washington, george washington carver, georgia o'keeffe, georgia okeeffe, georgia tech, georgie porgie, gerald
    ford, gertrude stein, ghislaine maxwell, gianni versace, gilbert and sullivan, ginger rogers, giorgio armani, gisele
    bundchen, glen campbell, glenn beck, glenn close, glenn frey, glenn gould, glenn miller, gloria estefan, gloria
    gaynor, gloria steinem, gloria vanderbilt, gordon brown, gordon lightfoot, gordon ramsay, grace jones, grace kelly,
    graham cracker, graham greene, grand prix, grant hill, greg louganis, greg maddux, greg norman, gregg allman,
    gregory peck, greta garbo, gretchen wilson, groucho marx, grover cleveland, guy fawkes, guy ritchie, gwen stacy,
    gwen stefani, gwyneth paltrow, hailey bieber, hal jordan, hale bopp, hall and oates, halle berry, hank aaron, hank
    hill, hank williams, hank williams jr, hannah montana, hannibal lecter, hans zimmer, happy gilmore, harley davidson,
    harold wilson, harper lee, harriet beecher stowe, harriet jacobs, harriet tubman, harrison ford, harry and david,
    harry belafonte, harry callahan, harry chapin, harry connick, harry connick jr, harry houdini, harry kane, harry
    potter, harry reid, harry styles, harry truman, harry winston, harvey dent, harvey milk, harvey wallbanger, harvey
    weinstein, hayden panettiere, heath ledger, heather graham, heather locklear, heidi klum, heidi montag, helen hunt,
    helen keller, helen mirren, helen of troy, helen reddy, helena bonham carter, helzberg diamonds, henry cavill, henry
    david thoreau, henry fonda, henry ford, henry ford hospital, henry hudson, henry james, henry kissinger, henry
    matisse, henry miller, henry moore, henry rollins, henry viii, henry winkler, herbert hoover, herman melville,
    herman miller, hilary duff, hillary clinton, hillary duff, holden caulfield, homer simpson, howard dean, howard
    hughes, howard johnson, howard stern, hubert humphrey, huck finn, huckleberry finn, huey lewis, hugh bonneville,
    hugh dancy, hugh grant, hugh hefner, hugh jackman, hugh laurie, hugo boss, hugo chavez, hulk hogan, humphrey bogart,
    hunter douglas, hunter fan, ian fleming, ian mckellen, idris elba, ike turner, ingrid bergman, isaac asimov, isaac
    hayes, isaac mizrahi, isaac newton, isabel allende, ivan pavlov, jack abramoff, jack and jill, jack bauer, jack be
    nimble, jack black, jack daniel, jack daniels, jack dorsey, jack frost, jack johnson, jack kerouac, jack lalanne,
    jack lemmon, jack london, jack ma, jack nicholson, jack nicklaus, jack purcell, jack rabbit, jack reacher, jack
    ruby, jack russell, jack sparrow, jack the ripper, jack welch, jack white, jack wills, jackie chan, jackie gleason,
    jackie joyner kersee, jackie kennedy, jackie onassis, jackie robinson, jackie wilson, jackson browne, jackson
    hewitt, jackson hole, jackson pollock, jaclyn smith, jada pinkett smith, jake gyllenhaal, jake gyllenhall, james
    avery, james baldwin, james blunt, james bond, james brown, james buchanan, james caan, james cameron, james cook,
    james corden, james dean, james e webb, james earl carter, james earl jones, james earl ray, james franco, james
    garfield, james harden, james hetfield, james joyce, james k polk, james kirk, james madison, james mason, james
    mcavoy, james monroe, james patterson, james spader, james t kirk, james taylor, james watson, james watt, james
    woods, jamie foxx, jamie kennedy, jamie lee curtis, jamie lynn, jamie lynn spears, jamie oliver, jan brett, jan van
    eyck, jane addams, jane austen, jane doe, jane eyre, jane fonda, jane goodall, jane grey, jane seymour, janet
    evanovich, janet jackson, janet reno, janis joplin, jason aldean, jason bateman, jason bourne, jason derulo, jason
    mraz, jason segel, jason statham, jason sudeikis, jason voorhees, jay gatsby, jay leno, jay z, jean claude van
    damme, jean grey, jean harlow, jean luc picard, jean paul gaultier, jean paul sartre, jean piaget, jean valjean, jeb
    bush, jeff bezos, jeff bridges, jeff buckley, jeff dunham, jeff foxworthy, jeff goldblum, jeff gordon, jeff hardy,
    jeff jarrett, jefferson airplane, jefferson davis, jeffrey dahmer, jeffrey epstein, jenna elfman, jenna haze, jenna
    jameson, jennifer aniston, jennifer connelly, jennifer convertibles, jennifer garner, jennifer hudson, jennifer
    lawrence, jennifer lopez, jennifer love hewitt, jenny craig, jenny mccarthy, jenson button, jeremy irons, jeremy
    piven, jeremy renner, jeremy shockey, jerome bettis, jerry falwell, jerry garcia, jerry lee lewis, jerry lewis,
    jerry maguire, jerry rice, jerry seinfeld, jerry springer, jesse duplantis, jesse jackson, jesse james, jesse jane,
    jesse mccartney, jesse owens, jesse pinkman, jesse ventura, jessica alba, jessica biel, jessica chastain, jessica
    lange, jessica lynch, jessica mcclintock, jessica rabbit, jessica simpson, jessica tandy, jesus christ, jet li,
    jethro tull, jill scott, jim beam, jim carrey, jim croce, jim crow, jim halpert, jim henson, jim jones, jim
    morrison, jim rome, jim thorpe, jimi hendrix, jimmy buffet, jimmy buffett, jimmy carter, jimmy choo, jimmy connors,
    jimmy dean, jimmy durante, jimmy eat world, jimmy fallon, jimmy hendrix, jimmy hoffa, jimmy john, jimmy johns, jimmy
    johnson, jimmy kimmel, jimmy neutron, jimmy page, jimmy stewart, jo ann fabrics, jo malone, joan baez, joan collins,
    joan crawford, joan didion, joan jett, joan of arc, joan rivers, joann fabrics, jodi arias, jodie foster, joe biden,
    joe blow, joe boxer, joe burrow, joe camel, joe cocker, joe dimaggio, joe frazier, joe jonas, joe louis, joe
    manchin, joe montana, joe namath, joe paterno, joe pesci, joe rogan, joe satriani, joe torre, joe walsh, joel
    osteen, joey tribbiani, johann sebastian bach, john adams, john ashcroft, john audubon, john belushi, john boehner,
    john bolton, john bonham, john bosco, john boyega, john brown, john bunyan, john calvin, john candy, john carroll,
    john cena, john coltrane, john connor, john cusack, john dahmer, john daly, john deacon, john deere, john denver,
    john dere, john dewey, john dillinger, john doe, john edwards, john elway, john f kennedy, john fogerty, john ford,
    john glenn, john goodman, john gotti, john grisham, john hancock, john hancock insurance, john henry, john henry
    newman, john james audubon, john john kennedy, john keats, john kerry, john lee hooker, john legend, john lennon,
    john locke, john madden, john marshall, john mayer, john mccain, john mcclane, john mccormack, john mcenroe, john
    mellencamp, john michael montgomery, john milton, john muir, john neumann, john oliver, john osborne, john paul ii,
    john paul jones, john prine, john q public, john quincy adams, john rambo, john ritter, john roberts, john
    rockefeller, john shaft, john singer sargent, john stamos, john steinbeck, john stockton, john stossel, john stuart
    mill, john travolta, john tyler, john updike, john vianney, john wayne, john wayne gacy, john wesley, john wick,
    john wilkes booth, john williams, john woo, john wooden, johnny appleseed, johnny bravo, johnny carson, johnny cash,
    johnny depp, johnny knoxville, johnny quest, johnny reb, johnny rockets, johnny walker, johns hopkins, johnson and
    johnson, johnson johnson, jolly roger, jon benet ramsey, jon bon jovi, jon snow, jon stewart, jonas brothers, jonas
    salk, jonathan edwards, jonathan swift, jonbenet ramsey, jonny quest, jordan peterson, jordan river, jordan shoes,
    jordan spieth, jordin sparks, jorge garcia, jos a bank, joseph campbell, joseph conrad, joseph smith, joseph stalin,
    josephine baker, josh groban, josh hartnett, joss stone, joyce meyer, juan ponce de leon, judas priest, judge dredd,
    judge joe brown, judge judy, judge mathis, judi dench, judy blume, judy collins, judy garland, julia alvarez, julia
    child, julia roberts, julia stiles, julianne moore, julie andrews, julio iglesias, julio jones, julius caesar,
    julius erving, justin bieber, justin timberlake, kacey musgraves, kamala harris, kanye west, karen carpenter, karl
    lagerfeld, karl malone, karl marx, karl rove, karla faye tucker, kate beckinsale, kate bush, kate chopin, kate
    gosselin, kate hudson, kate middleton, kate moss, kate spade, kate winslet, katharine hepburn, katherine heigl,
    katherine hepburn, katherine mcphee, kathie lee, kathy griffin, kathy ireland, kathy lee gifford, katie couric,
    katie holmes, katie melua, katie morgan, katie price, katy perry, kay jewelers, keanu reeves, keira knightley, keith
    haring, keith moon, keith richards, keith urban, kelley blue, kellie pickler, kelly blue, kelly clarkson, kelly
    green, kelly osbourne, kelly pickler, kelly ripa, kelly rowland, kelly services, kelly slater, ken burns, ken
    griffey, ken griffey jr, ken jennings, kendall jenner, kenneth clark, kenneth cole, kenneth jay lane, kenny chesney,
    kenny g, kenny loggins, kenny rogers, kent cigarettes, kent state, kerry washington, kevin bacon, kevin costner,
    kevin durant, kevin federline, kevin garnett, kevin hart, kevin jonas, kevin kline, kevin nash, kevin smith, kevin
    spacey, kevin trudeau, khloe kardashian, kiefer sutherland, kim basinger, kim jong il, kim jong un, kim kardashian,
    kim possible, kirby vacuum, kirk cameron, kirk douglas, kirk franklin, kirk hammett, kirsten dunst, kitty hawk,
    kitty kelley, kobe bryant, kourtney kardashian, kris jenner, kris kristofferson, kristen bell, kristen stewart,
    kristen wiig, kristi yamaguchi, kristin cavallari, kristin davis, kurt angle, kurt cobain, kurt russell, kurt
    vonnegut, kurt warner, kyle busch, kyle larson, kyle petty, kyle reese, kylie jenner, kylie minogue, laci peterson,
    lady jane grey, laird hamilton, lana lang, lana turner, lance armstrong, lance bass, lane bryant, langston hughes,
    lara croft, lara flynn boyle, larry bird, larry david, larry ellison, larry fitzgerald, larry flynt, larry king,
    larry page, larry the cable, larry the cable guy, lars ulrich, laura ashley, laura bush, laura ingalls wilder, laura
    linney, laura mercier, lauren bacall, lauren conrad, lauryn hill, lawrence taylor, lawrence welk, leann rimes,
    lebron james, lee ann womack, lee brice, lee county, lee greenwood, lee harvey oswald, lee jeans, lee trevino, lena
    horne, lenny bruce, lenny kravitz, leo tolstoy, leonard bernstein, leonard cohen, leonard nimoy, leonardo da vinci,
    leonardo davinci, leonardo dicaprio, les paul, leslie knope, leslie nielsen, leslie west, levi strauss, lewis and
    clark, lewis black, lewis carroll, lewis hamilton, lex luthor, lexington steele, liam neeson, liam payne, lil kim,
    lil wayne, lillian vernon, lily allen, linda blair, linda ronstadt, lindsay lohan, lindsey jacobellis, lindsey
    lohan, lindsey vonn, linus torvalds, lionel messi, lionel richie, lisa kudrow, lisa loeb, lisa marie presley, lisa
    simpson, little jack horner, liv tyler, liz claiborne, liz taylor, liza minnelli, lizzie borden, lloyd george, lois
    lane, lois lowry, lon chaney, long john silver, long john silvers, loretta lynn, lorraine hansberry, lorrie morgan,
    lou dobbs, lou gehrig, lou gehrigs, lou rawls, lou reed, louis armstrong, louis farrakhan, louis leakey, louis
    pasteur, louis tomlinson, louis vuitton, louisa may alcott, luciano pavarotti, lucille ball, lucy in the sky, lucy
    liu, ludwig van beethoven, luke bryan, luke cage, luke combs, luke perry, luke skywalker, luke wilson, luther
    vandross, lyndon b johnson, lyndon johnson, lynn swann, lynyrd skynyrd, mack daddy, madeleine albright, mae west,
    maggie may, maggie smith, magic johnson, mahatma gandhi, malcolm x, mandy moore, marc anthony, marc chagall, marc
    jacobs, marcel duchamp, marcel proust, marco polo, marco rubio, marcus aurelius, marcus garvey, margaret atwood,
    margaret mead, margaret mitchell, margaret sanger, margaret thatcher, marge simpson, maria callas, maria carey,
    maria montessori, maria sharapova, maria shriver, mariah carey, marie antoinette, marie callender, marie callenders,
    marie claire, marie curie, marie osmond, marilyn manson, marilyn monroe, mario andretti, mario cart, mario lopez,
    mario puzo, marion jones, mark anthony, mark chesnutt, mark cuban, mark jacobs, mark knopfler, mark martin, mark
    mcgwire, mark phelps, mark rothko, mark ruffalo, mark spitz, mark twain, mark wahlberg, mark zuckerberg, mark
    zuckerburg, marks and spencer, marks spencer, marlon brando, marshall field, marshall fields, marshall mathers,
    marshall tucker, marshall tucker band, martha stewart, martha washington, martin de porres, martin freeman, martin
    guitar, martin lawrence, martin luther, martin luther king, martin luther king jr, martin scorsese, martin sheen,
    martin shkreli, martin short, martin van buren, martina hingis, martina mcbride, martina navratilova, marty mcfly,
    marvin gaye, mary baker eddy, mary berry, mary cassatt, mary engelbreit, mary higgins clark, mary j blige, mary
    jane, mary jane shoes, mary jane watson, mary janes, mary kate, mary kate olsen, mary kay, mary kay ash, mary kay
    letourneau, mary lou retton, mary magdalene, mary martin, mary mary, mary mccarthy, mary pope osborne, mary poppins,
    mary shelley, mary todd lincoln, mary tudor, mary tyler moore, mary wollstonecraft, mason dixon, mason jar, mason
    jars, matt damon, matt dillon, matt groening, matt hardy, matt kenseth, matt lauer, matt leblanc, matt murdock,
    matthew broderick, matthew fox, matthew mcconaughey, matthew perry, matthew stafford, maurice ravel, maurice sendak,
    max ernst, max factor, max mara, max payne, max planck, max weber, maximilian kolbe, maya angelou, medgar evers, meg
    ryan, megan fox, meghan markle, mel brooks, mel gibson, melanie griffith, melissa etheridge, melissa joan hart,
    melissa mccarthy, mercedes benz, merle haggard, merrill lynch, meryl streep, mia farrow, mia hamm, michael
    bloomberg, michael bolton, michael buble, michael caine, michael collins, michael corleone, michael crawford,
    michael crichton, michael dell, michael douglas, michael faraday, michael fassbender, michael flatley, michael
    irvin, michael j fox, michael jackson, michael jordan, michael kors, michael landon, michael mcdonald, michael
    moore, michael myers, michael palin, michael phelps, michael savage, michael schumacher, michael vick, michael w
    smith, michelle branch, michelle kwan, michelle obama, michelle pfeiffer, michelle wie, mick jagger, mickey finn,
    mickey mantle, mickey mouse, mickey rourke, mike and ike, mike ditka, mike huckabee, mike myers, mike pence, mike
    piazza, mike shinoda, mike trout, mike tyson, mike wallace, miles davis, miley cyrus, milton berle, milton bradley,
    milton friedman, milton hershey, minnie driver, minnie mouse, miranda lambert, mischa barton, misha barton, miss
    america, miss congeniality, miss daisy, miss kitty, miss manners, miss marple, miss piggy, miss potter, miss saigon,
    miss sixty, miss universe, miss usa, mitch mcconnell, mitt romney, molly ringwald, molly shannon, monica bellucci,
    monica geller, monica lewinsky, monica seles, montel williams, montgomery ward, morgan fairchild, morgan freeman,
    morgan horse, morgan stanley, mother goose, mother teresa, mr and mrs smith, mr bean, mr big, mr blue sky, mr
    bojangles, mr brightside, mr burns, mr clean, mr coffee, mr crowley, mr darcy, mr deeds, mr ed, mr gasket, mr
    holland, mr jones, mr lincoln, mr lube, mr magoo, mr miyagi, mr peabody, mr potato, mr robot, mr roboto, mr rogers,
    mr rooter, mr sandman, mr spock, mr t, mr tambourine man, mr tumnus, mr wizard, mrs baird, mrs beasley, mrs brown,
    mrs butterworth, mrs claus, mrs dalloway, mrs dash, mrs doubtfire, mrs fields, mrs miniver, mrs potato head, mrs
    robinson, mrs smiths, ms pacman, muhammad ali, murphy brown, murphy oil, nancy drew, nancy grace, nancy kerigan,
    nancy kerrigan, nancy pelosi, nancy reagan, nancy sinatra, naomi campbell, naomi judd, naomi watts, naomi wolf,
    napoleon bonaparte, napoleon dynamite, nat king cole, nat love, nat turner, natalee holloway, natalie cole, natalie
    imbruglia, natalie merchant, natalie portman, natalie wood, nathan hale, nathaniel hawthorne, neal mccoy, ned stark,
    neil armstrong, neil diamond, neil finn, neil gaiman, neil patrick harris, neil sedaka, neil simon, neil young,
    neiman marcus, nellie bly, nelly furtado, nelson mandela, nelson rockefeller, neville chamberlain, niagara falls,
    niall horan, nick cannon, nick carter, nick cave, nick drake, nick jonas, nick jr, nick lachey, nick lowe, nick
    nolte, nicki minaj, nicky hilton, nicolas cage, nicole brown simpson, nicole kidman, nicole richie, nicole
    scherzinger, niels bohr, nigel mansell, nikki giovanni, nikki haley, nikki sixx, nikola tesla, noah webster, noah
    wyle, noam chomsky, nolan ryan, nora jones, nora roberts, norah jones, norma rae, norman bates, norman mailer,
    norman rockwell, norman schwarzkopf, norton antivirus, nurse jackie, o j simpson, officer ricky, oj simpson, oliver
    cromwell, oliver goldsmith, oliver hardy, oliver north, oliver queen, oliver stone, oliver twist, olivia newton
    john, olivia wilde, oprah winfrey, orlando bloom, orrin hatch, orson welles, orville redenbacher, osama bin laden,
    oscar de la hoya, oscar de la renta, oscar isaac, oscar mayer, oscar peterson, oscar robertson, oscar wilde, otis
    redding, owen hart, owen wilson, ozzy osbourne, pablo neruda, pablo picasso, pam anderson, pam beesly, pam tillis,
    pamela anderson, paris hilton, parker brothers, pat benatar, pat boone, pat buchanan, pat metheny, pat robertson,
    pat sajak, pat tillman, patricia cornwell, patrick dempsey, patrick ewing, patrick henry, patrick kennedy, patrick
    roy, patrick stewart, patrick swayze, patsy cline, patti labelle, patti smith, patty hearst, patty loveless, paul
    anka, paul bearer, paul bunyan, paul cezanne, paul frank, paul gauguin, paul harvey, paul heyman, paul hogan, paul
    hollywood, paul klee, paul mccartney, paul mitchell, paul newman, paul oakenfold, paul pierce, paul reiser, paul
    revere, paul robeson, paul rudd, paul ryan, paul simon, paul walker, paul weller, paul wolfowitz, paula abdul, paula
    cole, paula deen, paula poundstone, pearl buck, pearl harbor, pearl jam, peggy lee, peggy olson, peggy sue, penelope
    cruz, penny lane, percy shelley, percy sledge, perry como, perry ellis, perry farrell, perry mason, pete best, pete
    carroll, pete rose, pete sampras, pete seeger, pete townshend, peter claver, peter frampton, peter gabriel, peter
    griffin, peter jackson, peter jennings, peter north, peter pan, peter parker, peter paul and mary, peter peter,
    peter petrelli, peter piper, peter rabbit, peter sellers, petula clark, peyton manning, phil collins, phil donahue,
    phil jackson, phil lesh, phil mickelson, phil ochs, phil simms, phil spector, philip glass, philip johnson, philip
    morris, philip neri, philip rivers, philip roth, phillip morris, phoebe buffay, phyllis diller, pierce brosnan,
    pierre cardin, pierre omidyar, pope benedict, pope john paul, posh spice, prince andrew, prince charles, prince
    harry, prince william, princess diana, priscilla presley, procter and gamble, queen elizabeth, queen latifah, queen
    victoria, quentin tarantino, quincy jones, rachael ray, rachel bilson, rachel carson, rachel green, rachel hunter,
    rachel maddow, rachel mcadams, rachel ray, rachel weisz, ralph ellison, ralph lauren, ralph macchio, ralph nader,
    ralph waldo emerson, rand paul, randolph scott, randy jackson, randy johnson, randy moss, randy newman, randy orton,
    randy savage, randy travis, ray ban, ray bradbury, ray charles, ray kroc, ray lewis, ray liotta, ray rice, ray
    romano, reba mcentire, rebecca black, rebel wilson, red skelton, reed smith, reese witherspoon, reggie bush, reggie
    jackson, reggie miller, rembrandt van rijn, rene descartes, renee zellweger, rex harrison, rey mysterio, ric flair,
    rich man, richard branson, richard burton, richard childress, richard dawkins, richard dreyfuss, richard feynman,
    richard gere, richard marx, richard nixon, richard petty, richard pryor, richard ramirez, richard scarry, richard
    simmons, richard stallman, richard wagner, richard wright, rick astley, rick james, rick perry, rick rubin, rick
    santorum, rick springfield, rick steves, rick warren, ricky gervais, ricky martin, ricky nelson, ricky ricardo,
    ringo starr, rita coolidge, rita hayworth, rita moreno, river phoenix, roald dahl, rob reiner, rob roy, rob
    schneider, rob thomas, rob zombie, robbie williams, robert bellarmine, robert burns, robert cray, robert de niro,
    robert deniro, robert downey, robert downey jr, robert duvall, robert e lee, robert f kennedy, robert fripp, robert
    frost, robert fulton, robert graves, robert half, robert kennedy, robert kiyosaki, robert louis stevenson, robert
    mapplethorpe, robert mondavi, robert oppenheimer, robert palmer, robert pattinson, robert pattison, robert peary,
    robert plant, robert rauschenberg, robert redford, roberta flack, roberto cavalli, roberto clemente, robin bird,
    robin hood, robin scherbatsky, robin thicke, robin williams, robinson crusoe, rocky balboa, rocky marciano, rod
    serling, rod stewart, rodney carrington, rodney dangerfield, rodney king, roger clemens, roger daltrey, roger ebert,
    roger federer, roger maris, roger moore, roger rabbit, roger that, roger waters, roger williams, roman polanski,
    romeo and juliet, ron burgundy, ron desantis, ron howard, ron jeremy, ron paul, ron popeil, ron swanson, ron
    weasley, ron white, ronald mcdonald, ronald reagan, ronnie james dio, ronnie van zant, rory mcilroy, rosa parks,
    roseanne barr, rosemary clooney, rosie o'donnell, rosie odonnell, ross dress, ross geller, roy lichtenstein, roy
    orbison, roy rogers, roy rogers drink, ruben studdard, ruby bridges, ruby ridge, ruby tuesday, ruby tuesdays, rudolf
    nureyev, rudy giuliani, rudyard kipling, rupert grint, rush limbaugh, russell athletic, russell crowe, russell
    simmons, russell stover, russell wilson, rusty wallace, ruth bader ginsburg, ruth chris, rutherford hayes, ruths
    chris, ryan adams, ryan cabrera, ryan gosling, ryan lochte, ryan phillippe, ryan reynolds, ryan seacrest, ryan
    white, saddam hussein, sadie hawkins, sally field, sally hansen, sally jesse raphael, sally ride, salma hayek,
    salman rushdie, salvador dali, salvation army, salvatore ferragamo, sam adams, sam ash, sam cooke, sam elliott, sam
    houston, sam hunt, sam neill, sam rockwell, sam smith, sam walton, sam worthington, samuel adams, samuel alito,
    samuel beckett, samuel johnson, samuel l jackson, samuel morse, san antonio, sandra bullock, sandra cisneros, sandra
    day oconnor, sandra dee, sandra lee, sandra oconnor, sandra oh, sara bareilles, sara evans, sara lee, sarah
    brightman, sarah connor, sarah jessica parker, sarah lawrence, sarah mclachlan, sarah michelle gellar, sarah palin,
    sarah silverman, sarah vaughan, scarlett johansson, scarlett ohara, scooter libby, scott hamilton, scott joplin,
    scott peterson, scott stapp, scott steiner, scott weiland, scout finch, sean cody, sean combs, sean connery, sean
    hannity, sean john, sean paul, sean penn, selena gomez, serena williams, sergey brin, seth green, seth meyers, seth
    rogen, shania twain, shannen doherty, shannon doherty, shaquille oneal, sharon osbourne, sharon stone, sharon tate,
    shaun white, shawn carter, shawn mendes, shawn michaels, shel silverstein, sheldon cooper, sherlock holmes, sherwin
    williams, sheryl crow, shirley chisholm, shirley maclaine, shirley temple, shirley temple drink, sidney poitier,
    sidney sheldon, sigmund freud, sigourney weaver, silvia saint, simon and garfunkel, simon bolivar, simon cowell,
    simon says, simone biles, sinead oconnor, sirhan sirhan, sissy spacek, sister carrie, smith and hawken, smith and
    wesson, smith barney, smith wesson, sonia sotomayor, sonny bono, sophia bush, sophia loren, spencer davis, spencer
    davis group, spencer tracy, spike lee, stacy keibler, stan getz, stan lee, stan smith, stanley cup, stanley kubrick,
    steely dan, steffi graf, stella mccartney, stephanie meyer, stephen colbert, stephen covey, stephen crane, stephen
    curry, stephen f austin, stephen foster, stephen fry, stephen hawking, stephen king, steve austin, steve ballmer,
    steve buscemi, steve carell, steve harvey, steve irwin, steve jobs, steve madden, steve martin, steve mcqueen, steve
    miller, steve nash, steve perry, steve vai, steve winwood, steve wonder, steve wozniak, steve young, steven hawking,
    steven king, steven seagal, steven spielberg, steven tyler, stevie nicks, stevie ray vaughan, stevie wonder, stone
    cold, stone phillips, stormy daniels, strom thurmond, stuart little, sugar ray leonard, sunny leone, susan b
    anthony, susan boyle, susan lucci, susan sarandon, susan sontag, suzanne somers, suzanne vega, suze orman, sylvester
    stallone, sylvia browne, sylvia plath, t rowe price, tammy faye, tammy wynette, tara lipinski, tara patrick, tara
    reid, taylor dayne, taylor hicks, taylor lautner, taylor swift, ted baker, ted bundy, ted cruz, ted danson, ted
    kaczynski, ted kennedy, ted mosby, ted nugent, ted stevens, ted turner, ted williams, teddy bear, teddy pendergrass,
    teddy roosevelt, tera patrick, teri hatcher, terrell owens, terri clark, terri schiavo, terry bradshaw, terry
    goodkind, terry pratchett, thelonious monk, theodore dreiser, theodore roosevelt, theresa may, thomas alva edison,
    thomas aquinas, thomas cook, thomas crapper, thomas edison, thomas guide, thomas hardy, thomas hobbes, thomas
    jefferson, thomas kinkade, thomas malthus, thomas merton, thomas moore, thomas more, thomas nelson, thomas paine,
    thomas pink, thomas pynchon, thomas train, thomas wolfe, tiffany co, tiffany lamp, tiger woods, tim allen, tim
    berners lee, tim burton, tim duncan, tim gunn, tim hardaway, tim horton, tim hortons, tim mcgraw, tim robbins, tim
    tebow, timothy mcveigh, tina fey, tina turner, tinker bell, tiny tim, toby keith, tom arnold, tom brady, tom brokaw,
    tom clancy, tom collins, tom coughlin, tom cruise, tom daley, tom daschle, tom delay, tom dooley, tom felton, tom
    ford, tom green, tom hanks, tom hardy, tom holland, tom jones, tom joyner, tom petty, tom sawyer, tom selleck, tom
    thumb, tom tom, tom waits, tom welling, tom wolfe, tomie depaola, tommy bahama, tommy boy, tommy chong, tommy
    franks, tommy hilfiger, tommy james, tommy lee, tommy lee jones, toni braxton, toni morrison, tony alva, tony
    bennett, tony blair, tony danza, tony hawk, tony iommi, tony little, tony montana, tony orlando, tony parker, tony
    robbins, tony roma, tony romas, tony romo, tony soprano, tony stark, tony stewart, tori amos, tori spelling, tory
    burch, tory lane, trace adkins, tracy chapman, tracy mcgrady, tracy morgan, travis barker, travis tritt, trayvon
    martin, trent lott, trent reznor, triple h, trish stratus, trisha yearwood, troy aikman, truman capote, ty
    pennington, tyler durden, tyler perry, tyler texas, tyra banks, tyreek hill, tyrone power, ulysses grant, ulysses s
    grant, uma thurman, uncle ben, uncle sam, uncle tom, usain bolt, val kilmer, valerie plame, van gogh, van halen, van
    morrison, vanessa carlton, vanessa hudgens, vanessa redgrave, vanessa williams, vera bradley, vera wang, victor
    frankl, victor hugo, victoria beckham, victoria secret, victorias secret, vidal sassoon, vin diesel, vince carter,
    vince gill, vince lombardi, vince mcmahon, vince vaughn, vince young, vincent de paul, vincent price, vincent van
    gogh, viola davis, virginia beach, virginia tech, virginia woolf, vivien leigh, vladimir nabokov, vladimir putin,
    wallace and gromit, wallace stevens, walt disney, walt whitman, walter cronkite, walter matthau, walter payton,
    walter reed, walter scott, walter white, wanda sykes, warner bros, warner brothers, warren beatty, warren buffet,
    warren buffett, warren harding, warren moon, warren zevon, waylon jennings, wayne dyer, wayne gretzky, wayne newton,
    wayne rooney, wells fargo, wendy williams, wes craven, wesley snipes, whitney houston, whoopi goldberg, wild bill,
    will ferrell, will rogers, will smith, will wheaton, willa cather, willard scott, willem dafoe, william and mary,
    william blake, william bradford, william clark, william faulkner, william golding, william h macy, william harvey,
    william henry harrison, william holden, william hung, william james, william jennings bryan, william mckinley,
    william morris, william penn, william randolph hearst, william shakespeare, william shatner, william sonoma, william
    taft, william wallace, william wordsworth, williams sonoma, willie mays, willie nelson, willy wonka, wilma rudolph,
    wilson pickett, wilt chamberlain, winnie the pooh, winona ryder, winslow homer, winston churchill, winston salem,
    wolfgang puck, woodrow wilson, woody allen, woody guthrie, woody harrelson, wyatt earp, wyclef jean, wynton
    marsalis, yao ming, yogi berra, yoko ono, yves saint laurent, zac efron, zacarias moussaoui, zach braff, zachary
    taylor, zales jewelers, zane grey, zayn malik, zig ziglar, zooey deschanel, zora neale hurston
    """.replace("\n", " ").split(",")
)
"""Two to four words, lower case, as the name rules see them: no punctuation."""

FAMOUS_ADDRESSES: Final = frozenset(
    {"1600 pennsylvania", "21 jump", "221b baker", "10 downing", "77 sunset", "12 oaks", "8 mile", "1313 mockingbird"}
)
"""House number and first word of addresses that are works or offices."""
