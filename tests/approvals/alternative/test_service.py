"""The alternative to a call: computed for this very call, safe itself, and left out where it is not known."""

import json
import re

import pytest
from tests.tables import for_each

from operators_edge.approvals.alternative import fields, service, table
from operators_edge.gate import rules as gate_rules
from operators_edge.gate.decide import assess
from operators_edge.gate.examples import PLACE, ROOT, ExampleMachine
from operators_edge.gate.rules import read_packs
from operators_edge.model import PROFILES, Call

RULES = gate_rules.load()


def verdict_on(call, rules=RULES):
    verdict = assess(call, PLACE, ExampleMachine(), rules)
    return service.filled(verdict, call, PLACE, ExampleMachine(), rules)


def instead(command, *, rules=RULES, **arguments):
    given = {"tool": "Bash", "input": {"command": command}} | arguments
    verdict = verdict_on(Call(given["tool"], given["input"], ROOT), rules)
    assert verdict.effect != "allow", command
    return verdict.findings[0].instead


def command_in(text):
    return "".join(re.findall(r"`([^`]+)`", text))


@for_each(
    ("command", "expected"),
    [
        ("rm -rf data 'my logs'", "edge trash data 'my logs'"),
        ("cd data && rm -rf old", "cd data && edge trash old"),
        ("find . -name '*.csv' -delete", "find . -name '*.csv' -print"),
        ("rsync -a --delete src/ backup/", "rsync -a --delete src/ backup/ --dry-run"),
        ("cat config/prod.env", "cut -d= -f1 config/prod.env"),
        ("grep -n KEY .env.local", "cut -d= -f1 .env.local"),
        ("printenv | sort", "env | cut -d= -f1"),
        ("declare -x", "compgen -e"),
        ("> README.md", "cp README.md README.md.bak"),
        ("git push --force origin main", "git push --force origin main --dry-run"),
        ("git push --tags", "git push --tags --dry-run"),
        ("git branch -D topic", "git branch keep-topic topic"),
        ("git -C lib reset --hard", "cd lib && git stash push -m before-reset"),
        ("git -C lib clean -fd", "git -C lib clean -fd -n"),
        (
            "psql -h db.test.local shop -c 'DELETE FROM users WHERE id < 5'",
            "psql -h db.test.local shop -c 'SELECT count(*) FROM users WHERE id < 5'",
        ),
        (
            "PGHOST=db.test.local psql -c 'DROP TABLE IF EXISTS carts'",
            "PGHOST=db.test.local psql -c 'SELECT count(*) FROM carts'",
        ),
        ("sqlite3 dev.db 'TRUNCATE carts'", "sqlite3 dev.db 'SELECT count(*) FROM carts'"),
        ("python manage.py migrate", "python manage.py migrate --plan"),
        ("python -m alembic upgrade head", "python -m alembic upgrade head --sql"),
        ("npx prisma migrate deploy", "npx prisma migrate status"),
        ("kubectl apply -f web.yaml -n prod", "kubectl diff -f web.yaml -n prod"),
        ("kubectl -n prod delete pod web", "kubectl -n prod delete pod web --dry-run=server"),
        ("kubectl -n prod rollout restart deploy/web", "kubectl rollout status -n prod deploy/web"),
        ("tofu apply -auto-approve", "tofu plan"),
        ("terraform -chdir=prod apply tf.plan", "terraform -chdir=prod show tf.plan"),
        ("terraform destroy -target=x", "terraform plan -destroy -target=x"),
        ("aws s3 rm s3://shop/old --recursive", "aws s3 rm s3://shop/old --recursive --dryrun"),
        ("aws s3 rb s3://shop --profile prod", "aws s3 ls s3://shop --profile prod"),
        ("aws --profile p rds delete-db-cluster --x", "aws sts get-caller-identity --profile p"),
        (
            "gcloud compute instances delete web --zone z --quiet",
            "gcloud compute instances describe web --zone z",
        ),
        ("docker volume rm -f pgdata", "docker volume inspect pgdata"),
        ("podman rmi shop", "podman image inspect shop"),
        ("docker compose down -v", "docker compose --dry-run down -v"),
        ("npm publish --access public", "npm publish --access public --dry-run"),
        ("twine upload dist/*", "twine check dist/*"),
        (
            "curl -u ann:hunter2 -X DELETE 'https://ann:pw@api.test.local/items/5?key=x'",
            "curl -sS https://api.test.local/items/5",
        ),
        ("gh pr merge 12 -R acme/shop", "gh pr checks 12 -R acme/shop"),
        ("sudo apt-get install -y libpq-dev", "apt-get install -y libpq-dev -s"),
        ("sudo systemctl stop nginx", "systemctl status nginx"),
        ("pkill -f node", "pgrep -fl node"),
        ("zfs destroy tank/x", "zfs destroy -nv tank/x"),
        ("istioctl install -y", "istioctl install -y --dry-run"),
        ("ansible-playbook -i prod site.yml", "ansible-playbook -i prod site.yml --check"),
    ],
)
def test_it_is_about_this_call(command, expected):
    assert command_in(instead(command)) == expected


@for_each(
    "command",
    [
        "cat config/secrets.yml",
        "pbpaste",
        "cat list.txt | xargs rm",
        'rm -r "$TARGET"',
        'kubectl delete pod "$POD"',
        "ssh web.test.local 'rm -rf /srv/cache'",
        "docker exec db psql -c 'DROP TABLE users'",
        "psql -c 'DROP ROLE ann'",
        "psql -f missing-name-$X.sql",
        "launchctl bootout system/x",
        'curl -X POST "$API/items"',
        "emacs --batch --eval '(shell-command \"x\")'",
        "rm -rf ~",
        "rm -rf ../shop",
        "kubectl argo rollouts abort web",
        "kubectl delete -- -x",
        "php artisan tinker --execute='User::truncate()'",
    ],
)
def test_what_is_not_known_is_left_out(command):
    assert command_in(instead(command)) == ""


@pytest.mark.parametrize(
    "command",
    [
        "mysql -h db.test.local -pS3cretpw shop -e 'TRUNCATE TABLE carts'",
        "psql 'postgres://ann:S3cretpw@db.test.local/shop' -c 'DROP TABLE users'",
        "PGPASSWORD=S3cretpw psql -c 'DROP TABLE users'",
        "helm upgrade web ./chart --set db.password=S3cretpw",
        "kubectl --token=S3cretpw delete pod web",
        "kubectl --token S3cretpw delete pod web",
        "curl -X POST https://hooks.slack.com/services/T000/B000/S3cretpwS3cretpwS3cretpw -d x",
    ],
)
def test_no_secret_of_the_line_is_repeated(command):
    assert "S3cretpw" not in instead(command)


def test_a_rule_that_guards_decisions_names_no_way_around_it():
    text = instead("tmux send-keys 'edge approve' Enter")
    assert text == "Tell the person what is pending: `edge status`"


def test_a_text_of_the_projects_own_rules_may_have_braces():
    verdict = verdict_on(Call("Bash", {"command": "git push"}, ROOT))
    finding = verdict.findings[0]._replace(rule="own", instead="Print it: `awk '{print}' x`")
    found = service.filled(
        verdict._replace(findings=(finding,)),
        Call("Bash", {"command": "acme delete x"}, ROOT),
        PLACE,
        ExampleMachine(),
        RULES,
    )
    assert found.findings[0].instead == "Print it: `awk '{print}' x`"


def test_one_that_the_gate_would_stop_is_left_out():
    verdict = verdict_on(Call("Bash", {"command": "git push"}, ROOT))
    finding = verdict.findings[0]._replace(rule="own", instead="Rather: `rm -rf {branch}`")
    finding = finding._replace(detail=(("command", "acme push"), ("cwd", ".")))
    call = Call("Bash", {"command": "acme push"}, ROOT)
    found = service.filled(
        verdict._replace(findings=(finding,)), call, PLACE, ExampleMachine(), RULES
    )
    assert found.findings[0].instead == ""


def examples():
    for pack in read_packs().values():
        for rule in pack.get("rule", ()):
            for example in rule["match"]:
                if example.startswith('{"tool"'):
                    call = json.loads(example)
                    yield Call(call["tool"], call.get("tool_input", {}), ROOT)
                else:
                    yield Call("Bash", {"command": example}, ROOT)


@pytest.mark.parametrize("profile", PROFILES)
def test_every_alternative_to_an_example_of_the_packs_passes_the_gate_and_is_complete(profile):
    rules = RULES.with_profile(profile)
    computed = 0
    for call in examples():
        verdict = verdict_on(call, rules)
        for text in [one.instead for one in verdict.findings[:1]]:
            assert not fields.has_fields(text), (call, text)
            for command in re.findall(r"`([^`]+)`", text):
                judged = assess(
                    Call("Bash", {"command": command}, ROOT), PLACE, ExampleMachine(), rules
                )
                assert judged.effect == "allow", (call, command)
                computed += 1
    assert computed > 200


def test_every_text_has_known_fields_and_a_key_that_can_fit():
    tables = [table.BY_PROGRAM, *table.BY_RULE.values()]
    for key, texts in ((key, texts) for each in tables for key, texts in each.items()):
        assert len(key.split()) <= table.MAX_WORDS
        for text in texts:
            assert len(re.findall("`", text)) == 2, text
            left = re.sub(
                r"\{(command|program|where|url|count|last|written|\d\+?|-[^{}\s]+|[^{}\s]+=[^{}]*)\}",
                "",
                text,
            )
            assert "{" not in left, text
    known = {rule["id"] for rule in RULES.rules}
    assert set(table.BY_RULE) <= known
