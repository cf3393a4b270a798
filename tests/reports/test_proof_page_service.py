"""Writing the page, and checking it later."""

import os
import subprocess
from datetime import UTC, datetime, timedelta, timezone

import pytest
from tests.reports.pages import call, event, page_of, project_at

from operators_edge.errors import AnswerIsNo, UsageError
from operators_edge.reports import proof_page_service as pages, seal


@pytest.fixture
def opened(project):
    found = project_at(project)
    found.log.append_many([event("prompt", preview="Do it"), call(), call(session="s2")])
    return found


def changed(path, before, after):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    assert before in text
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(before, after))


# -- writing ---------------------------------------------------------------------------------------


def test_the_page_is_written_for_its_owner_alone_and_recorded(opened):
    found = pages.write(opened, env={})
    assert found.path == os.path.join(opened.root, ".proof", "proof_viz.html")
    assert os.stat(found.path).st_mode & 0o777 == 0o600
    (entry,) = opened.log.search(event="report_written")
    assert entry["data"]["digest"] == found.digest
    assert entry["session"] is None


def test_a_page_replaces_a_page(opened):
    pages.write(opened, env={})
    opened.log.append(call())
    assert pages.write(opened, env={}).summary.entries == 5


def test_in_the_product_s_own_folder_it_replaces_what_older_versions_wrote(opened):
    path = os.path.join(opened.root, ".proof", pages.PAGE)
    with open(path, "w", encoding="utf-8") as file:
        file.write("<html>of an older version")
    assert pages.write(opened, env={}).path == path
    assert pages.check(path, opened).is_ok


@pytest.mark.parametrize(
    "name", ["notes.html", "page.txt", "none/page.html", "link.html", "dir.html"]
)
def test_nothing_else_is_ever_replaced(opened, name, project):
    for each in ("notes.html", "target"):
        with open(os.path.join(project, each), "w", encoding="utf-8") as file:
            file.write("mine")
    os.symlink("target", os.path.join(project, "link.html"))
    os.mkdir(os.path.join(project, "dir.html"))
    with pytest.raises(UsageError):
        pages.write(opened, path=os.path.join(project, name), env={})
    for each in ("notes.html", "target"):
        with open(os.path.join(project, each), encoding="utf-8") as file:
            assert file.read() == "mine"


def test_a_page_can_be_of_one_session(opened):
    found = page_of(pages.write(opened, selection=pages.Selection(session="s2"), env={}))
    assert found.subjects == ["ls"]
    with pytest.raises(AnswerIsNo, match="session nobody has no entries"):
        pages.write(opened, selection=pages.Selection(session="nobody"), env={})


def test_a_time_without_entries_replaces_no_page(opened):
    before = pages.write(opened, env={})
    later = pages.Selection(since=datetime(2099, 1, 1, tzinfo=UTC))
    with pytest.raises(AnswerIsNo, match="the log since 2099-01-01 00:00 has no entries"):
        pages.write(opened, selection=later, env={})
    assert os.path.getsize(before.path) == before.size


@pytest.mark.parametrize("hours", [0, 2])
def test_a_page_can_begin_at_a_time_and_says_what_is_earlier(opened, hours):
    zone = timezone(timedelta(hours=hours))
    since = datetime(2026, 3, 1, 12 + hours, 0, 15, tzinfo=zone)
    found = page_of(pages.write(opened, selection=pages.Selection(since=since), env={}))
    assert len(found.subjects) == 1
    assert "2 earlier ones are not on this page" in found.section("About this page")


def test_a_page_holds_at_most_so_many_entries_the_last_ones(opened):
    found = pages.write(opened, selection=pages.Selection(most=2), env={})
    assert (found.summary.first, found.summary.last) == (2, 3)


def test_a_page_stays_within_its_bounds_whatever_the_script(opened, monkeypatch):
    text = "\N{HIRAGANA LETTER A}" * 150
    entries = [call(text=f"{n} {text}", output=text, ok=n % 2 == 0) for n in range(60)]
    opened.log.append_many(entries)
    size = pages.write(opened, env={}).size
    for share in (0.95, 0.75):
        monkeypatch.setattr(pages, "MAX_BYTES", int(size * share))
        found = pages.write(opened, env={})
        assert found.size <= size * share
        assert len(page_of(found).subjects) == found.summary.entries


def test_a_secret_of_the_environment_is_hidden_everywhere(opened):
    secret = "hunter2correcthorse9"
    opened.log.append_many([call(text=f"x {secret}"), event("prompt", preview=secret)])
    opened.log.append(event("denied", shown=f"y {secret}", rule=secret))
    found = pages.write(opened, env={"MY_PASSWORD": secret})
    with open(found.path, encoding="utf-8") as file:
        assert secret not in file.read()
    assert found.removed


def test_changed_lines_are_counted_since_the_first_commit(opened, project):
    def git(*words):
        name = ("-c", "user.name=t", "-c", "user.email=t@example.invalid")
        return subprocess.run(
            ["git", *name, *words], cwd=project, check=True, capture_output=True, text=True
        ).stdout.strip()

    git("init", "-q")
    with open(os.path.join(project, "a.py"), "w", encoding="utf-8") as file:
        file.write("one\ntwo\nthree\n")
    git("add", "a.py")
    git("commit", "-qm", "x")
    tree = {"head": git("rev-parse", "HEAD")}
    opened.log.append(event("session_start", "s3", source="startup", tree=tree))
    opened.log.append(call("Edit", "a.py", cwd=opened.root, session="s3"))
    with open(os.path.join(project, "a.py"), "w", encoding="utf-8") as file:
        file.write("three\none\nfour\nfive\n")
    found = page_of(pages.write(opened, env={}))
    assert "a.py" in found.section("What changed")
    assert "+2 -1" in found.section("What changed")


def test_without_the_first_commit_the_page_says_so_and_counts_no_line_as_new(opened, project):
    opened.log.append(event("session_start", "s3", source="startup", tree={"head": "ab" * 20}))
    opened.log.append(call("Edit", "a.py", cwd=opened.root, session="s3"))
    found = page_of(pages.write(opened, env={}))
    assert "git cannot read commit abababababab" in found.section("Could not be found out")
    assert "Lines" not in found.section("What changed")


def test_a_log_that_is_no_chain_is_said_on_the_page(opened):
    changed(os.path.join(opened.root, ".proof", "session_log.jsonl"), "Do it", "Do me")
    found = page_of(pages.write(opened, env={}))
    assert "The log's chain is broken before entry 2" in found.section("Could not be found out")


# -- checking --------------------------------------------------------------------------------------


def test_a_page_is_as_it_was_written_also_after_further_work(opened):
    found = pages.write(opened, env={})
    opened.log.append(call())
    checked = pages.check(found.path, opened)
    assert checked.is_ok, checked
    assert checked.manifest.head.seq == 3


@pytest.mark.parametrize(
    ("before", "after"),
    [("Do it", "Do me"), ("Where it went wrong", "All is well"), ('"hash":"', '"hash":"0')],
)
def test_a_changed_page_is_seen(opened, before, after):
    found = pages.write(opened, env={})
    changed(found.path, before, after)
    checked = pages.check(found.path, opened)
    assert not checked.is_ok
    assert "changed after it was written" in checked.problems[0]


def test_a_changed_page_with_a_new_seal_is_seen(opened):
    found = pages.write(opened, env={})
    changed(found.path, "Do it", "Do me")
    with open(found.path, encoding="utf-8") as file:
        text = file.read()
    with open(found.path, "w", encoding="utf-8") as file:
        file.write(seal.sealed(text.replace(found.digest, "0" * 64)))
    checked = pages.check(found.path, opened)
    assert not checked.is_ok
    assert checked.problems == (
        "This log does not know the page: it was not written from it, or somebody made another one.",
    )


def test_a_changed_log_is_seen(opened):
    found = pages.write(opened, env={})
    changed(os.path.join(opened.root, ".proof", "session_log.jsonl"), "Do it", "Do me")
    checked = pages.check(found.path, opened)
    assert not checked.is_ok
    assert any("was changed" in each for each in checked.problems)


def test_a_log_that_was_cut_before_the_page_s_end_is_seen(opened):
    found = pages.write(opened, env={})
    path = os.path.join(opened.root, ".proof", "session_log.jsonl")
    with open(path, "rb") as file:
        first = file.readline()
    with open(path, "wb") as file:
        file.write(first)
    checked = pages.check(found.path, opened)
    assert not checked.is_ok


def test_a_page_of_another_project_is_not_of_this_one(opened, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    found = pages.write(opened, env={})
    checked = pages.check(found.path, project_at(other))
    assert not checked.is_ok
    assert any("not to other" in each for each in checked.problems)


def test_without_a_log_only_the_page_itself_is_checked_which_is_no_yes(opened):
    found = pages.write(opened, env={})
    checked = pages.check(found.path, None)
    assert (checked.is_ok, checked.problems) == (False, ())
    assert "only its own digest was checked" in checked.notes[0]


def test_what_is_no_page_is_refused(opened, tmp_path):
    (tmp_path / "x.html").write_text("<html>")
    with pytest.raises(AnswerIsNo, match="not a proof page"):
        pages.check(str(tmp_path / "x.html"), opened)
    with pytest.raises(UsageError, match="there is no file"):
        pages.check(str(tmp_path / "y.html"), opened)
