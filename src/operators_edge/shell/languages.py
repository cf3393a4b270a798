"""Tables: how code is given to interpreters, and which calls of a language start or delete something.

Owns data only. Does not own reading the code (``shell.programs``).
"""

from __future__ import annotations

from typing import NamedTuple


class Language(NamedTuple):
    """How code reaches an interpreter, and what comments and strings look like."""

    code_options: str
    comment: str
    value_options: str = ""
    has_command_backticks: bool = False
    interpolation: str = ""


PYTHON = Language("c", r"#[^\n]*", "W X m")
NODE = Language(
    "pe e p eval print",
    r"//[^\n]*|/\*[\s\S]*?\*/",
    "r require import",
    interpolation=r"\$\{[^}]*\}",
)
PERL = Language(
    "e E", r"(?<![$\\])#[^\n]*", "I M m", has_command_backticks=True, interpolation=r"[$@]\w+"
)
RUBY = Language("e", r"#[^\n{]*", "r I", has_command_backticks=True, interpolation=r"#\{[^}]*\}")
PHP = Language("r", r"(?://|#)[^\n]*", "d c", has_command_backticks=True, interpolation=r"\$\w+")
AWK = Language("", r"(?<=\s)#[^\n]*", "F v")
LUA = Language("e", r"--[^\n]*", "l")
R = Language("e", r"#[^\n]*")
JULIA = Language(
    "e E eval print", r"#[^\n]*", has_command_backticks=True, interpolation=r"\$\(?\w+\)?"
)
ELIXIR = Language("e eval", r"#[^\n]*", "r", interpolation=r"#\{[^}]*\}")
GROOVY = Language("e", r"//[^\n]*", interpolation=r"\$\{[^}]*\}|\$\w+")
APPLESCRIPT = Language("e", r"--[^\n]*", "l")
TCL = Language("c", r"")
PLAIN = Language("", "")

INTERPRETERS: dict[str, Language] = {
    **dict.fromkeys(("node", "nodejs", "deno", "bun", "tsx", "ts-node"), NODE),
    **dict.fromkeys(("perl", "perl5"), PERL),
    **dict.fromkeys(("ruby", "irb", "jruby"), RUBY),
    "php": PHP,
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), AWK),
    **dict.fromkeys(("python", "python2", "python3", "pypy", "pypy3", "ipython"), PYTHON),
    **dict.fromkeys((f"python3.{minor}" for minor in range(6, 20)), PYTHON),
    **dict.fromkeys(("lua", "luajit", "lua5.1", "lua5.2", "lua5.3", "lua5.4"), LUA),
    **dict.fromkeys(("R", "Rscript"), R),
    **dict.fromkeys(("elixir", "iex"), ELIXIR),
    **dict.fromkeys(("groovy", "scala"), GROOVY),
    **dict.fromkeys(("tclsh", "wish", "expect"), TCL),
    "julia": JULIA,
    "osascript": APPLESCRIPT,
    **dict.fromkeys(("vim", "vi", "nvim", "ex", "sed", "gsed"), PLAIN),
}

STARTS = frozenset(
    # Calls whose arguments are a shell text, an argument list, or a program and its arguments.
    [
        "os.system",
        "os.popen",
        "os.execv",
        "os.execve",
        "os.execvp",
        "os.execvpe",
        "os.execl",
        "os.execlp",
        "os.execle",
        "os.spawnv",
        "os.spawnvp",
        "os.spawnl",
        "os.spawnlp",
        "os.posix_spawn",
        "subprocess.run",
        "subprocess.call",
        "subprocess.check_call",
        "subprocess.check_output",
        "subprocess.Popen",
        "subprocess.getoutput",
        "subprocess.getstatusoutput",
        "pty.spawn",
        "asyncio.create_subprocess_shell",
        "asyncio.create_subprocess_exec",
        "commands.getoutput",
        "child_process.exec",
        "child_process.execSync",
        "child_process.execFile",
        "child_process.execFileSync",
        "child_process.spawn",
        "child_process.spawnSync",
        "child_process.fork",
        "execSync",
        "execFileSync",
        "execFile",
        "spawnSync",
        "spawn",
        "execa",
        "execaSync",
        "execaCommand",
        "shell.exec",
        "shelljs.exec",
        "Bun.spawn",
        "Bun.spawnSync",
        "Deno.run",
        "Deno.Command",
        "system",
        "exec",
        "shell_exec",
        "passthru",
        "popen",
        "proc_open",
        "pcntl_exec",
        "Kernel.system",
        "Kernel.exec",
        "Kernel.spawn",
        "IO.popen",
        "Open3.capture2",
        "Open3.capture2e",
        "Open3.capture3",
        "Open3.popen3",
        "Process.spawn",
        "PTY.spawn",
        "open3",
        "open2",
        "os.execute",
        "io.popen",
        "system2",
        "Cmd",
        "System.cmd",
        "System.shell",
        "os.cmd",
        "do_shell_script",
    ]
)
DELETES_TREE = frozenset(
    [
        "shutil.rmtree",
        "os.removedirs",
        "fs.rmSync",
        "fs.rm",
        "fs.rmdirSync",
        "fs.rmdir",
        "fs.promises.rm",
        "fsPromises.rm",
        "fs.promises.rmdir",
        "fs.removeSync",
        "fs.remove",
        "fse.removeSync",
        "fse.remove",
        "rmSync",
        "rmdirSync",
        "rimraf",
        "rimraf.sync",
        "rimraf.rimrafSync",
        "rimrafSync",
        "del.sync",
        "shell.rm",
        "shelljs.rm",
        "Deno.remove",
        "Deno.removeSync",
        "FileUtils.rm_rf",
        "FileUtils.rm_r",
        "FileUtils.rmtree",
        "del",
        "FileUtils.remove_dir",
        "FileUtils.remove_entry",
        "FileUtils.remove_entry_secure",
        "rmtree",
        "remove_tree",
        "File::Path::rmtree",
        "File::Path::remove_tree",
        "File.rm_rf",
        "rm",
    ]
)
DELETES = frozenset(
    [
        "os.remove",
        "os.unlink",
        "os.rmdir",
        "fs.unlinkSync",
        "fs.unlink",
        "fs.promises.unlink",
        "unlinkSync",
        "unlink",
        "File.delete",
        "File.unlink",
        "FileUtils.rm",
        "FileUtils.rm_f",
        "FileUtils.remove",
        "Dir.rmdir",
        "Dir.delete",
        "rmdir",
        "file.remove",
        "File.rm",
    ]
)
WRITES: dict[str, int] = {
    # Calls that write a file → the argument that holds its mode, -1 if the call always writes.
    "open": 1,
    "io.open": 1,
    "codecs.open": 1,
    "fopen": 1,
    "File.open": 1,
    "File.new": 1,
    "fs.openSync": 1,
    "fs.writeFileSync": -1,
    "fs.writeFile": -1,
    "fs.appendFileSync": -1,
    "fs.appendFile": -1,
    "fs.truncateSync": -1,
    "fs.truncate": -1,
    "fs.createWriteStream": -1,
    "fs.promises.writeFile": -1,
    "fsPromises.writeFile": -1,
    "writeFileSync": -1,
    "appendFileSync": -1,
    "Deno.writeTextFile": -1,
    "Deno.writeTextFileSync": -1,
    "Deno.writeFileSync": -1,
    "Bun.write": -1,
    "os.truncate": -1,
    "File.write": -1,
    "File.truncate": -1,
    "IO.write": -1,
    "IO.binwrite": -1,
    "file_put_contents": -1,
    "File.write!": -1,
}
PATH_METHODS = frozenset(["unlink", "rmdir", "write_text", "write_bytes", "rmtree"])
"""Methods of path objects in Python and Ruby, whatever the name of the object."""
DISTINCT = frozenset(
    [
        "execSync",
        "spawnSync",
        "execFileSync",
        "execFile",
        "rmSync",
        "unlinkSync",
        "rmdirSync",
        "writeFileSync",
        "appendFileSync",
        "rmtree",
    ]
)
"""Names with the same meaning on any object."""
SAME_VALUE = frozenset(
    [
        "os.path.expanduser",
        "os.path.abspath",
        "os.path.realpath",
        "os.path.join",
        "os.fspath",
        "str",
        "Path",
        "pathlib.Path",
        "Path.home",
        "pathlib.Path.home",
        "path.join",
        "path.resolve",
        "File.expand_path",
        "File.join",
        "os.homedir",
        "Dir.home",
    ]
)
"""Calls that return their path argument, or a well-known path."""
RUNS_CODE = frozenset(["exec", "eval"])
BARE_IN = {
    # Bare names that start a process or change a file in these languages only.
    "system": {PERL, RUBY, PHP, AWK, R},
    "exec": {PERL, RUBY, PHP},
    "popen": {PHP},
    "spawn": {RUBY, NODE},
    "unlink": {PERL, PHP, R},
    "rmdir": {PERL, PHP},
    "del": {NODE},
    "open": {PYTHON, PERL, RUBY},
    "open2": {PERL},
    "open3": {PERL},
    "fopen": {PHP},
    "rm": {JULIA},
    "Cmd": {JULIA},
    "io.open": {PYTHON, LUA},
    "do_shell_script": {APPLESCRIPT},
    "os.remove": {PYTHON, LUA},
}
WITHOUT_PARENTHESES = frozenset([PERL, RUBY, APPLESCRIPT, ELIXIR, GROOVY])
