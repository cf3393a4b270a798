"""The topics of ``edge help``: what concerns more than one command.

Owns their texts. Does not own the help of a command (``cli.help``).
"""

from __future__ import annotations

from operators_edge.tuples import NamedTuple


class Topic(NamedTuple):
    """``about`` is its line in the list of topics."""

    about: str
    text: str


TOPICS = {
    "decisions": Topic(
        "how a question of the gate is answered, and how far an answer goes",
        """\
A risky call of the agent waits for a person. What answers it:

  in the client's dialog  yes or no, for this call
  typed in the client     /edge yes, /edge no, /edge 1h, /edge session, …
  in your own terminal    edge approve, edge skip, edge dismiss

  yes (approve)   this call, once
  1h, 30m, 2d     such calls to this target, for that time
  session         every call of this rule, in this session
  no (skip)       not now: until your next prompt
  never           not in this session

An approval holds for what the card showed. If the commits, files or variables
behind the command change before it runs, you are asked again. `edge grants`
lists what is granted, `edge grants revoke N` ends one. Agents cannot decide:
such calls are denied and logged.""",
    ),
    "environment": Topic(
        "the environment variables that are read",
        """\
EDGE_DISABLED=1    at the client's start: the gate asks nothing in its sessions
EDGE_RESIDENT=off  no background process answers tool calls
EDGE_CLAUDE        the client's program, where it is not `claude` on PATH
EDGE_PORT          the port of the dashboard
EDGE_PAGER         the pager, before PAGER; empty or "cat" for none
NO_COLOR           no colours, if not empty; `--color always` has the last word
COLUMNS            how wide the output is

Files: XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_DATA_HOME, XDG_CACHE_HOME and
XDG_RUNTIME_DIR are respected. CLAUDE_CONFIG_DIR is the folder of the client's
settings.""",
    ),
    "exit-codes": Topic(
        "what the exit codes mean",
        """\
  0    done, or the answer is yes
  1    the answer is no: a check failed, or a person said no
  3    a person has to decide first
  4    not set up here: edge init
  5    the state or the log is damaged, or another process holds its lock
  64   the command was written wrongly
  70   a bug of ours: the message names the report that was written
  130  interrupted with Ctrl-C

Never 2: clients read a 2 as "block this call".""",
    ),
    "files": Topic(
        "where everything is kept",
        """\
In the project
  active_context.yaml    objective, plan, notes: yours to read and to edit
  .proof/                the log, versions of the state, reports; not in git
  edge.toml, .edge.toml  the project's rules and settings: `edge config path`
  .claude/               the hooks and slash commands that `edge init` writes

For you alone
  ~/.config/operators-edge/config.toml  your settings: `edge config path`
  ~/.local/state/operators-edge/        approvals, keys, trash, error reports

`edge uninstall` removes the hooks and asks about the data.""",
    ),
    "json": Topic(
        "output for programs",
        """\
--json prints one object on one line, for an answer and for an error:

  {"ok": true, "data": …, "warnings": […]}
  {"ok": false, "error": {"code": …, "message": …, "detail": …, "hint": …},
   "warnings": […]}

"ok": false with data means that the answer is no, as of a check that failed.
--json=FIELD,… keeps some fields of the data; a dot goes into an object, and
lists are gone through:

  edge status --json=objective,mode
  edge rules --json=id,effect
  edge log --json=seq,event,data.rule

A field that does not exist is an error that names those that do. Times are
ISO 8601 in UTC. Exit codes are the same as without it.
The schema: docs/schemas/cli-answer.json""",
    ),
    "lessons": Topic(
        "when a lesson is shown, and what else is kept of it",
        """\
A lesson is shown to the agent with the calls, files and failures that its
trigger is about, and to you on the card of such a call.

  edge lesson add "git push" "run make test first"
  edge lesson add "the build hangs" "kill gradle" --command "./gradlew build"

The trigger may be a command, a file, an error, an exit code, a test, a tool,
or a sentence. --command, --path, --error, --tool, --exit and --test say it
exactly: of one kind any value may match, of several kinds each has to.

  --everywhere       one of your own, for each of your projects
  --evergreen        it never expires; others do when they have not helped
  --applies-to T     the technology or part that it is about
  --source T         where it was learned; the session, if nothing is said
  --audit-pattern R  what goes against it in a file: edge patrol finds it
  --audit-scope G    the files that are searched for it; all, if none are named""",
    ),
    "options": Topic(
        "the options that every command takes",
        """\
--json[=FIELD,…]    one JSON object on stdout (edge help json)
--project DIR       the project, instead of the one around this folder
-C DIR              run as if started in that folder
-q, --quiet         no warnings and no progress, only the answer
-y, --yes           answer each question with yes
--no-input          ask nothing; fail where an answer is needed
--color WHEN        always, never, or auto: at a terminal, without NO_COLOR
--no-pager          print long output at once
--debug             after an unexpected error, also print its traceback
-h, --help          explain the command

They may stand before or after the command. --yes answers for a person: where
only a person decides, an agent that adds it is refused as without it.""",
    ),
    "profiles": Topic(
        "how strictly the gate judges what destroys files",
        """\
contextual (the default)
  Asks where something can really be lost. What git or a snapshot brings back,
  and what does not exist, goes through; the snapshot is taken first: edge undo.
strict
  Denies commands that destroy files, whether or not they can be brought back.

In both, `rm -rf ~` and the like are never let through, and a push, a publish
or a change of a shared system waits for you.

  edge config set profile strict            for you, everywhere
  edge config set profile strict --project  for this project
  edge config set profile strict --dry-run  what would have changed in the past""",
    ),
}


# end of module
