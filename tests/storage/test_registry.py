import json
import multiprocessing
import os
import stat
from datetime import UTC, datetime, timedelta

import pytest

from operators_edge.errors import StateDamaged
from operators_edge.storage.bindings import bind_session
from operators_edge.storage.registry import CODE_ALPHABET, GrantGone, Registry
from operators_edge.system.user_dirs import user_dir

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
def registry(tmp_path, clock, env):
    return Registry(str(tmp_path), clock=clock, env=env)


def grant(registry, ident="g", end=None, tx="given"):
    operation = {"do": "grant", "id": ident, "kind": "allowance", "expires_at": end}
    registry.apply([operation], tx=tx)


def consume(registry, ident="g", tx="used"):
    registry.apply([{"do": "consume", "id": ident}], tx=tx)


def revoke(registry, ident="g", tx="revoked"):
    registry.apply([{"do": "revoke", "id": ident}], tx=tx)


def refuse(registry, session, exact, tx="refused"):
    registry.apply([{"do": "refuse", "session": session, "exact": exact}], tx=tx)


def test_a_grant_is_live_from_its_record_to_its_use(registry):
    assert not registry.is_live("g")
    grant(registry)
    assert registry.is_live("g")
    assert [each["id"] for each in registry.live_grants()] == ["g"]
    consume(registry)
    with pytest.raises(GrantGone):
        consume(registry, tx="another use")
    assert not registry.is_live("g")
    assert registry.live_grants() == ()


def test_a_grant_that_is_used_by_the_same_change_again_is_used_once(registry):
    grant(registry)
    consume(registry)
    consume(registry)
    assert not registry.is_live("g")


def test_a_used_grant_does_not_come_back(registry):
    grant(registry)
    consume(registry)
    grant(registry, tx="given again")
    assert not registry.is_live("g")


def test_a_revoked_grant_is_over_at_once(registry):
    grant(registry)
    revoke(registry)
    assert not registry.is_live("g")
    with pytest.raises(GrantGone):
        consume(registry)
    revoke(registry, tx="revoked again")


def test_of_a_change_that_cannot_be_nothing_happens(registry):
    grant(registry)
    operations = [{"do": "revoke", "id": "g"}, {"do": "consume", "id": "never-given"}]
    with pytest.raises(GrantGone):
        registry.apply(operations, tx="t")
    assert registry.is_live("g")


def test_what_a_withdrawn_change_granted_is_over_and_what_it_used_stays_used(registry):
    grant(registry, "old")
    consume(registry, "old", tx="t")
    grant(registry, "new", tx="t")
    registry.withdraw("t")
    assert registry.live_grants() == ()


def test_a_grant_ends_with_its_wall_clock_time(registry, clock):
    end = (NOON + timedelta(minutes=60)).isoformat()
    grant(registry, end=end)
    clock.forward(minutes=59)
    assert registry.is_live("g")
    clock.forward(minutes=1)
    assert not registry.is_live("g")
    with pytest.raises(GrantGone):
        consume(registry)


def test_expired_grants_are_put_away_and_do_not_return_when_the_clock_goes_back(registry, clock):
    grant(registry, "a", (NOON + timedelta(minutes=1)).isoformat())
    clock.forward(minutes=2)
    grant(registry, "b", tx="the next change")
    clock.now = NOON
    assert not registry.is_live("a")
    assert registry.is_live("b")


@pytest.mark.parametrize("end", ["tomorrow", "2030-01-01T23:00:00", 7])
def test_an_end_that_is_no_time_with_zone_has_passed(registry, end):
    grant(registry, end=end)
    assert not registry.is_live("g")


def _consume(args):
    root, env = args
    try:
        consume(Registry(root, clock=lambda: NOON, env=env), tx=os.urandom(8).hex())
    except GrantGone:
        return False
    return True


def test_of_many_processes_one_uses_a_grant(registry, env):
    grant(registry)
    with multiprocessing.get_context("fork").Pool(8) as pool:
        assert sum(pool.map(_consume, [(registry.root, env)] * 32, chunksize=1)) == 1


def test_a_refusal_holds_for_exactly_its_call_and_session(registry):
    refuse(registry, "s", "exact")
    assert registry.is_refused("s", "exact")
    assert not registry.is_refused("s", "other")
    assert not registry.is_refused("t", "exact")


def test_a_remark_is_made_once_per_session(registry):
    assert registry.first_time("s", "no-plan")
    assert not registry.first_time("s", "no-plan")
    assert registry.first_time("s", "other")
    assert registry.first_time("t", "no-plan")


def test_a_remark_that_cannot_be_kept_is_made(tmp_path, clock):
    (tmp_path / "file").write_text("")
    registry = Registry(str(tmp_path), clock=clock, env={"HOME": str(tmp_path / "file")})
    assert registry.first_time("s", "no-plan")


def test_a_code_is_good_once_for_its_purpose_and_session(registry):
    code = registry.issue_code("dismiss 60", ttl=300, session="s")
    assert len(code) == 6
    assert set(code) <= set(CODE_ALPHABET)
    assert not registry.redeem_code("dismiss 90", code, session="s")
    assert not registry.redeem_code("dismiss 60", code, session="t")
    assert registry.redeem_code("dismiss 60", f" {code.lower()} ", session="s")
    assert not registry.redeem_code("dismiss 60", code, session="s")


def test_a_code_ends_with_its_time(registry, clock):
    code = registry.issue_code("p", ttl=300)
    clock.forward(seconds=300)
    assert not registry.redeem_code("p", code)


def test_a_code_ends_after_three_wrong_tries(registry):
    code = registry.issue_code("p", ttl=300)
    for _ in range(3):
        assert not registry.redeem_code("p", "222222" if code != "222222" else "333333")
    assert not registry.redeem_code("p", code)


def test_a_new_code_replaces_the_older_one(registry):
    old, new = registry.issue_code("p", ttl=300), registry.issue_code("p", ttl=300)
    assert old == new or not registry.redeem_code("p", old)
    assert registry.redeem_code("p", new)


def test_a_code_cannot_be_read_from_the_registry(registry):
    code = registry.issue_code("p", ttl=300)
    with open(os.path.join(registry.folder, "ledger.json"), encoding="utf-8") as file:
        assert code not in file.read()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"grants": []}', '{"grants": {"g": 1}}', "\x00"])
def test_a_damaged_registry_is_never_an_empty_one(registry, text):
    grant(registry)
    path = os.path.join(registry.folder, "ledger.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    asked = (lambda: registry.is_live("g"), lambda: grant(registry, "h"))
    for ask in (*asked, lambda: consume(registry), lambda: revoke(registry)):
        with pytest.raises(StateDamaged) as caught:
            ask()
        assert "No grant counts" in caught.value.hint
    with open(path, encoding="utf-8") as file:
        assert file.read() == text


def test_what_is_old_is_forgotten_and_what_is_live_stays(registry, clock):
    grant(registry, "used")
    grant(registry, "live")
    consume(registry, "used")
    refuse(registry, "s", "exact")
    clock.forward(days=31)
    refuse(registry, "t", "exact")
    assert registry.is_live("live")
    assert not registry.is_refused("s", "exact")
    with open(os.path.join(registry.folder, "ledger.json"), encoding="utf-8") as file:
        assert json.load(file)["spent"] == {}


def test_everything_is_the_users_alone(registry, env):
    grant(registry)
    registry.write_head(1, "h", ["line"])
    bind_session("s", {"root": "/p"}, env=env)
    for folder, folders, files in os.walk(user_dir(env)):
        for name in [*folders, *files]:
            mode = stat.S_IMODE(os.lstat(os.path.join(folder, name)).st_mode)
            assert mode & 0o077 == 0, name


def test_the_head_is_what_was_last_said(registry):
    assert registry.head() is None
    registry.write_head(1, "one", ["x"])
    registry.write_head(2, "two", ["é"])
    assert registry.head() == {"seq": 2, "hash": "two", "lines": ["é"]}


@pytest.mark.parametrize("text", ["", "{}", '{"seq": 1, "hash": 2, "lines": []}', '{"seq": 1}'])
def test_a_damaged_head_is_never_an_absent_one(registry, text):
    registry.write_head(1, "one", [])
    with open(os.path.join(registry.folder, "head.json"), "w", encoding="utf-8") as file:
        file.write(text)
    with pytest.raises(StateDamaged):
        registry.head()


def test_two_projects_know_nothing_of_each_other(registry, tmp_path, clock, env):
    grant(registry)
    assert not Registry(str(tmp_path / "other"), clock=clock, env=env).is_live("g")
