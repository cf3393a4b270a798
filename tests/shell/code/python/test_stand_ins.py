"""A test whose library is stood in for reaches nobody; one that may get past the stand-in does."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

CLIENT = (
    "import requests\nimport stripe\n{more}\n"
    "URL = 'https://api.shop.example.com/orders'\n\n"
    "def create(order):\n    return requests.post(URL, json=order)\n\n"
    "def refund(charge):\n    return stripe.Refund.create(charge=charge)\n\n"
    "class Client:\n    def send(self, order):\n        return create(order)\n"
)


def suite(test, client="", **files):
    given = {
        "shop/__init__.py": "",
        "shop/client.py": CLIENT.replace("{more}", client),
        "tests/test_x.py": f"import pytest\nimport requests\nimport stripe\nfrom shop import client\n{test}",
    }
    return given | {name.replace("__", "/") + ".py": text for name, text in files.items()}


AUTO = "@pytest.fixture(autouse=True)\n"
STUB = "monkeypatch.setattr(stripe.Refund, 'create', lambda charge: {'id': 1})"
REFUND = "client.refund('c1')"
CREATE = "client.create({})"
QUIET = {
    "an attribute of a library": suite(f"def test_a(monkeypatch):\n    {STUB}\n    {REFUND}\n"),
    "a fixture for every test": suite(
        f"{AUTO}def fake(monkeypatch):\n    {STUB}\n\ndef test_a():\n    {REFUND}\n"
    ),
    "a fixture of the tests around it": suite(
        f"def test_a(fake):\n    {REFUND}\n",
        tests__conftest=f"import pytest\nimport stripe\n\n@pytest.fixture\n"
        f"def fake(monkeypatch):\n    {STUB}\n",
    ),
    "a fixture that needs another": suite(
        f"@pytest.fixture\ndef fake(monkeypatch):\n    {STUB}\n\n@pytest.fixture\ndef shop(fake):\n"
        f"    return 1\n\ndef test_a(shop):\n    {REFUND}\n"
    ),
    "by way of the module that uses it": suite(
        "def test_a(monkeypatch):\n"
        "    monkeypatch.setattr('shop.client.requests.post', lambda *a, **k: None)\n"
        f"    {CREATE}\n"
    ),
    "a name in the module that uses it": suite(
        f"from unittest.mock import patch\n\n@patch('shop.client.requests')\ndef test_a(fake):\n"
        f"    {CREATE}\n"
    ),
    "a function of the program": suite(
        "from unittest import mock\n\n@mock.patch('shop.client.create', return_value=1)\n"
        f"def test_a(fake):\n    {CREATE}\n"
    ),
    "a method of the program": suite(
        "from unittest import mock\n\n@mock.patch.object(client.Client, 'send')\n"
        "def test_a(fake):\n    client.Client().send({})\n"
    ),
    "a stand-in of pytest-mock": suite(
        f"def test_a(mocker):\n    mocker.patch('requests.post', return_value=None)\n    {CREATE}\n"
    ),
    "responses for a test": suite(
        f"import responses\n\n@responses.activate\ndef test_a():\n"
        f"    responses.post(client.URL)\n    {CREATE}\n"
    ),
    "responses from a fixture": suite(
        "import responses\n\n@pytest.fixture\ndef api():\n    with responses.RequestsMock() as api:\n"
        f"        yield api\n\ndef test_a(api):\n    {CREATE}\n"
    ),
    "the fixture of requests-mock": suite(
        f"def test_a(requests_mock):\n    requests_mock.post(client.URL)\n    {CREATE}\n"
    ),
    "no sockets by the settings": {
        **suite(f"def test_a():\n    {CREATE}\n"),
        "pytest.ini": "[pytest]\naddopts = -q --disable-socket\n",
    },
    "a helper that no test calls": suite(
        f"from shop.client import refund\n\ndef pay():\n    {REFUND}\n\ndef test_a():\n"
        f"    assert client.URL\n"
    ),
}
STOPPED = {
    "nothing stands in": suite(f"def test_a():\n    {REFUND}\n"),
    "after the call": suite(f"def test_a(monkeypatch):\n    {REFUND}\n    {STUB}\n"),
    "for another function": suite(
        f"def test_a(monkeypatch):\n    {STUB.replace('create', 'list')}\n    {REFUND}\n"
    ),
    "in another test": suite(
        f"def test_a(monkeypatch):\n    {STUB}\n\ndef test_b():\n    {REFUND}\n"
    ),
    "in a fixture that is not used": suite(
        f"@pytest.fixture\ndef fake(monkeypatch):\n    {STUB}\n\ndef test_a():\n    {REFUND}\n"
    ),
    "in a file that pytest does not load": suite(
        f"def test_a():\n    {REFUND}\n",
        tests__other__conftest=f"import pytest\nimport stripe\n\n{AUTO}def fake(monkeypatch):\n    {STUB}\n",
    ),
    "under a condition": suite(
        f"def test_a(monkeypatch):\n    if client.URL > 'x':\n        {STUB}\n    {REFUND}\n"
    ),
    "after a way out": suite(
        "import os\n\n@pytest.fixture\ndef fake(monkeypatch):\n    if os.environ.get('LIVE'):\n"
        "        return\n"
        f"    {STUB}\n\ndef test_a(fake):\n    {REFUND}\n"
    ),
    "by the function itself": suite(
        "def test_a(monkeypatch):\n    monkeypatch.setattr(stripe.Refund, 'create', stripe.Refund.create)\n"
        f"    {REFUND}\n"
    ),
    "by one that calls it": suite(
        "REAL = stripe.Refund.create\n\ndef test_a(monkeypatch):\n"
        "    monkeypatch.setattr(stripe.Refund, 'create', lambda charge: REAL(charge=charge))\n"
        f"    {REFUND}\n"
    ),
    "that has been kept under another name": suite(
        f"REAL = stripe.Refund.create\n\ndef test_a(monkeypatch):\n    {STUB}\n    REAL(charge='c1')\n"
    ),
    "that a class has kept": suite(
        f"class Keep:\n    create = stripe.Refund.create\n\ndef test_a(monkeypatch):\n    {STUB}\n"
        "    Keep.create(charge='c1')\n"
    ),
    "that was imported by its own name": suite(
        "from requests import post\n\ndef test_a(monkeypatch):\n"
        "    monkeypatch.setattr('requests.post', lambda *a, **k: None)\n    post(client.URL, json={})\n"
    ),
    "a function that was imported by its own name": suite(
        "from unittest import mock\nfrom shop.client import create\n\n@mock.patch('shop.client.create')\n"
        "def test_a(fake):\n    create({})\n"
    ),
    "a name of another module": suite(
        "from unittest.mock import patch\n\n@patch('shop.other.requests')\n"
        f"def test_a(fake):\n    {CREATE}\n",
        shop__other="import requests\n",
    ),
    "put back": suite(
        f"REAL = stripe.Refund.create\n\ndef test_a(monkeypatch):\n    {STUB}\n"
        f"    stripe.Refund.create = REAL\n    {REFUND}\n"
    ),
    "undone": suite(
        f"def test_a(monkeypatch):\n    {STUB}\n    monkeypatch.undo()\n    {REFUND}\n"
    ),
    "what hands on": suite(
        "import responses\n\n@responses.activate\ndef test_a():\n"
        f"    responses.add_passthru('https://api.shop.example.com')\n    {CREATE}\n"
    ),
    "what wraps": suite(
        "from unittest import mock\n\n@mock.patch('shop.client.requests.post', wraps=requests.post)\n"
        f"def test_a(fake):\n    {CREATE}\n"
    ),
    "another library": suite(
        f"import responses\n\n@responses.activate\ndef test_a():\n    {CREATE}\n    import httpx\n"
        "    httpx.post(client.URL, json={})\n"
    ),
    "before the tests run": suite(
        f"import responses\n\nclient.create({{}})\n\n@responses.activate\ndef test_a():\n    {CREATE}\n"
    ),
    "the fixture of the project has the name": suite(
        f"@pytest.fixture\ndef requests_mock():\n    return 1\n\ndef test_a(requests_mock):\n    {CREATE}\n"
    ),
    "sockets that a test opens again": {
        **suite(f"@pytest.mark.enable_socket\ndef test_a():\n    {CREATE}\n"),
        "pytest.ini": "[pytest]\naddopts = --disable-socket\n",
    },
    "sockets by a program that is started": {
        **suite("import os\n\ndef test_a():\n    os.system(f'curl -X DELETE {client.URL}')\n"),
        "pytest.ini": "[pytest]\naddopts = --disable-socket\n",
    },
    "sockets before the tests": {
        **suite(f"{CREATE}\n\ndef test_a():\n    pass\n"),
        "pytest.ini": "[pytest]\naddopts = --disable-socket\n",
    },
    "sockets after a test": {
        **suite(f"{AUTO}def clean():\n    yield\n    {CREATE}\n\ndef test_a():\n    pass\n"),
        "pytest.ini": "[pytest]\naddopts = --disable-socket\n",
    },
    "functions that are collected by another name": {
        **suite(f"def check_a():\n    {REFUND}\n"),
        "pytest.ini": "[pytest]\npython_functions = check_*\n",
    },
}
OPTIONS = {
    "pytest --disable-socket tests": "allow",
    "python -m pytest --disable-socket tests": "allow",
    "pytest --disable-socket --force-enable-socket tests": "junction",
    "pytest tests --disable-socket --allow-hosts=api.shop.example.com": "junction",
    "pytest --disable-socket -p no:socket tests": "junction",
    "pytest tests --disable-socket $MORE": "junction",
    "pytest -k --disable-socket tests": "junction",
}


@for_each("files", QUIET.values(), QUIET)
def test_what_something_stands_in_for_reaches_nobody(files):
    assert judged("pytest tests/test_x.py", files, committed=tuple(files)).effect == "allow"


@for_each("files", STOPPED.values(), STOPPED)
def test_what_may_get_past_a_stand_in_needs_a_person(files):
    assert judged("pytest tests/test_x.py", files, committed=tuple(files)).effect == "junction"


@for_each(("command", "effect"), OPTIONS.items())
def test_the_options_of_pytest_say_whether_there_are_sockets(command, effect):
    files = suite(f"def test_a():\n    {CREATE}\n")
    assert judged(command, files, committed=tuple(files)).effect == effect


def test_a_stand_in_counts_in_files_alone_that_git_holds():
    assert judged("pytest tests/test_x.py", QUIET["an attribute of a library"]).effect == "junction"


# end of module


STORE = (
    "import pathlib\nROOT = pathlib.Path.home() / '.local' / 'notes'\n\n"
    "def add(title):\n    path = ROOT / f'{title}.md'\n    path.write_text(title)\n"
)
ADDS = "from notes import store\n\ndef test_add(empty):\n    store.add('b')\n"
MOVES = (
    "    root = pathlib.Path(tmp_path) / 'notes'\n    if root.exists():\n        shutil.rmtree(root)\n"
    "    monkeypatch.setattr(store, 'ROOT', root)\n    yield root\n    shutil.rmtree(root)\n"
)


def notes(body, test=ADDS, *, more=""):
    return {
        "notes/__init__.py": "",
        "notes/store.py": STORE,
        "tests/conftest.py": "import pathlib\nimport shutil\nimport pytest\nfrom notes import store\n\n"
        f"@pytest.fixture\ndef empty(monkeypatch, tmp_path):\n{body}{more}",
        "tests/test_store.py": test,
    }


SETS = "monkeypatch.setattr(store, 'ROOT', root)"
MOVED = {
    "a module's path": notes(MOVES),
    "by the name of the module": notes(
        MOVES.replace(SETS, "monkeypatch.setattr('notes.store.ROOT', root)")
    ),
    "as a text": notes("    monkeypatch.setattr(store, 'ROOT', str(tmp_path / 'a'))\n"),
    "for a function that a test imports": notes(
        MOVES,
        ADDS.replace("notes import store", "notes.store import add").replace("store.add", "add"),
    ),
    "in the test": notes(
        "    pass\n",
        "from notes import store\n\ndef test_add(monkeypatch, tmp_path):\n"
        "    monkeypatch.setattr(store, 'ROOT', tmp_path)\n    store.add('b')\n",
    ),
}
NOT_MOVED = {
    "nothing": notes("    pass\n"),
    "bound again": notes(
        MOVES.replace(f"    {SETS}", f"    root = pathlib.Path.home()\n    {SETS}")
    ),
    "in a branch": notes(MOVES.replace(SETS, f"if store:\n        {SETS}")),
    "left before": notes(
        MOVES.replace(f"    {SETS}", f"    if store:\n        return\n    {SETS}")
    ),
    "after the test": notes("    yield\n    monkeypatch.setattr(store, 'ROOT', tmp_path)\n"),
    "to another folder": notes(MOVES.replace("'notes'", "'../../home/me'")),
    "another name": notes(MOVES.replace("'ROOT'", "'FOLDER'")),
    "taken back": notes(
        MOVES,
        ADDS.replace("(empty):", "(empty, monkeypatch):\n    monkeypatch.undo()"),
    ),
    "a folder of another name": notes(
        MOVES, more="\n@pytest.fixture\ndef tmp_path():\n    return pathlib.Path.home()\n"
    ),
    "a test without the fixture": notes(MOVES, ADDS.replace("(empty)", "()")),
    "while the module is loaded": notes(MOVES, "from notes import store\nstore.add('b')\n"),
    "later in the test": notes(
        "    pass\n",
        "from notes import store\n\ndef test_add(monkeypatch, tmp_path):\n    store.add('b')\n"
        "    monkeypatch.setattr(store, 'ROOT', tmp_path)\n",
    ),
}


@for_each("files", MOVED.values(), MOVED)
def test_a_path_that_is_moved_into_the_temporary_folder_of_a_test_may_be_written(files):
    assert judged("python3 -m pytest -q tests", files, committed=tuple(files)).effect == "allow"


@for_each("files", NOT_MOVED.values(), NOT_MOVED)
def test_a_path_that_may_not_be_moved_while_a_test_runs_counts(files):
    assert judged("python3 -m pytest -q tests", files, committed=tuple(files)).effect != "allow"
