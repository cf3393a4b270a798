"""What answers for other machines in tests of pytest, and which fixtures hand out the real thing."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

SEND = (
    "import requests\ndef send():\n"
    "    return requests.post('https://hooks.slack.com/services/T/B/x', json={})\n"
)
TEST = "import send\ndef test_it():\n    send.send()\n"
FIXTURE = (
    "import pytest\nimport requests\nimport send\nfrom unittest.mock import Mock, patch\n"
    "@pytest.fixture(autouse=True)\ndef none(monkeypatch):\n"
)
PUT = "    monkeypatch.setattr(send.requests, 'post', fake)\n"
SET_UP = (
    "import unittest\nimport send\nfrom unittest.mock import patch\nclass T(unittest.TestCase):\n"
    "    def setUp(self):\n"
    "        %s\n    def test_it(self):\n        send.send()\n"
)
CLASS = (
    "import pytest\nimport send\nfrom unittest.mock import patch\n%s\nclass TestIt:\n"
    "%s    def test_it(self, post=None):\n        send.send()\n"
)
OF_CLASS = (
    "    @pytest.fixture(autouse=True)\n    def none(self, monkeypatch):\n"
    "        monkeypatch.setattr('send.requests.post', lambda *a, **k: None)\n"
)
ANSWERED = [
    (f"{FIXTURE}    fake = Mock(return_value=None)\n{PUT}", TEST, "allow"),
    (f"{FIXTURE}    fake = Mock()\n    fake.return_value.status_code = 200\n{PUT}", TEST, "allow"),
    (f"{FIXTURE}    fake = requests.post\n{PUT}", TEST, "junction"),
    (f"{FIXTURE}    fake = Mock()\n    fake = requests.post\n{PUT}", TEST, "junction"),
    (f"{FIXTURE}    fake = Mock()\n    fake.side_effect = requests.post\n{PUT}", TEST, "junction"),
    (f"{FIXTURE}    fake = Mock()\n    if send.ON:\n    {PUT}", TEST, "junction"),
    (
        "",
        SET_UP
        % "p = patch('send.requests.post')\n        self.post = p.start()\n        self.addCleanup(p.stop)",
        "allow",
    ),
    ("", SET_UP % "patch('send.requests.post').start()", "allow"),
    ("", SET_UP % "p = patch('send.requests.post')", "junction"),
    ("", SET_UP % "send.send()\n        patch('send.requests.post').start()", "junction"),
    ("", CLASS % ("@patch('send.requests.post')", ""), "allow"),
    ("", CLASS % ("", OF_CLASS), "allow"),
    ("", CLASS % ("", OF_CLASS.replace("(autouse=True)", "")), "junction"),
]
CLIENT = "import pytest\n%s\n@pytest.fixture\ndef one():\n    %s\n"
DROP = "def test_it(one):\n    one.delete_bucket(Bucket='live')\n"
EMPTY = "def test_it(one):\n    one.flushall()\n"
MOTO = "with mock_aws():\n        yield boto3.client('s3')"
HANDED = [
    (CLIENT % ("import boto3", "return boto3.client('s3')"), DROP, "junction"),
    (CLIENT % ("import boto3  # not moto", "yield boto3.Session().client('s3')"), DROP, "junction"),
    (CLIENT % ("import boto3\nfrom moto import mock_aws", MOTO), DROP, "allow"),
    (
        CLIENT % ("import boto3", "return boto3.client('s3', endpoint_url='http://localhost:1')"),
        DROP,
        "allow",
    ),
    (
        CLIENT % ("import redis", "return redis.Redis(host='cache.prod.example.com')"),
        EMPTY,
        "junction",
    ),
    (CLIENT % ("import redis", "return redis.Redis(host='localhost')"), EMPTY, "allow"),
]


@for_each(("fixtures", "tests", "effect"), [*ANSWERED, *HANDED])
def test_what_a_suite_reaches(fixtures, tests, effect):
    files = {"conftest.py": fixtures, "test_it.py": tests, "send.py": SEND}
    assert judged("pytest", files, committed=tuple(files)).effect == effect


CLOUD = "import boto3\nfrom moto import mock_aws\nm = mock_aws(%s)\n"
GO = "boto3.client('s3').delete_bucket(Bucket='x')\n"
STARTED = [
    f"m.start()\n{GO}m.stop()\n",
    f"{GO}m.start()\n",
    f"m.start()\nm.stop()\n{GO}",
    f"m.start()\nm.__exit__(None, None, None)\n{GO}",
]


@for_each("text", STARTED)
def test_a_mock_of_the_cloud_that_is_started_by_hand_may_have_ended(text):
    code = CLOUD % "" + text
    assert judged("python x.py", {"x.py": code}, committed=("x.py",)).effect == "junction"


# end of module
