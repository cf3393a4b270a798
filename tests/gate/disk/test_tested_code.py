"""Tests of a compiled program count for what they call, and a vendor's client for what it reaches."""

# ruff: noqa: E501 - texts of files
from __future__ import annotations

from tests.gate.disk.test_whole_programs import judged
from tests.tables import for_each

from operators_edge.gate.disk.tested_code import is_called

SMS = """package care
import com.twilio.rest.api.v2010.account.Message
class Sms(key: String) : Gate {
  override fun send(to: String) =
    Message.creator(to, "x").create()
}
"""


def kotlin(test):
    return {
        "build.gradle.kts": "tasks.test { useJUnitPlatform() }\n",
        "src/main/kotlin/care/Sms.kt": SMS,
        "src/main/kotlin/care/Reminder.kt": "class Reminder(val gate: Gate) { fun go() = gate.send(name) }\n",
        "src/test/kotlin/care/ReminderTest.kt": f"class ReminderTest {{\n{test}\n}}\n",
    }


def go(test, more=""):
    return {
        "go.mod": "module x.io/shop\n",
        "client.go": 'package shop\nconst baseURL = "https://api.example.com"\nfunc Sum(a int) int { return a }\n'
        'func (c *Client) Order() { http.Post(c.base+"/orders", "", nil) }\n'
        "func All(c *Client) { c.Order() }\n",
        "client_test.go": f"package shop\n{more}func TestX(t *testing.T) {{ {test} }}\n",
    }


def java(text):
    return {"pom.xml": "<project/>\n", "src/test/java/x/PayTest.java": text}


PAY = "import com.stripe.model.Refund;\nclass PayTest { void a() { %s Refund.create(p); } }\n"
PAIRS = {
    "a client of the test's own": (
        "gradle test",
        kotlin('@Test fun a() { Reminder(Sms(System.getenv("KEY"))).go() }'),
        kotlin("@Test fun a() { Reminder(object : Gate { override fun send(to: String) = 1 }).go() }"),
    ),
    "a class that is mocked": (
        "./gradlew check",
        kotlin("val clock = mockk<Clock>()\n@Test fun a() { Reminder(Sms(key)).go() }"),
        kotlin("val sms = mockk<Sms>()\n@Test fun a() { Reminder(sms).go() }"),
    ),
    "a vendor that another server stands for": (
        "mvn test",
        java(PAY % 'Stripe.overrideApiBase("https://api.eu.example.com");'),
        java(PAY % 'Stripe.overrideApiBase("http://localhost:12111");'),
    ),
    "a function that tests call": (
        "go test ./...",
        go("All(New())"),
        go("Sum(1)"),
    ),
    "a server of the test": (
        "go test ./...",
        go("(&Client{base: baseURL}).Order()"),
        go("s := httptest.NewServer(h); (&Client{base: s.URL}).Order()"),
    ),
}  # fmt: skip


@for_each(("command", "dangerous", "harmless"), PAIRS.values(), ids=list(PAIRS))
def test_what_tests_send_to_others_needs_a_person(command, dangerous, harmless):
    assert judged(command, dangerous).effect == "junction"
    assert judged(command, harmless).effect == "allow"


def test_names_of_tests_that_git_does_not_hold_are_not_believed():
    assert judged("go test ./...", go("Sum(1)"), held=False).effect == "junction"


def test_a_package_at_the_top_of_a_module_is_a_part_of_a_program():
    files = {
        **go("Sum(1)"),
        "cmd/x/main.go": 'package main\nimport (\n\t"x.io/shop"\n)\nfunc main() { shop.All(c) }\n',
    }
    assert judged("go run ./cmd/x", files).effect == "junction"


CODE = "class A {\n  val b = later()\n}\nfun later() {\n  send()\n}\nfun other() {\n  send()\n}\n@Hook\nfun hook() {\n  send()\n}\n"


def test_a_function_that_a_library_calls_needs_no_name():
    code = "fun String() {\n  send()\n}\n"
    assert is_called({"a.kt": code, "t.kt": "A()"}, {"t.kt": "A()"}, "a.kt", 20)


@for_each(("line", "called"), [(2, True), (5, True), (8, False), (12, True)])
def test_a_function_is_called_if_something_names_it(line, called):
    at = len("\n".join(CODE.split("\n")[: line - 1])) + 3
    assert is_called({"a.kt": CODE, "t.kt": "A()"}, {"t.kt": "A()"}, "a.kt", at) is called
