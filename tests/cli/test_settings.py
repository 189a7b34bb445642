"""Where settings come from, and what config and doctor say of them."""

from __future__ import annotations

import pytest

from tests.cli.driver import Nosis
from tests.server import Server

KEY = "sk-test-0123456789abcdefwxyz"


def shown(nosis: Nosis, *flags: str) -> dict[str, tuple[object, str]]:
    settings = nosis("config", "show", "--json", *flags).ok().json
    return {s["name"]: (s["value"], s["source"]) for s in settings}


def test_flags_win_over_the_environment_and_that_over_the_file(nosis: Nosis) -> None:
    env_file = nosis.folder / "here" / ".env"
    env_file.write_text("NOSIS_MODEL=from-file\nNOSIS_AGENT=helper\nNOSIS_WORKSPACE=filed\n")
    nosis.patch.setenv("NOSIS_MODEL", "from-environment")
    nosis.patch.setenv("NOSIS_WORKSPACE", "environed")

    settings = shown(nosis, "-w", "flagged")

    assert settings["workspace"] == ("flagged", "--workspace")
    assert settings["model"] == ("from-environment", "environment NOSIS_MODEL")
    assert settings["agent"] == ("helper", f"{env_file} NOSIS_AGENT")
    assert settings["timeout"][1] == "default"


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("OPENAI_BASE_URL=http://localhost:1/v1 # mine", "http://localhost:1/v1"),
        ("OPENAI_BASE_URL='http://localhost:1/v1#c'", "http://localhost:1/v1#c"),
        ("OPENAI_BASE_URL=  http://localhost:1/v1  ", "http://localhost:1/v1"),
        ("OPENAI_BASE_URL", None),
        ("OPENAI_BASE_URL=", None),
        ("OPENAI_BASE_URL=${UNSET}x", "${UNSET}x"),
        ("\ufeffOPENAI_BASE_URL=x", "x"),
    ],
)
def test_values_of_the_file_are_trimmed_and_literal(
    nosis: Nosis, line: str, value: str | None
) -> None:
    (nosis.folder / "here" / ".env").write_text(line + "\n", encoding="utf-8")

    assert shown(nosis)["base_url"][0] == value


def test_a_key_is_masked_wherever_settings_are_shown(nosis: Nosis, server: Server) -> None:
    nosis.patch.setenv("OPENAI_API_KEY", KEY)
    nosis.patch.setenv("NOSIS_DATABASE_URL", "postgres://me:hunter2@db/x")

    for ran in (nosis("config", "show"), nosis("config", "show", "--json"), nosis("doctor")):
        assert KEY not in ran.out + ran.err
        assert "hunter2" not in ran.out + ran.err
    assert shown(nosis)["api_key"] == ("sk-…wxyz", "environment OPENAI_API_KEY")


def test_an_unreadable_file_of_settings_is_named(nosis: Nosis) -> None:
    (nosis.folder / "here" / ".env").write_bytes(b"NOSIS_MODEL=\xff\xfe\n")

    message, hint = nosis("core", "show").failed(2)

    assert ".env" in message
    assert hint


def test_the_home_is_found_and_its_source_told(nosis: Nosis) -> None:
    nosis.patch.delenv("NOSIS_HOME")
    data = shown(nosis)["home"]
    nosis("init").ok()
    project = shown(nosis)["home"]

    assert data[1] == "the user's data folder"
    assert project == (str(nosis.folder / "here" / ".nosis"), "the nearest .nosis folder")
    assert nosis("config", "path", "--json").json["home"] == project[0]


def test_doctor_finds_all_well(nosis: Nosis, server: Server) -> None:
    nosis.add("I prefer tea")

    checks = nosis("doctor", "--json").ok().json
    lines = nosis("doctor").ok().out.splitlines()

    states = {check["name"]: check["state"] for check in checks}
    assert set(states.values()) <= {"ok", "warn"}
    assert states.keys() >= {"python", "packages", "settings", "files", "model", "embedding"}
    assert states["model"] == "ok"
    assert len(lines) == len(checks)


def test_doctor_names_what_fails_and_how_to_fix_it(nosis: Nosis) -> None:
    nosis.patch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    nosis.patch.setenv("NOSIS_MODEL", "m")

    ran = nosis("doctor")
    as_json = nosis("doctor", "--json")

    assert ran.code == as_json.code == 2
    failed = [check for check in as_json.json if check["state"] == "fail"]
    assert [check["name"] for check in failed] == ["model"]
    assert failed[0]["fix"]
    assert "fail  model: " in ran.out
    assert [line.split()[0] for line in ran.err.splitlines()] == ["error:", "hint:"]


def test_doctor_works_where_the_settings_do_not(nosis: Nosis) -> None:
    nosis.patch.setenv("NOSIS_TIMEOUT", "never")

    ran = nosis("doctor")

    assert ran.code == 2
    assert "fail  settings: environment NOSIS_TIMEOUT" in ran.out


def test_doctor_finds_files_that_others_can_read(nosis: Nosis, server: Server) -> None:
    nosis.add("I prefer tea")
    (nosis.workspace / "archival.jsonl").chmod(0o644)

    assert "others can read archival.jsonl" in nosis("doctor").ok().out
