"""Python programs that change services or publish models by way of libraries."""

# ruff: noqa: E501 - programs
from __future__ import annotations

from tests.tables import for_each

from operators_edge.shell.code.interpreters import find_calls

PUBLISHED = {
    "a trainer": "from transformers import Trainer\nt = Trainer(model=m)\nt.push_to_hub()",
    "an option": "from transformers import TrainingArguments\na = TrainingArguments('out', push_to_hub=True)",
    "a data set": "from datasets import Dataset\nDataset.from_dict({}).push_to_hub('a/b')",
    "a folder": "from huggingface_hub import HfApi\napi = HfApi()\napi.upload_folder(folder_path='x', repo_id='a/b')",
    "a function": "from huggingface_hub import upload_file\nupload_file(path_or_fileobj='x', repo_id='a/b')",
    "another hub": "import kagglehub\nkagglehub.dataset_upload('a/b', 'x')",
    "something else's": "def save(model):\n    model.push_to_hub('a/b', private=False)\nsave(x)",
}
KEPT = {
    "saved": "from transformers import Trainer\nt = Trainer(model=m)\nt.save_model('out')",
    "switched off": "from transformers import TrainingArguments\na = TrainingArguments('out', push_to_hub=False)",
    "fetched": "from huggingface_hub import hf_hub_download\nhf_hub_download('a/b', 'x')",
    "a test": "import pytest\nfrom unittest import mock\ndef test_it(m):\n    m.push_to_hub('a/b')",
}
MESSAGES = {
    "a push": "from firebase_admin import messaging\nmessaging.send(messaging.Message(topic='all'))",
    "a mail": "import resend\nresend.Emails.send({'to': 'a'})",
    "an SMS": "import messagebird\nc = messagebird.Client('k')\nc.message_create('a', 'b', 'c')\nc.send_message('x')",
    "a record": "import cloudflare\nc = cloudflare.Cloudflare()\nc.dns.records.delete('x')",
}


def programs(code):
    return {
        one.words[0] for one in find_calls("python3", ("python3", "-c", code), None) if one.words
    }


@for_each("code", PUBLISHED.values(), PUBLISHED)
def test_a_model_that_is_pushed_to_a_hub_is_published(code):
    assert "huggingface-cli" in programs(code)


@for_each("code", KEPT.values(), KEPT)
def test_a_model_that_stays_here_is_not(code):
    assert programs(code) == set()


@for_each("code", MESSAGES.values(), MESSAGES)
def test_a_library_of_a_service_changes_something_there(code):
    assert programs(code) == {"curl"}


def test_the_databases_of_a_service_that_is_emulated_do_not_count():
    code = "from firebase_admin import firestore\nfirestore.client().document('x').delete()"
    assert programs(code) == set()
