"""What ``bazel run`` starts is the script of the rule that its label names."""

from __future__ import annotations

from tests.gate.disk.test_whole_programs import judged
from tests.tables import for_each

SHIPS = "kubectl delete namespace prod"
RULES = (
    'sh_binary(\n    name = "setup",\n    srcs = ["setup.sh"],\n)\n'
    '# sh_binary(name = "old", srcs = ["setup.sh"])\n'
    'sh_binary(name = "fmt", srcs = ["fmt.sh"])\n'
    'sh_binary(name = "sure", srcs = ["asks.sh"], args = ["--now"])\n'
    'sh_test(name = "check", srcs = ["setup.sh"])\n'
    'py_binary(name = "tool", srcs = ["lib.py", "tool.py"], main = "tool.py")\n'
)
FILES = {
    "WORKSPACE": "",
    "BUILD": 'alias(name = "ready", actual = "//dev:setup")\n',
    "dev/BUILD.bazel": RULES,
    "dev/setup.sh": f'cd "$BUILD_WORKSPACE_DIRECTORY"\n{SHIPS}\n',
    "dev/asks.sh": f'if [ "${{1-}}" = --now ]; then {SHIPS}; fi\n',
    "dev/fmt.sh": "gofmt -l .\n",
    "dev/tool.py": f"import os\nos.system('{SHIPS}')\n",
    "dev/lib.py": "",
}


@for_each(
    ("command", "effect"),
    [
        ("bazel run //dev:setup", "junction"),
        ("bazel run dev:setup", "junction"),
        ("bazelisk run --config=ci //dev:setup", "junction"),
        ("bazel run :ready", "junction"),
        ("bazel run //dev:sure", "junction"),
        ("bazel run //dev:tool", "junction"),
        ("bazel test //dev:check", "junction"),
        ("bazel run //dev:fmt", "allow"),
        ("bazel run //dev:old", "allow"),
        ("bazel build //dev:setup", "allow"),
    ],
)
def test_a_label_names_a_script(command, effect):
    assert judged(command, FILES).effect == effect


def test_a_script_gets_the_words_behind_the_label():
    files = {**FILES, "dev/BUILD.bazel": 'sh_binary(name = "a", srcs = ["asks.sh"])\n'}
    assert judged("bazel run //dev:a", files).effect == "allow"
    assert judged("bazel run //dev:a -- --now", files).effect == "junction"


def test_an_alias_of_itself_ends():
    files = {**FILES, "BUILD": 'alias(name = "x", actual = ":x")\n'}
    assert judged("bazel run :x", files).effect == "allow"
