import copy
import json

import pytest
from tests import repository
from tests.tables import for_each

from operators_edge.containment import store
from operators_edge.containment.policy import Surroundings, policy_of
from operators_edge.errors import AnswerIsNo
from operators_edge.hosts.claude import environment, sandbox, wiring
from operators_edge.hosts.claude.install import Installation
from operators_edge.hosts.claude.settings_files import SettingsFile

RUNNER = wiring.Runner("/opt/py/bin/python", "/opt/lib/operators_edge/hook.py", "/bin/timeout")
HOOKS = wiring.hooks("exec", RUNNER)


def made(root, **more):
    around = Surroundings(
        str(root), f"{root}/.git", "/home/ann/own", ("/opt/edge",), "/home/ann/cache"
    )
    return policy_of(around._replace(**more), ["pypi.example"])


POLICY = made("/home/ann/shop")


class Desk:
    """A project whose installation is put in and taken out."""

    def __init__(self, tmp_path, env):
        self.root = tmp_path / "work"
        repository.make(self.root)
        self.home, self.env = tmp_path / "home", env
        self.policy = made(self.root)
        self.settings = self.root / ".claude" / "settings.local.json"
        self.exclude = self.root / ".git" / "info" / "exclude"

    def at(self):
        return Installation("local", str(self.root), home=str(self.home), env=self.env)

    def plan(self, policy, hooks=HOOKS):
        exclude = environment.exclude_file(str(self.root))
        return self.at().plan(hooks, permissions=wiring.PERMISSIONS, exclude=exclude, policy=policy)

    def put_in(self, policy, hooks=HOOKS):
        plan = self.plan(policy, hooks)
        self.at().apply(plan)
        return plan

    def take_out(self):
        here = self.at()
        here.remove(here.plan_removal(environment.exclude_file(str(self.root))))

    def value(self):
        return json.loads(self.settings.read_text())

    def files(self):
        folders = (self.root, self.home)
        found = (path for base in folders for path in base.rglob("*") if path.is_file())
        return {str(path): path.read_bytes() for path in found}


@pytest.fixture
def desk(tmp_path, fenced):
    return Desk(tmp_path, {"HOME": fenced, "XDG_STATE_HOME": str(tmp_path / "state")})


OWN = {
    "nothing": None,
    "a sandbox of their own": (
        '{"sandbox": {"enabled": true, "network": {"allowedDomains": ["their.example"]}},\n'
        ' "env": {"THEIRS": "1"}}'
    ),
}


@pytest.mark.parametrize("content", OWN.values(), ids=OWN.keys())
def test_containment_comes_and_goes_without_a_trace(desk, content):
    if content is not None:
        desk.settings.parent.mkdir()
        desk.settings.write_text(content)
    before = desk.files()
    desk.put_in(desk.policy)
    assert store.load(str(desk.root), desk.env) == desk.policy
    assert desk.value()["sandbox"]["failIfUnavailable"] is True
    desk.take_out()
    assert desk.files() == before
    assert store.load(str(desk.root), desk.env) is None


def test_ending_it_leaves_the_hooks_and_what_init_writes_without_it(desk):
    desk.put_in(None)
    plain = desk.files()
    desk.put_in(desk.policy)
    assert desk.files() != plain
    desk.put_in(None)
    assert desk.files() == plain


def test_a_second_time_there_is_nothing_to_do(desk):
    desk.put_in(desk.policy)
    assert desk.plan(desk.policy).needed == []


def test_another_list_of_hosts_replaces_the_first(desk):
    desk.put_in(desk.policy)
    desk.put_in(desk.policy._replace(hosts=("other.example",)))
    assert desk.value()["sandbox"]["network"]["allowedDomains"] == ["other.example"]


def test_what_the_person_changed_since_stays_when_ours_goes(desk):
    desk.put_in(desk.policy)
    value = desk.value()
    value["sandbox"]["network"]["allowedDomains"].append("theirs.example")
    value["env"]["THEIRS"] = "1"
    desk.settings.write_text(json.dumps(value))
    desk.take_out()
    assert desk.value() == {
        "sandbox": {"network": {"allowedDomains": ["theirs.example"]}},
        "env": {"THEIRS": "1"},
    }


def test_a_contradicting_value_of_the_persons_own_is_not_overwritten(desk):
    desk.settings.parent.mkdir()
    desk.settings.write_text('{"sandbox": {"enabled": false}}')
    with pytest.raises(AnswerIsNo, match=r"sandbox\.enabled"):
        desk.plan(desk.policy)


def test_hooks_that_come_from_elsewhere_do_not_keep_the_containment_out(desk):
    desk.put_in(desk.policy, hooks=None)
    assert desk.value().keys() == {"sandbox", "env"}


def test_git_ignores_made_up_names_but_no_file_that_is_there(desk):
    (desk.root / ".mcp.json").write_text("{}")
    desk.put_in(desk.policy)
    lines = desk.exclude.read_text().splitlines()
    assert "/.vscode" in lines
    assert "/.envrc" in lines
    assert "/.mcp.json" not in lines
    (desk.root / ".vscode").mkdir()
    desk.put_in(desk.policy)
    assert "/.vscode" not in desk.exclude.read_text().splitlines()


# -- whether the settings hold it ------------------------------------------------------------------


def layers(**changed):
    """The person's three files, ours in the local one; ``changed`` by scope."""
    values = {"user": None, "shared": None, "local": sandbox.settings(POLICY), **changed}
    return [SettingsFile(scope, f"/{scope}.json", value) for scope, value in values.items()]


def local(*keys, value):
    """Our settings with one value changed."""
    settings = copy.deepcopy(sandbox.settings(POLICY))
    table = settings
    for key in keys[:-1]:
        table = table.setdefault(key, {})
    table[keys[-1]] = value
    return settings


def test_our_settings_hold_the_policy():
    assert sandbox.weaknesses(layers(), POLICY) == []


def test_a_file_without_precedence_changes_no_single_value():
    assert sandbox.weaknesses(layers(shared={"sandbox": {"enabled": False}}), POLICY) == []


def test_what_a_person_allows_in_all_projects_is_theirs():
    theirs = {
        "sandbox": {
            "network": {"allowedDomains": ["x.example"]},
            "filesystem": {"allowWrite": ["/x"]},
        }
    }
    assert sandbox.weaknesses(layers(user=theirs), POLICY) == []


@for_each(
    ("files", "word"),
    [
        (layers(local={}), "sandbox.enabled is missing"),
        (
            layers(managed={"sandbox": {"enabled": False}}),
            "sandbox.enabled is false in /managed.json",
        ),
        (layers(local=local("sandbox", "enabled", value=False)), "sandbox.enabled is false"),
        (layers(local=local("sandbox", "enabled", value="no")), "sandbox.enabled is no"),
        (layers(local=local("sandbox", "failIfUnavailable", value=False)), "failIfUnavailable"),
        (
            layers(local=local("sandbox", "allowUnsandboxedCommands", value=True)),
            "allowUnsandboxed",
        ),
        (layers(user={"sandbox": {"excludedCommands": ["bash:*"]}}), "runs commands outside"),
        (layers(shared={"sandbox": {"filesystem": {"allowWrite": ["/"]}}}), "makes / writable"),
        (layers(shared={"sandbox": {"filesystem": {"allowRead": ["~/x"]}}}), "makes ~/x readable"),
        (layers(shared={"sandbox": {"network": {"allowedDomains": ["*"]}}}), "allows the host *"),
        (
            layers(shared={"sandbox": {"network": {"allowAllUnixSockets": True}}}),
            "allowAllUnixSockets",
        ),
        (layers(shared={"sandbox": {"enableWeakerNestedSandbox": True}}), "enableWeakerNested"),
        (layers(local=local("sandbox", "filesystem", "denyWrite", value=[])), ".proof is missing"),
        (layers(local=local("sandbox", "filesystem", "denyRead", value="x")), "own is missing"),
        (layers(local=[]), "sandbox.enabled is missing"),
    ],
)
def test_every_way_to_contain_less_is_named(files, word):
    assert any(word in each for each in sandbox.weaknesses(files, POLICY))
