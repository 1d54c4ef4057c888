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

# Waiting costs nothing in a test that passes; a machine that stands still for half a minute is no
# error of the program's.
PATIENCE_MS = 60_000
expect.set_options(timeout=PATIENCE_MS)
# Of a browser's own window we see nothing: without its address bar's two pages, and without a
# process kept ready for the next site, a visitor costs a third. Naming features that are off
# replaces Playwright's own list, so the ones that matter on Linux are named again.
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
    # Nothing beyond this machine is found, whatever a page asks for. The first fitting rule counts.
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
    """The same server's other database: the path's last word before the query is its name."""
    address, mark, query = url.partition("?")
    return f"{address.rsplit('/', 1)[0]}/{name}{mark}{query}"


@pytest.fixture(scope="package")
def browser(stack: Stack, browser_program: str) -> Iterator[Browser]:
    """Closed with the package: its event loop would keep later tests from the database."""
    with sync_playwright() as playwright:
        # As secure as with a certificate, which localhost is by itself.
        secure = f"--unsafely-treat-insecure-origin-as-secure={stack.own_url()}"
        chromium = playwright.chromium.launch(
            executable_path=browser_program, args=[*SWITCHES, secure]
        )
        yield chromium
        chromium.close()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A second try shows whether a failure is one of the moment, and records it. The run fails all
    the same (decision 34), so without `--second-try` there is none."""
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
    """Note on the test whether it failed so far, for `visitor` to keep a picture."""
    report = yield
    item.stash[_failed] = report.failed or (report.when != "setup" and item.stash[_failed])
    return report


@pytest.fixture(autouse=True)
def _unlimited(request: pytest.FixtureRequest, stack: Stack) -> None:
    """No test is limited by what others tried; one that is tried again finds nothing of its own."""
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
    """`watch(context)` for every browser context a test makes by itself. Fails a test in which
    something broke unseen; `pytest.mark.provokes` names what a test breaks on purpose."""
    expected = [mark.args for mark in request.node.iter_markers("provokes")]
    watching = Watch(stack, tuple(pattern for patterns in expected for pattern in patterns))
    yield watching
    if not request.node.stash[_failed] and (unexpected := watching.unexpected()):
        pytest.fail("\n".join(["Unseen by the test:", *unexpected]), pytrace=False)


@pytest.fixture
def visitor(
    browser: Browser, request: pytest.FixtureRequest, tmp_path: Path, watch: Watch
) -> Iterator[Callable[..., Page]]:
    """Makes a person with a browser of their own: `visitor()`, `visitor(locale="es")`. Of a test
    that fails, a picture of each page is kept, and of its second try a trace: both take time."""
    is_second_try = getattr(request.node, "execution_count", 1) > 1
    contexts: list[BrowserContext] = []

    def arrive(*, java_script: bool = True, phone: bool = False, locale: str = "en-US") -> Page:
        size = {"width": 360, "height": 740} if phone else {"width": 1440, "height": 900}
        context = browser.new_context(
            java_script_enabled=java_script,
            locale=locale,
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
