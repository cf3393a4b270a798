"""Facts that approvals are bound to: compared, described and stored."""

from operators_edge.approvals.binding import bound
from operators_edge.approvals.binding.bound import BoundFact, Difference

URL = BoundFact("url", "origin", "git.example/a", side="target", of="c1")


def test_a_fact_differs_by_what_was_measured_and_not_by_where_it_stands():
    commit = BoundFact("commit", "main", "1" * 40)
    assert bound.differences([URL, commit], [commit, URL]) == []
    moved = commit._replace(value="2" * 40)
    assert bound.differences([URL, commit], [URL, moved]) == [Difference(commit, moved)]
    assert bound.differences([URL], []) == [Difference(URL, None)]
    assert bound.differences([], [URL]) == [Difference(None, URL)]
    assert bound.differences([URL], [])[0].fact == URL


def test_each_difference_is_one_short_sentence():
    def described(before, now):
        return bound.sentence(Difference(before, now))

    file = BoundFact("file", "deploy.sh", digest="a")
    commit = BoundFact("commit", "main", "1" * 40)
    assert described(file, file._replace(digest="b")) == "deploy.sh changed"
    assert described(None, file) == "deploy.sh is new"
    assert described(file, None) == "deploy.sh is gone"
    assert described(commit, None) == "main no longer matters"
    assert (
        described(commit, commit._replace(value="2" * 40))
        == f"main is now {'2' * 10}, was {'1' * 10}"
    )
    assert described(URL, URL._replace(value="evil")) == (
        "the address of origin is now evil, was git.example/a"
    )
    slow = file._replace(digest="", unknown="git was slow")
    assert described(file, slow) == "deploy.sh could not be compared: git was slow"
    line = BoundFact("line", digest="a")
    assert (
        described(line, line._replace(digest="b"))
        == "the commands around it on the line have changed"
    )


def test_what_is_stored_is_read_back_and_what_is_damaged_is_left_out():
    facts = (URL, BoundFact("tree", place="/p", unknown="too slow", stays=False))
    data = bound.as_data(facts)
    assert data[0] == {
        "kind": "url",
        "name": "origin",
        "value": "git.example/a",
        "side": "target",
        "of": "c1",
    }
    assert bound.of_data(data) == facts
    assert bound.of_data([*data, "x", {"name": "no kind"}, {"kind": 3}]) == facts
    assert bound.of_data(None) == ()


def test_many_facts_are_stored_as_few_and_still_differ():
    many = [BoundFact("file", str(number), digest="x") for number in range(100)]
    kept = bound.bounded([*many, URL])
    assert len(kept) <= bound.MAX_FACTS + 2
    assert URL in kept
    many[99] = many[99]._replace(digest="y")
    assert bound.differences(kept, bound.bounded([*many, URL]))
    unknown = bound.bounded([*many[:99], many[99]._replace(unknown="it is gone")])
    assert bound.unknowns(unknown)


def test_a_target_is_named_by_its_address_and_what_is_not_known_of_it():
    place = BoundFact("repository", "", "/p", side="target")
    assert bound.target_text([URL, place]) == "to git.example/a from /p"
    assert bound.address_text([URL, place]) == "git.example/a from /p"
    assert bound.target_text([place]) == "in /p"
    assert bound.address_text([place]) == ""
    unknown = URL._replace(value="", unknown="set on the line")
    assert bound.target_text([unknown]) == "the address of origin not known"
    assert bound.target_text([]) == ""
