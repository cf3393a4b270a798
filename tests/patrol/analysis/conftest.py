import pytest
from tests.hosting import write

from operators_edge.patrol.analysis import files


@pytest.fixture
def look(tmp_path):
    """What the analysers find in a file with this name and text."""

    def looked(name, text, *, is_test=False):
        return files.analyse(write(str(tmp_path), name, text), name, is_test=is_test)

    return looked
