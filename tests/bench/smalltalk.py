"""Messages that ask nothing of memory; written for this project."""

SMALL_TALK = (
    """
hi|hello|hey there|good morning|good evening!|thanks|thank you so much|thanks, great|how are you
how are you doing today?|what's up|ok|okay, cool|great|perfect, thanks!|lol|haha that's funny|yes
no|sure|sounds good|bye|see you later|good night|nice|awesome!|got it|I see|never mind
you're welcome|please continue|go on|that makes sense|hmm, interesting|wow|sorry|no problem
yes please|not really|hi! how's it going?|hello again|nice to meet you|have a great day
thanks for your help|that was helpful|great job|you rock|what can you do?|who are you?
can you help me?|I have a question|one moment please|let's start|test|hey, are you there?
that's all for today|cheers|much appreciated|all good|I agree|exactly|why not|really?|tell me a joke
""".strip()
    .replace("\n", "|")
    .split("|")
)

UNRELATED = (
    """
What is the capital of Australia?|How many moons does Jupiter have?
Explain quantum entanglement in simple terms|What is the boiling point of ethanol?
Translate 'good morning' to Japanese|Who wrote Crime and Punishment?|What is 17 times 23?
How do I convert a list to a set in Python?|What causes the northern lights?
Write a haiku about autumn leaves|What's the difference between a virus and a bacterium?
How tall is Mount Kilimanjaro?|Who painted the Sistine Chapel?
What year did the Berlin Wall fall?|How do vaccines work?|Give me a synonym for 'ubiquitous'
What is the speed of light?|How do I unclog a kitchen sink?|What is the plural of octopus?
Who was the first emperor of Rome?|How does a diesel engine work?
What's the chemical formula of table salt?|How far is the moon from the earth?
What does the Latin phrase 'carpe diem' mean?|How do bees make honey?
What is the largest desert in the world?|Convert 5 miles to kilometers|Why is the sky blue?
How do I remove a red wine stain from a shirt?|What is the Pythagorean theorem?
Who discovered penicillin?|How many bones are in the human body?|What is inflation?
Summarize the plot of Hamlet|What's the square root of 144?|How do submarines dive?
Which planet has the most rings?|What language is spoken in Brazil?|How is paper recycled?
What is the currency of Sweden?
""".strip()
    .replace("\n", "|")
    .split("|")
)
