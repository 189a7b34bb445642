"""Any OpenAI-compatible server: what it may send, refuse, break, and what people then read."""

from __future__ import annotations

import asyncio
import gc
import itertools
import socket
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from nosis.errors import ExitCode, ModelError, ModelTimeout, NetworkError, NosisError, UsageError
from nosis.models import Delta, Finish, Message, Request, ToolCall, complete
from nosis.models.answer import Answer
from nosis.models.openai import OpenAIModel
from tests.server import Reply, Server, error

NOW = {"retry-after-ms": "1"}  # the SDK waits as long as it is told before it tries again
HI = Request(messages=(Message("system", "Be kind."), Message("user", "hi")), user="hi")


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


def model_of(server: Server, **options: Any) -> OpenAIModel:
    return OpenAIModel("test-model", base_url=server.url, **options)


async def chunks_of(model: OpenAIModel, request: Request = HI) -> list[Delta | Finish]:
    try:
        return [chunk async for chunk in model.stream(request)]
    finally:
        await model.aclose()


async def failure_of(model: OpenAIModel, request: Request = HI) -> tuple[NosisError, list[Any]]:
    seen: list[Any] = []
    with pytest.raises(NosisError) as caught:
        async for chunk in model.stream(request):
            seen.append(chunk)  # noqa: PERF401 - kept although the stream fails
    await model.aclose()
    return caught.value, seen


def text_of(chunks: list[Any]) -> str:
    return "".join(chunk.text for chunk in chunks if isinstance(chunk, Delta))


def reasoning_of(chunks: list[Any]) -> str:
    return "".join(chunk.reasoning for chunk in chunks if isinstance(chunk, Delta))


def choice(finish: str | None = None, **delta: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


END = choice("stop")


# --- streaming


async def test_an_answer_arrives_in_its_pieces_and_finish_comes_last(server: Server) -> None:
    server.add(Reply(["Hel", "lo ", "Ada"]))
    *deltas, finish = await chunks_of(model_of(server))
    assert deltas == [Delta("Hel"), Delta("lo "), Delta("Ada")]
    assert finish == Finish(reason="stop", prompt_tokens=3, completion_tokens=3)


async def test_only_what_is_set_is_sent(server: Server) -> None:
    server.add("ok")
    await chunks_of(model_of(server))
    assert server.chats[0] == {
        "model": "test-model",
        "messages": [
            {"role": "system", "content": "Be kind."},
            {"role": "user", "content": "hi"},
        ],
        "stream": True,
        "stream_options": {"include_usage": True},
    }


async def test_a_limit_and_a_schema_are_sent_when_set(server: Server) -> None:
    server.add("{}")
    schema = {"type": "object", "properties": {}}
    await chunks_of(model_of(server), Request(HI.messages, max_tokens=9, schema=schema))
    assert server.chats[0]["max_tokens"] == 9
    assert server.chats[0]["response_format"]["json_schema"]["schema"] == schema


@pytest.mark.parametrize(
    "odd",
    [
        {"choices": []},
        {"choices": None},
        {"id": "x"},
        choice(content=None),
        {"choices": [{"index": 0, "delta": None, "finish_reason": None}]},
        choice(role="assistant", content=""),
        {"choices": [], "usage": None},
        b": OPENROUTER PROCESSING\n\n",
        b"event: ping\ndata: {}\n\n",
        b"\r\n\r\n",
        "null",
        "[]",
    ],
    ids=str,
)
async def test_odd_chunks_are_passed_over(server: Server, odd: Any) -> None:
    server.add(Reply(events=[odd, choice(content="a"), odd, choice(content="b"), odd, END, odd]))
    chunks = await chunks_of(model_of(server))
    assert text_of(chunks) == "ab"
    assert chunks[-1] == Finish()


async def test_usage_beside_every_chunk_and_cached_tokens_are_read(server: Server) -> None:
    details = {"prompt_tokens_details": {"cached_tokens": 5}}
    usage = {"prompt_tokens": 7, "completion_tokens": 1, "total_tokens": 8, **details}
    last = {**usage, "completion_tokens": 2}
    server.add(Reply(events=[choice(content="a") | {"usage": usage}, END | {"usage": last}]))
    finish = (await chunks_of(model_of(server)))[-1]
    assert finish == Finish("stop", prompt_tokens=7, completion_tokens=2, cached_tokens=5)


async def test_a_server_without_usage_still_finishes(server: Server) -> None:
    server.add(Reply("hi", usage=False))
    assert (await chunks_of(model_of(server)))[-1] == Finish("stop")


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ("length", "length"),
        ("max_tokens", "length"),
        ("content_filter", "content_filter"),
        ("eos", "stop"),
        ("tool_calls", "stop"),
    ],
)
async def test_why_an_answer_ended_is_told(server: Server, sent: str, told: str) -> None:
    server.add(Reply("cut", finish=sent))
    finish = (await chunks_of(model_of(server)))[-1]
    assert isinstance(finish, Finish) and finish.reason == told


def _mutations(value: Any) -> Iterator[Any]:
    """``value`` with each of its parts in turn replaced by one of another type."""
    yield from (None, 3, -1.5, "x", True, [], ["x"], [None], {}, {"x": {}})
    items = value.items() if isinstance(value, dict) else ()
    for key, part in items:
        yield from ({**value, key: other} for other in _mutations(part))
    if isinstance(value, list):
        yield from ([other] for other in _mutations(value[0]))


@pytest.mark.parametrize("named", ["delta", "message"])
def test_no_type_in_no_place_of_an_answer_is_a_fault_of_nosis(named: str) -> None:
    usage = {"prompt_tokens": 7, "prompt_tokens_details": {"cached_tokens": 5}}
    call = _call(0, id="a", name="recall", arguments="{}")
    said = {"content": "a", "reasoning_content": "b", "refusal": "c", "tool_calls": [call]}
    whole = {"choices": [{"index": 0, named: said, "finish_reason": "stop"}], "usage": usage}
    for odd in _mutations(whole):
        answer = Answer()
        try:
            deltas = [*answer.take(odd), *answer.take_whole(odd), *answer.end()]
        except ModelError as error:
            assert error.hint
        else:
            assert all(isinstance(d.text + d.reasoning, str) for d in deltas)
            assert all(isinstance(c.name + c.arguments, str) for c in answer.calls())
            assert isinstance(answer.finish().reason, str)


@pytest.mark.parametrize("body", ["[" * 99_999, '{"choices": []}', '{"choices": ', "null", ""])
@pytest.mark.parametrize("encoding", ["identity", "gzip", "deflate"])
async def test_a_body_that_cannot_be_read_is_told(server: Server, body: str, encoding: str) -> None:
    odd = Reply(body=body, content_type="application/json", headers={"Content-Encoding": encoding})
    server.add(odd, odd)
    failure, _ = await failure_of(model_of(server))
    assert failure.hint and not failure.message.endswith(": ")


async def test_a_whole_answer_needs_no_reason_and_a_refusal_is_an_answer(server: Server) -> None:
    said = {"role": "assistant", "content": "Hi"}
    server.add(Reply(body={"choices": [{"message": said}]}))
    assert text_of(await chunks_of(model_of(server))) == "Hi"
    server.add(Reply(events=[choice(content=None, refusal="I can't."), END]))
    assert text_of(await chunks_of(model_of(server))) == "I can't."


async def test_content_in_typed_parts_is_read(server: Server) -> None:
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}
    parts = [thought, {"type": "text", "text": "Hello"}]
    server.add(Reply(events=[choice(content=parts), END]))
    chunks = await chunks_of(model_of(server))
    assert (text_of(chunks), reasoning_of(chunks)) == ("Hello", "hm")


def test_a_model_outlives_the_event_loop_it_was_first_used_in() -> None:
    with Server(default="ok") as server, warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # the first loop's connection is lost
        model = model_of(server)
        for _ in range(2):
            assert asyncio.run(complete(model, HI))[0] == "ok"
        del model
        gc.collect()


async def test_whole_answers_are_taken_where_streams_were_asked_for(server: Server) -> None:
    message = {"role": "assistant", "content": "<think>hm</think>Hi", "reasoning": None}
    whole = {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
    server.add(Reply(body=whole | {"usage": {"prompt_tokens": 2, "completion_tokens": 1}}))
    chunks = await chunks_of(model_of(server))
    assert (text_of(chunks), reasoning_of(chunks)) == ("Hi", "hm")
    assert chunks[-1] == Finish("stop", prompt_tokens=2, completion_tokens=1)


async def test_a_stream_under_another_content_type_is_still_a_stream(server: Server) -> None:
    server.add(Reply("fine so far", content_type="text/plain"))
    assert text_of(await chunks_of(model_of(server))) == "fine so far"


async def test_lone_surrogates_do_not_break_the_request(server: Server) -> None:
    server.add("ok")
    await chunks_of(model_of(server), Request((Message("user", "a\ud83d b"),)))
    assert server.chats[0]["messages"][0]["content"] == "a\ufffd b"


# --- reasoning


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
async def test_reasoning_fields_are_reasoning(server: Server, field: str) -> None:
    server.add(Reply("Tea.", reasoning="They like tea", reasoning_field=field))
    chunks = await chunks_of(model_of(server))
    assert (text_of(chunks), reasoning_of(chunks)) == ("Tea.", "They like tea")


@pytest.mark.parametrize("size", range(1, 12))
async def test_think_blocks_are_reasoning_wherever_they_are_cut(server: Server, size: int) -> None:
    said = "<think>\nMEMORY_UPDATE: no\n</think>\n\nYes, 1 < 2.<thinking>x</THINKING> Bye"
    server.add(Reply(said, chunk=size))
    chunks = await chunks_of(model_of(server))
    assert text_of(chunks) == "Yes, 1 < 2.Bye"
    assert reasoning_of(chunks) == "MEMORY_UPDATE: no\nx"


async def test_a_think_block_that_is_never_closed_is_reasoning_to_the_end(server: Server) -> None:
    server.add(Reply(["Hm.", "<thi", "nk>", "MEMORY_UPDATE: x </thi"]))
    chunks = await chunks_of(model_of(server))
    assert (text_of(chunks), reasoning_of(chunks)) == ("Hm.", "MEMORY_UPDATE: x </thi")


async def test_a_tag_that_is_only_talked_about_stays_in_the_answer(server: Server) -> None:
    said = "The `<think>` tag and </think>, <thinker> or <thi"
    server.add(Reply(said, chunk=1))
    assert text_of(await chunks_of(model_of(server))) == said


# --- what servers refuse (B4)


@pytest.mark.parametrize(
    ("field", "message", "then"),
    [
        (
            "max_tokens",
            "Unsupported parameter: 'max_tokens' is not supported with this model. "
            "Use 'max_completion_tokens' instead.",
            {"max_completion_tokens": 9},
        ),
        ("stream_options", "Extra inputs are not permitted: stream_options", {"max_tokens": 9}),
        ("response_format", "json_schema is not supported", {"max_tokens": 9}),
        ("stream", "Unsupported value: 'stream' does not support true", {"max_tokens": 9}),
    ],
)
async def test_a_refused_parameter_is_dropped_once_and_for_the_process(
    field: str, message: str, then: dict[str, Any]
) -> None:
    wanted = Request(HI.messages, max_tokens=9, schema={"type": "array"})
    with Server(refuses={field: message}, default="fine") as server:
        for _ in range(2):
            assert text_of(await chunks_of(model_of(server), wanted)) == "fine"
        first, *later = server.chats
    assert field in first
    assert len(later) == 2
    for body in later:
        assert field not in body
        assert body.items() >= then.items()


async def test_a_refusal_of_both_limits_drops_the_limit() -> None:
    with Server(refuses=["max_tokens", "max_completion_tokens"], default="fine") as server:
        answer = await chunks_of(model_of(server), Request(HI.messages, max_tokens=9))
        assert text_of(answer) == "fine"
        assert len(server.chats) == 3


async def test_a_json_object_is_asked_for_where_schemas_are_refused(server: Server) -> None:
    refusal = error(400, "This response_format type is unavailable now", param="response_format")
    server.add(refusal, "{}")
    await chunks_of(model_of(server), Request(HI.messages, schema={"type": "object"}))
    assert server.chats[1]["response_format"] == {"type": "json_object"}


@pytest.mark.parametrize(
    "message",
    [
        "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
        "System role not supported",
        "Developer instruction is not enabled for models/gemma-3-27b-it",
        "Conversation roles must alternate user/assistant/user/assistant/...",
    ],
)
async def test_a_refused_system_role_is_folded_into_the_first_message(message: str) -> None:
    turns = (*HI.messages, Message("assistant", "Yes?"), Message("user", "bye"))
    with Server(refuses={"system": message}, default="fine") as server:
        for _ in range(2):
            await chunks_of(model_of(server), Request(turns))
        assert len(server.chats) == 3
        assert server.chats[2]["messages"] == [
            {"role": "user", "content": "Be kind.\n\nhi"},
            {"role": "assistant", "content": "Yes?"},
            {"role": "user", "content": "bye"},
        ]


async def test_a_validation_error_of_fastapi_is_understood(server: Server) -> None:
    detail = [{"type": "extra_forbidden", "loc": ["body", "stream_options"], "msg": "Extra"}]
    server.add(Reply(status=422, body={"detail": detail}), "fine")
    assert text_of(await chunks_of(model_of(server))) == "fine"
    assert "stream_options" not in server.chats[1]


async def test_a_refusal_that_names_nothing_sent_is_told_once(server: Server) -> None:
    server.add(error(400, "Unsupported parameter: 'logit_bias'"))
    failure, _ = await failure_of(model_of(server))
    assert "'logit_bias'" in failure.message
    assert len(server.chats) == 1


async def test_a_prompt_that_is_too_long_is_not_taken_for_a_refusal(server: Server) -> None:
    said = "'max_tokens' is too large: 9. This model's maximum context length is 8 tokens."
    server.add(error(400, said))
    failure, _ = await failure_of(model_of(server), Request(HI.messages, max_tokens=9))
    assert "NOSIS_CONTEXT_WINDOW" in failure.hint
    assert len(server.chats) == 1


# --- addresses (B5)


@pytest.mark.parametrize("end", ["", "/", "//", "/chat/completions"])
@pytest.mark.parametrize("version", ["/v1", "//v1", ""])
async def test_every_way_to_write_the_base_url_works(
    server: Server, version: str, end: str
) -> None:
    server.add("ok", "ok")
    root = server.url.removesuffix("/v1")
    for _ in range(2):
        model = OpenAIModel("test-model", base_url=root + version + end)
        assert text_of(await chunks_of(model)) == "ok"
    paths = [received.path for received in server.received]
    assert paths[-2:] == ["/v1/chat/completions"] * 2
    assert all(path in ("/v1/chat/completions", "/chat/completions") for path in paths)
    assert len(paths) <= 3  # without /v1 it is found once


async def test_a_wrong_path_names_every_url_that_was_tried() -> None:
    with Server(prefix="/elsewhere/v1", default="ok") as server:
        root = server.url.removesuffix("/elsewhere/v1")
        failure, _ = await failure_of(OpenAIModel("m", base_url=root))
    assert f"{root}/chat/completions" in failure.message
    assert f"{root}/v1/chat/completions" in failure.message
    assert "/v1" in failure.hint and "OPENAI_BASE_URL" in failure.hint


async def test_a_web_page_at_the_root_leads_to_v1(server: Server) -> None:
    with Server(Reply(body="<!doctype html><p>Welcome"), default="ok", prefix="") as page:
        failure, _ = await failure_of(OpenAIModel("m", base_url=page.url))
        assert [r.path for r in page.received] == ["/chat/completions", "/v1/chat/completions"]
    assert f"{page.url}/v1/chat/completions" in failure.message


@pytest.mark.parametrize("url", ["localhost:1234/v1", "ftp://x/v1", "http://", "http://[::1", "x"])
def test_what_is_no_url_is_refused_at_once(url: str) -> None:
    with pytest.raises(UsageError) as caught:
        OpenAIModel("m", base_url=url)
    assert "http://" in caught.value.hint


# --- failures


async def test_no_key_is_needed_for_a_local_server(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    server.add("ok")
    assert text_of(await chunks_of(model_of(server))) == "ok"


async def test_a_local_server_is_reached_without_the_proxy(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    server.add("ok")
    assert text_of(await chunks_of(model_of(server))) == "ok"


@pytest.mark.parametrize("key", [None, "sk-wrong-0123456789"])
async def test_a_refused_key_names_its_setting_and_not_the_key(key: str | None) -> None:
    with Server(api_key="sk-right") as server:
        failure, _ = await failure_of(model_of(server, api_key=key))
    assert "OPENAI_API_KEY" in failure.hint
    assert "sk-wrong" not in f"{failure} {failure.message}"
    assert failure.exit_code == ExitCode.MODEL


async def test_a_key_echoed_by_the_server_is_not_shown(server: Server) -> None:
    server.add(error(401, "Incorrect API key provided: sk-echo-0123"))
    failure, _ = await failure_of(model_of(server, api_key="sk-echo-0123"))
    assert "sk-echo" not in str(failure) and "sk-echo" not in failure.message


async def test_an_unknown_model_is_told_with_those_there_are() -> None:
    missing = error(404, "model 'test-model' not found", code="model_not_found")
    with Server(missing, models=["qwen3:8b", "llama3.2"]) as server:
        failure, _ = await failure_of(model_of(server))
    assert "'test-model'" in failure.message
    assert "qwen3:8b, llama3.2" in failure.hint and "NOSIS_MODEL" in failure.hint


async def test_too_many_requests_are_tried_again_and_then_told(server: Server) -> None:
    limit = Reply(status=429, body={"error": {"message": "Slow down"}}, headers=NOW)
    server.add(limit, "ok")
    assert text_of(await chunks_of(model_of(server))) == "ok"
    server.add(limit, limit, limit)
    failure, _ = await failure_of(model_of(server))
    assert "Slow down" in failure.message and failure.hint


async def test_a_failing_server_is_tried_a_bounded_number_of_times(server: Server) -> None:
    server.add(*[Reply(status=500, body={"error": {"message": "boom"}}, headers=NOW)] * 9)
    failure, _ = await failure_of(model_of(server))
    assert "500" in failure.message and "boom" in failure.message
    assert failure.exit_code == ExitCode.MODEL
    assert len(server.chats) == 2


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Reply(body="<html><body>Log in</body></html>"), "web page"),
        (Reply(body={"error": {"message": "no GPU left"}}), "no GPU left"),
        (Reply(body={"error": "no GPU left"}), "no GPU left"),
        (Reply(body={"object": "error", "message": "no GPU left"}), "no GPU left"),
        (Reply(body={"detail": "no GPU left"}), "no GPU left"),
        (Reply(body="", content_type="application/json"), "no chat API"),
        (Reply(body="[1, 2]", content_type="application/json"), "no chat API"),
        (Reply(events=[{"error": {"message": "no GPU left"}}]), "no GPU left"),
        (Reply(events=[{"error": "no GPU left"}]), "no GPU left"),
        (Reply(events=[{"object": "error", "message": "no GPU left"}]), "no GPU left"),
        (
            Reply(events=[b'event: error\ndata: {"error": {"message": "no GPU left"}}\n\n']),
            "no GPU left",
        ),
        (Reply(events=["{not json"]), "unreadable"),
        (Reply(events=[b'data: {"choices": "\xff"}\n\n']), "unreadable"),
    ],
    ids=lambda value: str(value)[-60:],
)
async def test_errors_under_status_200_are_errors(server: Server, reply: Reply, words: str) -> None:
    server.add(reply)
    failure, seen = await failure_of(model_of(server))
    assert type(failure) is ModelError
    assert words in failure.message and failure.hint
    assert "\n" not in failure.message and "<" not in failure.message
    assert seen == []


async def test_an_error_inside_a_stream_comes_after_what_was_said(server: Server) -> None:
    server.add(Reply(events=[choice(content="So far"), {"error": {"message": "overloaded"}}]))
    failure, seen = await failure_of(model_of(server))
    assert text_of(seen) == "So far"
    assert "overloaded" in failure.message
    assert len(server.chats) == 1


@pytest.mark.parametrize(
    "reply",
    [
        Reply(["Go", "ne"], drop_after=1),  # cut in the middle of the response
        Reply(["Go"], finish=None),  # the response ends, the answer does not
        Reply(["Go"], finish=None, done=False),
    ],
    ids=["cut", "done without a reason", "ends without a reason"],
)
async def test_a_dropped_stream_is_told_after_its_pieces_and_never_asked_again(
    server: Server, reply: Reply
) -> None:
    server.add(reply, "Hello again")
    failure, seen = await failure_of(model_of(server))
    assert isinstance(failure, NetworkError) and failure.exit_code == ExitCode.NETWORK
    assert text_of(seen) == "Go"
    assert not any(isinstance(chunk, Finish) for chunk in seen)
    assert len(server.chats) == 1


async def test_a_connection_lost_after_the_reason_is_a_complete_answer(server: Server) -> None:
    server.add(Reply(["All"], drop_after=2))
    assert await chunks_of(model_of(server)) == [Delta("All"), Finish("stop")]


async def test_no_server_is_a_network_error_that_names_the_url() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        failure, _ = await failure_of(OpenAIModel("m", base_url=url))
    assert isinstance(failure, NetworkError)
    assert url in failure.message and failure.hint


@pytest.mark.parametrize(("hold", "allowed", "text"), [(-1, 0.3, ""), (0, 0.3, ""), (1, 2, "Wait")])
async def test_a_silent_server_is_given_up_in_time(
    server: Server, hold: int, allowed: float, text: str
) -> None:
    server.add(Reply(["Wait", "…"], hold_after=hold))
    failure, seen = await failure_of(model_of(server, timeout=allowed))
    assert isinstance(failure, ModelTimeout) and failure.exit_code == ExitCode.TIMEOUT
    assert f"{allowed} seconds" in failure.message and "NOSIS_TIMEOUT" in failure.hint
    assert text_of(seen) == text


async def test_retries_do_not_outlast_the_time_allowed(server: Server) -> None:
    patient = Reply(status=503, body={}, headers={"retry-after": "50"})
    server.add(patient, patient)
    failure, _ = await failure_of(model_of(server, timeout=0.3))
    assert isinstance(failure, ModelTimeout)


async def test_a_cancelled_turn_closes_its_connection(server: Server) -> None:
    server.add(Reply(["Wait", "…"], hold_after=1))
    model = model_of(server)
    first = asyncio.Event()

    async def read() -> None:
        async for _ in model.stream(HI):
            first.set()

    task = asyncio.create_task(read())
    await first.wait()
    await asyncio.to_thread(server.holding.wait)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(server.left.wait, 30)
    assert server.received[-1].left
    await model.aclose()


async def test_failures_are_one_line_and_not_endless(server: Server) -> None:
    server.add(error(400, "first\nsecond \x1b[31mred\x1b[0m " + "x" * 5000))
    failure, _ = await failure_of(model_of(server))
    assert failure.message.isprintable() and len(failure.message) < 400
    assert "first second" in failure.message


def test_every_pair_of_refusals_is_learnt() -> None:
    """Refusals come one at a time; whatever the order, the request gets through."""

    async def ask(refused: tuple[str, ...]) -> str:
        with Server(refuses=refused, default="fine") as server:
            wanted = Request(HI.messages, max_tokens=9, schema={"type": "object"})
            return text_of(await chunks_of(model_of(server), wanted))

    fields = ["max_tokens", "stream_options", "response_format", "system"]
    for pair in itertools.permutations(fields, 2):
        assert asyncio.run(ask(pair)) == "fine"


# --- tool calls


def _call(index: int, **parts: Any) -> dict[str, Any]:
    named = {k: parts[k] for k in ("id",) if k in parts}
    function = {k: parts[k] for k in ("name", "arguments") if k in parts}
    return {"index": index, "type": "function", **named, "function": function}


TOOL = {"type": "function", "function": {"name": "recall", "parameters": {"type": "object"}}}


async def test_tool_calls_in_pieces_are_joined_and_their_results_sent_back(server: Server) -> None:
    server.add(
        Reply(
            events=[
                choice(tool_calls=[_call(0, id="a", name="recall", arguments='{"que')]),
                choice(tool_calls=[_call(1, id="b", name="core_get", arguments="{}")]),
                choice(tool_calls=[_call(0, arguments='ry": "tea"}')]),
                choice("tool_calls"),
            ]
        ),
        "Done.",
    )
    asked = Request(messages=HI.messages, tools=(TOOL,))
    *calls, finish = await chunks_of(model_of(server), asked)
    assert calls == [ToolCall("a", "recall", '{"query": "tea"}'), ToolCall("b", "core_get", "{}")]
    assert isinstance(finish, Finish)
    told = Message("assistant", "", calls=tuple(calls))  # type: ignore[arg-type]
    answered = (*HI.messages, told, Message("tool", "[]", answers="a"))
    await chunks_of(model_of(server), Request(messages=answered, tools=(TOOL,)))
    sent = server.chats[1]
    assert sent["tools"] == [TOOL]
    assert sent["messages"][2]["tool_calls"][0]["function"]["name"] == "recall"
    assert sent["messages"][3] == {"role": "tool", "content": "[]", "tool_call_id": "a"}


async def test_a_server_that_refuses_tools_is_asked_without(server: Server) -> None:
    server.add(error(400, "This model does not support tools"), "Plain.")
    chunks = await chunks_of(model_of(server), Request(messages=HI.messages, tools=(TOOL,)))
    assert text_of(chunks) == "Plain." and "tools" not in server.chats[1]
