"""Languages: their function words, which carry no topic and tell a text's language.

The lists are short on purpose: the most frequent words of each language that are not topics.
A language is named as its snowball stemmer is.
"""

from __future__ import annotations

FUNCTION_WORDS: dict[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "english": (
            "a about above after again against all am an and any are aren as at be because been "
            "before being below between both but by can cannot could couldn did didn do does doesn "
            "doing don down during each else ever few for from further get gets got had hadn has "
            "hasn have haven having he her here hers herself him himself his how i if in into is "
            "isn it its itself just let like ll m me might more most much my myself no nor not "
            "now of off on once only or other our ours ourselves out over own re s same shall she "
            "should shouldn so some such t than that the their theirs them themselves then there "
            "these they this those through to too under until up upon us ve very was wasn we were "
            "weren what when where which while who whom whose why will with won would wouldn you "
            "your yours yourself yourselves"
        ),
        "german": (
            "aber als am an auch auf aus bei bin bis bist da damit dann das dass dein deine dem "
            "den der des die dir doch du durch ein eine einem einen einer eines er es euch für "
            "gegen hab habe haben hat hatte hier ich ihm ihn ihr ihre im in ist ja jetzt kann kein "
            "keine man mein meine meinem meinen meiner mich mir mit nach nicht noch nur oder ohne "
            "sehr sein seine sich sie sind so über um und uns unser unsere unter vom von vor war "
            "waren warum was weil wenn wer wie wieder wir wird wo wurde zu zum zur"
        ),
        "french": (
            "ai as au aussi aux avec avez avoir avons bien c ce ces cet cette comme d dans de des "
            "du elle elles en es est et étais était été être eu il ils j je l la le les leur leurs "
            "lui m ma mais me mes moi mon n ne nos notre nous on ont ou où par pas plus pour "
            "pourquoi qu quand que quel quelle qui s sa sans se ses si son sont suis sur t ta te "
            "tes toi ton très tu un une vos votre vous y"
        ),
        "spanish": (
            "a al algo como con cuál cuándo de del donde dónde el él ella ellos en era eres es "
            "esta está este esto estoy fue ha había han has hay he la las le les lo los más me mi "
            "mis mucho muy no nos nosotros o para pero por porque qué que quién se sea ser si sí "
            "sin sobre son soy su sus también te tengo ti tiene tu tus un una uno y ya yo"
        ),
        "italian": (
            "a ai al alla anche che chi ci come con cosa da dal dalla degli dei del della delle di "
            "dove e è ed era gli ha hai hanno ho i il in io la le lei li lo loro lui ma mi mia mie "
            "miei mio molto ne nei nel nella noi non o per perché più quale quando quella quello "
            "questa questo se sei si sia sono su sua sue sul sulla suo ti tu tuo tua un una uno vi "
            "voi"
        ),
        "portuguese": (
            "a ao aos as à às com como da das de do dos e é ela ele eles em era está este estou eu "
            "foi há isso isto já lhe mais mas me meu meus minha minhas muito na não nas no nos nós "
            "o onde os ou para pela pelo por porque quais qual quando que quem se sem ser seu seus "
            "sou sua suas também te tem tenho teu tu um uma você vocês"
        ),
        "dutch": (
            "aan al als bij dan dat de deze die dit doe door dus een en er ge geen had heb hebben "
            "heeft hem het hij hoe hun ik in is je jij jouw kan maar me meer met mij mijn naar "
            "niet nog nu of om onder ons onze ook op over te tegen toch toen tot u uit van veel "
            "voor waar waarom want waren was wat we welke wie wij wil worden zal ze zich zij zijn "
            "zo"
        ),
        "swedish": (
            "alla att av blev bli de dem den deras dess det detta dig din dina ditt där då efter "
            "ej eller en er ett från för ha hade han har henne hennes hon honom hur här i icke "
            "inte jag ju kan man med mig min mina mitt mot mycket ni nu när och om oss på sig sin "
            "sina sitt ska som så till under upp ut vad var varför vi vid vilken åt är över"
        ),
        "danish": (
            "af alle at blev bliver da de dem den der deres det dig din dine dit du efter eller en "
            "er et for fra ham han har havde hende hendes her hos hun hvad hvem hvis hvor hvordan "
            "hvorfor i ikke ind jeg jer kan man med meget men mig min mine mit mod når nu og også "
            "om op os over på sig sin skal som til ud under var vi vil"
        ),
        "norwegian": (
            "alle at av ble bli da de deg dem den denne der deres det din dine ditt du eller en er "
            "et etter for fra ha hadde han har henne hennes her hun hva hvem hvis hvor hvordan "
            "hvorfor i ikke inn jeg kan man med meg meget men min mine mitt mot mye når nå og også "
            "om opp oss over på seg sin skal som til under ut var vi vil"
        ),
        "finnish": (
            "ei en että hän he hänen ja jo joka jos kanssa kuin kun kuka me mikä mikä minä minua "
            "minulla minulle minun missä mitä mutta myös ne niin nyt ole olen oli olla on ovat se "
            "sen sinä sinun tai tämä tässä te vain voi"
        ),
        "polish": (
            "a ale bardzo być czy co do dla gdzie i ich ja jak jako je jest jestem jego jej już "
            "kiedy kto która które który ma mam mnie mi moja moje mój my na nie o od oraz on ona "
            "po przez się są ta tak tam te tego tej ten to tu twoja twój ty w we wy z za że"
        ),
        "czech": (
            "a ale ani bych být byl byla co do ho i já jak jako je jeho její jen jsem jsi jsme "
            "jsou kde kdo kdy která které který mám mě mi moje můj my na ne nebo o od on ona po "
            "pro proč s se si svůj ta tak tam také te ten to tom tvůj ty už v ve vy z za že"
        ),
        "turkish": (
            "ama ben beni benim bir biz bize bizim bu bunu çok da daha de değil en gibi hangi her "
            "için ile ise kadar ki kim mı mi mu mü ne neden nerede o olan olarak onu onun sen "
            "senin siz şey şu var ve veya ya yok"
        ),
        "russian": (
            "а без бы был была были было быть в вам вас ваш весь во вот все всё вы где да для до "
            "его ее её если есть еще ещё же за здесь и из или им их к как какая какие какой ко "
            "когда который кто ли меня мне мной мой моя моё мои мы на над нас наш не него нее ней "
            "нет ни но ну о об он она они оно от очень по под почему при с свой себя со так также "
            "там тебя то тоже только ты у уже чего чем что чтобы эта эти это этот я"
        ),
    }.items()
}
LETTERS: dict[str, str] = {  # letters that only these of the languages use
    "ß": "german",
    "ñ": "spanish",
    "¿": "spanish",
    "ã": "portuguese",
    "õ": "portuguese",
    "œ": "french",
    "ł": "polish",
    "ż": "polish",
    "ř": "czech",
    "ě": "czech",
    "ů": "czech",
    "ğ": "turkish",
    "ş": "turkish",
    "ı": "turkish",
}
SCRIPTS: dict[str, str] = {  # first word of a letter's Unicode name -> language
    "CYRILLIC": "russian",
    "GREEK": "greek",
    "ARABIC": "arabic",
    "DEVANAGARI": "hindi",
    "TAMIL": "tamil",
    "ARMENIAN": "armenian",
}

# Characters that tie Chinese and Japanese sentences together; they end a run of characters.
CJK_FUNCTION = frozenset(
    "的了是在和也都就很吗呢吧啊呀么什怎谁哪这那个们把被给着过我你您他她它咱"
    "はがをにのでともへやかねよなだすまし"
)

_IRREGULAR = """
become became; begin began begun; break broke broken; bring brought; build built; buy bought;
catch caught; choose chose chosen; come came; deal dealt; draw drew drawn; drink drank drunk;
drive drove driven; eat ate eaten; fall fell fallen; feel felt; fight fought; find found;
fly flew flown; forget forgot forgotten; freeze froze frozen; give gave given; go went gone;
grow grew grown; hang hung; hear heard; hide hid hidden; hold held; keep kept; know knew known;
lead led; learn learnt; leave left; lend lent; lose lost; make made; mean meant; meet met; pay paid;
ride rode ridden; ring rang rung; rise rose risen; run ran; say said; see saw seen; sell sold;
send sent; shoot shot; show shown; sing sang sung; sit sat; sleep slept; speak spoke spoken;
spend spent; stand stood; steal stole stolen; swim swam swum; take took taken; teach taught;
tell told; think thought; throw threw thrown; understand understood; wake woke woken;
wear wore worn;
win won; write wrote written; child children; person people; wife wives; man men; woman women;
foot feet; tooth teeth; mouse mice; knife knives; shelf shelves
"""
IRREGULAR: dict[str, str] = {  # English forms that no suffix rule brings together
    form: base
    for base, *forms in (entry.split() for entry in _IRREGULAR.split(";"))
    for form in forms
}
