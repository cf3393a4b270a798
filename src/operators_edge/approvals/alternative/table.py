"""What shows the effect of a risky command without having it, for each program: data for ``service``.

A key is a program as the packs call it, and its first operands; the longest key that fits counts. The fields
are those of ``approvals.alternative.fields``. A text that cannot be filled, or that the gate would stop, is
left out. An entry must be right for every command that its key fits.
"""

from __future__ import annotations

MAX_WORDS = 3
"""Words of a key."""

_TRASH = "Move it to the trash, from where it can be restored: `edge trash {1+}`"
_COPY = (
    "Keep a copy first, then write the new content with the editor: `cp {written} {written}.bak`"
)
_DRY = "See what it would do: `{command} --dry-run`"
_GIT_DRY = "See what would be published: `{command} --dry-run`"
_COUNT = "Count what it takes first: `{program}{where} %s {count}`"
_THERE = "See what is there now: `curl -sS {url}`"
_STATUS = "See what is pending first: `{%s}`"

SAME_AS = {
    **dict.fromkeys(("tofu", "opentofu"), "terraform"),
    **dict.fromkeys(("podman", "nerdctl", "finch", "podman-remote"), "docker"),
    "oc": "kubectl",
    "bao": "vault",
}
"""Programs that take the words of another one."""

BY_RULE: dict[str, dict[str, tuple[str, ...]]] = {
    "fs-recursive-delete": dict.fromkeys(("rm", "rimraf", "del-cli", "premove"), (_TRASH,)),
    "fs-find-delete": {"find": ("Print what would go: `{-delete=-print}`",)},
    "fs-truncate": dict.fromkeys(("truncate", "fallocate"), (_COPY,)),
    "fs-empty-file": dict.fromkeys(("@none", ":", "true", "cat", "cp", "tee", "head"), (_COPY,)),
    "fs-shred": {"shred": (_TRASH,)},
    "git-push": {"git push": (_GIT_DRY,)},
    "git-push-force": {"git push": ("See what would change: `{command} --dry-run`",)},
    "git-remote-publish": {
        "git send-email": (_DRY,),
        "git svn": (_DRY,),
        "hg push": ("See what would be published: `{push=outgoing}`",),
        "jj git": (_DRY,),
    },
    "git-reset-hard": {"git": ("Stash the changes instead: `git stash push -m before-reset`",)},
    "git-discard": {"git": ("Stash the changes instead: `git stash push -m aside`",)},
    "git-clean": {"git clean": ("See what would go: `{command} -n`",)},
    "git-clean-files": {"git clean": ("See what would go: `{command} -n`",)},
    "git-history": {
        "git branch": ("Keep a name on it first: `git branch keep-{2} {2}`",),
        "git stash drop": (
            "Look at it first: `git stash show -p {3}`",
            "Look at it first: `git stash show -p`",
        ),
        "git stash clear": ("Look at them first: `git stash list`",),
        "git tag": ("Look at it first: `git show --stat {2}`",),
        "git rebase": ("Keep a name on the commits first: `git branch backup`",),
        "git filter-branch": ("Keep a name on the commits first: `git branch backup`",),
        "git update-ref": ("Look at what it names: `git log --oneline -5 {2}`",),
        "git reflog": ("Look at it first: `git reflog`",),
    },
    "http-upload": {
        "rsync": ("See what would go: `{command} --dry-run`",),
        "rclone": ("See what would go: `{command} --dry-run`",),
    },
    "http-raw": {"nc": ("Only check whether it answers: `nc -z {1} {2}`",)},
    "package-global": {
        "apt-get": ("See what it would do: `{command} -s`",),
        "brew install": (_DRY,),
        "brew uninstall": ("See what uses it: `brew uses --installed {2}`",),
        "brew upgrade": ("See what it would do: `brew outdated`",),
        "npm install": ("Install it into the project: `npm install --save-dev {2+}`",),
        "npm i": ("Install it into the project: `npm install --save-dev {2+}`",),
        "pip install": (_DRY,),
    },
    "package-run-remote": {
        "deno run": ("Fetch it and read it first: `curl -fsSLO {url}`",),
    },
    "secret-read": dict.fromkeys(
        ("cat", "head", "tail", "less", "more", "base64", "xxd", "od", "strings"),
        ("Only check whether it is there: `ls -l {last}`",),
    ),
    "secret-settings": {
        **dict.fromkeys(("env", "printenv"), ("Show only the names: `env | cut -d= -f1`",)),
        **dict.fromkeys(("export", "declare", "typeset"), ("Show only the names: `compgen -e`",)),
    },
    "secret-store": {
        "gpg": ("List what is stored, not its content: `gpg --list-secret-keys`",),
        "pass": ("List what is stored, not its content: `pass ls`",),
        "op": ("List what is stored, not its content: `op item list`",),
    },
    "secret-delete": {"gpg": ("List what is stored: `gpg --list-secret-keys`",)},
    "system-client-terminal": {
        "tmux": ("Use a server of its own: `tmux -L dev new-session -d`",),
    },
    "http-write": {
        "gh api": ("See what is there now: `gh api{where} {2}`",),
        **dict.fromkeys(("curl", "wget", "http", "Invoke-WebRequest"), (_THERE,)),
    },
}
"""The texts for one rule."""

BY_PROGRAM: dict[str, tuple[str, ...]] = {
    # kubernetes
    **{
        f"kubectl {verb}": ("See what would change: `{command} --dry-run=server`",)
        for verb in (
            *("create", "replace", "patch", "scale", "autoscale", "set", "drain", "cordon"),
            *("uncordon", "taint", "label", "annotate", "expose", "run"),
        )
    },
    "kubectl apply": ("See what would change: `{apply=diff --force= --wait= --overwrite=}`",),
    "kubectl rollout restart": ("See how it runs: `{program} rollout status{where} {3+}`",),
    "kubectl rollout undo": ("See what there was: `{program} rollout history{where} {3+}`",),
    "kubectl edit": ("Look at it first: `{program} get{where} {2+} -o yaml`",),
    "kubectl delete": (
        "See what would go: `{command} --dry-run=server`",
        "See what would go: `{program} get{where} {2+}`",
    ),
    **dict.fromkeys(("helm install", "helm upgrade", "helm uninstall", "helm rollback"), (_DRY,)),
    "helmfile apply": ("See what would change: `{apply=diff}`",),
    "helmfile sync": ("See what would change: `{sync=diff}`",),
    "helmfile destroy": ("See what there is: `{destroy=list}`",),
    "argocd app sync": ("See what would change: `argocd app diff{where} {3}`",),
    "argocd app delete": ("See what there is: `argocd app get{where} {3}`",),
    "kops": ("See what would change: `{--yes=}`",),
    # infrastructure
    "terraform apply": (
        "Look at the plan first: `{program}{where} show {2}`",
        "See what would change: `{apply=plan -auto-approve= --auto-approve=}`",
    ),
    "terraform destroy": (
        "See what would go: `{destroy=plan+-destroy -auto-approve= --auto-approve=}`",
    ),
    "terraform state rm": ("Look at it first: `{program}{where} state show {3}`",),
    "terraform state mv": ("Look at it first: `{program}{where} state show {3}`",),
    "terraform state": ("See what there is: `{program}{where} state list`",),
    "terraform taint": ("Look at it first: `{program}{where} state show {2}`",),
    "terraform workspace": ("See which there are: `{program}{where} workspace list`",),
    "pulumi up": ("See what would change: `{up=preview --yes= -y= --skip-preview= -f=}`",),
    "pulumi destroy": ("See what there is: `{program} stack{where}`",),
    "cdk deploy": ("See what would change: `{deploy=diff}`",),
    "cdk destroy": ("See what there is: `{destroy=list --force= -f=}`",),
    # clouds
    "aws": ("See which account it goes to: `aws sts get-caller-identity{where}`",),
    "aws s3": ("See what would go: `{command} --dryrun`",),
    "aws s3 rb": ("See what is in it: `aws s3 ls {3}{where}`",),
    "aws s3 mb": ("See which there are: `aws s3 ls{where}`",),
    "aws ec2": (
        "See whether it would be allowed, and to whom: `{command} --dry-run`",
        "See which account it goes to: `aws sts get-caller-identity{where}`",
    ),
    "aws cloudformation delete-stack": (
        "See what there is: `aws cloudformation describe-stack-resources{where} --stack-name {--stack-name}`",
    ),
    "aws cloudformation deploy": ("See what would change: `{command} --no-execute-changeset`",),
    "aws dynamodb delete-table": (
        "Look at it first: `aws dynamodb describe-table{where} --table-name {--table-name}`",
    ),
    "aws lambda delete-function": (
        "Look at it first: `aws lambda get-function-configuration{where} --function-name {--function-name}`",
    ),
    "gcloud": ("Look at it first: `{delete=describe --quiet= -q= --async=}`",),
    "gcloud storage rm": ("See what would go: `gcloud storage ls {3+}`",),
    "az": ("Look at it first: `{delete=show --yes= -y= --no-wait=}`",),
    "gsutil rm": ("See what would go: `gsutil ls {2+}`",),
    "gsutil rsync": ("See what would change: `{rsync=rsync+-n}`",),
    "azcopy": (_DRY,),
    "s3cmd": (_DRY,),
    "mc rm": ("See what would go: `mc ls {2+}`",),
    "mc rb": ("See what would go: `mc ls {2+}`",),
    "doctl": ("Look at it first: `{delete=get --force= -f=}`",),
    "openstack": ("Look at it first: `{delete=show}`",),
    "bq rm": ("Look at it first: `bq show {2+}`",),
    # containers
    "docker rm": ("Look at it first: `{rm=inspect -f= --force= -v= --volumes=}`",),
    "docker rmi": ("Look at it first: `{rmi=image+inspect -f= --force=}`",),
    "docker container rm": ("Look at it first: `{rm=inspect -f= --force= -v= --volumes=}`",),
    "docker image rm": ("Look at it first: `{rm=inspect -f= --force=}`",),
    "docker volume rm": ("Look at it first: `{rm=inspect -f= --force=}`",),
    "docker network rm": ("Look at it first: `{rm=inspect -f= --force=}`",),
    "docker volume prune": ("See which are not used: `{program} volume ls -f dangling=true`",),
    "docker image prune": ("See what takes space: `{program} system df`",),
    "docker container prune": ("See which are stopped: `{program} ps -a -f status=exited`",),
    "docker network prune": ("See which there are: `{program} network ls`",),
    "docker builder prune": ("See what takes space: `{program} system df`",),
    "docker system prune": ("See what takes space: `{program} system df -v`",),
    "docker push": ("Look at it first: `{program} image inspect {2}`",),
    "docker compose down": ("See what would go: `{compose=compose+--dry-run}`",),
    "docker stack rm": ("See what runs: `{program} stack ps {3+}`",),
    "docker service rm": ("See what runs: `{program} service ps {3+}`",),
    "skopeo delete": ("Look at it first: `{delete=inspect}`",),
    # databases
    "psql": (_COUNT % "-c",),
    "mysql": (_COUNT % "-e",),
    "sqlite3": ("Count what it takes first: `{program} {1} {count}`",),
    "duckdb": ("Count what it takes first: `{program} {1} {count}`",),
    "clickhouse-client": (_COUNT % "-q",),
    "redis-cli": ("See what is in it: `{program}{where} info keyspace`",),
    "dropdb": (
        "Take a dump first: `{dropdb=pg_dump+-f+dump.sql --if-exists= -f= --force= -i= -e=}`",
    ),
    "manage.py migrate": (
        "See what it would do: `{migrate=migrate+--plan}`",
        _STATUS % "migrate=showmigrations",
    ),
    "prisma migrate deploy": (_STATUS % "deploy=status",),
    "prisma migrate reset": (_STATUS % "reset=status --force= -f=",),
    "alembic upgrade": ("See the SQL first: `{command} --sql`",),
    "alembic downgrade": ("See where it is: `{program} current`",),
    "flyway migrate": (_STATUS % "migrate=info",),
    "flyway clean": (_STATUS % "clean=info",),
    "rails db:migrate": (_STATUS % "db:migrate=db:migrate:status",),
    "rake db:migrate": (_STATUS % "db:migrate=db:migrate:status",),
    "artisan migrate": ("See the SQL first: `{command} --pretend`",),
    "knex migrate:latest": (_STATUS % "migrate:latest=migrate:status",),
    "sequelize db:migrate": (_STATUS % "db:migrate=db:migrate:status",),
    "sequelize-cli db:migrate": (_STATUS % "db:migrate=db:migrate:status",),
    "goose": (_STATUS % "up=status", _STATUS % "down=status", _STATUS % "reset=status"),
    "dbmate up": (_STATUS % "up=status",),
    "dbmate migrate": (_STATUS % "migrate=status",),
    "liquibase update": ("See the SQL first: `{update=update-sql}`",),
    "typeorm migration:run": (_STATUS % "migration:run=migration:show",),
    # publishing
    "npm publish": (_GIT_DRY,),
    "bun publish": (_GIT_DRY,),
    "cargo publish": (_GIT_DRY,),
    "poetry publish": (_GIT_DRY,),
    "uv publish": (_GIT_DRY,),
    "jsr publish": (_GIT_DRY,),
    "semantic-release": (_DRY,),
    "twine upload": ("Check it first: `twine check {2+}`",),
    "gem push": ("Look at it first: `gem specification {2}`",),
    "vsce publish": ("See what it would hold: `vsce ls`",),
    # programs of the project
    "make": ("See what it would run: `{command} -n`",),
    "just": (_DRY,),
    "task": ("See what it would run: `{command} --dry`",),
    "rake": ("See what it would run: `{command} -n`",),
    "npm run": ("See what it runs: `npm pkg get scripts.{2}`",),
    "wrangler deploy": (_DRY,),
    "heroku": ("Look first: `heroku apps:info{where}`",),
    "fly": ("Look first: `fly status{where}`",),
    "vercel": ("See what is there: `vercel ls{where}`",),
    "sam deploy": ("See what would change: `{command} --no-execute-changeset`",),
    # forges
    "gh pr create": (_DRY,),
    "gh pr": ("Look at it first: `gh pr view {3}{where}`", "Look at it first: `gh pr view{where}`"),
    "gh pr merge": (
        "See whether its checks passed: `gh pr checks {3}{where}`",
        "See whether its checks passed: `gh pr checks{where}`",
    ),
    "gh issue": ("Look at it first: `gh issue view {3}{where}`",),
    "gh release": (
        "Look at it first: `gh release view {3}{where}`",
        "See which there are: `gh release list{where}`",
    ),
    "gh release create": ("See which there are: `gh release list{where}`",),
    "gh repo": ("Look at it first: `gh repo view {3}`",),
    "gh run": ("Look at it first: `gh run view {3}{where}`",),
    "gh workflow": ("Look at it first: `gh workflow view {3}{where}`",),
    "gh secret": ("See which there are: `gh secret list{where}`",),
    "gh variable": ("See which there are: `gh variable list{where}`",),
    "glab mr": ("Look at it first: `glab mr view {3}{where}`",),
    "glab issue": ("Look at it first: `glab issue view {3}{where}`",),
    # machines
    "ansible-playbook": ("See what would change: `{command} --check`",),
    "ansible": ("See what would change: `{command} --check`",),
    "puppet apply": ("See what would change: `{command} --noop`",),
    "vagrant": ("See what runs: `vagrant status`",),
    "rsync": ("See what would go: `{command} --dry-run`",),
    "rclone": ("See what would go: `{command} --dry-run`",),
    # services
    "vault": ("See where it goes: `{program} status`",),
    "vault kv delete": ("See which versions there are: `{program} kv metadata get {3}`",),
    "vault kv destroy": ("See which versions there are: `{program} kv metadata get {3}`",),
    "nomad job run": ("See what would change: `{run=plan}`",),
    "nomad job": ("Look at it first: `nomad job status {3}`",),
    "kafka-topics": ("Look at it first: `{--delete=--describe}`",),
    "restic forget": (_DRY,),
    "restic prune": (_DRY,),
    "borg prune": (_DRY,),
    "borg delete": (_DRY,),
    "hdfs dfs": ("See what is there: `hdfs dfs -ls {last}`",),
    "ceph": ("See how it is: `ceph status`",),
    # this machine
    "systemctl": ("See how it runs: `systemctl status {2+}`",),
    "service": ("See how it runs: `service {1} status`",),
    "supervisorctl": ("See how it runs: `supervisorctl status`",),
    "nginx": ("Check its settings: `nginx -t`",),
    "apachectl": ("Check its settings: `apachectl -t`",),
    "crontab": ("See what is there: `crontab -l`",),
    "pkill": ("List them first, then end yours by number: `pgrep -fl {last}`",),
    "killall": ("List them first, then end yours by number: `pgrep -l {last}`",),
    "fuser": ("See which they are: `{-k=}`",),
    "kill": ("See which it is: `ps -p {1}`",),
    "zfs destroy": ("See what would go: `{destroy=destroy+-nv}`",),
    "zpool": ("See how it is: `zpool status {2}`",),
    "efibootmgr": ("See what is there: `efibootmgr -v`",),
    **dict.fromkeys(
        ("userdel", "deluser", "usermod", "chsh", "useradd", "adduser"),
        ("See what is there: `id {last}`",),
    ),
    **dict.fromkeys(("mkfs", "wipefs", "sgdisk"), ("Look at it only: `lsblk {last}`",)),
}
"""The texts for a program, whichever rule it is."""


# end of module
