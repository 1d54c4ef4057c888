"""A real browser against the running program."""

import os
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests import database
from tests.e2e import steps
from tests.e2e.stack import OWN_DOMAIN, Stack
from tests.e2e.watching import Watch

# Waiting costs nothing in a test that passes, and a machine that stalls for half a minute isn't an
# error of the program.
PATIENCE_MS = 60_000
expect.set_options(timeout=PATIENCE_MS)
# Nobody sees the browser's own window: without the two pages of its address bar, and without a
# spare process for the next site, a visitor costs a third. `--disable-features` replaces
# Playwright's own list, so it repeats those that matter on Linux.
FEATURES_OFF = [
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "PreloadTopChromeWebUI",
    "SpareRendererForSitePerProcess",
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
]
SWITCHES = [
    f"--disable-features={','.join(FEATURES_OFF)}",
    "--disable-site-isolation-trials",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A page lives too short for V8's optimizing compilers to pay off: without them, the browser has
    # a tenth less to do.
    "--js-flags=--no-opt",
    # No name beyond this machine resolves, whatever a page asks for. The first rule that fits
    # counts.
    f"--host-resolver-rules=MAP {OWN_DOMAIN} 127.0.0.1, MAP * ~NOTFOUND,"
    " EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1",
]


@pytest.fixture(scope="package")
def stack(
    django_db_setup: None,
    django_db_blocker: Any,
    worker_name: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Stack]:
    from django.conf import settings

    own = str(settings.DATABASES["default"]["NAME"])
    with django_db_blocker.unblock(), database.copy_for(f"{worker_name}_browser") as name:
        database.use(own)
        program = Stack(
            database_url=_with_database(os.environ["DATABASE_URL"], name),
            redis_url=os.environ["REDIS_URL"],
            folder=tmp_path_factory.mktemp("program"),
            number=int("".join(filter(str.isdigit, worker_name)) or 0) % 8,
        )
        try:
            yield program.start()
        finally:
            program.stop()


def _with_database(url: str, name: str) -> str:
    """The URL of another database on the same server: the last part of the path is its name."""
    address, mark, query = url.partition("?")
    return f"{address.rsplit('/', 1)[0]}/{name}{mark}{query}"


@pytest.fixture(scope="package")
def browser(stack: Stack, browser_program: str) -> Iterator[Browser]:
    """The browser of this package's tests. It is closed with the package, because its event loop
    would keep later tests from the database."""
    with sync_playwright() as playwright:
        # Treated as secure without a certificate, as localhost always is.
        secure = f"--unsafely-treat-insecure-origin-as-secure={stack.own_url()}"
        chromium = playwright.chromium.launch(
            executable_path=browser_program, args=[*SWITCHES, secure]
        )
        yield chromium
        chromium.close()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With `--second-try`, try a failed test again, to see whether the failure is repeatable, and
    record it. The run fails all the same (decision 34)."""
    if not config.option.second_try:
        return
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.flaky(reruns=1))


_failed = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note on the test whether it has failed so far, so that `visitor` takes a screenshot."""
    report = yield
    item.stash[_failed] = report.failed or (report.when != "setup" and item.stash[_failed])
    return report


@pytest.fixture(autouse=True)
def _unlimited(request: pytest.FixtureRequest, stack: Stack) -> None:
    """Reset the limits and the data, so that no test depends on what other tests, or its own first
    attempt, did."""
    if getattr(request.node, "execution_count", 1) > 1:
        stack.begin_again()
    stack.forget_attempts()
    # Every test's specials are among the month's free ten, in whatever order the tests run.
    stack.query(
        "UPDATE restaurants_restaurant SET monthly_special_offers_count = 0"
        " WHERE subdomain = 'luigis' RETURNING 1"
    )


@pytest.fixture(autouse=True)
def watch(request: pytest.FixtureRequest, stack: Stack, _unlimited: None) -> Iterator[Watch]:
    """Call `watch(context)` for every browser context that a test makes itself. It fails the test
    if something broke unnoticed; `pytest.mark.provokes` names what a test breaks on purpose."""
    expected = [mark.args for mark in request.node.iter_markers("provokes")]
    watching = Watch(stack, tuple(pattern for patterns in expected for pattern in patterns))
    yield watching
    unexpected = watching.unexpected()
    if unexpected and request.node.stash[_failed]:
        request.node.add_report_section("call", "unseen by the test", "\n".join(unexpected))
    elif unexpected:
        pytest.fail("\n".join(["Unseen by the test:", *unexpected]), pytrace=False)


@pytest.fixture
def visitor(
    browser: Browser, request: pytest.FixtureRequest, tmp_path: Path, watch: Watch
) -> Iterator[Callable[..., Page]]:
    """Makes a person with their own browser: `visitor()`, `visitor(locale="es")`. If the test
    fails, it saves a screenshot of each page and, on its second try, a trace."""
    is_second_try = getattr(request.node, "execution_count", 1) > 1
    contexts: list[BrowserContext] = []

    def arrive(
        *,
        java_script: bool = True,
        phone: bool = False,
        locale: str = "en-US",
        user_agent: str | None = None,
    ) -> Page:
        size = {"width": 360, "height": 740} if phone else {"width": 1440, "height": 900}
        context = browser.new_context(
            java_script_enabled=java_script,
            locale=locale,
            user_agent=user_agent,
            viewport=size,  # type: ignore[arg-type]
            reduced_motion="reduce",
            timezone_id=steps.LUIGIS_ZONE.key,
            permissions=["clipboard-read", "clipboard-write"],
        )
        context.set_default_timeout(PATIENCE_MS)
        watch(context)
        if is_second_try:
            context.tracing.start(screenshots=True, snapshots=True)
        contexts.append(context)
        return context.new_page()

    yield arrive
    for number, context in enumerate(contexts):
        for page in context.pages if request.node.stash[_failed] else []:
            page.screenshot(path=tmp_path / f"{request.node.name}-{number}.png")
        if is_second_try:
            trace = tmp_path / f"{request.node.name}-{number}.zip"
            context.tracing.stop(path=trace)
            request.node.add_report_section("teardown", "trace", f"playwright show-trace {trace}")
        context.close()
