import pytest

from operators_edge.evidence import objective_facts, said
from operators_edge.evidence.session_facts import tool_entry
from operators_edge.storage.log import prepared_entry

ROOT = "/p"


def entry(seq, event, session="s", **data):
    return {"seq": seq, "event": event, "session": session, "data": data}


def edit(seq, name="a.py"):
    return {
        "seq": seq,
        "event": "tool",
        "tool": "Write",
        "session": "s",
        "file_touched": f"{ROOT}/{name}",
        "data": {},
    }


def folded(*entries):
    return objective_facts.fold(objective_facts.new_facts(ROOT), entries)


def test_work_belongs_to_the_request_before_it_and_to_what_was_said_after_it():
    work = folded(
        entry(1, "prompt", preview="do this"),
        edit(2),
        entry(3, "stop", said="done"),
        entry(4, "prompt", preview="what is left?"),
        entry(5, "stop", said="nothing"),
    )
    assert [(each["text"], each["edits"]) for each in work["said"]] == [
        ("do this", 1),
        ("done", 1),
        ("what is left?", 0),
        ("nothing", 0),
    ]
    assert work["active"] == "s"


@pytest.mark.parametrize("more", ["", " and more" * 100, ' "quoted" \\ \n\u00e9 line'])
@pytest.mark.parametrize("tool", ["CronCreate", "ScheduleWakeup"])
def test_a_scheduled_prompt_is_recognised_as_the_log_has_it(tool, more):
    prompt = f"check again{more}"
    call = {"event": "tool", "tool": tool, "session": "s", "input": {"cron": "*", "prompt": prompt}}
    logged = prepared_entry(tool_entry(call), ())
    work = folded({**logged, "seq": 1}, entry(2, "prompt", preview=prompt[:300]))
    assert isinstance(logged["input_preview"], str)
    assert work["said"] == []


def test_a_scheduled_prompt_that_the_log_has_cut_anywhere_is_read():
    whole = '{"prompt": "a\\u0001\\\\b\\"c"}'
    for length in range(len(whole) + 1):
        said.add_scheduled([], {"input_preview": whole[:length]})


def test_prompts_of_the_host_and_those_that_the_agent_scheduled_are_not_the_persons():
    call = {"seq": 1, "event": "tool", "tool": "CronCreate", "session": "s", "data": {}}
    work = folded(
        {**call, "input_preview": {"prompt": "check again"}},
        entry(2, "prompt", preview="check again"),
        entry(3, "prompt", preview="<task-notification>", notice=True),
    )
    assert work["said"] == []


def test_phrases_go_before_requests_that_led_to_work_and_the_first_one_stays():
    start = [entry(1, "prompt", preview="the task, with its limits, in a few words"), edit(2)]
    chat = [entry(n, "prompt", preview=f"and number {n}?") for n in range(3, 60)]
    kept = [each["text"] for each in folded(*start, *chat)["said"]]
    assert len(kept) == said.KEPT
    assert kept[0].startswith("the task")
    assert kept[-1] == "and number 59?"


def test_what_is_said_again_counts_once_and_keeps_its_work():
    work = folded(entry(1, "prompt", preview="go on"), edit(2), entry(3, "prompt", preview="go on"))
    assert [(each["seq"], each["edits"]) for each in work["said"]] == [(3, 1)]


def test_a_new_objective_takes_over_the_requests_that_its_entry_names():
    carried = said.carried(folded(entry(1, "prompt", preview="old"))["said"], 0)
    work = folded(entry(2, "objective", objective_hash="h", said=carried))
    assert [each["text"] for each in work["said"]] == ["old"]
    assert said.carried(carried, 1) == []
    assert said.adopted("damaged") == said.adopted([{"text": "no more keys"}]) == []
