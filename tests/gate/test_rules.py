"""Rules: loaded fast and right, from a cache that cannot make them wrong; errors that say where."""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import sys

import pytest
from hypothesis import given, strategies as st
from tests.gate.example_project import Machine, judge
from tests.properties import examples
from tests.tables import for_each

from operators_edge.gate import rules as loading
from operators_edge.gate.conditions import CHECKS, Matcher
from operators_edge.gate.examples import judge_example
from operators_edge.gate.invocation import invocation_of
from operators_edge.gate.pack_compiler import compile_packs
from operators_edge.gate.pack_schema import WHEN_KEYS, PackError
from operators_edge.gate.paths import CallContext
from operators_edge.gate.prefilter import TriggerWords, is_suspicious
from operators_edge.gate.rules import PACKS, Rules, compiled_packs, load, needs_parsing, read_packs
from operators_edge.model import Call, Place
from operators_edge.shell.commands import Command, Word

RULE = {
    "id": "own-rule",
    "effect": "block",
    "type": "dangerous",
    "reason": "Because.",
    "instead": "Nothing.",
    "when": [{"program": "frobnicate"}],
    "match": ["frobnicate"],
    "no_match": ["ls"],
}
HEAD = {"name": "own", "summary": "for a test"}


@pytest.fixture
def packs(tmp_path):
    """Two of the packs, as all of them take half a second to compile."""
    folder = tmp_path / "packs"
    folder.mkdir()
    for name in ("filesystem.toml", "git.toml"):
        shutil.copy(os.path.join(PACKS, name), folder)
    return folder


def cache_of(packs):
    return packs / "__pycache__" / "rules.json"


def loaded_again(packs):
    """The rules as another process would load them."""
    loading._loaded.clear()
    return load(str(packs))


def test_the_cache_gives_the_rules_that_the_packs_give(tmp_path):
    packs = tmp_path / "packs"
    shutil.copytree(PACKS, packs, ignore=shutil.ignore_patterns("__pycache__"))
    fresh = load(str(packs))
    assert cache_of(packs).exists()
    kept = loaded_again(packs)
    assert kept is not fresh
    for part in ("names", "globs", "rules", "tools"):
        assert getattr(kept, part) == getattr(fresh, part)
    for part in ("programs", "index", "words"):
        assert dict(kept.compiled[part]) == fresh.compiled[part]
    assert [tuple(each) for each in kept.installed] == fresh.installed


def test_a_changed_pack_is_read_again(packs):
    assert load(str(packs)).rule("own-rule") is None
    pack = packs / "own.toml"
    pack.write_text(
        '[pack]\nname = "own"\nsummary = "x"\n[[rule]]\nid = "own-rule"\neffect = "block"\n'
        'type = "dangerous"\nreason = "r"\ninstead = "i"\nwhen = [{ program = "frobnicate" }]\n'
        'match = ["frobnicate"]\nno_match = ["ls"]\n',
        encoding="utf-8",
    )
    assert load(str(packs)).rule("own-rule") is not None
    assert needs_parsing("frobnicate", str(packs))
    pack.unlink()
    assert load(str(packs)).rule("own-rule") is None


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"stamp": 1}', b"\xff\xfe"])
def test_a_damaged_cache_is_compiled_again(packs, damage):
    whole = load(str(packs)).rules
    cache_of(packs).write_bytes(damage)
    (packs / "__pycache__" / "words.json").write_bytes(damage)
    assert loaded_again(packs).rules == whole
    assert needs_parsing("rm -rf x", str(packs))


def test_a_cache_with_the_right_stamp_and_missing_parts_is_compiled_again(packs):
    whole = load(str(packs)).rules
    first, *lines = cache_of(packs).read_text(encoding="utf-8").split("\n")
    kept = json.loads(first)
    kept["data"].pop("index")
    cache_of(packs).write_text("\n".join([json.dumps(kept), *lines]), encoding="utf-8")
    assert loaded_again(packs).rules == whole


def test_a_cache_that_was_cut_off_is_compiled_again(packs):
    whole = load(str(packs)).programs
    data = cache_of(packs).read_bytes()
    for less in (data[:-1], data[: data.rindex(b"\n")], data[: data.index(b"\n")]):
        cache_of(packs).write_bytes(less)
        assert dict(loaded_again(packs).programs) == whole


def test_a_line_that_was_damaged_is_an_error_once(packs):
    whole = load(str(packs)).programs
    data = cache_of(packs).read_bytes()
    first, *lines = data.split(b"\n")
    zeros = [b"\0" * len(each) for each in lines]
    cache_of(packs).write_bytes(b"\n".join([first, *zeros]))
    with pytest.raises(PackError, match=r"rules\.json is damaged") as caught:
        dict(loaded_again(packs).programs)
    assert "try once more" in caught.value.hint
    assert dict(loaded_again(packs).programs) == whole


def test_a_folder_that_takes_no_cache_compiles_in_memory(packs):
    (packs / "__pycache__").write_text("in the way", encoding="utf-8")
    assert load(str(packs)).rule("git-push")
    assert needs_parsing("git push", str(packs))


def test_a_pack_that_cannot_be_read_is_named(packs):
    (packs / "own.toml").mkdir()
    with pytest.raises(PackError, match=r"own\.toml: cannot be read"):
        load(str(packs))


def test_a_folder_without_packs_is_an_error_and_not_an_empty_set_of_rules(tmp_path):
    with pytest.raises(PackError, match="no rule packs"):
        load(str(tmp_path))


@for_each(
    ("change", "says"),
    [
        ({"effect": "stop"}, "unknown effect 'stop'"),
        ({"type": "risky"}, "unknown type 'risky'"),
        ({"colour": "red"}, "unknown key 'colour'"),
        ({"match": []}, "match is missing"),
        ({"no_match": []}, "no_match is missing"),
        ({"instead": ""}, "instead has a value of the wrong type"),
        ({"when": [{"program": "x", "flagg": "-f"}]}, "unknown key 'flagg'"),
        ({"when": [{"program": "x", "operand": "("}]}, "is not a valid pattern"),
        ({"when": [{"program": "x", "operand": "@nowhere"}]}, "unknown operand class '@nowhere'"),
        ({"when": [{"flag": "-f"}]}, "needs trigger words"),
        ({"when": [{"program": "x", "reads": "list"}]}, "reads has no effect without acts"),
        ({"when": [{"program": "x", "env": {}}]}, "env is empty"),
        ({"when": [{"program": "$none"}]}, "unknown list '$none'"),
        ({"id": "git-push"}, "already used in git.toml"),
    ],
)
def test_a_faulty_rule_is_named_with_file_and_fault(change, says):
    rule = {**RULE, **change}
    with pytest.raises(PackError) as caught:
        compiled_packs().extended({"own.toml": {"pack": HEAD, "rule": [rule]}})
    assert says in str(caught.value)
    assert f"own.toml: rule {rule['id']}" in str(caught.value)


def test_a_pack_that_is_no_toml_is_named(packs):
    (packs / "own.toml").write_text("[[", encoding="utf-8")
    with pytest.raises(PackError, match=r"own\.toml: not valid TOML"):
        load(str(packs))


@pytest.mark.parametrize(
    "command",
    [
        "ls -la src && cat README.md | head -5",
        "git status",
        "git diff HEAD~1",
        "git add -A",
        "tokei src",
        "grep -rn 'foo bar' src 2>/dev/null",
    ],
)
def test_everyday_commands_need_no_parser(command):
    assert not needs_parsing(command)


@pytest.mark.parametrize(
    "command",
    ["pytest -q tests", "python3 -m pytest", "npm test", "make", "just x", "git commit -m x"],
)
def test_a_command_that_runs_files_of_the_project_reaches_the_gate(command):
    assert needs_parsing(command)


@pytest.mark.parametrize(
    "command",
    [
        "r\\m -rf x",
        "r''m -rf x",
        "$X",
        "`x`",
        "/bin/r? x",
        "{rm,-rf,x}",
        "cat <<E\nE",
        "> x",
        "f() { x; }",
    ],
)
def test_a_word_in_hiding_needs_the_parser(command):
    assert needs_parsing(command)


WORDS = [
    "rm",
    "-rf",
    "git",
    "push",
    "reset",
    "--hard",
    "checkout",
    ".",
    "--",
    "-f",
    "find",
    "-delete",
    "curl",
    "-X",
    "POST",
    "https://e.com",
    "npm",
    "publish",
    "run",
    "deploy",
    "edge",
    "approve",
    ".proof/x",
    ">",
    ">>",
    "|",
    ";",
    "&&",
    "&",
    "(",
    ")",
    "$(",
    "`",
    "'",
    '"',
    "\\",
    "#",
    "<<E",
    "E",
    "\n",
    "$X",
    "X=rm",
    "sh",
    "-c",
    "eval",
    "xargs",
    "python",
    "-m",
    "echo",
    "ls",
    "cat",
    "{",
    "}",
    ",",
    "*",
    "?",
    "[",
    "!",
    "then",
    "do",
    "if",
    "time",
    "sudo",
    "env",
    "./x.sh",
    "claude",
    "docker",
    "psql",
    "DROP",
    "TABLE",
]


@examples(400)
@given(st.lists(st.sampled_from(WORDS), max_size=8), st.sampled_from([" ", ""]))
def test_a_text_that_the_prefilter_passes_is_allowed(words, joint):
    text = joint.join(words)
    if not needs_parsing(text):
        verdict = judge(text)
        assert verdict.effect == "allow", verdict.findings


def test_the_prefilter_imports_no_parser_and_no_toml():
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]);"
        "from operators_edge.gate.rules import needs_parsing;"
        "assert not needs_parsing('git status') and needs_parsing('git push');"
        "heavy = {'tomllib', 'dataclasses', 'typing', 'operators_edge.shell', 'operators_edge.gate.decide'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    load()
    source = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(loading.__file__))))
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, source], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"


def test_a_trigger_word_is_found_in_any_case_and_behind_dashes():
    assert is_suspicious("RM x", TriggerWords([], {"": "rm"}))
    assert is_suspicious("x delete-bucket", TriggerWords([], {"": "delete"}))
    assert not is_suspicious("arm x", TriggerWords([], {"": "rm"}))


def test_a_host_with_foreign_letters_is_judged_whatever_the_program():
    words = TriggerWords([], {})
    assert is_suspicious("x g\u0456thub.com", words)
    assert is_suspicious("x https://\u0430/y", words)
    assert not is_suspicious("x \u0440\u0430\u043a y.txt", words)


def test_a_trigger_word_with_partners_counts_only_with_one_of_them():
    assert is_suspicious("npm add x", TriggerWords(["bun", "npm yarn"], {"0 1": "add"}))
    assert not is_suspicious("git add x", TriggerWords(["bun", "npm yarn"], {"0 1": "add"}))


def test_every_key_that_a_condition_may_have_has_a_check():
    # Handled elsewhere: by the index (two keys), subcommand, prefilter, and as parts of "acts".
    apart = {"program", "profile", "sub", "trigger", "reads", "verb_at", "local_verbs", "recovers"}
    assert set(WHEN_KEYS) - apart == set(CHECKS)


def _with_verbs(**when):
    rule = {**RULE, "when": [{"program": "frobnicate", **when}]}
    return Rules(compiled_packs().extended({"own.toml": {"pack": HEAD, "rule": [rule]}}).table())


@functools.cache
def _with_some_verbs():
    return _with_verbs(
        acts=["delete", "delete-*", "*:destroy", "* update"], reads=["list", "config *"]
    )


@for_each(
    ("command", "stopped"),
    [
        ("frobnicate users delete 7", True),
        ("frobnicate delete-all", True),
        ("frobnicate apps:destroy shop", True),
        ("frobnicate users list delete", False),
        ("frobnicate users undelete 7", False),
        ("frobnicate users", False),
        ("frobnicate users update 7", True),
        ("frobnicate update", False),
        ("frobnicate config delete x", False),
        ("frobnicate users config delete", True),
        ('frobnicate users "$VERB" 7', True),
        ('frobnicate --for "$WHOM" users', False),
        ("cat ids | xargs frobnicate users", True),
        ("cat ids | xargs frobnicate users list", False),
    ],
)
def test_the_first_operand_that_is_a_verb_decides(command, stopped):
    rules = _with_some_verbs()
    assert ("own-rule" in {one.rule for one in judge_example(command, rules).findings}) == stopped
    assert is_suspicious(command, rules.words) or not stopped


@for_each(
    ("command", "stopped"),
    [
        ("frobnicate list", False),
        ("frobnicate twiddle", True),
        ("frobnicate users", False),
        ("frobnicate users twiddle 7", True),
        ("frobnicate users list twiddle", False),
        ("frobnicate users delete list", True),
        ("frobnicate users polish 7", False),
        ("frobnicate users create polish", True),
        ("frobnicate users items a list", True),
        ("frobnicate users twiddle --for list 7", True),
        ("frobnicate users twiddle --with list", True),
        ("frobnicate users twiddle --with=x list", False),
        ('frobnicate users view "$NAME"', False),
        ('frobnicate users "$VERB"', True),
        ("frobnicate", False),
        ("cat ids | xargs frobnicate", True),
        ("cat ids | xargs frobnicate users get", False),
    ],
)
def test_a_verb_of_a_remote_system_that_is_not_known_to_read_acts(command, stopped):
    rules = _with_verbs(verb_at=[1, 3], reads=["polish"])
    assert ("own-rule" in {one.rule for one in judge_example(command, rules).findings}) == stopped
    assert is_suspicious(command, rules.words) or not stopped


def test_an_unknown_verb_of_a_program_with_local_verbs_passes():
    rules = _with_verbs(verb_at=[1, 2], local_verbs=True)
    assert judge_example("frobnicate twiddle x", rules).effect == "allow"
    assert judge_example("frobnicate delete x", rules).rule == "own-rule"


@pytest.mark.parametrize(
    ("when", "problem"),
    [
        ({"verb_at": [2]}, "first and the last place"),
        ({"verb_at": [2, 1]}, "first and the last place"),
        ({"verb_at": "2"}, "wrong type"),
        ({"acts": ["x"], "local_verbs": True}, "needs verb_at"),
    ],
)
def test_the_places_of_a_verb_are_a_range(when, problem):
    with pytest.raises(PackError, match=problem):
        _with_verbs(**when)


def test_a_word_is_a_verb_of_one_kind():
    pack = {"pack": HEAD, "verbs": {"reads": ["go"], "acts": ["go"]}}
    with pytest.raises(PackError, match="'go' is in two lists"):
        compile_packs({"own.toml": pack})


def test_a_verb_needs_the_parser_only_together_with_its_program():
    rules = _with_verbs(acts=["delete", "*:destroy", "force_reset", "* up-*"], reads=["list"])
    for word in ("delete", "destroy", "force_reset", "up-to"):
        assert is_suspicious(f"frobnicate {word}", rules.words)
    assert not is_suspicious("frobnicate list", rules.words)


def test_a_verb_without_a_separate_word_needs_the_parser_for_every_call_of_its_program():
    assert is_suspicious("frobnicate list", _with_verbs(acts=["*ing"]).words)


def test_a_trigger_word_of_a_condition_counts_beside_a_program_of_the_condition():
    rules = _with_verbs(operand=["x"], trigger=["Zzword"])
    assert is_suspicious("frobnicate zzword", rules.words)
    assert not is_suspicious("tokei zzword", rules.words)
    assert not is_suspicious("frobnicate x", rules.words)


LIKE = {
    "frobnicate": {"values": ["--for"], "names": ["frob"], "like": ["twiddle"]},
}


def _with_like(**programs):
    rule = {**RULE, "when": [{"program": "frobnicate", "acts": ["delete"], "reads": ["list"]}]}
    return compile_packs({"own.toml": {"pack": HEAD, "program": programs, "rule": [rule]}})


def test_a_program_like_another_is_judged_like_it_under_its_own_name():
    rules = Rules(_with_like(**LIKE) | {"tools": load().tools})
    assert judge_example("twiddle --for list delete x", rules).rule == "own-rule"
    assert judge_example("twiddle list delete", rules).effect == "allow"
    assert is_suspicious("twiddle delete x", rules.words)
    names = [rules.names[one] for one in ("frobnicate", "frob", "twiddle")]
    assert names == ["frobnicate", "frobnicate", "twiddle"]


def test_a_program_has_one_table_whatever_it_is_called():
    for programs in (
        {"a": {"names": ["b"]}, "b": {"values": ["-x"]}},
        {"b": {"values": ["-x"]}, "a": {"names": ["b"]}},
        {"a": {"names": ["c"]}, "b": {"names": ["c"]}},
    ):
        with pytest.raises(PackError, match="is the name of two programs"):
            _with_like(**programs)


@pytest.mark.parametrize("key", ["help", "writes_unless", "verbs", "names", "like", "unvouched"])
def test_what_a_pack_adds_to_the_program_of_another_exempts_nothing(key):
    pack = {"pack": {"name": "x", "summary": "x"}, "runs_files": [{"programs": ["rm"], key: ["x"]}]}
    with pytest.raises(PackError, match="unknown key"):
        compile_packs({"x.toml": pack})


def test_a_program_cannot_be_like_one_and_have_a_table_of_its_own():
    with pytest.raises(PackError, match="twiddle: it has a table and is listed as like frobnicate"):
        _with_like(**LIKE, twiddle={"values": ["-x"]})


def test_pinned_packs_are_not_checked_for_changes_and_others_are(tmp_path, monkeypatch):
    monkeypatch.setattr(loading, "_pinned", {})
    monkeypatch.setattr(loading, "PACKS", str(tmp_path))
    before = loading.stamp_of(str(tmp_path))
    monkeypatch.setitem(loading._pinned, str(tmp_path), before)
    (tmp_path / "more.toml").write_text("")
    assert loading.stamp_of(str(tmp_path)) == before
    assert str(tmp_path / "more.toml") in loading.source_files(str(tmp_path))
    loading._pinned.clear()
    assert loading.stamp_of(str(tmp_path)) != before


class _Every(Rules):
    """Rules whose candidates are all conditions, for every command."""

    def candidates(self, inv, missing, allowed):
        del missing, allowed
        program = "@none" if inv.is_dry_run() else inv.program or "@none"
        found = (*self.index.get(program, ()), *self.index.get("", ()))
        return [each for each in found if each[1].get("profile", self.profile) == self.profile]


@pytest.mark.long
@pytest.mark.parametrize("profile", ["strict", "contextual"])
def test_a_condition_that_is_not_tried_would_not_have_held(profile):
    """Each example of each rule, together with everything that other rules' conditions check."""
    some = load().with_profile(profile)
    every = _Every(some.compiled, profile=profile)
    tables = [rule for pack in read_packs().values() for rule in pack.get("rule", [])]
    examples = [each for rule in tables for key in ("match", "no_match") for each in rule[key]]
    assert len(examples) > 1000
    for example in examples:
        assert judge_example(example, some) == judge_example(example, every), example
        if profile == "strict" and not example.startswith("{"):
            more = f"X=1 sudo {example} < in >> out"
            assert judge_example(more, some) == judge_example(more, every), more


def test_the_shipped_packs_stay_loaded_however_many_projects_there_are(monkeypatch):
    monkeypatch.setattr(loading, "_loaded", {})
    shipped = loading.compiled_packs()
    for number in range(3 * loading._MAX_LOADED):
        loading.load_once(f"rules /projects/{number}", "", lambda: "rules")
    assert loading.compiled_packs() is shipped
    assert len(loading._loaded) <= loading._MAX_LOADED


def test_the_cache_of_candidates_has_a_bound():
    some = Rules(load().compiled)
    long = "x" * 10_000

    def look_up(*words):
        inv = invocation_of(Command(tuple(map(Word, words))), some)
        return some.candidates(inv, (), lambda when: when)

    for number in range(loading._MAX_LOOKUPS + 2):
        look_up("git", f"{number}{long}")
        look_up(f"git{number}", str(number))
        look_up(f"{number}{long}")
    kept = (some._candidates, some._subs, some._by_glob)
    assert all(0 < len(each) <= loading._MAX_LOOKUPS for each in kept)
    assert max(len(repr(key)) for each in kept for key in each) < 1000


def test_only_conditions_that_the_program_and_its_first_word_allow_are_tried():
    when = [
        {"program": "git", "sub": ["push"]},
        {"program": "git", "sub": ["* delete"]},
        {"path": "(^|/)frob$", "words": "x", "trigger": []},
        {"not_program": ["git", "hg"], "words": "x", "trigger": []},
        {"unless_program": ["hg"], "words": "x", "trigger": []},
    ]
    rule = {**RULE, "when": when}
    some = Rules(compile_packs({"own.toml": {"pack": HEAD, "rule": [rule]}}))

    nowhere = CallContext(Call("Bash", {}, "/"), Place(root=None, home=""), Machine())

    def tried(line):
        inv = invocation_of(Command(tuple(map(Word, line.split()))), some)
        return sorted(
            "".join(sorted({"sub", "words"} & when.keys()))
            for _, when in some.candidates(inv, (), Matcher(inv, nowhere).of_program)
        )

    expected = {
        "git push": ["sub", "sub", "words"],
        "git pull": ["sub", "words"],
        "git": ["sub", "words"],
        "hg push": [],
        "frob x": ["words", "words", "words"],
        "./frob x": ["words", "words", "words"],
        "other x": ["words", "words"],
    }
    assert {line: tried(line) for line in expected} == expected
    assert {line: tried(line) for line in expected} == expected, "the second time from memory"


def test_words_with_the_same_beginning_are_not_confused():
    long = "x" * 1000
    packs = {
        "own.toml": {
            "pack": HEAD,
            "rule": [
                {
                    **RULE,
                    "when": [{"program": "frobnicate", "sub": f"{long}-off"}],
                    "match": [f"frobnicate {long}-off"],
                }
            ],
        }
    }
    some = Rules(compile_packs({**read_packs(), **packs}))
    assert judge_example(f"frobnicate {long}-on", some)[0] == "allow"
    assert judge_example(f"frobnicate {long}-off", some)[0] == "block"
