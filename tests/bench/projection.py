"""Make ``nosis/memory/minilm/projection.npy``: ``python -m tests.bench.projection FILE``.

Token vectors are kept in the 96 directions that hold most of their inner products (PCA
without centring, content words only). The directions are taken from texts that are nobody's
conversation: sentences of this module filled with everyday words and with words of the model's
vocabulary, and the docstrings of Python's standard library. What they are worth is in
docs/recall.md.
"""

from __future__ import annotations

import ast
import random
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from nosis.memory.embedding import default_embedder
from nosis.memory.minilm import MiniLM, _chunks, _run, _session, _unit, _word_pieces

DIRECTIONS = 96
SENTENCES, DOCSTRINGS = 9_000, 600
FOREIGN = 0.6  # share of the slots that take any word of the vocabulary: breadth, beside sense
SLOTS = {
    "person": "sister brother mom dad friend cousin neighbor coworker boss teacher wife husband "
    "grandma uncle roommate kids daughter son partner team coach doctor therapist mentor",
    "activity": "hiking painting running cooking baking swimming reading writing dancing yoga "
    "camping gardening surfing pottery photography chess gaming knitting climbing fishing biking "
    "volunteering acting singing meditating skiing woodworking birdwatching traveling studying",
    "place": "beach park mountains museum library gym studio shelter lake forest office school "
    "church restaurant theater hospital airport garden cafe market stadium village Paris Tokyo "
    "Chicago Spain California London Kenya Boston Canada Italy",
    "food": "pizza ice cream salad soup pasta cake bread chicken curry sushi tacos chocolate fruit "
    "coffee tea wine sandwiches pancakes cookies vegetables rice steak smoothies cheese",
    "feeling": "happy excited nervous proud tired grateful sad stressed relieved inspired lonely "
    "calm anxious amazed hopeful frustrated thrilled overwhelmed motivated curious",
    "thing": "guitar book car dog cat house necklace camera bike plant painting movie song game "
    "laptop phone garden photo letter ring violin poster tattoo trophy jacket shoes turtle puppy",
    "event": "wedding birthday concert tournament race party festival conference exam interview "
    "graduation parade fundraiser trip vacation accident surgery funeral anniversary game play "
    "reunion workshop performance exhibition meeting election holiday promotion breakup",
    "job": "nurse engineer teacher chef writer designer lawyer actor musician counselor manager "
    "developer scientist farmer banker journalist plumber coach accountant dancer",
    "tech": "database API login form dashboard server cache React component Flask route Python "
    "script "
    "unit test deployment schema index query function class error message CSS layout webpage "
    "authentication token probability triangle matrix equation sorting algorithm budget essay",
    "time": "yesterday last week last Friday two months ago this morning next weekend in March "
    "last "
    "summer on Monday tomorrow in 2022 every day since childhood a few years ago tonight",
    "topic": "mental health adoption climate change politics religion art history music basketball "
    "fantasy novels money family dreams education nature science security performance design",
    "trait": "red new old small beautiful expensive difficult delicious funny important quiet huge",
}
TEMPLATES = (
    """
I went to the {place} with my {person} {time}.|My {person} loves {activity} and {activity}.
What did your {person} say about the {event}?|I felt so {feeling} after the {event}!
I bought a {trait} {thing} {time}.|We had {food} and {food} at the {place}.
{activity} helps me feel {feeling}.|How was the {event} {time}?
My {person} works as a {job} near the {place}.|I started {activity} {time}.
That {thing} looks {trait}! Where did you get it?|I'm planning a trip to {place} for the {event}.
I'm reading a book about {topic}.|We talked about {topic} at the {event}.
I'm {feeling} about my {event} {time}.|Do you still do {activity} with your {person}?
The {thing} reminds me of my {person}.|I made {food} for my {person} {time}.
I want to become a {job} because I care about {topic}.|My favorite {thing} is the {trait} one.
Can you help me with the {tech} and the {tech}?|The {tech} fails with a {tech} since {time}.
I'm trying to implement {tech} using {tech}.|I finished the {tech} {time}, here is my code.
Always explain the {tech} when I ask about {tech}.|I prefer {activity} over {activity}.
We moved from {place} to {place} {time}.|My {person} gave me a {thing} for my {event}.
I lost my {thing} at the {place}.|Thanks! I joined a {activity} group {time}.
Did you hear about the {event} in {place}?|I'd love to learn {activity} someday.
The average time of the {tech} is 250 milliseconds.|I won the {event} and my {person} was {feeling}.
She adopted a {trait} {thing} from the {place}.|He quit his job as a {job} {time}.
I have two {thing}s and three {thing}s.|What kind of {food} do you like?
We're raising money for {topic} at the {place}.|My {person} is {feeling} about {topic}.
""".strip()
    .replace("\n", "|")
    .split("|")
)


def texts(vocabulary: Iterable[str]) -> Iterator[str]:
    chance = random.Random(7)
    any_word = sorted(word for word in vocabulary if re.fullmatch("[a-z]{3,}", word))
    words = {slot: words.split() for slot, words in SLOTS.items()}

    def fill(slot: re.Match[str]) -> str:
        return chance.choice(any_word if chance.random() < FOREIGN else words[slot[1]])

    for number in range(SENTENCES):
        yield re.sub(r"\{(\w+)\}", fill, TEMPLATES[number % len(TEMPLATES)])
    found = []
    for path in sorted(Path(ast.__file__).parent.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8", errors="replace"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
                docstring = " ".join((ast.get_docstring(node) or "").split())
                if 60 < len(docstring) < 500:
                    found.append(docstring)
    yield from chance.sample(found, DOCSTRINGS)


def main(target: Path) -> None:
    embedder = default_embedder()
    assert isinstance(embedder, MiniLM)
    session, pieces = _session(embedder._model), _word_pieces()
    chunks = [c for text in texts(pieces.get_vocab()) for c in _chunks(pieces, 0, text)]
    products = np.zeros((embedder.dimensions, embedder.dimensions))
    hidden = _run(session, [chunk.pieces for chunk in chunks])
    for chunk, states in zip(chunks, hidden, strict=True):
        tokens = _unit(states[1:-1][chunk.words >= 0]).astype(np.float64)
        products += tokens.T @ tokens
    _, directions = np.linalg.eigh(products)
    np.save(target, directions[:, ::-1][:, :DIRECTIONS].astype(np.float16))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
