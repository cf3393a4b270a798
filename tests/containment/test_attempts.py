import inspect
import json
import os
import socket
import subprocess
import sys

import pytest

from operators_edge.containment import attempts, probe, service
from operators_edge.containment.attempts import Attempt
from operators_edge.containment.policy import Policy

POLICY = Policy("/srv/shop", hidden=("/own",), cache="/cache")


def tried(policy=POLICY, **more):
    given = {"home": "/home/ann", "settings": ["/srv/shop/s"], "product": "/opt/edge", "port": 1}
    given |= {"socket": "/s", "is_linux": True, **more}
    return list(attempts.attempts(policy, **given))


def test_what_has_to_work_is_tried_too():
    assert {each.about for each in tried() if each.may} == {"project", "caches", "git add"}


def test_the_network_is_tried_only_where_it_has_to_fail():
    def kinds(**more):
        return {each.kind for each in tried(**more) if each.about == "network"}

    assert kinds() == {"tcp", "proxy"}
    assert kinds(is_linux=False) == {"proxy"}
    assert kinds(policy=POLICY._replace(hosts=("127.0.0.1",))) == {"tcp"}


ONE, TWO = (
    Attempt("home", "create", "/home/ann", may=False),
    Attempt("project", "create", "/w", may=True),
)


@pytest.mark.parametrize(
    ("results", "found"),
    [
        ({"0": "no", "1": "yes"}, (("home", "project"), (), ())),
        ({"0": "yes", "1": "yes"}, (("project",), ("/home/ann can be written",), ())),
        ({"0": "no", "1": "no"}, (("home",), ("/w cannot be written",), ())),
        ({"0": "no"}, (("home",), (), ("project: no result",))),
        ({"0": "it broke", "1": "yes"}, (("project",), (), ("home: it broke",))),
    ],
)
def test_a_group_holds_only_if_every_attempt_came_out_as_it_has_to(results, found):
    assert attempts.outcome([ONE, TWO], results) == found


def test_one_attempt_that_fails_takes_its_group_along():
    two = [Attempt("home", "create", "/a", may=False), Attempt("home", "create", "/b", may=False)]
    assert attempts.outcome(two, {"0": "yes", "1": "no"}).holds == ()


def test_trying_changes_nothing(tmp_path):
    file = tmp_path / "settings.json"
    file.write_text("{}")
    assert probe.tried("append", str(file)) == "yes"
    assert probe.tried("create", str(tmp_path)) == "yes"
    assert [each.name for each in tmp_path.iterdir()] == ["settings.json"]
    assert file.read_text() == "{}"


def test_what_is_not_there_is_not_tried(tmp_path):
    assert "does not exist" in probe.tried("append", str(tmp_path / "x"))
    assert probe.tried("list", str(tmp_path / "x")) == "no"
    assert "KeyError" in probe.tried("unheard-of", "x")


def test_without_a_proxy_there_is_no_way_by_one(monkeypatch):
    monkeypatch.delenv("http_proxy", raising=False)
    monkeypatch.delenv("HTTP_PROXY", raising=False)
    assert probe.tried("proxy", "127.0.0.1:1") == "no"


@pytest.mark.skipif(
    bool(service.why_not()) or sys.platform != "linux", reason=f"bubblewrap: {service.why_not()}"
)
@pytest.mark.parametrize("is_contained", [True, False])
def test_the_probe_tells_a_contained_command_from_another(project, fenced, tmp_path, is_contained):
    os.makedirs(os.path.join(project, ".proof"))
    policy = service.policy(project)
    os.makedirs(policy.relay)
    os.makedirs(policy.hidden[0], exist_ok=True)
    own = os.path.join(policy.hidden[0], "key")
    with open(own, "w", encoding="utf-8"):
        pass
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_UNIX) as listener,
    ):
        path = os.path.join(fenced, "s")
        listener.bind(path)
        listener.listen()
        state = os.path.join(project, "active_context.yaml")
        found = tried(
            policy,
            home="/usr",
            settings=[state],
            product="/usr/lib",
            port=server.getsockname()[1],
            socket=path,
        )
        found = [each for each in found if each.target != "/usr/lib/hook.py"]
        given = json.dumps([[each.kind, each.target] for each in found])
        # As text: this repository may lie in /tmp, which the command has a private one of.
        python = os.path.realpath(sys.executable)
        words = [python, "-I", "-S", "-c", inspect.getsource(probe), given]
        if is_contained:
            words = service.arguments(policy, words, folder=project, temp=str(tmp_path))
        done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    results = json.loads(done.stdout.removeprefix("EDGE-PROBE "))
    said = attempts.outcome(found, results)
    assert said.untried == ()
    if is_contained:
        assert said.broken == (f"{os.path.dirname(project)} can be written",)  # a private /tmp
    else:
        assert f"{state} can be written" in said.broken
        assert "other programs' sockets can be reached" in said.broken
