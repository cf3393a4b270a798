"""Times are those of Python's own module, whatever was imported first."""

import subprocess
import sys

from operators_edge import datetimes
from tests.processes import SOURCE


def test_the_classes_are_those_of_the_module():
    import datetime as dt  # noqa: PLC0415 - after ours

    assert datetimes.datetime is dt.datetime
    assert datetimes.timedelta is dt.timedelta
    assert datetimes.tzinfo is dt.tzinfo
    assert datetimes.UTC is dt.UTC


def test_times_work_where_the_module_itself_is_not_loaded():
    code = (
        f"import sys; sys.path.append({SOURCE!r})\n"
        "from operators_edge.datetimes import UTC, datetime, timedelta\n"
        "when = datetime.fromisoformat('2026-03-01T10:00:00+00:00') + timedelta(days=1)\n"
        "print(when.astimezone(UTC).isoformat(), when.strftime('%Y'), 'pickle' in sys.modules)\n"
        "import copy, pickle\n"
        "print(pickle.loads(pickle.dumps(when)) == copy.deepcopy(when) == when)\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == ["2026-03-02T10:00:00+00:00 2026 False", "True"]
