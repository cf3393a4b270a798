import pytest
from tests.bridge.executors.bench import Bench


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)
