"""Infrastructure commands from the tools' own documentation: what has to stop, what has to stay silent."""

from __future__ import annotations

STOPPED = """
# kubectl and its kin
kubectl delete -f ./manifests
kubectl delete pods,services -l name=web
kubectl delete pod web-0 --force --grace-period=0
kubectl delete ns staging
kubectl delete --all pvc -n shop
kubectl --context prod --namespace shop delete deploy/api
kubectl --namespace=shop delete deploy api
kubectl -n shop -l app=api delete pods
kubectl apply -k overlays/prod
kubectl apply -f https://example.com/x.yaml --server-side
kubectl apply edit-last-applied deploy/api
kubectl apply set-last-applied -f deploy.yaml
kubectl create deployment api --image=shop/api:2
kubectl create -f job.yaml
kubectl create secret generic db --from-literal=password=x
kubectl create namespace shop
kubectl create job --from=cronjob/nightly manual-1
kubectl replace --force -f pod.yaml
kubectl patch deploy api --type=json -p '[{"op":"remove","path":"/spec/template/spec/containers/0/env"}]'
kubectl edit configmap coredns -n kube-system
kubectl scale --replicas=0 deploy/api
kubectl autoscale deploy api --min=2 --max=10
kubectl rollout restart deploy/api -n shop
kubectl rollout undo deploy/api --to-revision=3
kubectl rollout pause deploy/api
kubectl set env deploy/api LOG=debug
kubectl set image deploy/api api=shop/api:3 --record
kubectl drain node-3 --ignore-daemonsets --delete-emptydir-data
kubectl cordon node-3
kubectl uncordon node-3
kubectl taint nodes node-3 key=value:NoSchedule
kubectl label node node-3 disk=ssd --overwrite
kubectl annotate deploy api kubernetes.io/change-cause=x
kubectl expose deploy api --port=80 --type=LoadBalancer
kubectl run tmp --image=busybox --rm -it -- sh
kubectl certificate approve csr-1
kubectl auth reconcile -f rbac.yaml
kubectl cp ./config.yaml shop/api-0:/etc/app/config.yaml
kubectl debug node/node-3 -it --image=busybox
kubectl exec api-0 -- rm -rf /var/lib/app
kubectl config delete-context prod
kubectl config unset users.admin
kubectl argo rollouts promote api
kubectl argo rollouts abort api -n shop
kubectl cert-manager renew shop-tls
kubectl kustomize overlays/prod | kubectl apply -f -
k delete pod web-0
oc delete project shop
oc apply -f x.yaml
oc rollout latest dc/api
oc start-build api
oc adm policy add-scc-to-user privileged -z default
oc adm prune images --confirm
oc adm upgrade --to=4.15.1
oc new-app nginx
oc scale dc/api --replicas=0
k3s kubectl delete node n1
microk8s kubectl delete ns shop
minikube delete --all
minikube kubectl -- delete pod api-0
kind delete cluster --name dev
k3d cluster delete dev
kubectx -d prod
# helm and GitOps
helm install web ./chart
helm upgrade --install web ./chart -n shop -f values.yaml
helm -n shop uninstall web
helm --kube-context prod delete web
helm del web
helm rollback web 3
helm push web-1.2.3.tgz oci://registry.example.com/charts
helm cm-push web-1.2.3.tgz chartmuseum
helm secrets upgrade web ./chart -f secrets.yaml
helm s3 push web-1.2.3.tgz charts
helmfile apply
helmfile -e prod sync
helmfile -f helmfile.yaml destroy
argocd app delete shop --cascade
argocd app sync shop --prune
argocd app set shop --revision v2
argocd app rollback shop 3
argocd app terminate-op shop
argocd app create shop --repo https://example.com/r.git --path x
argocd app patch-resource shop --kind Deployment --patch '{}'
argocd cluster rm https://10.0.0.1
argocd proj delete shop
argocd repo add https://example.com/r.git
argocd account update-password
flux reconcile kustomization apps
flux suspend helmrelease web -n shop
flux resume source git flux-system
flux delete kustomization apps -s
flux create source git shop --url=https://example.com/r.git
flux bootstrap github --owner=o --repository=r
flux uninstall --namespace=flux-system
flux push artifact oci://r.example.com/x --path=./k8s
istioctl install --set profile=demo -y
istioctl uninstall --purge -y
istioctl tag set prod --revision 1-20
velero backup delete nightly --confirm
velero restore create --from-backup nightly
velero schedule delete nightly
velero delete backup nightly
velero uninstall --force
skaffold run -p prod
skaffold delete
kapp deploy -a shop -f config/
kapp delete -a shop
werf converge --repo r.example.com/shop
okteto destroy
tk apply environments/prod
kluctl deploy -t prod
argo submit workflow.yaml
argo delete --all
argo terminate nightly-x
tkn pipeline start build
tkn pipelinerun delete --all
cilium upgrade
virtctl stop vm1
kn service delete api
rosa delete cluster -c shop
vcluster delete dev
faas-cli deploy -f stack.yml
# clusters
eksctl create cluster -f cluster.yaml
eksctl delete nodegroup --cluster shop ng-1
eksctl --region eu-west-1 scale nodegroup --cluster shop --nodes 0 ng-1
eksctl utils update-coredns --cluster shop --approve
kops delete cluster shop.example.com --yes
kops update cluster --name shop.example.com --yes
kops rolling-update cluster --yes
kubeadm reset -f
kubeadm init
kubeadm upgrade apply v1.30.0
talosctl reset --graceful=false -n 10.0.0.2
talosctl -n 10.0.0.2 upgrade --image ghcr.io/x
talosctl etcd remove-member 3
rke remove
clusterctl delete --all
rancher clusters delete c-1
# terraform and its kin
terraform apply tfplan
terraform -chdir=infra apply -auto-approve
terraform apply -var env=prod
terraform apply -destroy
terraform destroy -auto-approve
terraform state rm aws_instance.web
terraform state mv a b
terraform state push errored.tfstate
terraform state replace-provider hashicorp/aws example/aws
terraform import aws_instance.web i-1
terraform taint aws_instance.web
terraform untaint aws_instance.web
terraform workspace delete -force staging
terraform force-unlock -force 1d2
terraform init -migrate-state
TF_VAR_env=prod terraform apply
tofu apply
tofu -chdir=prod destroy
tf apply
terragrunt apply --terragrunt-non-interactive
terragrunt run-all apply
terragrunt run --all destroy
terragrunt stack run apply
terragrunt --working-dir prod destroy
pulumi up -y
pulumi -C infra up --stack prod
pulumi destroy -s dev --yes
pulumi refresh --yes
pulumi cancel
pulumi stack rm dev --force
pulumi state delete urn:pulumi:x
pulumi stack import --file x.json
pulumi import aws:ec2/instance:Instance web i-1
cdk deploy Shop --require-approval never
cdk --profile prod deploy --all
npx cdk destroy Shop --force
cdk bootstrap aws://1/eu-west-1
cdk rollback Shop
rain deploy template.yaml shop
sceptre delete prod/vpc -y
packer build -var v=1 image.pkr.hcl
azd up
azd down --purge --force
# containers
docker rm -f $(docker ps -aq)
docker container rm web
docker stop web
docker kill --signal=KILL web
docker rmi shop/api:1
docker image prune -a -f
docker volume rm pgdata
docker volume prune --all
docker network rm shop_default
docker system prune -af --volumes
docker builder prune
docker buildx prune -f
docker compose down --volumes --remove-orphans
docker compose -f docker-compose.prod.yml down
docker-compose -p shop rm -fs
docker compose kill
docker push registry.example.com/shop/api:1
docker image push --all-tags shop/api
docker compose push api
docker buildx build --platform linux/amd64,linux/arm64 -t x --push .
docker build --output type=registry .
docker buildx imagetools create -t x:latest x:1
docker manifest push x:1
docker stack rm shop
docker stack deploy --compose-file x.yml shop
docker service update --force shop_api
docker service scale shop_api=0
docker service rm shop_api
docker swarm leave --force
docker swarm init
docker node update --availability drain n1
docker secret rm db
docker context rm prod
docker -H tcp://10.0.0.1:2375 rm -f web
docker --context=prod volume rm pgdata
docker plugin rm x
docker trust revoke x:1
podman rm -fa
podman pod rm -f web
podman volume prune
podman system reset -f
podman machine rm
podman kube down pod.yaml
nerdctl rmi x
buildah rmi --all
buildah push x docker://r.example.com/x
skopeo copy docker-daemon:x:1 docker://r.example.com/x:1
skopeo delete docker://r.example.com/x:1
skopeo sync --src dir --dest docker ./images r.example.com
crane copy a.example.com/x b.example.com/x
crane tag r.example.com/x:1 latest
regctl image delete r.example.com/x@sha256:1
regctl tag rm r.example.com/x:1
oras push r.example.com/x:1 ./file
cosign sign --key k r.example.com/x
ko build ./cmd/app
crictl rmi --prune
ctr -n k8s.io images rm x
pack build shop/api --publish
docker run --rm amazon/aws-cli s3 rb s3://b
docker run --rm -it -v .:/w -w /w hashicorp/terraform:1.9 destroy
docker compose run --rm terraform apply
podman run bitnami/kubectl delete ns shop
# aws
aws ec2 terminate-instances --instance-ids i-1 i-2
aws ec2 stop-instances --instance-ids i-1
aws ec2 reboot-instances --instance-ids i-1
aws ec2 delete-security-group --group-id sg-1
aws ec2 authorize-security-group-ingress --group-id sg-1 --protocol tcp --port 22 --cidr 0.0.0.0/0
aws ec2 modify-instance-attribute --instance-id i-1 --no-disable-api-termination
aws ec2 release-address --allocation-id e
aws ec2 run-instances --image-id ami-1 --count 10
aws --profile prod --region eu-west-1 rds delete-db-instance --db-instance-identifier x --skip-final-snapshot
aws rds modify-db-instance --db-instance-identifier shop --publicly-accessible
aws rds restore-db-instance-from-db-snapshot --db-instance-identifier a --db-snapshot-identifier b
aws s3 rm s3://shop/logs --recursive
aws s3 rb s3://shop --force
aws s3 mv s3://a/x s3://b/x
aws s3 sync build/ s3://shop
aws s3 sync s3://shop ./local --delete
aws s3 cp dist s3://shop --recursive --acl public-read
aws s3 mb s3://shop
aws s3api put-bucket-policy --bucket shop --policy file://p.json
aws s3api delete-object --bucket shop --key x
aws s3api put-public-access-block --bucket shop --public-access-block-configuration BlockPublicAcls=false
aws iam create-access-key --user-name ann
aws iam attach-user-policy --user-name ann --policy-arn arn:aws:iam::aws:policy/AdministratorAccess
aws iam delete-role --role-name x
aws lambda update-function-code --function-name x --zip-file fileb://x.zip
aws lambda invoke --function-name x out.json
aws lambda publish-version --function-name x
aws ecs update-service --cluster shop --service api --desired-count 0
aws ecs run-task --cluster shop --task-definition x
aws ecs stop-task --cluster shop --task t
aws ecs execute-command --cluster shop --task t --command sh --interactive
aws eks delete-cluster --name shop
aws cloudformation delete-stack --stack-name shop
aws cloudformation deploy --template-file t.yaml --stack-name shop
aws cloudformation execute-change-set --change-set-name c
aws cloudfront create-invalidation --distribution-id E --paths '/*'
aws route53 change-resource-record-sets --hosted-zone-id Z --change-batch file://c.json
aws dynamodb delete-table --table-name t
aws dynamodb put-item --table-name t --item file://i.json
aws dynamodb batch-write-item --request-items file://r.json
aws dynamodb execute-statement --statement "DELETE FROM t WHERE id='1'"
aws sqs purge-queue --queue-url https://sqs.eu-west-1.amazonaws.com/1/q
aws sqs send-message --queue-url q --message-body x
aws sns publish --topic-arn t --message x
aws ssm send-command --document-name AWS-RunShellScript --targets Key=tag:x,Values=y
aws ssm put-parameter --name /x --value y --overwrite
aws ssm start-session --target i-1
aws secretsmanager put-secret-value --secret-id x --secret-string y
aws kms schedule-key-deletion --key-id k --pending-window-in-days 7
aws kms disable-key --key-id k
aws logs put-retention-policy --log-group-name g --retention-in-days 1
aws autoscaling set-desired-capacity --auto-scaling-group-name a --desired-capacity 0
aws cognito-idp admin-delete-user --user-pool-id p --username u
aws elasticache reboot-cache-cluster --cache-cluster-id c
aws redshift pause-cluster --cluster-identifier c
aws organizations leave-organization
aws backup delete-recovery-point --backup-vault-name v --recovery-point-arn a
aws glue start-job-run --job-name j
aws stepfunctions start-execution --state-machine-arn a
aws codepipeline start-pipeline-execution --name p
aws deploy create-deployment --application-name a
aws ecr batch-delete-image --repository-name r --image-ids imageTag=1
aws athena start-query-execution --query-string "CREATE TABLE x AS SELECT 1"
aws configure set aws_secret_access_key x
AWS_PROFILE=prod aws ec2 terminate-instances --instance-ids i-1
# gcloud
gcloud compute instances delete web --zone europe-west1-b --quiet
gcloud -q compute instances stop web
gcloud beta compute instances reset web
gcloud alpha compute tpus delete t
gcloud --project shop compute firewall-rules create open --allow tcp:22
gcloud compute disks delete d
gcloud compute instances add-metadata web --metadata k=v
gcloud compute instance-groups managed resize g --size 0
gcloud sql instances delete shop
gcloud sql databases delete d --instance=i
gcloud sql import sql i gs://b/x.sql
gcloud sql users set-password u --instance=i --password=x
gcloud sql backups restore 1 --restore-instance=i
gcloud container clusters delete c
gcloud container clusters resize c --num-nodes 0
gcloud container node-pools delete p --cluster c
gcloud container images delete gcr.io/p/x
gcloud run deploy api --image x
gcloud run services delete api
gcloud run services update-traffic api --to-latest
gcloud functions deploy f --runtime nodejs20
gcloud functions call f
gcloud app deploy --promote
gcloud app versions delete v1
gcloud builds submit --tag x
gcloud builds triggers run t
gcloud deploy releases promote --release r
gcloud projects delete p
gcloud projects add-iam-policy-binding p --member user:x --role roles/owner
gcloud iam service-accounts keys create key.json --iam-account x
gcloud iam service-accounts disable x
gcloud services disable compute.googleapis.com
gcloud services enable run.googleapis.com
gcloud secrets versions destroy 1 --secret s
gcloud secrets versions add s --data-file x
gcloud kms keys versions destroy 1 --key k
gcloud pubsub topics publish t --message x
gcloud pubsub subscriptions seek s --time=2024-01-01
gcloud storage rm -r gs://b
gcloud storage cp x gs://b/x
gcloud storage buckets update gs://b --clear-labels
gcloud dns record-sets transaction execute -z z
gcloud dataflow jobs cancel j
gcloud spanner databases delete d --instance i
gcloud firestore databases delete --database=d
gcloud firestore import gs://b/x
gcloud bigtable instances delete i
gcloud scheduler jobs run j
gcloud tasks queues purge q
gcloud logging sinks delete s
gcloud workflows execute w
gsutil rm -r gs://b/x
gsutil -m rm gs://b/**
gsutil -m rsync -d -r . gs://b
gsutil mv gs://a/x gs://b/x
gsutil mb gs://b
gsutil iam ch allUsers:objectViewer gs://b
gsutil acl set public-read gs://b/x
gsutil cp x gs://b
bq rm -r -f -d p:d
bq load --replace d.t x.csv
bq cp -f a.t b.t
bq mk --table d.t
bq query --use_legacy_sql=false 'DELETE FROM d.t WHERE true'
cbt deletetable t
cbt deleteallrows t
# azure
az group delete --name rg --yes --no-wait
az vm delete -g rg -n vm --yes
az vm deallocate -g rg -n vm
az vm restart --ids /subscriptions/1
az vm run-command invoke -g rg -n vm --command-id RunShellScript --scripts 'ls'
az vm open-port --port 22 -g rg -n vm
az vmss scale -g rg -n s --new-capacity 0
az aks delete -g rg -n c
az aks command invoke -g rg -n c --command 'kubectl delete pod x'
az aks nodepool scale --cluster-name c -g rg -n p --node-count 0
az webapp deploy --src-path x.zip -g rg -n w
az webapp deployment source config-zip -g rg -n w --src x.zip
az webapp config appsettings set -g rg -n w --settings A=b
az webapp stop -g rg -n w
az functionapp delete -g rg -n f
az containerapp update -n a -g rg --image x
az acr build -t x -r r .
az acr repository delete -n r --image x:1
az acr repository untag -n r --image x:1
az storage account delete -n s -g rg
az storage account keys renew -n s -g rg --key primary
az storage blob upload -c c -f x -n x
az storage blob delete-batch -s c
az storage container delete -n c
az sql db delete -g rg -s s -n d --yes
az sql db restore --dest-name d -g rg -s s -n d
az cosmosdb delete -n c -g rg
az keyvault secret set --vault-name v -n s --value x
az keyvault purge -n v
az ad sp create-for-rbac --role Owner
az ad user delete --id u
az role assignment create --assignee u --role Owner --scope /
az network nsg rule create -g rg --nsg-name n -n r --priority 100
az deployment group create -g rg -f main.bicep
az deployment sub delete -n d
az resource delete --ids /subscriptions/1/x
az resource lock delete -n l -g rg
az lock delete -n l -g rg
az policy assignment delete -n p
az monitor alert delete -n a -g rg
az servicebus queue delete -n q -g rg --namespace-name n
az redis force-reboot -n r -g rg --reboot-type AllNodes
az pipelines run --name p
az repos pr complete --id 1
az repos pr create -t t
az boards work-item delete --id 1 --yes
az account subscription cancel --id s
az rest -m DELETE -u https://management.azure.com/x
az rest --method=put --uri https://graph.microsoft.com/x
azcopy remove 'https://s.blob.core.windows.net/c?sas' --recursive
azcopy sync ./d 'https://s.blob.core.windows.net/c' --delete-destination=true
azcopy copy x 'https://s.blob.core.windows.net/c/x'
# other clouds
doctl compute droplet delete web --force
doctl compute droplet-action power-off 1
doctl kubernetes cluster delete c
doctl databases delete d
doctl apps create-deployment a
doctl -t x registry repository delete-tag r 1
hcloud server delete web
hcloud server poweroff web
hcloud firewall remove-from-resource f --type server --server web
linode-cli linodes delete 1
linode-cli linodes reboot 1
scw instance server terminate 1
civo kubernetes remove c
vultr-cli instance delete 1
ibmcloud ks cluster rm -c c
ibmcloud cf push app
ibmcloud iam api-key-delete k
oci compute instance action --action STOP --instance-id o
oci os object bulk-delete -bn b
oci db autonomous-database delete --autonomous-database-id o
openstack server delete web
openstack volume delete v
openstack server reboot --hard web
openstack security group rule create --dst-port 22 default
aliyun ecs StopInstance --InstanceId i
aliyun oss rm oss://b/x
tccli cvm TerminateInstances --InstanceIds '["i"]'
yc compute instance delete web
exo compute instance delete web
s3cmd rb s3://b
s3cmd sync --delete-removed ./ s3://b
s5cmd rm 's3://b/*'
s5cmd cp x s3://b/
b2 delete-bucket b
b2 sync --delete d b2://b
mc rm --recursive --force play/b
mc mirror --remove d play/b
mc admin user remove play u
mc admin service restart play
swift delete c
ossutil rm oss://b -r
# platforms
vercel deploy
vercel rm shop --yes
vercel env rm KEY production
vercel domains rm example.com
vercel promote https://x.vercel.app
vercel rollback
vercel alias set x.vercel.app shop.example.com
npx vercel --prod
netlify deploy --prod --dir=dist
netlify sites:delete s
netlify env:set A b
netlify api deleteSite --data '{"site_id":"x"}'
heroku apps:destroy -a shop --confirm shop
heroku pg:reset DATABASE_URL -a shop
heroku pg:promote HEROKU_POSTGRESQL_RED
heroku config:set A=b
heroku -a shop ps:scale web=0
heroku releases:rollback v3
heroku restart -a shop
heroku addons:destroy redis
heroku maintenance:on
heroku container:push web
heroku pipelines:promote
heroku access:add x@example.com
firebase deploy --only hosting
firebase -P prod deploy
firebase hosting:disable
firebase functions:delete f --force
firebase firestore:delete --all-collections
firebase database:set / x.json
firebase auth:import x.json
firebase hosting:channel:delete c
fly deploy --remote-only
fly apps destroy shop -y
flyctl -a shop scale count 0
fly machine stop 1
fly volumes destroy v
fly secrets set A=b
fly postgres failover
fly -t ci set-pipeline -p p -c p.yml
fly -t ci destroy-pipeline -p p
railway up
railway down
railway redeploy
render services delete s
render deploys create srv-1
wrangler deploy
wrangler publish
wrangler secret put X
wrangler kv key delete --namespace-id n k
wrangler kv:key put --binding B k v
wrangler r2 object delete b/x
wrangler d1 delete d
wrangler d1 migrations apply d --remote
wrangler pages deploy dist
wrangler rollback
wrangler queues delete q
supabase db push
supabase functions deploy f
supabase secrets set A=b
supabase projects delete p
supabase db reset --linked
amplify push -y
amplify delete
amplify publish
ampx pipeline-deploy --branch main --app-id a
eb deploy prod
eb terminate prod --force
eb setenv A=b
sam deploy --guided
sam delete --no-prompts
sam sync --stack-name s
sls deploy -s prod
serverless remove --stage prod
sls deploy function -f f
sst deploy --stage prod
sst remove --stage prod
copilot svc deploy --name api
copilot app delete
chalice deploy
zappa update prod
zappa undeploy prod
kamal deploy
kamal app stop
kamal setup
cap production deploy
eas submit -p ios
eas update --branch production
surge ./public shop.surge.sh
npx gh-pages -d build
dokku apps:destroy shop
cf push
cf delete shop -f
cf delete-service db
cf stop shop
platform environment:delete
convex deploy
shopify theme push
shopify app deploy
pm2 delete all
pm2 kill
fastlane ios release
fastlane supply
modal deploy app.py
astro deploy
astro deployment delete d
# services
auth0 users delete u
auth0 clients update c
auth0 tenant-settings update set x
okta apps delete a
ldcli flags delete --flag f
ldcli flags toggle-on --flag f
doppler secrets set A=b
doppler secrets delete A -y
doppler configs delete dev -y
infisical secrets delete A
op item delete x
op vault delete v
bw delete item 1
stripe customers delete cus_1
stripe refunds create --charge ch_1
stripe products update prod_1 --name x
twilio api:core:messages:create --to 1 --from 2 --body x
twilio phone-numbers:update +1 --sms-url x
pscale branch delete db dev --force
pscale deploy-request deploy db 1
neonctl branches delete b
neonctl projects delete p
turso db destroy d
atlas clusters delete c --force
atlas clusters pause c
atlas dbusers create --username u
confluent kafka topic delete t
confluent kafka cluster delete lkc-1
confluent connect cluster pause lcc-1
fastly service delete --service-id s
fastly compute publish
fastly purge --all
fastly backend create --name x --version 1
cloudflared tunnel delete t
tailscale funnel 443 on
sentry-cli releases delete v1
dog monitor delete 1
pd incident resolve --ids 1
newrelic entity tags delete --guid g
algolia indices delete i
apigeecli apis delete --name a
deck sync
deck gateway reset
kong migrations reset
databricks clusters permanent-delete 1
databricks fs rm -r dbfs:/x
databricks bundle destroy
databricks jobs run-now 1
airflow dags delete d
airflow db reset
airflow tasks clear d
airflow variables set k v
prefect deployment delete d
mlflow experiments delete --experiment-id 1
hf upload o/r ./x
huggingface-cli upload o/r ./x
huggingface-cli repo create r
kaggle datasets create -p x
ollama push o/m
sf org delete scratch -o x
sf project deploy start
jira issue delete X-1
slack deploy
kcadm.sh delete users/1 -r shop
couchbase-cli bucket-delete -c h --bucket b
wp plugin delete x
wp db reset --yes
wp post delete 1 --force
# vault, nomad, consul
vault delete secret/x
vault kv put secret/x a=b
vault kv metadata delete secret/x
vault kv destroy -versions=2 secret/x
vault -namespace=admin secrets disable kv/
vault auth disable github/
vault policy write p p.hcl
vault policy delete p
vault lease revoke -prefix database/creds
vault token revoke -accessor a
vault operator seal
vault operator rekey -init
vault operator raft snapshot restore x.snap
vault operator raft remove-peer n2
vault namespace delete ns
vault audit disable file
bao secrets disable kv/
nomad job run web.hcl
nomad run web.hcl
nomad job stop -purge web
nomad stop web
nomad job revert web 3
nomad job scale web 0
nomad alloc stop a
nomad node drain -enable -self
nomad system gc
nomad namespace delete n
nomad var purge x
nomad operator raft remove-peer -peer-id=1
nomad acl bootstrap
consul kv put a b
consul kv delete -recurse a
consul leave
consul force-leave n2
consul services deregister -id=web
consul acl token delete -id x
consul config delete -kind service-defaults -name web
consul intention create -deny a b
consul snapshot restore x.snap
# forges and pipelines
gh repo delete o/r --yes
gh repo archive o/r
gh repo edit --visibility public
gh repo create o/r --public
gh repo rename x
gh pr create --fill
gh pr merge 1 --squash --delete-branch
gh pr close 1
gh pr comment 1 -b hi
gh pr review 1 --approve
gh pr edit 1 --add-label x
gh issue create -t t -b b
gh issue close 1
gh issue delete 1 --yes
gh issue transfer 1 o/r2
gh release create v1 dist/* --notes x
gh release upload v1 x.tgz --clobber
gh release delete v1 --cleanup-tag
gh release edit v1 --draft=false
gh --repo o/r secret set X --body y
gh secret delete X
gh variable set X --body y
gh workflow run deploy.yml -f env=prod
gh workflow disable ci
gh run rerun 1 --failed
gh run cancel 1
gh run delete 1
gh cache delete --all
gh gist create x
gh gist delete g
gh label delete l
gh label clone o/r2
gh ssh-key add k.pub
gh codespace delete -c c
gh project item-delete 1 --id x
gh ruleset delete 1
gh repo sync o/fork
gh repo fork o/r
gh repo deploy-key delete 1
glab mr merge 1
glab mr create --fill
glab mr close 1
glab mr note 1 -m hi
glab ci run -b main
glab ci cancel pipeline 1
glab ci retry 1
glab release create v1
glab repo delete o/r
glab variable delete X
glab issue close 1
glab schedule delete 1
glab token revoke 1
hub pull-request -m x
tea releases create --tag v1
java -jar jenkins-cli.jar -s https://ci.example.com/ delete-job x
java -jar jenkins-cli.jar -s https://ci.example.com/ -auth u:t build shop -s
java -jar jenkins-cli.jar -s https://ci.example.com/ groovy = < x.groovy
circleci context remove-secret github o c X
circleci orb publish orb.yml o/orb@1.0.0
drone build promote o/r 1 prod
drone secret rm o/r --name x
buildkite-agent pipeline upload
bk build cancel 1
gitlab-runner unregister --name r
gitlab-runner register
gitlab-runner verify --delete
travis env set X y
goreleaser release --clean
# machines
ansible-playbook -i inventory/prod site.yml
ansible-playbook site.yml --limit web --tags deploy
ansible all -m command -a 'reboot'
ansible -i hosts web -b -m apt -a 'name=nginx state=absent'
ansible web -a uptime
ansible-pull -U https://example.com/r.git
ansible-galaxy collection publish x.tar.gz
salt '*' cmd.run 'rm -rf /srv'
salt 'web*' state.highstate
salt '*' service.restart nginx
salt '*' pkg.install nginx
salt-call --local state.apply
salt-run state.orchestrate orch.deploy
salt-key -D
puppet agent --test
puppet apply manifests/site.pp
puppet resource package nginx ensure=absent
puppet node purge web1
puppetserver ca clean --certname web1
bolt plan run deploy -t web
bolt command run 'systemctl restart nginx' --targets web
chef-client -o recipe
knife node delete web1 -y
knife cookbook upload shop
knife ssh 'role:web' 'sudo chef-client'
knife bootstrap 10.0.0.1
knife data bag delete b
vagrant destroy web -f
vagrant box remove ubuntu
vagrant snapshot delete s
vagrant cloud publish o/b 1.0 virtualbox x.box
virsh destroy vm1
virsh undefine vm1 --nvram
virsh snapshot-delete vm1 s
virsh -c qemu:///system vol-delete --pool default v
VBoxManage unregistervm vm1 --delete
VBoxManage controlvm vm1 poweroff
VBoxManage snapshot vm1 delete s
multipass delete --all --purge
limactl delete default
colima delete
qm destroy 100 --purge
qm stop 100
pct destroy 101
pvesh delete /nodes/n/qemu/100
incus delete web --force
lxc delete web
lxc image delete x
govc vm.destroy web
govc vm.power -off web
xe vm-destroy uuid=1
xe vm-shutdown uuid=1 force=true
nixos-rebuild switch --flake .
colmena apply --on web
# queues and streams
kafka-topics.sh --bootstrap-server b:9092 --delete --topic t
kafka-topics --alter --topic t --partitions 10 --bootstrap-server b
kafka-configs.sh --alter --entity-type topics --entity-name t --add-config retention.ms=1
kafka-consumer-groups.sh --bootstrap-server b --group g --reset-offsets --to-latest --all-topics --execute
kafka-consumer-groups --delete --group g --bootstrap-server b
kafka-acls --remove --topic t --bootstrap-server b
kafka-delete-records.sh --offset-json-file o.json --bootstrap-server b
kafka-reassign-partitions.sh --execute --reassignment-json-file r.json
zookeeper-shell.sh zk:2181 deleteall /brokers
rpk topic delete t
rpk cluster config set a b
rpk topic produce t
pulsar-admin namespaces delete a/b
pulsar-admin topics delete persistent://a/b/c
pulsar-admin namespaces set-retention a/b --size 1G --time 1h
rabbitmqctl delete_queue q
rabbitmqctl purge_queue q
rabbitmqctl -n rabbit@a stop_app
rabbitmqctl reset
rabbitmqctl set_policy ha . '{}'
rabbitmqctl add_user u p
rabbitmqctl clear_permissions u
rabbitmqctl eval 'init:stop().'
rabbitmqadmin delete queue name=q
rabbitmqadmin purge queue name=q
rabbitmqadmin declare exchange name=e type=direct
rabbitmqadmin publish routing_key=q payload=x
rabbitmq-plugins disable rabbitmq_management
nats stream rm ORDERS -f
nats stream purge ORDERS
nats -s nats://h:4222 stream edit ORDERS --subjects x
nats consumer rm ORDERS c
nats kv del b k
nats kv put b k v
nats object rm b x
nats pub orders hello
nats server raft step-down
celery -A shop purge -f
celery -A shop control shutdown
temporal workflow terminate -w x
temporal schedule delete -s x
emqx_ctl clients kick c
# backups
borg delete /srv/repo::old
borg prune -v --keep-daily=7 /srv/repo
borg compact /srv/repo
borg break-lock /srv/repo
borgmatic prune
restic forget --keep-daily 7 --prune
restic -r s3:s3.amazonaws.com/b prune
restic unlock
restic key remove k
restic rewrite --exclude x --forget
kopia snapshot delete k --delete
kopia policy set --global --keep-latest 1
duplicity remove-all-but-n-full 2 --force s3://b
rdiff-backup --remove-older-than 30D /srv/b
tarsnap -d -f a
snapper -c root delete 1-10
timeshift --delete-all
pgbackrest --stanza=main stanza-delete --force
barman delete main oldest
wal-g delete before FIND_FULL base_1 --confirm
tmutil delete /Volumes/B/x
# storage, clusters, directories
hdfs dfs -rm -r -skipTrash /data
hadoop fs -put x /data
yarn application -kill application_1
ceph osd purge 3 --yes-i-really-mean-it
ceph osd out 3
rados -p images rm o
rbd snap purge pool/img
radosgw-admin bucket rm --bucket=b --purge-objects
gluster volume stop v
patronictl -c p.yml switchover shop
patronictl reinit shop n1
tiup cluster scale-in c -N 10.0.0.1:20160
juju destroy-model prod
juju deploy postgresql
pcs resource delete r
crm configure erase
certbot revoke --cert-path x
dnscontrol push
octodns-sync --config-file x --doit
pdnsutil delete-zone example.com
nsupdate -k k x
ldapmodify -f x.ldif
ipa user-del u
samba-tool user delete u
kadmin -q 'delprinc u'
amtool silence expire s
mimirtool rules load x.yaml
jf rt upload x repo/
jf rt del repo/x --quiet
octopus release deploy --project p
aws-nuke run -c x --no-dry-run
ecs-cli compose down
"""

SILENT = """
# kubectl and its kin
kubectl get pods -A -o wide
kubectl get secret db -o yaml
kubectl get deploy delete -n shop
kubectl describe node node-3
kubectl logs -f deploy/api --since=5m
kubectl top nodes
kubectl explain pod.spec
kubectl diff -f x.yaml
kubectl api-resources
kubectl auth can-i delete pods
kubectl auth whoami
kubectl rollout status deploy/api
kubectl rollout history deploy/api
kubectl apply -f x.yaml --dry-run=server
kubectl apply view-last-applied deploy/api
kubectl create deployment x --image=y --dry-run=client -o yaml
kubectl delete pod x --dry-run=client
kubectl label pods x --list
kubectl set image deploy/api api=x --local -o yaml -f d.yaml
kubectl config get-contexts
kubectl config use-context dev
kubectl config set-context --current --namespace=shop
kubectl port-forward svc/api 8080:80
kubectl proxy
kubectl exec -it api-0 -- ls /
kubectl cp shop/api-0:/var/log/app.log ./app.log
kubectl wait --for=condition=ready pod -l app=api
kubectl kustomize overlays/prod
kubectl cluster-info
kubectl version --client
kubectl delete -h
kubectl help delete
kubectl --context delete get pods
kubectl krew install neat
kubectl argo rollouts get rollout api
kubectl events --watch
oc get projects
oc project shop
oc login https://api.example.com
oc status
oc adm top nodes
oc adm must-gather
oc logs bc/api
minikube start --driver=docker
minikube stop
minikube kubectl -- get pods
minikube addons enable ingress
kind create cluster --name dev
kind get clusters
kind load docker-image x
k3d cluster list
kubectx dev
kubens shop
k9s
stern api
# helm and GitOps
helm list -A
helm ls
helm status web
helm get values web
helm history web
helm template web ./chart
helm lint ./chart
helm show values x/y
helm search repo delete
helm repo add x https://charts.example.com
helm repo update
helm dependency update ./chart
helm pull x/y --untar
helm package ./chart
helm create chart
helm upgrade web ./chart --dry-run=server
helm diff upgrade web ./chart
helm env
helm registry login r.example.com
helm help uninstall
helmfile diff
helmfile -e prod template
helmfile list
argocd app get shop
argocd app list
argocd app diff shop
argocd app history shop
argocd app logs shop
argocd login cd.example.com
argocd context
argocd cluster list
argocd app sync shop --dry-run
argocd account can-i sync applications '*'
flux get kustomizations -A
flux logs --follow
flux check --pre
flux tree kustomization apps
flux create kustomization x --export
flux diff kustomization apps --path ./apps
flux events
istioctl analyze
istioctl proxy-status
istioctl proxy-config routes x
istioctl version
istioctl manifest generate
velero backup get
velero backup describe nightly
velero backup logs nightly
velero restore get
velero version
skaffold dev
skaffold build
skaffold render
skaffold diagnose
kapp inspect -a shop
kapp list
werf build
okteto namespace list
tk diff environments/prod
tk show environments/prod
argo list
argo logs @latest
argo lint x.yaml
tkn pipelinerun logs -f x
tkn pipeline list
cilium status
kn service list
eksctl get clusters
eksctl utils write-kubeconfig --cluster shop
eksctl info
kops get clusters
kops validate cluster
kops export kubeconfig
kubeadm config images list
kubeadm upgrade plan
kubeadm certs check-expiration
kubeadm token list
talosctl -n 10.0.0.2 get members
talosctl dmesg
talosctl health
talosctl etcd members
rancher clusters ls
# terraform and its kin
terraform plan -destroy -out x
terraform plan -var delete=1
terraform init -upgrade
terraform init -backend-config=x -reconfigure
terraform validate
terraform fmt -recursive
terraform show tfplan
terraform output -raw x
terraform state list
terraform state show aws_instance.web
terraform state pull
terraform workspace list
terraform workspace new dev
terraform workspace select prod
terraform providers lock
terraform graph
terraform console
terraform get
terraform version
terraform login
terraform test
terraform apply -help
terraform -help destroy
terraform -chdir=infra plan
tofu plan
terragrunt plan
terragrunt run-all plan
terragrunt run --all plan
terragrunt hclfmt
terragrunt output
terragrunt stack output
pulumi preview --diff
pulumi stack ls
pulumi stack output
pulumi stack select dev
pulumi stack init dev
pulumi config set a b
pulumi config get a
pulumi login
pulumi whoami
pulumi about
pulumi logs
pulumi new aws-typescript
pulumi plugin install resource aws
pulumi up --help
cdk synth
cdk diff
cdk ls
cdk doctor
cdk init app
cdk deploy --no-execute
packer validate x.pkr.hcl
packer init .
packer fmt .
packer inspect x
azd env list
azd package
rain ls
rain fmt x.yaml
sceptre list stacks
# containers
docker ps -aq
docker images
docker build -t shop/api:1 .
docker build -t prune .
docker run --rm -it -v .:/app node:20 npm test
docker run -d --name rm nginx
docker run alpine kill -l
docker exec -it web sh
docker exec web ls
docker start web
docker restart web
docker logs --tail 100 -f web
docker inspect web
docker cp web:/x ./x
docker tag a b
docker save -o x.tar img
docker load -i x.tar
docker pull nginx
docker login -u x
docker compose up -d --build
docker compose ps
docker compose logs -f api
docker compose run --rm api pytest
docker compose exec api rm --help
docker compose build
docker compose pull
docker compose config
docker compose restart api
docker compose --dry-run down
docker-compose -f x.yml up
docker volume ls
docker volume create x
docker network inspect shop
docker network create x
docker system df
docker system info
docker context ls
docker context use prod
docker buildx ls
docker buildx build -t x --load .
docker buildx bake --print
docker swarm join-token worker
docker service ls
docker service logs api
docker node ls
docker stack services shop
docker stack ps shop
docker stats --no-stream
docker history x
docker manifest inspect x
docker search rm
docker top web
docker rm --help
docker help rm
podman ps
podman pod ps
podman build .
podman machine start
podman machine list
podman generate kube web
nerdctl ps
buildah bud -t x .
skopeo inspect docker://x
skopeo list-tags docker://x
skopeo copy docker://x dir:/tmp/x
crane ls r.example.com/x
crane digest r.example.com/x:1
crane pull r.example.com/x x.tar
oras pull r.example.com/x
oras repo tags r.example.com/x
regctl tag ls r.example.com/x
cosign verify --key k r.example.com/x
crictl ps
crictl images
ctr images ls
pack build x
docker run --rm amazon/aws-cli s3 ls
docker run --rm hashicorp/terraform:1.9 plan
docker run --rm alpine/git log
dive x
hadolint Dockerfile
trivy image x
# aws
aws s3 ls s3://b --recursive
aws s3 cp s3://b/x ./x
aws s3 sync s3://b ./local
aws s3 cp s3://b/x -
aws s3 presign s3://b/x
aws s3 rm s3://b/x --dryrun
aws s3api head-object --bucket b --key x
aws s3api get-object --bucket b --key delete x
aws s3api list-objects-v2 --bucket b --prefix delete
aws s3api get-bucket-policy --bucket b
aws ec2 describe-instances --filters Name=tag:x,Values=delete
aws ec2 terminate-instances --instance-ids i-1 --dry-run
aws ec2 get-console-output --instance-id i-1
aws ec2 wait instance-running --instance-ids i-1
aws sts get-caller-identity
aws sts assume-role --role-arn a --role-session-name s
aws sts decode-authorization-message --encoded-message m
aws iam list-users
aws iam get-role --role-name x
aws iam simulate-principal-policy --policy-source-arn a --action-names s3:DeleteObject
aws iam generate-credential-report
aws lambda list-functions
aws lambda get-function --function-name x
aws lambda invoke --function-name x --invocation-type DryRun out
aws logs tail /aws/lambda/x --follow
aws logs filter-log-events --log-group-name g
aws logs start-query --log-group-name g --query-string 'fields @message'
aws logs get-query-results --query-id q
aws cloudformation validate-template --template-body file://t.yaml
aws cloudformation describe-stacks
aws cloudformation list-stacks
aws cloudformation detect-stack-drift --stack-name s
aws cloudformation deploy --template-file t --stack-name s --no-execute-changeset
aws ecr get-login-password
aws eks update-kubeconfig --name c
aws eks list-clusters
aws dynamodb scan --table-name t
aws dynamodb query --table-name t
aws dynamodb batch-get-item --request-items file://r.json
aws dynamodb execute-statement --statement 'SELECT * FROM t'
aws sqs receive-message --queue-url q
aws sqs get-queue-attributes --queue-url q
aws ssm get-parameter --name /x
aws ssm describe-instance-information
aws secretsmanager list-secrets
aws kms decrypt --ciphertext-blob fileb://x
aws cloudwatch get-metric-statistics --namespace n
aws cloudtrail lookup-events
aws ce get-cost-and-usage --time-period Start=2024-01-01,End=2024-02-01
aws athena start-query-execution --query-string 'SELECT 1'
aws athena get-query-results --query-execution-id q
aws configure list
aws configure get region
aws configure sso
aws sso login --profile p
aws help
aws ec2 help
aws ec2 delete-volume help
aws ec2 delete-volume --generate-cli-skeleton
aws --version
aws rds describe-db-instances --query 'DBInstances[].delete'
aws rds download-db-log-file-portion --db-instance-identifier i --log-file-name l
aws route53 list-hosted-zones
aws route53 test-dns-answer --hosted-zone-id z --record-name n --record-type A
aws bedrock-runtime invoke-model --model-id m out
aws comprehend detect-sentiment --text x --language-code en
# gcloud
gcloud compute instances list --filter='name=delete'
gcloud compute instances describe web
gcloud compute ssh web
gcloud compute instances get-serial-port-output web
gcloud compute config-ssh
gcloud config list
gcloud config set project p
gcloud config configurations activate c
gcloud auth login
gcloud auth application-default login
gcloud auth print-access-token
gcloud auth configure-docker
gcloud components update
gcloud projects list
gcloud projects get-iam-policy p
gcloud container clusters get-credentials c
gcloud container clusters list
gcloud container images list-tags x
gcloud run services list
gcloud run services describe api
gcloud run services logs read api
gcloud functions logs read f
gcloud functions describe f
gcloud app logs tail
gcloud app browse
gcloud builds list
gcloud builds log b
gcloud deploy releases list
gcloud beta deploy rollouts describe r
gcloud sql instances list
gcloud sql instances describe i
gcloud logging read 'severity>=ERROR' --limit 10
gcloud pubsub subscriptions pull s --limit 1
gcloud pubsub topics list
gcloud secrets versions access latest --secret s
gcloud storage ls gs://b
gcloud storage cat gs://b/x
gcloud storage cp gs://b/x .
gcloud kms keys list --keyring k --location l
gcloud kms import-jobs list --location l --keyring k
gcloud compute os-config patch-jobs list
gcloud dns record-sets list -z z
gcloud spanner databases execute-sql d --instance=i --sql='SELECT 1'
gcloud asset search-all-resources
gcloud help compute instances delete
gcloud compute instances delete --help
gcloud info
gcloud version
gcloud topic filters
gcloud iam roles list
gcloud services list --enabled
gcloud scheduler jobs list
gsutil ls -l gs://b
gsutil cat gs://b/x
gsutil cp gs://b/x .
gsutil du -s gs://b
gsutil stat gs://b/x
gsutil iam get gs://b
gsutil acl get gs://b/x
gsutil -m rsync -n -d . gs://b
gsutil help rm
bq ls d
bq show d.t
bq head d.t
bq query 'SELECT 1'
cbt ls
cbt read t
# azure
az account show
az account list -o table
az account set -s sub
az account get-access-token
az login --use-device-code
az group list
az group show -n rg
az group exists -n rg
az group export -n rg
az vm list -o table
az vm show -g rg -n vm -d
az vm list-sizes -l westeurope
az vm run-command list -l westeurope
az vm get-instance-view -g rg -n vm
az aks get-credentials -g rg -n c
az aks list
az aks install-cli
az webapp log tail -g rg -n w
az webapp config appsettings list -g rg -n w
az acr login -n r
az acr repository list -n r
az acr import-pipeline list -r r -g rg
az storage blob list -c c
az storage blob download -c c -n x -f x
az storage blob generate-sas -c c -n x
az storage account show-connection-string -n s
az storage account keys list -n s
az keyvault secret list --vault-name v
az keyvault secret show --vault-name v -n s
az deployment group what-if -g rg -f main.bicep
az deployment group validate -g rg -f main.bicep
az deployment group show -g rg -n d
az monitor metrics list --resource r
az monitor log-analytics query -w w --analytics-query q
az monitor activity-log list
az ad user show --id u
az role assignment list
az network nsg rule list -g rg --nsg-name n
az pipelines runs list
az pipelines release list
az pipelines build tag list --build-id 1
az repos pr list
az repos pr checkout --id 1
az boards query --wiql q
az graph query -q x
az resource list
az rest --url https://management.azure.com/x
az rest --method get --url https://management.azure.com/x
az bicep build -f main.bicep
az extension add -n x
az config set defaults.group=rg
az version
az upgrade
az find 'az vm delete'
az vm delete --help
az sql db list -g rg -s s
az sql mi link list -g rg --instance-name i
azcopy list 'https://s.blob.core.windows.net/c'
azcopy copy 'https://s.blob.core.windows.net/c/x' ./x
azcopy jobs list
azcopy login
# other clouds
doctl compute droplet list
doctl account get
doctl auth init
doctl kubernetes cluster kubeconfig save c
doctl apps logs a
hcloud server list
hcloud server describe web
hcloud context use x
linode-cli linodes list
linode-cli regions list
scw instance server list
civo kubernetes list
vultr-cli instance list
vultr-cli snapshot list
ibmcloud login
ibmcloud target -r eu-de
ibmcloud ks cluster ls
ibmcloud plugin install x
oci compute instance list -c c
oci os object list -bn b
oci iam region list
openstack server list
openstack server show web
openstack image list
aliyun ecs DescribeInstances
aliyun configure list
aliyun oss ls
tccli cvm DescribeInstances
yc compute instance list
exo compute instance list
s3cmd ls s3://b
s3cmd get s3://b/x
s3cmd info s3://b
s5cmd ls s3://b
b2 ls b
b2 list-buckets
mc ls play/b
mc cat play/b/x
mc alias set play https://play.example.com a b
mc admin info play
mc admin user list play
mc stat play/b/x
swift list
# platforms
vercel dev
vercel build
vercel ls
vercel env ls
vercel env pull .env.local
vercel link --yes
vercel logs x.vercel.app
vercel inspect x.vercel.app
vercel whoami
vercel login
vercel domains ls
vercel --help
netlify dev
netlify build
netlify status
netlify link
netlify login
netlify sites:list
netlify env:list
netlify env:get A
netlify functions:list
netlify functions:create f
netlify open
netlify api listSites
heroku apps
heroku apps:info -a shop
heroku config -a shop
heroku config:get A
heroku logs -t -a shop
heroku ps
heroku releases
heroku pg:info
heroku pg:diagnose
heroku addons
heroku local web
heroku login
heroku git:remote -a shop
heroku plugins:install x
heroku run bash -a shop
heroku help apps:destroy
firebase emulators:start
firebase emulators:exec 'npm test'
firebase use dev
firebase login
firebase projects:list
firebase functions:log
firebase functions:config:get
firebase hosting:channel:list
firebase serve
firebase init
fly status
fly logs -a shop
fly apps list
fly secrets list
fly scale show
fly machines list
fly auth login
fly config show
fly volumes list
fly doctor
fly proxy 5432 -a db
railway logs
railway status
railway run npm start
railway variables
railway link
railway login
render services list
wrangler dev
wrangler tail
wrangler whoami
wrangler types
wrangler kv namespace list
wrangler kv key get --binding B k
wrangler d1 list
wrangler d1 execute d --local --command 'SELECT 1'
wrangler deploy --dry-run
wrangler deployments list
wrangler pages dev dist
wrangler r2 bucket list
wrangler secret list
supabase start
supabase stop
supabase status
supabase db diff
supabase db pull
supabase gen types typescript --local
supabase functions serve
supabase functions list
supabase migration new x
supabase login
amplify status
amplify pull
amplify mock api
eb status
eb logs
eb list
eb health
sam build
sam validate
sam local invoke F
sam local start-api
sam logs -n F
sam list resources
sls offline
sls info
sls print
sls logs -f f
sls invoke local -f f
sst dev
copilot svc logs
copilot svc status
copilot app ls
chalice local
kamal app logs
kamal details
kamal config
cap -T
eas build:list
eas whoami
expo start
expo install x
expo prebuild
surge list
cf apps
cf logs shop --recent
cf target -s dev
cf login
platform environment:list
convex dev
shopify theme dev
shopify theme list
shopify theme pull
pm2 list
pm2 logs
pm2 start app.js
pm2 restart app
fastlane test
modal run app.py
# services
auth0 apps list
auth0 users show u
auth0 logs tail
auth0 login
ldcli flags list
ldcli flags get --flag f
ldcli login
doppler secrets
doppler secrets get A --plain
doppler run -- npm start
doppler setup
doppler login
infisical run -- npm start
op item list
op run -- npm start
op signin
bw sync
stripe customers list
stripe customers retrieve cus_1
stripe listen --forward-to localhost:3000
stripe logs tail
stripe login
twilio phone-numbers:list
twilio login
pscale branch list db
pscale connect db main
pscale shell db main
pscale deploy-request diff db 1
neonctl branches list
neonctl connection-string
turso db list
turso db show d
atlas clusters list
atlas clusters describe c
atlas auth login
confluent kafka topic list
confluent kafka topic describe t
confluent login
fastly service list
fastly compute serve
fastly compute build
fastly log-tail
cloudflared tunnel list
cloudflared tunnel info t
tailscale status
tailscale ip -4
sentry-cli releases list
sentry-cli info
datadog-ci version
pd incident list
newrelic entity search --name x
algolia indices list
algolia search i --query x
apigeecli apis list
deck diff
deck dump
deck gateway ping
kong config parse kong.yml
databricks clusters list
databricks fs ls dbfs:/
databricks bundle validate
databricks auth login
airflow dags list
airflow tasks list d
airflow info
prefect deployment ls
mlflow ui
mlflow experiments search
hf download o/m
huggingface-cli whoami
huggingface-cli download o/m
kaggle datasets list
ollama run m
ollama list
ollama pull m
sf org list
sf project retrieve start
jira issue list
jira issue view X-1
wp plugin list
wp core version
wp post list
kcadm.sh get users -r shop
# vault, nomad, consul
vault status
vault read secret/x
vault list secret/
vault kv get -field=a secret/x
vault kv list secret/
vault kv metadata get secret/x
vault login -method=oidc
vault token lookup
vault policy list
vault policy read p
vault secrets list
vault auth list
vault operator raft list-peers
vault operator raft snapshot save x.snap
vault path-help kv
vault write auth/userpass/login/ann password=x
vault write transit/encrypt/k plaintext=x
vault server -dev
nomad status
nomad job status web
nomad job plan web.hcl
nomad job validate web.hcl
nomad job inspect web
nomad alloc logs a
nomad alloc status a
nomad node status
nomad server members
nomad agent -dev
nomad version
consul members
consul kv get -recurse a
consul kv export
consul catalog services
consul agent -dev
consul operator raft list-peers
consul acl token list
consul monitor
consul snapshot save x.snap
# forges and pipelines
gh pr list --author @me
gh pr view 1 --comments
gh pr diff 1
gh pr checks 1 --watch
gh pr checkout 1
gh pr status
gh pr create --dry-run
gh issue list -l delete
gh issue view 1
gh issue status
gh repo view o/r
gh repo clone o/r
gh repo list o
gh release list
gh release view v1
gh release download v1
gh run list
gh run view 1 --log
gh run watch 1
gh run download 1
gh workflow list
gh workflow view ci
gh secret list
gh variable list
gh gist list
gh gist view g
gh cache list
gh label list
gh search code 'delete from'
gh search prs --state=open
gh auth status
gh auth login
gh auth token
gh alias set co 'pr checkout'
gh config set editor vim
gh browse
gh api repos/o/r
gh codespace list
gh project list
gh project item-list 1
gh ruleset list
gh extension list
gh attestation verify x -R o/r
gh pr merge --help
gh help pr
glab mr list
glab mr view 1
glab mr diff 1
glab mr checkout 1
glab ci status
glab ci view
glab ci lint
glab ci trace 1
glab issue list
glab release list
glab repo view
glab repo clone o/r
glab repo archive o/r
glab variable list
glab auth login
glab auth status
hub pr list
hub browse
hub ci-status
tea issues ls
tea login add
java -jar jenkins-cli.jar -s https://ci.example.com/ list-jobs
java -jar jenkins-cli.jar -s https://ci.example.com/ get-job delete-job-x
java -jar app.jar delete
circleci config validate
circleci local execute
circleci context list github o
drone build ls o/r
drone lint
drone exec
buildkite-agent artifact download 'x' .
buildkite-agent meta-data get k
bk build list
gitlab-runner list
gitlab-runner status
gitlab-runner verify
travis lint
travis status
goreleaser check
goreleaser build --snapshot
goreleaser release --snapshot --clean
# machines
ansible-playbook --syntax-check site.yml
ansible-playbook -C -D site.yml
ansible-playbook site.yml --list-tasks
ansible all -m ping
ansible all -m setup -a 'filter=ansible_os*'
ansible all --list-hosts
ansible-inventory --list
ansible-doc apt
ansible-galaxy install -r requirements.yml
ansible-galaxy collection list
ansible-vault view x.yml
ansible-lint
ansible-config dump
salt '*' test.ping
salt '*' grains.get os
salt '*' pkg.list_pkgs
salt '*' service.status nginx
salt '*' state.apply test=True
salt-key -L
salt-run jobs.list_jobs
puppet agent --test --noop
puppet parser validate x.pp
puppet config print
puppet lookup x
puppet resource package
bolt plan show
bolt inventory show
chef-client -W
knife node list
knife node show web1
knife search node 'role:delete'
knife cookbook list
inspec exec x
vagrant up
vagrant status
vagrant ssh
vagrant halt
vagrant box list
virsh list --all
virsh dominfo vm1
virsh dumpxml vm1
virsh snapshot-list vm1
VBoxManage list vms
VBoxManage showvminfo vm1
multipass list
multipass launch
limactl list
limactl shell default
colima status
colima start
qm list
qm config 100
pct list
pvesh get /nodes
incus list
lxc info web
lxc image list
govc vm.info web
govc ls
xe vm-list
nixos-rebuild build
nixos-rebuild dry-activate
# queues and streams
kafka-topics.sh --list --bootstrap-server b
kafka-topics --describe --topic t --bootstrap-server b
kafka-consumer-groups --describe --group g --bootstrap-server b
kafka-consumer-groups --group g --reset-offsets --to-latest --dry-run --topic t
kafka-configs --describe --entity-type topics
kafka-acls --list
kafka-console-consumer --topic t --from-beginning --bootstrap-server b
zookeeper-shell.sh zk:2181 ls /brokers
rpk topic list
rpk topic consume t
rpk cluster info
pulsar-admin topics list a/b
pulsar-admin topics stats persistent://a/b/c
rabbitmqctl list_queues
rabbitmqctl status
rabbitmqctl cluster_status
rabbitmqctl list_users
rabbitmqadmin list queues
rabbitmqadmin show overview
rabbitmq-plugins list
rabbitmq-diagnostics ping
nats stream ls
nats stream info ORDERS
nats consumer info ORDERS c
nats sub orders
nats kv get b k
nats kv ls
nats server report jetstream
nats context ls
nats account info
celery -A shop inspect active
celery -A shop worker -l info
celery -A shop status
temporal workflow list
temporal workflow show -w x
temporal server start-dev
# backups
borg list /srv/repo
borg info /srv/repo::a
borg create /srv/repo::a ~/src
borg extract /srv/repo::a
borg check /srv/repo
borg prune --dry-run /srv/repo
borgmatic list
restic snapshots
restic backup ~/src
restic check
restic ls latest
restic diff a b
restic stats
restic forget --keep-last 1 --dry-run
restic find x
kopia snapshot list
kopia repository status
duplicity collection-status s3://b
duplicity list-current-files s3://b
rdiff-backup list increments /srv/b
tarsnap --list-archives
snapper list
timeshift --list
pgbackrest info
barman list-backup main
wal-g backup-list
tmutil listbackups
# storage, clusters, directories
hdfs dfs -ls /data
hdfs dfs -du -h /
hadoop fs -get /data/x .
yarn application -list
yarn add left-pad
ceph -s
ceph osd tree
rbd ls pool
radosgw-admin user list
gluster volume info
patronictl list shop
tiup cluster display c
juju status
pcs status
certbot certificates
dnscontrol preview
pdnsutil list-zone example.com
ldapsearch -x uid=u
ipa user-show u
samba-tool user list
amtool alert query
promtool check config x.yml
jf rt search repo/
jf rt ping
octopus release list
aws-nuke run -c x
ecs-cli ps
"""


def commands(table: str) -> list[str]:
    """The commands of a table, a line each, without its headings."""
    return [line for line in table.strip().splitlines() if not line.startswith("#")]
