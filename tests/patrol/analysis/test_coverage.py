"""Coverage reports as tools write them."""

import os

import pytest
from tests.hosting import write

from operators_edge.git.commands import Budget
from operators_edge.patrol.analysis import coverage

XML = """<?xml version="1.0" ?>
<!DOCTYPE coverage SYSTEM 'http://cobertura.sourceforge.net/xml/coverage-04.dtd'>
<coverage version="7" line-rate="0.5"><sources><source>{source}</source></sources>
<packages><package name="p"><classes>
<class name="a.py" filename="{name}" line-rate="0.5"><methods/><lines>
<line number="1" hits="1"/><line number="2" hits="0"/><line number="3" hits="0"/><line number="4" hits="7"/>
</lines></class>
</classes></package></packages></coverage>
"""
LCOV = "TN:\nSF:{name}\nFN:1,f\nDA:1,1\nDA:2,0\nDA:3,0,abc\nLF:3\nLH:1\nend_of_record\n"


@pytest.fixture
def root(tmp_path):
    write(str(tmp_path), "src/a.py", "x = 1\n")
    os.utime(tmp_path / "src" / "a.py", (1, 1))
    return str(tmp_path)


def coverage_of(root, *paths, seconds=20.0):
    return coverage.coverage(root, paths or ("src/a.py",), Budget(seconds))


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("", "src/a.py"),
        ("{root}", "src/a.py"),
        ("{root}/src", "a.py"),
        ("src", "a.py"),
        ("", "{root}/src/a.py"),
        ("/app", "src/a.py"),
        ("C:\\work\\src", "a.py"),
    ],
)
def test_a_file_is_known_however_the_report_names_it(root, source, name):
    text = XML.format(source=source.format(root=root), name=name.format(root=root))
    write(root, "coverage.xml", text)
    assert coverage_of(root) == ({"src/a.py": (2, 4, "coverage.xml", False)}, ())


@pytest.mark.parametrize("place", ["lcov.info", "coverage/lcov.info"])
@pytest.mark.parametrize("name", ["src/a.py", "{root}/src/a.py", "./src/a.py", "/ci/src/a.py"])
def test_lcov_is_read_too(root, place, name):
    write(root, place, LCOV.format(name=name.format(root=root)))
    assert coverage_of(root) == ({"src/a.py": (1, 3, place, False)}, ())


JACOCO = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd">
<report name="shop"><sessioninfo id="h" start="1" dump="2"/><package name="org/shop">
<class name="org/shop/Cart" sourcefilename="Cart.java"><method name="a" desc="()V" line="3"/></class>
<sourcefile name="Cart.java"><line nr="3" mi="0" ci="4" mb="0" cb="0"/>
<line nr="4" mi="2" ci="0" mb="0" cb="0"/><counter type="LINE" missed="1" covered="1"/></sourcefile>
</package></report>
"""


def test_jacocos_own_form_is_read_where_its_tools_put_it(root):
    write(root, "target/site/jacoco/jacoco.xml", JACOCO)
    path = "src/main/java/org/shop/Cart.java"
    assert coverage_of(root, path, "Cart.java").files[path][:2] == (1, 2)


def test_paths_outside_of_the_project_are_ignored(root):
    for name in ("../src/a.py", "/etc/passwd", "src/../../a.py"):
        write(root, "lcov.info", LCOV.format(name=name))
        assert coverage_of(root, "a.txt") == ({}, ())


def test_a_long_report_is_given_up_when_the_time_is(root):
    write(
        root,
        "coverage.xml",
        XML.format(source="", name="src/a.py").replace("</lines>", "<line/>" * 2000 + "</lines>"),
    )
    write(root, "lcov.info", LCOV.format(name="src/a.py"))
    found = coverage_of(root, seconds=0)
    assert found.files == {}
    assert [each.partition(" could not be read: ")[2] for each in found.problems] == [
        "the time limit was reached"
    ] * 2


def test_a_line_that_one_of_two_records_saw_run_did_run(root):
    second = "SF:src/a.py\nDA:2,5\nend_of_record\n"
    write(root, "lcov.info", LCOV.format(name="src/a.py") + second)
    assert coverage_of(root).files["src/a.py"][:2] == (2, 3)


def test_a_name_that_could_be_two_files_is_none_of_them(root):
    write(root, "lcov.info", LCOV.format(name="a.py"))
    assert coverage_of(root, "src/a.py", "lib/a.py").files == {}


def test_a_report_from_before_the_files_last_change_is_old(root):
    write(root, "lcov.info", LCOV.format(name="src/a.py"))
    os.utime(os.path.join(root, "lcov.info"), (500, 500))
    assert not coverage_of(root).files["src/a.py"].is_old
    os.utime(os.path.join(root, "src/a.py"), (900, 900))
    assert coverage_of(root).files["src/a.py"].is_old


def test_of_two_reports_the_newer_one_counts(root):
    write(root, "coverage.xml", XML.format(source="", name="src/a.py"))
    os.utime(os.path.join(root, "coverage.xml"), (500, 500))
    write(root, "lcov.info", LCOV.format(name="src/a.py"))
    assert coverage_of(root).files["src/a.py"].report == "lcov.info"


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("coverage.xml", "<coverage><broken", "it is not XML"),
        ("coverage.xml", "<html/>", "it is not a coverage report"),
        ("coverage.xml", "", "it is not XML"),
        ("coverage.xml", '<?xml version="1.0" encoding="klingon"?><coverage/>', "it is not XML"),
        ("coverage.xml", '<?xml version="1.0" encoding="euc-jp"?><coverage/>', "it is not XML"),
        (
            "coverage.xml",
            '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><coverage>&a;</coverage>',
            "it declares entities",
        ),
        ("lcov.info", "", "it has no complete record"),
        ("lcov.info", "SF:a\nDA:x,y\n", "a line is not valid"),
        (
            "coverage.xml",
            '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><coverage>&b;</coverage>',
            "it declares entities",
        ),
    ],
)
def test_an_unreadable_report_is_reported(root, name, text, why):
    write(root, name, text)
    found = coverage_of(root)
    assert found.files == {}
    (problem,) = found.problems
    assert why in problem
    assert problem.startswith(f"{name} could not be read")


def test_without_a_report_nothing_is_known_and_nothing_is_wrong(root):
    assert coverage_of(root) == ({}, ())
