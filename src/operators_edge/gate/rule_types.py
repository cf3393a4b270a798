"""The types of compiled rules. What packs may contain is read from them, too (``gate.pack_schema``).

Owns the types of what ``gate.pack_compiler`` makes and ``gate.rules`` loads. Does not own their checks. Only
type checkers and the compiler of packs import this module.
"""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from operators_edge.model import Effect

Condition = dict[str, Any]
"""One condition of a rule; ``pack_schema.WHEN_KEYS`` lists the keys and the types of their values."""

Candidate = tuple[int, Condition]
"""A condition with the number of its rule in ``Rules.rules``; a list of two in the cache."""


class Program(TypedDict, total=False):
    """How one program takes options and operands."""

    names: list[str]  # other names, globs allowed
    # subcommands, or an option, "" for any → how it puts files in place: a value of ``arrivals``
    brings: dict[str, str]
    installed: str  # a pattern over the paths where it lies, whatever its file is called there
    abbreviates: bool  # accepts any unique prefix of a long option
    style: str  # "gnu" (-rf is -r -f) or "long" (-chdir is one option)
    values: list[str]  # options that take a value
    global_values: list[str]  # the same, but only before the first operand
    sub_values: dict[str, list[str]]  # the same, per first operand
    subcommands: dict[str, str]  # each way to write a subcommand → its name
    subcommands_not_as: list[str]  # its names under which they are taken as they stand
    option_variables: list[
        str
    ]  # variables whose words it takes before its own: "MAKEFLAGS", "URL=--url"
    help: list[str]  # options that make it only print help or its version
    help_first: bool  # only as the very first word
    checks: dict[
        str, list[str]
    ]  # options, with their values, that alone make it check a syntax → its names that know them
    # words with which it only says what it would do: an option or operand, also after subcommands ("sync -n")
    # or with another option ("--reset-offsets --dry-run")
    dry_run: list[str]
    dry_run_not_as: list[str]  # its names under which these words are passed over
    dry_run_not_with: list[str]  # options with which these words are passed over
    sql: list[str]  # options whose value is SQL
    sql_from: int  # operands from this one (counted from 0) are SQL
    sql_stdin: bool
    sql_files: list[str]  # options whose value is a file with SQL
    sql_file_from: int  # operands from this one are such files
    sql_includes: str  # a pattern over SQL whose group is the name of another SQL file
    code: list[str]  # options whose value is program code
    code_verbs: list[str]  # subcommands after which an operand is program code
    code_loose: list[str]  # the same in a language that is only searched for calls
    code_from: int  # this operand is program code
    code_stdin: bool
    script: bool  # its first operand is a file with code
    verbs: list[str]  # ... after one of these subcommands, if it is given
    runs: list[str]  # subcommands that run the words after them as a command ("" for no subcommand)
    modules: list[str]  # options whose value is a program that is run with the following words
    writes: str  # operands it writes: all | first | last | rest (all but the first)
    writes_if: list[str]  # ... but only with one of these options
    script_unless: list[str]  # its first operand is a script, unless one of these options gives one
    writes_unless: list[str]  # with one of these options it writes nothing
    write_options: list[str]  # options whose value it writes
    write_options_if: dict[str, list[str]]  # the same, but only with one of the options listed
    # first operand → options whose value it writes; first operands → operands after them that it writes
    sub_write_options: dict[str, list[str]]
    sub_writes: dict[str, str]
    attached: list[
        str
    ]  # options whose value may stand in the same word, and nowhere else: "-ofile"
    # options with which what it writes are links to its other operands, or other names for them; "" for none
    symbolic_links: list[str]
    hard_links: list[str]
    old_style: bool  # its first word is a cluster of options even without a dash: "tar xzf"
    write_operands: list[str]  # operands with such a prefix name a path that it writes: "of="
    folder: list[str]  # options before the first operand that name the folder it runs in
    # ... or behind so many operands, under this name of it ("": under any other)
    folder_after: dict[str, int]
    scripts: list[str]  # operands with such an ending are files with code
    script_endings: list[str]  # what is tried after the name of the script: "", ".js", "/index.js"
    preloads: list[str]  # options whose value is a file with code that it runs first
    loads: str  # a pattern over its code whose groups name local modules that the code runs
    load_folders: (
        str  # a pattern over its code whose groups hold the names of folders of such modules
    )
    load_endings: list[str]  # what is tried after the name of such a module
    recipes: str  # the format of a file with named targets: a key of ``recipe_formats.FORMATS``
    recipe_files: list[str]  # the names of that file
    recipe_options: list[str]  # options that name it
    recipes_above: bool  # it is searched in the folders above, too
    # subcommand → the targets that it runs; "" for the operand after it
    recipe_verbs: dict[str, str]
    recipe_any: bool  # any other first operand is a target
    task_folders: list[
        str
    ]  # folders in which a target is a script of its name: ``db:reset`` is db/reset
    # operands that are folders with such a file: the targets that it runs there
    recipe_folders: str
    # files that it takes commands from → how they are read: "loose", "script" (by its first line), "auto"
    # (by its ending), "settings", one of ``recipe_formats.FORMATS`` or a program. Named by an option ("-f"),
    # an operand ("@0"), a variable ("$X"), a pattern over its words ("~source (.+)"), or by themselves (globs
    # allowed); "-f/x/*": files in that folder. "run @1": after that subcommand only. Those of the program
    # "@any" are for every command that sets a variable.
    command_files: dict[str, str]
    parts: str  # how those files are divided into what a run chooses: a key of ``file_parts.KINDS``
    part_options: list[str]  # options that name the chosen parts, "a,b"; without them operands do
    # options with which it runs none of those commands; "bake --print": after that subcommand only
    command_files_unless: list[str]
    # options that name a file in place of those named by themselves; "start -f": after that subcommand only
    command_files_instead: list[str]
    settings_files: list[str]  # more files of its settings, named like ``command_files``
    # a pattern over "name=value" of its settings → what such a one runs: {} is the value
    settings: dict[str, str]
    module_folders: list[str]  # options whose value is a folder in which modules are searched
    module_variables: list[str]  # variables that list such folders
    recipe_workspaces: list[str]  # words that make it run the targets in folders below, too
    script_folder: bool  # its operands are folders, whose files it runs
    project_files: list[str]  # files of the project that it runs by itself, globs allowed
    project_language: str  # the program that they are code for
    loads_app: str  # the kind of application that it loads, wherever the project names it: "flask", "django"
    hooks: dict[str, list[str]]  # subcommand → hooks of the repository that it runs
    hook_folders: list[str]  # folders of the project with hooks, besides the repository's own
    operand_options: list[str]  # options whose value counts as an operand
    patches: list[str]  # options whose value is a file with a patch
    patches_from: int  # operands from this one (counted from 0) are such files
    environment_options: list[str]  # options whose value names a Python environment
    environment_variables: list[str]  # variables that name one
    shell: bool  # runs what it reads from its input
    aliases: dict[str, str]  # files with a person's names for its commands → the section with them
    # a kind of shell, as ``shell_options.kind_of`` names it → files in the home folder that it reads first
    startup: dict[str, list[str]]
    # What an approval is bound to besides the line (``approvals.binding``):
    reads_env: list[str]  # variables that determine where it goes or as whom, globs allowed
    # settings that do: "~/x" at home, "$X" named by a variable, else in its folder
    reads_files: list[str]
    where: list[str]  # options that say where it goes; "@operands" for its operands, too
    sends_files: list[str]  # what it takes without naming it on the line; "." is the whole folder
    sends_for: dict[str, list[str]]  # first operands, or an option → the same, for such a command
    cannot_compare: dict[str, str]  # first operands → what it takes that no file shows
    # compiled: the table is from the project's configuration, so it exempts from no rule
    unvouched: bool


class Rule(TypedDict):
    """A compiled rule, without its conditions and examples."""

    id: str
    effect: Effect
    contextual: NotRequired[Effect]  # its effect under the profile "contextual", if that is another
    type: str
    reason: str
    instead: str
    pack: str
    loosenable: NotRequired[bool]
    destroys: NotRequired[bool]  # it can lose uncommitted work: a snapshot is taken before it runs
    leads: NotRequired[bool]  # among rules with the same effect, this one decides
    # in a committed file it does not count "below" the project, or "inside" of it
    local: NotRequired[str]
    # it is about what cannot be known, so it says nothing about a committed file
    unknown: NotRequired[bool]
    machine: NotRequired[bool]  # it is about the machine: inside a container it does not count
    here: NotRequired[bool]  # it changes files around its working folder, wherever what it names is
    by_name: NotRequired[
        bool
    ]  # it does not count for a target that was read and does nothing of it
    radius: NotRequired[str]  # what a decision card measures
    subject: NotRequired[list[str]]
    is_set: NotRequired[bool]  # a person or project set its effect: a snapshot does not replace it
    note: NotRequired[str]
    origin: NotRequired[str]


class LaterFile(TypedDict):
    """A file that runs later without another look of the gate."""

    path: str  # a pattern over its absolute path
    format: str  # a key of ``later.READERS``


class Tools(TypedDict):
    """What the host's tools do."""

    read: dict[str, str]  # tool → the argument that holds the path it reads
    search: list[str]  # tools that search files for a pattern, as ripgrep does
    fetch: dict[str, str]  # tool → the argument that holds the URL it reads
    named: dict[str, str]  # tool → the argument that names a skill, command or agent of the host
    named_arguments: list[str]  # the arguments that hold what is put in for its placeholders
    # where such a file is: {base} is a project, a home or a plugin, {name} its name
    named_files: list[str]
    plugins: str  # the host's list of plugins, relative to the home folder
    content: list[str]  # arguments that hold what is written
    read_name: NotRequired[str]  # an MCP server's tool with such a name reads files
    command_arguments: list[str]  # arguments of any server's tool that may be a command
    shell: dict[str, str]  # tool → the argument that holds a shell command
    write: dict[str, str]  # tool → the argument that holds the path it writes
    allow: list[str]  # tools that only read, or only talk to the person
    asks: list[str]  # tools that act only through texts given to a model or to the host
    # programs, some with a subcommand, that put nothing in place which was not there or on the line
    quiet: list[str]
    # programs, some with a subcommand, that act on this folder alone, or only read
    stays: list[str]
    clients: list[str]  # programs that connect to a host which is written alone: ``HOST/x``
    no_clients: list[str]  # programs that connect to no host which they are given
    # modules that code may import which acts on this folder alone: by being used they reach no other machine
    local_modules: list[str]
    shell_name: NotRequired[str]  # an MCP server's tool with such a name runs a shell command …
    shell_arguments: list[str]  # … given in one of these arguments
    program_name: NotRequired[
        str
    ]  # an MCP server's tool with such a name runs the program in its group …
    program_arguments: list[
        str
    ]  # … with what is given in these arguments, in their order from the last
    write_name: NotRequired[str]  # an MCP server's tool with such a name writes files …
    write_arguments: list[str]  # … whose paths are given in these arguments


# end of module
