"""Programs given to interpreters, and the commands seen in them."""

from __future__ import annotations

import pytest
from tests.tables import for_each

from operators_edge.shell.commands import HOLE
from operators_edge.shell.evaluate import parse

RM = ["rm", "-rf", "/"]

STARTS = [
    ("python -m timeit 'import os; os.system(\"rm -rf /\")'", [RM]),
    ("python3 -mtimeit -n 1 -s 'import shutil' 'shutil.rmtree(\"/\")'", [RM]),
    (
        "python3 -c \"import subprocess; subprocess.run(['ls', '-rf', '/'], executable='/bin/rm')\"",
        [["ls", "-rf", "/"], ["/bin/rm", "-rf", "/"]],
    ),
    (
        "python3 -c \"import subprocess, os; subprocess.run(['x', '/'], executable=os.environ['X'])\"",
        [["x", "/"], [HOLE, "/"]],
    ),
    (
        "python3 -c \"from subprocess import run; run('rm -rf /', shell=True, executable='bash')\"",
        [RM],
    ),
    ("python3 -c \"import subprocess; subprocess.run(['ls'], executable=None)\"", [["ls"]]),
    (
        "python3 -c \"import asyncio; asyncio.create_subprocess_exec('a', '/', executable='rm')\"",
        [["a", "/"], ["rm", "/"]],
    ),
    ('Rscript -e \'system2("rm", c("-rf", "/"))\'', [RM]),
    ('Rscript -e \'system2(command = "rm", args = "-rf /", stdout = TRUE)\'', [RM]),
    ('Rscript -e \'processx::run("rm", c("-rf", "/"))\'', [RM]),
    ('Rscript -e \'sys::exec_wait("rm", paste0("-r", "f"))\'', [["rm", HOLE]]),
    ('Rscript -e \'unlink(c("a", "b"))\'', [["rm", "a", "b"]]),
    ("Rscript -e 'unlink(\"a\", recursive = TRUE)'", [["rm", "a"], ["rm", "-rf", "a"]]),
    ("Rscript -e 'unlink(\"a\", force = TRUE, rec = T)'", [["rm", "a"], ["rm", "-rf", "a"]]),
    ("Rscript -e 'unlink(\"a\", TRUE)'", [["rm", "a"], ["rm", "-rf", "a"]]),
    ("Rscript -e 'unlink(\"a\", recursive = FALSE)'", [["rm", "a"]]),
    ("py -3.12 -c \"import os; os.system('rm -rf /')\"", [RM]),
    (
        'perl -MFile::Copy -e \'copy("/a", "/b"); move "/b", "/c"\'',
        [["cp", "/a", "/b"], ["mv", "/b", "/c"]],
    ),
    ('php -r \'copy("/a", "/b"); $disk->copy("/c", "/d");\'', [["cp", "/a", "/b"]]),
    ('Rscript -e \'file.copy("/a", "/b")\'', [["cp", "/a", "/b"]]),
    (
        'Rscript -e \'writeLines("x", "/a"); writeLines("y"); saveRDS(x, file = "/b")\'',
        [["tee", "/a"], ["tee", "/b"]],
    ),
    ("Rscript -e 'write.csv(x, \"/a\"); readr::write_csv(x, where)'", [["tee", "/a"]]),
    ('julia -e \'cp("/a", "/b"); mv("/b", "/c")\'', [["cp", "/a", "/b"], ["mv", "/b", "/c"]]),
    ('julia -e \'open("/a", "w"); open("/b")\'', [["tee", "/a"]]),
    ("PYTHON3 -c \"import os; os.system('rm -rf /')\"", [RM]),
    ("/Volumes/x/Python -c \"import os; os.system('rm -rf /')\"", [RM]),
    ("echo 'system(\"rm -rf /\")' | Perl", [RM]),
    ("Sh -c 'rm -rf /'", [RM]),
    ("ipython -c '!rm -rf /'", [RM]),
    ("ipython3 -c 'x = !rm -rf /'", [RM]),
    ("ipython -c '%sx rm -rf /'", [RM]),
    ("ipython -c '%timeit -n 1 !rm -rf /'", [RM]),
    ('ipython -c \'get_ipython().run_cell_magic("sh", "", "rm -rf /")\'', [RM]),
    ('ipython -c \'get_ipython().run_line_magic("sx", "rm -rf /")\'', [RM]),
    ("php -r 'Exec(\"rm -rf /\");'", [RM]),
    ('ruby3.3 -e \'system(["rm", "tidy"], "-rf", "/")\'', [RM]),
    ("perl5.38.2 -e 'system(\"rm -rf /\")'", [RM]),
    ('node22 -e \'require("child_process").execSync("rm -rf /")\'', [RM]),
    ("php8.3 -r 'passthru(\"rm -rf /\");'", [RM]),
    ("ipython <<'E'\n%%bash\nrm -rf /\nE", [RM]),
    ("zx --eval 'await $`rm -rf /`'", [RM]),
    ("zx <<'E'\nawait $`rm -rf /`\nE", [RM]),
    ('node -e \'new Function("r", "r(1).execSync(\\"rm -rf /\\")")(require)\'', [RM]),
    ("node -e \"require('fs/promises').rm('/', {recursive: true})\"", [RM]),
    (
        "python3 -c \"from pathlib import Path; (Path.home()/'.bashrc').open('a').write('x')\"",
        [["tee", "~/.bashrc"]],
    ),
    (
        "python3 -c \"from pathlib import Path as P; P('~/.zshrc').expanduser().write_text('')\"",
        [["tee", "~/.zshrc"]],
    ),
    (
        "python3 -c \"import os.path as p; open(p.join(p.expanduser('~'), '.profile'), 'w')\"",
        [["tee", "~/.profile"]],
    ),
    ('php -r \'rename("/a", "/b");\'', [["mv", "/a", "/b"]]),
    ("ruby -e \"require 'pathname'; Pathname.new('/').rmtree\"", [RM]),
    ("Rscript -e 'fs::dir_delete(\"/\")'", [RM]),
    (
        "python3 -c \"import threading, os; threading.Thread(target=os.system, args=('rm -rf /',))\"",
        [RM],
    ),
    ("python3 -c \"import os; list(map(os.system, ['rm -rf /']))\"", [RM]),
    ("python3 -c \"import os, functools as f; f.partial(os.system, 'rm -rf /')()\"", [RM]),
    (
        "python3 -c \"import atexit, subprocess; atexit.register(subprocess.run, ['rm', '-rf', '/'])\"",
        [RM],
    ),
    ("python3 -c \"get_ipython().system('rm -rf /')\"", [RM]),
    ("bun -e 'await Bun.$`rm -rf /`'", [RM]),
    ("scala -e 'import sys.process._; \"rm -rf /\".!'", [RM]),
    ("groovy -e 'new File(\"/\").deleteDir()'", [RM]),
    ("""python3 -c 'import os; os.system("rm -rf /")'""", [RM]),
    ("""python -c "__import__('os').system('rm -rf /')" """, [RM]),
    ("""python -c "from os import system as s; s('rm -rf ' + '/')" """, [RM]),
    ("""python -c "import subprocess as sp; sp.run(['rm','-rf','/'], check=True)" """, [RM]),
    ("""python -c "import subprocess; subprocess.run(args=['rm', x])" """, [["rm", HOLE]]),
    ("python - <<'E'\nimport subprocess\nc = ['rm', '-rf', '/']\nsubprocess.call(c)\nE", [RM]),
    ("""echo 'import os; os.system("rm -rf /")' | python3""", [RM]),
    ("""python -c "import shutil; shutil.rmtree(p)" """, [["rm", "-rf", HOLE]]),
    (
        """python -c "import os; os.remove('/x'); os.execvp('rm', ['rm','-rf','/'])" """,
        [["rm", "/x"], RM],
    ),
    ("""python -c "from pathlib import Path; Path('/x').unlink()" """, [["rm", "/x"]]),
    ("""python -c 'exec("import os; os.system(\\"rm -rf /\\")")'""", [RM]),
    ("""node -e "require('fs').rmSync('/', {recursive: true})" """, [RM]),
    ("""node -e "require('fs').rmdirSync('/', {recursive: true})" """, [RM]),
    ("""node -pe 'const {execSync} = require("child_process"); execSync("rm -rf /")'""", [RM]),
    ("""node -e 'import {execSync as x} from "node:child_process"; x("rm -rf /")'""", [RM]),
    ("""node -e 'const x = require("child_process").execSync; x("rm -rf /")'""", [RM]),
    ("""node -e "require('child_process').spawn('rm', ['-rf', '/'])" """, [RM]),
    ("""deno eval "Deno.removeSync('/')" """, [RM]),
    ("""perl -we 'system("rm", "-rf", "/")'""", [RM]),
    ("""perl -e 'my $x = qx{rm -rf /}; `rm -rf /`'""", [RM, RM]),
    ("""ruby -e "require 'fileutils'; FileUtils.rm_rf('/')" """, [RM]),
    ("""ruby -e 'system "rm -rf /"; %x{rm -rf /}'""", [RM, RM]),
    ("""php -r 'shell_exec("rm -rf /"); unlink($f);'""", [RM, ["rm", HOLE]]),
    ("""awk 'BEGIN { system("rm\\040-rf\\040/") }' f""", [RM]),
    ("""awk '{ print | "rm -rf /" }' f""", [RM]),
    ("sed '1e rm -rf /' f", [RM]),
    ("sed 's/x/rm -rf \\//e' f", [RM]),
    ("vim -c '!rm -rf /' f", [RM]),
    (
        """python -c "import subprocess as s; x = 'from os import path as s'; s.run('rm -rf /')" """,
        [RM],
    ),
    ("""python -c "import os; getattr(os, 'system')('rm -rf /')" """, [RM]),
    (
        """python -c "open('/etc/x', 'w'); open('y'); open('z', mode='a')" """,
        [["tee", "/etc/x"], ["tee", "z"]],
    ),
    (
        """python -c "from pathlib import Path; p = Path('/x'); p.write_text(''); p.unlink()" """,
        [["tee", "/x"], ["rm", "/x"]],
    ),
    ("""python3 -c "open(p, 'w').write('rm -rf /')" """, [["tee", HOLE]]),
    ("python3 -c 'x = Path(p).write_text(y)'", [["tee", HOLE]]),
    ("""perl -e 'open(F, ">", $f); open(F, ">>", $f); open(F, "<", $f)'""", [["tee", HOLE]]),
    ("""node -e "require('fs').writeFileSync('/x', '')" """, [["tee", "/x"]]),
    ("""node -e "import('child_process').then(c => c.execSync('rm -rf /'))" """, [RM]),
    ("""node -e "Bun.spawnSync({cmd: ['rm', '-rf', '/']})" """, [RM]),
    ("""deno eval "new Deno.Command('rm', {args: ['-rf', '/']})" """, [RM]),
    (
        """perl -e 'open(F, ">", "/x"); open(P, "|rm -rf /"); open(Q, "-|", "rm", "-rf", "/")'""",
        [["tee", "/x"], RM, RM],
    ),
    ("""ruby -e 'File.write("/x", "")'""", [["tee", "/x"]]),
    ("""php -r 'file_put_contents("/x", ""); exec("rm -rf /", $o);'""", [["tee", "/x"], RM]),
    ("""awk 'BEGIN { f = "/x"; print "y" > f }'""", [["tee", "/x"]]),
    (
        r"""awk '{ print | "declare -i v; v=\"x[\\$(rm -rf /)]\"; sh" }'""",
        [["cat", "-"], ["declare", "-i", "v"], RM, [], ["sh"]],
    ),
    ("""lua -e 'os.execute("rm -rf /"); os.remove("/x")'""", [RM, ["rm", "/x"]]),
    ("""Rscript -e 'system("rm -rf /"); unlink("/x")'""", [RM, ["rm", "/x"]]),
    ("""julia -e 'run(`rm -rf /`)'""", [RM]),
    ("""elixir -e 'System.cmd("rm", ["-rf", "/"])'""", [RM]),
    ("""groovy -e '"rm -rf /".execute()'""", [RM]),
    ("""osascript -e 'do shell script "rm -rf /"'""", [RM]),
    ("""expect -c 'spawn rm -rf /'""", [RM]),
    ("""perl -e 'system(q{rm -rf /}); my @a = qw(rm x);'""", [RM]),
    (
        """perl -e 'open(P, "rm -rf / |"); open(F, "+>/x"); open(G, "<", "/y")'""",
        [RM, ["tee", "/x"]],
    ),
    ("""perl -e 'system("rm", "-rf", "/") == 0 or die'""", [RM]),
    ("""python -c "import os; os.system('rm ' '-rf ' '/')" """, [RM]),
    ("""python -c "import os; os.system(f'rm -rf {d}')" """, [["rm", "-rf", HOLE]]),
    (
        """python -c "from pathlib import Path; import shutil; shutil.rmtree(Path.home())" """,
        [["rm", "-rf", "~"]],
    ),
    ("""node -e "execSync('rm', !0, {args: {a: 1}})" """, [["rm"]]),
    ("""awk 'BEGIN { "rm -rf /" | getline x }'""", [RM]),
    ("""vim -c 'call system("rm -rf /")' f""", [RM]),
    ("""tclsh <<< 'exec sh -c "rm -rf /"; file delete -force /x'""", [RM, ["rm", "-rf", "/x"]]),
]

NOTHING = [
    """python3 -c "print('rm -rf /')" """,
    """python3 -c 'x = "os.system(1)"  # os.system("rm")'""",
    """python3 -c "a.system('rm -rf /'); l.remove('x')" """,
    """node -e "/x/.exec('rm -rf /'); console.log('rm')" """,
    """awk '{ print $1 " system(x)" }' f""",
    "python3 -m json.tool",
    """python3 -c "print(open('x').read())" """,
    """node -e "console.log('execSync(1)'); run('rm -rf /')" """,
    """lua -e 'print("os.execute(1)")'""",
    """osascript -e 'display dialog "do it"'""",
    """awk '$1 > "a" { print }' f""",
    "python3 script.py -c 'os.system(1)'",
    "sed 's/rm/ls/g' f",
    "awk -f script.awk f",
    "python3 -c 'Path('",
    "python3 -c 'open(p, \"a\").write(y)'",
    "perl -e 'open'",
    "perl -pi -e 's/rm -rf/ls/' f",
    "psql <<E\nos.system('rm -rf /')\nE",
]


GOES = [
    'python3 -c \'import os, shutil; os.chdir("/o"); shutil.rmtree("b")\'',
    'python3 -c \'import subprocess; subprocess.run(["rm", "-rf", "b"], cwd="/o")\'',
    'node -e \'process.chdir("/o"); require("fs").rmSync("b", {recursive: true})\'',
    'node -e \'require("child_process").execSync("rm -rf b", {cwd: "/o"})\'',
    'ruby -e \'Dir.chdir "/o"; FileUtils.rm_rf("b")\'',
    'ruby -e \'system("rm -rf b", chdir: "/o")\'',
    'perl -e \'chdir "/o"; system("rm -rf b")\'',
    'php -r \'chdir("/o"); system("rm -rf b");\'',
]


@for_each("text", GOES)
def test_code_that_goes_to_another_folder_may_act_in_each(text: str) -> None:
    for written, folders in ((text, ["", "/o"]), (text.replace('"/o"', "where"), ["", None])):
        runs = [one for one in parse(written).commands if one.argv[-1].text == "b"]
        assert [one.cwd for one in runs] == folders


MAKES = [
    "node -e 'const d = fs.mkdtempSync(path.join(os.tmpdir(), \"x\")); fs.rmSync(d)'",
    "node -e 'const d = await fs.promises.mkdtemp(\"x\"); fs.rmSync(d)'",
    "ruby -e 'd = Dir.mktmpdir; FileUtils.rm_rf(d)'",
    "ruby -e 'd = Dir.mktmpdir(\"x\"); FileUtils.rm_rf(d)'",
    "perl -e 'my $d = tempdir(CLEANUP => 0); rmtree($d)'",
    'php -r \'$d = tempnam("/x", "y"); unlink($d);\'',
]


@for_each("text", MAKES)
def test_a_file_of_its_own_that_code_makes_is_known(text: str) -> None:
    (run,) = [one for one in parse(text).commands if one.argv[0].text == "rm"]
    assert run.argv[-1].text == "/tmp/tmp.of-its-own"
    name = "mkdtemp" if "mkdtemp" in text else "mktmpdir" if "mktmp" in text else "temp"
    for written in ("function %s() { }", "%s = f; "):
        known = {"temp": "tempdir" if "perl" in text else "tempnam", "mkdtemp": "mkdtempSync"}
        full = "mkdtemp" if "promises" in text else known.get(name, name)
        changed = text.replace(" -e '", f" -e '{written % full}").replace(
            " -r '", f" -r '{written % full}"
        )
        runs = [one for one in parse(changed).commands if one.argv[0].text == "rm"]
        assert [one.argv[-1].text for one in runs] == [HOLE]


@for_each(("text", "expected"), STARTS)
def test_code_that_starts_or_deletes_shows_what(text: str, expected: list[list[str]]) -> None:
    script = parse(text)
    found = [[word.text for word in c.argv] for c in script.commands if c.through]
    assert found == expected
    assert not script.problems


@for_each("text", NOTHING)
def test_code_that_only_mentions_a_command_shows_nothing(text: str) -> None:
    assert [c.argv for c in parse(text).commands if c.through] == []


@pytest.mark.parametrize("code", ["x = [[" * 9_000, "os.system(1);" * 300])
def test_a_program_too_long_to_be_read_starts_something_unknown(code: str) -> None:
    last = [c for c in parse(f"python3 -c '{code}'").commands if c.through][-1]
    assert [word.text for word in last.argv] == [HOLE]


@for_each(
    "text",
    [
        """node -e "require('f' + 's')['rm' + 'Sync']('/', {recursive: true})" """,
        """node -e "eval(atob('cmVxdWlyZSgnZnMnKS5ybVN5bmMoJy8nLHtyZWN1cnNpdmU6dHJ1ZX0p'))" """,
        """node -e "eval(Buffer.from('""" + b"fs.rmSync('/')".hex() + """', 'hex').toString())" """,
        """node -e "new Function('require(\\"fs\\").rmSync(\\"/\\")')()" """,
        """perl -e 'eval "sys" . "tem(\\"rm -rf /\\")"'""",
        """perl -e 'eval pack("H*", \"""" + b'system("rm -rf /");'.hex() + """\")'""",
        """ruby -e 'Kernel.send(:system, "rm -rf /")'""",
        """ruby -e 'FileUtils.method("rm" + "_rf").call("/")'""",
        """php -r '$f = "sys" . "tem"; $f("rm -rf /");'""",
        """php -r 'eval(base64_decode("c3lzdGVtKCJybSAtcmYgLyIpOw=="));'""",
        """awk 'BEGIN { print "rm -rf /" | "sh" }'""",
        """awk 'BEGIN { printf "rm -rf %s", "/" | "sh" }'""",
        """awk 'BEGIN { c = "rm -rf /"; c | getline x }'""",
        """awk -v c='rm -rf /' 'BEGIN { system(c) }'""",
        "sed '/x/ e rm -rf /' f",
        "sed -e 'x;e rm -rf /' f",
        "echo 'rm -rf /' | sed 's/x/x/;s/^/ /e'",
        "echo 'rm -rf /' | sed e",
        'vim -es -c \'call delete("/", "rf")\' -c q',
        "vim -c 'silent exe \"!rm -rf /\"' -c q",
        "nvim -c 'lua os.execute(\"rm -rf /\")' -c q",
        'vim -c \'call job_start(["rm", "-rf", "/"])\'',
        "ex -s f <<< '1,$!rm -rf /'",
    ],
)
def test_what_is_computed_or_written_in_a_small_language_is_found(text):
    found = [[word.text for word in one.argv] for one in parse(text).commands]
    assert any(words[:2] == ["rm", "-rf"] for words in found), found


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("sed -n 'w /x' f", "/x"),
        ("sed 's/a/b/gw /x' f", "/x"),
        ('awk \'BEGIN { print "a" > ENVIRON["HOME"] "/x" }\'', "~/x"),
        ("vim -es -c 'wq! /x' f", "/x"),
        ("vim -c 'call writefile([], \"/x\")'", "/x"),
    ],
)
def test_files_that_a_small_language_writes_are_found(text, path):
    assert ["tee", path] in [[word.text for word in one.argv] for one in parse(text).commands]


@pytest.mark.parametrize(
    "text",
    [
        "sed 's/e/w/' f",
        "sed '/e rm/d' f",
        "sed -n '$p' f",
        "sed 'a e rm -rf /' f",
        "vim -c 'set number' f",
        "awk '{ print | \"sort\" }' f",
        "awk '{ print $1 > \"/dev/stderr\" }' f",
    ],
)
def test_a_small_language_that_only_changes_text_runs_nothing(text):
    found = [one.argv[0].text for one in parse(text).commands]
    assert set(found) <= {"sed", "vim", "awk", "sort"}


SED_FILES = [
    "sed -n '1,9p' src/orders/w/x.py",
    "sed -i -e 's/a/b/g' e2e/x.ts",
    "sed 's/a/b/' w/x e2e",
    "sed -n -f x.sed e2e",
]


@for_each("text", SED_FILES)
def test_a_file_that_sed_reads_is_no_script(text: str) -> None:
    assert len(parse(text).commands) == 1


SED_SCRIPTS = [
    "sed '1e ls' f",
    "sed -ne '1e ls' f",
    "sed --expression '1e ls' f",
    "sed -e p -e '1e ls' f",
    "sed -i '' '1e ls' f",
    "sed -i .bak '1e ls' f",
    "sed -l 5 -- '1e ls' f",
]


@for_each("text", SED_SCRIPTS)
def test_what_a_script_of_sed_runs_is_found_wherever_it_is_given(text: str) -> None:
    assert [word.text for word in parse(text).commands[-1].argv] == ["ls"]


LOOPS = [
    "ruby -e 'dirs = %w[a b]\ndirs.each do |d|\n  rm_rf d\nend'",
    'ruby -e \'["a", "b"].each { |d| FileUtils.rm_rf(d) }\'',
    "ruby -e '%w[a b].each { |d| FileUtils.rm_rf(d) }'",
    'node -e \'for (const d of ["a", "b"]) fs.rmSync(d, {recursive: true})\'',
    'node -e \'const dirs = ["a", "b"]\nfor (const d of dirs) { fs.rmSync(d) }\'',
    'node -e \'["a", "b"].forEach((d) => fs.rmSync(d))\'',
    "perl -e 'for my $d (qw(a b)) { rmtree($d) }'",
    'perl -e \'foreach my $d ("a", "b") { rmtree($d) }\'',
    'php -r \'foreach (["a", "b"] as $x) { unlink($x); }\'',
]


STARTING_LOOPS = [
    'ruby -e \'["a b", "c d"].each { |one| system(one) }\'',
    'node -e \'for (const one of ["a b", "c d"]) require("child_process").execSync(one)\'',
    'perl -e \'for my $one ("a b", "c d") { system($one); }\'',
    'php -r \'foreach (["a b", "c d"] as $one) { passthru($one); }\'',
]


@for_each("text", STARTING_LOOPS)
def test_each_command_of_a_list_is_a_command_of_its_own(text: str) -> None:
    found = [[word.text for word in one.argv] for one in parse(text).commands]
    assert found[-2:] == [["a", "b"], ["c", "d"]]


@for_each("text", LOOPS)
def test_a_loop_over_a_known_list_deletes_each_of_it(text: str) -> None:
    deleted = [
        [word.text for word in one.argv] for one in parse(text).commands if one.argv[0].text == "rm"
    ]
    assert [words[-1] for words in deleted] == ["a", "b"]


def test_a_loop_over_an_unknown_list_deletes_what_is_unknown() -> None:
    for text in ("for (const d of x()) fs.rmSync(d)", "x().forEach(d => fs.rmSync(d))"):
        assert [word.text for word in parse(f"node -e '{text}'").commands[-1].argv] == [
            "rm",
            "-rf",
            HOLE,
        ]
