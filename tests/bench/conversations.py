"""The two sets of conversations that recall is measured on, as import records and questions.

Neither is part of this project: LoCoMo (Maharana et al., 2024; CC BY-NC 4.0) and BEAM
(mohammadtavakoli78/BEAM, 2025) are read from where the caller has them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Question:
    text: str
    answer: str
    evidence: frozenset[str]  # external ids
    category: str
    answerable: bool


@dataclass(frozen=True)
class Conversation:
    name: str
    records: list[dict[str, Any]]
    questions: list[Question]

    def session_of(self) -> dict[str, str]:
        return {r["external_id"]: r["session"] for r in self.records}

    def text_of(self) -> dict[str, str]:
        return {r["external_id"]: r["text"] for r in self.records}


def together(conversations: list[Conversation]) -> list[Conversation]:
    """The same questions, each conversation's records among those of all others."""

    def own(conversation: Conversation, name: str) -> str:
        return f"{conversation.name}/{name}"

    records = [
        {**r, "external_id": own(c, r["external_id"]), "session": own(c, r["session"])}
        for c in conversations
        for r in c.records
    ]
    return [
        Conversation(
            c.name,
            records,
            [replace(q, evidence=frozenset(own(c, e) for e in q.evidence)) for q in c.questions],
        )
        for c in conversations
    ]


def locomo(path: Path) -> list[Conversation]:
    """Two people over months; one memory a turn."""
    return [_locomo(item) for item in json.loads(path.read_text(encoding="utf-8"))]


def _locomo(item: dict[str, Any]) -> Conversation:
    talk = item["conversation"]
    records = []
    sessions = [key for key in talk if key.startswith("session_") and isinstance(talk[key], list)]
    for session in sorted(sessions, key=lambda key: int(key.split("_")[1])):
        day = datetime.strptime(talk[f"{session}_date_time"], "%I:%M %p on %d %B, %Y")
        records += [
            {
                "kind": "turn",
                "text": turn["text"],
                "speaker": turn["speaker"],
                "role": "user" if turn["speaker"] == talk["speaker_a"] else "assistant",
                "session": f"{item['sample_id']}/{session}",
                "created_at": day.isoformat(),
                "external_id": turn["dia_id"],
            }
            for turn in talk[session]
        ]
    known = {record["external_id"] for record in records}
    questions = [
        Question(
            entry["question"],
            str(entry.get("answer", "")),
            frozenset(known & set(entry["evidence"])),
            str(entry["category"]),
            entry["category"] != 5,
        )
        for entry in item["qa"]
    ]
    return Conversation(item["sample_id"], records, questions)


def beam(path: Path) -> list[Conversation]:
    """A user and an assistant with long answers; one memory a message."""
    return [_beam(item) for item in json.loads(path.read_text(encoding="utf-8"))]


def _beam(item: dict[str, Any]) -> Conversation:
    records = [
        {
            "kind": "turn",
            "text": turn["text"],
            "role": turn["role"],
            "session": f"{item['id']}/{turn['session']}",
            "created_at": turn["date"],
            "external_id": str(turn["id"]),
        }
        for turn in item["turns"]
    ]
    questions = [
        Question(
            entry["question"],
            str(entry["answer"]),
            frozenset(str(e) for e in entry["evidence"]),
            entry["category"],
            entry["category"] != "abstention",
        )
        for entry in item["questions"]
    ]
    return Conversation(item["id"], records, questions)
