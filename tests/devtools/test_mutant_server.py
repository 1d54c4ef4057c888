"""`devtools/mutant_server.py`: what a fork changes so that it is the mutant."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

from devtools.mutant_server import changes_of

SOURCE = """
LIMIT = 3

def is_many(number, most=LIMIT):
    return number > most

class Count:
    @property
    def parts(self):
        return [each + 1 for each in range(LIMIT)]
"""


@pytest.fixture
def module(tmp_path: Path) -> Iterator[ModuleType]:
    """A module whose constant another one has imported."""
    path = tmp_path / "mutated.py"
    path.write_text(SOURCE)
    mutated, other = ModuleType("mutated"), ModuleType("other")
    mutated.__file__ = str(path)
    exec(compile(SOURCE, str(path), "exec", dont_inherit=True), vars(mutated))
    vars(other)["LIMIT"] = vars(mutated)["LIMIT"]
    sys.modules.update(mutated=mutated, other=other)
    yield mutated
    del sys.modules["mutated"], sys.modules["other"]


def mutate(module: ModuleType, old: str, new: str) -> list[str]:
    """Change the module's file, and apply the changes to the module; returns the names that
    changed."""
    path = str(module.__file__)
    assert SOURCE.count(old) == 1
    Path(path).write_text(SOURCE.replace(old, new))
    functions = [module.is_many, module.Count.parts.fget]
    assert all(type(each) is FunctionType for each in functions)
    changes = changes_of(path, functions)
    for changed, name, value in changes:
        setattr(changed, name, value)
    return [name for _, name, _ in changes]


def test_a_function_gets_other_code(module):
    assert mutate(module, "number > most", "number >= most") == ["__code__"]
    assert module.is_many(3)


def test_what_is_within_a_function_changes_with_it(module):
    parts = module.Count()
    assert mutate(module, "each + 1", "each - 1") == ["__code__"]
    assert parts.parts == [-1, 0, 1]


def test_a_constant_changes_for_whoever_imported_it(module):
    assert mutate(module, "LIMIT = 3", "LIMIT = 4") == ["LIMIT", "LIMIT", "__defaults__"]
    assert (module.LIMIT, sys.modules["other"].LIMIT) == (4, 4)
    assert not module.is_many(4)


def test_a_default_changes_without_the_code(module):
    assert mutate(module, "most=LIMIT", "most=2") == ["__defaults__"]
    assert module.is_many(3)


def test_a_decorator_can_not_be_changed_afterwards(module):
    assert mutate(module, "@property", "@staticmethod") == []


def test_what_moved_within_its_line_is_no_change(module):
    assert mutate(module, "LIMIT = 3", "LIMIT  =  3") == []
