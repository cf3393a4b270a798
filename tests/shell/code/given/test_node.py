"""A branch of Node's code is left out only if the words and variables of its command surely do not take it."""

# ruff: noqa: E501 - texts of files

from __future__ import annotations

from tests.tables import for_each

from operators_edge.shell.code.given import masks, program

ACT = 'execSync("npm publish")'
ARGV = 'if (process.argv.includes("--publish")) ACT;\n'
YARGS = 'import yargs from "yargs";\nimport { hideBin } from "yargs/helpers";\nconst argv = yargs(hideBin(process.argv))SPEC.parseSync();\nif (argv.publish) ACT;\n'
MINIMIST = 'const minimist = require("minimist");\nconst argv = minimist(process.argv.slice(2), SPEC);\nif (argv.publish) { ACT }\n'
PARSE = 'import { parseArgs } from "node:util";\nconst { values } = parseArgs({ options: { SPEC } });\nif (values.publish) { ACT }\n'
COMMANDER = 'import { program } from "commander";\nprogramSPEC.parse();\nconst opts = program.opts();\nif (opts.publish) { ACT }\n'
SUB = 'import { Command } from "commander";\nconst program = new Command();\nprogram.command("build").action(() => make());\nprogram.command("publish")SPEC.action(async () => { ACT });\nprogram.parse();\n'
HANDLER = 'import { program } from "commander";\nprogram.command("release").option("--publish", "send it").action(async (options) => { make(); if (options.publish) ACT; });\nprogram.parse(process.argv);\n'
TABLE = 'const steps = { build() { make() }, publish() { ACT } };\nsteps[process.argv[2] ?? "build"]();\n'
SWITCH = 'switch (process.argv[2]) {\n  case "build": make(); break;\n  case "publish": ACT; break;\n  default: help();\n}\n'
GUARD = 'const args = process.argv.slice(2);\nif (!args.includes("--publish")) {\n  process.exit(0);\n}\nACT;\n'
LATER = 'function send() { ACT }\nif (process.argv.includes("--publish")) send();\n'
ENV = 'if (process.env.PUBLISH === "1") ACT;\n'


def left(text, words="", environment=None, **more):
    """What is left of a program, and whether it may still publish."""
    files = {"x.mjs": text.replace("ACT", ACT), **{f"{k}.mjs": v for k, v in more.items()}}
    given = program.without_untaken(files, masks.NODE, ["x.mjs", *words.split()], environment or {})
    assert all(len(given[path]) == len(files[path]) for path in files)
    return "\n".join(given.values())


NOT_GIVEN = {
    "an option that argv has not": (ARGV, ""),
    "another option": (ARGV, "--verbose build"),
    "indexOf": ('if (process.argv.indexOf("--publish") !== -1) ACT;\n', "build"),
    "some": (
        'const args = process.argv.slice(2);\nif (args.some((a) => a === "--publish")) ACT;\n',
        "x",
    ),
    "a word by its number": ('if (process.argv[2] === "publish") { ACT }\n', "build"),
    "no word at that number": ('if (process.argv[2] === "publish") { ACT }\n', ""),
    "a pattern of words": (
        'const [, , command = "build"] = process.argv;\nif (command === "publish") ACT;\n',
        "",
    ),
    "a name for it": (
        'const isSent = process.argv.includes("--publish");\nif (isSent && isReady()) { ACT }\n',
        "",
    ),
    "an else of what is given": (
        'if (process.argv.includes("--dry-run")) {\n  show();\n} else {\n  ACT;\n}\n',
        "--dry-run",
    ),
    "an operator": ('const isSent = process.argv.includes("--publish");\nisSent && ACT;\n', ""),
    "a choice": ('const f = process.argv.includes("--publish") ? () => ACT : build;\n', ""),
    "a guard": (GUARD, ""),
    "a guard in a function": (
        'function main(){\n  if (!process.argv.includes("--publish")) return;\n  ACT;\n}\nmain();\n',
        "",
    ),
    "a guard or something unknown": (
        'if (isDry() || !process.argv.includes("--publish")) { process.exit(0); }\nACT;\n',
        "",
    ),
    "a case of a switch": (SWITCH, "build"),
    "the default of a switch": (SWITCH, ""),
    "yargs": (
        YARGS.replace("SPEC", '.option("publish", { type: "boolean", default: false })'),
        "--tag x",
    ),
    "minimist": (
        MINIMIST.replace("SPEC", '{ boolean: ["publish"], default: { tag: "x" } }'),
        "--tag x",
    ),
    "minimist with an alias": (MINIMIST.replace("SPEC", '{ alias: { publish: "p" } }'), ""),
    "parseArgs": (PARSE.replace("SPEC", 'publish: { type: "boolean", short: "p" }'), ""),
    "commander": (COMMANDER.replace("SPEC", '.option("-p, --publish", "send")'), "--fast"),
    "an option of a handler": (HANDLER, "release"),
    "another subcommand": (SUB.replace("SPEC", ""), "build"),
    "no subcommand": (SUB.replace("SPEC", ""), ""),
    "another key of a table": (TABLE, ""),
    "a function that only that calls": (LATER, ""),
    "an arrow that only that calls": (
        "const send = () => ACT;\nif (process.argv.includes('--publish')) { send(); }\n",
        "",
    ),
    "code that never runs": ("if (process.argv.length && false) { ACT }\n", ""),
    "a loop over the words": (
        'let isSent = false;\nfor (const arg of process.argv.slice(2)) {\n  if (arg === "--publish") isSent = true;\n  else if (arg.startsWith("--tag=")) tag = arg;\n}\nif (isSent) ACT;\n',
        "--tag=x",
    ),
    "a name in a text": (
        "let publish = false;\nfor (const a of process.argv.slice(2)) if (a === '--publish') publish = true;\nif (publish) { run(`npm publish --tag ${tag}`); ACT; }\n",
        "x",
    ),
    "options that a function is handed": (
        PARSE.replace("SPEC", 'publish: { type: "boolean" }').replace(
            "if (values.publish) { ACT }",
            "async function main(opts) {\n  if (!opts.publish) return;\n  ACT;\n}\nawait main(values);",
        ),
        "",
    ),
    "a value that a function is handed": (
        "const send = (isSent: boolean, tag) => {\n  if (isSent) ACT;\n};\nsend(process.argv.includes('--publish'), x);\n",
        "",
    ),
    "in a text of a message": ("const usage = `x [--publish] ${name}`;\n" + ARGV, ""),
    "a pattern with quotes": ('const q = text.replace(/["\']/g, "");\n' + ARGV, ""),
}
GIVEN = {
    "an option of argv": (ARGV, "--publish"),
    "behind others": (ARGV, "build --publish"),
    "an option with a value": (MINIMIST.replace("SPEC", "{}"), "--publish=true"),
    "a short option": (PARSE.replace("SPEC", 'publish: { type: "boolean", short: "p" }'), "-p"),
    "short ones together": (COMMANDER.replace("SPEC", '.option("-p, --publish", "send")'), "-vp"),
    "a long alias": (MINIMIST.replace("SPEC", '{ alias: { publish: ["ship"] } }'), "--ship"),
    "an alias of yargs": (YARGS.replace("SPEC", '.option("publish", { alias: "ship" })'), "--ship"),
    "in another case": (YARGS.replace("publish)", "doPublish)"), "--do-publish"),
    "a subcommand": (SUB.replace("SPEC", ""), "publish"),
    "an alias of a subcommand": (SUB.replace("SPEC", '.alias("ship")'), "ship"),
    "an option of a handler": (HANDLER, "release --publish"),
    "a key of a table": (TABLE, "publish"),
    "a case": (SWITCH, "publish"),
    "a case that the one before goes on in": (SWITCH.replace("make(); break;", "make();"), "build"),
    "a variable": (ENV, "", {"PUBLISH": "1"}),
    "a function that is called elsewhere too": (LATER + "run(send);\n", ""),
}
NOT_KNOWN = {
    "a variable that nothing gives": (ENV, ""),
    "a variable of the environment for the option": (YARGS.replace("SPEC", '.env("SHOP")'), ""),
    "a file of settings for it": (YARGS.replace("SPEC", '.config("c")'), ""),
    "a default of yargs": (YARGS.replace("SPEC", '.option("publish", { default: true })'), ""),
    "a default by a call": (
        YARGS.replace("SPEC", '.boolean("publish").default("publish", true)'),
        "",
    ),
    "a default of minimist": (MINIMIST.replace("SPEC", "{ default: { publish: true } }"), ""),
    "a default that is computed": (
        MINIMIST.replace("SPEC", "{ default: { publish: isCi() } }"),
        "",
    ),
    "defaults of another module": (MINIMIST.replace("SPEC", "{ default: defaults }"), ""),
    "declarations of another module": (PARSE.replace("SPEC", "...shared"), ""),
    "a default of parseArgs": (
        PARSE.replace("SPEC", 'publish: { type: "boolean", default: true }'),
        "",
    ),
    "words that parseArgs is given": (
        PARSE.replace("{ options", '{ args: ["--publish"], options'),
        "",
    ),
    "a default of commander": (COMMANDER.replace("SPEC", '.option("--publish", "send", true)'), ""),
    "an option that takes away": (COMMANDER.replace("SPEC", '.option("--no-publish", "keep")'), ""),
    "an option that another implies": (
        COMMANDER.replace("SPEC", '.addOption(new Option("--all").implies({ publish: true }))'),
        "--all",
    ),
    "words that commander is given": (
        COMMANDER.replace("SPEC", "").replace("parse()", 'parse(["a", "b", "--publish"])'),
        "",
    ),
    "the usual subcommand": (
        SUB.replace('"publish")', '"publish", { isDefault: true })').replace("SPEC", ""),
        "",
    ),
    "the usual command of yargs": (
        'import yargs from "yargs";\nyargs(hideBin(process.argv)).command(["publish", "$0"], "x", () => {}, () => { ACT }).parse();\n',
        "",
    ),
    "the beginning of a subcommand": (SUB.replace("SPEC", ""), "pub"),
    "a word pushed": ('process.argv.push("--publish");\n' + ARGV, ""),
    "a word pushed under another name": (
        'const a = process.argv;\na.push("--publish");\n' + ARGV,
        "",
    ),
    "a word set": ('process.argv[2] = "--publish";\n' + ARGV, ""),
    "words set": ('process.argv = ["a", "b", "--publish"];\n' + ARGV, ""),
    "argv by another name": (
        'import { argv } from "node:process";\nargv.push("--publish");\n' + ARGV,
        "",
    ),
    "process by another name": ('const p = process;\np.argv.push("--publish");\n' + ARGV, ""),
    "process by a text": ('globalThis["process"]["argv"].push("--publish");\n' + ARGV, ""),
    "in a text that is put together": ('log(`${process.argv.push("--publish")}`);\n' + ARGV, ""),
    "handed to a function": ("extend(process.argv);\n" + ARGV, ""),
    "by a callback with the list": (
        "process.argv.forEach((a, n, all) => all.push(x));\n" + ARGV,
        "",
    ),
    "the copy pushed": (
        'const args = process.argv.slice(2);\nargs.push("--publish");\nif (args.includes("--publish")) ACT;\n',
        "",
    ),
    "the copy handed on": (
        'const args = process.argv.slice(2);\nextend(args);\nif (args.includes("--publish")) ACT;\n',
        "",
    ),
    "a name set again": (
        'let isSent = process.argv.includes("--publish");\nisSent ||= isCi();\nif (isSent) ACT;\n',
        "",
    ),
    "a name set by a pattern": (
        'let isSent = process.argv.includes("--publish");\n[isSent] = ask();\nif (isSent) ACT;\n',
        "",
    ),
    "a name set by a loop": (
        'let isSent = process.argv.includes("--publish");\nfor (isSent of ask()) {}\nif (isSent) ACT;\n',
        "",
    ),
    "a name counted up": (
        'let n = process.argv.indexOf("--publish") + 0;\nn++;\nif (n) ACT;\n',
        "",
    ),
    "a name that is shadowed": (
        'const isSent = process.argv.includes("--publish");\nfunction f(isSent) { if (isSent) ACT; }\nf(true);\n',
        "",
    ),
    "a name shadowed by an arrow": (
        'const isSent = process.argv.includes("--publish");\nconst f = (isSent) => { if (isSent) ACT; };\nf(true);\n',
        "",
    ),
    "a name shadowed by a pattern": (
        'const isSent = process.argv.includes("--publish");\nfunction f({ isSent }) { if (isSent) ACT; }\nf(all);\n',
        "",
    ),
    "a variable used before it is set": (
        'main();\nvar isDry = !process.argv.includes("--publish");\nfunction main() { if (isDry) return; ACT }\n',
        "",
    ),
    "an option that the program sets": (
        MINIMIST.replace("SPEC", "{}").replace("if (", "argv.publish ??= isCi();\nif ("),
        "",
    ),
    "options that are merged": (
        MINIMIST.replace("SPEC", "{}").replace("if (", "Object.assign(argv, load());\nif ("),
        "",
    ),
    "options handed to a package": (
        MINIMIST.replace("SPEC", "{}").replace("if (", "enrich(argv);\nif ("),
        "",
    ),
    "a variable that the program sets": (
        'process.env.PUBLISH = "1";\n' + ENV,
        "",
        {"PUBLISH": "0"},
    ),
    "variables that a file sets": (
        'require("dotenv").config({ override: true });\n' + ENV,
        "",
        {"PUBLISH": "0"},
    ),
    "process.exit that does nothing": ("process.exit = () => {};\n" + GUARD, ""),
    "not": ('if (!process.argv.includes("--keep")) ACT;\n', ""),
    "or": ('if (isCi() || process.argv.includes("--publish")) ACT;\n', ""),
    "an operator and another": (
        'const isSent = process.argv.includes("--publish");\nisSent && show() || ACT;\n',
        "",
    ),
    "else": ('if (process.argv.includes("--build")) { make() } else { ACT }\n', ""),
    "else if": ('if (process.argv.includes("--build")) { make() } else if (isCi()) { ACT }\n', ""),
    "else of an inner if": (
        'if (process.argv.includes("--build")) if (a) b(); else c();\nACT;\n',
        "",
    ),
    "a guard that goes on": ('if (!process.argv.includes("--publish")) { log() }\nACT;\n', ""),
    "a guard in a condition": (
        'if (!process.argv.includes("--publish")) { if (isDry()) return; }\nACT;\n',
        "",
    ),
    "a guard without braces in it": (
        'if (!process.argv.includes("--publish")) {\n  if (isDry())\n    return;\n}\nACT;\n',
        "",
    ),
    "a guard in a loop that may not run": (
        'function f() {\n  for (const one of all)\n    if (!process.argv.includes("--publish")) return;\n  ACT;\n}\nf();\n',
        "",
    ),
    "a guard in a block": (
        'function f() {\n  if (isCi()) {\n    if (!process.argv.includes("--publish")) return;\n  }\n  ACT;\n}\nf();\n',
        "",
    ),
    "a guard behind else": (
        'function f() {\n  if (isCi()) { make() }\n  else if (!process.argv.includes("--publish")) { return }\n  ACT;\n}\nf();\n',
        "",
    ),
    "a guard in a callback": (
        'all.forEach(() => { if (!process.argv.includes("--publish")) return; });\nACT;\n',
        "",
    ),
    "a break of one case": (
        'switch (kind()) {\n  case "a":\n    if (!process.argv.includes("--publish")) break;\n  case "b":\n    ACT;\n}\n',
        "",
    ),
    "a function before the guard": (
        'send();\nif (!process.argv.includes("--publish")) process.exit(0);\nfunction send() { ACT }\n',
        "",
    ),
    "a default of a switch": (SWITCH.replace("help()", "ACT"), "other"),
    "a case of something else": (SWITCH.replace('case "build"', "case BUILD"), "build"),
    "a table that changes": (TABLE.replace("steps[", "steps.build = steps.publish;\nsteps["), ""),
    "a table with this": (TABLE.replace("make()", "this.publish()"), ""),
    "a table that is called otherwise": (TABLE + "steps.publish();\n", ""),
    "a function that calls itself where it does not": (
        'function send(n) { ACT; if (process.argv.includes("--again")) send(); }\nif (process.argv.includes("--publish")) send();\nsend();\n',
        "",
    ),
    "a function called by a computed name": (
        'import * as own from "./a.mjs";\n' + LATER + "own[name]();\n",
        "",
    ),
    "code that is computed": (LATER + "eval(text);\n", ""),
    "process by a module's other name": (
        'import own from "node:process";\nown.argv.push("--publish");\n' + ARGV,
        "",
    ),
    "process by an escaped name": ('proc\\u0065ss.argv.push("--publish");\n' + ARGV, ""),
    "argv by an escaped name": ('process.\\u0061rgv.push("--publish");\n' + ARGV, ""),
    "a method that is replaced": ("Array.prototype.includes = () => true;\n" + ARGV, ""),
    "itself with other words": (
        'spawnSync(process.execPath, [import.meta.filename, "--publish"]);\n' + ARGV,
        "",
    ),
    "itself by its name": (
        'spawnSync("node", [fileURLToPath(import.meta.url), "--publish"]);\n' + ARGV,
        "",
    ),
    "itself as a worker": ('new Worker(file, { argv: ["--publish"] });\n' + ARGV, ""),
    "words that another module changes": (
        'export const args = process.argv.slice(2);\nif (args.includes("--publish")) ACT;\n',
        "",
    ),
    "a table that another module calls": ("export " + TABLE, ""),
    "a name of another block": (
        '{ const isSent = process.argv.includes("--publish"); }\nif (isSent) ACT;\n',
        "",
    ),
    "an option set by a pattern": (
        MINIMIST.replace("SPEC", "{}").replace("if (", "[argv.publish] = ask();\nif ("),
        "",
    ),
    "an option set by a computed name": (
        MINIMIST.replace("SPEC", "{}").replace("if (", 'argv["pub" + "lish"] = true;\nif ('),
        "",
    ),
    "words of a call in a call": (
        SUB.replace("SPEC", "").replace("parse()", "parse(with(all()))"),
        "",
    ),
    "a comment of a page": ("<!-- if (false) {\nACT;\n<!-- }\n", ""),
    "a line that ends in a comment": ("if (false) { // \u2028 } ACT; if (a) {\n}\n", ""),
    "a loop over other words too": (
        'let isSent = false;\nfor (const arg of [...process.argv.slice(2), ...more()]) {\n  if (arg === "--publish") isSent = true;\n}\nif (isSent) ACT;\n',
        "",
    ),
    "a loop that sets it otherwise": (
        'let isSent = false;\nfor (const arg of process.argv.slice(2)) {\n  if (arg !== "--publish") isSent = true;\n}\nif (isSent) ACT;\n',
        "x",
    ),
    "a loop that sets it for a beginning": (
        'let isSent = false;\nfor (const arg of process.argv.slice(2)) {\n  if (arg.startsWith("--pub")) isSent = true;\n}\nif (isSent) ACT;\n',
        "--publish-now",
    ),
    "another call of a function": (
        "const send = (isSent) => {\n  if (isSent) ACT;\n};\nsend(process.argv.includes('--publish'));\nsend(isCi());\n",
        "",
    ),
    "another call before the function": (
        "send(isCi());\nfunction send(isSent) {\n  if (isSent) ACT;\n}\nsend(process.argv.includes('--publish'));\n",
        "",
    ),
    "a call with a list of values": (
        "function send(tag, isSent) {\n  if (isSent) ACT;\n}\nsend(...more(), process.argv.includes('--publish'));\n",
        "",
    ),
    "a function that is handed on": (
        "const send = (isSent) => {\n  if (isSent) ACT;\n};\nsend(process.argv.includes('--publish'));\nall.forEach(send);\n",
        "",
    ),
    "a function that others import": (
        "export async function send(isSent) {\n  if (isSent) ACT;\n}\nsend(process.argv.includes('--publish'));\n",
        "",
    ),
    "a parameter with a default": (
        "function send(isSent = true) {\n  if (isSent) ACT;\n}\nsend();\nsend(process.argv.includes('--publish') || undefined);\n",
        "",
    ),
    "all arguments of a function": (
        "function send(...isSent) {\n  if (isSent) ACT;\n}\nsend(process.argv.includes('--publish'));\n",
        "",
    ),
    "a name that is set in a text": (
        "let isSent = process.argv.includes('--publish');\nlog(`a ${{ b: '}' }.b} ${(isSent = isCi())}`);\nif (isSent) ACT;\n",
        "",
    ),
    "a comparison over two lines": (
        "const isSent = process.argv.includes('--publish');\nconst a = isCi() ===\n  isSent && ACT;\n",
        "",
    ),
    "not over two lines": (
        "const isSent = !process.argv.includes('--publish');\nconst a = !\n  isSent || ACT;\n",
        "",
    ),
    "a function, which holds": (
        "const isSent = process.argv.includes('--publish');\nconst f = (a) => a && isSent;\nif (f) ACT;\n",
        "",
    ),
    "the last of several values": (
        "const isSent = process.argv.includes('--publish');\nif ((isSent && a, isCi())) ACT;\n",
        "",
    ),
    "brackets that do not pair": (ARGV + "const a = /[(]/ ) ;\n", ""),
    "what may be a pattern": ("if (a) /'/.test(b);\n" + ARGV, ""),
    "an apostrophe between tags": ("const a = <p>don't</p>;\n" + ARGV, ""),
}


@for_each(("text", "words"), list(NOT_GIVEN.values()), ids=list(NOT_GIVEN))
def test_what_an_option_would_do_is_left_out_where_it_is_not_given(text, words):
    assert ACT not in left(text, words)


def row(one):
    return (*one, None) if len(one) == 2 else one


@for_each(("text", "words", "environment"), map(row, GIVEN.values()), ids=list(GIVEN))
def test_it_is_left_in_where_it_is_given(text, words, environment):
    assert ACT in left(text, words, environment)


@for_each(("text", "words", "environment"), map(row, NOT_KNOWN.values()), ids=list(NOT_KNOWN))
def test_it_is_left_in_where_that_cannot_be_known(text, words, environment):
    assert ACT in left(text, words, environment)


def test_a_variable_that_the_line_gives_is_known():
    assert ACT not in left(ENV, environment={"PUBLISH": "0"})


def test_another_module_may_change_the_words():
    assert ACT in left(ARGV, a='process.argv.push("--publish");\n')
    assert ACT not in left(ARGV, a="export const a = process.argv.length;\n")


def test_a_function_of_another_module_is_left_out_with_its_only_call():
    text = 'import { send } from "./a.mjs";\nif (process.argv[2] === "send") send();\n'
    other = f"export function send() {{ {ACT} }}\n"
    assert ACT not in left(text, "build", a=other)
    assert ACT in left(text, "send", a=other)
    assert ACT in left(text, "build", a=other, b='import { send } from "./a.mjs";\nsend();\n')


# end of module
