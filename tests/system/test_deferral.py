"""Modules that run at their first use: real packages on the disk, in interpreters of their own."""

import subprocess
import sys
import textwrap

from tests.processes import SOURCE

DEFERRING = """
from operators_edge import hook
from operators_edge.system import deferral
hook.refuse_cut_modules(deferral.deferring)
"""

OWN = """
import _frozen_importlib_external as loading, sys
from operators_edge.system import deferral
kind = deferral.deferring(loading.SourceFileLoader)
sys.path_hooks.insert(0, loading.FileFinder.path_hook((kind, [".py"])))
sys.path.insert(0, ".")
"""


def ran(folder, begin, code):
    """What some code prints in a new interpreter, in this folder."""
    text = f"import sys; sys.path.append({SOURCE!r})\n{begin}{textwrap.dedent(code)}"
    told = subprocess.run(
        [sys.executable, "-I", "-c", text],
        check=False,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert told.returncode == 0, told.stderr
    return told.stdout.splitlines()


def test_a_module_runs_at_its_first_use_and_once(tmp_path):
    (tmp_path / "noisy.py").write_text("print('ran')\nname = 'noisy'\n")
    (tmp_path / "user.py").write_text("import noisy\nfrom noisy import name\nprint('used')\n")
    told = ran(
        tmp_path,
        OWN,
        """
        import noisy
        import noisy as again
        print("imported")
        print(noisy.name, again is noisy, type(noisy) is type(sys))
        import user
        print(user.name)
        """,
    )
    assert told == ["imported", "ran", "noisy True True", "used", "noisy"]


def test_a_missing_module_is_noticed_where_it_is_imported(tmp_path):
    told = ran(
        tmp_path,
        OWN,
        """
        try:
            import absent
        except ModuleNotFoundError as error:
            print(error)
        """,
    )
    assert told == ["No module named 'absent'"]


def test_a_module_that_cannot_run_says_so_at_every_use(tmp_path):
    (tmp_path / "broken.py").write_text("half = 1\nraise OSError('cut here')\n")
    told = ran(
        tmp_path,
        OWN,
        """
        import broken
        for _ in range(2):
            try:
                broken.half
            except OSError as error:
                print(error)
        """,
    )
    assert told == ["cut here", "cut here"]


def test_a_module_is_whole_for_a_thread_that_uses_it_while_another_runs_it(tmp_path):
    (tmp_path / "slow.py").write_text(
        "import sys\nfirst = 1\nsys.begun.set()\nsys.go_on.wait(20)\nlast = 2\n"
    )
    told = ran(
        tmp_path,
        OWN,
        """
        import threading
        import slow
        sys.begun, sys.go_on, found = threading.Event(), threading.Event(), []
        one = threading.Thread(target=lambda: found.append(slow.first))
        two = threading.Thread(target=lambda: found.append(slow.last))
        one.start()
        sys.begun.wait(20)
        two.start()
        sys.go_on.set()
        one.join()
        two.join()
        print(sorted(found))
        """,
    )
    assert told == ["[1, 2]"]


def test_each_of_our_modules_can_be_run_when_it_is_first_used(tmp_path):
    told = ran(
        tmp_path,
        DEFERRING,
        """
        import importlib, pkgutil
        import operators_edge
        for each in pkgutil.walk_packages(operators_edge.__path__, "operators_edge."):
            importlib.import_module(each.name)
        waiting = [each for each in sys.modules.values() if type(each) is deferral.Deferred]
        print(len(waiting) > 100)
        deferral.run_all()
        print(sum(type(each) is deferral.Deferred for each in sys.modules.values()))
        """,
    )
    assert told == ["True", "0"]
