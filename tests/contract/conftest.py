import pytest
from _pytest.nodeid import coerce_node_id


def pytest_configure(config: pytest.Config) -> None:
    """Loaded for this folder only (pyproject.toml): it takes a second of every other start."""
    from schemathesis.pytest import plugin

    config.pluginmanager.register(plugin, "schemathesis_plugin")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Schemathesis gives the tests of all operations one id, of which a worker would run one."""
    for item in items:
        if operation := getattr(item, "operation_label", None):
            item._id = coerce_node_id(f"{item.nodeid}[{operation}]")
