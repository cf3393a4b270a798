"""A branch of PHP's code is left out only if the words and variables of its command surely do not take it."""

# ruff: noqa: E501 - texts of files

from __future__ import annotations

from tests.tables import for_each

from operators_edge.shell.code.given import masks, program

ACT = 'exec("git push")'
WORD = '<?php\nif (in_array("--push", $argv, true)) {\n    ACT;\n}\n'
OPTIONS = '<?php\n$options = getopt("v", ["push", "env:"]);\nif (isset($options["push"])) {\n    ACT;\n}\n'
SWITCH = '<?php\n$task = $argv[1] ?? "build";\nswitch ($task) {\n    case "build":\n        make();\n        break;\n    case "push":\n        ACT;\n        break;\n}\n'
MATCH = "<?php\n$task = $argv[1] ?? null;\nmatch ($task) {\n    'build' => make(),\n    'push' => ACT,\n    default => help(),\n};\n"
GUARD = '<?php\n$isDry = !in_array("--push", $argv);\nif ($isDry) {\n    exit(0);\n}\nACT;\n'
LATER = '<?php\nfunction push() {\n    ACT;\n}\n\nif ($argc > 1 && $argv[1] === "push") {\n    push();\n}\n'
ENV = '<?php\nif (getenv("SHIP") === "1") {\n    ACT;\n}\n'


def left(text, words="", environment=None, **more):
    """What is left of a program."""
    files = {"x.php": text.replace("ACT", ACT)}
    files |= {f"{name}.php": other for name, other in more.items()}
    given = program.without_untaken(files, masks.PHP, ["x.php", *words.split()], environment or {})
    assert all(len(given[path]) == len(files[path]) for path in files)
    return "\n".join(given.values())


NOT_GIVEN = {
    "a word": (WORD, ""),
    "another word": (WORD, "--verbose"),
    "an option": (OPTIONS, "--env=dev"),
    "an option that is asked for by its key": (
        OPTIONS.replace('isset($options["push"])', 'array_key_exists("push", $options)'),
        "",
    ),
    "an option that is not empty": (OPTIONS.replace("isset(", "!empty("), ""),
    "a case": (SWITCH, ""),
    "another case": (SWITCH, "build"),
    "an arm": (MATCH, "build"),
    "a guard": (GUARD, ""),
    "a function that only that calls": (LATER, "build"),
    "no word": (LATER, ""),
}
GIVEN = {
    "a word": (WORD, "x --push"),
    "an option": (OPTIONS, "--push"),
    "a case": (SWITCH, "push"),
    "an arm": (MATCH, "push"),
    "a guard": (GUARD, "--push"),
    "a function": (LATER, "push"),
}
NOT_KNOWN = {
    "a short option": (OPTIONS, "-v"),
    "an option that is set": (OPTIONS.replace("if (", '$options["push"] = isCi();\nif ('), ""),
    "options that are merged": (OPTIONS.replace("if (", "$options += load();\nif ("), ""),
    "options by reference": (OPTIONS.replace("if (", "load($options);\nif ("), ""),
    "options of other words": (OPTIONS.replace("if (", "extract(load());\nif ("), ""),
    "a word pushed": (WORD.replace("if (", 'array_push($argv, "--push");\nif ('), ""),
    "a word set": (WORD.replace("if (", '$argv[] = "--push";\nif ('), ""),
    "words by reference": (WORD.replace("if (", '$a = &$argv;\n$a[] = "--push";\nif ('), ""),
    "words in a loop by reference": (
        WORD.replace("if (", 'foreach ($argv as &$a) { $a = "--push"; }\nif ('),
        "x",
    ),
    "words under a name that is computed": (WORD.replace("if (", "$$name = load();\nif ("), ""),
    "a name set again": (GUARD.replace("if (", "$isDry = false;\nif ("), ""),
    "a name set by a pattern": (GUARD.replace("if (", "[$isDry] = load();\nif ("), ""),
    "a name set by a loop": (GUARD.replace("if (", "foreach ([false] as $isDry) {}\nif ("), ""),
    "a name in a function": (
        GUARD.replace(
            "if ($isDry) {\n    exit(0);\n}\nACT;",
            "function f() {\n    if ($isDry) {\n        return;\n    }\n    ACT;\n}\nf();",
        ),
        "",
    ),
    "words in a function": (
        "<?php\nfunction f() {\n    if (!isset($argv[9])) {\n        return;\n    }\n    ACT;\n}\nf();\n",
        "",
    ),
    "a name before it is set": (
        '<?php\nif ($isPush) {\n    ACT;\n}\n$isPush = in_array("--push", $argv);\n',
        "",
    ),
    "a guard that goes on": (GUARD.replace("exit(0)", "show()"), ""),
    "a number that is the same": (SWITCH.replace('"push"', '"1e0"'), "1"),
    "a default": (SWITCH.replace('case "push"', "default"), "other"),
    "else": (WORD.replace("ACT;\n}", "show();\n} else {\n    ACT;\n}"), ""),
    "not": (WORD.replace("if (in", "if (!in"), ""),
    "a jump": (GUARD.replace("if (", "goto done;\nif (").replace("ACT", "done: ACT"), ""),
    "a function that is called before": (
        "<?php\npush();\nif (!in_array('--push', $argv)) {\n    exit;\n}\nfunction push() {\n    ACT;\n}\n",
        "",
    ),
    "a page around it": (WORD.replace("<?php\n", "<?php // ?>\n<?php\n"), ""),
    "a variable that nothing gives": (ENV, ""),
    "a function of its own": (WORD + "function in_array() { return true; }\n", ""),
    "a function in capitals": (LATER + "PUSH();\n", "build"),
    "a function by its name": (LATER + 'register_shutdown_function("push");\n', "build"),
    "a function that a name holds": (LATER + '$f = "push";\n$f();\n', "build"),
    "the file itself": (WORD.replace("if (", 'exec("php " . __FILE__ . " --push");\nif ('), ""),
}


@for_each(("text", "words"), list(NOT_GIVEN.values()), ids=list(NOT_GIVEN))
def test_what_a_word_would_do_is_left_out_where_it_is_not_given(text, words):
    assert ACT not in left(text, words)


@for_each(("text", "words"), list(GIVEN.values()), ids=list(GIVEN))
def test_it_is_left_in_where_it_is_given(text, words):
    assert ACT in left(text, words)


@for_each(("text", "words"), list(NOT_KNOWN.values()), ids=list(NOT_KNOWN))
def test_it_is_left_in_where_that_cannot_be_known(text, words):
    assert ACT in left(text, words)


def test_another_file_may_change_what_the_names_of_a_program_stand_for():
    assert ACT in left(OPTIONS, other='<?php\n$options["push"] = true;\n')
    assert ACT in left(WORD, other='<?php\n$argv[] = "--push";\n')
    assert ACT not in left(OPTIONS, other="<?php\n$other = true;\n")


def test_a_variable_counts_where_the_line_gives_it():
    assert ACT not in left(ENV, environment={"SHIP": "0"})
    assert ACT in left(ENV, environment={"SHIP": "1"})
    assert ACT in left(ENV.replace("if", "putenv('SHIP=1');\nif"), environment={"SHIP": "0"})


# end of module
