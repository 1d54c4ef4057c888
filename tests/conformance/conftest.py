"""Fixtures of the conformance suite; README.md says how to run it and how to add to it."""

from collections.abc import Iterator
from typing import Any

import pytest
import stripe
from local_stripe.testing import LocalStripe

from tests.conformance.targets import SANDBOX_KEY, Local, Sandbox, Target


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every test runs against local Stripe, and against the sandbox if there is a key for it."""
    if "target" not in metafunc.fixturenames:
        return
    targets = ["local"]
    if SANDBOX_KEY and not metafunc.definition.get_closest_marker("local_only"):
        targets.append("sandbox")
    metafunc.parametrize("target", targets, indirect=True, scope="session")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Only tests of the sandbox may connect to another machine."""
    for item in items:
        parameters = getattr(getattr(item, "callspec", None), "params", {})
        if parameters.get("target") == "sandbox":
            item.add_marker(pytest.mark.enable_socket)


@pytest.fixture(scope="session")
def target(request: pytest.FixtureRequest) -> Iterator[Target]:
    chosen = (
        Sandbox()
        if request.param == "sandbox"
        else Local(request.getfixturevalue("stripe_process"))
    )
    yield chosen
    chosen.close()


@pytest.fixture
def api(target: Target) -> Iterator[stripe.StripeClient]:
    """The client of the Stripe under test; local Stripe's answers must also match its types."""
    if isinstance(target, Local):
        target.server.control(reset=True)
    yield target.api
    if isinstance(target, Local):
        assert target.server.look(1)["contract_violations"] == []


@pytest.fixture
def server(request: pytest.FixtureRequest, target: Target) -> LocalStripe:
    """Local Stripe's controls; only for tests marked `local_only` with the reason why no sandbox
    can do the same."""
    marker = request.node.get_closest_marker("local_only")
    assert marker is not None
    assert marker.kwargs.get("because"), "say why no sandbox can do it"
    assert isinstance(target, Local)
    return target.server


@pytest.fixture
def account(target: Target, api: Any) -> str:
    """A connected account that can receive transfers."""
    return target.connected_account()
