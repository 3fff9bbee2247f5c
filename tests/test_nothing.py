"""Where a list is empty: a line for a person, silence in a pipe."""

from pathlib import Path

import pytest

from tests.kit import SF, claude, environment, on_terminal, sf, uuid

TITLES = "in title, folder, branch, app or id"
NEXT = f"{TITLES}; try sf --said {{0}} (what was said), sf doctor {{0}} (what is left out)"


@pytest.fixture
def two(tmp_path: Path) -> Path:
    claude(tmp_path, uuid(1), "/home/alex/code/shop-api", "Fix the cart")
    claude(tmp_path, uuid(2), "/home/alex/code/shop-api", "Nightly", entrypoint="sdk-cli")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["zebra"], f"none of 2 sessions holds zebra {NEXT.format('zebra')}"),
        (["$(id)"], f"none of 2 sessions holds '$(id)' {NEXT.format(chr(39) + '$(id)' + chr(39))}"),
        (["nightly"], "no listed session holds nightly, but 1 that --all lists"),
        (["reume", "x y"], "no session holds reume 'x y'; did you mean `sf resume 'x y'`?"),
        (["help"], "no session holds help; did you mean `sf --help`?"),
        (["ls"], "no session holds ls; did you mean `sf find`?"),
        (["--branch", "zebra"], "no session fits: sf alone lists all"),
        (["--said", "zebra"], "not said in one message: zebra; sf WORD looks in titles"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_line_for_a_person(two: Path, words: list[str], told: str) -> None:
    code, _, screen = on_terminal([SF, *words], environment(two), shown=True)
    assert screen == f"sf: {told}\r\n"
    piped = sf(*words, home=two)
    assert (piped.out, piped.err) == ("", "")
    assert piped.code == code


def test_a_machine_without_sessions(tmp_path: Path) -> None:
    code, _, screen = on_terminal([SF], environment(tmp_path), shown=True)
    told = "there are no sessions of any agent yet: sf doctor says where was looked"
    assert (code, screen) == (0, f"sf: {told}\r\n")
    assert (sf(home=tmp_path).out, sf(home=tmp_path).err) == ("", "")


def test_doctor_says_where_was_looked(tmp_path: Path) -> None:
    told = sf("doctor", home=tmp_path).out
    assert "agents: none of 16 has kept a session here" in told
    assert "run one once, or try sf demo" in told
    assert f"{tmp_path}/.claude  (claude-code)" in told
    claude(tmp_path, uuid(1), "/home/alex")
    assert "agents:" not in sf("doctor", home=tmp_path).out


def test_what_it_quotes_cannot_act(two: Path) -> None:
    _, _, screen = on_terminal([SF, "\x1b[2J\u202e"], environment(two), shown=True)
    assert "\x1b" not in screen
    assert "\u202e" not in screen
