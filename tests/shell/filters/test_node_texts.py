"""What is known of the output of a program of Node is what Node prints; anything else is unknown."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from tests.tables import for_each

from operators_edge.shell.filters.node_texts import printed

DATA = '{"a":["x","y"],"o":{"k":1,"b":"z"},"n":3,"f":1.5,"e":[],"u":null,"t":true}'
LISTS = r"""#!/usr/bin/env node
'use strict'
const fs = require("fs"), path = require('node:path')
const d = JSON.parse(fs.readFileSync(path.join(__dirname, 'd.json'), 'utf8'))
const out = []
// hi
for (const [i, v] of Object.entries(d.o)) out.push(`${i}=${v}`)
for (const s of d.a) { if (s === 'x') continue; out.push(s + 1 + 2) }
d.a.forEach((s, i) => out.push(`${i}:${s}`))
function f(a, b) { if (b) { return a + '!' } return a || 'none' }
out.push(f('q', true)); out.push(f('', 0)); out.push(f(d.u, d.e))
let n = 0
n += 2; n++
console.log(out.join('\n'), n, d.t, d.u, d.zz)
const q = d.a.map(s => s.toUpperCase()).filter(s => s !== 'X')
console.log(q.concat(['w', ...d.a]).join(" ").split(' ').reverse().join(','))
console.log([3, null, undefined, 'a', [1].length].join('-'), "a\tb\x41\u0042\\", 'it\'s')
console.log(`x ${d.n > 2 ? "big" : 'small'} ${d.n - 1 * 2} ${d.missing ?? 'dflt'}`)
console.log(`${'a b a'.replace('a', 'c')} ${'a b a'.replace(/a/g, 'c')} ${'a b a'.replaceAll('a','d')}`)
process.stdout.write("end " + ['b', 'a', 'C'].sort() .slice(0, 2).join() + '\n')
console.log(!d.e, d.e.length, "ab".startsWith('a') && 'yes', [1,2,3].includes(2), ["a"].some(x => x === 'b'))
console.log(late())
function late() { return 'late' }
console.log(((a, { k }) => a + k)(1, d.o))
const { a: [first, second], n: num } = d.zz === undefined ? d : d.o
"""
EXIT = r"""const d = require('./d.json');
const { o: x, n } = d;
const lines = [];
const add = (l) => { lines.push(l) };
add('set -e'); add("# " + n);
Object.keys(x).sort().forEach(k => add(`echo ${k} ${x[k]}`));
for (const v of Object.values(x)) { add('echo ' + v); if (v === 1) break; }
add(JSON.stringify("a \"b\""));
add(String(5) + x['b']);
add("abc".slice(-2) + "abc".slice(1, -1));
add(lines.map(l => l.length).join());
add(`${n === 3 && 'three'} ${n !== 3 || 'x'} ${null ?? 'y'} ${[...d.a, 'z'].join('+')}`)
add(['a b', 'c'].flatMap(s => s.split(' ')).find(s => s === 'b'))
console.log(lines.join('\n'));
if (n > 2) { console.log('bye'); process.exit(0); } else console.log('no');
console.log('never');
"""


def output_of(code):
    read = {"d.json": DATA}.get
    return printed(code + "\n", "t.js", ["W1"], read)


@for_each(
    "code",
    [
        LISTS,
        EXIT,
        "const a = 1; { const a = 2; console.log(a) } console.log(a)",
        "let x = 'a'; if (true) { x = 'b' } console.log(x)",
        "console.log('a.b'.replace('.', 'X'))",
        "console.log('100%')",
        "console.log(['1','2','3'].map((s, i) => s + i).join())",
        'console.log("a,b,".split(",").join("|"))',
        "const f = () => { return }; console.log(f())",
        "const f = () => ({a: 1}); console.log(f().a)",
        "function f() { return\n 1 } console.log(f())",
        "const a = [1]; const b = a; b.push(2); console.log(a.join())",
        "console.log('' || 'd', '' ?? 'd', 0 || 'z')",
        "const c = console; c.log('hey')",
        "const { log } = console; log('z')",
        "console.log('a'); // `",
        "console.log('a' /* ' */ + 'b')",
        'console.log("a\\\nb")',
        "console.log([].join() === '')",
        'console.log("abc".slice(2, 1) + "|")',
        "console.log([1,2,3].slice(-5, 9).join())",
        "console.log(5 - 7, 3 * -2)",
        'console.log(["a"].concat("b", ["c", ["d"]]).length)',
        "console.log(!!'a', !'')",
        "if (false) console.log(1); else if (true) console.log(2); else console.log(3)",
        "console.log(Object.entries({a:{b:1}}).map(([k, v]) => k + v.b).join())",
        "const JSON = {parse: () => 1}; console.log(JSON.parse('2'))",
        "const console = {log: () => 0}; console.log('hidden')",
        "const process = {stdout: {write: () => 0}}; process.stdout.write('x')",
        "const require = (x) => 'evil'; console.log(require('fs'))",
        "console.log(process.argv.length, process.argv[2])",
        "process.exit(0); console.log('no')",
        "let i = 0; const q = [1]; for (const v of q) if (i < 3) { q.push(v); i++ } console.log(q.length)",
        "const fs = require('fs'); console.log(fs.readFileSync('d.json', 'utf8').length)",
        "console.log(require('path').join('/a', '../../b', 'c/'), require('path').join('a', ''))",
        "console.log(require('path').join('a/', 'b/'), require('path').basename('a/b/'))",
        'console.log("a" + 1 + 2, 1 + 2 + "a")',
        "console.log(true + 'x', undefined + 'y')",
        "console.log([undefined, null].join('-') + [true, false].join())",
        "console.log([3].length === 1 && [].length === 0)",
        "const z = 1, w = z + 1; console.log(w)",
        "console.log((() => { for (const v of [1,2]) { if (v === 2) return 'r' + v } })())",
        "console.log(`a\\nb\\`c\\${d}`)",
        "console.log(`a${1}${2}b`)",
        "console.log(\"a//b\", 'c/*d*/')",
        "console.log('A-B'.toLowerCase().split('-').reverse().join('-'))",
        "console.log(['a','b'].forEach(x => x))",
        "console.log([].every(x => false), [].some(x => true))",
        "console.log(['aa','b'].filter(s => s.length - 1).join())",
        "console.log(['a', 'b'].map((x) => { x }).join() + ['a'].map(x => { return x }).join())",
    ],
)
def test_texts_that_are_known_are_what_node_prints(code, tmp_path):
    told = output_of(code)
    if shutil.which("node"):
        (tmp_path / "d.json").write_text(DATA)
        (tmp_path / "t.js").write_text(code + "\n")
        words = ["node", "t.js", "W1"]
        real = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert told == real.stdout


@for_each(
    "code",
    [
        "const o = {a: 1, 2: 'q', b: 3}; console.log(Object.keys(o).join())",
        'const o = JSON.parse(\'{"b":1,"2":2,"a":3}\'); console.log(Object.keys(o).join())',
        'console.log("a" - 1)',
        "console.log(1 + null)",
        "console.log([1,2] + '')",
        "console.log(`${[1,2]}`)",
        "console.log('x'.replace('x', '$&$&'))",
        "console.log('a.b.c'.replace(/./, 'X'))",
        "console.log([10, 9, 1].sort().join())",
        "console.log(['b','a'].sort((p, q) => p < q ? 1 : -1).join())",
        "console.log('%s', 'x')",
        "console.log('%d%%', 5)",
        "console.log({}.toString())",
        "console.log({a:1}.constructor)",
        "console.log([1,2,3].map(String).join())",
        "console.log(['1','2','3'].map(parseInt).join())",
        'console.log("\\u{1F600}".length)',
        "console.log('é'.toUpperCase())",
        "console.log([,1].length)",
        'console.log("abc".split("").join("-"))',
        "console.log(typeof 1)",
        "const f = (a = 2) => a; console.log(f())",
        "const f = (...a) => a.length; console.log(f(1,2))",
        "for (const k in {a:1}) console.log(k)",
        "var y = 1; { var y = 2 } console.log(y)",
        "console.log(null == undefined)",
        'console.log("a" < "b")',
        "console.log('x'.at(-1))",
        "console.log([1,[2,[3]]].flat().length)",
        "label: for (const x of [1]) { break label }",
        "try { console.log(1) } catch { }",
        "console.log('b'); throw new Error('x')",
        "console.log('\\0')",
        "console.log(['a','b'].join(undefined))",
        "console.log([1,2,3].slice(undefined, 2).join())",
        "console.log([1,2,3].indexOf(2))",
        "console.log(1_000)",
        "console.log(010)",
        "console.log(1e3)",
        "console.log(0.1)",
        "console.log(-0)",
        "console.log(9007199254740993)",
        "for (const x of 'ab') console.log(x)",
        "const g = function() { return 1 }; console.log(g())",
        "const s = new Set(['a']); console.log([...s].join())",
        'console.log(["x"].includes("x") ? `${"a" + `b`}` : \'n\')',
        "String.prototype.trim = () => 'evil'; console.log(' a '.trim())",
        "Array.prototype.join = () => 'evil'; console.log([1].join())",
        "console.log = process.stdout.write; console.log('x')",
        "globalThis.JSON = {parse: () => 1}; console.log(JSON.parse('2'))",
        "console.log(__filename)",
        "console.log(require('./d.json').a.join(), require('./d').n)",
        "console.log(process.env.HOME)",
        "console.log(process.argv[1])",
        "const fs = require('fs'); fs.readFileSync = () => 'x'; console.log(fs.readFileSync('d', 'utf8'))",
        "const fs = require('fs'); console.log(fs.readFileSync('d.json').toString().length)",
        "console.log('a'.repeat(3))",
        "const [p, ...r] = [1, 2]; console.log(r.length)",
        "const u = 'x'; console.log(`${u}` /x/g)",
        "console.log([1, 2, 3].reduce((a, b) => a + b, 0))",
        "const h = { s: 'k', get v() { return 1 } }; console.log(h.v)",
        "console.log(\"x\".concat('y'))",
        "async function m() { console.log('m') } m()",
        "const k = 'a'; console.log({ [k]: 1 }.a)",
        "console.log(\"tab\\tq\", JSON.stringify('tab\\t'))",
        "const o2 = {...{a: 1}}; console.log(o2.a)",
        "x1 = 5; console.log(x1)",
        "const dd = [1,2]; dd.length = 0; console.log(dd.length)",
        "console.log('last'); console.error('err')",
        "let s = 'a'; for (const x of Array(99)) s += s; console.log(s)",
        "const q = ['a']; for (const x of q) q.push(x); console.log('z')",
        "console.log(require('child_process').execSync('ls') + '')",
        "console.log(require('fs').readFileSync('missing', 'utf8'))",
        "console.log(Date.now())",
    ],
)
def test_what_is_not_certain_is_unknown(code):
    with pytest.raises((ValueError, KeyError, IndexError, TypeError, RecursionError)):
        output_of(code)
