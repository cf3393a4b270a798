from operators_edge.sessions import exchange


def of(*items):
    return [
        {"seq": seq, "session": "s", "who": who, "text": text, "edits": edits}
        for seq, (who, text, edits) in enumerate(items, 1)
    ]


def described(*items):
    return [(each.head, each.text, each.is_spare) for each in exchange.lines(of(*items))]


def test_the_request_and_the_answer_that_ended_the_work_stand_before_small_talk():
    assert described(
        ("person", "split the module", 2),
        ("agent", "half of it is split", 2),
        ("person", "thanks", 0),
        ("agent", "you are welcome, as always", 0),
    ) == [
        ("Asked", "split the module", False),
        ("Answered", "half of it is split", False),
        ("Asked last", "thanks", True),
        ("Answered", "you are welcome, as always", True),
    ]


def test_of_many_requests_the_first_and_those_with_work_or_limits_are_shown():
    chat = [("person", f"tell me something about module {n}", 0) for n in range(6)]
    texts = [
        text
        for _, text, _ in described(
            ("person", "port the importer to the new one", 0),
            ("person", "the schema must not change at all", 0),
            *chat,
            ("person", "continue with the orders now", 3),
        )
    ]
    assert texts == [
        "port the importer to the new one",
        "the schema must not change at all",
        "tell me something about module 5",
        "continue with the orders now",
    ]


def test_a_subagents_report_is_shown_until_the_agent_has_answered():
    report = ("subagent", "the leak is in the pool", 0)
    assert ("A subagent reported", report[1], False) in described(report)
    assert described(report, ("agent", "fixed", 1)) == [("Answered", "fixed", False)]
