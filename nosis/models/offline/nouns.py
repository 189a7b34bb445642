"""The nouns that the offline rules know, as sets of lower-case singular (mostly) forms."""

from __future__ import annotations

from nosis.models.offline.lexicon import word_set

# Who and what may belong to the user.
KIN = word_set(
    """
    gf bf fam sister brother mother father mum mom mam mama papa dad daddy parent parents wife
    husband partner spouse girlfriend boyfriend fiance fiancee fiancé fiancée son daughter kid
    child baby toddler twin grandmother grandfather grandma grandpa gran granny granddad grandad
    nan nana grandparent grandson granddaughter grandchild grandchildren aunt auntie uncle
    cousin niece nephew stepfather stepmother stepdad stepmum stepmom stepson stepdaughter
    stepbrother stepsister half-brother half-sister mother-in-law father-in-law sister-in-law
    brother-in-law in-law ex ex-wife ex-husband ex-girlfriend ex-boyfriend godfather godmother
    godson goddaughter sibling family children grandkid grandkids bro sis hubby missus folks
    eldest youngest oldest boy girl
    """
)
PEOPLE = word_set(
    """
    contact friend boss manager supervisor colleague coworker co-worker teammate mentor mentee
    landlord landlady neighbour neighbor roommate flatmate housemate doctor dentist therapist gp
    vet lawyer solicitor accountant teacher professor tutor coach trainer nanny babysitter
    advisor adviser assistant client customer cofounder co-founder bandmate pastor priest
    hairdresser barber physio surgeon psychiatrist psychologist agent editor publisher intern
    student pupil director lead counsellor counselor cleaner plumber electrician mechanic
    builder optician cardiologist dermatologist midwife partner investor recruiter apprentice
    deputy successor predecessor physiotherapist paediatrician pediatrician oncologist
    chiropractor tenant lodger stylist supplier contractor architect designer developer
    instructor classmate pal mate buddy crush owner
    """
)
PETS = word_set(
    """
    pet dog cat puppy kitten pup rabbit bunny hamster parrot horse pony goldfish fish turtle
    tortoise snake python lizard gecko ferret budgie parakeet hen chicken goat cow sheep bird
    canary tarantula axolotl hedgehog duck llama alpaca donkey rat gerbil chinchilla cockatiel
    guinea-pig pig greyhound labrador lab retriever poodle terrier husky beagle dachshund corgi
    collie spaniel bulldog pug chihuahua hound rottweiler dalmatian whippet schnauzer
    labradoodle cockapoo mutt tabby tomcat ragdoll siamese iguana chameleon dragon pigeon bee
    bees stallion mare
    """
)
DETAILS = word_set(
    """
    network ssid birthday anniversary name nickname surname address email e-mail phone number
    mobile extension username handle website blog github twitter instagram linkedin discord
    postcode zip zipcode timezone zone sign zodiac height weight size age hometown nationality
    religion pronouns pill tablet job role title position salary commute degree major thesis
    dissertation university school college hobby passion dream goal resolution ambition allergy
    medication condition diet company startup business firm employer team department organisation
    organization agency shop project app product stack database editor keyboard laptop computer
    camera language tongue native budget type ethnicity iban locker desk salon bakery practice
    studio shoe initials codename registration plate signature motto instrument band side-project
    """
)
POSSESSIONS = word_set(
    """
    car bike bicycle motorbike motorcycle scooter van truck caravan camper campervan boat sailboat
    houseboat narrowboat yacht kayak canoe surfboard skateboard laptop computer macbook thinkpad
    pc desktop phone iphone tablet ipad kindle camera drone printer server nas homelab keyboard
    guitar piano violin cello drums saxophone trumpet flute bass ukulele accordion synth telescope
    microscope house flat apartment home cottage bungalow cabin farm garden allotment balcony
    greenhouse workshop studio garage office company startup business firm bakery cafe café
    restaurant shop store salon podcast blog newsletter channel band collection tattoo tattoos
    piercing glasses scar pacemaker wheelchair degree masters master's phd doctorate mba diploma
    certificate licence license visa passport citizenship mortgage loan subscription membership
    motor tesla toyota honda ford volvo bmw audi volkswagen fiat renault peugeot vespa harley
    console playstation xbox switch sofa piercings roommates hobby hobbies pool sauna hive beehive
    beehives vineyard orchard tractor bicycles hamsters stammer stutter lisp freckles dreadlocks
    beard moustache birthmark website smartwatch treadmill record turntable air-fryer espresso
    telescope portfolio pension
    """
)
CONDITIONS = word_set(
    """
    diabetes asthma coeliac celiac adhd add autism dyslexia dyspraxia epilepsy migraine
    migraines anxiety depression ptsd ocd bipolar arthritis eczema psoriasis tinnitus insomnia
    hypertension anaemia anemia endometriosis fibromyalgia scoliosis sciatica gout vertigo lupus
    cancer allergy allergies intolerance disease disorder syndrome condition hayfever fever-hay
    crohn's ibs hypothyroidism cholesterol pressure sclerosis pcos parkinson's alzheimer's
    dementia glaucoma narcolepsy rosacea phobia arachnophobia claustrophobia aphantasia
    synaesthesia apnea apnoea
    """
)
EVENTS = word_set(
    """
    appointment interview exam test meeting deadline flight train bus ferry trip holiday
    vacation honeymoon wedding surgery operation graduation party concert marathon race match
    game gig launch release standup stand-up demo presentation conference lesson class course
    shift hearing rehearsal recital tournament competition viva defence defense review retro
    retrospective sprint checkup check-up scan visit reservation booking move offsite workshop
    webinar call practice training festival ceremony funeral christening reunion internship
    placement contract lease visa passport licence license insurance warranty subscription rent
    mortgage migration rollout go-live final finals essay paper submission dissertation thesis
    kickoff kick-off audit audition freeze due vaccination jab permit permits term semester
    birthday anniversary
    """
)
# What people work on, and what "the …" may name.
PROJECT_NOUNS = word_set(
    """
    flat house apartment project product app application service system platform team company
    client customer launch release deadline meeting budget server database staging production
    repo repository api office standup sprint migration website site codebase backend frontend
    pipeline build deployment contract invoice invoices board wifi wi-fi port password key keys
    review demo retro kickoff rollout schema cluster domain queue cache logs backups backup code
    alarm gate door exam wedding party flight ceremony rent appointment interview conference
    trip warehouse store shop rehearsal freeze go-live design report presentation lease codename
    milestone roadmap tender audit
    """
)
# Occupations.
ROLE_NOUNS = word_set(
    """
    nurse chef cook pilot student intern ceo cto cfo coo cmo vp founder co-founder cofounder dev
    sre pm admin consultant analyst architect clerk vet judge professor surgeon dentist doctor
    gp physician paramedic midwife lawyer attorney solicitor barrister accountant engineer
    developer programmer designer teacher lecturer tutor coach scientist researcher postdoc
    journalist writer author editor translator interpreter musician actor actress artist
    photographer carpenter plumber electrician mechanic farmer gardener florist baker butcher
    barista bartender waiter waitress driver courier postman firefighter soldier policeman
    policewoman detective secretary receptionist manager director executive president chairman
    librarian curator technician operator lead head specialist strategist marketer salesperson
    salesman recruiter therapist psychologist psychiatrist pharmacist biologist chemist
    physicist mathematician statistician economist geologist astronomer historian philosopher
    trainee apprentice trucker tailor jeweller optician podcaster blogger streamer freelancer
    contractor entrepreneur teacher's-assistant assistant associate officer supervisor
    superintendent principal dean headteacher headmaster headmistress nanny babysitter cleaner
    caretaker janitor welder bricklayer builder roofer painter decorator plasterer sailor
    fisherman beekeeper veterinarian physiotherapist radiologist cardiologist oncologist
    paediatrician pediatrician dermatologist anaesthetist anesthetist cashier shopkeeper
    bookkeeper auditor actuary trader banker broker investor planner surveyor inspector
    instructor trainer dancer singer composer conductor producer filmmaker animator illustrator
    copywriter sommelier brewer tester administrator coordinator representative advisor adviser
    counsellor counselor social-worker worker politician diplomat priest pastor rabbi imam monk
    nun undertaker stewardess steward archaeologist anthropologist linguist sociologist
    zoologist botanist ecologist meteorologist oceanographer hairdresser barber beautician
    masseuse landlord undergraduate undergrad postgrad postgraduate freshman sophomore junior
    senior pensioner housewife househusband stay-at-home-mum stay-at-home-mom stay-at-home-dad
    maintainer
    """
)
# What wishes, plans and past events of a life are about.
LIFE_NOUNS = word_set(
    """
    service book books novel memoir family weight kilo kilos pounds money smoking meat sugar
    caffeine coffee alcohol marathon half-marathon triathlon ironman job career language house
    home business company married divorced citizenship abroad healthier fit vegan vegetarian
    better early earlier lessons classes citizen pilot exam degree bathroom kitchen album record
    podcast children baby ring school university uni aurora lights moon pregnant dutch spanish
    french german italian japanese chinese korean portuguese arabic russian swedish norwegian
    finnish polish greek latin hours driving bakery cafe savings mortgage debt camino everest
    fluently wheel salsa tango saxophone screenplay poetry comic meditation
    """
)
BODY = word_set(
    """
    tooth eyes hair leg arm ankle wrist knee foot back hip collarbone shoulder nose finger toe
    rib ribs hand elbow skin teeth
    """
)
ACTIVITIES = word_set(
    """
    yoga pilates karate judo taekwondo crossfit boxing kickboxing gymnastics ballet pottery
    improv ceramics parkour aikido jiu-jitsu bjj stand-up calligraphy origami woodworking
    woodwork photography gardening archery fencing triathlons marathons ultramarathons capoeira
    stand-up-comedy crosswords sudoku volunteering cosplay amateur carpentry embroidery
    metalwork taxidermy
    """
)
# Tools by name, which are written small as often as not.
TOOLS = word_set(
    """
    vim neovim emacs nano linux arch ubuntu debian fedora windows macos mac tmux git github
    gitlab vscode pycharm intellij python rust go golang java javascript typescript ruby php
    kotlin swift scala haskell elixir clojure c++ c# sql postgres postgresql mysql sqlite
    mongodb redis kafka docker kubernetes terraform ansible nomad jenkins aws azure gcp django
    flask fastapi react vue angular svelte rails laravel spring notion obsidian evernote trello
    asana jira linear slack teams discord excel figma photoshop blender ableton logic signal
    whatsapp telegram firefox chrome safari brave fish zsh bash nix nixos dvorak colemak jupyter
    pandas numpy grafana prometheus datadog sentry bazel gradle maven npm pnpm yarn poetry uv
    ruff pytest nginx caddy cloudflare vercel netlify supabase firebase elasticsearch snowflake
    bigquery dbt airflow spark anki duolingo strava todoist thunderbird protonmail bitwarden
    1password zotero latex android ios iphone helm argocd rabbitmq
    """
)
# What a request for help with code is about.
CODE_NOUNS = word_set(
    """
    cards function method loop list array string script file files query tests code error errors
    variable table column regex request endpoint button component container image docker-image
    branch commit command page row rows dataframe number numbers bug bugs exception traceback
    json csv output input warning build log logs result results line lines text sentence
    sentences question questions crash answer answers prompt version example following value
    values object objects dict dictionary timeout document paragraph essay
    """
)
