"""One dry run of each program that has them; without the words that make it one, it needs a person."""

DRY_RUNS = """
aws ec2 terminate-instances --instance-ids i-1 --dry-run
gcloud compute instances delete web --dry-run
bq query --dry_run 'DELETE FROM d.t WHERE true'
gsutil rsync -n -d a gs://b
az storage blob delete-batch -s c --dryrun
azcopy remove https://a.blob.core.windows.net/c --dry-run
b2 sync --dry-run a b2://c
s5cmd --dry-run rm s3://b/*
aliyun ecs DeleteInstance --InstanceId i-1 --dryrun
aliyun ecs DeleteInstance --InstanceId i-1 --DryRun true
s3cmd del --recursive --dry-run s3://b
mc mirror --dry-run --remove a b/c
rclone sync --dry-run a remote:b
rsync -a --dry-run a/ host:b/
firebase deploy --dry-run
wrangler deploy --dry-run
cdk deploy --no-execute
cloud-nuke aws --dry-run
azure-nuke run --dry-run
gcp-nuke run --dry-run
awsweeper run --dry-run
docker compose --dry-run down -v
dep deploy prod --plan
mina deploy --simulate
sqlx migrate run --dry-run -D postgres://db.example.com/a
phinx migrate -e production --dry-run
console doctrine:migrations:migrate --dry-run
skopeo sync --dry-run --src docker --dest docker a registry.example.com/b
kubectl delete ns x --dry-run=server
helm uninstall x --dry-run
argocd app sync x --dry-run
istioctl install --dry-run
eksctl create cluster --dry-run
talosctl apply-config --dry-run -f x.yaml
kubeadm reset --dry-run
skaffold delete --dry-run
kapp deploy -a x -f y --diff-run
kpt live destroy --dry-run
kluctl deploy --dry-run
cilium install --dry-run
argo submit --dry-run x.yaml
tkn pipeline start x --dry-run
ansible-playbook --check site.yml
ansible web -m shell -a reboot --check
ansible-pull --check -U https://example.com/x site.yml
puppet apply --noop site.pp
bolt plan run x --noop
chef-client --why-run
chef-solo --why-run
cinc-client --why-run
cinc-solo --why-run
pyinfra hosts.py deploy.py --dry
salt-call state.apply test=True
nixos-rebuild dry-activate
nixos-rebuild switch --dry-run
darwin-rebuild switch --dry-run
home-manager switch --dry-run
nix-env --dry-run -e hello
nix-collect-garbage --dry-run -d
colmena apply dry-activate
deploy-rs --dry-activate .#web
nixops deploy --dry-run
pulumi up --preview-only
azd provision --preview
zfs destroy -nv tank/x
zpool create -n tank sda
lvreduce --test -L 1G vg/x
lvresize --test -L 1G vg/x
lvextend --test -L 1G vg/x
lvconvert --test vg/x
lvrename --test vg/x vg/y
lvchange --test -an vg/x
lvremove --test vg/x
pvmove --test /dev/sdb
pvcreate --test /dev/sdb
pvremove --test /dev/sdb
vgreduce --test vg /dev/sdb
vgcreate --test vg /dev/sdb
vgextend --test vg /dev/sdb
vgchange --test -an vg
vgexport --test vg
vgrename --test vg wg
vgremove --test vg
fsck -n /dev/sda1
e2fsck -n /dev/sda1
xfs_repair -n /dev/sda1
sfdisk --no-act /dev/sda
sgdisk --pretend --zap-all /dev/sda
growpart --dry-run /dev/sda 1
rtcwake --dry-run -m mem -s 60
systemctl reboot --dry-run
ufw --dry-run disable
nft --check -f rules.nft
iptables-restore --test x
ip6tables-restore --test x
modprobe --dry-run -r nvidia
sysctl --dry-run -w net.ipv4.ip_forward=1
logrotate --debug -f /etc/logrotate.conf
certbot renew --dry-run
systemd-tmpfiles --dry-run --clean
apt-get --simulate remove nginx
zypper remove --dry-run nginx
emerge --pretend --unmerge jq
xbps-install --dry-run jq
xbps-remove -n jq
pacman -R --print nginx
apk --simulate del nginx
pkg delete -n nginx
brew cleanup --dry-run
choco uninstall x --noop
port -y uninstall x
opkg remove x --noaction
rpm -e --test x
dpkg --simulate -r x
npm unpublish x --dry-run
bun publish --dry-run
deno publish --dry-run
jsr publish --dry-run
uv publish --dry-run
poetry publish --dry-run
semantic-release --dry-run
release-it --dry-run
np --preview
cargo publish --dry-run
mix hex.publish --dry-run
dart pub publish --dry-run
flutter pub publish --dry-run
gradle publish --dry-run
goreleaser release --snapshot
make --dry-run deploy
gmake --dry-run deploy
just --dry-run deploy
task --dry deploy
rake --dry-run deploy
fab --dry deploy
invoke --dry deploy
inv --dry deploy
cap --dry-run production deploy
manage.py migrate --plan
django-admin migrate --plan
artisan migrate --pretend
alembic downgrade base --sql
atlas schema apply --dry-run
mongorestore --drop --dryRun dump
pg_rewind --dry-run -D x --source-server y
pg_resetwal --dry-run x
kafka-consumer-groups --reset-offsets --to-earliest --dry-run
kafka-consumer-groups.sh --reset-offsets --to-earliest --dry-run
borg prune --dry-run --keep-daily 7 /b
restic forget --dry-run --keep-last 1
duplicity remove-older-than 1D --force --dry-run file:///b
pgbackrest expire --dry-run --stanza=x
thanos tools bucket cleanup --dry-run
mimirtool rules sync --dry-run
cortextool rules sync --dry-run
lokitool rules sync --dry-run
jf rt del x --dry-run
Remove-Item -Recurse x -WhatIf
Clear-Content README.md -WhatIf
Remove-ItemProperty -Path HKLM:\\x -Name y -WhatIf
Stop-Process -Name * -WhatIf
Stop-Service x -WhatIf
Set-Service x -WhatIf
Remove-Service x -WhatIf
Restart-Service x -WhatIf
Stop-Computer -WhatIf
Restart-Computer -WhatIf
New-LocalUser x -WhatIf
Remove-LocalUser x -WhatIf
Add-LocalGroupMember -Group x -Member y -WhatIf
Set-ExecutionPolicy Unrestricted -WhatIf
Clear-EventLog System -WhatIf
dnf remove --assumeno firefox
crontab -T x.cron
msmtp --pretend ann@example.com
"""

# Words that look like those of a dry run, and are none.
REAL_RUNS = [
    "dep deploy --revision --plan",
    "dep deploy -o --plan prod",
    "php bin/console doctrine:schema:update --dump-sql --force",
    "kubectl delete ns x --dry-run=client --dry-run=none",
    "aws ec2 terminate-instances --instance-ids i-1 --dry-run --no-dry-run",
    "cdk destroy --force --no-execute",
    "s3cmd rb s3://b --dry-run",
    "puppet node purge web --noop",
    "apt-get install x --assume-no",
    "kafka-consumer-groups --delete --group g --dry-run",
    "yarn publish --dry-run",
    "php artisan tinker --execute='DB::table(\"users\")->delete();' --pretend",
    "npm run deploy --dry-run",
    "helm upgrade x y --dry-run=none",
    "helm upgrade x y --no-dry-run",
    "kubectl delete ns x --dry-run=none",
    "kubectl delete --raw /api/v1/namespaces/x --dry-run=client",
    "aliyun ecs DeleteInstance --InstanceId i-1 --DryRun false",
    "Stop-Service x -WhatIf:$false",
    "ansible-pull -C main -U https://example.com/x site.yml",
    "systemctl stop nginx --dry-run",
    "fab -R web deploy",
    "aws-nuke run -c x --no-dry-run",
    "rsync -a -e 'sh -c reboot' a/ host:b/",
    "helm uninstall x -- --dry-run",
    "echo --dry-run; helm uninstall x",
    "kubectl delete ns n",
]
