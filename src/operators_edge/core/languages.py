"""How code is given to interpreters, and which calls of which language start or delete something.

Owns data alone. Does not own reading the code (``interpreters``).
"""

from __future__ import annotations

from typing import NamedTuple


class Language(NamedTuple):
    """How code reaches the interpreter and what its strings look like."""

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

INTERPRETERS: dict[str, Language] = {
    **dict.fromkeys(("node", "nodejs", "deno", "bun", "tsx", "ts-node"), NODE),
    **dict.fromkeys(("perl", "perl5"), PERL),
    **dict.fromkeys(("ruby", "irb", "jruby"), RUBY),
    "php": PHP,
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), AWK),
    **dict.fromkeys(("python", "python2", "python3", "pypy", "pypy3", "ipython"), PYTHON),
    **dict.fromkeys((f"python3.{minor}" for minor in range(6, 20)), PYTHON),
    **dict.fromkeys(("vim", "vi", "nvim", "ex", "sed", "gsed"), Language("", "")),
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
    ]
)
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
"""Calls that give back the path they are given, or a well-known one."""
RUNS_CODE = frozenset(["exec", "eval"])
BARE_IN = {
    # Bare names that only these languages know as process starters.
    "system": {PERL, RUBY, PHP, AWK},
    "exec": {PERL, RUBY, PHP},
    "popen": {PHP},
    "spawn": {RUBY, NODE},
    "unlink": {PERL, PHP},
    "rmdir": {PERL, PHP},
    "del": {NODE},
}
