"""Where an installation lies, found from its interpreter and its package."""

from __future__ import annotations

import base64
import hashlib
import importlib.metadata
import os
import re
import sys

import pytest

from operators_edge.system.installation import (
    DEPENDENCIES,
    PACKAGE,
    Recorded,
    current,
    installed_at,
    recorded_files,
)


def made(tmp_path, *names, receipt=""):
    """A virtual environment with these folders and files among its packages."""
    prefix = tmp_path / "venv"
    library = (
        prefix / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    )
    for name in ("operators_edge-1.0.dist-info", "operators_edge", *names):
        (library / name).mkdir(parents=True)
    (prefix / "bin").mkdir()
    (prefix / "pyvenv.cfg").write_text("home = /usr/bin\n")
    for name in ("python", "python3", "edge", "pip"):
        (prefix / "bin" / name).write_text("")
    if receipt:
        (prefix / receipt).write_text("{}")
    found = installed_at(str(prefix / "bin" / "python"), str(library / "operators_edge"))
    return found, prefix, library


def test_an_environment_with_only_our_packages_is_our_own(tmp_path):
    found, prefix, library = made(tmp_path, "lizard-1.24.dist-info", "pip-25.dist-info")
    assert not found.is_shared
    assert (found.environment, found.library) == (str(prefix), str(library))


def test_an_environment_with_other_packages_is_shared(tmp_path):
    assert made(tmp_path, "django-5.dist-info")[0].is_shared


@pytest.mark.parametrize("receipt", ["pipx_metadata.json", "uv-receipt.toml"])
def test_an_environment_made_for_one_program_is_its_own(tmp_path, receipt):
    assert not made(tmp_path, "extra-1.dist-info", receipt=receipt)[0].is_shared


def test_launcher_interpreter_metadata_and_start_files_are_parts_of_it(tmp_path):
    names = {os.path.basename(each) for each in made(tmp_path)[0].parts}
    assert names == {"edge", "python", "python3", "pyvenv.cfg", "operators_edge-1.0.dist-info"}


def test_without_a_virtual_environment_the_packages_are_beside_ours(tmp_path):
    package = tmp_path / "lib" / "operators_edge"
    package.mkdir(parents=True)
    (tmp_path / "lib" / "__editable__.operators_edge-1.pth").write_text("x")
    found = installed_at("/usr/bin/python3", str(package))
    assert (found.environment, found.library, found.is_shared) == ("", str(tmp_path / "lib"), True)
    assert found.parts == (str(tmp_path / "lib" / "__editable__.operators_edge-1.pth"),)


def test_the_running_installation_is_found():
    assert current().package == PACKAGE
    assert os.path.join(current().environment, "bin", "edge") in current().parts


def test_what_the_installer_recorded_is_read(tmp_path):
    found, _, library = made(tmp_path)
    assert recorded_files(found) == {}
    record = library / "operators_edge-1.0.dist-info" / "RECORD"
    digest = base64.urlsafe_b64encode(hashlib.sha256(b"x\n").digest()).decode().rstrip("=")
    record.write_text(
        f"operators_edge/gate/rules.py,sha256={digest},2\n"
        "operators_edge/__pycache__/x.pyc,,\n../../../bin/edge,sha256=AA,9\n"
    )
    assert recorded_files(found) == {"gate/rules.py": Recorded.of(b"x\n")}


def needed(name):
    """The distributions that one needs on some system, directly or not."""
    found = set()
    try:
        requirements = importlib.metadata.requires(name) or []
    except importlib.metadata.PackageNotFoundError:
        return found  # not for this Python
    for each in requirements:
        if "extra ==" in each and "fast" not in each:
            continue
        other = re.match(r"[A-Za-z0-9._-]+", each).group()
        found |= {re.sub(r"[-_.]+", "_", other.lower())} | needed(other)
    return found


def test_every_distribution_that_ours_needs_is_listed():
    assert needed("operators-edge") <= set(DEPENDENCIES)
