"""The command line as a user meets it: its output (stdout and stderr), and its exit codes."""

from __future__ import annotations

import collections
import contextlib
import io
import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest
import structlog

from spelunke.cli.app import run
from spelunke.core.kernel import JIT
from spelunke.games import find_game, shelf
from spelunke.games.match import Match
from spelunke.house.house import open_house
from spelunke.records.record import write_record
from spelunke.records.signing import words_of
from waiting import wait_until

sys.path.insert(0, str(Path(__file__).parent.parent / "records"))
from random_games import sealed_of

GAME = "shanghaien"
COMMANDS = (
    "serve",
    "migrate",
    "host",
    "ratings",
    "backup",
    "restore",
    "play",
    "tui",
    "problem",
    "games",
    "position",
    "replay",
    "analyse",
    "verify",
    "schema",
    "perft",
    "playout",
    "mine",
    "arena",
    "bench",
)
POSITION = {
    "game": GAME,
    "phase": "turn",
    "turn": 0,
    "starter": 0,
    "row": ["red 1", "red 3", "pm1", "both", "again", "green 3"],
    "seats": [{}, {}],
}


@pytest.fixture
def spelunke(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that runs a command line in this process and returns exit code, stdout and stderr."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")

    def call(*arguments: str, given: str = "", typed: bool = False) -> tuple[int, str, str]:
        stdin = io.TextIOWrapper(io.BytesIO(given.encode()))
        if typed:
            monkeypatch.setattr(stdin, "isatty", lambda: True)
        monkeypatch.setattr(sys, "stdin", stdin)
        code = run(list(arguments))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


@pytest.fixture
def position(tmp_path: Path) -> str:
    path = tmp_path / "table.json"
    path.write_text(json.dumps(POSITION))
    return str(path)


@pytest.fixture(scope="session")
def whole_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the record of a game that a program plays through pipes. It always takes the last legal move."""
    path = tmp_path_factory.mktemp("games") / "game.json"
    command = [
        sys.executable,
        "-m",
        "spelunke.cli",
        "play",
        GAME,
        "--seed",
        "5",
        "--json",
        "--save",
        str(path),
    ]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        kinds = set()
        for line in process.stdout:
            message = json.loads(line)
            kinds.add(message["type"])
            if message["type"] == "turn":
                process.stdin.write(message["legal"][-1] + "\n")
                process.stdin.flush()
    assert process.returncode == 0
    assert {"start", "told", "turn", "over", "saved"} <= kinds
    return path


def test_the_command_below_a_saved_game_proves_that_chance_was_fair(spelunke: Any, tmp_path: Path) -> None:
    saved = str(tmp_path / "Anna's game.json")
    code, out, _err = spelunke("play", GAME, "--save", saved, given="roll\nquit\n")
    assert code == 0
    command = shlex.split(out.splitlines()[-1])
    assert command[:3] == ["spelunke", "verify", saved]
    # The greeting has shown the same commitment.
    assert f"fixed before the game, by the commitment {command[-1]} and your nonce " in out
    code, out, _err = spelunke(*command[1:])
    assert (code, out[:6]) == (0, "Fair: ")


def test_a_saved_game_is_not_overwritten(spelunke: Any, tmp_path: Path) -> None:
    saved, second = tmp_path / "game.json", tmp_path / "game-2.json"
    saved.write_text("the game of yesterday")
    code, out, _err = spelunke("play", GAME, "--save", str(saved), given="roll\nquit\n")
    assert code == 0
    told = " ".join(out.split())
    assert "game.json existed already and was not changed. The record is in" in told
    assert shlex.split(out.splitlines()[-1])[2] == str(second)
    assert saved.read_text() == "the game of yesterday"
    assert json.loads(second.read_bytes())["game"] == GAME


def test_a_player_who_names_a_file_that_cannot_be_written_is_asked_again(
    spelunke: Any, tmp_path: Path
) -> None:
    wrong, right = tmp_path / "missing" / "game.json", tmp_path / "game.json"
    code, out, err = spelunke("play", GAME, given=f"roll\nquit\n{wrong}\n{right}\n", typed=True)
    assert (code, err) == (0, "")
    assert "the file can't be written: no such file or directory." in " ".join(out.split())
    assert json.loads(right.read_bytes())["game"] == GAME


def one_sentence(text: str) -> bool:
    return bool(re.fullmatch(r"spelunke: [^\n]+[.!?]\n", text)) and "Traceback" not in text


def test_help_loads_no_heavy_package() -> None:
    script = (
        "import sys; from spelunke.cli.app import run; code = run(['--help']); "
        "heavy = {'numba', 'numpy', 'sqlalchemy', 'starlette', 'uvicorn', 'msgspec'} & set(sys.modules); "
        "assert not heavy, heavy; sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for command in COMMANDS:
        assert command in done.stdout
    codes = " ".join(done.stdout.partition("Exit codes: ")[2].split())
    assert re.findall(r"(?:^|, )(\d+) (?:for|if|after) ", codes) == ["0", "1", "2", "3", "130"]


def test_the_command_position_loads_neither_a_compiler_nor_a_house(tmp_path: Path) -> None:
    match = Match(find_game("shanghaien"))
    file = tmp_path / "start.json"
    file.write_bytes(msgspec.json.encode(match.game.notation.write_position(match.state)))
    script = (
        "import sys; from spelunke import cli\n"
        "try: cli.main()\nfinally: print({'numba', 'llvmlite', 'scipy', 'sqlalchemy', 'starlette'}"
        " & set(sys.modules), file=sys.stderr)"
    )
    command = [sys.executable, "-c", script, "position", str(file), "--game", "shanghaien", "--legal"]
    environment = {name: value for name, value in os.environ.items() if name != "SPELUNKE_JIT"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stderr) == (0, "set()\n")


def test_byte_code_is_stored_elsewhere_if_the_sources_are_read_only(tmp_path: Path) -> None:
    script = (
        "import sys; from spelunke import cli; cli.__cached__ = '/nowhere/__pycache__/cli.pyc'\n"
        "sys.argv = ['spelunke', '--version']; cli.main()"
    )
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "SPELUNKE_CACHE": str(tmp_path)}
    environment.pop("PYTHONPYCACHEPREFIX", None)
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr
    kept = {file.name.partition(".")[0] for file in (tmp_path / "spelunke" / "bytecode").rglob("*.pyc")}
    assert {"app", "position", "games"} <= kept


@pytest.mark.parametrize(("chosen", "expected"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "4"}, "4")])
def test_matrices_use_one_thread_unless_the_environment_sets_another_number(
    chosen: dict[str, str], expected: str
) -> None:
    """The command sets OPENBLAS_NUM_THREADS before it loads NumPy. Its child processes inherit the number."""
    script = (
        "import os, sys; from spelunke import cli; sys.argv = ['spelunke', '--version']\n"
        "try: cli.main()\nfinally: print('numpy' in sys.modules, os.environ['OPENBLAS_NUM_THREADS'], file=sys.stderr)"
    )
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        env={**environment, **chosen},
    )
    assert (done.returncode, done.stderr) == (0, f"False {expected}\n"), "it counts before NumPy is loaded"


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_every_command_fits_the_terminal(command: str, spelunke: Any) -> None:
    code, out, err = spelunke(command, "--help")
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    assert "--help" in out
    assert not re.search(r"\[/?(bold|dim)?\]", out), "Rich's marks, which programs and files don't read"
    assert not re.search(r"spelunke .* spelunke", out), "each example has a line of its own"


def test_the_option_version_prints_the_version(spelunke: Any) -> None:
    code, out, _ = spelunke("--version")
    assert code == 0
    assert re.fullmatch(r"spelunke \d+\.\d+\.\d+\n", out)


def test_migrate_needs_a_database_and_can_run_twice(
    spelunke: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SPELUNKE_DATABASE", raising=False)
    address = f"sqlite:///{tmp_path / 'house.sqlite3'}"
    for _ in range(2):
        code, out, _err = spelunke("migrate", "--database", address)
        assert code == 0
        assert "migration" in out
    code, _out, err = spelunke("migrate")
    assert code == 2
    assert "SPELUNKE_DATABASE" in err


def test_host_prints_a_link_for_a_migrated_database(spelunke: Any, tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'house.sqlite3'}"
    code, _out, err = spelunke("host", "--database", address)
    assert code == 2
    assert "start the server once" in err
    spelunke("migrate", "--database", address)
    code, out, _err = spelunke("host", "--database", address, "--base-url", "https://house.example/")
    assert code == 0
    assert re.search(r"https://house\.example/host/[0-9A-Z]{26}\n$", out)


def test_games_lists_all_games_and_describes_one(spelunke: Any) -> None:
    code, out, _ = spelunke("games")
    assert code == 0
    assert all(name in out and card.title in out for name, card in shelf().items())
    code, out, _ = spelunke("games", "--json")
    assert [card["name"] for card in json.loads(out)] == list(shelf())
    code, out, _ = spelunke("games", GAME)
    assert "trick_split = 3/2/3" in out
    assert "boatswain" in out
    _, out, _ = spelunke("games", GAME, "--json")
    assert json.loads(out)["options"][0]["name"] == "start_trick"


def test_position_shows_the_board_and_the_moves(spelunke: Any, position: str) -> None:
    code, out, err = spelunke("position", position, "--legal")
    assert (code, err) == (0, "")
    assert out.splitlines()[-1].strip() == "roll"
    assert "Seat 0 is to move." in out
    code, out, _ = spelunke("position", position, "--legal", "--moves", "roll")
    assert "Chance decides." in out
    assert "dice 2 4  2/36" in out
    code, out, _ = spelunke("position", position, "--legal", "--moves", "roll; dice 2 4")
    assert {line.strip() for line in out.splitlines()[-4:]} == {
        "place 2 left",
        "place 2 right",
        "place 4 left",
        "place 4 right",
    }


def test_the_command_position_writes_json(spelunke: Any, position: str) -> None:
    code, out, _ = spelunke("position", position, "--json", "--legal", "--moves", "roll; dice 2 4; p 4 l")
    found = json.loads(out)
    assert code == 0
    assert found["actors"] == [1]
    assert found["legal"] == {"1": ["roll"]}
    assert found["position"]["seats"][0]["dice"] == [4]
    assert found["events"][-1]["ply"] == 2
    _, out, _ = spelunke("position", "-", "--json", "--moves", "roll", given=json.dumps(POSITION))
    assert "chances" not in json.loads(out)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--moves", "roll; dice 9 9"], "move 2: .*dice"),
        (["--moves", "shanghai"], "move 1: 'shanghai' is not allowed now"),
        (["--moves", "hello"], "move 1: 'hello' is not a move"),
        (["--seat", "2"], "--seat: there is no seat 2"),
        (["--game", "chess"], "there is no game 'chess'"),
    ],
)
def test_the_command_position_refuses_wrong_arguments(
    spelunke: Any, position: str, arguments: list[str], message: str
) -> None:
    code, out, err = spelunke("position", position, *arguments)
    assert (code, out) == (2, "")
    assert one_sentence(err)
    assert re.search(message, err)


def test_an_impossible_position_is_refused(spelunke: Any) -> None:
    text = json.dumps({**POSITION, "row": ["red 3", "red 3", "red 3", "both", "again", "green 3"]})
    code, out, err = spelunke("position", "-", given=text)
    assert (code, out) == (2, "")
    assert "row[2]: there are only 2 cards 'red 3'" in err


@pytest.mark.deep
def test_replay_prints_the_log_and_the_result(spelunke: Any, whole_game: Path) -> None:
    code, out, err = spelunke("replay", str(whole_game))
    assert (code, err) == (0, "")
    assert re.search(r"(wins|share the win): .*\.$", out.strip().splitlines()[-1])
    assert "calls Shanghai" in out
    code, out, _ = spelunke("replay", str(whole_game), "--json", "--until", "10")
    found = json.loads(out)
    assert len(found["plies"]) == found["ply"] == 10
    assert found["result"] is None
    code, out, _ = spelunke("replay", str(whole_game), "--no-log", "--until", "10")
    assert "Place 1:" not in out
    code, _, err = spelunke("replay", str(whole_game), "--until", "99999")
    assert code == 2
    assert "until: there is no ply 99999" in err


@pytest.mark.deep
def test_replay_writes_the_position_at_a_ply(spelunke: Any, whole_game: Path, tmp_path: Path) -> None:
    path = tmp_path / "at40.json"
    code, _, _ = spelunke("replay", str(whole_game), "--until", "40", "--position", str(path))
    assert code == 0
    record = json.loads(whole_game.read_bytes())
    code, out, _ = spelunke("position", str(path), "--json", "--moves", record["plies"][40][1])
    assert code == 0
    _, whole, _ = spelunke("replay", str(whole_game), "--until", "41", "--json")
    assert json.loads(out)["position"] == json.loads(whole)["position"]
    code, _, err = spelunke("replay", str(whole_game), "--position", "/no/such/folder/x")
    assert code == 2
    assert one_sentence(err)


@pytest.mark.deep
def test_verify_compares_the_commitment_and_the_nonce(spelunke: Any, whole_game: Path) -> None:
    record = json.loads(whole_game.read_bytes())
    commitment = record["fairness"]["commitment"]
    code, out, err = spelunke("verify", str(whole_game), "--commitment", commitment, "--nonce", "0=seed-5")
    assert (code, err) == (0, "")
    assert out.startswith("Fair: ")
    assert commitment in out
    for option in ("--commitment", "--key"):
        code, _, err = spelunke("verify", str(whole_game), option, "3f9a…")
        assert (code, one_sentence(err)) == (2, True), err
        assert f"{option}: it must have 64 hexadecimal digits" in err
    code, out, _ = spelunke("verify", str(whole_game), "--commitment", "00" * 32)
    assert code == 1
    assert "but you saw" in out
    code, out, _ = spelunke("verify", str(whole_game), "--nonce", "0=other", "--json")
    assert code == 1
    assert json.loads(out)["deviation"]["place"] == "fairness.nonces"
    for seat in ("²", "9" * 5000, "-1"):
        code, _, err = spelunke("verify", str(whole_game), "--nonce", f"{seat}=x")
        assert (code, err.count("\n")) == (2, 1)
        assert "SEAT=TEXT" in err
        assert len(err) < 1100
    code, _, err = spelunke("verify", str(whole_game), "--nonce", "9=x")
    assert code == 2
    assert one_sentence(err)


def test_verify_says_which_claims_are_proven(spelunke: Any, whole_game: Path, tmp_path: Path) -> None:
    record = sealed_of(GAME, 1, 24)
    assert record.proof is not None
    path = tmp_path / "sealed.json"
    path.write_bytes(write_record(record))
    words = words_of(bytes.fromhex(record.proof.heads[1].link))
    code, out, _ = spelunke("verify", str(path), "--link", words, "--key", record.proof.key or "")
    assert code == 0
    assert out.count(": proven\n") == 6
    ends = [words_of(bytes.fromhex(head.link)) for head in record.proof.heads]
    assert [end in out for end in ends] == [True, False, True], (
        "those of spectators and people; a bot has no page"
    )
    code, out, _ = spelunke("verify", str(path), "--link", "zoo " * 6, "--json")
    assert code == 1
    found = json.loads(out)
    assert found["deviation"]["place"] == "kept link"
    assert [claim["claim"] for claim in found["claims"] if claim["state"] == "contradicted"] == ["kept"]
    code, _, err = spelunke("verify", str(path), "--link", "nonsense")
    assert code == 2
    assert one_sentence(err)
    code, out, _ = spelunke("verify", str(whole_game))
    assert code == 3, "nothing tells it from a whole forgery"
    assert "Moves are those that were played: not proven" in out


def test_verify_asks_a_house_for_its_key(
    spelunke: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = sealed_of(GAME, 1, 24)
    assert record.proof is not None
    path = tmp_path / "sealed.json"
    path.write_bytes(write_record(record))
    assert spelunke("verify", str(path))[0] == 3
    code, _, err = spelunke("verify", str(path), "--house", "https://house example")
    assert (code, one_sentence(err)) == (2, True), err
    told = {"key": record.proof.key}
    asked: list[str] = []

    def answer(address: str, timeout: float) -> io.BytesIO:
        asked.append(address)
        return io.BytesIO(json.dumps(told).encode())

    monkeypatch.setattr("urllib.request.urlopen", answer)
    assert spelunke("verify", str(path), "--house", "https://house.example/")[0] == 0
    assert asked == ["https://house.example/api/v1/key"]
    told["key"] = "0" * 64
    code, out, _ = spelunke("verify", str(path), "--house", "https://house.example")
    assert code == 3, "it may come from another house"
    assert "the key of your server" in out
    for wrong in ("house.example", "file:///etc/passwd"):
        code, _, err = spelunke("verify", str(path), "--house", wrong)
        assert code == 2
        assert one_sentence(err)


def test_verify_names_the_changed_ply(spelunke: Any, whole_game: Path, tmp_path: Path) -> None:
    record = json.loads(whole_game.read_bytes())
    ply = next(n for n, entry in enumerate(record["plies"]) if n > 60 and entry[1].startswith("dice "))
    record["plies"][ply][1] = "dice 6 6" if record["plies"][ply][1] != "dice 6 6" else "dice 5 5"
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(record))
    code, out, err = spelunke("verify", str(path), "--json")
    assert (code, err) == (1, "")
    assert json.loads(out)["deviation"]["ply"] == ply
    code, out, _ = spelunke("verify", str(path))
    assert code == 1
    assert f"plies[{ply}]" in out
    record["fairness"]["seed"] = None
    path.write_text(json.dumps(record))
    assert spelunke("verify", str(path))[0] == 1


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_a_bad_record_is_refused(spelunke: Any, whole_game: Path, tmp_path: Path, command: str) -> None:
    path = tmp_path / "half.json"
    path.write_bytes(whole_game.read_bytes()[:2000])
    for file, message in (
        (str(path), "ends in the middle"),
        (str(tmp_path / "none.json"), "no such file"),
        (str(tmp_path), "the file can't be read"),
    ):
        code, out, err = spelunke(command, file)
        assert (code, out) == (2, "")
        assert one_sentence(err)
        assert message in err


def test_perft_counts_the_sequences_of_a_position(spelunke: Any, position: str) -> None:
    code, out, _ = spelunke("perft", GAME, "--position", position, "--depth", "3")
    assert code == 0
    last = out.splitlines()[-1].split()
    assert last[:4] == ["3", "72", "12", "11/3"]
    code, out, _ = spelunke("perft", GAME, "--depth", "1", "--json", "-o", "trick_split=8/0/0")
    assert json.loads(out)["depths"][1]["sequences"] == 33


def test_playout_gives_the_same_result_for_the_same_seed(spelunke: Any) -> None:
    code, out, _ = spelunke("playout", GAME, "--games", "10", "--seed", "3", "--json")
    assert code == 0
    first = json.loads(out)
    again = json.loads(spelunke("playout", GAME, "--games", "10", "--seed", "3", "--json")[1])
    assert first["games"] == 10
    assert first["compiled"] is JIT
    assert first["decisions"] == again["decisions"] > 200
    assert first["stream"] == again["stream"]
    code, out, _ = spelunke("playout", GAME, "--games", "10", "--option", "match=sum_of_three")
    assert code == 0
    assert "million decisions a second" in out


def test_playout_says_that_rules_ran_plain_without_numba() -> None:
    script = (
        "import sys; sys.modules.update(numba=None, llvmlite=None)\n"
        "from spelunke import cli; sys.argv[0] = 'spelunke'; cli.main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "playout", GAME, "--games", "1", "--json"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "SPELUNKE_NATIVE": ""},
    )
    assert json.loads(done.stdout)["compiled"] is False, done.stderr


def test_schemas_are_the_published_ones(spelunke: Any, tmp_path: Path) -> None:
    published = Path(__file__).parents[2] / "docs" / "schemas"
    code, _, _ = spelunke("schema", "--write", str(tmp_path))
    assert code == 0
    made = {path.name: path.read_text() for path in tmp_path.iterdir()}
    kept = {path.name: path.read_text() for path in published.glob("*.json")}
    assert made == kept, "run `spelunke schema --write docs/schemas`"
    code, out, _ = spelunke("schema", "record")
    assert json.loads(out) == json.loads(kept["record.json"])
    (tmp_path / "taken" / "record.json").mkdir(parents=True)
    code, _, err = spelunke("schema", "--write", str(tmp_path / "taken"))
    assert (code, one_sentence(err)) == (2, True)


def test_written_files_fit_the_schemas(spelunke: Any, whole_game: Path, position: str) -> None:
    import jsonschema_rs

    for name, text in (
        ("record", whole_game.read_text()),
        ("verdict", spelunke("verify", str(whole_game), "--json")[1]),
        (f"position.{GAME}", Path(position).read_text()),
    ):
        schema = json.loads(spelunke("schema", name)[1])
        jsonschema_rs.Draft202012Validator(schema).validate(json.loads(text))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["dance"], "No such command 'dance'"),
        (["play"], "GAME: name a game; `spelunke games` lists them"),
        (["play", "chess"], "there is no game 'chess'; the games are"),
        (["play", GAME, "--level", "emperor"], "has no level 'emperor'; it has"),
        (["play", GAME, "--seat", "2"], "--seat: there is no seat 2"),
        (["play", GAME, "--seats", "3"], "is for 2 players, not for 3"),
        (["play", GAME, "--nonce", "two words"], "--nonce: it must have 1 to 64"),
        (["play", GAME, "--save", "x" * 300], "the file can't be written"),
        (["replay", "x.json", "9" * 5000], "unexpected extra argument"),
        (["play", GAME, "--name", ""], "--name: a name has 1 to 24"),
        (["play", GAME, "--save", "/no/such/folder/x"], "/no/such/folder/x: the file can't be written"),
        (["play", GAME, "--house", "http://["], "An address looks like https://spelunke.example"),
        (["play", GAME, "--save", "/"], "/: the file can't be written"),
        (["playout", GAME, "-o", "match"], "--option: 'match' is not an option; write NAME=VALUE"),
        (["playout", GAME, "-o", "colour=red"], "option colour: .* has no option of that name"),
        (["playout", GAME, "-o", "match=7"], "option match: '7' is not possible here; choose one of single"),
        (["playout", GAME, "--games", "0"], "--games"),
        (["perft", GAME, "--depth", "x"], "--depth"),
        (["perft", GAME, "--position", "x.json", "--seats", "2"], "--seats: the file of the position sets"),
        (["perft", GAME, "--position", "x.json", "-o", "match=single"], "--option: the file of the position"),
        (
            ["play", GAME, "--house", "http://127.0.0.1:9", "--table", "abc"],
            "--table: the table states its game",
        ),
        (["schema", "chess"], "there is no schema 'chess'; there are record"),
        (["schema", "--write", "/no/such"], "/no/such: there is no such folder"),
        (["serve", "--host", "999.1.1.1"], "can't listen on 999.1.1.1"),
        (["serve", "--database", "foo"], "'foo' is not a database address; use sqlite:///"),
        (["serve", "--log-level", "loud"], "log-level can't be 'loud': choose one of debug, info, warning"),
        (
            ["serve", "--port", "0", "--redis", "nonsense"],
            "'nonsense' is no address of Redis; use one such as redis://",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_prints_one_sentence_and_exits_with_code_2(
    spelunke: Any, arguments: list[str], message: str
) -> None:
    code, out, err = spelunke(*arguments)
    assert (code, out) == (2, "")
    assert one_sentence(err), err
    assert re.search(message, err), err


def test_an_unexpected_error_is_reported_in_one_sentence(
    spelunke: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_name: str) -> None:
        raise ZeroDivisionError("nothing\nto divide")

    monkeypatch.setattr("spelunke.cli.games.find_card", fail)
    monkeypatch.delenv("SPELUNKE_TRACE", raising=False)
    code, out, err = spelunke("games", GAME)
    assert (code, out) == (1, "")
    assert one_sentence(err)
    assert "a bug in Spelunke" in err
    monkeypatch.setenv("SPELUNKE_TRACE", "1")
    with pytest.raises(ZeroDivisionError):
        run(["games", GAME])


def test_letters_that_the_terminal_lacks_end_no_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "spelunke.cli", "problem", "shanghaien"],
        input=b"\xff\n",
        capture_output=True,
        env={**os.environ, "SPELUNKE_JIT": "0", "PYTHONIOENCODING": "ascii:strict"},
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert b"no answer is given" in done.stderr
    assert b"? Seat 0" in done.stdout


def test_closed_standard_streams_end_no_command() -> None:
    program = [sys.executable, "-m", "spelunke.cli", "position", "-"]
    closing = ["sh", "-c", 'exec "$0" "$@" <&- >&-', *program]
    done = subprocess.run(closing, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert one_sentence(done.stderr), done.stderr
    assert "a part of the file is missing" in done.stderr


def test_a_port_in_use_is_reported(spelunke: Any, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        code, _, err = spelunke("serve", "--port", port, "--database", f"sqlite:///{tmp_path / 'house.db'}")
    assert code == 2
    assert f"can't listen on 127.0.0.1:{port} (address already in use)" in err


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("database", "message"),
    [
        ("nonsense", "is not a database address; use sqlite:///"),
        ("mysql://someone@127.0.0.1/house", "in SQLite or PostgreSQL, not in mysql"),
        (
            "sqlite+aiosqlite:///house.sqlite3",
            "does not use the driver 'aiosqlite'; write the database address without it",
        ),
        (
            "postgresql://someone:hush@127.0.0.1:1/house",
            r"someone:\*+@127.0.0.1:1/house can.t be .*refused",
        ),
        ("sqlite:///{folder}", "is a folder; the database is a file"),
        ("sqlite:///{folder}/letter.txt", "can't be reached: file is not a database"),
        ("sqlite:///{folder}/letter.txt/house.db", "there is no folder for"),
        ("sqlite:///{folder}/open.db", "another house has .* open"),
    ],
)
def test_an_unusable_database_is_reported(
    spelunke: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database: str, message: str
) -> None:
    monkeypatch.setenv("SPELUNKE_SECRET", "a secret of the tests")
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear all, this was never a database, and should not become one. Yours, Anna\n" * 20)
    with contextlib.closing(open_house(f"sqlite:///{tmp_path / 'open.db'}", timers=False)):
        code, out, err = spelunke("serve", "--port", "0", "--database", database.format(folder=tmp_path))
    structlog.reset_defaults()  # the house had set up its logs
    assert (code, out) == (2, "")
    assert one_sentence(err), err
    assert re.search(message, err), err
    assert "hush" not in err
    assert letter.read_text().startswith("Dear all"), "nothing is lost"


def test_play_prints_a_summary_and_the_command_log_prints_every_event(spelunke: Any) -> None:
    code, out, err = spelunke("play", "sanghai", "--seed", "5", given="log\nquit\n")
    assert (code, err) == (0, "")
    assert out.startswith("Sanghai: Player against Uncle Eino 1, Uncle Eino 2 and Uncle Eino 3.")
    news, _log, rest = out.partition("> log")
    assert "Round 1: 2 sets." in news
    assert "is dealt" not in news
    assert rest.count(" is dealt ") == 44


def test_play_reads_commands_from_a_pipe(spelunke: Any, tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    code, out, err = spelunke(
        *("play", GAME, "--seed", "5", "--name", "Anna", "--save", str(path), "-o", "first_starter=0"),
        given="help\nmoves\nroll\nfly\nplace 9\nundo\nboard\nlog\nshanghai\nquit\n",
    )
    assert (code, err) == (0, "")
    assert "Anna against Boatswain" in out
    assert "'fly' is not a move" in out
    assert "Nothing to take back" in out
    assert "Moves: place " in out
    assert path.exists()
    assert spelunke("verify", str(path))[0] == 3
    path.unlink()
    again = spelunke(
        *("play", GAME, "--seed", "5", "--name", "Anna", "--save", str(path), "-o", "first_starter=0"),
        given="help\nmoves\nroll\nfly\nplace 9\nundo\nboard\nlog\nshanghai\nquit\n",
    )
    assert again[1] == out


def test_the_command_moves_lists_all(spelunke: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spelunke.cli.table.MOVES_SHOWN", 1)
    _code, out, _err = spelunke(
        *("play", GAME, "--seed", "5", "-o", "first_starter=0"), given="roll\nmoves\nquit\n"
    )
    short, _asked, all_moves = out.partition("> moves")
    assert " more (`moves` lists all)" in short
    assert "lists all" not in all_moves
    assert all_moves.partition("Moves: ")[2].count(", ") >= 1


def test_play_ends_when_the_pipe_ends(spelunke: Any) -> None:
    code, out, err = spelunke("play", GAME, "--seed", "5", given="")
    assert (code, err) == (0, "")
    assert "Player" in out


def test_a_move_can_be_taken_back_until_something_follows(spelunke: Any) -> None:
    given = "roll\ndirection left\nundo\ndirection right\nundo\nundo\nquit\n"
    code, out, _ = spelunke(
        *("play", GAME, "--seed", "5", "-o", "first_starter=0", "-o", "direction_timing=after_first_roll"),
        given=given,
    )
    assert code == 0
    assert "Taken back: direction left." in out
    assert "Taken back: direction right." in out
    assert out.count("Nothing to take back") == 1


PLAYING = """
import pathlib, sys
from spelunke.cli import main, playout

play = playout.Run.play

def tell(run, games):
    for done in play(run, games):
        pathlib.Path(sys.argv[0]).touch()
        yield done

playout.Run.play = tell
sys.argv[:] = sys.argv[1:]
main()
"""
"""The command line; it makes a file after the first games, because nothing is drawn without a terminal."""


def test_control_c_ends_a_command_without_a_message(start: Any, tmp_path: Path) -> None:
    plays = tmp_path / "plays"
    process = start(str(plays), "playout", GAME, "--games", str(10**8), script=PLAYING, COLUMNS="80")
    wait_until(lambda: plays.exists() or process.poll() is not None)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (out, err.strip()) == ("", "")


@pytest.mark.sampled
@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT], ids=lambda sent: sent.name)
def test_a_signal_closes_the_house(start: Any, tmp_path: Path, sent: signal.Signals) -> None:
    database = f"sqlite:///{tmp_path / 'house.db'}"
    process = start("serve", "--port", "0", SPELUNKE_DATABASE=database, SPELUNKE_JIT="0")
    assert process.stdout is not None
    assert "The server is ready" in process.stdout.readline()
    process.send_signal(sent)
    _, err = process.communicate(timeout=60)
    assert json.loads(err.splitlines()[-1])["event"] == "closed", err
    assert "Traceback" not in err


@pytest.mark.deep
def test_a_signal_ends_open_streams_without_an_error(start: Any, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'house.db'}"
    process = start("serve", "--port", "0", SPELUNKE_DATABASE=database, SPELUNKE_JIT="0")
    assert process.stdout is not None
    house = process.stdout.readline().split()[-1].rstrip("/")
    with httpx2.Client(base_url=house) as anna:
        made = anna.post("/tables", data={"game": GAME, "quick": "open"})
        with anna.stream("GET", f"{made.headers['location']}/stream") as stream:
            said = stream.iter_text()
            assert "here" in next(said)
            process.send_signal(signal.SIGINT)
            collections.deque(said, maxlen=0)  # to its end: a stream that breaks off would raise an error
    _, err = process.communicate(timeout=60)
    assert json.loads(err.splitlines()[-1])["event"] == "closed", err
    assert "Traceback" not in err


@pytest.mark.deep
def test_a_closed_output_pipe_is_no_error(whole_game: Path) -> None:
    command = f"{sys.executable} -m spelunke.cli replay {whole_game} | head -n 1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
