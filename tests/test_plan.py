"""Every rule on what a resume may run, for every kind of release of both CLIs."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sessidx import plan
from sessidx.apps import load, own
from sessidx.apps.claude_code import settings
from sessidx.apps.codex import provider
from sessidx.plan import Plan, Refusal, Wish
from sessidx.session import UNSEEN, Session
from tests.kit import stand_in, uuid

PACKAGES = {"claude-code": "@anthropic-ai/claude-code", "codex": "@openai/codex"}
PROGRAMS = {"claude-code": "claude", "codex": "codex"}
CLAUDES = (
    "1.0.128",
    "2.0.76",
    "2.1.37",
    "2.1.38",
    "2.1.110",
    "2.1.111",
    "2.1.112",
    "2.1.282",
    "2.1.283",
    "2.1.332",
    None,
)
CODEXES = (
    *("0.45.0", "0.57.0", "0.58.0", "0.59.0", "0.105.0", "0.142.0", "0.142.1", "0.142.2"),
    *("0.144.5", "0.145.0", "0.148.0", "0.149.0", "0.150.0", "0.171.0", None),
)

Make = Callable[..., Plan]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Makes a plan where `release` of the app's CLI is installed; None: one that does not tell."""

    def made(app: str, release: str | None, wish: Wish | None = None, **facts: Any) -> Plan:
        name = PROGRAMS[app]
        folder = tmp_path / f"{name}-{release}"
        if not folder.exists():
            link = stand_in(folder, name, PACKAGES[app], release or "0")
            if release is None:
                os.unlink(link.resolve().parent.parent / "package.json")
        monkeypatch.setenv("PATH", f"{folder}/bin:/usr/bin:/bin")
        session = Session(
            app,
            uuid(1),
            key="x",
            **{"home": own(app), "cwd": str(tmp_path), "provider": "openai", **facts},
        )
        return plan.make(load(app), session, wish or Wish())

    return made


def said(made: Plan) -> list[str]:
    """The notes but for the one that Codex keeps what it is given."""
    return [
        note for note in made.notes if note != "codex keeps the flags of a resume in the session"
    ]


def version(release: str | None) -> tuple[int, ...]:
    return tuple(map(int, release.split("."))) if release else ()


@pytest.mark.parametrize("release", CLAUDES)
def test_the_effort_of_claude(make: Make, release: str | None) -> None:
    takes: tuple[str, ...] = ()
    if version(release) >= (2, 1, 38):
        takes = ("low", "medium", "high", "max")
    if version(release) >= (2, 1, 111):
        takes = (*takes, "xhigh")
    for effort in ("low", "medium", "high", "max", "xhigh", "HIGH", "--help", "a b", "none"):
        made = make("claude-code", release, effort=effort)
        if effort in takes:
            assert made.argv == ["claude", "--resume", uuid(1), "--effort", effort]
            assert made.notes == []
        else:
            assert made.argv == ["claude", "--resume", uuid(1)]
            assert len(made.notes) == 1
            assert "effort" in made.notes[0]
    assert make("claude-code", release).notes == []


CARRIED = {"default": "default", "manual": "default", "plan": "plan"}
LOOSE = {"acceptEdits": (0,), "bypassPermissions": (0,), "dontAsk": (2, 0, 76), "auto": (2, 1, 112)}
STARTS_IN_AUTO = (2, 1, 283)  # and later, seen with a fresh home


@pytest.fixture
def managed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where an administrator's settings would be."""
    monkeypatch.setattr(settings, "MANAGED", str(tmp_path / "managed"))
    return tmp_path / "managed"


@pytest.mark.parametrize("release", CLAUDES)
@pytest.mark.parametrize("permissive", [False, True])
@pytest.mark.usefixtures("managed")
def test_the_mode_of_claude(make: Make, release: str | None, permissive: bool) -> None:
    for mode in (*CARRIED, *LOOSE, "bubble", "delegate", "a b", "--dangerously-skip-permissions"):
        made = make("claude-code", release, Wish(permissive=permissive), mode=mode)
        given = CARRIED.get(mode, "default")
        if (
            permissive
            and mode in LOOSE
            and (LOOSE[mode] == (0,) or version(release) >= LOOSE[mode])
        ):
            given = mode
        if mode == "auto" and version(release) >= STARTS_IN_AUTO:
            given = mode
        assert made.argv == ["claude", "--resume", uuid(1), "--permission-mode", given]
        held = mode not in CARRIED and given != mode
        assert made.withheld == ([f"permission mode {mode}"] if held else [])
        assert len(made.notes) == held
        assert not held or mode in made.notes[0]
    made = make("claude-code", release, Wish(permissive=permissive))
    assert (made.argv, made.withheld) == (["claude", "--resume", uuid(1)], [])
    made = make("claude-code", release, Wish(permissive=permissive), mode=UNSEEN)
    words = [] if permissive else ["--permission-mode", "plan"]
    assert (made.argv, made.withheld) == (["claude", "--resume", uuid(1), *words], [])
    assert len(made.notes) == (not permissive)


def modes(mode: object, **more: object) -> str:
    return json.dumps({"permissions": {"defaultMode": mode}, **more})


OFF = json.dumps({"disableAutoMode": "disable"})
SAID_OF_AUTO: dict[
    str, tuple[dict[str, str], bool]
] = {  # files of settings: whether auto comes back
    "none": ({}, True),
    "looser": ({"home/settings.json": modes("bypassPermissions")}, True),
    "the same": ({"home/settings.json": modes("auto")}, True),
    "other settings": ({"home/settings.json": '{"permissions": {"allow": ["Bash(ls)"]}}'}, True),
    **{
        mode: ({"home/settings.json": modes(mode)}, False)
        for mode in ("default", "manual", "plan", "acceptEdits", "dontAsk", "bubble")
    },
    "no word": ({"home/settings.json": modes(["auto"])}, False),
    "escaped": ({"home/settings.json": '{"permissions":{"default\\u004dode":"plan"}}'}, False),
    "off": ({"home/settings.json": OFF}, False),
    "off, too": ({"home/settings.json": f'{{"permissions": {OFF}}}'}, False),
    "not off": ({"home/settings.json": '{"disableAutoMode": "enable"}'}, True),
    "no settings": ({"home/settings.json": '{"permissions": {'}, False),
    "too large": ({"home/settings.json": " " * 600_000 + "{}"}, False),
    "prescribed": ({"managed/managed-settings.json": modes("default")}, False),
    "prescribed off": ({"managed/managed-settings.json": OFF}, False),
    "prescribed auto": (
        {"managed/managed-settings.json": modes("auto"), "home/settings.json": modes("plan")},
        False,
    ),
    "dropped in": ({"managed/managed-settings.d/10-modes.json": modes("plan")}, False),
    "dropped in, no settings": ({"managed/managed-settings.d/README": "plan"}, True),
    "of the account": ({"home/remote-settings.json": modes("default")}, False),
    "of the project": ({".claude/settings.json": modes("plan")}, True),
    "a project's word": (
        {".claude/settings.json": modes("auto"), "home/settings.json": modes("default")},
        False,
    ),
}


@pytest.mark.parametrize(("files", "carried"), SAID_OF_AUTO.values(), ids=SAID_OF_AUTO)
def test_auto_comes_back_where_nothing_stricter_is_set(
    make: Make, tmp_path: Path, managed: Path, files: dict[str, str], carried: bool
) -> None:
    assert managed.parent == tmp_path  # which is also the session's folder
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    made = make("claude-code", "2.1.332", mode="auto", home=str(tmp_path / "home"))
    assert made.argv[-1] == ("auto" if carried else "default")
    assert made.withheld == ([] if carried else ["permission mode auto"])


@pytest.mark.usefixtures("managed")
def test_settings_that_are_a_link_or_no_file(make: Make, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "dotfiles.json").write_text(modes("plan"))
    (home / "settings.json").symlink_to("../dotfiles.json")
    assert make("claude-code", "2.1.332", mode="auto", home=str(home)).argv[-1] == "default"
    (tmp_path / "dotfiles.json").write_text("{}")
    assert make("claude-code", "2.1.332", mode="auto", home=str(home)).argv[-1] == "auto"
    (home / "settings.json").unlink()
    os.mkfifo(home / "settings.json")
    assert make("claude-code", "2.1.332", mode="auto", home=str(home)).argv[-1] == "default"


@pytest.mark.parametrize("release", CODEXES)
@pytest.mark.parametrize("permissive", [False, True])
def test_the_approval_of_codex(make: Make, release: str | None, permissive: bool) -> None:
    known = version(release) or (9,)
    for approval in ("untrusted", "on-request", "on-failure", "never", "granular", "yolo", "-s"):
        made = make("codex", release, Wish(permissive=permissive), approval=approval)
        takes = {"on-request": True, "untrusted": known < (0, 149)}
        if permissive:
            takes |= {"never": True, "on-failure": known < (0, 142, 1)}
        strictest = "untrusted" if approval in ("yolo", "-s") and known < (0, 149) else "on-request"
        given = approval if takes.get(approval) else strictest
        assert made.argv == ["codex", "resume", "-a", given, uuid(1)]
        assert len(said(made)) == (given != approval)
        looser = approval not in (given, "untrusted")
        assert made.withheld == ([f"approval {approval}"] if looser else [])


RIVAL = ["-c", 'model_provider="rival"']
CONFIGS = {  # what config.toml says, and the provider that Codex then starts with; None: not known
    "": "openai",
    'model = "gpt-5.5"\n[model_providers.rival]\nname = "x"': "openai",
    'model_provider = "rival"': "rival",
    '"model\\u005fprovider" = "rival"': "rival",
    '[profiles.p]\nmodel_provider = "rival"': "openai",
    'profile = "p"\nmodel_provider = "rival"': None,
    'model_provider = "rival': None,
    "model_provider = 5": None,
    "# " + "x" * (1 << 20) + '\nmodel_provider = "rival"': None,
}


@pytest.mark.parametrize("release", CODEXES)
@pytest.mark.parametrize("fork", [False, True])
def test_the_provider_of_codex(make: Make, release: str | None, fork: bool) -> None:
    if fork and release and version(release) < (0, 87):
        return
    wish = Wish(fork=fork)
    made = make("codex", release, wish, model="qwen3:30b", effort="low", provider="rival")
    words = [*RIVAL, "-m", "qwen3:30b", "-c", 'model_reasoning_effort="low"']
    assert made.argv == ["codex", "fork" if fork else "resume", *words, uuid(1)]
    assert made.notes == []
    bare = Wish(fork=fork, model=False, arguments=("fix model_provider=x",))
    made = make("codex", release, bare, model="qwen3:30b", provider="rival")
    assert made.argv[2:] == [*RIVAL, uuid(1), *bare.arguments]
    for odd in ('a"; sandbox_mode="x', "?", "-x", "a b", "é", "x" * 129, UNSEEN):
        lost = not release or version(release) < (0, 144, 5)
        if fork or lost:
            with pytest.raises(Refusal, match="model provider"):
                make("codex", release, wish, model="qwen3:30b", effort="low", provider=odd)
        else:
            made = make("codex", release, wish, model="qwen3:30b", effort="low", provider=odd)
            assert made.argv == ["codex", "resume", uuid(1)]
            assert len(made.notes) == 1
        mine = ("-c", 'model_provider="mine"')
        named = Wish(fork=fork, arguments=mine)
        made = make("codex", release, named, model="qwen3:30b", provider=odd)
        assert made.argv[2:] == ["-m", "qwen3:30b", uuid(1), *mine]
    made = make("codex", release, wish, model="gpt-5.1", effort="low", provider=None)
    assert made.argv[2:] == [uuid(1)]
    assert len(made.notes) == 1
    assert make("codex", release, wish, provider=None).notes == []


@pytest.mark.parametrize(("config", "default"), CONFIGS.items(), ids=range(len(CONFIGS)))
def test_the_provider_that_codex_starts_with(
    make: Make, tmp_path: Path, config: str, default: str | None
) -> None:
    (tmp_path / "config.toml").write_text(config)
    for name in ("openai", "rival"):
        made = make("codex", "0.171.0", provider=name, home=str(tmp_path))
        words = [] if name == default else ["-c", f'model_provider="{name}"']
        assert made.argv == ["codex", "resume", *words, uuid(1)]
    profile = Wish(arguments=("-p", "work"))
    made = make("codex", "0.171.0", profile, provider="openai", home=str(tmp_path))
    assert made.argv[2:] == ["-c", 'model_provider="openai"', uuid(1), "-p", "work"]


@pytest.mark.parametrize("place", [0, 1])
def test_what_the_machine_sets_is_not_guessed(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: int
) -> None:
    files = [str(tmp_path / "none"), str(tmp_path / "none")]
    monkeypatch.setattr(provider, "_OF_THE_MACHINE", files)
    assert make("codex", "0.171.0", provider="openai").argv == ["codex", "resume", uuid(1)]
    files[place] = __file__
    made = make("codex", "0.171.0", provider="openai")
    assert made.argv == ["codex", "resume", "-c", 'model_provider="openai"', uuid(1)]


@pytest.mark.parametrize("release", CODEXES)
def test_what_was_not_found_of_codex(make: Make, release: str | None) -> None:
    unseen = dict.fromkeys(("approval", "sandbox", "reviewer", "roots"), UNSEEN)
    made = make("codex", release, **unseen)
    approval = "untrusted" if release and version(release) < (0, 149) else "on-request"
    words = ["-a", approval, "-c", 'approvals_reviewer="user"', "-s", "read-only"]
    words += ["-c", "sandbox_workspace_write.writable_roots=[]"]
    assert made.argv == ["codex", "resume", *words, uuid(1)]
    assert (len(said(made)), made.withheld) == (4, [])
    made = make("codex", release, Wish(permissive=True), **unseen)
    assert (made.argv, made.withheld) == (["codex", "resume", uuid(1)], [])


@pytest.mark.parametrize("release", CODEXES)
def test_the_sandbox_and_the_reviewer_of_codex(make: Make, release: str | None) -> None:
    for sandbox in (
        "read-only",
        "workspace-write",
        "danger-full-access",
        "external-sandbox",
        "x y",
    ):
        for permissive in (False, True):
            made = make("codex", release, Wish(permissive=permissive), sandbox=sandbox)
            carried = sandbox in ("read-only", "workspace-write") or (
                permissive and sandbox == "danger-full-access"
            )
            given = sandbox if carried else "read-only" if sandbox == "x y" else "workspace-write"
            assert made.argv == ["codex", "resume", "-s", given, uuid(1)]
            assert made.withheld == ([] if carried else [f"sandbox {sandbox}"])
            assert len(said(made)) == (not carried)
    for reviewer, permissive, given in (
        ("user", False, ""),
        ("auto_review", False, "user"),
        ("guardian_subagent", False, "user"),
        ("auto_review", True, "auto_review"),
        ('"; x="', True, "user"),
    ):
        made = make("codex", release, Wish(permissive=permissive), reviewer=reviewer)
        words = [] if not given else ["-c", f'approvals_reviewer="{given}"']
        assert made.argv == ["codex", "resume", *words, uuid(1)]


def test_writable_folders_that_codex_would_restore(make: Make) -> None:
    none = ["-c", "sandbox_workspace_write.writable_roots=[]"]
    made = make("codex", "0.171.0", sandbox="workspace-write", roots="yes")
    assert made.argv == ["codex", "resume", "-s", "workspace-write", *none, uuid(1)]
    assert len(made.withheld) == len(said(made)) == 1
    made = make("codex", "0.171.0", Wish(permissive=True), sandbox="workspace-write", roots="yes")
    assert made.argv == ["codex", "resume", "-s", "workspace-write", uuid(1)]


@pytest.mark.parametrize("release", CODEXES)
def test_the_effort_of_codex(make: Make, release: str | None) -> None:
    known = version(release) or (0, 63)
    first = {"none": (0, 58), "xhigh": (0, 59), "max": (0, 142, 2), "ultra": (0, 142, 2)}
    for effort in ("minimal", "low", "medium", "high", *first, "HIGH", 'a"b', "x=1"):
        made = make("codex", release, effort=effort)
        words = ["-c", f'model_reasoning_effort="{effort}"']
        if known < first.get(effort, (0,)) or effort in ("HIGH", 'a"b', "x=1"):
            words = []
        assert made.argv == ["codex", "resume", *words, uuid(1)]
        assert len(made.notes) == (not words)


def test_the_whole(make: Make) -> None:
    made = make("claude-code", "2.1.332", Wish(arguments=("go on", "-x")), model="opus[1m]",
                effort="high", mode="bypassPermissions")  # fmt: skip
    words = ["--model", "opus[1m]", "--effort", "high", "--permission-mode", "default"]
    assert made.argv == ["claude", "--resume", uuid(1), *words, "go on", "-x"]
    made = make("codex", "0.171.0", Wish(arguments=("go on",)), model="gpt-5.5", effort="low",
                approval="never", sandbox="danger-full-access", reviewer="auto_review")  # fmt: skip
    words = ["-m", "gpt-5.5", "-c", 'model_reasoning_effort="low"', "-a", "on-request"]
    words += ["-c", 'approvals_reviewer="user"', "-s", "workspace-write"]
    assert made.argv == ["codex", "resume", *words, uuid(1), "go on"]
    assert len(made.withheld) == len(said(made)) == 3


def test_a_fork(make: Make) -> None:
    fork = Wish(fork=True)
    assert make("claude-code", "2.1.332", fork).argv == [
        "claude",
        "--resume",
        uuid(1),
        "--fork-session",
    ]
    assert make("codex", "0.171.0", fork, sandbox="read-only").argv == (
        ["codex", "fork", "-s", "read-only", uuid(1)]
    )
    for app, release in (("claude-code", "1.0.117"), ("codex", "0.80.0")):
        with pytest.raises(Refusal, match="too old to fork"):
            make(app, release, fork)


@pytest.mark.parametrize("app", PROGRAMS)
@pytest.mark.parametrize(
    ("model", "fits"),
    [
        *(
            (name, True)
            for name in ("claude-opus-4-6[1m]", "gpt-5.5", "us.anthropic.x:0", "a/b@c", "A_1+2")
        ),
        *(
            (name, False)
            for name in (
                "-x",
                "--help",
                "a b",
                "a;b",
                "$(x)",
                "`x`",
                "a\nb",
                "é",
                "'",
                "*",
                "x" * 129,
            )
        ),
    ],
)
def test_the_model(make: Make, app: str, model: str, fits: bool) -> None:
    made = make(app, None, model=model)
    assert (model in made.argv) == fits
    assert (len(made.argv) == 5) == fits
    assert len(made.notes) == (not fits)
    assert make(app, None, Wish(model=False), model=model).notes == []
    assert len(make(app, None, Wish(model=False), model=model).argv) == 3


def test_permissive_does_not_promise_itself(make: Make) -> None:
    wish = Wish(permissive=True)
    for made in (
        make("claude-code", "2.1.332", wish, mode="bubble"),
        make("codex", "0.171.0", wish, approval="on-failure"),
        make("codex", "0.171.0", wish, sandbox="external-sandbox"),
    ):
        assert len(made.withheld) == 1
        assert "--permissive" not in made.notes[0]
    assert "--permissive" in make("claude-code", "2.1.332", mode="acceptEdits").notes[0]


@pytest.mark.parametrize(
    "id", ["--help", "../x", "", uuid(1)[:-1], uuid(1) + "0", "g" + uuid(1)[1:], "a b"]
)
def test_only_a_uuid_is_passed_on(id: str, tmp_path: Path) -> None:
    for app in map(load, ("claude-code", "codex")):
        with pytest.raises(Refusal):
            plan.make(
                app, Session(app.NAME, id, key="x", home=own(app.NAME), cwd=str(tmp_path)), Wish()
            )
