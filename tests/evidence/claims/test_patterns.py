import importlib
import pkgutil

import pytest

from operators_edge.evidence import claims

MODULES = [each.name for each in pkgutil.iter_modules(claims.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_every_pattern_can_be_compiled(name):
    module = importlib.import_module(f"operators_edge.evidence.claims.{name}")
    for value in vars(module).values():
        for each in value.values() if isinstance(value, dict) else (value,):
            if type(each).__name__ == "_Late":
                assert each.pattern
