"""A session by the name that a person gave it: whole, in any case, of Claude Code and Codex alike."""

from pathlib import Path

import pytest

from tests.cases import codex, threads
from tests.cases.claude import generated, named, talk, transcript
from tests.cases.look import plan, refused
from tests.kit import uuid
from tests.warm import sf

ID, OTHER = uuid(0xAB), uuid(2)
THREAD = codex.thread_id(1)


@pytest.fixture
def shop(home: Path, tmp_path: Path) -> Path:
    transcript(home, ID, tmp_path, [*talk(), named("Cart rewrite")])
    transcript(home, OTHER, tmp_path, [*talk("Fix the cart"), generated("Pay/later")])
    codex.rollout(home, THREAD, tmp_path)
    threads.database(home, [threads.thread(THREAD, str(tmp_path), name="Café/menu")])
    return home


@pytest.mark.parametrize(
    ("word", "id"),
    [
        ("Cart rewrite", ID),
        ("cart REWRITE", ID),
        ("claude-code:cart rewrite", ID),
        ("CAFÉ/menu", THREAD),
        ("cafe\u0301/menu", THREAD),
    ],
)
def test_by_its_name(shop: Path, word: str, id: str) -> None:
    assert id in plan(shop, word)["argv"]
    assert sf("show", "--json", "--", word, home=shop).json["id"] == id


@pytest.mark.parametrize("word", ["cart", "Cart rewrite ", "Fix the cart", "Pay/later", "-"])
def test_what_is_no_name(shop: Path, word: str) -> None:
    assert sf("show", "--", word, home=shop).code == 1


def test_several_of_one_name(shop: Path, tmp_path: Path) -> None:
    transcript(shop, uuid(3), tmp_path, [*talk(), named("cart rewrite")])
    err = refused(shop, "Cart rewrite", code=2)
    assert uuid(3) in err
    assert ID in err


def test_a_name_like_the_beginning_of_another_id(shop: Path, tmp_path: Path) -> None:
    transcript(shop, uuid(3), tmp_path, [*talk(), named(ID[:8])])
    assert "2 sessions match" in refused(shop, ID[:8], code=2)
    assert ID in plan(shop, ID)["argv"]


def test_completion_offers_names(shop: Path, tmp_path: Path) -> None:
    transcript(shop, uuid(3), tmp_path, [*talk(), named("--run")])
    offered = [row[0] for row in sf("@ids", home=shop).rows]
    assert set(offered[:4]) == {ID, OTHER, THREAD, uuid(3)}
    assert set(offered[4:]) == {"Cart rewrite", "Café/menu"}
