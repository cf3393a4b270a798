"""What goes to a registry of this machine is not published, unless some setting leads it elsewhere."""

from __future__ import annotations

from tests.gate.example_project import HOME, PLACE, ROOT, RULES, Machine
from tests.tables import for_each

from operators_edge.gate.decide import assess
from operators_edge.model import Call

HERE = "npm publish --registry http://localhost:4873"
PUBLIC = "https://registry.npmjs.org/"


def effect(command, files):
    call = Call("Bash", {"command": command}, ROOT)
    return assess(call, PLACE, Machine(files=files), RULES).effect


@for_each(
    ("command", "files", "expected"),
    [
        (HERE, {}, "allow"),
        (HERE, {f"{ROOT}/package.json": '{"name": "@a/b", "version": "1.0.0"}'}, "allow"),
        (HERE, {f"{ROOT}/package.json": '{"publishConfig": {"access": "public"}}'}, "allow"),
        (HERE, {f"{ROOT}/.npmrc": "registry=https://registry.npmjs.org/\nfund=false\n"}, "allow"),
        (HERE, {f"{ROOT}/.npmrc": "@a:registry=http://127.0.0.1:4873/\n"}, "allow"),
        (f"cd lib && {HERE}", {f"{ROOT}/lib/package.json": "{}"}, "allow"),
        (
            HERE,
            {f"{ROOT}/package.json": f'{{"publishConfig": {{"registry": "{PUBLIC}"}}}}'},
            "junction",
        ),
        (
            HERE,
            {f"{ROOT}/package.json": f'{{"publishConfig": {{"@a:registry": "{PUBLIC}"}}}}'},
            "junction",
        ),
        (HERE, {f"{ROOT}/.npmrc": f"@a:registry={PUBLIC}\n"}, "junction"),
        (HERE, {f"{HOME}/.npmrc": f"fund=false\n @a:registry = {PUBLIC}\n"}, "junction"),
        (HERE, {f"{ROOT}/package.json": " " * 70_000}, "junction"),
        (f"{HERE} ./lib", {f"{ROOT}/lib/.npmrc": f"@a:registry={PUBLIC}\n"}, "junction"),
        (f"{HERE} shop-1.0.0.tgz", {}, "junction"),  # what is in it may name another one
        (f"{HERE} --workspaces", {}, "junction"),
        (f"echo '@a:registry={PUBLIC}' > .npmrc; {HERE}", {}, "junction"),
        (f"cp other .npmrc && {HERE}", {}, "junction"),
        (f"npm config set @a:registry {PUBLIC} && {HERE}", {}, "junction"),
        (f"npm_config_userconfig=./rc {HERE}", {}, "junction"),
        (f"npm pkg set publishConfig.registry={PUBLIC} && {HERE}", {}, "junction"),
        (f"{HERE} --registry {PUBLIC}", {}, "junction"),
        ("docker push localhost:5000/shop", {}, "allow"),
        ("docker context use b && docker push localhost:5000/shop", {}, "junction"),
        ("export DOCKER_CONTEXT=b; docker push localhost:5000/shop", {}, "junction"),
        ("docker buildx build --push -t localhost:5000/shop -o type=registry .", {}, "junction"),
        ("ssh b docker push localhost:5000/shop", {}, "junction"),
        ("echo x/y | xargs docker push localhost:5000/shop", {}, "junction"),
    ],
)
def test_a_registry_of_this_machine_is_no_publication(command, files, expected):
    assert effect(command, files) == expected


# end of module
