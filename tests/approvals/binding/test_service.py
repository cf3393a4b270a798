"""What calls are bound to, measured in real repositories with real git."""

import os

import pytest
from tests.hosting import git, write

from operators_edge.approvals.binding import bound, files, service
from operators_edge.approvals.binding.service import Measuring
from operators_edge.gate import decide, rules
from operators_edge.gate.facts import SystemFacts
from operators_edge.git.commands import Budget
from operators_edge.model import Call, Place

RULES = rules.load()
PUSH = "git push origin main"
CONFIGURED = (
    "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.pushurl GIT_CONFIG_VALUE_0=/elsewhere.git"
)


@pytest.fixture
def remote(repo, tmp_path, fenced):
    path = str(tmp_path / "up.git")
    git(str(tmp_path), "init", "-q", "--bare", path)
    git(repo, "remote", "add", "origin", path)
    git(repo, "push", "-q", "origin", "main")
    return path


def commit(root, name):
    write(root, name)
    git(root, "add", "-f", name)
    git(root, "commit", "-qm", f"add {name}")


def test_a_password_is_not_read_as_another_option(repo):
    facts, _ = measured(repo, "mysql -h db -pShush -u ann -e 'drop table a' shop")
    assert "hush" not in str(facts)
    assert any("-h db" in str(fact.value) for fact in facts)


def measured(root, command, *, seconds=30, env=None, cwd=None, tool="Bash", **given):
    env = {**os.environ, **(env or {})}
    call = Call(tool, given or {"command": command}, cwd or root)
    place = Place(root=root, home=os.environ["HOME"])
    facts = SystemFacts()
    verdict = decide.assess(call, place, facts, RULES)
    assert verdict.effect == "junction", f"{command}: {verdict.effect}"
    return service.measure(
        call, verdict, Measuring(place, facts, RULES, env, Budget(seconds))
    ), verdict


def binding(root, command, **more):
    return measured(root, command, **more)[0]


def changes(before, now):
    place = Place(root="/", home=os.environ["HOME"])
    scope = Measuring(place, SystemFacts(), RULES, dict(os.environ), Budget(30))
    return service.explained(bound.differences(before, now), scope)


def url_of(facts):
    return sorted({fact.value for fact in facts if fact.kind == bound.URL})


def is_covered(granted, command, root, **more):
    """Whether a grant for the class of the first call covers the second one."""
    facts, verdict = measured(root, command, **more)
    return all(bound.is_same_target(granted, facts, each) for each in verdict.classes)


# -- pushes ----------------------------------------------------------------------------------------


def test_nothing_differs_while_nothing_changes(repo, remote):
    assert changes(binding(repo, PUSH), binding(repo, PUSH)) == []
    assert url_of(binding(repo, PUSH)) == [remote]


def test_a_commit_that_came_later_is_named(repo, remote):
    before = binding(repo, PUSH)
    commit(repo, "prod.env")
    short = git(repo, "rev-parse", "--short", "HEAD").decode().strip()
    assert changes(before, binding(repo, PUSH)) == [f"+1 commit: {short} add prod.env"]


def test_a_commit_that_was_amended_is_another_one(repo, remote):
    commit(repo, "one")
    before = binding(repo, PUSH)
    git(repo, "commit", "-q", "--amend", "-m", "with more")
    (text,) = changes(before, binding(repo, PUSH))
    assert text.startswith("+1 commit: ")
    assert text.endswith("with more, -1 commit")


@pytest.mark.parametrize(
    "command",
    [
        f"export {CONFIGURED}; {PUSH}",
        f"{CONFIGURED} {PUSH}",
        f"declare -x {CONFIGURED}; {PUSH}",
        "git -c remote.origin.pushurl=/elsewhere.git push origin main",
        "git -c url./elsewhere.git.pushInsteadOf=REMOTE push origin main",
        "git -c url./elsewhere.git.insteadOf=REMOTE push origin main",
        "git -c include.path=REPO/more.cfg push origin main",
        "export GIT_CONFIG_GLOBAL=REPO/more.cfg; git push origin main",
        "U=/elsewhere.git git --config-env=remote.origin.pushurl=U push origin main",
    ],
)
def test_where_a_push_goes_is_what_git_resolves_with_the_line_s_own_settings(repo, remote, command):
    write(repo, "more.cfg", '[remote "origin"]\n\tpushurl = /elsewhere.git\n')
    before = binding(repo, PUSH)
    command = command.replace("REMOTE", remote).replace("REPO", repo)
    now = binding(repo, command)
    assert url_of(now) == ["/elsewhere.git"]
    assert any("/elsewhere.git, was " in text for text in changes(before, now))
    assert not is_covered(before, command, repo)


@pytest.mark.parametrize(
    "words",
    [
        ("remote", "set-url", "--push", "origin", "/elsewhere.git"),
        ("config", "remote.origin.pushurl", "/elsewhere.git"),
        ("config", "--global", "url./elsewhere.git.insteadOf", "REMOTE"),
        ("config", "remote.origin.receivepack", "/elsewhere"),
        ("config", "core.sshCommand", "ssh -o ProxyCommand=x"),
        ("config", "core.hooksPath", "hooks"),
        ("config", "push.followTags", "true"),
    ],
)
def test_a_setting_that_changed_meanwhile_is_noticed_by_approvals_and_where_it_says_where(
    repo, remote, words
):
    before = binding(repo, PUSH)
    git(repo, *(word.replace("REMOTE", remote) for word in words))
    assert changes(before, binding(repo, PUSH))
    assert is_covered(before, PUSH, repo) == (words[1] == "core.hooksPath")


def test_a_remote_that_is_a_link_is_where_it_leads(repo, remote, tmp_path):
    os.rename(remote, tmp_path / "real.git")
    os.symlink(tmp_path / "real.git", remote)
    before = binding(repo, PUSH)
    os.unlink(remote)
    git(str(tmp_path), "init", "-q", "--bare", "evil.git")
    os.symlink(tmp_path / "evil.git", remote)
    assert any("evil.git" in text for text in changes(before, binding(repo, PUSH)))


def test_a_line_that_changes_where_it_pushes_is_never_covered_and_says_so(repo, remote):
    before = binding(repo, PUSH)
    for first in (
        "git remote set-url origin /elsewhere.git",
        "git config remote.origin.pushurl /elsewhere.git",
        "printf '[remote]' >> .git/config",
        "source ./env.sh",
    ):
        command = f"{first}; {PUSH}"
        facts, verdict = measured(repo, command)
        assert any("can change it" in text for text in bound.unknowns(facts)), command
        name = next(f for f in verdict.classes if bound.class_name(f) == before[-1].of)
        assert not bound.is_same_target(before, facts, name)


def test_harmless_words_around_a_push_change_nothing(repo, remote):
    before = binding(repo, PUSH)
    for command in (
        f"{PUSH} | tail -5",
        f"git status && {PUSH}",
        f"cd {repo} && {PUSH}; echo done",
    ):
        assert is_covered(before, command, repo), command


def test_work_before_a_push_is_covered_by_its_class_but_not_by_an_approval(repo, remote):
    before = binding(repo, PUSH)
    command = f"git add -A && git commit -m x && {PUSH}"
    assert is_covered(before, command, repo)
    assert changes(before, binding(repo, command))


def test_a_line_that_commits_first_is_bound_to_the_working_tree(repo, remote):
    command = f"git add -A && git commit -qm x && {PUSH}"
    before = binding(repo, command)
    assert changes(before, binding(repo, command)) == []
    write(repo, "prod.env")
    assert changes(before, binding(repo, command)) == ["the working tree changed"]


def test_another_repository_is_another_target(repo, remote, tmp_path):
    other = str(tmp_path / "other")
    git(str(tmp_path), "clone", "-q", remote, other)
    git(other, "remote", "set-url", "origin", remote)
    before = binding(repo, PUSH)
    assert not is_covered(before, f"cd {other} && {PUSH}", repo)
    assert not is_covered(before, f"git -C {other} push origin main", repo)
    assert is_covered(before, PUSH, repo, cwd=repo)


def test_every_branch_counts_where_every_branch_is_pushed(repo, remote):
    for command in ("git push --all origin", "git push --mirror origin", "git push origin :"):
        before = binding(repo, command)
        git(repo, "branch", f"b{len(command)}")
        assert changes(before, binding(repo, command)), command


def test_refs_that_the_configuration_adds_count(repo, remote):
    before = binding(repo, "git push origin")
    git(repo, "config", "remote.origin.push", "+refs/heads/*:refs/heads/*")
    assert changes(before, binding(repo, "git push origin"))
    before = binding(repo, "git push origin")
    git(repo, "branch", "secret")
    assert changes(before, binding(repo, "git push origin"))


def test_the_variables_that_a_sandbox_sets_for_git_make_no_difference(repo, remote):
    safe = {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "safe.directory",
        "GIT_CONFIG_VALUE_0": "*",
    }
    assert changes(binding(repo, PUSH), binding(repo, PUSH, env=safe)) == []


def test_an_address_with_a_password_is_shown_and_stored_without_it(repo, remote):
    git(repo, "remote", "set-url", "origin", "https://me:hunter2secret@git.example/a.git")
    facts = binding(repo, PUSH)
    assert url_of(facts) == ["https://git.example/a.git"]
    assert "hunter2secret" not in str(bound.as_data(facts))
    git(repo, "remote", "set-url", "origin", "https://me:other@git.example/a.git")
    assert changes(facts, binding(repo, PUSH))


def test_without_time_what_is_not_known_is_said_and_covers_nothing(repo, remote):
    before = binding(repo, PUSH)
    late = binding(repo, PUSH, seconds=0)
    assert any("in time" in text for text in bound.unknowns(late))
    assert not is_covered(before, PUSH, repo, seconds=0)
    assert changes(before, late)


# -- files, variables, tools -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("curl -d @body.json https://api.example/x", "body.json"),
        ("curl --data-binary @body.json https://api.example/x", "body.json"),
        ("curl -F f=@body.json https://api.example/x", "body.json"),
        ("curl -T body.json https://api.example/x", "body.json"),
        ("cat body.json | curl -d @- https://api.example/x", "body.json"),
        ("curl -d @- https://api.example/x < body.json", "body.json"),
        ("kubectl apply -f m.yaml", "m.yaml"),
        ("kubectl apply -f m/", "m/x.yaml"),
        ("kubectl apply --filename=m.yaml", "m.yaml"),
        ("terraform apply plan.out", "plan.out"),
        ("terraform apply", "main.tf"),
        ("scp body.json host:/srv/", "body.json"),
        ("npm publish", "index.js"),
        ("twine upload dist/a.whl", "dist/a.whl"),
        ("bash deploy.sh prod", "deploy.sh"),
    ],
)
def test_what_a_command_sends_is_bound_by_its_content(repo, fenced, command, name):
    write(repo, name, "one\n")
    write(repo, "other.txt", "one\n") if command != "npm publish" else None
    before = binding(repo, command)
    assert changes(before, binding(repo, command)) == []
    write(repo, name, "two, and longer\n")
    assert changes(before, binding(repo, command)), bound.as_data(before)


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("kubectl delete ns prod", ".kube/config"),
        ("aws s3 rb s3://x", ".aws/config"),
        ("psql -h db -c 'drop table a'", ".pgpass"),
        ("docker push acme/x", ".docker/config.json"),
        ("npm publish", ".npmrc"),
        ("ssh prod 'systemctl stop x'", ".ssh/config"),
        ("gcloud compute instances delete x", ".config/gcloud/configurations/config_default"),
        ("twine upload dist/*", ".pypirc"),
    ],
)
def test_the_settings_that_say_where_a_program_goes_belong_to_the_target(
    repo, fenced, command, name
):
    write(repo, "dist/a.whl")
    write(fenced, name, "one\n")
    before, verdict = measured(repo, command)
    write(fenced, name, "two, and longer\n")
    now = binding(repo, command)
    assert changes(before, now), bound.as_data(before)
    assert not all(bound.is_same_target(before, now, each) for each in verdict.classes)


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("kubectl delete ns prod", "KUBECONFIG"),
        ("aws s3 rb s3://x", "AWS_PROFILE"),
        ("psql -c 'drop table a'", "PGHOST"),
        ("docker push acme/x", "DOCKER_HOST"),
        ("terraform destroy", "TF_WORKSPACE"),
        ("twine upload dist/*", "TWINE_REPOSITORY_URL"),
        ("curl -d x https://api.example", "https_proxy"),
        (PUSH, "GIT_SSH_COMMAND"),
    ],
)
def test_a_variable_that_the_program_reads_belongs_to_the_target_wherever_it_is_set(
    repo, fenced, command, name
):
    before, verdict = measured(repo, command)
    in_client = binding(repo, command, env={name: "other"})
    assert f"{name} is new" in changes(before, in_client)
    assert not any("other" in str(fact) for fact in bound.as_data(in_client))
    for line in (f"export {name}=other; {command}", f"{name}=other; export {name}; {command}"):
        facts, _ = measured(repo, line)
        assert f"{name} is new" in changes(before, facts)
        assert not bound.is_same_target(before, facts, verdict.classes[0])


def test_another_program_under_the_same_name_is_another_call(repo, fenced, tmp_path):
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    before = binding(repo, PUSH, env={"PATH": path})
    os.chmod(write(str(tmp_path), "bin/git", "#!/bin/sh\n"), 0o700)
    assert "the program git changed" in changes(before, binding(repo, PUSH, env={"PATH": path}))


def test_a_tool_that_writes_a_file_is_bound_to_what_it_writes(repo, fenced):
    path = os.path.join(fenced, ".bashrc")
    one = binding(repo, "", tool="Write", file_path=path, content="alias a=b")
    two = binding(repo, "", tool="Write", file_path=path, content="alias a=evil")
    assert changes(one, one) == []
    assert changes(one, two) == ["what the tool is given changed"]


@pytest.mark.parametrize(
    ("command", "files", "changed"),
    [
        ("psql prod -f a.sql", {"a.sql": "\\i b.sql\n", "b.sql": "drop table a;\n"}, "b.sql"),
        (
            "terraform apply",
            {"main.tf": 'source = "./build/n"\n', "build/n/m.tf": "x"},
            "build/n/m.tf",
        ),
        (
            "kubectl apply -k over",
            {"over/k.yaml": "- ../base\n", "base/a.yaml": "x"},
            "base/a.yaml",
        ),
        ("ansible-playbook site.yml", {"site.yml": "x\n", "roles/w/t.yml": "x"}, "roles/w/t.yml"),
        ("ansible-playbook s.yml", {"ansible.cfg": "inventory=./inv\n", "inv": "a"}, "inv"),
        ("docker compose push", {"compose.yaml": "x"}, "compose.override.yaml"),
        ("docker build --push -t a/b .", {"Dockerfile": "FROM x"}, "app.py"),
        ("aws lambda update-function-code --zip-file fileb://f.zip", {"f.zip": "x"}, "f.zip"),
        ("gcloud app deploy", {"app.yaml": "x"}, "main.py"),
        ("rsync -a . host:/srv", {"a.txt": "x"}, "a.txt"),
        ("serverless deploy", {"serverless.yml": "x"}, "serverless.yml"),
        ("alembic upgrade head", {"alembic.ini": "x"}, "migrations/a.py"),
        ("vercel deploy --prod --prebuilt", {".vercel/output/a": "x"}, ".vercel/output/a"),
    ],
)
def test_what_a_program_takes_without_its_name_on_the_line_is_bound_too(
    repo, fenced, command, files, changed
):
    write(repo, ".gitignore", "build/\n.vercel/\n")
    for name, text in files.items():
        write(repo, name, text)
    before = binding(repo, command)
    assert changes(before, binding(repo, command)) == []
    write(repo, changed, "drop table other;\n")
    assert changes(before, binding(repo, command)), bound.as_data(before)


@pytest.mark.parametrize("command", ["kubectl apply -f m/", "rsync -a m host:/srv"])
def test_a_file_that_keeps_its_size_and_time_is_another_one_nevertheless(repo, fenced, command):
    path = write(repo, "m/x.yaml", "kind: Pod \n")
    before = binding(repo, command)
    found = os.stat(path)
    write(repo, "m/x.yaml", "kind: Role\n")
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))
    assert changes(before, binding(repo, command))


@pytest.mark.parametrize(
    ("command", "act"),
    [
        ("kubectl delete ns $(git config shop.ns)", ("config", "shop.ns", "prod")),
        ("kubectl set image d/a a=r/a:$(git describe --always)", ("tag", "-am", "x", "v1")),
        ("kubectl delete ns $(git branch --show-current)", ("switch", "-qc", "other")),
    ],
)
def test_a_word_that_git_gives_is_bound_to_what_git_says(repo, fenced, command, act):
    before = binding(repo, command)
    assert changes(before, binding(repo, command)) == []
    git(repo, *act)
    assert changes(before, binding(repo, command))


@pytest.mark.parametrize(
    ("granted", "other"),
    [
        ("kubectl delete pod a", "kubectl --context prod delete pod a"),
        ("kubectl delete pod a", "kubectl -n kube-system delete pod a"),
        ("psql -h test -c 'drop table a'", "psql -h prod -c 'drop table a'"),
        ("psql app -c 'drop table a'", "psql prod -c 'drop table a'"),
        ("psql app -c 'drop table a'", "psql app -c 'drop database a'"),
        ("psql app -c 'drop table a'", "psql app -c 'drop table a; drop database b'"),
        ("aws s3 rb s3://x", "aws --profile prod s3 rb s3://x"),
        ("terraform apply", "terraform apply -destroy"),
        ("vercel deploy", "vercel deploy --prod"),
        ("serverless deploy", "serverless deploy --stage prod"),
        ("curl -d x https://a.example", "curl --connect-to ::b.example -d x https://a.example"),
    ],
)
def test_a_dismissal_is_for_where_the_options_lead(repo, fenced, granted, other):
    before, _ = measured(repo, granted)
    assert is_covered(before, granted, repo)
    assert not is_covered(before, other, repo)


def test_a_grant_names_where_the_options_lead_but_no_secret(repo, fenced):
    facts = binding(repo, "kubectl --context test -n web --token hunter22 delete pod a")
    assert "with --context test -n web" in bound.target_text(facts)
    other = binding(repo, "kubectl --context prod -n web --token hunter22 delete pod a")
    texts = changes(facts, other)
    assert "where the options lead is now --context prod -n web, was --context test -n web" in texts
    third = binding(repo, "kubectl --context prod -n web --token hunter33 delete pod a")
    assert not bound.is_same_target(
        other, third, measured(repo, "kubectl delete pod a")[1].classes[0]
    )


def test_a_dismissal_covers_other_content_for_the_same_place(repo, fenced):
    before, _ = measured(repo, "psql -h test -c 'drop table a'")
    assert is_covered(before, "psql -h test -q -c 'drop table b'", repo)


def test_a_push_without_a_branch_is_bound_to_where_the_configuration_puts_it(repo, remote):
    git(repo, "push", "-qu", "origin", "main")
    git(repo, "config", "push.default", "upstream")
    before = binding(repo, "git push")
    git(repo, "config", "branch.main.merge", "refs/heads/production")
    assert "the branch that it goes to changed" in changes(before, binding(repo, "git push"))


def test_submodules_that_are_pushed_along_are_bound(repo, remote):
    inner = os.path.join(repo, "sub")
    git(repo, "init", "-q", "sub")
    git(inner, "commit", "-q", "--allow-empty", "-m", "a")
    git(repo, "add", "sub")
    git(repo, "commit", "-qm", "sub")
    command = "git push --recurse-submodules=on-demand origin main"
    before = binding(repo, command)
    git(inner, "commit", "-q", "--allow-empty", "-m", "b")
    assert "sub HEAD changed" in changes(before, binding(repo, command))
    before = binding(repo, command)
    git(inner, "config", "remote.origin.pushurl", "/elsewhere.git")
    assert "the configuration of sub changed" in changes(before, binding(repo, command))
    assert not any("sub" in fact.name for fact in binding(repo, PUSH))


def test_what_a_hook_of_the_push_reads_is_bound(repo, remote):
    os.chmod(write(repo, ".git/hooks/pre-push", "#!/bin/sh\n. ./hook.conf\n"), 0o700)
    write(repo, "hook.conf", "URL=a\n")
    before = binding(repo, PUSH)
    write(repo, "hook.conf", "URL=b\n")
    assert "hook.conf changed" in changes(before, binding(repo, PUSH))


def test_the_commit_that_a_message_finds_is_the_one_that_is_pushed(repo, remote):
    command = "git push origin ':/first:refs/heads/y'"
    git(repo, "commit", "-q", "--allow-empty", "-m", "first")
    before = binding(repo, command)
    git(repo, "commit", "-q", "--allow-empty", "-m", "first again")
    assert changes(before, binding(repo, command))


def test_what_no_file_shows_is_said(repo, fenced):
    assert bound.unknowns(binding(repo, "docker push acme/x")) == [
        "the image (no file shows what it holds)"
    ]


def test_a_text_that_names_itself_or_the_folder_it_is_in_ends_nowhere(repo, fenced):
    write(repo, "k/a.yaml", "- ./a.yaml\n- ./b.yaml\n- ../k\n- ./\n- /\n")
    write(repo, "k/b.yaml", "- ./a.yaml\n")
    write(repo, "k/c.bin", b"\0./d.yaml")
    write(repo, "k/d.yaml", "x")
    named = files.named_by([f"{repo}/k/a.yaml", f"{repo}/k/c.bin"], repo, fenced)
    assert [os.path.relpath(each, repo) for each in named] == ["k/b.yaml"]


def test_a_link_that_leads_elsewhere_is_another_file(repo, fenced):
    write(repo, "a.json", "same")
    write(repo, "b.json", "same")
    os.symlink("a.json", os.path.join(repo, "body"))
    command = "curl -d @body https://api.example/x"
    before = binding(repo, command)
    os.unlink(os.path.join(repo, "body"))
    os.symlink("b.json", os.path.join(repo, "body"))
    assert "body changed" in changes(before, binding(repo, command))


def test_a_name_that_means_another_commit_now_adds_no_commit_that_was_there_before(repo, fenced):
    for subject in ("first", "second"):
        git(repo, "commit", "-q", "--allow-empty", "-m", subject)
    command = "git reset --hard HEAD~1"
    before = binding(repo, command)
    git(repo, "commit", "-q", "--allow-empty", "-m", "third")
    third, second, first = (
        git(repo, "rev-parse", "--short", each).decode().strip()
        for each in ("HEAD", "HEAD~1", "HEAD~2")
    )
    found = changes(before, binding(repo, command))
    assert f"+1 commit: {third} third" in found
    assert f"HEAD~1 is now {second} second, was {first} first" in found
    assert not any("+1 commit" in each and "second" in each for each in found)


def test_a_word_that_is_not_known_names_no_file_even_as_a_pattern():
    assert files.matches("/p/.\0['a'].json") == []
