"""Tables: how code is given to interpreters, and which calls of a language start or delete something.

Owns data only. Does not own reading the code (``shell.code.programs``).
"""

from __future__ import annotations

from operators_edge.shell.commands import OWN_PATH
from operators_edge.tuples import NamedTuple


class Language(NamedTuple):
    """How code reaches an interpreter, and what comments and strings look like."""

    code_options: str
    comment: str
    value_options: str = ""
    has_command_backticks: bool = False
    interpolation: str = ""


_PATTERN = r"(?:(?<=\bif )|(?<=unless )|(?<=~ )|(?<=~)|(?<=\())/(?:[^/\\\n{]|\\.)+/"
"""A pattern that a text is compared with, which runs nothing: like a comment."""

PYTHON = Language("c", r"#[^\n]*", "W X m")
NODE = Language(
    "pe e p eval print",
    rf"\A#![^\n]*|//[^\n]*|/\*[\s\S]*?\*/|{_PATTERN}",
    "r require import",
    interpolation=r"\$\{[^}]*\}",
)
PERL = Language(
    "e E",
    rf"(?<![$\\])#[^\n]*|{_PATTERN}",
    "I M m",
    has_command_backticks=True,
    interpolation=r"\$ENV\{\W?HOME\W?\}|[$@]\w+",
)
RUBY = Language(
    "e",
    rf"#[^\n{{]*|{_PATTERN}",
    "r I",
    has_command_backticks=True,
    interpolation=r"#\{[^}]*\}",
)
PHP = Language(
    "r", r"(?://|#)[^\n]*", "d c", has_command_backticks=True, interpolation=r"\{\$\w+\}|\$\w+"
)
AWK = Language("", rf"(?<=\s)#[^\n]*|{_PATTERN}", "F v")
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
    **dict.fromkeys(("node", "nodejs", "deno", "bun", "tsx", "ts-node", "qjs", "zx"), NODE),
    **dict.fromkeys(("perl", "perl5"), PERL),
    **dict.fromkeys(("ruby", "irb", "jruby", "crystal"), RUBY),
    "php": PHP,
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), AWK),
    **dict.fromkeys(
        ("python", "python2", "python3", "py", "pypy", "pypy3", "ipython", "ipython3"), PYTHON
    ),
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

_EFFECTS: dict[str, dict[str, str]] = {
    # What calls do → their module, with its separator, "" for bare names → their names.
    "start": {
        # Their arguments are a shell text, an argument list, or a program and its arguments.
        "": "system exec popen spawn open2 open3 passthru shell_exec proc_open pcntl_exec system2 Cmd"
        " execSync execFile execFileSync spawnSync execa execaSync execaCommand do_shell_script",
        "os.": "system popen execv execve execvp execvpe execl execlp execle spawnv spawnvp spawnl"
        " spawnlp posix_spawn execute cmd exec",
        "subprocess.": "run call check_call check_output Popen getoutput getstatusoutput",
        "pty.": "spawn",
        "asyncio.": "create_subprocess_shell create_subprocess_exec",
        "commands.": "getoutput",
        "child_process.": "exec execSync execFile execFileSync spawn spawnSync fork",
        "shell.": "exec",
        "shelljs.": "exec",
        "Bun.": "spawn spawnSync",
        "spawn.": "sync",
        "Deno.": "run Command",
        "Kernel.": "system exec spawn",
        "IO.": "popen",
        "Open3.": "capture2 capture2e capture3 popen3",
        "Process.": "spawn",
        "PTY.": "spawn",
        "io.": "popen",
        "System.": "cmd shell",
        "processx::": "run",
        "sys::": "exec_wait exec_internal exec_background",
    },
    "delete a tree": {
        "": "rmSync rmdirSync emptyDirSync rimraf rimrafSync del rmtree remove_tree rm rm_rf rm_r"
        " deleteAsync deleteSync",
        "shutil.": "rmtree",
        "os.": "removedirs",
        "fs.": "rmSync rm rmdirSync rmdir removeSync remove emptyDirSync emptyDir",
        "fs.promises.": "rm rmdir",
        "fs::": "dir_delete",
        "fsPromises.": "rm",
        "fse.": "removeSync remove emptyDirSync emptyDir",
        "rimraf.": "sync rimrafSync",
        "del.": "sync",
        "shell.": "rm",
        "shelljs.": "rm",
        "Deno.": "remove removeSync",
        "FileUtils.": "rm_rf rm_r rmtree remove_dir remove_entry remove_entry_secure",
        "File::Path::": "rmtree remove_tree",
        "File.": "rm_rf",
    },
    "delete": {
        "": "unlinkSync unlink rmdir",
        "os.": "remove unlink rmdir",
        "fs.": "unlinkSync unlink",
        "fs.promises.": "unlink",
        "File.": "delete unlink rm",
        "FileUtils.": "rm rm_f remove",
        "Dir.": "rmdir delete",
        "file.": "remove",
        "fs::": "file_delete",
    },
    "write": {
        "": "writeFileSync appendFileSync file_put_contents",
        "io.": "output",
        "fs.": "writeFileSync writeFile appendFileSync appendFile truncateSync truncate createWriteStream",
        "fs.promises.": "writeFile",
        "fsPromises.": "writeFile",
        "Deno.": "writeTextFile writeTextFileSync writeFileSync",
        "Bun.": "write",
        "os.": "truncate",
        "File.": "write truncate write!",
        "IO.": "write binwrite",
    },
    # The path comes after what is written.
    "write to": {
        "": "writeLines saveRDS fwrite write_csv write_tsv write_rds write_lines write_json",
        "write.": "csv csv2 table",
        "readr::": "write_csv write_tsv write_rds write_lines",
        "data.table::": "fwrite",
        "jsonlite::": "write_json",
    },
    "move": {
        "": "renameSync moveSync rename move mv",
        "file.": "rename",
        "os.": "rename replace renames",
        "shutil.": "move",
        "fs.": "renameSync rename moveSync",
        "fs.promises.": "rename",
        "fse.": "moveSync move",
        "Deno.": "renameSync rename",
        "File.": "rename",
        "FileUtils.": "mv move",
    },
    "copy": {
        "": "copyFileSync copy cp",
        "file.": "copy",
        "shutil.": "copy copy2 copyfile copytree",
        "fs.": "copyFileSync copyFile cpSync cp",
        "fse.": "copySync copy",
        "Deno.": "copyFile copyFileSync",
        "FileUtils.": "cp cp_r copy copy_file",
    },
    "download": {
        "": "getstore mirror download.file",
        "urllib.request.": "urlretrieve",
        "urllib.": "urlretrieve",
    },
    "link": {
        "": "symlinkSync",
        "os.": "symlink",
        "fs.": "symlinkSync",
        "File.": "symlink",
    },
    "second name": {"os.": "link", "fs.": "linkSync", "File.": "link"},
    "set mode": {"": "chmodSync", "os.": "chmod", "fs.": "chmodSync"},
    # The second argument says whether the file is written.
    "open": {
        "": "open fopen",
        "io.": "open",
        "codecs.": "open",
        "File.": "open new",
        "fs.": "openSync",
    },
    # They make a file or a folder of their own, and return its path.
    "own path": {
        "": "mkdtempSync tempdir tempnam",
        "fs.": "mkdtempSync mkdtemp",
        "fs.promises.": "mkdtemp",
        "fsPromises.": "mkdtemp",
        "Deno.": "makeTempDir makeTempDirSync makeTempFile makeTempFileSync",
        "Dir.": "mktmpdir",
        "os.": "tmpname",
    },
    "current folder": {"": "getcwd", "process.": "cwd", "Deno.": "cwd", "Dir.": "pwd getwd"},
    # They return their path argument, or a well-known path.
    "same path": {
        "": "str Path Pathname URI URL",
        "Pathname.": "new",
        "os.": "fspath homedir",
        "os.path.": "expanduser abspath realpath join",
        "pathlib.": "Path",
        "Path.": "home",
        "pathlib.Path.": "home",
        "path.": "join resolve",
        "File.": "expand_path join",
        "Dir.": "home",
        "URI.": "parse",
    },
}
CALLS = {
    module + name: effect
    for effect, modules in _EFFECTS.items()
    for module, names in modules.items()
    for name in names.split()
}
"""The name of a call → its effect."""
OF_PLACES = {"own path": OWN_PATH, "current folder": "."}
"""What calls do that only name a place → the path of it."""
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
        "renameSync",
        "copyFileSync",
        "rmtree",
        "emptyDirSync",
    ]
)
"""Names with the same meaning on any object."""
RUNS_CODE: dict[Language, frozenset[str]] = {
    PYTHON: frozenset(["exec", "eval"]),
    NODE: frozenset(
        ["eval", "Function", "vm.runInThisContext", "vm.runInNewContext", "vm.runInContext"]
    ),
    PERL: frozenset(["eval"]),
    RUBY: frozenset(["eval", "instance_eval", "class_eval"]),
    PHP: frozenset(["eval", "assert"]),
}
"""Calls whose argument is code of the same language."""
BARE_IN = {
    # Bare names that start a process or change a file in these languages only.
    "system": {PERL, RUBY, PHP, AWK, R},
    "exec": {PERL, RUBY, PHP},
    "popen": {PHP},
    "spawn": {RUBY, NODE},
    "unlink": {PERL, PHP, R},
    "rename": {PERL, PHP},
    "getstore": {PERL},
    "mirror": {PERL},
    "download.file": {R},
    "copy": {PERL, PHP},
    "move": {PERL},
    "cp": {JULIA},
    "mv": {JULIA},
    "file.copy": {R},
    **{name: {R} for name in ("writeLines", "saveRDS", "fwrite", "write_csv", "write_tsv")},
    **{name: {R} for name in ("write_rds", "write_lines", "write_json")},
    **{f"write.{name}": {R} for name in ("csv", "csv2", "table")},
    "io.output": {LUA},
    "rmdir": {PERL, PHP},
    "del": {NODE},
    "open": {PYTHON, PERL, RUBY, JULIA},
    "open2": {PERL},
    "open3": {PERL},
    "fopen": {PHP},
    "rm": {JULIA},
    "rm_rf": {RUBY},
    "rm_r": {RUBY},
    "Cmd": {JULIA},
    "io.open": {PYTHON, LUA},
    "do_shell_script": {APPLESCRIPT},
    "os.remove": {PYTHON, LUA},
}
WITHOUT_PARENTHESES = frozenset([PERL, RUBY, APPLESCRIPT, ELIXIR, GROOVY])

_LIBRARY_NAMES = (
    "requests requests_toolbelt httpx aiohttp niquests urllib3 curl_cffi urllib http"
    " smtplib aiosmtplib yagmail redmail boto3 botocore aioboto3 kubernetes django docker"
    " redis valkey pymongo motor paramiko fabric asyncssh pysftp ftplib google azure"
    " git sh invoke socket psycopg psycopg2 asyncpg pg8000 sqlalchemy records duckdb"
    " pymysql MySQLdb mysql aiomysql snowflake sqlite3 aiosqlite apsw pymssql pyodbc"
    " slack_sdk slack twilio sendgrid stripe tweepy telegram discord github gitlab jira"
    " mailchimp_marketing openai elasticsearch elasticsearch7 elasticsearch8 opensearchpy"
    " mailchimp_transactional mailjet_rest mailersend postmarker resend sparkpost sib_api_v3_sdk"
    " messagebird vonage plivo telnyx clicksend_client africastalking firebase_admin pyfcm"
    " exponent_server_sdk pywebpush onesignal onesignal_sdk telebot aiogram cloudflare CloudFlare"
    " hcloud digitalocean pydo linode_api4 paypalrestsdk braintree razorpay shopify hubspot zenpy"
    " pdpyras okta auth0"
    " flask_sqlalchemy sqlmodel mongoengine tortoise peewee"
    " clickhouse_connect clickhouse_driver cassandra neo4j influxdb_client qdrant_client weaviate pymilvus"
    " pinecone chromadb turbopuffer algoliasearch cloudinary imagekitio mux_python"
    " contentful_management appwrite supabase upstash_vector upstash_redis vercel_blob"
    " pyairtable notion_client livekit launchdarkly_api"
    " stream_chat b2sdk meilisearch typesense kafka confluent_kafka aiokafka pika aio_pika kombu"
    " pygit2 twine pulumi plumbum pexpect crontab"
    " sagemaker vertexai googleapiclient azureml databricks anthropic together mistralai cohere replicate"
    " runpod sky modal anyscale coiled dask_cloudprovider huggingface_hub mlflow airflow"
    " selenium playwright splinter seleniumbase"
)
LIBRARIES = tuple(_LIBRARY_NAMES.split())
"""Python libraries whose calls act outside the program; ``python.twins`` knows what they do."""

# end of module
