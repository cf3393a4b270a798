"""The shapes as the real clients sent them."""

import pytest

from operators_edge.hosts.claude import todos

TODO_WRITE = {
    "todos": [
        {"content": "one", "status": "completed", "activeForm": "Doing one"},
        {"content": "two", "status": "pending", "activeForm": "Doing two"},
    ]
}
UPDATED = {"success": True, "taskId": "1", "updatedFields": ["status"]}


def one(**item):
    return {"all": False, "items": [item]}


def test_a_whole_list_is_told_as_one():
    expected = [{"text": "one", "status": "completed"}, {"text": "two", "status": "pending"}]
    response = {"oldTodos": [], "newTodos": TODO_WRITE["todos"]}
    assert todos.of_call("TodoWrite", TODO_WRITE, response) == {"all": True, "items": expected}


def test_a_new_task_has_the_id_that_the_client_answered():
    given = {"subject": "one\nline", "description": "d", "activeForm": "x"}
    response = {"task": {"id": "1", "subject": "one", "description": "d"}}
    assert todos.of_call("TaskCreate", given, response) == one(
        id="1", text="one line", status="pending"
    )


@pytest.mark.parametrize(
    ("given", "item"),
    [
        ({"status": "in_progress"}, {"status": "in_progress"}),
        ({"status": "completed"}, {"status": "completed"}),
        ({"status": "deleted"}, {"status": "deleted"}),
        ({"subject": "two b"}, {"text": "two b"}),
    ],
)
def test_an_update_tells_what_is_new(given, item):
    assert todos.of_call("TaskUpdate", {"taskId": "1", **given}, UPDATED) == one(id="1", **item)


@pytest.mark.parametrize(
    ("tool", "given", "response"),
    [
        ("TaskUpdate", {"taskId": "9", "status": "completed"}, {"success": False, "taskId": "9"}),
        ("TaskUpdate", {"taskId": "1", "addBlocks": ["2"]}, UPDATED),
        ("TaskUpdate", {"status": "completed"}, UPDATED),
        ("TaskCreate", {"subject": "one"}, None),
        ("TaskCreate", {}, {"task": {"id": "1"}}),
        ("TodoWrite", {"todos": "none"}, {}),
        ("TodoWrite", "odd", {}),
        ("Bash", TODO_WRITE, {}),
    ],
)
def test_a_call_that_changed_no_todo_tells_nothing(tool, given, response):
    assert todos.of_call(tool, given, response) is None


def test_a_list_is_bounded_and_odd_items_are_left_out():
    given = {"todos": [None, {"content": ""}, *({"content": f"t{n}"} for n in range(500))]}
    told = todos.of_call("TodoWrite", given, {})
    assert told is not None
    assert len(told["items"]) == todos.ITEMS_KEPT - 2
    assert told["items"][0] == {"text": "t0", "status": "pending"}
