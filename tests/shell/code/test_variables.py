"""What code reads from a variable is what the line gives it, or else the default."""

from __future__ import annotations

from tests.tables import for_each

from operators_edge.shell.code.languages import INTERPRETERS
from operators_edge.shell.code.variables import with_values

GIVEN = {"DIR": "/srv/it's"}
ROWS = {
    # program, code, with DIR given, without it
    "node": ("node", "rm(process.env.DIR || 'build');", r"rm('/srv/it\'s');", "rm('build');"),
    "a key": ("node", "rm(process.env['DIR'] ?? \"build\");", r"rm('/srv/it\'s');", "rm('build');"),
    "no default": ("node", "rm(process.env.DIR);", r"rm('/srv/it\'s');", "rm(process.env.DIR);"),
    "taken apart": (
        "node",
        "const { DIR = 'build', A: b } = process.env;",
        r"const DIR = '/srv/it\'s', b = process.env.A;",
        "const DIR = 'build', b = process.env.A;",
    ),
    "another name for all of them": (
        "node",
        "const env = process.env; rm(env.DIR ?? 'build');",
        r"const env = process.env; rm('/srv/it\'s');",
        "const env = process.env; rm('build');",
    ),
    "deno": ("node", "Deno.env.get('DIR') ?? 'x'", r"'/srv/it\'s'", "'x'"),
    "in a text": ("node", "`${process.env.DIR || 'a'}/b`", r"`${'/srv/it\'s'}/b`", "`${'a'}/b`"),
    "ruby": ("ruby", "rm ENV.fetch('DIR', 'build')", r"rm '/srv/it\'s'", "rm 'build'"),
    "a block": ("ruby", "rm ENV.fetch('DIR') { 'build' }", r"rm '/srv/it\'s'", "rm 'build'"),
    "or": ("ruby", "rm(ENV['DIR'] || 'build')", r"rm('/srv/it\'s')", "rm('build')"),
    "only if it is not set": (
        "ruby",
        "ENV['DIR'] ||= 'build'\nrm ENV['DIR']",
        "ENV['DIR'] ||= 'build'\n" + r"rm '/srv/it\'s'",
        "ENV['DIR'] ||= 'build'\nrm 'build'",
    ),
    "perl": ("perl", "rmtree($ENV{DIR} // 'build');", r"rmtree('/srv/it\'s');", "rmtree('build');"),
    "in a text of perl": (
        "perl",
        'rmtree("$ENV{DIR}/x");',
        'rmtree("/srv/it\'s/x");',
        'rmtree("$ENV{DIR}/x");',
    ),
    "php": ("php", "f(getenv('DIR') ?: 'build');", r"f('/srv/it\'s');", "f('build');"),
    "a table": ("php", "f($_ENV['DIR'] ?? 'build');", r"f('/srv/it\'s');", "f('build');"),
    "in a text of php": (
        "php",
        "f(\"{$_ENV['DIR']}/x\");",
        'f("/srv/it\'s/x");',
        "f(\"{$_ENV['DIR']}/x\");",
    ),
}
SET = {
    "node": ("node", "process.env.DIR = x; rm(process.env.DIR || 'build');"),
    "by a name that is computed": ("node", "process.env[name] = x; rm(process.env.DIR);"),
    "from a table": ("node", "Object.assign(process.env, x); rm(process.env.DIR);"),
    "ruby": ("ruby", "ENV['DIR'] = x\nrm ENV['DIR']"),
    "all of ruby's": ("ruby", "ENV.update(x)\nrm ENV.fetch('DIR', 'build')"),
    "perl": ("perl", "$ENV{DIR} = shift; rmtree($ENV{DIR});"),
    "php": ("php", "putenv('DIR=' . $x); f(getenv('DIR'));"),
    "all of php's": ("php", "putenv($x); f(getenv('DIR'));"),
}


@for_each(("program", "code", "given", "default"), ROWS.values(), ROWS)
def test_a_variable_is_what_the_line_gives_or_the_default(program, code, given, default):
    language = INTERPRETERS[program]
    assert with_values(code, language, GIVEN) == given
    assert with_values(code, language, {}) == default


@for_each(("program", "code"), SET.values(), SET)
def test_a_variable_that_the_code_sets_is_left_to_it(program, code):
    assert with_values(code, INTERPRETERS[program], GIVEN) == code


def test_a_value_that_is_not_known_leaves_the_code_as_it_is():
    code = "rm(process.env.DIR || 'build');"
    assert with_values(code, INTERPRETERS["node"], {"DIR": "\0"}) == code


def test_no_default_is_taken_where_it_would_make_something_harmless():
    code = "rm(process.env.DIR || 'build');"
    assert with_values(code, INTERPRETERS["node"], {}, takes_defaults=False) == code
