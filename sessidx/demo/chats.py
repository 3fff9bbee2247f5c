"""The made-up work that `sf demo` shows: the projects and what was talked about in them. Data only.

The people, the projects and the sessions are invented. A session is written as
    # APP PROJECT AGE MODEL EFFORT [branch=…] [mode=…] [sandbox=…] [scripted] [archived] [chosen]
then its title, then each prompt (>) and its answer (<). `chosen`: the person gave the title.
"""

from collections.abc import Iterator
from typing import NamedTuple

# folder below ~/code -> the branch it stands on now; None: the folder is gone
PROJECTS: dict[str, str | None] = {
    "shop-api": "main",
    "web-app": "feature/dark-mode",
    "infra": "main",
    "data-pipeline": "fix/late-events",
    "mobile": "release/4.2",
    "blog": "main",
    "billing-v1": None,
}
# folder -> the repository it is a second working tree of, and its branch
WORKTREES = {"shop-api-retry": ("shop-api", "fix/checkout-retry")}

_SECONDS = {"m": 60, "h": 60 * 60, "d": 60 * 60 * 24}
_CLAUDE_MODELS = {
    "opus": "claude-opus-5-5",
    "sonnet": "claude-sonnet-5-5",
    "haiku": "claude-haiku-5-5",
}


class Chat(NamedTuple):
    """One session as it is told below; the ids and the times come later."""

    app: str
    project: str
    branch: str
    age: int  # seconds
    title: str
    turns: list[tuple[str, str]]
    model: str
    effort: str
    mode: str | None  # Claude Code's permission mode, Codex's approval policy; None: its default
    sandbox: str | None
    flags: frozenset[str]


def chats() -> Iterator[Chat]:
    """The sessions, newest first."""
    for block in _CHATS.strip().split("\n\n"):
        head, title, *lines = block.splitlines()
        app, project, age, model, effort, *more = head.removeprefix("# ").split()
        given = dict(word.split("=") for word in more if "=" in word)
        yield Chat(
            app=app,
            project=project,
            branch=given.get("branch") or _branch(project),
            age=int(age[:-1]) * _SECONDS[age[-1]],
            title=title,
            turns=[
                (ask[2:], answer[2:]) for ask, answer in zip(lines[::2], lines[1::2], strict=True)
            ],
            model=_CLAUDE_MODELS.get(model, model),
            effort=effort,
            mode=given.get("mode"),
            sandbox=given.get("sandbox"),
            flags=frozenset(more),
        )


def _branch(project: str) -> str:
    return WORKTREES[project][1] if project in WORKTREES else PROJECTS[project] or "main"


_CHATS = """
# claude shop-api-retry 4m opus high
Back off in the checkout retry loop
> The checkout worker retries a failed charge every 50 ms. Make it back off, with jitter.
< `charge_with_retry` now waits 0.2 s, doubled each time, with 20 % jitter; after five it gives up.
> Does a declined card still retry?
< No. `CardDeclined` leaves the loop at once; only timeouts and 5xx are tried again, both tested.

# codex shop-api-retry 26m gpt-5.5 medium
Idempotency key for POST /checkout
> Add an idempotency key to POST /checkout so that a retry cannot charge twice
< The key is stored with the order for 24 hours; a second request with it returns the first answer.

# claude web-app 51m sonnet medium
Dark mode: tokens instead of colours
> Replace the hard-coded colours in src/components by the design tokens.
< 61 literals in 24 files became tokens. Three have no token yet: they are listed in TODO.md.
> Take the nearest grey for those three.
< Done: `--grey-700` twice and `--grey-400` once.

# codex infra 2h gpt-6.2-sol xhigh mode=never sandbox=danger-full-access
Upgrade the CI runners to Debian 13
> Upgrade the CI runners to Debian 13 and keep the cache volumes
< The new image builds and passes the smoke job. The cache volumes are mounted unchanged.

# claude data-pipeline 3h opus high
Late events are counted twice
> Events that arrive after midnight UTC are counted on both days. Find out why.
< The watermark is read before the late partition is closed: both windows take them.
> Fix it and backfill last week in a dry run.
< Fixed. The dry run would change all seven days, by 0.3 % on average and 0.9 % at most.

# claude shop-api 5h sonnet low chosen
release-notes
> Write the changelog for this month's release from the merged pull requests.
< CHANGELOG.md has 14 entries under Added, Changed and Fixed. Two pull requests have no label.

# claude shop-api 9h haiku low scripted
Nightly dependency report
> List outdated dependencies with a known vulnerability as JSON.
< []

# codex mobile 20h gpt-5.5 high
Crash when the cart is restored offline
> The app crashes when it restores a cart without network. Stack trace is in crash.txt
< `CartStore.restore` unwraps the price list before it is loaded. It waits for it now.

# claude mobile 26h opus medium mode=plan
Plan the push notification opt-in
> Plan an opt-in for push notifications: after the first order, not at the first start.
< Plan: 1. a flag per account, 2. the question after `order.confirmed`, 3. a switch in the settings.

# claude infra 31h opus medium mode=bypassPermissions
Move the staging secrets to the vault
> Move every secret in staging.env to the vault and leave references behind.
< 19 secrets moved; staging.env now only names them. Only the deploy user may read them.
> Run the deploy to staging.
< Staging is up on revision 4f1c with the secrets from the vault.

# codex shop-api 2d gpt-5.5 high
Slow cart query
> Investigate why the cart query takes 900 ms
< It sorts 40,000 rows for the newest three. An index on (customer_id, updated_at) makes it 4 ms.

# claude web-app 3d sonnet medium
Flaky login test in Firefox
> tests/login.spec.ts fails one time in ten, in Firefox only.
< It clicks before the form is hydrated. The test now waits for `data-ready`; 200 runs passed.

# qwen data-pipeline 3d qwen3-coder-plus medium
Late events in the hourly job
> Where do events go that come after their hour was closed?
< Nowhere: the job drops them. A second pass over the last six hours would take them in.
> Write that pass.
< It is in jobs/late.py, behind LATE_PASS=1, with a test that sends one an hour late.

# codex data-pipeline 4d gpt-5.5 medium mode=never scripted
Type hints for the window functions
> Add type hints to windows.py and make mypy --strict pass
< 42 functions typed; mypy --strict is clean.

# claude blog 5d sonnet medium branch=draft/why-sqlite
Tighten the intro of the SQLite post
> The intro of why-sqlite.md is too long. Cut it by half and keep the joke.
< From 310 words to 148. The joke about the tenth replica is still there.

# claude shop-api-retry 6d opus medium
Reproduce the double charge
> Write a test that reproduces the double charge of order 81-4471.
< tests/test_double_charge.py: the gateway times out after it charged, the retry charges again.

# codex infra 9d gpt-6-sol low sandbox=read-only
Explain the terraform state layout
> Explain how the terraform state is laid out and who may write it
< One state per environment and layer, in a versioned bucket. Only the two deploy roles may write.

# claude data-pipeline 12d opus medium
Backfill script that can be interrupted
> Write a backfill script that resumes where it stopped.
< scripts/backfill.py keeps its place in a small file, a day at a time, and can be interrupted.

# pi blog 12d anthropic/claude-sonnet-5-5 medium
A feed of the posts alone
> The feed holds drafts, too. Leave them out.
< Drafts are filtered before the feed is built; 41 entries became 37.

# claude web-app 16d opus medium chosen
checkout-form-a11y
> Check the checkout form with a screen reader in mind.
< Four problems: two labels missing, the error not announced, the focus lost after a failed card.
> Fix all four.
< Fixed, each with a test that looks the element up by its role.

# codex web-app 19d gpt-5.5 medium
Bundle size went up by 80 kB
> Why did the bundle grow by 80 kB since last week?
< The date picker pulls in every locale. Importing the two that are used brings it back to 412 kB.

# claude infra 25d sonnet low
Alert when the queue is older than five minutes
> Add an alert for checkout messages older than five minutes.
< The rule `checkout_queue_age` pages after two evaluations; I tested it with a stopped consumer.

# codex shop-api 33d gpt-5.5 medium archived
Try GraphQL for the catalogue
> Sketch a GraphQL endpoint for the catalogue, as an experiment
< A sketch is in experiments/graphql; it reads only.

# claude mobile 40d opus medium
Deep links to an order
> Open shop://order/ID in the app, and in the browser where it is not installed.
< Both work. An unknown id leads to the list of orders, with a message.

# claude shop-api 54d opus max
Split the order model
> models/order.py has 1,900 lines. Propose how to split it.
< Three modules: pricing, lifecycle, shipping. order.py re-exports them, so no import changes.
> Do the pricing part.
< Moved 610 lines to models/pricing.py; all 318 tests pass.

# codex mobile 71d gpt-5.5 low
Update the Swift packages
> Update the Swift packages to their latest minor version
< Five updated. Lottie stays: 4.5 changes its loop mode.

# claude billing-v1 96d opus medium
Export the old invoices
> Export every invoice before 2024 as PDF, with a manifest.
< 12,408 invoices in 96 archives, and manifest.csv with their checksums.

# claude shop-api 130d sonnet medium
Read-only mode for maintenance
> Add a read-only mode: GET works, everything else answers 503 with Retry-After.
< A middleware does it, switched by READ_ONLY=1. Health checks are let through.
"""
