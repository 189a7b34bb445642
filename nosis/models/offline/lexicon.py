"""The words that the offline rules know, as sets of lower-case forms.

Sets, not patterns: looking a word up is instant and costs nothing at import.
"""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of a text, which is easier to read than a list of strings."""
    return frozenset(text.split())


def is_adverb(word: str) -> bool:
    """Whether a word only colours the verb or adjective after it ("really", "deathly")."""
    return word in ADVERBS or (word.endswith("ly") and len(word) > 4 and word not in _NO_ADVERBS)


def phrases(text: str) -> tuple[list[str], ...]:
    """Phrases that stand between bars, each as its words."""
    return tuple(phrase.split() for phrase in text.split("|"))


TASTE = word_set(
    """
    like love enjoy prefer hate dislike adore detest loathe despise fancy favour favor
    """
)
# Lasting in the plain present, whatever the object ("I live…", "I teach…").
LASTING = word_set(
    """
    specialize specialise live work own drive play speak study teach volunteer collect commute
    freelance coach belong suffer paint knit crochet bake cook sing dance hike climb surf ski
    sail fish hunt rent earn smoke drink ride cycle practise practice meditate sew juggle skate
    swim dive blog brew breed raise restore grow wear support worship fear vape weigh babysit
    homeschool subscribe tutor mentor identify major lecture report reside stammer stutter snore
    skateboard kayak row box fence camp podcast moonlight forage compost kickbox snowboard
    """
)
# Lasting only with an object that is not "the…", "this…", "it" ("I run a shop", not "the tests").
LASTING_WITH_OBJECT = word_set(
    """
    run use manage lead maintain develop design sell host build repair organise organize write
    take do know train keep produce edit farm translate supervise publish deploy code program
    make hold avoid coordinate oversee administer inspect repair clean advise recruit illustrate
    photograph film compose research employ treat weld groom distribute tune carve distil roast
    deliver owe lend
    """
)
# Third persons may also do these ("my son goes to…", "my wife studies…").
LASTING_OTHERS = word_set(
    """
    go come call want need attend eat think believe handle sleep bark bite shed look sign weigh
    spell start finish begin end expire leave arrive depart close open fall cost happen take run
    retire move get deal sit stand hold contain connect point listen mean require ship include
    belong depend cover pay last store stay meet land hurt turn visit feed
    """
)
# Past events that stay true.
PAST = word_set(
    """
    moved grew studied graduated married divorced bought sold adopted rescued joined quit
    retired founded co-founded won published switched became met passed lived worked taught
    played served inherited emigrated immigrated relocated resigned enrolled dropped finished
    completed earned started stopped began lost broke built wrote learned learnt decided chose
    picked agreed settled signed booked visited travelled traveled ran climbed cycled converted
    proposed separated transferred renamed named hired rented renovated swam sailed spent
    volunteered raised accepted declined got went gave had changed planted launched opened
    closed left died broke scheduled postponed delayed moved pushed rescheduled cancelled
    canceled promoted diagnosed turned fostered survived trained failed injured tore buried
    qualified majored competed performed donated invested ordered attended lent borrowed
    """
)
# "I am …ing" that goes on for weeks.
ONGOING = word_set(
    """
    learning studying training living planning saving expecting teaching raising preparing
    dating volunteering freelancing renovating restoring recovering commuting homeschooling
    interning apprenticing retiring moving relocating emigrating getting organising organizing
    working writing building reading doing taking practising practicing growing fostering
    researching developing designing translating recording revising mentoring coaching leading
    managing running seeing subletting renting pursuing majoring becoming
    """
)
# What one may want, plan or try for longer than a moment, alone or with a life noun.
GOALS = word_set(
    """
    become visit travel quit lose retire climb marry adopt hike sail volunteer emigrate relocate
    learn study move stop
    """
)
GOALS_WITH_NOUN = word_set(
    """
    start open buy get write run publish build launch found finish master pass read save improve
    reduce cut give renovate speak play sell eat drink sleep go see propose swim cycle renew
    grow have train own live teach paint make record change take apply complete attend
    """
)
DECIDING = word_set(
    """
    decided agreed chose picked settled switched dropped standardised standardized
    """
)
TEAM_WORDS = word_set(
    """
    deploy deploys ship ships release releases host hosts migrate migrating migrated merge
    monitor use using sprint sprints standup stand-up standups stack code codebase repo
    repository database api billing production staging backend frontend customers clients client
    users service services pipeline infrastructure server servers cluster kubernetes docker
    postgres sqlite mongodb mysql redis kafka terraform ansible nomad aws azure gcp react vue
    django flask rails ci cd jira linear slack retro retros roadmap quarter hire hired hiring
    office work app framework rust python typescript golang freeze board team teams vendor
    budget oncall on-call pager deadline
    """
)
HOME_WORDS = word_set(
    """
    kids kid baby house holiday vacation honeymoon dog cat wife husband wedding married marry
    trip dinner flat apartment kitchen car school son daughter children together anniversary
    puppy kitten mortgage garden parents engaged pregnant adopted family nursery neighbours
    neighbors
    """
)


TRAITS = word_set(
    """
    shy outgoing athletic clumsy forgetful ticklish superstitious frugal sociable punctual
    talkative laid-back stubborn vegetarian vegan pescatarian married single divorced widowed
    engaged separated retired unemployed self-employed left-handed right-handed ambidextrous
    diabetic coeliac celiac asthmatic pregnant dyslexic deaf blind colour-blind color-blind
    colourblind colorblind autistic bilingual trilingual gay lesbian bisexual trans transgender
    queer straight nonbinary non-binary religious atheist agnostic jewish muslim catholic
    protestant orthodox buddhist hindu sikh christian quaker mormon introverted extroverted
    lactose gluten intolerant teetotal kosher halal near-sighted nearsighted short-sighted
    long-sighted epileptic adopted anaemic anemic neurodivergent hard-of-hearing tall short bald
    freelance undocumented aromantic asexual polyamorous childless childfree semi-retired
    nocturnal
    """
)
NATIONALITIES = word_set(
    """
    british english scottish welsh irish american canadian mexican french german italian spanish
    portuguese dutch belgian swiss austrian polish czech slovak hungarian romanian bulgarian
    greek turkish russian ukrainian estonian latvian lithuanian finnish swedish norwegian danish
    icelandic croatian serbian slovenian bosnian albanian macedonian chinese japanese korean
    taiwanese thai vietnamese indonesian malaysian filipino filipina singaporean indian
    pakistani bangladeshi nepali nepalese sri-lankan iranian persian iraqi israeli lebanese
    syrian jordanian egyptian moroccan algerian tunisian libyan nigerian ghanaian kenyan
    ethiopian ugandan tanzanian zimbabwean zambian south-african australian brazilian
    argentinian argentine chilean peruvian colombian venezuelan ecuadorian bolivian uruguayan
    paraguayan cuban dominican jamaican haitian puerto-rican european african asian scandinavian
    kurdish armenian georgian afghan cambodian burmese mongolian kazakh uzbek maltese cypriot
    catalan basque corsican sicilian kiwi
    """
)
ATTITUDES = word_set(
    """
    into obsessed passionate interested keen fond scared afraid terrified frightened fluent good
    bad terrible great allergic intolerant crazy addicted sensitive claustrophobic proficient
    hooked hopeless
    """
)
TRAIT_NOUNS = word_set(
    """
    vegetarian vegan pescatarian introvert extrovert ambivert believer lover foreigner newcomer
    runner hiker climber gamer sleeper eater drinker smoker non-smoker owl bird person twin
    widow widower orphan immigrant expat refugee citizen resident native catholic christian
    muslim jew buddhist hindu atheist agnostic quaker virgo leo aries taurus gemini cancer libra
    scorpio sagittarius capricorn aquarius pisces mother father mum mom dad parent grandmother
    grandfather grandma grandpa sister brother aunt uncle godmother godfather member veteran
    user fan supporter enthusiast perfectionist minimalist feminist pacifist teetotaller
    diabetic coeliac cyclist swimmer skier surfer birdwatcher birder collector owner speaker
    survivor donor homeowner landlord foodie bookworm geek nerd homebody hobbyist insomniac
    morning-person carer caregiver newlywed amputee triathlete marathoner
    """
)
# Never the start of a name, however it is written, and never a lasting state.
NOT_NAMES = word_set(
    """
    sorry fine ok okay good great done back here ready tired happy sad not so very just still
    also sure lost stuck confused bored hungry all in on at home late early busy free sick ill
    well alive awake asleep alone excited curious worried nervous glad proud grateful thankful
    thinking trying looking going coming having getting feeling wondering asking talking working
    learning living moving using making doing being planning running writing reading new old
    young cold hot warm right wrong serious kidding joking exhausted angry mad upset annoyed
    frustrated stressed sleepy thirsty drunk hungover broke rich poor famous afraid a an the my
    your his her its our their this that these those it you he she we they them some any no yes
    nope yeah more most less least really quite pretty too bit little kind actually currently
    now today tonight tomorrow yesterday always never often usually sometimes about around from
    to of for with by off out up down over under after before about because if when while but
    and or as than then there where what who which how why can could will would should must may
    might do does did am is are was were be been have has had interested supposed allowed able
    unable going gonna about speaking calling writing listening aware certain positive unsure
    doubtful fed done finished through over down under team impressed amazed surprised shocked
    delighted pleased thrilled relieved desperate jealous lonely depressed anxious overwhelmed
    swamped surrounded dead dying dizzy better worse best online offline available unavailable
    vegetarian vegan retired single married divorced into literally basically obviously honestly
    totally absolutely completely definitely deeply super extra half almost nearly only even
    monday tuesday wednesday thursday friday saturday sunday january february march april june
    july august september october november december christmas easter god jesus batman santa
    google facebook apple amazon microsoft everyone someone nobody anyone one two three four
    five six seven eight nine ten
    """
)


POINTERS = word_set(
    """
    it this that these those you your yours yourself u ur here there something someone anything
    everything nothing stuff above below following such
    """
)
EVALUATIONS = word_set(
    """
    mess nightmare joke disaster pain problem bit little lot pity shame relief surprise lie
    mistake bug error issue question fool idiot genius wreck failure loser liar monster horrible
    awful terrible amazing awesome nice cute lovely fun funny great good bad best worst perfect
    annoying boring important interesting weird strange crazy cool okay ok fine disappointment
    blast treat blessing challenge struggle story secret mystery long hard tough difficult easy
    broken slow fast late ready done wrong right missing dead dying down up gone angry mad upset
    sad happy tired sick busy hungry kidding joking complete total real different same true
    false stupid silly ridiculous unfair serious fair bigger better worse beautiful ugly
    gorgeous brilliant dumb smart clever lazy rude mean kind sweet
    """
)
MONTHS = word_set(
    """
    january february march april may june july august september october november december jan
    feb mar apr jun jul aug sep sept oct nov dec
    """
)
WEEKDAYS = word_set(
    """
    monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays
    thursdays fridays saturdays sundays mon tue tues wed thu thur thurs fri weekend weekends
    weekdays
    """
)
SEASONS = word_set(
    """
    spring summer autumn fall winter christmas easter thanksgiving ramadan diwali
    """
)
FREQUENCY = word_set(
    """
    every each daily weekly monthly yearly usually always never often twice mostly
    """
)
NUMBERS = word_set(
    """
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety
    dozen couple several both
    """
)
ADVERBS = word_set(
    """
    also really just currently still usually never always mostly recently now actually
    absolutely totally only often sometimes generally normally mainly currently originally
    already finally definitely simply truly kinda sorta rarely hardly barely seldom typically
    primarily both all regularly occasionally officially proudly happily basically literally
    honestly particularly especially deeply quite very completely severely mildly slightly
    technically strongly genuinely secretly fully partly recently even ever once together then
    """
)
_NO_ADVERBS = word_set(
    """
    family early july italy reply supply assembly fully bully jelly belly emily sally molly
    holly kelly polly billy italy rally apply imply butterfly anomaly monopoly elderly friendly
    lonely lovely ugly silly daily weekly monthly yearly costly likely unlikely lively curly
    wooly dragonfly multiply comply folly gully tally willy wally nelly shelly ely
    """
)
