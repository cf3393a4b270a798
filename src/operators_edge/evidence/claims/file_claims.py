"""What a step's text claims about files: that they were created, changed, removed, renamed.

Pure. A mention is not a claim: only a verb with the file as its object makes one. Does not own whether it
happened (``evidence.claims.contradictions``).
"""

from __future__ import annotations

from itertools import chain

from operators_edge.evidence.claims.parsing import any_of, clauses, is_english, words
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator
    from typing import Literal

    Action = Literal["created", "changed", "removed", "renamed"]


class FileClaim(NamedTuple):
    """A claim that a file was created, changed, removed, or renamed (``to``)."""

    action: Action
    path: str
    to: str = ""


_VERBS: dict[Action, str] = {
    "created": "create creates created write writes wrote written generate generated add adds added",
    "changed": """
        update updates updated edit edits edited modify modifies modified change changes changed refactor
        refactors refactored rewrite rewrites rewrote rewritten extend extended adjust adjusted patch
        patched clean cleaned simplify simplified bump bumps bumped
    """,
    "removed": "delete deletes deleted remove removes removed drop dropped",
    "renamed": "rename renames renamed move moves moved",
}
_ACTIONS = {verb: action for action, verbs in _VERBS.items() for verb in verbs.split()}
_VERB = f"(?P<verb>{'|'.join(_ACTIONS)})"

_SUFFIXES = any_of("""
    py pyi pyx js jsx mjs cjs ts tsx mts cts vue svelte go rs java kt kts scala groovy c cc cpp cxx h hpp cs
    fs vb rb php ex exs erl hs ml clj dart swift m mm lua pl pm r jl zig nim sh bash zsh fish ps1 bat sql
    graphql proto tf html htm css scss sass less md mdx rst txt adoc json jsonc json5 yaml yml toml ini cfg
    conf xml csv tsv lock gradle cmake mk dockerfile ipynb snap svg
""")
_NAME = rf"(?:[\w@.+-]+/)*[\w@+.-]*[\w+-]\.(?:{_SUFFIXES})"
_ENDS = r"(?::\d+(?:[-:]\d+)?)?`?(?![\w/*{(<]|\.\w|-\w)"
_PATH = rf"`?{_NAME}{_ENDS}"
_PATHS = rf"(?P<paths>{_PATH}(?:\s*(?:,|,?\s*and|&|\+)\s*{_PATH})*)"
_NAMED = pattern(rf"(?i)`?({_NAME}){_ENDS}")
_BEGINS = r"(?i)(?:^|(?<=[\s,;:(]))"
_DETERMINERS = (
    r"(?:(?:"
    + any_of("""
        the a an new existing our this old unused obsolete stale legacy empty file files module script
        document page component class helper test_file test tests config configuration template both doc
        docs
    """)
    + r")\s+)*"
)
_OBJECT = r"(?:[\w`'\"().-]+\s+){1,6}?"
_PUT = any_of(
    "adds? added insert(?:ed)? append(?:ed)? put write wrote written implement(?:ed)? defined?"
)
_EDIT = any_of(
    "updated? changed? refactor(?:ed)? edit(?:ed)? modify modified replaced? bump(?:ed)? raised? lowered?"
)
_DIRECT = pattern(
    rf"{_BEGINS}{_VERB}\s*:?\s+{_DETERMINERS}{_PATHS}"
    r"(?:\s+(?:to|→|->|into|as|=>)\s+`?(?P<to>[\w@./+-]+)`?)?"
)
"""Such as "Update src/a.py and src/b.py", "Rename a.py to b.py"."""
_INTO = pattern(
    rf"{_BEGINS}(?:(?:{_PUT})\s+{_OBJECT}(?:to|into)|(?:{_PUT}|{_EDIT})\s+{_OBJECT}(?:in|inside))"
    rf"\s+(?:the\s+)?(?:file\s+)?(?P<paths>{_PATH})"
)
"""Such as "Add logging to src/a.py", "Refactor the loop in src/a.py"."""
_DONE_TO = pattern(
    rf"(?i)^[^\w`/]*{_PATHS}\s+(?:(?:was|were|has|have|been|all|both|now)\s+)*"
    rf"(?=\w+(?:ed|en)\b){_VERB}\s*(?:$|[.,:(])"
)
"""Such as "src/a.py and src/b.py were updated"."""
_NEW_FILE = pattern(rf"(?i)^\W*new\s+(?:file|module|script)s?:?\s+(?={_PATH})")
_HEADING = pattern(rf"(?i)^\W*(?:files?\s+)?{_VERB}(?:\s+(?:the\s+)?(?:following\s+)?files?)?\s*:$")
_ITEM = pattern(rf"^[-*•+]?\s*(?={_PATH}\s*(?:$|[(:\u2013\u2014-]))")

# -- what makes it no claim ------------------------------------------------------------------------

_UNCLEAR = words(
    """
    not never no_need without would could might may if unless plan\\w* consider\\w* propos\\w* suggest\\w*
    todo later instead decid\\w* wants? try tried revert\\w* undo undid undone unchanged untouched already
    previously before earlier skip\\w* review\\w* read check\\w* inspect\\w* how whether example pretend mock
    upstream remote server container docker staging production prod s3 bucket wiki gist temp temporary branch
    worktree stash\\w* repo repository submodule another follow-?ups? options? alternatives? either compar\\w*
    no_(?:\\w+_)?(?:changes?|updates?|edits?|modifications?) nothing none kept keep keeps left leave leaves
    stays? same intact as_(?:it_)?is needs?_no needed_no
    """,
    r"\?|n't\b|e\.g\.",
)
_ABOUT = words("""
    for of from about like using with when that which how via by based references? links? mentions? see per
    against import\\w* issue bug ticket link note todo
""")
"""In an object: what is written concerns the file, and need not be in it."""
_INTENDED = pattern(
    r"(?i)\b(?:should|must|will|shall|(?:need|needs|needed|have|has|had|remains|going|still)\s+to|to\s+be|or"
    r"|or\s+to|next)\W*$"
)
"""Before an action that is only intended, or one of several options."""
_FROM_A_LIST = pattern(
    r"(?i)\s+from\s+(?!(?:the\s+)?(?:repo\w*|project|disk|tree|source\w*|codebase|git)\b)"
)
"""Removed from another file: an entry with that name, not the file."""
_SITE = pattern(r"(?i)[^/]*\.(?:com|org|net|io|dev|ai|co|app|gov|edu)/")
_EXPLAINS = words(
    """
    already exist\\w* existed no_changes? unchanged untouched not nothing never n/a unnecessary obsolete
    superseded instead decid\\w* skip\\w* merged moved elsewhere different\\w* manually revert\\w* upstream
    covered same intact kept left nothing none no_need redundant dropped removed unneeded other another
    """,
    r"n't\b",
)


_DOTTED = pattern(r"\w\.\w")


def may_name_files(text: str) -> bool:
    """Whether anything in it looks like the name of a file: most texts need not be read further."""
    return _DOTTED.search(text) is not None


def explains(proof: str) -> bool:
    """Whether a proof explains why a file that a step names is unchanged, or elsewhere."""
    return not is_english(proof) or _EXPLAINS.search(proof)


def claims_in(text: str) -> tuple[FileClaim, ...]:
    """The files that a completed step's text claims to have touched."""
    found: dict[FileClaim, None] = {}
    heading = ""
    for clause in clauses(text):
        begins = _HEADING.match(clause)
        if begins or not _ITEM.match(clause):
            heading = begins["verb"] if begins else ""
        full = _ITEM.sub(f"{heading} ", clause) if heading else clause
        if not _UNCLEAR.search(clause):
            found |= dict.fromkeys(_in_clause(full))
    return tuple(found)


def _in_clause(clause: str) -> Iterator[FileClaim]:
    plain = _NEW_FILE.sub("created ", clause)
    for one in chain(*(each.finditer(plain) for each in (_DIRECT, _DONE_TO, _INTO))):
        groups = one.groupdict()
        action = _ACTIONS[groups.get("verb", "update").lower()]
        to = (groups.get("to") or "").rstrip(".") if action == "renamed" else ""
        if _is_done(plain, one, action) and (to or action != "renamed"):
            paths = _NAMED.findall(one["paths"])
            yield from (FileClaim(action, path, to) for path in paths if _is_file(path))


def _is_done(clause: str, found: re.Match[str], action: Action) -> bool:
    """Whether a clause claims that the action was done, to the file itself."""
    if action == "removed" and _FROM_A_LIST.match(clause, found.end()):
        return False
    if _ABOUT.search(clause[found.start() : found.start("paths")]):
        return False
    return _INTENDED.search(clause[: found.start()]) is None


def _is_file(path: str) -> bool:
    """Whether the name can only mean a file of the project."""
    is_elsewhere = path.startswith(("/", "~", "..", "-")) or "://" in path or "..." in path
    return not is_elsewhere and not _SITE.match(path)


# end of module
