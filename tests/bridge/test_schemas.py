"""The published schemas are those of the code."""

from __future__ import annotations

import pytest
from tests.bridge import schemas

from operators_edge.bridge.result import REASONS
from operators_edge.bridge.schemas import of_result, of_task
from operators_edge.bridge.task import FIELDS


@pytest.mark.parametrize("name", schemas.WANTED)
def test_the_published_schema_is_the_codes(name):
    published = (schemas.FOLDER / name).read_text(encoding="utf-8")
    assert published == schemas.text(name), "python -m tests.bridge.schemas"


def test_a_task_names_every_field_with_its_meaning():
    schema = of_task()
    assert set(schema["properties"]) == set(FIELDS)
    assert schema["required"] == ["id", "prompt"]
    assert all(each["description"] for each in schema["properties"].values())


def test_a_result_lists_every_reason():
    reasons = of_result()["properties"]["reason"]["oneOf"]
    assert [each["const"] for each in reasons[1:]] == list(REASONS)
