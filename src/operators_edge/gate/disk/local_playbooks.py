"""A playbook of Ansible that only works on this machine, as the commands that do the same.

``hosts: localhost`` is this machine only if nothing says otherwise: an inventory, a variable, an option. Owns
when that is certain, and how the tasks of such a playbook read as commands: they are judged for themselves,
and if all of them stay in the project, so does the playbook (``gate.disk.named_targets``). Does not own
playbooks for other machines, nor those that are only checked (``gate.disk.playbooks``). Pure but for
``Facts``. Loaded for playbooks alone.
"""

from __future__ import annotations

import os.path
import re
import shlex
from typing import Any

from operators_edge.gate.disk.local_inventories import Inventory, inventory, settings
from operators_edge.gate.disk.playbooks import NO_MODULES, READS
from operators_edge.gate.disk.search import Piece, SearchPart
from operators_edge.shell.commands import HOLE
from operators_edge.text import yaml_values
from operators_edge.text.patterns import pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from typing import TypeAlias

    _Values: TypeAlias = Mapping[str, str | tuple[str, ...]]

_HERE = frozenset(("localhost", "127.0.0.1"))
_OPTIONS = pattern(
    r"-v+|--diff|-D|--connection=local|--inventory=localhost,|--force-handlers|--step|--flush-cache"
)
_VALUED = {"-c": "local", "--connection": "local", "-i": "localhost,", "--inventory": "localhost,"}
_ANY_VALUE = frozenset(("-t", "--tags", "--skip-tags", "--start-at-task"))
_LISTS = ("pre_tasks", "tasks", "post_tasks", "handlers")
_OF_PLAY = frozenset(
    (
        *(*_LISTS, "name", "hosts", "connection", "gather_facts", "vars", "vars_files", "tags"),
        *("become", "roles"),
    )
)
_NAME_OF_VALUE = pattern(r"\{\{\s*(\w+)\s*\}\}")
_OF_ROLE = frozenset(("tasks", "templates", "defaults", "files", "README.md"))
"""What may be in the folder of a role: nothing that runs, or goes before other variables."""
_LISTED_HERE = ("-i", "--inventory")
_CONNECTED_HERE = ("-c", "--connection")
_OF_ALL = frozenset(("all.yml", "all.yaml"))
"""Files of variables that count for every machine."""
_BLOCKS = ("block", "rescue", "always")
_MOVES = frozenset(
    ("become", "delegate_to", "connection", "environment", "remote_user", "local_action")
)
"""Keys of a task that may take it elsewhere, or give it other rights."""
_REMOVES_UNKNOWN = pattern(rf"\b(?:rm|rmdir|shred|find)\b[^;&|\n]*{re.escape(HOLE)}")
_NAMES_VARIABLE = frozenset(("register", "loop_var", "index_var"))
_WRITES = frozenset(("copy", "template", "lineinfile", "blockinfile", "replace", "assemble"))
_RUNS = frozenset(("command", "shell"))
_FILE_STATES = {"absent": "rm -rf", "directory": "mkdir -p", "touch": "touch", "file": "touch"}
_SETTINGS = frozenset(
    (
        "ansible.cfg",
        "host_vars",
        "group_vars",
        "inventory",
        "library",
        "module_utils",
        "collections",
    )
)
"""Files and folders beside a playbook that say what localhost is, or what a module does."""
_LOOKS_UP = pattern(r"\b(?:lookup|query|q)\s*\(|\bwith_\w+:|!vault|!unsafe")
"""What runs programs, or reads files, while a text is filled in."""
_READS_FOLDER = pattern(r"\{\{\s*lookup\(\s*(['\"])env\1\s*,\s*(['\"])PWD\2\s*\)\s*\}\}")
_READS_FILE = pattern(r"\blookup\(\s*(['\"])file\1\s*,\s*['\"]([\w./~{}-]+)['\"]\s*\)")
_BUILTIN = pattern(r"(?:ansible\.(?:builtin|legacy)\.)?(\w+)")
_TEMPLATE = pattern(r"\{\{\s*(.*?)\s*\}\}|\{%.*?%\}")
_PAIR = pattern(r"(\w+)=(\"[^\"]*\"|'[^']*'|\S+)")


class _Unclear(Exception):
    """A part of the playbook is not known to work here alone."""


class _Run(NamedTuple):
    """A command, with the file or folder that the task is about and the template that it is filled from."""

    text: str
    line: int
    place: str = ""
    template: str = ""
    file: str = ""
    """The file of a role that the task is in; "" for the playbook itself."""


class _Role(NamedTuple):
    """The file of a role's tasks, these, and its defaults."""

    file: str
    tasks: list[Any]
    defaults: dict[str, Any]


class _Given(NamedTuple):
    """What is around a playbook: the hosts that are this machine, variables and the folders of roles."""

    hosts: frozenset[str]
    variables: dict[str, Any]
    roles: tuple[str, ...]


class Playbook(SearchPart):
    """The playbook that one command runs."""

    def pieces(self, path: str, text: str) -> list[Piece] | None:
        """What its tasks amount to; None if it is not certain that all of them work here."""
        folder = os.path.dirname(path)
        if not self._is_here(folder):
            return None
        text = self._with_folder(text)
        plays = yaml_values.read(text)
        try:
            runs = self._runs(plays, folder) if isinstance(plays, list) else None
        except _Unclear:
            return None
        rest = _READS_FILE.sub(lambda one: "" if self._may_show(one[2], folder) else one[0], text)
        if not runs or _LOOKS_UP.search(rest) or not all(self._stays(one, folder) for one in runs):
            return None
        return [
            Piece(one.file or path, one.text, one.line, folder=folder, is_direct=False)
            for one in runs
        ]

    def _runs(self, plays: list[Any], folder: str) -> list[_Run]:
        """The commands of all plays, with the variables beside the playbook."""
        if not all(
            isinstance(one, dict) and isinstance(one.get("vars") or {}, dict) for one in plays
        ):
            raise _Unclear
        given = self._given(folder)
        roles = {
            name: self._role(name, given.roles) for play in plays for name in _names_of_roles(play)
        }
        changed = {*_set_by_tasks(plays), *_set_by_tasks([one.tasks for one in roles.values()])}
        hosts = given.hosts | {"all"} if self._names_this_machine() else given.hosts
        return [
            one
            for play in plays
            for one in _play(
                {**play, "vars": {**(play.get("vars") or {}), **self._in_files(play, folder)}},
                changed,
                given.variables,
                hosts,
                roles,
            )
        ]

    def _in_files(self, play: Any, folder: str) -> dict[str, Any]:
        """The variables of the files that a play names; they go before its own."""
        found: dict[str, Any] = {}
        for name in play.get("vars_files") or ():
            if not isinstance(name, str) or re.fullmatch(r"[\w./-]+", name) is None:
                raise _Unclear
            text = self._known(os.path.normpath(os.path.join(folder, name)))
            values = yaml_values.read(text)
            if not isinstance(values, dict):
                raise _Unclear
            found.update(values)
        return found

    def _given(self, folder: str) -> _Given:
        """What the files around the playbook say: settings, an inventory and variables."""
        here = self.folder or folder
        named: dict[str, str] = {}
        if "ansible.cfg" in self.follower.names(here, self.context):
            found = settings(self._known(f"{here}/ansible.cfg"))
            if found is None:
                raise _Unclear
            named = found
        places = [one for one in self._inventories() if one != "localhost,"]
        listed = Inventory(_HERE, {})
        if places or ("inventory" in named and not self._inventories()):
            listed = self._inventory([*places, named.get("inventory", "")][0], here)
        path = named.get("roles_path", "")
        roles = [f"{folder}/roles", *(os.path.join(here, one) for one in path.split(":") if one)]
        variables = {**listed.variables, **self._variables(folder)}
        return _Given(_HERE | listed.groups, variables, tuple(map(os.path.normpath, roles)))

    def _inventories(self) -> list[str]:
        """The inventories that the words name."""
        words = self.search.words
        found = [words[at + 1] for at, one in enumerate(words[:-1]) if one in _LISTED_HERE]
        return found + [one.partition("=")[2] for one in words if one[:12] == "--inventory="]

    def _inventory(self, name: str, here: str) -> Inventory:
        path = os.path.normpath(os.path.join(here, name))
        around = self.follower.names(os.path.dirname(path), self.context)
        found = (
            inventory(self._known(path))
            if path.endswith((".ini", "/hosts", "/inventory"))
            else None
        )
        if found is None or not {"group_vars", "host_vars"}.isdisjoint(around):
            raise _Unclear
        return found

    def _known(self, path: str) -> str:
        """The text of a file of the project that the line leaves as it is."""
        context = self.context
        text = self.follower.read(path, context)
        is_near = context.is_inside(context.real(path), (context.root,))
        if text is None or not is_near or context.is_changed(path) or _LOOKS_UP.search(text):
            raise _Unclear
        return text

    def _role(self, name: str, places: Collection[str]) -> _Role:
        """The tasks of a role, if it is no more than tasks, templates and defaults."""
        names = self.follower.names
        folder = next(
            (f"{one}/{name}" for one in places if names(f"{one}/{name}", self.context)), ""
        )
        parts = set(names(folder, self.context)) if folder else set()
        tasks = f"{folder}/tasks/main.yml"
        if (
            not parts
            or not parts <= _OF_ROLE
            or set(names(f"{folder}/tasks", self.context)) != {"main.yml"}
        ):
            raise _Unclear
        found = yaml_values.read(self._known(tasks))
        defaults: Any = {}
        if "defaults" in parts:
            defaults = yaml_values.read(self._known(f"{folder}/defaults/main.yml"))
        if not isinstance(found, list) or not isinstance(defaults, dict):
            raise _Unclear
        return _Role(tasks, found, defaults)

    def _names_this_machine(self) -> bool:
        """Whether the words say that all machines are this one, without another connection."""
        words = self.search.words
        is_listed, is_connected = (
            any(
                "=".join(words[at : at + 2]) == f"{name}={value}" or one == f"{name}={value}"
                for at, one in enumerate(words)
                for name in names
            )
            for names, value in ((_LISTED_HERE, "localhost,"), (_CONNECTED_HERE, "local"))
        )
        return is_listed and is_connected

    def _variables(self, folder: str) -> dict[str, Any]:
        """The variables of the file that counts for every machine."""
        place = f"{folder}/group_vars"
        names = set(self.follower.names(place, self.context))
        if not names:
            return {}
        text = self.follower.read(f"{place}/{min(names)}", self.context)
        found = yaml_values.read(text or "")
        is_known = len(names) == 1 and names <= _OF_ALL and isinstance(found, dict)
        if (
            not is_known
            or _LOOKS_UP.search(text or "")
            or f"{place}/{min(names)}" in self.context.edited
        ):
            raise _Unclear
        return dict(found)

    def _with_folder(self, text: str) -> str:
        """A text with the folder that the line is in where it looks that up, if nothing else sets it."""
        given = {name for name, _ in (*self.search.variables(), *self.search.environment())}
        folder = self.folder or ""
        is_plain = re.fullmatch(r"/[\w./-]+", folder) is not None and "PWD" not in given
        return _READS_FOLDER.sub(folder, text) if is_plain else text

    def _may_show(self, name: str, folder: str) -> bool:
        """Whether a file is of the project or temporary, and no secret."""
        from operators_edge.gate import secret_files  # noqa: PLC0415 - few playbooks read one

        context = self.context
        path = context.resolve(name, folder)
        if path is None or "{" in name or name[:1] == "~":
            return False
        is_near = context.is_inside(context.real(path), (context.root, *context.temp))
        return is_near and not (secret_files.is_credentials(path) or secret_files.is_env_file(path))

    def _stays(self, run: _Run, folder: str) -> bool:
        """Whether what a task writes or removes is of the project, and its template only text."""
        context = self.context
        path = context.resolve(run.place, folder) if run.place else folder
        if path is None or not context.is_inside(context.real(path), (context.root, *context.temp)):
            return False
        if not run.template:
            return True
        base = os.path.dirname(os.path.dirname(run.file)) if run.file else folder
        places = (context.resolve(run.template, one) for one in (f"{base}/templates", base))
        texts = (self.follower.read(one, context) for one in places if one)
        found = next((one for one in texts if one is not None), None)
        return found is not None and not _LOOKS_UP.search(found)

    def _is_here(self, folder: str) -> bool:
        """Whether nothing on the line or beside the playbook says what localhost is."""
        words, at = self.search.words[1:], 0
        while at < len(words):
            word, value = words[at], "".join(words[at + 1 : at + 2])
            is_valued = word in _ANY_VALUE or word in _LISTED_HERE or _VALUED.get(word) == value
            is_listed = word.startswith("--inventory=")  # see _given
            if word[:1] == "-" and not (is_valued or is_listed or _OPTIONS.fullmatch(word)):
                return False
            at += 2 if is_valued else 1
        given = {name for name, _ in (*self.search.variables(), *self.search.environment())}
        is_set = any(name.startswith("ANSIBLE_") for name in given)
        names = self.follower.names
        around = {
            one for place in (folder, self.folder or folder) for one in names(place, self.context)
        }
        around |= {os.path.basename(one) for one in self.context.copies}
        here = self.folder or folder
        is_set_here = "ansible.cfg" in names(here, self.context)
        if here != folder and "ansible.cfg" in names(folder, self.context):
            is_set_here = False
        if is_set_here or self._inventories():
            around.discard("inventory")  # what is named is read (see _given), and nothing else
        if is_set_here:
            around.discard("ansible.cfg")
        home = names(self.context.home, self.context)
        others = [
            one
            for one in (each.partition("/")[0] for each in around)
            if (one in _SETTINGS and one != "group_vars") or one.endswith("_plugins")
        ]
        is_plain = not (
            others
            or self.context.arrivals
            or ".ansible.cfg" in home
            or "ansible" in names("/etc", self.context)
            or names(os.path.join(self.context.home, ".ansible/plugins"), self.context)
        )
        is_beside = folder == (self.folder or folder) or "group_vars" not in around
        is_plain &= is_beside  # of the inventory's folder, too
        is_one = self.search.words[0] == "ansible-playbook" and len(self.inv.operands) == 1
        is_one &= len(self._inventories()) < 2
        return is_one and is_plain and not is_set


def _set_by_tasks(value: Any) -> Iterator[str]:
    """Yield the variables that tasks set: these go before those of the play."""
    for one in value if isinstance(value, list) else ():
        yield from _set_by_tasks(one)
    for key, given in value.items() if isinstance(value, dict) else ():
        if key in _NAMES_VARIABLE:
            yield str(given)
        elif _BUILTIN.fullmatch(str(key)) and str(key).rpartition(".")[2] == "set_fact":
            yield from (
                map(str, given) if isinstance(given, dict) else re.findall(r"(\w+)=", str(given))
            )
        yield from _set_by_tasks(given)


def _names_of_roles(play: Mapping[str, Any]) -> list[str]:
    """The roles of a play, each without more than its name."""
    listed = play.get("roles") or []
    found = [
        one.get("role") if isinstance(one, dict) and set(one) == {"role"} else one
        for one in (listed if isinstance(listed, list) else [None])
    ]
    if not all(isinstance(one, str) and re.fullmatch(r"[\w-]+", one) for one in found):
        raise _Unclear
    return [str(one) for one in found]


def _play(
    play: dict[str, Any],
    changed: Collection[str],
    given: Mapping[str, Any],
    hosts: Collection[str],
    roles: Mapping[str, _Role],
) -> Iterator[_Run]:
    is_here = str(play.get("hosts")) in hosts
    if is_here and play.get("become", False) is not False:
        raise _Unclear
    if not is_here or not _OF_PLAY.issuperset(play) or play.get("connection", "local") != "local":
        raise _Unclear
    variables = {**given, **play["vars"]}
    known = _known_values(variables, changed)
    for key in _LISTS:
        yield from _tasks(play.get(key) or [], known)
    for one in map(roles.__getitem__, _names_of_roles(play)):
        known = _known_values({**one.defaults, **variables}, changed)
        yield from (run._replace(file=one.file) for run in _tasks(one.tasks, known))


def _known_values(variables: Mapping[str, Any], changed: Collection[str]) -> _Values:
    """The variables that are texts, or lists of them, and that no task changes."""
    if any(str(one).startswith("ansible_") for one in variables):
        raise _Unclear
    found: dict[str, str | tuple[str, ...]] = {}
    for name, value in variables.items():
        texts = _texts(value if isinstance(value, list) else [value], {})
        if texts and name not in changed:
            found[name] = texts if isinstance(value, list) else texts[0]
    return found


def _texts(values: list[Any], known: _Values) -> tuple[str, ...]:
    """The values with what is filled in; none if one of them is not a text, or not known as a whole."""
    found = [_filled(one, known) for one in values if isinstance(one, str)]
    is_known = len(found) == len(values) and not any({"{", HOLE} & set(one) for one in found)
    return tuple(found) if is_known else ()


def _each(task: Mapping[str, Any], known: _Values) -> Iterator[_Values]:
    """Yield what is known in each round of a task: with its item, if the list is known."""
    given = task.get("loop")
    named = _NAME_OF_VALUE.fullmatch(given) if isinstance(given, str) else None
    items = known.get(named[1], "") if named else ""
    if isinstance(given, list):
        items = _texts(given, known)
    around = {name: value for name, value in known.items() if given is None or name != "item"}
    if isinstance(items, str) or not items:
        yield around
        return
    yield from ({**around, "item": one} for one in items)


def _tasks(tasks: Any, known: _Values) -> Iterator[_Run]:
    for task in tasks if isinstance(tasks, list) else [None]:
        if not isinstance(task, dict) or not _MOVES.isdisjoint(task) or "vars" in task:
            raise _Unclear
        blocks = [task[key] for key in _BLOCKS if key in task]
        for block in blocks:
            yield from _tasks(block, known)
        named = [key for key in task if key not in NO_MODULES and key not in _BLOCKS]
        if blocks and not named:
            continue
        module = _BUILTIN.fullmatch(named[0]) if len(named) == 1 else None
        if module is None:
            raise _Unclear
        if not set(task.get("args") or ()) <= {"creates", "removes"}:
            raise _Unclear
        for values in _each(task, known):
            run = _run(module[1], task[named[0]], values)
            if run is not None:
                yield run._replace(line=getattr(task, "lines", {}).get(named[0], 1))


def _run(module: str, given: Any, known: _Values) -> _Run | None:
    """The command that a task amounts to; None for one that changes nothing."""
    if READS.match(module) and not module.startswith(("include", "import", "add_host", "group_by")):
        return None
    if module in _RUNS:
        return _Run(_program(given, known), 1)
    values = given if isinstance(given, dict) else dict(_PAIR.findall(str(given)))
    named = next((values[key] for key in ("dest", "path", "name") if key in values), None)
    place = _filled(str(named or HOLE), known).strip("'\"")
    if HOLE in place:
        raise _Unclear
    state = str(values.get("state", "file"))
    if module in _WRITES:
        template = _filled(str(values.get("src") or HOLE), known) if module == "template" else ""
        return _Run(f"cp ansible.tmp {shlex.quote(place)}", 1, place, template)
    program = _FILE_STATES.get(state) if module == "file" else None
    if program is None:
        raise _Unclear
    return _Run(f"{program} {shlex.quote(place)}", 1, place)


def _program(given: Any, known: _Values) -> str:
    values = given if isinstance(given, dict) else {"cmd": given}
    argv, cmd = values.get("argv"), values.get("cmd")
    if not {"cmd", "argv", "chdir", "creates", "removes"}.issuperset(values):
        raise _Unclear
    text = shlex.join(map(str, argv)) if isinstance(argv, list) else str(cmd or "")
    if "chdir" in values and "{{" in text:  # which may be a path from the playbook's folder
        raise _Unclear
    text = _filled(re.sub(r"\s(?:creates|removes)=\S+", "", f" {text}").strip(), known)
    folder = _filled(str(values["chdir"]), known) if "chdir" in values else ""
    if not text or re.search(r"(?:^|\s)chdir=", text) or _REMOVES_UNKNOWN.search(text):
        raise _Unclear
    return f"cd {shlex.quote(folder)} && {text}" if folder else text


def _filled(text: str, known: _Values) -> str:
    def value(match: re.Match[str]) -> str:
        name = match[1] or ""
        found = "." if name == "playbook_dir" else known.get(name, HOLE)
        return found if isinstance(found, str) else HOLE

    return _TEMPLATE.sub(value, text)


# end of module
