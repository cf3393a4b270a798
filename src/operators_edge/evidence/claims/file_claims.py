"""What a step's text claims about files: that they were created, changed, removed, renamed.

Pure. A mention is not a claim: only a verb with the file as its object makes one. Does not own whether it
happened (``evidence.claims.contradictions``).
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from operators_edge.evidence.claims.parsing import any_of, clauses, is_english, unquoted

Action = Literal["created", "changed", "removed", "renamed"]


class FileClaim(NamedTuple):
    """A claim that a file was created, changed, removed, or renamed (``to``)."""

    action: Action
    path: str
    to: str = ""


_VERBS: dict[Action, str] = {
    "created": """create creates created write writes wrote written generate generated scaffold
    scaffolded add adds
    added""",
    "changed": """update updates updated edit edits edited modify modifies modified change changes
    changed refactor
    refactors refactored rewrite rewrites rewrote rewritten extend extended adjust adjusted patch patched
    clean cleaned
    simplify simplified annotate annotated reformat reformatted""",
    "removed": "delete deletes deleted remove removes removed drop dropped",
    "renamed": "rename renames renamed move moves moved",
}
_ACTIONS: dict[str, Action] = {
    word: action for action, words in _VERBS.items() for word in words.split()
}

_SUFFIXES = any_of("""
    py pyi pyx js jsx mjs cjs ts tsx mts cts vue svelte go rs java kt kts scala groovy c cc cpp cxx h hpp
    cs fs vb rb
    php ex exs erl hs ml clj dart swift m mm lua pl pm r jl zig nim sh bash zsh fish ps1 bat sql graphql
    proto tf html
    htm css scss sass less md mdx rst txt adoc json jsonc json5 yaml yml toml ini cfg conf xml csv tsv
    lock gradle
    cmake mk dockerfile ipynb snap svg
""")
_BARE = r"(?:[\w@.+-]+/)*[\w@+.-]*[\w+-]\.(?:" + _SUFFIXES + ")"
_ENDS = r"(?::\d+(?:[-:]\d+)?)?`?(?![\w/*{(<]|\.\w|-\w)"
_PATH = rf"`?{_BARE}{_ENDS}"
_NAMED = re.compile(rf"`?(?P<path>{_BARE}){_ENDS}")
_MORE = rf"(?:\s*(?:,|,?\s*and|&|\+)\s*{_PATH})*"
_DETERMINERS = (
    r"(?:(?:"
    + any_of("""
    the a an new existing our this old unused obsolete stale legacy empty file files module script
    document page
    component class helper test_file test tests config configuration template both doc docs
    """)
    + r")\s+)*"
)
_BEGINS = r"(?i)(?:^|(?<=[\s,;:(]))"
_DIRECT = re.compile(
    _BEGINS
    + rf"(?P<verb>{'|'.join(_ACTIONS)})\s*:?\s+{_DETERMINERS}(?P<list>{_PATH}{_MORE})"
    + r"(?:\s+(?:to|→|->|into|as|=>)\s+`?(?P<to>[\w@./+-]+)`?)?"
)
_INTO = re.compile(
    _BEGINS
    + r"(?:(?P<put>"
    + any_of(
        "adds? added insert(?:ed)? append(?:ed)? put write wrote written implement(?:ed)? defined?"
    )
    + r")|(?P<edit>"
    + any_of("updated? changed? refactor(?:ed)? edit(?:ed)? modify modified renamed? replaced?")
    + r"))\s+(?P<object>(?:[\w`'\"().-]+\s+){1,6}?)(?P<prep>to|into|in|inside)\s+(?:the\s+)?(?:file\s+)?"
    + rf"`?(?P<path>{_BARE}){_ENDS}"
)
_ABOUT = re.compile(
    r"(?i)\b(?:"
    + any_of("""
    for of from about like using with when that which how via by based references? links? mentions? see
    per against
    import\\w* issue bug ticket link note todo
    """)
    + r")\b"
)
_NO_ACTION = re.compile(
    r"(?i)\b(?:"
    + any_of("""
    not never no_need without would could might may if unless plan\\w* consider\\w* propos\\w*
    suggest\\w* todo later
    instead decid\\w* wants? try tried revert\\w* undo undid undone unchanged untouched already
    previously before
    earlier skip\\w* review\\w* read check\\w* inspect\\w* how whether example pretend mock upstream
    remote server
    container docker staging production prod s3 bucket wiki gist temp temporary branch worktree stash\\w*
    repo
    repository submodule another follow-?ups? options? alternatives? either compar\\w*
    """)
    + r")\b|\?|n't\b|e\.g\."
)
_PRODUCTS = re.compile(
    r"(?i)^(?:"
    + any_of("""
    node next vue nuxt express three d3 chart moment react angular ember backbone alpine socket p5 bun
    deno solid
    preact svelte nest electron discord asp require handlebars knockout day luxon immutable highlight
    video rx
    underscore plotly leaflet pdf paper matter phaser babylon brain tensorflow ml5 sails koa hapi strapi
    ghost meteor
    gatsby remix astro qwik lit polymer mithril riot inferno marko stimulus turbo hotwire
    """)
    + r")\.(?:js|ts)$"
)
_SITE = re.compile(r"\.(?:com|org|net|io|dev|ai|co|app|gov|edu)$")


_EXPLAINS = re.compile(
    r"(?i)\b(?:"
    + any_of("""
    already exist\\w* existed no_changes? unchanged untouched not nothing never n/a unnecessary obsolete
    superseded
    instead decid\\w* skip\\w* merged moved elsewhere different\\w* manually revert\\w* upstream covered
    redundant
    dropped removed unneeded other another
    """)
    + r")\b|n't\b"
)


def explains(proof: str) -> bool:
    """Whether a proof explains why a file that a step names is unchanged, or elsewhere."""
    return not is_english(proof) or _EXPLAINS.search(proof) is not None


_INTENDED = re.compile(
    r"(?i)\b(?:should|must|will|shall|(?:need|needs|needed|have|has|had|remains|going|still)\s+to|to\s+be|or"
    r"|or\s+to|next)\W*$"
)
"""Before an action that is only intended, or one of several options."""

_FROM_A_LIST = re.compile(
    r"(?i)\s+from\s+(?!(?:the\s+)?(?:repo\w*|project|disk|tree|source\w*|codebase|git)\b)"
)
"""Removed from another file: an entry with that name, not the file."""

_HEADING = re.compile(
    rf"(?i)^\W*(?:files?\s+)?(?P<verb>{'|'.join(_ACTIONS)})(?:\s+(?:the\s+)?(?:following\s+)?files?)?\s*:$"
)
_ITEM = re.compile(rf"^(?:[-*•+]|\d\))?\s*(?P<list>{_PATH})\s*(?:$|[(:\u2013\u2014-])")
_NUMBER = re.compile(r"\d+\.")
_DONE_TO = re.compile(
    rf"(?i)^[^\w`/]*(?P<list>{_PATH}{_MORE})\s+(?:(?:was|were|has|have|been|all|both|now)\s+)*"
    r"(?P<verb>updated|edited|modified|changed|refactored|rewritten|extended|reformatted|created|written"
    r"|generated|deleted|removed)\s*(?:$|[.,:(])"
)
_NEW = re.compile(
    rf"(?i)^\W*new\s+(?:file|module|script)s?:?\s+(?P<list>{_PATH}{_MORE})\s*(?:$|[.,:(])"
    rf"|^[^\w`/]*(?P<shown>{_PATH})\s*\(new(?:\s+file)?\)"
)


def claims_in(text: str) -> tuple[FileClaim, ...]:
    """The files that a completed step's text claims to have touched."""
    if not is_english(text):
        return ()
    found: dict[FileClaim, None] = {}
    heading = None
    for clause in clauses(unquoted(text)):
        item = _ITEM.match(clause) if heading else None
        if item and heading and not _NO_ACTION.search(clause):
            found |= dict.fromkeys(_all(_ACTIONS[heading["verb"].lower()], item["list"]))
            continue
        if heading and _NUMBER.fullmatch(clause):
            continue
        heading = _HEADING.match(clause)
        if not _NO_ACTION.search(clause):
            found |= dict.fromkeys([*_direct(clause), *_done(clause), *_into(clause)])
    return tuple(found)


def _done(clause: str) -> list[FileClaim]:
    """Such as "src/a.py and src/b.py were updated", "New file: src/c.py"."""
    one = _DONE_TO.match(clause)
    new = _NEW.match(clause)
    return [
        *(_all(_DONE.get(one["verb"].lower(), "changed"), one["list"]) if one else ()),
        *(_all("created", new["list"] or new["shown"]) if new else ()),
    ]


_DONE: dict[str, Action] = {
    "created": "created",
    "written": "created",
    "generated": "created",
    "deleted": "removed",
    "removed": "removed",
}


def _all(action: Action, listed: str, to: str = "") -> list[FileClaim]:
    paths = [each["path"] for each in _NAMED.finditer(listed)]
    if action == "renamed" and not to:
        return []
    return [FileClaim(action, path, to) for path in paths if _is_file(path)]


def _direct(clause: str) -> list[FileClaim]:
    """Such as "Update src/a.py and src/b.py", "Rename a.py to b.py"."""
    out = []
    for one in _DIRECT.finditer(clause):
        action = _ACTIONS[one["verb"].lower()]
        to = (one["to"] or "").rstrip(".") if action == "renamed" else ""
        is_entry = action == "removed" and _FROM_A_LIST.match(clause[one.end() :])
        if not is_entry and not _INTENDED.search(clause[: one.start()]):
            out += _all(action, one["list"], to)
    return out


def _into(clause: str) -> list[FileClaim]:
    """Such as "Add logging to src/a.py", "Refactor the loop in src/a.py"."""
    return [
        FileClaim("changed", one["path"])
        for one in _INTO.finditer(clause)
        if not _ABOUT.search(one["object"])
        and not _INTENDED.search(clause[: one.start()])
        and not (one["edit"] and one["prep"].lower() in ("to", "into"))
        and _is_file(one["path"])
    ]


def _is_file(path: str) -> bool:
    """Whether the name can only mean a file of the project."""
    if path.startswith(("/", "~", "..", "-")) or "://" in path or "..." in path:
        return False
    parts = path.split("/")
    if len(parts) == 1:
        return not _PRODUCTS.match(path) and not re.fullmatch(r"v?\d+(?:\.\d+)*\.\w", path)
    return not _SITE.search(parts[0].lower())
