"""What is code in a text of PHP."""

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

from operators_edge.shell.code.php_texts import plain

PUSH = "git push --force"

RUNS = {
    "after a page with one quote": f"<h1>Don't</h1>\n<?php system('{PUSH}'); ?>\n",
    "after a here document with one quote": f"<?php\n$a = <<<TXT\n  It's here\n  TXT;\nsystem('{PUSH}');\n",
    "in a here document": f"<?php\nshell_exec(<<<SH\n{PUSH}\nSH);\n",
    "in a here document as it stands": f"<?php\nexec(<<<'SH'\n  {PUSH}\n  SH);\n",
    "after an end of PHP in a text": f"<?php\n$a = '?>'; system('{PUSH}');\n",
    "after an end of PHP in a here document": f"<?php\n$a = <<<'X'\nit's ?>\nX;\nsystem('{PUSH}');\n",
    "after an end of PHP in a comment": f"<?php\n/* isn't ?> */ system('{PUSH}');\n",
    "after a comment that ends with PHP": f"<?php\n// isn't ?> it's\n<?php system('{PUSH}');\n",
    "after an attribute": f"<?php\n#[It('?>')] function a() {{ system('{PUSH}'); }}\na();\n",
    "in a short tag": f"<p>it's</p>\n<?= shell_exec('{PUSH}') ?>\n",
    "in marks that run": f"<p>it's</p>\n<?php echo `{PUSH}`;\n",
    "after a text that never ends": f"<?php\n$a = <<<X\nsystem('{PUSH}');\n",
}


@for_each("code", RUNS.values(), RUNS)
def test_code_of_php_is_judged(code):
    assert judged("php a.php", {"a.php": code}).effect == "junction"


LEAVES = {
    "a page": f"<?php $a = 'x'; ?>\n<p>it's `{PUSH}` here</p>\n<?php echo 'a'; ?>\n",
    "a page before": f"<p>run system('{PUSH}')</p>\n<?php echo 'a'; ?>\n",
    "data behind an archive's end": f"<?php\necho 'a';\n__HALT_COMPILER(); ?>\n'\"`{PUSH}`\n",
}


@for_each("code", LEAVES.values(), LEAVES)
def test_what_is_printed_around_php_is_no_code(code):
    assert judged("php a.php", {"a.php": code}).effect == "allow"


def test_lines_keep_their_numbers():
    code = "<p>it's\n</p>\n<?php $a = <<<A\n  one\n\n  two\n  A; ?>\n\n<?php $b = 1;\n"
    lines = plain(code).split("\n")
    assert len(lines) == code.count("\n") + 1
    assert lines[8] == "<?php $b = 1;"


def test_code_without_tags_stays_as_it_is():
    assert plain("system('a'); // it's <<< ?\n") == "system('a'); // it's <<< ?\n"
