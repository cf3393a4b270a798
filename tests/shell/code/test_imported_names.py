"""Under which names a program knows modules, and what is in them."""

from __future__ import annotations

from tests.tables import for_each

from operators_edge.shell.code.imported_names import imported_names
from operators_edge.shell.code.languages import NODE, PERL, PYTHON, RUBY

CASES = [
    (PYTHON, "import os as o, sys", {"o": "os"}),
    (PYTHON, "import sys, urllib.request as u", {"u": "urllib.request"}),
    (PYTHON, "from a import b, c as d", {"b": "a.b", "d": "a.c"}),
    (PYTHON, "from os import system, remove as rm", {"system": "os.system", "rm": "os.remove"}),
    (NODE, "const cp = require('child_process')", {}),
    (NODE, "import cp from 'node:child_process'", {"cp": "child_process"}),
    (NODE, "import * as files from 'fs-extra'", {"files": "fse"}),
    (NODE, "const run = child_process.exec;", {"run": "child_process.exec"}),
    (NODE, "const {exec: run} = child_process", {"run": "child_process.exec"}),
    (NODE, "import {rm as erase} from 'fs/promises'", {"erase": "fs.promises.rm"}),
    (RUBY, "F = FileUtils", {"F": "FileUtils"}),
    (RUBY, "F = FileUtils::Verbose", {"F": "FileUtils"}),
    (RUBY, "F = FileUtils::DryRun", {"F": "FileUtils.DryRun"}),
    (PERL, "import os as o", {}),
]


@for_each(("language", "code", "names"), CASES)
def test_a_name_stands_for_the_module_that_it_was_given_to(language, code, names):
    assert imported_names(code, language) == names
