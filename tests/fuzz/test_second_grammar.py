"""Our reading of shell texts against that of shfmt's parser, and against what bash accepts.

``EDGE_REAL_COMMANDS=FILE`` names a collection of real commands (JSON lines with ``command``, packed by xz),
which are compared too.
"""

from __future__ import annotations

import json
import lzma
import os
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple
from zlib import crc32

import pytest
from hypothesis import given, strategies as st

from tests.fuzz.second_grammar import differences, find_shfmt
from tests.properties import examples

REAL = os.environ.get("EDGE_REAL_COMMANDS", "")
pytestmark = pytest.mark.skipif(not find_shfmt(), reason="no shfmt here")

CONSTRUCTS = r"""
a
a b 'c d' "e f" g\ h
A=1 B=2 a b
A=1
a; b & c && d || e
a | b |& c
! a | b
time a | b
time -p a
( a; b )
(a)
( (a); (b) )
((1 + 2))
(( x > 1 )) && a
{ a; b; }
{ a; } > f 2>&1 < g
{ { a; }; b; }
{ { a; } }
( { a; } )
( a ) > f & b
if a; then b; fi
if a; then b; else c; fi
if a; then b; elif c; then d; elif e; then f; else g; fi
if a && b || ! c; then d; fi
if ( a ) then b; fi
if [[ a ]] then b; fi
if (( 1 )) then b; fi
if { a; } then b; fi
if a; then b; fi > f
if a; then if b; then c; fi fi
if if a; then b; fi then c; fi
while a; do b; done
until a; do b; done < f
while a; b; do c; d; done | e
while read -r x; do a "$x"; done <<< "b"
while a; do while b; do c; done done
for x in a b c; do d "$x"; done
for x in; do d; done
for x; do d; done
for x do d; done
for x in a; do d; done | e > f
for ((i = 0; i < 3; i++)); do a; done
for ((;;)) { a; }
for x in "$(a)" `b` <(c); do d; done
select x in a b; do c; done
select x; do c; done
case a in b) c;; esac
case a in (b|c) d;; (e) f;& g) h;;& *) i; esac
case "$a" in b*) ;; esac
case a in esac
case a in b) c; d;; esac > f
case a in b) if c; then d; fi;; e) (f);; esac
case a in b) case c in d) e;; esac;; esac
case $(a) in "$(b)") c;; esac
f() { a; }
f() { a; }; f
f () ( a )
function f { a; }
function f() { a; } > g
f() if a; then b; fi
f() for x in a; do b; done
f-g() { a; }; f.h() { b; }
[[ a == b ]]
[[ a && ( b || c ) ]] || d
[[ -n "$(a)" && $(b) =~ ^x$ ]]
[[ a < b ]] && c
[[ ! -e a ]] && ! b
[ a = b ] && c
test -n a -a -n b
a "$(b "$(c 'd')")" e
a `b \`c\`` d
a "`b`"
a $(b; c) $(d | e)
a "${x:-$(b)}" ${y:+`c`}
a $((1 + $(b)))
a <(b) >(c)
diff <(a | b) <(c; d)
a ${x//b/c} ${#x} "${x[@]}" ${!x} ${x%%.*}
a $'b\n\'c' $"d"
a "b$" 'c$' "$"
a # b ; c
a#b c
# a
a; # b
a > f
a >> f 2> g
a &> f
a &>> f
a >& f
a 2>&1
a >| f
a <> f
a 3< f 4>&3 5<&-
> f
< f a
>f <g a >h b
a <<< b
a <<< "$(b)" c
x=(a b c)
x=(a $(b) "c d")
x+=(a)
declare -A x=([a]=b [c]=d)
x[1]=a
export A=b C="$(d)"
local x=a
readonly x
let x=1+1
a=$(b) c=`d` e
a=b$(c)d e
echo {a,b}{1..3} {c
echo }
echo if then else fi do done case esac for
a if
if=1 a
echo a{b}c {} '{' "}"
a {} +
find . -name a -exec b {} \;
find . \( -name a -o -name b \) -print
ls !(a|b) +(c) ?(d) @(e) *(f)
rm !(*.c)
coproc a
coproc { a; }
coproc x { a; }
! ( a )
! { a; }
!(a)
time { a; }
time ( a ) 2> f
a && { b; } || ( c )
a && if b; then c; fi
a | while read x; do b; done
a | { b; c; } | d
{ a; } | ( b )
f() { a; } ; g() { f; } ; g
while a; do b; done &
a & b &
a &
a;
a && b
trap 'a' EXIT
eval "a b"
exec 3<&0
exec a
a=1; b=$a; $b
"a" 'b' c
./a /b/c ../d
~/a ~b/c
[ -f a ] || { b; exit 1; }
set -euo pipefail; a
a || true
a "b;c" 'd|e' f\;g
a b\&c
echo "a \"b\" \$c \`d\`"
echo 'a'\''b'
echo a"b"'c'$d`e`
echo $a$b${c}d
echo "$@" $* $# $? $$ $! $- $0 $1 ${10}
echo [a-z] [!a] *.c ?
a=b c=d
a 2>/dev/null 1>&2 | b
if ! a; then b; fi
if ! a b >& f; then c; fi
while :; do a; break; done
until ! a; do b; done
while { a; } do ( b ) done
for x in a; do { b; } done
for x in a; do if b; then c; fi done
for f in *; do (a "$f") done
case x in a) { b; } esac
f() { if a; then b; fi }
f() { case a in b) c;; esac }
if case a in b) c;; esac then d; fi
(a; (b; (c)))
((a) && b)
(([[ a ]] && b) || ([[ c ]] && d))
$(a)
`a`
$(a) b
"$(a)" b
a$(b)
$a b
${a} b
${a:-b} c
a $(case b in c) d;; esac)
a $(if b; then c; fi) $( (d) )
echo $(( (1 + 2) * 3 )) $[1 + 2]
echo $((a[1])) ${a[$((1))]}
echo ${a:1:2} ${a/#b/c} ${a^^} ${a@Q}
echo "${a:-"b c"}" ${a:-'b'}
""
a "" ''
a=''
	a	b
"""
"""Texts of one line each."""
LONGER = r"""
a \
  b
--
a "b
c" d
--
a; # b
c
--
a <<E
b $(c)
E
--
a <<'E'
b $(c)
E
--
a <<-E
	b
	E
--
a <<E1 <<E2
b
E1
c
E2
--
a <<E | b
c
E
--
a <<E && b
c
E
--
cat <<E > f
$(a)
`b`
E
--
if a; then b <<E
c
E
fi
--
x=$(a <<E
b
E
)
--
a "$(
b
c # it's
)"
--
a $(b # c)
)
--
a\
b
--
a
b

c
--
if a
then
b
else
c
fi
--
while a
do
b
done
--
for x in a b
do
c
done
--
for x
in a; do c; done
--
case a
in
b)
c
;;
esac
--
f()
{
a
}
--
{
a
}
(
a
)
--
a &&
b ||
c
--
a |
b
--
select x in a
do b
done
--
function f
{
a
} > g
"""
"""Texts of several lines, with a line ``--`` between them."""

ON_PURPOSE = {
    'eval "$(fzf --bash)"': "what a program prints to be evaluated by the shell is taken for harmless",
}
"""Texts that we read in another way than the second grammar, with the reason."""

WORDS = st.sampled_from(
    [
        *("a", "'-x'", '"e f"', "g\\ h", "$v", "${v:-w}", "$(s)", '"$(t u)"', "`p`", "<(q)", "*.c"),
        *(
            "{i,j}",
            '"k$"',
            "x=y",
            "~/m",
            "'n;o'",
            '"c $(d) e"',
            "$((1 + 2))",
            "[k]",
            "if",
            "done",
            "}",
        ),
        *("in", "!x", "a#b", "$'q\\n'", "!(r|s)", "''"),
    ]
)
NAMES = st.sampled_from(["a", "./c", "'d'", "e-f", "g.h", "git", "rm", '"b"'])
REDIRECTS = st.sampled_from(
    ["> f", "2>&1", ">> g", "< h", "&> i", "<<< j", "2>/dev/null", ">&2", ">| k", '> "$(l)"']
)
SEPARATORS = st.sampled_from(["; ", " && ", " || ", "\n", " & ", " | ", " |& "])
COMPOUND = (
    "{{ {0}}}",
    "( {0})",
    "if {0}then {1}fi",
    "if {0}then {1}else {0}fi",
    "if {0}then {1}elif {1}then {0}else {1}fi",
    "while {0}do {1}done",
    "until {1}do {0}done",
    'for x in a "$b" $(c); do {0}done',
    "for x in a\ndo {0}done",
    "for x do {0}done",
    "for ((i=0; i<2; i++)); do {0}done",
    "select x in a; do {0}done",
    "case $x in a|b) {0}\n;; (c) {1}\nesac",
    'case "$(a)" in b) ;& *) {0}\n;; esac',
    "if [[ a ]] then {0}fi",
    "while (( 1 )) do {0}done",
    "fn() {{ {0}}}",
    "function fn {{ {0}}}",
    "fn () ( {0})",
    "coproc {{ {0}}}",
    "coproc name {{ {0}}}",
    "! {{ {0}}}",
    "time ( {0})",
)
SUBSTITUTED = (
    ": $( {0})",
    ': "$( {0})" b',
    "cat <( {0}) >( {1})",
    "[[ -n $( {0}) ]]",
    "x=$( {0})",
    "x=(a $( {0}) b)",
    "cat <<E{2}\n$( {0})\nE{2}\n:",
    ": ${{x:-$( {0})}}",
    "echo $(( $( {0}) + 1 ))",
    'export x="$( {0})"',
)


class Part(NamedTuple):
    """A statement; after a compound one a reserved word may follow at once."""

    text: str
    is_compound: bool


@st.composite
def simple(draw: st.DrawFn) -> Part:
    prefix = draw(st.sampled_from(["", "", "", "! ", "time ", "A=1 ", "B='x y' "]))
    words = [
        draw(NAMES),
        *draw(st.lists(WORDS, max_size=3)),
        *draw(st.lists(REDIRECTS, max_size=1)),
    ]
    return Part(prefix + " ".join(words), is_compound=False)


@st.composite
def compound(draw: st.DrawFn, inside: st.SearchStrategy[Part]) -> Part:
    template = draw(st.sampled_from(COMPOUND + SUBSTITUTED))
    one, other = draw(listed(inside)), draw(listed(inside))
    text = template.format(one, other, crc32(one.encode()))  # no heredoc ends another
    is_compound = template in COMPOUND
    if is_compound and draw(st.integers(0, 3)) == 0:
        text += " " + draw(REDIRECTS)
    return Part(text, is_compound)


@st.composite
def listed(draw: st.DrawFn, inside: st.SearchStrategy[Part]) -> str:
    """Statements with operators between them, and what has to follow the last."""
    parts = draw(st.lists(inside, min_size=1, max_size=3))
    texts = [part.text + draw(SEPARATORS) for part in parts[:-1]]
    last = parts[-1].text
    ends = [" "] if parts[-1].is_compound else ["; ", "\n", " & "]
    return "".join([*texts, last, draw(st.sampled_from(ends))])


SCRIPTS = listed(st.recursive(simple(), compound, max_leaves=8))


def constructs() -> list[str]:
    return [*CONSTRUCTS.strip("\n").split("\n"), *LONGER.strip("\n").split("\n--\n"), *ON_PURPOSE]


def test_each_construct_is_read_as_others_read_it():
    found = {text: what for text in constructs() if (what := differences(text))}
    assert found.keys() == ON_PURPOSE.keys(), found


@examples(40)
@given(SCRIPTS)
def test_made_scripts_are_read_as_others_read_them(text):
    assert differences(text) == []


@examples(20)
@given(
    SCRIPTS,
    st.integers(0),
    st.sampled_from(["", " ", "\n", ";", "(", ")", "{ ", "}", "'", '"', "`", "fi"]),
)
def test_what_bash_still_accepts_after_a_change_is_read(text, place, change):
    at = place % len(text)
    assert differences(text[:at] + change + text[at + 1 :]) == []


@pytest.mark.skipif(not REAL, reason="no real commands named")
def test_real_commands_are_read_as_others_read_them():
    with lzma.open(REAL, "rt") as file:
        texts = sorted({json.loads(line)["command"] for line in file})
    with ThreadPoolExecutor() as pool:
        found = [each for each in zip(texts, pool.map(differences, texts), strict=True) if each[1]]
    assert len(found) <= len(texts) // 2_000, found
