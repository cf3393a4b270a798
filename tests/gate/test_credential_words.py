"""Which words of a command ask a program for a credential."""

from __future__ import annotations

from tests.gate.example_project import RULES
from tests.tables import for_each

from operators_edge.gate.credential_words import asked_for
from operators_edge.gate.invocation import invocation_of
from operators_edge.gate.prefilter import is_suspicious
from operators_edge.shell.evaluate import parse

ASKS = [
    "acme token print",
    "acme auth print-access-token",
    "acme get-password ann",
    "acme secrets get stripe",
    "acme secrets versions access latest",
    "acme get stripe_key",
    "acme get config/db/password",
    "acme get dbPassword",
    "acme hget user:1 api_key",
    "acme config:get DATABASE_URL",
    "acme token create ci",
    "acme generate api-key",
    "acme generate-signing-key",
    "acme generate-signing-key /dev/stdout",
    "acme generate-signing-key a.pem b",
    "acme generate-token a.key",
    "acme get-signing-key a.pem",
    "acme GetSecretValue",
    "acme show --show-secrets",
    "acme item get x --reveal",
    "acme x --showsecret",
]
ASKS_NOT = [
    "acme token list",
    "acme generate-signing-key build/a.pem",
    "acme.py generate_flash_encryption_key k.bin",
    "acme list-secrets",
    "acme secrets set stripe",
    "acme secret create stripe",
    "acme delete token",
    "acme ttl session:token",
    "acme get page",
    "acme get public-key",
    "acme get-key-policy",
    "acme get csrf_token",
    "acme get tokenizer",
    "acme get token_count",
    "acme describe secret",
    "acme create user --password-stdin",
    "acme connect --with-password",
    "acme get 'the token of ann'",
    "acme oauth-tokens",
    "acme show a b c d e password",
]
OF_A_SERVICE = ["acme iam oauth-tokens", "acme connection-string main"]


def wants(text: str, *, of_service: bool = False) -> bool:
    (command,) = parse(text).commands
    return bool(asked_for(invocation_of(command, RULES), of_service=of_service))


@for_each("text", ASKS)
def test_a_word_that_reads_or_makes_and_a_name_of_a_credential_ask_for_it(text):
    assert wants(text)


@for_each("text", ASKS_NOT)
def test_what_lists_stores_or_names_something_else_asks_for_none(text):
    assert not wants(text)


@for_each("text", OF_A_SERVICE)
def test_a_service_needs_no_verb(text):
    assert wants(text, of_service=True)
    assert not wants(text)


@for_each("text", [one for one in ASKS if "dbPassword" not in one and "GetSecret" not in one])
def test_the_prefilter_lets_each_through_to_the_rules(text):
    assert is_suspicious(text, RULES.words)


# end of module
