"""``edge config show|set|trust|path``: which values are effective, which are not, and their origin."""

from __future__ import annotations

import os

from operators_edge.bridge import settings as bridge_settings, trust_store
from operators_edge.cli import executors, past, person
from operators_edge.cli.command import DRY_RUN, Answer, Args, arg, command, record
from operators_edge.cli.layout import table
from operators_edge.config import (
    compiled,
    edits as config_edits,
    effective,
    files as config_files,
    schema,
    stamps,
    trust,
)
from operators_edge.errors import AnswerIsNo, NotSetUp, UsageError
from operators_edge.gate import pack_schema
from operators_edge.project import wall_clock
from operators_edge.reports import replay_service
from operators_edge.sessions import decisions
from operators_edge.system.user_dirs import config_file
from operators_edge.text import markup
from operators_edge.text.wording import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from operators_edge.cli.terminal import Terminal
    from operators_edge.gate.rules import Rules
    from operators_edge.system.project_root import ProjectLocation

    Table = dict[str, Any]


# -- show ------------------------------------------------------------------------------------------


@command(
    "config show",
    arg("--origin", "show where each value comes from"),
    about="show every effective value",
    is_alone=True,
    example="--origin",
)
def _show(args: Args) -> Answer:
    said = effective.configuration(args.location.root)
    return Answer(said, _lines(args.terminal, said, with_origin=args.origin))


def _lines(terminal: Terminal, said: Table, *, with_origin: bool) -> list[str]:
    values = said["values"]
    names = ("key", "value", "origin") if with_origin else ("key", "value")
    lines = [*table(terminal, ([_plain(each[name]) for name in names] for each in values))]
    if said["ignored"]:
        lines += ["", "not effective"]
    for each in said["ignored"]:
        lines.append(f"  {_plain(each['key'])} = {each['value']}  ({_plain(each['origin'])})")
        lines += markup.hanging_indent("    ", _plain(each["why"]))
    for each in (*said["problems"], *said["left_out"]):
        lines += markup.hanging_indent("problem: ", _plain(each))
    for each in said["notes"]:
        lines += markup.hanging_indent("note: ", _plain(each))
    return lines


def _plain(value: object) -> str:
    return one_line(value, 240)


# -- set -------------------------------------------------------------------------------------------


@command(
    "config set",
    arg("KEY", "profile, junction_style or rules.ID.effect"),
    arg("VALUE", "the new value"),
    [
        arg("--user", "write your own file (the default)"),
        arg("--project [DIR]", "write the project's file", const="", dest="named"),
    ],
    DRY_RUN,
    about="set one value (people only)",
    example="rules.git-push.effect warn",
)
def _set(args: Args) -> Answer:
    """Write the value, unless the precedence of layers would leave it without effect."""
    found = args.location
    if not args.dry_run:
        person.require_person(f"config set {args.key} {args.value}", found.root)
    in_project = args.named is not None
    if in_project and found.root is None:
        raise NotSetUp(f"there is no project here: {found.reason}", hint="edge init")
    keys = _keys(args.key, args.value, compiled.load(found.root))
    path, section = _target(found.root if in_project else None)
    text, table = config_edits.with_value(path, (*section, *keys), _typed(args.value))
    for part in section:
        table = table[part]
    name = os.path.basename(path) if in_project else config_files.with_tilde(path, os.environ)
    source = schema.Source(name, table)
    files = config_files.read(found.root, os.environ)
    files = config_files.Files(
        files.user if in_project else source, source if in_project else files.project
    )
    said = compiled.compiled(found.root, os.environ, files)["config"]
    why = _why_not(said, args.key, args.value, name)
    if why:
        raise AnswerIsNo(f"{args.key} was not set in {name}: {why}", hint="edge config show")
    difference: list[str] = []
    if (args.key == "profile" or len(keys) > 1) and not args.terminal.json_wanted:
        draft = (
            replay_service.Draft(project=source, root=found.root)
            if in_project
            else replay_service.Draft(user=source)
        )
        difference = past.before_a_change(found.root if in_project else None, draft)
    if args.dry_run:
        data = {"key": args.key, "value": args.value, "file": path, "is_written": False}
        return Answer(data, [*difference, "Nothing was written (--dry-run)."])
    config_edits.write(path, text, is_private=not in_project)
    _say_waiting(found.root, args.terminal)
    data = {"key": args.key, "value": args.value, "file": path, "is_written": True}
    return Answer(data, [*difference, f"{args.key} = {args.value} in {name}"])


def _keys(key: str, value: str, rules: Rules) -> tuple[str, ...]:
    """The path of a key that can be set to this value; UsageError names what is wrong with it."""
    parts = tuple(key.split("."))
    if len(parts) == 3 and parts[0] == "rules" and parts[2] == "effect":
        if rules.rule(parts[1]) is None:
            raise UsageError(f"there is no rule {parts[1]}", hint="edge rules list")
        allowed: tuple[str, ...] = pack_schema.EFFECTS
    elif key in schema.LADDERS:
        allowed = schema.LADDERS[key]
    elif key in schema.NUMBERS:
        least, most = schema.NUMBERS[key][1]
        if not (value.isascii() and value.isdigit() and least <= int(value[:9]) <= most):
            raise UsageError(f"{key} must be {least} to {most}, not {value}")
        return parts
    else:
        known = (*schema.LADDERS, *schema.NUMBERS, "rules.ID.effect")
        raise UsageError(
            f"{key} cannot be set here; there are: {', '.join(known)}", hint="edge config show"
        )
    if value not in allowed:
        raise UsageError(f"{key} must be one of {', '.join(allowed)}, not {value}")
    return parts


def _typed(value: str) -> str | int:
    """Numbers as int; every other value as a string."""
    return int(value) if value.isdecimal() else value


def _target(root: str | None) -> tuple[str, tuple[str, ...]]:
    """The file to write, and our table in it; ``root`` None means the person's own file."""
    if root is None:
        path = config_file()
        if not path:
            raise NotSetUp("no home folder is known for this user", hint="set HOME, then repeat")
        return path, ()
    files = config_files.read(root, os.environ)
    if files.project is not None and files.project.name == stamps.SHARED:
        return os.path.join(root, stamps.SHARED), config_files.SECTION
    return os.path.join(root, stamps.OWN), ()


def _why_not(said: Table, key: str, value: str, name: str) -> str:
    """Why a value is not effective; "" if it is, or will be as soon as a person confirms it."""
    if any(f"rules.{each['rule']}.effect" == key for each in said["waiting"]):
        return ""
    for each in said["ignored"]:
        if (each["key"], each["value"]) == (key, value):
            return str(each["why"])
    return next((str(each) for each in said["problems"] if each.startswith(name)), "")


def _say_waiting(root: str | None, terminal: Terminal) -> None:
    said = compiled.load(root).config
    if said["waiting"]:
        rules = ", ".join(each["rule"] for each in said["waiting"])
        terminal.warn(f"not effective until confirmed with `edge config trust`: {rules}")


# -- trust -----------------------------------------------------------------------------------------


@command(
    "config trust",
    arg("--withdraw", "withdraw all confirmations"),
    about="confirm what the project's files loosen or run (people only)",
)
def _trust(args: Args) -> Answer:
    found = args.location
    person.require_person("config trust", found.root)
    if found.root is None:
        raise NotSetUp(f"there is no project here: {found.reason}", hint="edge init")
    if args.withdraw:
        was = trust.RECORD.withdraw(found.root, os.environ)
        was = trust_store.RECORD.withdraw(found.root, os.environ) or was
        _log(found, [])
        text = "All confirmations are withdrawn." if was else "Nothing was confirmed here."
        return Answer({"confirmed": []}, text)
    items = offer(found, args.terminal)
    if executors.offer(found.root, args.terminal):
        _log(found, items, bridge=True)
        items = [*items, bridge_settings.FILE]
    if not items:
        return Answer(
            {"confirmed": []}, "The project's files ask for nothing that is not confirmed."
        )
    return Answer({"confirmed": items}, f"Confirmed: {', '.join(items)}")


def offer(found: ProjectLocation, terminal: Terminal) -> list[str]:
    """Show the person every loosening in the project's file, and record them as confirmed on a yes.

    Returns what is confirmed then; [] where the file loosens nothing. AnswerIsNo on anything but yes.
    """
    root = str(found.root)
    rules = compiled.load(root)
    loosenings = [*rules.config["loosened"], *rules.config["waiting"]]
    if not loosenings:
        return []
    for each in loosenings:
        head = f"{each['rule']}: {each['from']} → {each['effect']}"
        rule = rules.rule(each["rule"])
        terminal.aside(f"{head}  ({_plain(each['origin'])})\n  {rule['reason'] if rule else ''}")
    items = sorted(f"{each['rule']}={each['effect']}" for each in loosenings)
    for line in past.before_a_change(
        root, replay_service.Draft(confirmed=frozenset(items), root=root)
    ):
        terminal.aside(line)
    if not person.confirm("Confirm that this project loosens these, for you alone?"):
        raise AnswerIsNo("nothing was confirmed", hint="edge config show")
    by = f"{decisions.person_name()}, at a terminal"
    trust.confirm(root, items, by=by, at=wall_clock().isoformat(), env=os.environ)
    _log(found, items)
    return items


def is_offered(root: str | None, terminal: Terminal) -> bool:
    """Whether a person can be asked here about pending loosenings; if not, they are shown as a warning."""
    waiting = compiled.load(root).config["waiting"] if root is not None else []
    if waiting and not terminal.json_wanted and person.is_person():
        return True
    _say_waiting(root, terminal)
    return False


def _log(found: ProjectLocation, items: list[str], *, bridge: bool = False) -> None:
    by = f"{decisions.person_name()}, at a terminal"
    more = {"bridge": True} if bridge else {}
    record(found, "configuration_trusted", {"loosenings": items, "by": by, **more})


# -- path ------------------------------------------------------------------------------------------


@command("config path", about="show the files that are read")
def _path(args: Args) -> Answer:
    root = args.location.root
    paths = {"user": config_file()}
    if root is not None:
        paths["project"] = _target(root)[0]
    lines = [
        f"{kind:8} {path}{'' if os.path.exists(path) else '  (not there)'}"
        for kind, path in paths.items()
    ]
    return Answer(paths, lines)


# end of module
