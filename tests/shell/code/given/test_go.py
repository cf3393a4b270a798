"""A branch of Go's code is left out only if the words and variables of its command surely do not take it."""

# ruff: noqa: E501 - texts of files

from __future__ import annotations

from tests.tables import for_each

from operators_edge.shell.code.given import masks, program

ACT = 'exec.Command("git", "push").Run()'
HEAD = 'package main\n\nimport (\n\t"flag"\n\t"os"\n\t"os/exec"\n)\n\n'
COBRA = 'package main\n\nimport (\n\t"os/exec"\n\t"github.com/spf13/cobra"\n)\n\n'
FLAG = (
    HEAD
    + 'func main() {\n\tapply := flag.Bool("apply", DEFAULT, "do it")\n\tflag.Parse()\n\tif *apply {\n\t\tACT\n\t}\n}\n'
)
VARIABLE = (
    HEAD
    + 'var apply bool\n\nfunc main() {\n\tflag.BoolVar(&apply, "apply", false, "do it")\n\tflag.Parse()\n\tif apply {\n\t\tACT\n\t}\n}\n'
)
FIELD = (
    HEAD
    + 'var opts struct {\n\tapply bool\n}\n\nfunc main() {\n\tflag.BoolVar(&opts.apply, "apply", false, "do it")\n\tflag.Parse()\n\tif opts.apply {\n\t\tACT\n\t}\n}\n'
)
DRY = (
    HEAD
    + 'func main() {\n\tdry := flag.Bool("dry-run", true, "only show")\n\tflag.Parse()\n\tif *dry {\n\t\treturn\n\t}\n\tACT\n}\n'
)
WORD = (
    HEAD
    + 'func send() {\n\tACT\n}\n\nfunc main() {\n\tif len(os.Args) > 1 && os.Args[1] == "push" {\n\t\tsend()\n\t}\n}\n'
)
SWITCH = (
    HEAD
    + 'func main() {\n\tcommand := os.Args[1]\n\tswitch command {\n\tcase "push", "ship":\n\t\tACT\n\tcase "build":\n\t\tmake()\n\tdefault:\n\t\thelp()\n\t}\n}\n'
)
ENV = HEAD + 'func main() {\n\tif os.Getenv("SHIP") == "yes" {\n\t\tACT\n\t}\n}\n'
SHORT = (
    COBRA
    + 'var push bool\n\nvar root = &cobra.Command{Use: "image", RunE: func(cmd *cobra.Command, args []string) error {\n\tif push {\n\t\tACT\n\t}\n\treturn nil\n}}\n\nfunc init() {\n\troot.Flags().BoolVarP(&push, "push", "p", false, "push it")\n}\n\nfunc main() {\n\troot.Execute()\n}\n'
)
READ = (
    COBRA
    + 'func run(cmd *cobra.Command, args []string) {\n\tpush, _ := cmd.Flags().GetBool("push")\n\tif !push {\n\t\treturn\n\t}\n\tACT\n}\n\nfunc main() {\n\troot := &cobra.Command{Use: "image", Run: run}\n\troot.Flags().Bool("push", false, "push it")\n\troot.Execute()\n}\n'
)
SUB = (
    COBRA
    + 'var root = &cobra.Command{Use: "shop"}\n\nvar pushCmd = &cobra.Command{\n\tUse: "push [name]",\n\tRunE: func(cmd *cobra.Command, args []string) error {\n\t\treturn ACT\n\t},\n}\n\nfunc init() {\n\troot.AddCommand(buildCmd, pushCmd)\n}\n\nfunc main() {\n\troot.Execute()\n}\n'
)
MADE = (
    COBRA
    + 'func newPush() *cobra.Command {\n\treturn &cobra.Command{Use: "push", RunE: func(cmd *cobra.Command, args []string) error { return ACT }}\n}\n\nfunc main() {\n\troot := &cobra.Command{Use: "shop"}\n\troot.AddCommand(newPush())\n\troot.Execute()\n}\n'
)
PASSED = (
    HEAD
    + 'type config struct {\n\tapply bool\n\tenv   string\n}\n\nfunc parse() config {\n\tvar c config\n\tflag.BoolVar(&c.apply, "apply", false, "do it")\n\tflag.Parse()\n\treturn c\n}\n\nfunc main() {\n\tcfg := parse()\n\tif cfg.apply {\n\t\tACT\n\t}\n}\n'
)


def left(text, words="", environment=None, **more):
    """What is left of a program."""
    files = {"main.go": text.replace("ACT", ACT).replace("DEFAULT", "false")}
    files |= {f"{name}.go": other for name, other in more.items()}
    given = program.without_untaken(files, masks.GO, ["", *words.split()], environment or {})
    assert all(len(given[path]) == len(files[path]) for path in files)
    return "\n".join(given.values())


NOT_GIVEN = {
    "a flag of a structure that is handed on": (PASSED, "-env x"),
    "a flag": (FLAG, ""),
    "another flag": (FLAG, "-env staging"),
    "a flag of a variable": (VARIABLE, ""),
    "a flag of a field": (FIELD, "-v"),
    "a dry run that is the default": (DRY, "-env staging"),
    "a word": (WORD, "build"),
    "no word": (WORD, ""),
    "a case": (SWITCH, "build"),
    "a flag of cobra": (SHORT, "--tag x"),
    "a flag that is asked for": (READ, ""),
    "another command of cobra": (SUB, "build"),
    "another command that a function makes": (MADE, "build"),
}
GIVEN = {
    "a flag of a structure that is handed on": (PASSED, "-apply"),
    "a flag": (FLAG, "-apply"),
    "a flag with two dashes": (FLAG, "--apply=true"),
    "a flag of a variable": (VARIABLE, "--apply"),
    "a flag of a field": (FIELD, "-v -apply"),
    "a dry run": (DRY, "-dry-run=false"),
    "a word": (WORD, "push"),
    "a case": (SWITCH, "ship"),
    "a flag of cobra": (SHORT, "--push"),
    "a short flag": (SHORT, "-vp"),
    "a flag that is asked for": (READ, "--push"),
    "a command of cobra": (SUB, "push"),
    "a command that a function makes": (MADE, "push"),
}
NOT_KNOWN = {
    "a structure from a file": (
        PASSED.replace("return c", "json.Unmarshal(raw, &c)\n\treturn c"),
        "",
    ),
    "a structure with values": (
        PASSED.replace("cfg := parse()", 'cfg := config{true, "x"}'),
        "",
    ),
    "a structure with named values": (
        PASSED.replace("cfg := parse()", "cfg := config{apply: true}"),
        "",
    ),
    "a field that is set under another name": (
        PASSED.replace("\tif cfg", "\to := &cfg\n\to.apply = true\n\tif cfg"),
        "",
    ),
    "a field of two structures": (
        PASSED.replace("func parse", "type other struct {\n\tapply bool\n}\n\nfunc parse"),
        "",
    ),
    "a field that holds by default": (PASSED.replace('"apply", false', '"apply", true'), ""),
    "a default that holds": (FLAG.replace("DEFAULT", "true"), ""),
    "a default that is computed": (FLAG.replace("DEFAULT", "isCi()"), ""),
    "a flag that is set": (FLAG.replace("\tif", "\t*apply = isCi()\n\tif"), ""),
    "a flag that is handed on": (FLAG.replace("\tif", "\tload(apply)\n\tif"), ""),
    "a flag that is set by its name": (
        FLAG.replace("\tif", '\tflag.Set("apply", "true")\n\tif'),
        "",
    ),
    "a library of another name": (FLAG.replace('"flag"', '"github.com/namsral/flag"'), ""),
    "a library that reads variables": (
        FLAG.replace("flag.Parse()", "ff.Parse(flag.CommandLine, os.Args[1:])"),
        "",
    ),
    "a variable that is set": (VARIABLE.replace("\tif", "\tapply = isCi()\n\tif"), ""),
    "a variable that is set with another": (
        VARIABLE.replace("\tif", "\tname, apply = load()\n\tif"),
        "",
    ),
    "a variable that is pointed to": (VARIABLE.replace("\tif", "\tload(&apply)\n\tif"), ""),
    "a variable of two flags": (
        VARIABLE.replace("\tflag.Parse", '\tflag.BoolVar(&apply, "yes", false, "")\n\tflag.Parse'),
        "-yes",
    ),
    "a variable that is shadowed": (
        VARIABLE + "func other(apply bool) {\n\tif apply {\n\t\tACT\n\t}\n}\n",
        "",
    ),
    "a field that is set": (FIELD.replace("\tif", "\topts.apply = isCi()\n\tif"), ""),
    "a field that a file sets": (FIELD.replace("\tif", "\tjson.Unmarshal(raw, &opts)\n\tif"), ""),
    "a field that is pointed to": (
        FIELD.replace("\tif", "\tjson.Unmarshal(raw, &opts.apply)\n\tif"),
        "",
    ),
    "a field that is handed on": (FIELD.replace("\tif", "\tload(opts)\n\tif"), ""),
    "words that are set": (WORD.replace("\tif", '\tos.Args = append(os.Args, "push")\n\tif'), ""),
    "a word that is set": (WORD.replace("\tif", '\tos.Args[1] = "push"\n\tif'), "build"),
    "words that are handed on": (WORD.replace("\tif", "\tchange(os.Args)\n\tif"), "build"),
    "words under another name": (
        WORD.replace("\tif", '\ta := os.Args\n\ta[1] = "push"\n\tif'),
        "build",
    ),
    "a name that is set again": (
        SWITCH.replace("\tswitch", '\tcommand = "push"\n\tswitch'),
        "build",
    ),
    "a name that is pointed to": (
        SWITCH.replace("\tswitch", "\tload(&command)\n\tswitch"),
        "build",
    ),
    "a case that goes on": (
        SWITCH.replace("ACT\n", "make()\n\t\tfallthrough\n").replace(
            "make()\n\tdefault", "ACT\n\tdefault"
        ),
        "push",
    ),
    "a default": (SWITCH.replace("help()", "ACT"), "other"),
    "a variable that nothing gives": (ENV, ""),
    "not": (FLAG.replace("if *apply", "if !*apply"), ""),
    "or": (FLAG.replace("if *apply", "if isCi() || *apply"), ""),
    "else": (FLAG.replace("ACT\n\t}", "show()\n\t} else {\n\t\tACT\n\t}"), ""),
    "else with another condition": (
        DRY.replace("return\n\t}\n\tACT", "show()\n\t} else if isCi() {\n\t\tACT\n\t}").replace(
            "true,", "false,"
        ),
        "",
    ),
    "a branch that goes on": (DRY.replace("return", "show()"), ""),
    "a jump": (DRY.replace("\tif", "\tgoto done\n\tif").replace("\tACT", "done:\n\tACT"), ""),
    "a function that is named elsewhere": (
        WORD.replace("func main() {", "func main() {\n\trun(send)"),
        "build",
    ),
    "a field of a command": (
        SUB.replace("root.Execute", "root.RunE = pushCmd.RunE\n\troot.Execute"),
        "build",
    ),
    "words that cobra is given": (
        SUB.replace("root.Execute", 'root.SetArgs([]string{"push"})\n\troot.Execute'),
        "build",
    ),
    "a command that is run itself": (SUB.replace("root.Execute", "pushCmd.Execute"), "build"),
    "another name of a command": (
        SUB.replace("\tRunE", '\tAliases: []string{"ship"},\n\tRunE'),
        "ship",
    ),
    "settings of viper": (
        SHORT.replace("root.Execute", "viper.BindPFlags(root.Flags())\n\troot.Execute"),
        "",
    ),
}


def row(one):
    return (*one, None) if len(one) == 2 else one


@for_each(("text", "words"), list(NOT_GIVEN.values()), ids=list(NOT_GIVEN))
def test_what_a_flag_would_do_is_left_out_where_it_is_not_given(text, words):
    assert ACT not in left(text, words)


@for_each(("text", "words"), list(GIVEN.values()), ids=list(GIVEN))
def test_it_is_left_in_where_it_is_given(text, words):
    assert ACT in left(text, words)


@for_each(("text", "words"), list(NOT_KNOWN.values()), ids=list(NOT_KNOWN))
def test_it_is_left_in_where_that_cannot_be_known(text, words):
    assert ACT in left(text, words)


def test_a_variable_counts_where_the_line_gives_it_and_nothing_else_does():
    assert ACT not in left(ENV, environment={"SHIP": "no"})
    assert ACT in left(ENV, environment={"SHIP": "yes"})
    sets = 'package main\n\nfunc init() {\n\tos.Setenv("SHIP", "yes")\n}\n'
    assert ACT in left(ENV, environment={"SHIP": "no"}, other=sets)


def test_another_file_of_the_package_may_set_a_variable():
    assert ACT in left(VARIABLE, other="package main\n\nfunc init() {\n\tapply = true\n}\n")
    assert ACT not in left(VARIABLE, other="package main\n\nfunc other() {}\n")


# end of module
