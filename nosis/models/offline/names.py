"""Common first names that are no English words, for names typed without a capital."""

from __future__ import annotations

from nosis.models.offline.lexicon import word_set

FIRST_NAMES = word_set(
    """
    aaron abby abdul abdullah abigail abraham ada adam adele adrian agnes ahmed aidan aiko aisha
    akira alan albert alejandro alessandro alex alexa alexander alexandra alexis alfie alfred
    ali alice alicia alina alison allison alvaro alyssa amanda amelia amina amir amit amy ana
    anastasia andrea andreas andrei andres andrew andy angela angelina anika anita anja anjali
    ann anna anne annika anthony antonio anya arjun arnold arthur arturo asha ashley astrid
    audrey aurora axel ayesha barbara beatrice bea becky ben benjamin bernard bert beth bettina
    bianca bob boris brad brandon brenda brian bridget bruce bruno bryan callum cameron camila
    carla carlos carmen carol caroline catherine cathy cecilia charles charlie charlotte chloe
    chris christina christine christopher ciara cindy claire clara claudia clive colin connor
    craig cristina daisuke dan daniel daniela danny darius darren dave david deborah denise
    dennis derek dev diana diego dieter dimitri dmitri dominic donald dorothy doug douglas
    duncan dylan eddie edgar edith eduardo edward eileen elaine eleanor elena eli elias elijah
    elisa elisabeth elizabeth ella ellen ellie elsa emil emilia emily emma enrique eric erica
    erik erika ernesto esteban esther ethan eva evan eve evelyn fabian farah fatima felix
    fernando filip finn fiona florian francesca francesco francis francisco frank franz fred
    freddie frederick frida gabriel gabriela gareth gary gavin gemma george georgia gerald
    gerard gianni gina giorgio giovanni giulia glenn gloria gonzalo gordon graham greg gregory
    greta guido gustavo gwen hana hannah hans harold harriet harry harsh hassan hector heidi
    helen helena helga henrik henry hiro hiroshi holly howard hugo hussein ian ibrahim ida igor
    ilse imran ines ingrid ioana irene irina isaac isabel isabella isla ivan jack jackie jacob
    jake jakob jamal james jamie jana jane janet janice jared jasmine jason javier jean jeff
    jeffrey jen jenna jennifer jenny jeremy jess jessica jill jim jimmy joan joanna joao joe
    joel johan johannes john johnny jonas jonathan jordan jorge jose josef joseph josh joshua
    juan juanita judith julia julian julie julien jun jurgen justin kai kamala karen karim karin
    karl kate katherine kathleen kathy katie katja keith kelly ken kenji kenneth kerry kevin
    khalid kiran kirsten klaus kofi kristin kurt kwame kyle lars laura lauren laurent layla lea
    leah leila lena leo leon leonard leonardo leonie leslie lewis liam lina linda lisa liz
    lorenzo louis louise luca lucas lucia lucy luigi luis luisa lukas luke lydia mads magda
    maggie malik marc marcel marco marcos marcus margaret maria marie marina mario marisol marta
    martha martin martina mary mateo mathias matteo matthew matthias maureen maurice max megan
    mehmet mei melanie melissa mia michael michaela michelle miguel mika mike mila milan milo
    mira miriam mohamed mohammed molly monica morgan muhammad nadia nancy naomi natalia natalie
    natasha nathan neil nia niamh nicholas nick nicola nicole niels nigel nikhil nikita nikola
    nina noah noor nora norman nuno olaf oleg olga oliver olivia omar oscar otto owen pablo
    paige pam pamela paolo pascal pat patricia patrick paul paula pauline pavel pedro penelope
    peter petra phil philip philippe phoebe pierre piotr priya rachel rafael raj rajesh ralph
    ramon raquel rashid raul ravi raymond rebecca ricardo richard rita robert roberto robin
    rodrigo roger roland roman ronald rory rosa rosie ross ruben rudolf rupert ruth ryan sabine
    sabrina said sally salma sam samantha samir samuel sandra sandy sanjay santiago sara sarah
    sasha sean sebastian selma sergei sergio seth shannon sharon sheila shirley siddharth
    siobhan simon simone sofia sonia sophia sophie stefan stefano stella stephanie stephen steve
    steven stuart sunil susan susanne suzanne svetlana sven sylvia tamara tanya tara tariq
    tatiana ted teresa terry tessa thea theo theresa thomas tiffany tim timothy tina tobias toby
    todd tom tomas tommy tony tracy trevor tristan ulrich ursula valentina valerie vanessa vera
    veronica victor victoria vijay vikram viktor vincent virginia vivian vladimir walter wanda
    wayne wei wendy werner wilhelm will william wolfgang xavier yasmin yolanda yuki yuri yusuf
    yvonne zach zachary zainab zara zoe zoey zuzana
    """
) - {"said", "will", "robin", "dev"}
