"""Infrastructure in an emulator of a cloud on this machine needs nobody."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

PROVIDER = (
    'provider "aws" {\n  region     = "us-east-1"\n  access_key = "test" # of no cloud\n'
    '  secret_key = "test"\n{more}\n  endpoints {\n    s3  = "http://localhost:4566"\n'
    '    iam = "http://localstack:4566"\n  }\n}\n'
)
BUCKET = 'resource "aws_s3_bucket" "a" {\n  bucket = "a"\n}\n'
KEY = '  access_key = "test"'


def infra(old="", new="", more="", **others):
    text = PROVIDER.replace(old, new) if old else PROVIDER
    files = {"infra/main.tf": text.replace("{more}", "") + BUCKET + more}
    return files | {f"infra/{name}": one for name, one in others.items()}


def with_file(name, text, **more):
    return infra(**more) | {name: text}


APPLY = "terraform -chdir=infra apply -auto-approve"
MODULE = 'module "a" {\n  source = "../modules/a"\n  name   = "${var.b}-c"\n}\n'
CALM = {
    "an emulator": (APPLY, infra()),
    "in its folder": ("cd infra && tofu destroy -auto-approve -input=false -var a=b", infra()),
    "with an alias, too": (
        APPLY,
        with_file("infra/b.tf", PROVIDER.replace("{more}", 'alias = "b"')),
    ),
    "a state beside it": (
        APPLY,
        infra(more='terraform {\n  backend "local" {\n    path = "dev.tfstate"\n  }\n}\n'),
    ),
    "a module of the project": (APPLY, with_file("modules/a/main.tf", BUCKET, more=MODULE)),
    "a variable": (f"TF_VAR_name=a {APPLY}", infra(more='variable "name" {}\n')),
}
ASKED = {
    "keys of a person": (APPLY, infra(KEY, '  access_key = "AKIAIOSFODNN7EXAMPL"')),
    "keys of a variable": (APPLY, infra(KEY, "  access_key = var.key")),
    "keys of the environment": (APPLY, infra(KEY, "")),
    "keys in a map": (APPLY, infra(KEY, f"  default_tags {{\n{KEY}\n  }}")),
    "a brace in a text": (APPLY, infra("{more}", '  custom = "}"')),
    "a role": (APPLY, infra("{more}", "  assume_role {\n  }")),
    "an endpoint elsewhere": (APPLY, infra("http://localhost:4566", "https://minio.example.com")),
    "an endpoint of a variable": (APPLY, infra('"http://localhost:4566"', "var.endpoint")),
    "no endpoints": (APPLY, infra("endpoints", "ignore_tags")),
    "another provider": (APPLY, infra(more='provider "google" {\n}\n')),
    "a resource of another one": (APPLY, infra(more='resource "google_x" "y" {\n}\n')),
    "labels without quotes": (APPLY, infra(more="provider google {\n}\n")),
    "only one with an alias": (APPLY, infra("{more}", '  alias = "b"')),
    "only one in a text": (
        APPLY,
        infra("{more}", '  alias = "b"', more=f"locals {{\n  a = <<EOT\n{PROVIDER}\nEOT\n}}\n"),
    ),
    "an override": (
        APPLY,
        with_file("infra/z_override.tf", 'provider "aws" {\n  access_key = "AKIAX"\n}\n'),
    ),
    "a state elsewhere": (APPLY, infra(more='terraform {\n  backend "s3" {\n  }\n}\n')),
    "a state of another folder": (
        APPLY,
        infra(more='terraform {\n  backend "local" {\n    path = "../live/a.tfstate"\n  }\n}\n'),
    ),
    "a service for states": (APPLY, infra(more="terraform {\n  cloud {\n  }\n}\n")),
    "a program": (
        APPLY,
        infra(more='resource "null_resource" "a" {\n  provisioner "local-exec" {\n  }\n}\n'),
    ),
    "a module from elsewhere": (
        APPLY,
        infra(more='module "a" {\n  source = "app.example.com/a/b/c"\n}\n'),
    ),
    "a module with its own provider": (
        APPLY,
        with_file("modules/a/main.tf", 'provider "aws" {\n}\n' + BUCKET, more=MODULE),
    ),
    "a file in another format": (APPLY, with_file("infra/a.tf.json", "{}")),
    "a plan of something else": (f"{APPLY} live.plan", infra()),
    "a state that is named": (f"{APPLY} -state=../live.tfstate", infra()),
    "options of the environment": (f"TF_CLI_ARGS=-state=../live.tfstate {APPLY}", infra()),
    "exported ones": (f"export TF_CLI_ARGS_apply=-state=a; {APPLY}", infra()),
    "a wrapper that adds to it": ("cd infra && terragrunt apply", infra()),
    "another folder": ("terraform -chdir=live apply", infra()),
    "code that the line changes": (f"sed -i s/test/$KEY/ infra/main.tf; {APPLY}", infra()),
    "code that the line copies": (f"cp live.tf infra/z_override.tf; {APPLY}", infra()),
}


@for_each(("command", "files"), CALM.values(), CALM)
def test_what_is_all_in_an_emulator_needs_nobody(command, files):
    assert judged(command, files, committed=tuple(files)).effect == "allow"


@for_each(("command", "files"), ASKED.values(), ASKED)
def test_what_may_be_in_a_cloud_needs_a_person(command, files):
    assert judged(command, files, committed=tuple(files)).effect == "junction"


# end of module
