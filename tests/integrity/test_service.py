"""What is installed and guarded, recorded outside the projects, and every way in which it can change."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import sys
from datetime import UTC, datetime, timedelta

import pytest
from tests.tables import for_each

from operators_edge.integrity import seen, service, store
from operators_edge.storage import files
from operators_edge.system.installation import installed_at
from operators_edge.system.user_dirs import project_id


class Settings:
    """A host whose settings say in one file whether a project is guarded."""

    def watched(self, root, env):
        return [os.path.join(root, "settings")]

    def mark(self, root, env):
        return "on"

    def problem(self, root, env, *, recorded, packages):
        return "" if os.path.exists(os.path.join(root, "settings")) else "no settings run the gate"


HOST = Settings()


@pytest.fixture
def env(tmp_path):
    return {"HOME": str(tmp_path / "home"), "XDG_STATE_HOME": str(tmp_path / "state")}


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "shop"
    root.mkdir()
    (root / "settings").write_text("on")
    return root


@pytest.fixture
def ours(tmp_path):
    """An installation as an installer leaves it, with the digests of its files."""
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    library = tmp_path / "venv" / "lib" / version / "site-packages"
    package = library / "operators_edge"
    (package / "gate" / "packs").mkdir(parents=True)
    (library / "operators_edge-1.0.dist-info").mkdir()
    (tmp_path / "venv" / "bin").mkdir()
    (tmp_path / "venv" / "pyvenv.cfg").write_text("")
    (tmp_path / "venv" / "bin" / "edge").write_text("#!python\n")
    (library / "tomlkit").mkdir()
    (library / "tomlkit" / "__init__.py").write_text("x = 1\n")
    (tmp_path / "venv" / "bin" / "python").symlink_to(sys.executable)
    write_version(package, "1.0")
    (package / "gate" / "decide.py").write_text("x = 1\n")
    (package / "gate" / "packs" / "git.toml").write_text("[pack]\n")
    digest = base64.urlsafe_b64encode(hashlib.sha256(b"x = 1\n").digest()).decode().rstrip("=")
    (library / "operators_edge-1.0.dist-info" / "RECORD").write_text(
        f"operators_edge/gate/decide.py,sha256={digest},6\n"
    )
    return installed_at(str(tmp_path / "venv" / "bin" / "python"), str(package))


def write_version(package, version):
    (package / "__init__.py").write_text(f'__version__ = "{version}"\n')


def reported(env):
    return [each.what for each in service.look(HOST, env, is_kept=True)]


def test_without_a_record_nothing_is_compared(env):
    assert service.look(HOST, env, is_kept=True) == []
    assert seen.unchanged(env) == []
    assert not os.path.exists(store.path(env))


def test_what_is_as_it_was_recorded_is_silent(env, project, ours):
    service.guard(str(project), env, ours=ours)
    assert reported(env) == []
    assert seen.unchanged(env) == []


def change(ours):
    with open(os.path.join(ours.package, "gate", "decide.py"), "w", encoding="utf-8") as file:
        file.write("x = 2\n")  # of the same size


def cut(ours):
    with open(os.path.join(ours.package, "gate", "packs", "git.toml"), "w", encoding="utf-8"):
        pass


def launch(ours):
    with open(os.path.join(ours.environment, "bin", "edge"), "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\n")


def depend(ours):
    with open(os.path.join(ours.library, "tomlkit", "__init__.py"), "w", encoding="utf-8") as file:
        file.write("y = 1\n")


def add(ours):
    with open(os.path.join(ours.package, "gate", "evil.py"), "w", encoding="utf-8") as file:
        file.write("x")


def take(ours):
    os.unlink(os.path.join(ours.package, "gate", "decide.py"))


def remove(ours):
    shutil.rmtree(ours.package)


def replace(ours):
    remove(ours)
    os.mkdir(ours.package)
    with open(os.path.join(ours.package, "__init__.py"), "w", encoding="utf-8") as file:
        file.write('__version__ = "1.0"\n')


def start_with(ours):
    with open(os.path.join(ours.library, "evil.pth"), "w", encoding="utf-8") as file:
        file.write("import evil")


def customize(ours):
    with open(os.path.join(ours.library, "sitecustomize.py"), "w", encoding="utf-8") as file:
        file.write("import evil")


def relink(ours):
    link = os.path.join(ours.environment, "bin", "python")
    os.unlink(link)
    os.symlink("/bin/sh", link)


@pytest.mark.parametrize(
    ("what", "words"),
    [
        (change, "1 file of Operator's Edge differ"),
        (cut, "gate/packs/git.toml"),
        (add, "gate/evil.py"),
        (take, "gate/decide.py"),
        (remove, "was removed"),
        (replace, "2 files of Operator's Edge differ"),
        (start_with, "evil.pth"),
        (customize, "sitecustomize.py"),
        (launch, "bin/edge"),
        (depend, "tomlkit/__init__.py"),
        (relink, "different Python"),
    ],
)
def test_a_changed_installation_is_reported_at_once_and_until_it_is_repaired(
    env, ours, what, words
):
    service.guard(None, env, ours=ours)
    assert reported(env) == []
    what(ours)
    assert seen.unchanged(env) is None
    (text,) = reported(env)
    assert words in text
    service.acknowledge(env, ours=ours)
    assert reported(env) == ([] if what is remove else [text])


def test_compiled_files_do_not_count(env, ours):
    service.guard(None, env, ours=ours)
    os.mkdir(os.path.join(ours.package, "__pycache__"))
    with open(os.path.join(ours.package, "__pycache__", "x.pyc"), "w", encoding="utf-8") as file:
        file.write("x")
    assert reported(env) == []


def test_an_upgrade_is_reported_once_and_recorded_when_the_person_has_read_it(env, ours, tmp_path):
    service.guard(None, env, ours=ours)
    write_version(tmp_path / os.path.relpath(ours.package, tmp_path), "1.1")
    (text,) = reported(env)
    assert "is 1.1; 1.0 was recorded" in text
    service.acknowledge(env, ours=ours)
    assert reported(env) == []


def test_a_development_installation_is_not_compared_by_content(env, ours):
    os.unlink(os.path.join(ours.library, "operators_edge-1.0.dist-info", "RECORD"))
    service.guard(None, env, ours=ours)
    change(ours)
    assert reported(env) == []
    remove(ours)
    assert len(reported(env)) == 1


def test_an_installation_does_not_become_one_for_development_by_losing_its_list(env, ours):
    service.guard(None, env, ours=ours)
    os.unlink(os.path.join(ours.library, "operators_edge-1.0.dist-info", "RECORD"))
    change(ours)
    assert len(reported(env)) == 1


def test_two_installations_watch_each_other(env, ours, tmp_path):
    service.guard(None, env, ours=ours)
    other = tmp_path / "other" / "operators_edge"
    other.mkdir(parents=True)
    write_version(other, "1.0")
    service.adopt(None, env, ours=installed_at("/usr/bin/python3", str(other)))
    change(ours)
    assert len(reported(env)) == 1


def test_a_project_whose_wiring_is_gone_is_reported_until_it_is_back_or_given_up(env, project):
    service.guard(str(project), env)
    (project / "settings").unlink()
    assert seen.unchanged(env) is None
    (one,) = service.look(HOST, env, is_kept=True)
    assert one.what == f"{project} is not guarded any more: no settings run the gate"
    assert one.run.startswith(f"cd {project} && edge init")
    service.acknowledge(env)
    assert service.look(HOST, env, is_kept=True) == [one]
    (project / "settings").write_text("on")
    assert reported(env) == []
    (project / "settings").unlink()
    service.unguard(str(project), env)
    assert reported(env) == []


def test_a_deleted_log_is_reported(env, project):
    service.guard(str(project), env)
    folder = os.path.join(os.path.dirname(store.path(env)), "projects")
    os.makedirs(os.path.join(folder, project_id(str(project))))
    with open(
        os.path.join(folder, project_id(str(project)), "head.json"), "w", encoding="utf-8"
    ) as file:
        file.write("{}")
    (text,) = reported(env)
    assert "was deleted (.proof)" in text
    (project / ".proof").mkdir()
    assert reported(env) == []


def test_a_file_that_leads_git_to_another_configuration_is_reported(env, project):
    service.guard(str(project), env)
    (project / ".git").mkdir(exist_ok=True)
    assert reported(env) == []
    (project / ".git" / "commondir").write_text("../elsewhere\n")
    (text,) = reported(env)
    assert "another configuration and other hooks" in text


def test_a_project_that_moved_is_reported_for_a_week_and_forgotten_when_the_person_has_read_it(
    env, project, tmp_path
):
    service.guard(str(project), env)
    project.rename(tmp_path / "shop2")
    assert "no longer exists" in reported(env)[0]
    kept = store.read(env)["projects"][str(project)]
    assert datetime.now(UTC) - datetime.fromisoformat(kept["gone_at"]) < timedelta(minutes=1)
    store.change(
        env,
        lambda record: record["projects"][str(project)].update(gone_at="2020-01-01T00:00:00+00:00"),
    )
    assert reported(env) == []
    service.acknowledge(env)
    assert store.read(env)["projects"] == {}


def test_many_projects_that_are_gone_are_told_in_one_line(env, tmp_path):
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
        service.guard(str(tmp_path / name), env)
        (tmp_path / name).rmdir()
    (line,) = reported(env)
    assert line.startswith(f"3 guarded projects no longer exist, such as {tmp_path / 'a'}")


def test_a_session_adopts_what_is_not_recorded_and_changes_nothing_else(env, project, ours):
    service.adopt(str(project), env, ours=ours)
    with open(store.path(env), "rb") as file:
        before = file.read()
    change(ours)
    service.adopt(str(project), env, ours=ours)
    with open(store.path(env), "rb") as file:
        assert file.read() == before
    assert len(reported(env)) == 1


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
def test_a_folder_of_the_persons_that_moved_behind_a_link_is_no_change(env, project):
    service.guard(str(project), env)
    folder = os.path.dirname(store.path(env))
    os.rename(folder, f"{folder}-elsewhere")
    os.symlink(f"{folder}-elsewhere", folder)
    assert reported(env) == []


def test_a_record_that_was_changed_by_hand_is_reported_and_begun_again(env, project):
    service.guard(str(project), env)
    kept = json.loads(files.read_bytes(store.path(env)))
    kept["projects"] = {}
    with open(store.path(env), "w", encoding="utf-8") as file:
        json.dump(kept, file)
    (one,) = service.look(HOST, env, is_kept=True)
    assert "was changed by something other" in one.what
    service.guard(str(project), env)
    assert reported(env) == []


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"installations": 3}'])
def test_a_record_that_cannot_be_read_is_reported(env, project, text):
    service.guard(str(project), env)
    with open(store.path(env), "w", encoding="utf-8") as file:
        file.write(text)
    (one,) = service.look(HOST, env, is_kept=True)
    assert "edge init" in one.run
    service.guard(str(project), env)
    assert reported(env) == []


def test_what_a_resident_noticed_is_reported_until_the_person_has_read_it(env, project):
    service.guard(str(project), env)
    service.notice("Operator's Edge 1.0 was replaced", env)
    assert reported(env)[0].endswith("UTC: Operator's Edge 1.0 was replaced")
    service.acknowledge(env)
    assert reported(env) == []


@for_each(
    "kept", ["", "{", "seen 1\0", "seen 2\0x\x000\0", "seen 1\0x\x002\0/a\0", "seen 1\0x\0many\0"]
)
def test_a_damaged_note_of_the_last_comparison_makes_it_again(env, project, kept):
    service.guard(str(project), env)
    service.look(HOST, env, is_kept=True)
    with open(seen.path(env), "w", encoding="utf-8") as file:
        file.write(kept)
    assert seen.unchanged(env) is None


def test_a_change_of_the_state_does_not_make_the_comparison_again(env, project):
    service.guard(str(project), env)
    service.look(HOST, env, is_kept=True)
    (project / "active_context.yaml").write_text("objective: another\n")
    assert seen.unchanged(env) == []
    shutil.move(project, f"{project} elsewhere")
    assert seen.unchanged(env) is None


def test_a_log_that_was_deleted_makes_the_comparison_again(env, project):
    (project / ".proof").mkdir()
    service.guard(str(project), env)
    service.look(HOST, env, is_kept=True)
    assert seen.unchanged(env) == []
    (project / ".proof").rmdir()
    assert seen.unchanged(env) is None


def test_a_note_of_the_last_comparison_keeps_any_path_and_text(env):
    odd = os.fsdecode(b"/a\xff\n b")
    kept = seen.Seen([odd, "/b"], seen.stamp([odd, "/b"]), [seen.Difference("a\nb", "edge init")])
    os.makedirs(os.path.dirname(seen.path(env)))
    store.write_seen(kept, env)
    with open(os.path.join(os.path.dirname(seen.path(env)), "integrity.json"), "w") as file:
        file.write("{}")
    assert seen.unchanged(env) == kept.found
