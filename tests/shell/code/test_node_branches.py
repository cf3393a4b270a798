"""What a program of Node leaves out by the words of its command is known only where nothing can change it."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

from operators_edge.shell.code.node_branches import without_left_out

LISTED = "const args = process.argv.slice(2);\n%sconst dry = args.includes('--dry-run');\nif (!dry) act();"
ASKS = "const dry = process.argv.includes('--dry-run');\n"
LEFT_OUT = {
    "a block": f"{ASKS}if (!dry) {{\n  act();\n}}",
    "a statement": f"{ASKS}if (!dry) act();",
    "another branch": f"{ASKS}if (dry) {{ say('x'); }} else {{ act(); }}",
    "asked on the spot": "if (!process.argv.includes('--dry-run')) {\n  act();\n}",
    "behind a loop's next": f"{ASKS}for (const k of a) {{\n  if (dry) {{ say(k); continue; }}\n  act(k);\n}}",
    "behind a return": f"{ASKS}function f() {{\n  if (dry) return;\n  act();\n}}\nf();",
    "behind a return without semicolons": (
        "const dry = process.argv.includes('--dry-run')\nconst f = () => {\n  say(`${1}`)\n"
        "  if (dry) {\n    say('}')\n    return\n  }\n  act()\n}\nf()\n"
    ),
    "behind the end": f"{ASKS}if (dry) {{\n  say(1);\n  process.exit(0);\n}}\nact();\n",
    "one of two words": (
        "const dry = process.argv.includes('-n') || process.argv.includes('--dry-run');\nif (!dry) act();"
    ),
    "by a list of the words": LISTED % "",
    "a plain constant": "const dry = true;\nif (!dry) { act(); }",
    "in TypeScript": "const dry: boolean = process.argv.includes('--dry-run');\nif (!dry) act();",
    "a brace in a text": f"{ASKS}if (!dry) {{\n  say('}}');\n  act();\n}}",
    "a brace in a comment": f"{ASKS}if (!dry) {{ // }}\n  act();\n}}",
    "a text that says it": f"{ASKS}say('eval with a Function');\nif (!dry) act();",
    "a list that is looked at": LISTED
    % "const n = args.indexOf('-n') + args.length;\nargs.find((a) => a);\n",
    "a division and a pattern": f"{ASKS}say(4 / 2, /['}}]/.test(a) / 2);\nif (!dry) {{ act(); }}",
    "a template in another": f"{ASKS}say(`${{a ? `${{b}}` : '}}'}}`);\nif (!dry) {{ act(); }}",
    "other modules": f"import {{ join }} from 'node:path';\nrequire('./a.json');\n{ASKS}if (!dry) act();",
    "a text beside": f"{ASKS}say('dry = 1', `dry: ${{dry}}`);\nif (!dry) act();",
}
KEPT = {
    "a word that is not given": "const live = process.argv.includes('--live');\nif (live) act();",
    "the other branch": f"{ASKS}if (dry) {{ act(); }} else {{ say(1); }}",
    "before the next": f"{ASKS}for (const k of a) {{\n  act(k);\n  if (dry) continue;\n}}",
    "behind the loop": f"{ASKS}for (const k of a) {{\n  if (dry) continue;\n}}\nact();",
    "behind a loop without braces": f"{ASKS}for (const k of a) if (dry) continue;\nact();",
    "behind the same on two lines": f"{ASKS}for (const k of a)\n  if (dry) continue;\nact();",
    "behind a function": f"{ASKS}function f() {{ if (dry) return; }}\nact();",
    "a function that is known before": f"{ASKS}f();\nif (dry) process.exit(0);\nfunction f() {{ act(); }}",
    "what is imported before": f"{ASKS}if (dry) process.exit(0);\nimport './act(';",
    "another case": f"{ASKS}switch (a) {{ case 1:\n  if (dry) break;\n  say(1);\n  case 2: act(); }}",
    "behind a return that is one of two": f"{ASKS}function f() {{ if (dry) {{ if (a) return; }}\n act(); }}",
    "the same on two lines": f"{ASKS}function f() {{\n if (dry) {{\n if (a)\n return; }}\n act(); }}",
    "behind a return in a function": f"{ASKS}if (dry) {{ a.map(() => {{ return 1; }}) }}\nact();",
    "in an else": f"{ASKS}if (a) say(1); else if (dry) process.exit(0);\nact();",
    "a name that is set again": f"{ASKS.replace('const', 'let')}dry = false;\nif (!dry) act();",
    "another of that name": f"{ASKS}{{ const dry = false; if (!dry) act(); }}",
    "a parameter": f"{ASKS}const f = (dry) => {{ if (!dry) act(); }};\nf();",
    "a bare parameter": f"{ASKS}const f = dry => {{ if (!dry) act(); }};\nf();",
    "a parameter with a default": f"{ASKS}const f = (a, dry = 0) => {{ if (!dry) act(); }};\nf(1);",
    "one of an object": f"{ASKS}const f = ({{ dry }}) => {{ if (!dry) act(); }};\nf({{}});",
    "in an object": f"{ASKS}{{ const {{ a: dry }} = b; if (!dry) act(); }}",
    "in a catch": f"{ASKS}try {{ x(); }} catch (dry) {{ if (!dry) act(); }}",
    "part of more": "const dry = process.argv.includes('--dry-run') && a;\nif (!dry) act();",
    "one of more conditions": f"{ASKS}if (!dry || a) act();",
    "another list": "const dry = words.includes('--dry-run');\nif (!dry) act();",
    "the rest of parameters": f"{ASKS}const f = (...dry) => {{ if (!dry) act(); }};\nf();",
    "words that a method gets": f"cli.parse(process.argv);\n{ASKS}if (!dry) act();",
    "words that are taken off": f"process.argv.splice(2);\n{ASKS}if (!dry) act();",
    "words that are replaced": f"process.argv = [];\n{ASKS}if (!dry) act();",
    "a word that is replaced": f"process.argv[2] = '';\n{ASKS}if (!dry) act();",
    "words by another name": f"const a = process.argv;\na.pop();\n{ASKS}if (!dry) act();",
    "words that a function gets": f"strip(process.argv);\n{ASKS}if (!dry) act();",
    "words of an import": f"import {{ argv }} from 'node:process';\nargv.pop();\n{ASKS}if (!dry) act();",
    "words by the process": f"const {{ argv }} = process;\nargv.pop();\n{ASKS}if (!dry) act();",
    "a process by another name": f"const p = process;\np.argv.pop();\n{ASKS}if (!dry) act();",
    "a list that loses words": LISTED % "args.shift();\n",
    "a list that a function gets": LISTED % "f(args);\n",
    "a method that is another": f"Array.prototype.includes = () => false;\n{ASKS}if (!dry) act();",
    "code that is computed": f"{ASKS}eval(x);\nif (!dry) act();",
    "a text over two lines": f"{ASKS}say('\\\n{{'); if (!dry) {{ say('}}'); }} act();",
    "braces that do not match": f"{ASKS}if (!dry) {{\n  act();\n}}\n}}",
    "a condition in a text": "say(`if (!process.argv.includes('--dry-run')) {`); act(); say(`}`);",
    "another word": "const dry = process.argv.includes('--dry');\nif (!dry) act();",
    "words that are cut by their number": f"process.argv.length = 2;\n{ASKS}if (!dry) act();",
    "a word that is taken away": f"delete process.argv[2];\n{ASKS}if (!dry) act();",
    "a word that a pattern sets": f"[process.argv[2]] = [''];\n{ASKS}if (!dry) act();",
    "a word that a loop sets": f"for (process.argv[2] of ['']);\n{ASKS}if (!dry) act();",
    "words in a callback": f"process.argv.some((a, b, c) => c.pop());\n{ASKS}if (!dry) act();",
    "a method of the words": f"process.argv.includes = () => false;\n{ASKS}if (!dry) act();",
    "words on two lines": f"process\n.argv.pop();\n{ASKS}if (!dry) act();",
    "words of a process that may be": f"process?.argv.pop();\n{ASKS}if (!dry) act();",
    "a process that a function gets": f"strip(process);\n{ASKS}if (!dry) act();",
    "a process in a list": f"const p = [process];\np[0].argv.pop();\n{ASKS}if (!dry) act();",
    "a process by all that is global": f"const g = global;\ng[name].argv.pop();\n{ASKS}if (!dry) act();",
    "an end that is another": f"[process.exit] = [() => {{}}];\n{ASKS}if (dry) process.exit(0);\nact();",
    "a method by the kind of a list": f"[].__proto__.includes = () => false;\n{ASKS}if (!dry) act();",
    "a list that a callback changes": LISTED % "args.some((a, b, c) => c.pop());\n",
    "a list that is shortened": LISTED % "args.length = 0;\n",
    "a list that a template changes": LISTED % "say(`${args.pop()}`);\n",
    "a list that goes on": LISTED.replace("(2);", "(2)\n  .slice(9);") % "",
    "a condition that goes on": f"{ASKS[:-2]}\n  && a;\nif (!dry) act();",
    "a plain constant that goes on": "const live = false\n  || a;\nif (live) act();",
    "a name of a function": f"function f() {{ {ASKS} }}\nglobals.dry = 0;\nif (!dry) act();",
    "a name of a loop": "for (const live = false; a; ) {}\nif (live) act();",
    "a condition in a template in another": f"{ASKS}say(`${{`if (!dry) {{`}}`); act(); say(`${{`}}`}}`);",
    "a pattern that may divide": f"{ASKS}f(() => {{}})\n/`/.test(''); if (!dry) {{\nact();\n}}/`/;",
    "a condition in a pattern": f"{ASKS}a = /if (!dry) {{/; act(); a = /}}/;",
    "a method that is named if": "const live = false;\nconst o = { if (live) { act(); } };\no[k]();",
    "a method of a class": f"{ASKS}class A extends b() {{ if (dry) {{ return; }} go() {{ act(); }} }}",
    "behind a loop on two lines": f"{ASKS}x: while\n(a)\n  if (dry) process.exit(0);\nact();",
    "behind a loop and a statement": f"{ASKS}b(); while (a)\n  if (dry) process.exit(0);\nact();",
    "a function with a sign": f"{ASKS}if (dry) process.exit(0);\nfunction $f() {{ act(); }}",
    "a comment of a page": f"{ASKS}<!-- if (!dry) {{\nact();\n<!-- }}",
    "a module that is not read": f"require('./strip');\n{ASKS}if (!dry) act();",
    "a module that is not named": f"require('./' + name);\n{ASKS}if (!dry) act();",
    "a module by another name": f"const load = require;\nload('./strip.js');\n{ASKS}if (!dry) act();",
}  # fmt: skip


def left(code):
    return without_left_out({"x.js": code}, ["--dry-run"])["x.js"]


@for_each("code", LEFT_OUT.values(), ids=list(LEFT_OUT))
def test_what_the_words_leave_out_does_not_run(code):
    assert "act(" not in left(code)
    assert left(code).count("\n") == code.count("\n")


@for_each("code", KEPT.values(), ids=list(KEPT))
def test_what_may_run_stays(code):
    assert "act(" in left(code)


def test_a_module_may_change_the_words_of_all():
    files = {"x.js": LEFT_OUT["a block"], "y.js": "process.argv.pop();\n"}
    assert without_left_out(files, ["--dry-run"]) == files


PRUNE = (
    "const { execSync } = require('child_process');\nconst dry = process.argv.includes('--dry-run');\n"
    "if (!dry) {\n  execSync('kubectl delete namespace old');\n}\n"
)
RUN = "node prune.js --dry-run"


@for_each(
    ("command", "effect"),
    [
        (RUN, "allow"),
        ("node prune.js", "junction"),
        ("node prune.js --dry-run=0", "junction"),
        ("node --dry-run prune.js", "junction"),
        ("node prune.js $WORDS --dry-run", "junction"),
        ("node -r ./strip.js prune.js --dry-run", "junction"),
        ("NODE_OPTIONS='--require ./strip.js' node prune.js --dry-run", "junction"),
        ("export NODE_OPTIONS='--require ./strip.js'; node prune.js --dry-run", "junction"),
        ("node --env-file=.env prune.js --dry-run", "junction"),
        ("export NPM_CONFIG_NODE_OPTIONS='-r ./strip.js'; npm run prune", "junction"),
        (f"sed -i s/dry/x/ prune.js && {RUN}", "junction"),
        ("make prune", "allow"),
        ("npm run prune", "allow"),
    ],
)
def test_a_dry_run_of_a_program_that_git_holds_needs_nobody(command, effect):
    files = {
        "prune.js": PRUNE,
        "strip.js": "process.argv.pop();\n",
        "Makefile": f"prune:\n\t{RUN}\n",
        "package.json": f'{{"scripts": {{"prune": "{RUN}"}}}}',
    }
    assert judged(command, files, committed=tuple(files)).effect == effect
    if effect == "allow":
        assert judged(command, files).effect == "junction"


# end of module
