"""What plugin managers load: the integration of the installed program, or one line on what is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit import ROOT, SF, Done, environment, run, which

PLUGINS = {
    "zsh": ("-fic", f"source {ROOT}/sf.plugin.zsh", "whence -w sf __sf_run; bindkey '^G'"),
    "fish": (
        "-ic",
        f"source {ROOT}/conf.d/sf.fish",
        "functions -q sf; and echo sf: function; bind \\cg 2>/dev/null",
    ),
}


def loaded(shell: str, home: Path, path: str, times: int = 1) -> Done:
    option, load, then = PLUGINS[shell]
    words = [which(shell), option, f"{chr(10).join([load] * times)}\n{then}"]
    env = environment(home) | {"PATH": path, "TERM": "xterm", "XDG_CONFIG_HOME": str(home)}
    return run(words, env, cwd=home)


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("shell", PLUGINS)
def test_the_integration_is_loaded(home: Path, shell: str, times: int) -> None:
    done = loaded(shell, home, f"{SF.parent}:/usr/bin:/bin", times)
    assert "sf: function" in done.out
    assert "sf-pick" in done.out or "__sf_widget" in done.out
    assert done.err == ""


@pytest.mark.parametrize("shell", PLUGINS)
def test_without_the_program_one_line_says_so(home: Path, shell: str) -> None:
    done = loaded(shell, home, "/usr/bin:/bin")
    assert "sf: function" not in done.out
    assert done.err.count("\n") == 1
    assert done.err.startswith("sf: the plugin is here, the program is not: pipx install")


@pytest.mark.parametrize(
    "options", ["err_exit no_unset warn_create_global", "ksh_arrays sh_word_split"]
)
def test_zsh_with_options_of_any_kind(home: Path, options: str) -> None:
    env = environment(home) | {"PATH": f"{SF.parent}:/usr/bin:/bin", "TERM": "xterm"}
    script = f"setopt {options}; source {ROOT}/sf.plugin.zsh; whence -w sf"
    done = run([which("zsh"), "-fic", script], env, cwd=home)
    assert (done.code, done.out, done.err) == (0, "sf: function\n", "")
