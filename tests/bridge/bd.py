"""A stand-in for ``bd`` 1.0: its verbs, JSON, exit codes and where it prints errors, on one JSON file.

Judged by the official client (``test_the_official_client_takes_the_stand_in_for_bd``). Lines of the file
``.beads/fail`` make calls fail: "VERB TIMES".
"""

import argparse
import datetime as dt
import hashlib
import json
import os
import sys

ALIASES = {"new": "create", "done": "close"}
STATUSES = ("open", "in_progress", "blocked", "deferred", "closed")


class Failed(Exception):
    """The text of an error, and whether it is printed to stderr."""

    def __init__(self, text, *, to_stderr=False):
        super().__init__(text)
        self.to_stderr = to_stderr


def database():
    folder = os.getcwd()
    while not os.path.isdir(os.path.join(folder, ".beads")):
        if folder == os.path.dirname(folder):
            raise Failed("Error: no beads database found", to_stderr=True)
        folder = os.path.dirname(folder)
    return os.path.join(folder, ".beads")


def load(folder):
    path = os.path.join(folder, "issues.json")
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def save(folder, issues):
    with open(os.path.join(folder, "issues.json"), "w", encoding="utf-8") as file:
        json.dump(issues, file)


def fail_if_told(folder, verb):
    path = os.path.join(folder, "fail")
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as file:
        told = dict(line.split() for line in file)
    left = int(told.get(verb, 0))
    told[verb] = max(0, left - 1)
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"{each} {times}\n" for each, times in told.items())
    if left:
        raise Failed("Error: another process holds the exclusive lock")


def now():
    return dt.datetime.now(dt.UTC).isoformat()


def create(folder, words):
    parser = argparse.ArgumentParser(exit_on_error=False)
    parser.add_argument("title", nargs="?")
    parser.add_argument("--title", dest="named")
    for names in (
        ["-p", "--priority"],
        ["-t", "--type"],
        ["-d", "--description"],
        ["--external-ref"],
    ):
        parser.add_argument(*names)
    given = parser.parse_args(words)
    title = given.named or given.title
    if not title:
        raise Failed("Error: title required")
    issues = load(folder)
    mark = hashlib.sha256(f"{title}{len(issues)}".encode()).hexdigest()[:4]
    ident = f"{os.path.basename(os.path.dirname(folder))}-{mark}"
    issues[ident] = {
        "id": ident,
        "title": title,
        "description": given.description or "",
        "status": "open",
        "priority": int(given.priority or 2),
        "issue_type": given.type or "task",
        "external_ref": given.external_ref,
        "notes": "",
        "created_at": now(),
        "updated_at": now(),
    }
    save(folder, issues)
    return issues[ident]


def update(folder, words):
    parser = argparse.ArgumentParser(exit_on_error=False)
    parser.add_argument("id")
    for name in ("--status", "--notes", "--append-notes", "--title", "--external-ref"):
        parser.add_argument(name)
    parser.add_argument("--claim", action="store_true")
    given = parser.parse_args(words)
    issues = load(folder)
    if given.id not in issues:
        raise Failed(f"Error resolving ID {given.id}: no issue found", to_stderr=True)
    issue = issues[given.id]
    if given.status and given.status not in STATUSES:
        raise Failed(f"Error: invalid status {given.status!r}")
    if given.status or given.claim:
        issue["status"] = given.status or "in_progress"
    if given.append_notes:
        issue["notes"] = f"{issue['notes']}\n{given.append_notes}".strip()
    for name in ("notes", "title", "external_ref"):
        if getattr(given, name) is not None:
            issue[name] = getattr(given, name)
    issue["updated_at"] = now()
    save(folder, issues)
    return [issue]


def close(folder, words):
    parser = argparse.ArgumentParser(exit_on_error=False)
    parser.add_argument("id")
    parser.add_argument("--reason")
    given = parser.parse_args(words)
    issues = load(folder)
    if given.id not in issues:
        raise Failed(f"Error resolving ID {given.id}: no issue found", to_stderr=True)
    issues[given.id] |= {"status": "closed", "closed_at": now(), "close_reason": given.reason}
    save(folder, issues)
    return [issues[given.id]]


def listed(folder, words):
    parser = argparse.ArgumentParser(exit_on_error=False)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--status")
    parser.add_argument("--limit", type=int, default=50)
    given = parser.parse_args(words)
    found = [
        each
        for each in load(folder).values()
        if each["status"] == given.status
        or (given.status is None and (given.all or each["status"] != "closed"))
    ]
    return found[: given.limit or None]


def show(folder, words):
    issues = load(folder)
    if words[0] not in issues:
        raise Failed(f"Error resolving ID {words[0]}: no issue found", to_stderr=True)
    return [issues[words[0]]]


VERBS = {"create": create, "update": update, "close": close, "list": listed, "show": show}


def run(verb, words):
    if verb not in VERBS:
        raise Failed(f'Error: unknown command "{verb}" for "bd"', to_stderr=True)
    folder = database()
    fail_if_told(folder, verb)
    return VERBS[verb](folder, words)


def main():
    words = [each for each in sys.argv[1:] if each != "--json"]
    verb = ALIASES.get(words[0], words[0]) if words else ""
    if verb == "version":
        print("bd version 1.0.5 (dev)")
        return 0
    try:
        made = run(verb, words[1:])
    except (Failed, argparse.ArgumentError) as error:
        print(error, file=sys.stderr if getattr(error, "to_stderr", True) else sys.stdout)
        return 1
    print(json.dumps(made))
    return 0


if __name__ == "__main__":
    sys.exit(main())
