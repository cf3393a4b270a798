"""What filters print of a known text is what the real programs print; anything else is unknown."""

import subprocess

from tests.tables import for_each

from operators_edge.shell.filters.text_filters import filter_of, substituted

TEXT = "# run ls\nx=1\n\n#run: git status\nname: a b c\na b\na b\nlast\n"
JSON = '{"a": {"b": ["ls", "pwd"], "c-d": "x y"}, "s": [{"run": "make"}, {"run": "ls -l"}], "n": 1}'

KNOWN = [
    ["sed", "s/run/walk/"],
    ["sed", "s|a b|/x/y|g"],
    ["sed", "s/a/A/2p;d"],
    ["sed", "-n", "2,4p"],
    ["sed", "-n", "$p"],
    ["sed", "-n", "/^#run/p"],
    ["sed", "1d;3,5d"],
    ["sed", "4,2d"],
    ["sed", "3q"],
    ["sed", "-e", "/^$/d"],
    ["sed", "s/^#run: //;s/a.*c/z/"],
    ["sed", "s/A/z/gI"],
    ["sed", "s/[ab]/q/g"],
    ["sed", "s/\\//x/"],
    ["sed", "s/ /\\&/g"],
    ["grep", "run"],
    ["grep", "-v", "^#"],
    ["grep", "-E", "^a|b"],
    ["grep", "-vE", "^(#|$)"],
    ["grep", "-vE", "^#|^$|last$"],
    ["grep", "-xE", "^a|b$"],
    ["grep", "-E", "(^|:) (a|b$)"],
    ["sed", "-E", "/^(#|$)|b$/d"],
    ["awk", "!/^(#|$)/"],
    ["grep", "-i", "RUN"],
    ["grep", "-F", "a b"],
    ["grep", "-x", "last"],
    ["grep", "^a.*b$"],
    ["fgrep", "#run:"],
    ["head", "-n", "2"],
    ["head", "-3"],
    ["head"],
    ["tail", "-n", "+3"],
    ["tail", "-n", "2"],
    ["tail", "-1"],
    ["cut", "-c3-"],
    ["cut", "-d", " ", "-f2-"],
    ["cut", "-d:", "-f2"],
    ["cut", "-c", "1-3"],
    ["uniq"],
    ["tac"],
    ["sed", "s/\\(x\\)=\\(.\\)/\\2 & \\1/"],
    ["sed", "-E", "s/(a) b+/\\1!/g"],
    ["sed", "$!d"],
    ["sed", "-n", "/^#run/,/^a/p"],
    ["sed", "-n", "/^#run/,/^a/{//!p;}"],
    ["sed", "-n", "3,/b$/p"],
    ["sed", "/x/,2d;/name/,$d"],
    ["sed", "-n", "s/^#run: //p"],
    ["sed", "-e", "1d", "-e", "s/a/b/"],
    ["grep", "-E", "(name|#run):|last"],
    ["grep", "-o", "[a-z]*:"],
    ["grep", "-E", "^(name|#run): .*[cs]$"],
    ["sed", "-E", "s/^(name|#run): (.*)$/\\2 \\1/"],
    ["grep", "-e", "x", "-e", "last"],
    ["paste", "-s", "-d", ";", "-"],
    ["awk", "1"],
    ["awk", "-F:", "/:/ {print $2, NR}"],
    ["awk", '!/^#/ && NF > 1 {print $1 "-" $NF; next} END {print NR}'],
    ["awk", "/^#run/,/^a/"],
    ["awk", "/^#run/ {f = 1; next} /last/ {f = 0} f"],
    ["awk", "-v", "n=3", 'NR == n {sub(/[0-9]+/, "<&>"); printf "%s!\\n", $0}'],
    ["awk", 'NF && !seen[$1]++ {$1 = ""; print}'],
    ["awk", "{if ($2 ~ /^b$/) print toupper($1); else print substr($0, 2, 3)}"],
    ["awk", 'BEGIN {FS = ":"; OFS = "="} NF == 2 {print $1, $2}'],
]


@for_each("words", KNOWN)
def test_a_filter_prints_what_the_program_prints(words):
    known = filter_of(words[0], words[1:])
    real = subprocess.run(words, input=TEXT, capture_output=True, text=True, check=False)
    assert known is None or known.apply(TEXT) == real.stdout
    assert known is not None or "/2p" in words[1]


STEPS = "10 last of\n 2 second 5\n1 first 70\n"


@for_each("words", [["-k1,1n"], ["-k1n"], ["-n", "-k1,1n"]])
def test_sort_orders_lines_by_a_number_in_them(words):
    known = filter_of("sort", words)
    real = subprocess.run(
        ["sort", *words], input=STEPS, capture_output=True, text=True, check=False
    )
    assert known.apply(STEPS) == real.stdout


def test_sort_orders_lines_by_a_later_number():
    text = "a 10 x\nb  9 y\nc 100 z\n"
    real = subprocess.run(["sort", "-k2n"], input=text, capture_output=True, text=True, check=False)
    assert filter_of("sort", ["-k2n"]).apply(text) == real.stdout


UNKNOWN = [
    ["sed", "s/a/b/e"],
    ["sed", "-n", "/a/{e ls\np}"],
    ["sed", "/a/r other"],
    ["sed", "/a/w other"],
    ["sed", "s/b*/-/g"],
    ["sed", "2,3{4,5p}"],
    ["sed", "0,/a/d"],
    ["sed", "-E", "s/(a*)*b/c/"],
    ["sed", "-E", "s/(a|a b)/x/"],
    ["sed", "-E", "s/(a|b*)c/x/"],
    ["grep", "-E", "^*a"],
    ["grep", "(^|a)b"],
    ["sort", "-k2"],
    ["sort", "-k2,3n"],
    ["sort", "-k1,1n", "-k2"],
    ["sort", "-r", "-k2n"],
    ["sort", "-t:", "-k2n"],
    ["sort", "-o", "f"],
    ["paste", "a", "b"],
    ["column", "-s:"],
    ["awk", "{system($0)}"],
    ["awk", '{print | "sh"}'],
    ["awk", '{print > "f"}'],
    ["awk", "{print $1, $2 > $3}"],
    ["awk", '{x = $1 > "f"; print x > "g"}'],
    ["awk", '{"date" | getline d; print d}'],
    ["awk", "{getline; print}"],
    ["awk", '{print ENVIRON["X"]}'],
    ["awk", "{print FILENAME}"],
    ["awk", "-f", "p.awk"],
    ["awk", "-v", "FS=a\\tb", "1"],
    ["awk", "1", "x=2", "f"],
    ["awk", '@load "filefuncs"; 1'],
    ["awk", 'BEGIN {while ((getline l < "f") > 0) print l}'],
    ["awk", "/a/ /b/"],
    ["awk", "{print $1 / 2}"],
    ["sed", "s/a/b/w x"],
    ["sed", "1e ls"],
    ["sed", "s/a/\\n/"],
    ["sed", "-i", "s/a/b/", "f"],
    ["sed", "y/a/b/"],
    ["sed", "N;s/a/b/"],
    ["sed", "-f", "x"],
    ["grep", "a\\|b"],
    ["grep", "-P", "a"],
    ["grep", "-c", "a"],
    ["grep", "*a"],
    ["grep", "run", "a", "b"],
    ["grep", "-r", "run", "."],
    ["head", "-c", "3"],
    ["tail", "-f", "x"],
    ["cut", "-f1,3"],
    ["cut", "--complement", "-f1"],
    ["uniq", "-c"],
]


@for_each("words", UNKNOWN)
def test_what_is_not_certain_is_unknown(words):
    assert filter_of(words[0], words[1:]) is None


def test_the_files_of_a_filter_are_named():
    assert filter_of("grep", ["-h", "x", "a", "b"]).files == ("a", "b")
    assert filter_of("sed", ["-e", "p", "f"]).files == ("f",)
    assert filter_of("tail", ["-n", "+4", "f"]).files == ("f",)
    assert filter_of("jq", ["-r", ".a", "f"]).files == ("f",)


def test_variables_are_put_into_a_text_as_envsubst_does():
    assert substituted("a $X ${Y}-$Z $1", lambda name: f"<{name}>") == "a <X> <Y>-<Z> $1"
    given = substituted("a $X ${Y}-$Z", lambda name: f"<{name}>", ["$X,${Y}"])
    assert given == "a <X> <Y>-$Z"


def test_base64_is_decoded():
    assert filter_of("base64", ["-d", "f"]).files == ("f",)
    assert filter_of("base64", ["--decode"]).apply("bHMK\n") == "ls\n"
    assert filter_of("base64", ["-w0", "f"]).apply("ls\n") is None


YAML = """\
on: push
jobs:
  "check it":
    steps:
      - run: ls
      - name: x
        run: |
          git status
          ls -l
      - run: 'pwd'
"""


@for_each(
    ("path", "printed"),
    [
        ('.jobs["check it"].steps[].run', "ls\ngit status\nls -l\n\npwd\n"),
        ('.jobs."check it".steps[2].run', "pwd\n"),
        (".on", "push\n"),
    ],
)
def test_yq_takes_texts_by_their_path(path, printed):
    assert filter_of("yq", ["-r", path]).apply(YAML) == printed
    assert filter_of("yq", ["e", path]).apply(YAML) == printed
    assert filter_of("yq", ["-r", path]).apply(YAML.replace("push", "&x push")) is None


@for_each(
    "text",
    [
        "a: !!int x\n",
        "a: x\na: y\n",
        "<<: {a: x}\n",
        "a: x\n---\na: y\n",
        "a: [x\n",
        "a: *b\n",
        "a: 1\n",
    ],
)
def test_what_yaml_readers_may_not_agree_on_is_unknown(text):
    assert filter_of("yq", ["-r", ".a"]).apply(text) is None


@for_each(
    ("words", "text"),
    [
        (["sed", "s/^.//"], "\u00e9a\n"),
        (["awk", "{print length($0)}"], "\u00e9\n"),
        (["cut", "-c2-"], "\u00e9a\n"),
        (["grep", "-i", "s"], "\u017f\n"),
        (["cat", "-"], "\udcff\n"),
        (["awk", "$1 == 1"], "1.0\n"),
        (["awk", '$1 < "b"'], "a\n"),
        (["sort"], "a-b\nab\n"),
        (["sort", "-n"], "1 a\n1 b\n"),
        (["sort", "-k2n"], "a 1\nb 1\n"),
        (["sort", "-k2n"], "a b\n"),
        (["column", "-t"], "echo 'a  b'\n"),
        (["awk", '{gsub(/x/, "y", $1); print}'], "a  b\n"),
    ],
)
def test_what_depends_on_the_language_or_the_program_is_unknown(words, text):
    found = filter_of(words[0], words[1:])
    assert found is None or found.apply(text) is None


@for_each("words", [["sed", "s/x/y/"], ["sed", "p"], ["head", "-2"], ["tail", "-1"], ["tac"]])
def test_a_last_line_without_an_end_stays_so(words):
    real = subprocess.run(words, input="a\nx", capture_output=True, text=True, check=True)
    assert filter_of(words[0], words[1:]).apply("a\nx") == real.stdout
