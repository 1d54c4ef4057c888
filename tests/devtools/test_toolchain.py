"""With the wrong Python or Node, a message says what to do."""

import pytest

from devtools.bootstrap import python_problem
from devtools.toolchain import node_problem


@pytest.mark.parametrize("version", [(3, 11), (3, 12), (3, 14), (4, 0)])
def test_a_supported_python_is_accepted(version: tuple[int, int]) -> None:
    assert python_problem(version) is None


@pytest.mark.parametrize("version", [(2, 7), (3, 9), (3, 10)])
def test_pythons_that_are_too_old(version: tuple[int, int]) -> None:
    problem = python_problem(version)
    assert problem is not None
    assert "3.11" in problem
    assert f"{version[0]}.{version[1]}" in problem


@pytest.mark.parametrize("answer", ["v20.19.0\n", "v20.20.2", "v22.12.0", "v23.0.0", "v24.1.0"])
def test_a_supported_node_is_accepted(answer: str) -> None:
    assert node_problem(answer) is None


@pytest.mark.parametrize(
    "answer", ["v18.20.0", "v20.18.3", "v21.7.0", "v22.11.0", "something else", ""]
)
def test_an_unsupported_node_is_refused_with_the_version_needed(answer: str) -> None:
    problem = node_problem(answer)
    assert problem is not None
    assert "20.19" in problem


def test_a_missing_node_is_refused_with_advice_to_install_it() -> None:
    problem = node_problem(None)
    assert problem is not None
    assert "Install" in problem
