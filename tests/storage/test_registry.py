import json
import multiprocessing
import os
import stat
from datetime import UTC, datetime, timedelta

import pytest

from operators_edge.errors import StateDamaged
from operators_edge.storage import registry
from operators_edge.storage.registry import GrantGone, Ledger

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)


class Clock:
    def __init__(self):
        self.now = NOON

    def __call__(self):
        return self.now

    def forward(self, **by):
        self.now += timedelta(**by)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def env(tmp_path):
    return {"HOME": str(tmp_path / "home")}


@pytest.fixture
def ledger(tmp_path, clock, env):
    return Ledger(str(tmp_path), clock=clock, env=env)


def grant(ledger, ident="g", end=None, tx="given"):
    operation = {"do": "grant", "id": ident, "kind": "allowance", "expires_at": end}
    ledger.apply([operation], tx=tx)


def consume(ledger, ident="g", tx="used"):
    ledger.apply([{"do": "consume", "id": ident}], tx=tx)


def revoke(ledger, ident="g", tx="revoked"):
    ledger.apply([{"do": "revoke", "id": ident}], tx=tx)


def refuse(ledger, session, exact, tx="refused"):
    ledger.apply([{"do": "refuse", "session": session, "exact": exact}], tx=tx)


def test_a_grant_is_live_from_its_record_to_its_use(ledger):
    assert not ledger.live("g")
    grant(ledger)
    assert ledger.live("g")
    assert [each["id"] for each in ledger.list()] == ["g"]
    consume(ledger)
    with pytest.raises(GrantGone):
        consume(ledger, tx="another use")
    assert not ledger.live("g")
    assert ledger.list() == ()


def test_a_grant_that_is_used_by_the_same_change_again_is_used_once(ledger):
    grant(ledger)
    consume(ledger)
    consume(ledger)
    assert not ledger.live("g")


def test_a_used_grant_does_not_come_back(ledger):
    grant(ledger)
    consume(ledger)
    grant(ledger, tx="given again")
    assert not ledger.live("g")


def test_a_revoked_grant_is_over_at_once(ledger):
    grant(ledger)
    revoke(ledger)
    assert not ledger.live("g")
    with pytest.raises(GrantGone):
        consume(ledger)
    revoke(ledger, tx="revoked again")


def test_of_a_change_that_cannot_be_nothing_happens(ledger):
    grant(ledger)
    operations = [{"do": "revoke", "id": "g"}, {"do": "consume", "id": "never-given"}]
    with pytest.raises(GrantGone):
        ledger.apply(operations, tx="t")
    assert ledger.live("g")


def test_what_a_withdrawn_change_granted_is_over_and_what_it_used_stays_used(ledger):
    grant(ledger, "old")
    consume(ledger, "old", tx="t")
    grant(ledger, "new", tx="t")
    ledger.withdraw("t")
    assert ledger.list() == ()


def test_a_grant_ends_with_its_wall_clock_time(ledger, clock):
    end = (NOON + timedelta(minutes=60)).isoformat()
    grant(ledger, end=end)
    clock.forward(minutes=59)
    assert ledger.live("g")
    clock.forward(minutes=1)
    assert not ledger.live("g")
    with pytest.raises(GrantGone):
        consume(ledger)


def test_expired_grants_are_put_away_and_do_not_return_when_the_clock_goes_back(ledger, clock):
    grant(ledger, "a", (NOON + timedelta(minutes=1)).isoformat())
    clock.forward(minutes=2)
    grant(ledger, "b", tx="the next change")
    clock.now = NOON
    assert not ledger.live("a")
    assert ledger.live("b")


@pytest.mark.parametrize("end", ["tomorrow", "2030-01-01T23:00:00", 7])
def test_an_end_that_is_no_time_with_zone_has_passed(ledger, end):
    grant(ledger, end=end)
    assert not ledger.live("g")


def _consume(args):
    root, env = args
    try:
        consume(Ledger(root, clock=lambda: NOON, env=env), tx=os.urandom(8).hex())
    except GrantGone:
        return False
    return True


def test_of_many_processes_one_uses_a_grant(ledger, env):
    grant(ledger)
    with multiprocessing.get_context("fork").Pool(8) as pool:
        assert sum(pool.map(_consume, [(ledger.root, env)] * 32, chunksize=1)) == 1


def test_a_refusal_holds_for_exactly_its_call_and_session(ledger):
    refuse(ledger, "s", "exact")
    assert ledger.is_refused("s", "exact")
    assert not ledger.is_refused("s", "other")
    assert not ledger.is_refused("t", "exact")


def test_a_remark_is_made_once_per_session(ledger):
    assert ledger.first_time("s", "no-plan")
    assert not ledger.first_time("s", "no-plan")
    assert ledger.first_time("s", "other")
    assert ledger.first_time("t", "no-plan")


def test_a_remark_that_cannot_be_kept_is_made(tmp_path, clock):
    (tmp_path / "file").write_text("")
    ledger = Ledger(str(tmp_path), clock=clock, env={"HOME": str(tmp_path / "file")})
    assert ledger.first_time("s", "no-plan")


def test_a_code_is_good_once_for_its_purpose_and_session(ledger):
    code = ledger.issue_code("dismiss 60", ttl=300, session="s")
    assert len(code) == 6
    assert set(code) <= set(registry.CODE_ALPHABET)
    assert not ledger.redeem_code("dismiss 90", code, session="s")
    assert not ledger.redeem_code("dismiss 60", code, session="t")
    assert ledger.redeem_code("dismiss 60", f" {code.lower()} ", session="s")
    assert not ledger.redeem_code("dismiss 60", code, session="s")


def test_a_code_ends_with_its_time(ledger, clock):
    code = ledger.issue_code("p", ttl=300)
    clock.forward(seconds=300)
    assert not ledger.redeem_code("p", code)


def test_a_code_ends_after_three_wrong_tries(ledger):
    code = ledger.issue_code("p", ttl=300)
    for _ in range(3):
        assert not ledger.redeem_code("p", "222222" if code != "222222" else "333333")
    assert not ledger.redeem_code("p", code)


def test_a_new_code_replaces_the_older_one(ledger):
    old, new = ledger.issue_code("p", ttl=300), ledger.issue_code("p", ttl=300)
    assert old == new or not ledger.redeem_code("p", old)
    assert ledger.redeem_code("p", new)


def test_a_code_cannot_be_read_from_the_ledger(ledger):
    code = ledger.issue_code("p", ttl=300)
    with open(os.path.join(ledger.folder, "ledger.json"), encoding="utf-8") as file:
        assert code not in file.read()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"grants": []}', '{"grants": {"g": 1}}', "\x00"])
def test_a_damaged_ledger_is_never_an_empty_one(ledger, text):
    grant(ledger)
    path = os.path.join(ledger.folder, "ledger.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    asked = (lambda: ledger.live("g"), lambda: grant(ledger, "h"))
    for ask in (*asked, lambda: consume(ledger), lambda: revoke(ledger)):
        with pytest.raises(StateDamaged) as caught:
            ask()
        assert "No grant counts" in caught.value.hint
    with open(path, encoding="utf-8") as file:
        assert file.read() == text


def test_what_is_old_is_forgotten_and_what_is_live_stays(ledger, clock):
    grant(ledger, "used")
    grant(ledger, "live")
    consume(ledger, "used")
    refuse(ledger, "s", "exact")
    clock.forward(days=31)
    refuse(ledger, "t", "exact")
    assert ledger.live("live")
    assert not ledger.is_refused("s", "exact")
    with open(os.path.join(ledger.folder, "ledger.json"), encoding="utf-8") as file:
        assert json.load(file)["spent"] == {}


def test_everything_is_the_users_alone(ledger, env):
    grant(ledger)
    ledger.write_head(1, "h", ["line"])
    registry.bind_session("s", {"root": "/p"}, env=env)
    for folder, folders, files in os.walk(registry.user_dir(env)):
        for name in [*folders, *files]:
            mode = stat.S_IMODE(os.lstat(os.path.join(folder, name)).st_mode)
            assert mode & 0o077 == 0, name


def test_the_head_is_what_was_last_said(ledger):
    assert ledger.head() is None
    ledger.write_head(1, "one", ["x"])
    ledger.write_head(2, "two", ["é"])
    assert ledger.head() == {"seq": 2, "hash": "two", "lines": ["é"]}


@pytest.mark.parametrize("text", ["", "{}", '{"seq": 1, "hash": 2, "lines": []}', '{"seq": 1}'])
def test_a_damaged_head_is_never_an_absent_one(ledger, text):
    ledger.write_head(1, "one", [])
    with open(os.path.join(ledger.folder, "head.json"), "w", encoding="utf-8") as file:
        file.write(text)
    with pytest.raises(StateDamaged):
        ledger.head()


def test_two_projects_know_nothing_of_each_other(ledger, tmp_path, clock, env):
    grant(ledger)
    assert not Ledger(str(tmp_path / "other"), clock=clock, env=env).live("g")


@pytest.mark.parametrize(
    "session",
    ["0aa33df8-fd5a-4d32-8b84-9a187d7ac25c", "../../evil", "a/b", "\0", "x" * 9000, "ü", ""],
)
def test_a_binding_is_found_again_and_stays_in_its_folder(env, session):
    assert registry.session_binding(session, env=env) is None
    registry.bind_session(session, {"root": "/p", "pid": 7}, env=env)
    assert registry.session_binding(session, env=env)["pid"] == 7
    folder = os.path.join(registry.user_dir(env), "sessions")
    assert len(os.listdir(folder)) == 1
    assert os.listdir(registry.user_dir(env)) == ["sessions"]


def test_all_bindings_are_listed(env):
    assert registry.session_bindings(env=env) == []
    for name in ("a", "b"):
        registry.bind_session(name, {"root": f"/{name}"}, env=env)
    assert {record["root"] for record in registry.session_bindings(env=env)} == {"/a", "/b"}


def test_another_sessions_binding_is_not_taken_for_ours(env):
    registry.bind_session("a", {}, env=env)
    folder = os.path.join(registry.user_dir(env), "sessions")
    (name,) = os.listdir(folder)
    registry.bind_session("b", {}, env=env)
    (other,) = set(os.listdir(folder)) - {name}
    os.replace(os.path.join(folder, name), os.path.join(folder, other))
    with pytest.raises(StateDamaged, match="another session"):
        registry.session_binding("b", env=env)


def test_a_damaged_binding_is_said(env):
    registry.bind_session("a", {}, env=env)
    folder = os.path.join(registry.user_dir(env), "sessions")
    (name,) = os.listdir(folder)
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write("{")
    with pytest.raises(StateDamaged):
        registry.session_binding("a", env=env)
    with pytest.raises(StateDamaged):
        registry.session_bindings(env=env)


def test_bindings_of_a_month_ago_are_removed_by_the_next_one(env):
    registry.bind_session("old", {}, env=env)
    folder = os.path.join(registry.user_dir(env), "sessions")
    (name,) = os.listdir(folder)
    os.utime(os.path.join(folder, name), (0, 0))
    registry.bind_session("new", {}, env=env)
    assert registry.session_binding("old", env=env) is None
    assert registry.session_binding("new", env=env) is not None
