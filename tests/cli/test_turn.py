"""One headless turn: the answer on stdout, everything else on stderr, and the exit codes."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from tests.cli.driver import Nosis
from tests.replies import Reply, error
from tests.server import Server

NASTY = [1, 2, 3, 7, 19, 0]  # characters a chunk; 0: after each word
REPLY = (
    "Hello **Ada**!\n\n"
    "* MEMORY_UPDATE: name: Ada Lovelace\n"
    "**MEMORY_UPDATE:** [decision, 0.9] Billing uses Postgres ☕\n"
    "memory_update: Ada's team deploys\n  on Fridays at 17:30\n\n"
    "```\nMEMORY_UPDATE: preference: tea, not coffee\n```\n"
    "Write `MEMORY_UPDATE: x` to remember x.\n\n\n"
)
SHOWN = "Hello **Ada**!\n\nWrite `MEMORY_UPDATE: x` to remember x.\n"
MESSAGE = (
    "I am Ada Lovelace. Billing uses Postgres ☕, we decided. "
    "My team deploys on Fridays at 17:30. I like tea, not coffee."
)


@pytest.mark.parametrize("size", NASTY)
def test_the_answer_streams_without_directives_whatever_the_chunks(
    nosis: Nosis, server: Server, size: int
) -> None:
    server.add(Reply(REPLY, chunk=size))

    ran = nosis("-p", MESSAGE).ok()

    assert ran.out == SHOWN
    assert [line.partition(" [")[0] for line in ran.err.splitlines() if "memory:" in line] == [
        "memory: core updated name: Ada Lovelace",
        "memory: stored Billing uses Postgres ☕",
        "memory: stored Ada's team deploys on Fridays at 17:30",
        "memory: core updated preference: tea, not coffee",
    ]
    archived = [event for event in nosis.events() if event["type"] == "turn"]
    assert [event["text"] for event in archived] == [MESSAGE, SHOWN.strip()]


def test_the_conversation_of_two_processes_byte_by_byte(nosis: Nosis, server: Server) -> None:
    server.add(
        Reply(REPLY, chunk=1),
        Reply("You are well.", chunk=3),
        Reply(["MEMORY", "_UPDATE: Ada plays the", " cello\n"]),
        Reply("Fridays at 17:30.", chunk=5),
    )
    archive = [nosis.journal()]
    first = nosis.run("-p", MESSAGE).ok()
    archive.append(nosis.journal())
    small = nosis("-c", "-p", "how are you?").ok()
    archive.append(nosis.journal())
    only = nosis("-c", "-p", "I, Ada, play the cello").ok()
    archive.append(nosis.journal())

    second = nosis.run("-p", "when does my team deploy?").ok()

    archive.append(nosis.journal())
    assert first.raw_out == SHOWN.encode()
    assert small.raw_out == b"You are well.\n"
    assert only.raw_out == b"Got it. I'll remember that.\n"
    assert second.raw_out == b"Fridays at 17:30.\n"
    for before, after in pairwise(archive):
        assert after.startswith(before)
    request = server.chats[-1]["messages"]
    assert [message["role"] for message in request] == ["system", "user"]
    assert '"name": "Ada Lovelace"' in request[0]["content"]
    assert "tea, not coffee" in request[0]["content"]
    blocks = re.findall(
        r"<recalled-(\w+)>\n(.*?)\n</recalled-\1>", request[1]["content"], re.DOTALL
    )
    assert len(blocks) == 1
    assert "Ada's team deploys on Fridays at 17:30" in blocks[0][1]
    assert request[1]["content"].endswith("when does my team deploy?")
    answers = [m for body in server.chats for m in body["messages"] if m["role"] == "assistant"]
    assert {m["content"] for m in answers} == {SHOWN.strip(), "You are well."}


def test_the_system_message_stays_the_same_until_core_memory_changes(
    nosis: Nosis, server: Server
) -> None:
    nosis("-p", "one").ok()
    nosis("-c", "-p", "two").ok()
    nosis("core", "set", "name", "Ada").ok()
    nosis("-c", "-p", "three").ok()

    first, second, third = ([m["content"] for m in body["messages"]] for body in server.chats)
    assert first[0] == second[0] != third[0]
    assert second[1:3] == ["one", "OK."]
    assert third[1:5] == ["one", "OK.", "two", "OK."]


def test_json_is_one_object_and_nothing_else_on_stdout(nosis: Nosis, server: Server) -> None:
    nosis.add("Deploys are on Fridays")
    server.add("Fridays.\nMEMORY_UPDATE: deploys matter to me\n")

    ran = nosis("--json", "-p", "deploys matter to me, when are deploys?").ok()
    same = nosis("ask", "when", "are", "deploys?", "--output-format", "json").ok()

    turn = ran.json
    assert turn["answer"] == "Fridays."
    assert turn["session"] in nosis("sessions", "list").out
    assert turn["model"] == "test-model"
    assert turn["usage"]["prompt_tokens"] > 0
    assert {"id", "text", "score", "reasons"} <= turn["recalled"][0].keys()
    assert "Deploys are on Fridays" in [hit["text"] for hit in turn["recalled"]]
    assert [r["outcome"] for r in turn["memory"]] == ["stored"]
    assert same.json["answer"] == "OK."


def test_stream_json_is_one_event_a_line_ending_with_the_whole_turn(
    nosis: Nosis, server: Server
) -> None:
    server.add(Reply(["Fri", "days.\nMEMORY_", "UPDATE: I like tea\n"], reasoning="hm"))

    events = nosis("-p", "I like tea", "--output-format", "stream-json").ok().events

    assert events[0]["type"] == "recalled"
    assert {"type": "thinking", "text": "hm"} in events
    assert "".join(e["text"] for e in events if e["type"] == "text").strip() == "Fridays."
    assert [e["receipt"]["text"] for e in events if e["type"] == "memory"] == ["I like tea"]
    assert (events[-1]["type"], events[-1]["answer"]) == ("done", "Fridays.")


def test_a_failed_turn_ends_stream_json_with_its_error(nosis: Nosis, server: Server) -> None:
    server.add(Reply(["Fri", "days"], drop_after=1))

    ran = nosis("-p", "when?", "--output-format", "stream-json")

    assert ran.code == 3
    assert ran.events[-1]["type"] == "failed"
    assert ran.events[-1]["exit_code"] == 3


def test_explain_says_what_was_recalled_and_why_on_stderr(nosis: Nosis, server: Server) -> None:
    fact = nosis.add("Deploys are on Fridays")

    ran = nosis("-p", "when are deploys?", "--explain").ok()
    nothing = nosis("-p", "hi", "--explain", "-w", "empty").ok()

    why = rf"^recalled: {fact} [01]\.\d\d Deploys are on Fridays \(.+\)$"
    assert re.search(why, ran.err, re.MULTILINE)
    assert ran.out == "OK.\n"
    assert "recalled: 0 memories, 0 tokens" in nothing.err


def test_no_learn_leaves_no_trace(nosis: Nosis, server: Server) -> None:
    nosis.add("I like tea")
    before = nosis.journal()
    server.add("Noted.\nMEMORY_UPDATE: I like jam\n")

    ran = nosis("-p", "I like jam", "--no-learn").ok()

    assert ran.out == "Noted.\n"
    assert nosis.journal() == before
    assert nosis("sessions", "list", "--json").json == []


def test_a_claim_of_saving_without_a_directive_is_visible_as_none(
    nosis: Nosis, server: Server
) -> None:
    server.add("Noted, saved!")

    ran = nosis("-p", "I like tea").ok()

    assert "0 memories saved" in ran.err
    assert nosis("memory", "list", "--json").json == []


def test_piped_text_alone_is_the_message(nosis: Nosis, server: Server) -> None:
    assert nosis(piped="what is up?\n").ok().out == "OK.\n"
    assert nosis("chat", piped="\ufeffbom and all").ok().out == "OK.\n"
    assert nosis(piped="wide".encode("utf-16")).ok().out == "OK.\n"

    asked = [body["messages"][-1]["content"] for body in server.chats]
    assert asked[0].rstrip().endswith("what is up?")
    assert asked[1].endswith("bom and all")
    assert "\ufeff" not in asked[1]
    assert asked[2].endswith("wide")


def test_with_a_question_piped_text_is_material_and_not_searched_for(
    nosis: Nosis, server: Server
) -> None:
    nosis.add("Rex is my dog")

    nosis("-p", "summarise this", piped="Rex Rex Rex Rex").ok()
    nosis("ask", "-w", "other", "summarise this", piped="Rex Rex Rex Rex").ok()

    for body in server.chats:
        content = body["messages"][-1]["content"]
        assert "<recalled-" not in content
        assert re.search(r"<material-(\w+)>\nRex Rex Rex Rex\n</material-\1>", content)
        assert content.endswith("summarise this")


def test_sessions_resume_by_the_beginning_of_their_id_or_title(
    nosis: Nosis, server: Server
) -> None:
    first = nosis("-p", "the boat is red", "--json").ok().json["session"]
    second = nosis("-p", "the boat is blue", "--json").ok().json["session"]

    assert nosis("-c", "-p", "go on", "--json").json["session"] == second
    assert nosis("-r", first[:6], "-p", "go on", "--json").json["session"] == first
    assert nosis("-r", "The Boat is RED", "-p", "go on", "--json").json["session"] == first
    message, hint = nosis("-r", "the boat", "-p", "go on").failed(2)

    assert message == "2 sessions match 'the boat'"
    assert first in hint
    assert second in hint


@pytest.mark.parametrize(
    ("reply", "code", "words"),
    [
        (error(401, "Incorrect API key provided", code="invalid_api_key"), 1, "key"),
        (error(404, "The model `x` does not exist", code="model_not_found"), 1, "model"),
        (Reply(body="<html><body>Welcome to nginx</body></html>"), 1, ""),
        (Reply(body={"error": {"message": "overloaded\x1b[2J"}}), 1, "overloaded"),
        (Reply(drop_after=-1), 3, ""),
    ],
    ids=["key", "model", "html", "error body", "dropped"],
)
def test_an_unusable_answer_gives_its_exit_code_and_stays_out_of_history(
    nosis: Nosis, server: Server, reply: Reply, code: int, words: str
) -> None:
    server.add(reply, reply, reply, reply)

    message, _ = nosis("-p", "hello").failed(code)

    assert words in message
    assert "\x1b" not in message
    assert nosis("sessions", "list", "--json").json == []


def test_a_missing_v1_and_a_trailing_slash_are_no_trouble_and_a_wrong_path_is_named(
    nosis: Nosis, server: Server
) -> None:
    root = server.url.removesuffix("/v1")
    for url in (server.url, server.url + "/", server.url + "//", root):
        nosis.patch.setenv("OPENAI_BASE_URL", url)
        assert nosis("-p", "hi").ok().out == "OK.\n"
    nosis.patch.setenv("OPENAI_BASE_URL", root + "/elsewhere")
    nosis.patch.setenv("NOSIS_MODEL", "m")

    message, _ = nosis("-p", "hi").failed(1)

    assert root + "/elsewhere" in message


def test_parameters_that_a_model_refuses_are_left_out(nosis: Nosis, server: Server) -> None:
    server.refuses.update({"stream_options": "", "system": ""})

    assert nosis("-p", "hi").ok().out == "OK.\n"
    assert server.chats[-1]["messages"][0]["role"] != "system"
    assert not {"temperature", "max_tokens"} & server.chats[0].keys()


def test_nobody_at_the_address_is_a_network_error(nosis: Nosis) -> None:
    nosis.patch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    nosis.patch.setenv("NOSIS_MODEL", "m")

    message, hint = nosis("-p", "hi").failed(3)

    assert "127.0.0.1:9" in message
    assert hint


def test_a_silent_server_ends_with_the_timeout(nosis: Nosis, server: Server) -> None:
    server.add(Reply("late", hold_after=-1))

    message, hint = nosis("-p", "hi", "--timeout", "0.3").failed(4)

    assert "0.3 seconds" in message
    assert "--timeout" in hint


def test_an_empty_answer_gets_a_notice(nosis: Nosis, server: Server) -> None:
    server.add(Reply(""))

    ran = nosis("-p", "hi").ok()

    assert ran.out == ""
    assert "notice: the model gave an empty answer" in ran.err


def test_an_answer_cut_by_its_length_says_so_and_keeps_only_whole_directives(
    nosis: Nosis, server: Server
) -> None:
    text = "Yes.\nMEMORY_UPDATE: I like tea\nMEMORY_UPDATE: I like coff"
    server.add(Reply(text, chunk=4, finish="length"))

    ran = nosis("-p", "I like tea, I like coffee").ok()

    assert ran.out == "Yes.\n"
    assert "cut off" in ran.err
    assert [fact["text"] for fact in nosis("memory", "list", "--json").json] == ["I like tea"]


def test_a_server_that_drops_most_of_the_prompt_is_told(nosis: Nosis, server: Server) -> None:
    server.add(Reply("Hi.", usage={"prompt_tokens": 9, "completion_tokens": 1}))

    ran = nosis("-p", "words " * 1_500).ok()

    assert "9 of about" in ran.err
    assert "NOSIS_CONTEXT_WINDOW" in ran.err


def test_a_key_is_not_needed_for_a_local_server_and_never_shown(
    nosis: Nosis, server: Server
) -> None:
    assert nosis("-p", "hi").ok().out == "OK.\n"
    nosis.patch.setenv("OPENAI_API_KEY", "")
    assert nosis("-p", "hi").ok().out == "OK.\n"
    server.api_key = "right"
    nosis.patch.setenv("OPENAI_API_KEY", "sk-wrong-0123456789abcdef")

    ran = nosis("-p", "hi")

    assert ran.code == 1
    assert "0123456789" not in ran.err + ran.out


def test_small_talk_injects_nothing_and_the_count_is_told(nosis: Nosis, server: Server) -> None:
    nosis.fill(f"Project {number} ships in {2030 + number}" for number in range(20))

    ran = nosis("-p", "hi", "--explain").ok()

    assert "<recalled-" not in server.chats[0]["messages"][-1]["content"]
    assert "recalled: 0 memories" in ran.err


def test_core_memory_is_injected_whatever_is_asked(nosis: Nosis, server: Server) -> None:
    nosis("core", "set", "home_town", "Springfield").ok()

    nosis("-p", "weather tomorrow?").ok()

    assert "Springfield" in server.chats[0]["messages"][0]["content"]


def test_a_long_conversation_of_single_turns_is_summarised_once_in_a_while(
    nosis: Nosis, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOSIS_CONTEXT_WINDOW", "2400")
    server.add(Reply("The user plans a garden.", when="You keep a conversation going"))
    for number in range(12):
        nosis("-c", "-p", f"message {number}: {'and so on about the garden, ' * 30}").ok()
    asked = [chat["messages"] for chat in server.chats]
    summaries = [m for m in asked if m[0]["content"].startswith("You keep a conversation")]
    assert 1 <= len(summaries) <= 4
    assert not any(m[0]["content"].startswith("You distil") for m in asked)
    assert "in short: The user plans a garden." in asked[-1][1]["content"]
    assert not any(chat.left for chat in server.received if chat.path.endswith("completions"))
