"""Time sf on made-up homes and print the tables: `python -m tests.bench [PART]...`.

Measures the sf beside the interpreter that runs this, so give it one of an environment that sf is
installed in (not editable). The homes take about 4 GB below --work and are kept.
"""

import argparse
import os
import shutil
import sys

from tests.bench import picker, said, stores
from tests.bench.cases import LIMITS, Bench, forget
from tests.bench.measure import Case, Figure, once, peak

HERE = os.path.dirname(os.path.abspath(__file__))
SIZES = (52, 1_000, 10_000)


def main() -> None:
    """Parse the options, run the parts that are asked for."""
    parts = {
        "speed": speed,
        "picker": first_row,
        "growth": growth,
        "rivals": rivals,
        "memory": memory,
        "said": what_was_said,
    }
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"{', '.join(parts)}; default: all"
    )
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="for speed and rivals")
    parser.add_argument("--work", default=os.path.expanduser("~/.cache/sessidx-bench"))
    parser.add_argument("--cpu", action="store_true", help="processor time, on a busy machine")
    parser.add_argument(
        "--least", action="store_true", help="of the runs, not their median: the same"
    )
    given = parser.parse_args()
    work = os.path.abspath(given.work)
    bench = Bench(os.path.dirname(sys.executable), work, given.runs, given.cpu, given.least)
    if not os.path.exists(f"{bench.bin}/sf"):
        sys.exit(f"no sf in {bench.bin}: install it there first")
    sizes = [int(size) for size in given.sizes.split(",")]
    for name in given.parts or parts:
        parts[name](bench, sizes)


def speed(bench: Bench, sizes: list[int]) -> None:
    """Every call with its limit, on homes of both makes, and of all apps, which may take 1.15 times it."""
    for make, more in ((stores.shaped, 1.0), (stores.wide, 1.0), (stores.all_apps, 1.15)):
        print(f"{make.__doc__}\n")
        _speed({size: bench.speed(make(bench.work, size), size) for size in sizes}, more)
    preview = bench.preview(stores.one_huge(bench.work, "preview", 500_000_000))["preview"]
    print(f"preview of a transcript of 500 MB: {_against(preview, *LIMITS['preview'][52])}\n")


def _speed(figures: dict[int, dict[str, Figure]], more: float) -> None:
    base = figures[min(figures)]
    print(f"P = {base['P'].seconds * 1e3:.1f} ms, B = {base['B'].seconds * 1e3:.1f} ms\n")
    _table(["call", *(f"{size:,} sessions" for size in figures)])
    for name, limits in LIMITS.items():
        told = [(figures[size].get(name), limits.get(size)) for size in figures]
        if any(figure for figure, _ in told):
            cells = [_against(f, more * at[0], at[1]) if f and at else "" for f, at in told]
            _row([name, *cells])
    print()


def _against(figure: Figure, limit: float, base: str) -> str:
    text = f"{figure.times[base]:.2f} {base} (≤ {limit:.3g}), {figure.seconds * 1e3:.1f} ms"
    return text if figure.times[base] <= limit else f"**{text}**"


def first_row(bench: Bench, sizes: list[int]) -> None:
    """From the start of the picker to its first row, beside an fzf that has nothing or one row."""
    row = f"{bench.work}/one-row"
    with open(row, "w", encoding="utf-8") as file:
        file.write("Fix the checkout\n")
    pure = bench.compared([])["P"].seconds
    # The words are those of the picker, for what is drawn takes time.
    fzf = "exec fzf --height=60% --layout=reverse --info=inline --preview='echo {}'"
    env = bench.env("/nonexistent", "base") | {"TERM": "xterm-256color"}
    found = {
        "fzf, empty": picker.median(
            ["sh", "-c", f"{fzf} </dev/null"], env, picker.EMPTY, bench.runs
        ),
        "fzf, one row": picker.median(["sh", "-c", f"{fzf} <{row}"], env, picker.ROW, bench.runs),
    }
    for size in sizes:
        home = stores.shaped(bench.work, size)
        once(bench.call("nothing changed", home))
        case = bench.sf("nothing changed", ["pick", "--shell", "zsh"], home)
        env = {**case.env, "TERM": "xterm-256color"}
        found[f"{size:,} sessions"] = picker.median(case.argv, env, picker.ROW, bench.runs)
    _table(["", "until it is seen", "more than an empty fzf"])
    for name, seconds in found.items():
        over = (seconds - found["fzf, empty"]) / pure
        _row([name, f"{seconds * 1e3:.1f} ms", f"{over:.2f} P"])
    print()


def what_was_said(bench: Bench, sizes: list[int]) -> None:
    """A search through all that was said, beside ripgrep; and its first row."""
    _table(["sessions", "first row of a common word", "in the picker"])
    for cells in said.first_rows(bench, sizes):
        _row(cells)
    print()
    _table(
        ["an absent word", "sf, times rg", "its places known", "rg -uuu -a -c -i retry", "memory"]
    )
    for cells in said.against_ripgrep(bench):
        _row(cells)
    print()


def growth(bench: Bench, sizes: list[int]) -> None:
    """How the cost of the everyday calls grows, and how much of it is stat."""
    _table(["sessions", "nothing changed", "of it stat", "grown", "ids"])
    for size in (1_000, 3_000, 10_000, 30_000):
        home = stores.growing(bench.work, size)
        floor = _script(bench, "stat_all", home)
        calls = [bench.call(name, home) for name in ("nothing changed", "ids")]
        found = bench.compared([floor, *calls]) | {"grown": bench.grown(home)["grown"]}
        stat = found["stat_all"].seconds - found["P"].seconds
        times = [found[name].seconds for name in ("nothing changed", "grown", "ids")]
        times.insert(1, stat)
        _row([f"{size:,}", *(f"{seconds * 1e3:.1f} ms" for seconds in times)])
    print()


def rivals(bench: Bench, sizes: list[int]) -> None:
    """The same question put to plain scripts and to the peers that are installed."""
    places = {f"{size:,} sessions": stores.shaped(bench.work, size) for size in sizes}
    places["40 sessions, 19.4 GB"] = stores.story(bench.work)
    found = {place: _contest(bench, home) for place, home in places.items()}
    names = list(dict.fromkeys(name for figures in found.values() for name in figures))
    _table(["program", *places])
    for name in names:
        figures = [found[place].get(name) for place in places]
        _row([name, *(f"{f.seconds * 1e3:,.0f} ms" if f else "" for f in figures)])
    print()


def _contest(bench: Bench, home: str) -> dict[str, Figure]:
    calls = [bench.call(name, home) for name in ("nothing changed", "no index")]
    scripts = [_script(bench, name, home) for name in ("read_ends", "parse_all")]
    peers = []
    for line in ("session-ls --json", "fr --json --all"):
        program, *options = line.split()
        if path := shutil.which(program, path=f"{bench.bin}:{os.environ['PATH']}"):
            env = bench.env(home, program)
            forget(bench.cache(program))
            peers.append(Case(line, [path, *options], env, may_fail=True))
    figures = bench.compared([*calls, *scripts, *peers])
    return figures | {"grown": bench.grown(home)["grown"]}


def _script(bench: Bench, name: str, home: str) -> Case:
    return Case(name, [f"{bench.bin}/python", f"{HERE}/{name}.py"], bench.env(home, name))


def memory(bench: Bench, sizes: list[int]) -> None:
    """The peak of a first run and of one with an index, on homes that invite to read too much."""
    size = 200_000_000
    line = stores.one_huge(bench.work, "200-mb-line", size, line=size, ends=2_000)
    places = {
        "10,000 sessions": stores.shaped(bench.work, 10_000),
        "a transcript of 2 GB": stores.one_huge(bench.work, "2-gb", 2_000_000_000),
        "a line of 200 MB": line,
        "a database of 500 MB": stores.huge_database(bench.work),
        "40 sessions, 19.4 GB": stores.story(bench.work),
    }
    _table(["home", "no index", "nothing changed", "as JSON", "limit"])
    for place, home in places.items():
        forget(bench.cache("memory"))
        peaks = [peak(bench.sf("memory", words, home)) for words in ([], [], ["--json"])]
        _row([place, *(f"{peak:.0f} MB" for peak in peaks), "60 MB"])
    print()


def _table(heads: list[str]) -> None:
    _row(heads)
    _row(["---"] * len(heads))


def _row(cells: list[str]) -> None:
    print("|", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
