"""The words that the offline rules know, as sets of lower-case forms.

Sets, not patterns: looking a word up is instant and costs nothing at import.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# --- who and what may belong to the user ------------------------------------------------

KIN = _words("""
    sister brother mother father mum mom mam mama papa dad daddy parent parents wife husband partner
    spouse girlfriend boyfriend fiance fiancee fiancé fiancée son daughter kid child baby toddler
    twin grandmother grandfather grandma grandpa gran granny granddad grandad nan nana grandparent
    grandson granddaughter grandchild grandchildren aunt auntie uncle cousin niece nephew
    stepfather stepmother stepdad stepmum stepmom stepson stepdaughter stepbrother stepsister
    half-brother half-sister mother-in-law father-in-law sister-in-law brother-in-law in-law
    ex ex-wife ex-husband ex-girlfriend ex-boyfriend godfather godmother godson goddaughter
    sibling family children grandkid grandkids bro sis hubby missus folks
""")
PEOPLE = _words("""
    friend boss manager supervisor colleague coworker co-worker teammate mentor mentee landlord
    landlady neighbour neighbor roommate flatmate housemate doctor dentist therapist gp vet lawyer
    solicitor accountant teacher professor tutor coach trainer nanny babysitter advisor adviser
    assistant client customer cofounder co-founder bandmate pastor priest hairdresser barber physio
    surgeon psychiatrist psychologist agent editor publisher intern student pupil director lead
    counsellor counselor cleaner plumber electrician mechanic builder optician cardiologist
    dermatologist midwife partner investor recruiter apprentice deputy successor predecessor
    physiotherapist paediatrician pediatrician oncologist chiropractor tenant lodger stylist
    supplier contractor architect designer developer instructor classmate pal mate buddy crush
""")
PETS = _words("""
    pet dog cat puppy kitten pup rabbit bunny hamster parrot horse pony goldfish fish turtle
    tortoise snake python lizard gecko ferret budgie parakeet hen chicken goat cow sheep bird canary
    tarantula axolotl hedgehog duck llama alpaca donkey rat gerbil chinchilla cockatiel guinea-pig
    pig greyhound labrador lab retriever poodle terrier husky beagle dachshund corgi collie spaniel
    bulldog pug chihuahua hound rottweiler dalmatian whippet schnauzer labradoodle cockapoo mutt
    tabby tomcat ragdoll siamese iguana chameleon dragon pigeon bee bees stallion mare
""")
DETAILS = _words("""
    birthday anniversary name nickname surname address email e-mail phone number mobile extension
    username handle website blog github twitter instagram linkedin discord postcode zip zipcode
    timezone zone sign zodiac height weight size age hometown nationality religion pronouns
    job role title position salary commute degree major thesis dissertation university school
    college hobby passion dream goal resolution ambition allergy medication condition diet
    company startup business firm employer team department organisation organization agency shop
    project app product stack database editor keyboard laptop computer camera
    language tongue native budget ethnicity iban locker desk salon bakery practice studio shoe
    initials codename signature motto instrument band side-project
""")
POSSESSIONS = _words("""
    car bike bicycle motorbike motorcycle scooter van truck caravan camper campervan boat sailboat
    yacht kayak canoe surfboard skateboard laptop computer macbook thinkpad pc desktop phone iphone
    tablet ipad kindle camera drone printer server nas homelab keyboard guitar piano violin cello
    drums saxophone trumpet flute bass ukulele accordion synth telescope microscope house flat
    apartment home cottage cabin farm garden allotment balcony greenhouse workshop studio garage
    office company startup business firm bakery cafe café restaurant shop store salon podcast blog
    newsletter channel band collection tattoo tattoos piercing glasses scar pacemaker wheelchair
    degree masters master's phd doctorate mba diploma certificate licence license visa passport
    citizenship mortgage loan subscription membership motor tesla toyota honda ford volvo bmw audi
    volkswagen fiat renault peugeot vespa harley console playstation xbox switch sofa piercings
    roommates hobby hobbies pool sauna hive beehive beehives vineyard orchard tractor bicycles
    hamsters stammer stutter lisp freckles dreadlocks beard moustache birthmark website
    smartwatch treadmill record turntable air-fryer espresso telescope portfolio pension
""")
CONDITIONS = _words("""
    diabetes asthma coeliac celiac adhd add autism dyslexia dyspraxia epilepsy migraine migraines
    anxiety depression ptsd ocd bipolar arthritis eczema psoriasis tinnitus insomnia hypertension
    anaemia anemia endometriosis fibromyalgia scoliosis sciatica gout vertigo lupus cancer allergy
    allergies intolerance disease disorder syndrome condition hayfever fever-hay crohn's ibs
    hypothyroidism cholesterol pressure sclerosis pcos parkinson's alzheimer's dementia glaucoma
    narcolepsy rosacea phobia arachnophobia claustrophobia aphantasia synaesthesia apnea apnoea
""")
EVENTS = _words("""
    appointment interview exam test meeting deadline flight train bus ferry trip holiday vacation
    honeymoon wedding surgery operation graduation party concert marathon race match game gig launch
    release standup stand-up demo presentation conference lesson class course shift hearing rehearsal
    recital tournament competition viva defence defense review retro retrospective sprint checkup
    check-up scan visit reservation booking move offsite workshop webinar call practice training
    festival ceremony funeral christening reunion internship placement contract lease visa passport
    licence license insurance warranty subscription rent mortgage migration rollout go-live
    final finals essay paper submission dissertation thesis kickoff kick-off audit audition
    freeze due vaccination jab permit permits term semester birthday anniversary
""")
PROJECT_NOUNS = _words("""
    project product app application service system platform team company client customer launch
    release deadline meeting budget server database staging production repo repository api office
    standup sprint migration website site codebase backend frontend pipeline build deployment
    contract invoice invoices board wifi wi-fi port password key keys review demo retro kickoff
    rollout schema cluster domain queue cache logs backups backup code alarm gate door exam wedding
    party flight ceremony rent appointment interview conference trip warehouse store shop rehearsal
    freeze go-live design report presentation lease codename milestone roadmap tender audit
""")

# --- verbs -------------------------------------------------------------------------------

TASTE = _words("like love enjoy prefer hate dislike adore detest loathe despise fancy favour favor")
NEGATIVE_TASTE = _words("hate dislike detest loathe despise")
# Lasting in the plain present, whatever the object ("I live…", "I teach…").
LASTING = _words("""
    live work own drive play speak study teach volunteer collect commute freelance coach belong
    suffer paint knit crochet bake cook sing dance hike climb surf ski sail fish hunt rent earn
    smoke drink ride cycle practise practice meditate sew juggle skate swim dive blog brew breed
    raise restore grow wear support worship fear vape weigh babysit homeschool subscribe tutor
    mentor identify major lecture report reside stammer stutter snore skateboard kayak row box
    fence camp podcast moonlight forage compost kickbox snowboard
""")
# Lasting only with an object that is not "the…", "this…", "it" ("I run a shop", not "the tests").
LASTING_WITH_OBJECT = _words("""
    run use manage lead maintain develop design sell host build repair organise organize write
    take do know train keep produce edit farm import export translate supervise publish
    deploy code program make
""")
# Third persons may also do these ("my son goes to…", "my wife studies…").
LASTING_OTHERS = _words("""
    go come call want need attend eat think believe handle sleep bark bite shed look sign weigh
    spell start finish begin end expire leave arrive depart close open fall cost happen take run
    retire move get deal sit stand hold contain connect point listen mean require ship include
    belong depend cover pay last store stay meet land hurt turn visit
""")
# Past events that stay true.
PAST = _words("""
    moved grew studied graduated married divorced bought sold adopted rescued joined quit retired
    founded co-founded won published switched became met passed lived worked taught played served
    inherited emigrated immigrated relocated resigned enrolled dropped finished completed earned
    started stopped began lost broke built wrote learned learnt decided chose picked agreed settled
    signed booked visited travelled traveled ran climbed cycled converted proposed separated
    transferred renamed named hired rented renovated swam sailed spent volunteered raised
    accepted declined got went gave had changed planted launched opened closed left died broke
    scheduled postponed delayed moved pushed rescheduled cancelled canceled promoted diagnosed
    turned fostered survived trained qualified majored competed performed donated invested ordered attended
""")
# "I am …ing" that goes on for weeks.
ONGOING = _words("""
    learning studying training living planning saving expecting teaching raising preparing dating
    volunteering freelancing renovating restoring recovering commuting homeschooling interning
    apprenticing retiring moving relocating emigrating getting organising organizing
    working writing building reading doing taking practising practicing growing fostering
    researching developing designing translating recording revising mentoring coaching leading
    managing running seeing subletting renting pursuing majoring becoming
""")
# What one may want, plan or try for longer than a moment, alone or with a life noun.
GOALS = _words("""
    become visit travel quit lose retire climb marry adopt hike sail volunteer emigrate relocate
    learn study move stop
""")
GOALS_WITH_NOUN = _words("""
    start open buy get write run publish build launch found finish master pass read save improve
    reduce cut give renovate speak play sell eat drink sleep go see propose swim cycle renew grow
    have train own live teach paint make record change take apply complete attend
""")
LIFE_NOUNS = _words("""
    book books novel memoir family weight kilo kilos pounds money smoking meat sugar caffeine coffee
    alcohol marathon half-marathon triathlon ironman job career language house home business company
    married divorced citizenship abroad healthier fit vegan vegetarian better early earlier lessons
    classes citizen pilot exam degree bathroom kitchen album record podcast children baby
    ring school university uni aurora lights moon pregnant dutch spanish french german italian
    japanese chinese korean portuguese arabic russian swedish norwegian finnish polish greek latin
    hours driving bakery cafe savings mortgage debt camino everest fluently wheel salsa tango
    saxophone screenplay poetry comic meditation
""")
CODE_NOUNS = _words("""
    function method loop list array string script file files query tests code error errors variable
    table column regex request endpoint button component container image docker-image branch commit
    command page row rows dataframe number numbers bug bugs exception traceback json csv output input
    warning build log logs result results line lines text sentence sentences question questions
    crash answer answers prompt version example following value values object objects
    dict dictionary timeout document paragraph essay
""")
BODY = _words("""
    eyes hair leg arm ankle wrist knee foot back hip collarbone shoulder nose finger toe rib ribs
    hand elbow skin teeth
""")
ACTIVITIES = _words("""
    yoga pilates karate judo taekwondo crossfit boxing kickboxing gymnastics ballet pottery improv
    ceramics parkour aikido jiu-jitsu bjj stand-up calligraphy origami woodworking woodwork
    photography gardening archery fencing triathlons marathons ultramarathons capoeira stand-up-comedy
    crosswords sudoku volunteering cosplay amateur carpentry embroidery metalwork taxidermy
""")
TOOLS = _words("""
    vim neovim emacs nano linux arch ubuntu debian fedora windows macos mac tmux git github gitlab vscode
    pycharm intellij python rust go golang java javascript typescript ruby php kotlin swift scala
    haskell elixir clojure c++ c# sql postgres postgresql mysql sqlite mongodb redis kafka docker
    kubernetes terraform ansible nomad jenkins aws azure gcp django flask fastapi react vue angular
    svelte rails laravel spring notion obsidian evernote trello asana jira linear slack teams discord
    excel figma photoshop blender ableton logic signal whatsapp telegram firefox chrome safari brave
    fish zsh bash nix nixos dvorak colemak jupyter pandas numpy grafana prometheus datadog sentry
    bazel gradle maven npm pnpm yarn poetry uv ruff pytest nginx caddy cloudflare vercel netlify
    supabase firebase elasticsearch snowflake bigquery dbt airflow spark anki duolingo strava todoist
    thunderbird protonmail bitwarden 1password zotero latex android ios iphone helm argocd rabbitmq
""")
DECIDING = _words("decided chose picked agreed settled switched dropped standardised standardized")
TEAM_WORDS = _words("""
    deploy deploys ship ships release releases host hosts migrate migrating migrated merge monitor
    use using sprint sprints standup stand-up standups stack code codebase repo repository database
    api billing production staging backend frontend customers clients client users service services
    pipeline infrastructure server servers cluster kubernetes docker postgres sqlite mongodb mysql
    redis kafka terraform ansible nomad aws azure gcp react vue django flask rails ci cd jira
    linear slack retro retros roadmap quarter hire hired hiring office work app framework rust
    python typescript golang freeze board team teams vendor budget oncall on-call pager deadline
""")
HOME_WORDS = _words("""
    kids kid baby house holiday vacation honeymoon dog cat wife husband wedding married marry trip
    dinner flat apartment kitchen car school son daughter children together anniversary puppy
    kitten mortgage garden parents engaged pregnant adopted family nursery neighbours neighbors
""")

# --- complements of "I am" / "my sister is" ----------------------------------------------

TRAITS = _words("""
    vegetarian vegan pescatarian married single divorced widowed engaged separated retired
    unemployed self-employed left-handed right-handed ambidextrous diabetic coeliac celiac asthmatic
    allergic pregnant dyslexic deaf blind colour-blind color-blind colourblind colorblind autistic
    bilingual trilingual gay lesbian bisexual trans transgender queer straight nonbinary non-binary
    religious atheist agnostic jewish muslim catholic protestant orthodox buddhist hindu sikh
    christian quaker mormon introverted extroverted lactose gluten intolerant teetotal sober
    kosher halal near-sighted nearsighted short-sighted long-sighted epileptic adopted
    anaemic anemic neurodivergent hard-of-hearing tall short bald freelance undocumented
    aromantic asexual polyamorous childless childfree semi-retired nocturnal
""")
NATIONALITIES = _words("""
    british english scottish welsh irish american canadian mexican french german italian spanish
    portuguese dutch belgian swiss austrian polish czech slovak hungarian romanian bulgarian greek
    turkish russian ukrainian estonian latvian lithuanian finnish swedish norwegian danish icelandic
    croatian serbian slovenian bosnian albanian macedonian chinese japanese korean taiwanese thai
    vietnamese indonesian malaysian filipino filipina singaporean indian pakistani bangladeshi
    nepali nepalese sri-lankan iranian persian iraqi israeli lebanese syrian jordanian egyptian
    moroccan algerian tunisian libyan nigerian ghanaian kenyan ethiopian ugandan tanzanian
    zimbabwean zambian south-african australian brazilian argentinian argentine chilean peruvian
    colombian venezuelan ecuadorian bolivian uruguayan paraguayan cuban dominican jamaican haitian
    puerto-rican european african asian scandinavian kurdish armenian georgian afghan
    cambodian burmese mongolian kazakh uzbek maltese cypriot catalan basque corsican sicilian kiwi
""")
ATTITUDES = _words("""
    into obsessed passionate interested keen fond scared afraid terrified frightened fluent good
    bad terrible great allergic intolerant crazy addicted sensitive claustrophobic proficient hooked
    hopeless
""")
TRAIT_NOUNS = _words("""
    vegetarian vegan pescatarian introvert extrovert ambivert believer lover beginner foreigner
    newcomer runner hiker climber gamer sleeper eater drinker smoker non-smoker owl bird person
    twin widow widower orphan immigrant expat refugee citizen resident native catholic christian
    muslim jew buddhist hindu atheist agnostic quaker virgo leo aries taurus gemini cancer libra
    scorpio sagittarius capricorn aquarius pisces mother father mum mom dad parent grandmother
    grandfather grandma grandpa sister brother aunt uncle godmother godfather member veteran
    user fan supporter enthusiast perfectionist minimalist feminist pacifist teetotaller diabetic
    coeliac cyclist swimmer skier surfer birdwatcher birder collector speaker survivor donor
    homeowner landlord foodie bookworm geek nerd homebody hobbyist insomniac morning-person
    carer caregiver newlywed amputee triathlete marathoner
""")
ROLE_NOUNS = _words("""
    nurse chef cook pilot student intern ceo cto cfo coo cmo vp founder co-founder cofounder dev
    sre pm admin consultant analyst architect clerk vet judge professor surgeon dentist doctor gp
    physician paramedic midwife lawyer attorney solicitor barrister accountant engineer developer
    programmer designer teacher lecturer tutor coach scientist researcher postdoc phd journalist
    writer author editor translator interpreter musician actor actress artist photographer
    carpenter plumber electrician mechanic farmer gardener florist baker butcher barista bartender
    waiter waitress driver courier postman firefighter soldier policeman policewoman detective
    secretary receptionist manager director executive president chairman librarian curator
    technician operator lead head specialist strategist marketer salesperson salesman recruiter
    therapist psychologist psychiatrist pharmacist biologist chemist physicist mathematician
    statistician economist geologist astronomer historian philosopher trainee apprentice trucker
    tailor jeweller optician podcaster blogger streamer freelancer contractor entrepreneur
    teacher's-assistant assistant associate officer supervisor superintendent principal dean
    headteacher headmaster headmistress nanny babysitter cleaner caretaker janitor welder
    bricklayer builder roofer painter decorator plasterer sailor fisherman beekeeper
    veterinarian physiotherapist radiologist cardiologist oncologist paediatrician pediatrician
    dermatologist anaesthetist anesthetist cashier shopkeeper bookkeeper auditor actuary trader
    banker broker investor planner surveyor inspector instructor trainer dancer singer composer
    conductor producer filmmaker animator illustrator copywriter sommelier brewer
    tester administrator coordinator representative advisor adviser counsellor counselor social-worker
    worker politician diplomat priest pastor rabbi imam monk nun undertaker stewardess steward
    archaeologist anthropologist linguist sociologist zoologist botanist ecologist
    meteorologist oceanographer hairdresser barber beautician masseuse landlord undergraduate
    undergrad postgrad postgraduate freshman sophomore junior senior pensioner housewife househusband
    stay-at-home-mum stay-at-home-mom stay-at-home-dad maintainer
""")
# Never the start of a name, however it is written, and never a lasting state.
NOT_NAMES = _words("""
    sorry fine ok okay good great done back here ready tired happy sad not so very just still also
    sure lost stuck confused bored hungry all in on at home late early busy free sick ill well
    alive awake asleep alone excited curious worried nervous glad proud grateful thankful
    thinking trying looking going coming having getting feeling wondering asking talking
    working learning living moving using making doing being planning running writing reading
    new old young cold hot warm right wrong serious kidding joking exhausted angry mad upset
    annoyed frustrated stressed sleepy thirsty drunk hungover broke rich poor famous afraid
    a an the my your his her its our their this that these those it you he she we they them
    some any no yes nope yeah more most less least really quite pretty too bit little kind
    actually currently now today tonight tomorrow yesterday always never often usually sometimes
    about around from to of for with by off out up down over under after before about because
    if when while but and or as than then there where what who which how why can could will
    would should must may might do does did am is are was were be been have has had
    interested supposed allowed able unable going gonna about speaking calling writing listening
    aware certain positive unsure doubtful fed done finished through over down under team
    impressed amazed surprised shocked delighted pleased thrilled relieved desperate jealous
    lonely depressed anxious overwhelmed swamped surrounded dead dying dizzy better worse best
    online offline available unavailable vegetarian vegan retired single married divorced into
    literally basically obviously honestly totally absolutely completely definitely deeply
    super extra half almost nearly only even
    monday tuesday wednesday thursday friday saturday sunday january february march april june
    july august september october november december christmas easter
    god jesus batman santa google facebook apple amazon microsoft everyone someone nobody anyone
    one two three four five six seven eight nine ten
""")

# --- what makes a noun phrase or complement momentary -------------------------------------

POINTERS = _words("""
    it this that these those you your yours yourself u ur here there something someone anything
    everything nothing stuff above below following such
""")
EVALUATIONS = _words("""
    mess nightmare joke disaster pain problem bit little lot pity shame relief surprise lie
    mistake bug error issue question fool idiot genius wreck failure loser liar monster
    horrible awful terrible amazing awesome nice cute lovely fun funny great good bad best worst
    perfect annoying boring important interesting weird strange crazy cool okay ok fine
    disappointment blast treat blessing challenge struggle story secret mystery long hard tough
    difficult easy broken slow fast late ready done wrong right missing dead dying down up gone
    angry mad upset sad happy tired sick busy hungry kidding joking complete total real
    different same true false stupid silly ridiculous unfair serious fair bigger better worse
    beautiful ugly gorgeous brilliant dumb smart clever lazy rude mean kind sweet
""")
TRANSIENT = _words("today tonight now currently earlier just again already yet")
MONTHS = _words("""
    january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec
""")
WEEKDAYS = _words("""
    monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays
    fridays saturdays sundays mon tue tues wed thu thur thurs fri weekend weekends weekdays
""")
SEASONS = _words("spring summer autumn fall winter christmas easter thanksgiving ramadan diwali")
FREQUENCY = _words("every each daily weekly monthly yearly usually always never often twice mostly")
NUMBERS = _words("""
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety
    dozen couple several both
""")
ADVERBS = _words("""
    also really just currently still usually never always mostly recently now actually absolutely
    totally only often sometimes generally normally mainly currently originally already finally
    definitely simply truly kinda sorta rarely hardly barely seldom typically primarily both all
    regularly occasionally officially proudly happily basically literally honestly particularly
    especially deeply quite very completely severely mildly slightly technically strongly
    genuinely secretly fully partly recently even ever once together then
""")
