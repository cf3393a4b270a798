from operators_edge.evidence import last_sessions, session_facts


def entry(session, event="prompt", **data):
    return {"event": event, "session": session, "timestamp": "2030", "data": data}


def folded(entries):
    return last_sessions.fold(last_sessions.new_facts("/r"), entries)


def test_each_session_has_the_facts_that_its_own_entries_add_up_to():
    entries = [entry("a"), entry("b"), entry("a"), entry(None), entry("")]
    kept = folded(entries)
    for session in ("a", "b"):
        alone = session_facts.fold(session_facts.new_facts(session, "/r"), entries)
        assert last_sessions.facts_of(kept, session) == alone
    assert list(kept["known"]) == ["b", "a"]


def test_a_session_without_entries_did_nothing():
    assert last_sessions.facts_of(folded([entry("a")]), "b") == session_facts.new_facts("b", "/r")


def test_a_session_that_was_dropped_is_not_taken_for_a_new_one():
    others = [entry(f"s{number}") for number in range(last_sessions.SESSIONS_KEPT)]
    kept = folded([entry("old"), *others])
    assert len(kept["known"]) == last_sessions.SESSIONS_KEPT
    assert last_sessions.facts_of(kept, "old") is None
    last_sessions.fold(kept, [entry("old")])
    assert last_sessions.facts_of(kept, "old") is None
    last_sessions.fold(kept, [entry("new", "session_start", source="startup"), entry("new")])
    assert last_sessions.facts_of(kept, "new")["turn"] == 1
