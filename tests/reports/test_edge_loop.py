"""The loop: five steps in their order, and none that fails keeps the others from running."""

import itertools

from operators_edge.errors import StateError
from operators_edge.reports import edge_loop
from operators_edge.reports.edge_loop import STEPS, Done


def run(steps):
    begun, clock = [], itertools.count()
    found = [
        *edge_loop.run(
            steps, seconds=lambda: next(clock), begins=lambda n, title: begun.append((n, title))
        )
    ]
    return begun, found


def failing(error):
    def step():
        raise error

    return step


def test_the_steps_run_in_the_order_of_the_contract_and_each_is_announced():
    order = []
    steps = {name: lambda name=name: order.append(name) or Done(name) for name in reversed(STEPS)}
    begun, found = run(steps)
    assert order == ["page", "traceability", "archive", "digest", "server"]
    assert begun == list(enumerate(STEPS.values(), 1))
    assert [each.seconds for each in found] == [1] * 5


def test_a_step_that_fails_is_a_warning_and_the_others_go_on():
    error = StateError("cannot write it", hint="edge doctor")
    steps = {name: failing(error) for name in STEPS} | {"server": failing(OSError(28, "No space"))}
    _, found = run(steps)
    assert [each.done.status for each in found] == ["warning"] * 5
    assert edge_loop.warnings(found) == [
        "Proof page: cannot write it; run: edge doctor",
        "Traceability: cannot write it; run: edge doctor",
        "Archive: cannot write it; run: edge doctor",
        "Digest: cannot write it; run: edge doctor",
        "Dashboard: failed: No space",
    ]


def test_a_result_is_data_with_what_the_step_adds():
    _, found = run(dict.fromkeys(STEPS, lambda: Done("ok", path="a.html", more={"cti": 82.0})))
    assert found[0].as_data() == {
        "step": "page",
        "status": "ok",
        "text": "ok",
        "path": "a.html",
        "seconds": 1,
        "cti": 82.0,
    }
