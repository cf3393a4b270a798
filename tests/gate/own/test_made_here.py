"""What a line has made itself it may remove, if it certainly has made it."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.gate.example_project import PLACE, ROOT, RULES, Machine
from tests.tables import for_each

from operators_edge.gate.decide import assess
from operators_edge.model import Call

OWN = [
    "createdb scratch && make test && dropdb scratch",
    "createdb t_$$ && psql -d t_$$ -f schema.sql | tail -3 && dropdb --if-exists t_$$",
    'N=t1; createdb -h localhost $N > /dev/null 2>&1 && dropdb -h localhost "$N"',
    "git branch tmp && git checkout tmp && git checkout main && git branch -D tmp",
    "git checkout -q -b spike && make && git checkout -q main && git branch -D spike",
    "createdb t1 &&\n  make test \\\n  && dropdb t1",
    "git tag t1 && git describe && git tag -d t1",
    "git worktree add -q ../wt && (cd ../wt && make) && git worktree remove --force ../wt",
    "docker run -d --name pg -p 5432:5432 postgres:16 && make test && docker rm -f pg",
    "docker build -q -t app:test . && docker run --rm app:test && docker image rm app:test",
    "podman network create n && podman network rm n",
    "kind create cluster --name t1 && make e2e && kind delete cluster --name t1",
    "k3d cluster create t1 && k3d cluster delete t1",
    "kind create cluster && kubectl apply -f k8s/ && kubectl -n a delete pod x",
    "kind create cluster --name t1 --wait 60s && helm install a ./chart && kind delete cluster --name t1",
    "k3d cluster create t1 --agents 2 && kubectl create ns a",
    "minikube start --driver=docker && kubectl apply -f k8s/",
    'd=$(mktemp -d) && git init -q "$d" && cd "$d" && git commit -qm a && git reset --hard HEAD~1',
    'cd "$(mktemp -d)" && git init -q && for i in 1 2; do touch $i; done && git clean -fdx',
    "git clone -q --depth 1 . /tmp/copy && git -C /tmp/copy checkout -- .",
    'W=$(mktemp -d) && git clone -q --no-hardlinks . "$W/c" && git -C "$W/c" reset --hard v1 && make',
    'W=$(mktemp -d); git clone -q . "$W/c"; git -C "$W/c" branch -D main; git -C "$W/c" clean -fd',
    # nothing of that name can have been there before
    "docker compose -p shop-$$ up -d && make e2e; docker compose -p shop-$$ down -v",
    "P=web-$RANDOM; docker compose -p $P -f ci.yml up -d; docker compose -p $P -f ci.yml down --volumes",
    "docker compose -p shop-e2e run --rm tests; docker compose -p shop-e2e down -v --remove-orphans",
    "export COMPOSE_PROJECT_NAME=shop-$$; docker compose up -d; make e2e; docker compose down -v",
    "COMPOSE_PROJECT_NAME=x-test docker compose up -d; COMPOSE_PROJECT_NAME=x-test docker compose down -v",
    "T=$(mktemp -d); export KUBECONFIG=$T/k; kind create cluster --name a && kubectl apply -f k8s/",
    "export KUBECONFIG=$PWD/.kc; kind create cluster --name t1 && kubectl --context kind-t1 apply -f x",
    "trap 'docker compose -p a-$$ down -v' EXIT; docker compose -p a-$$ up -d && make e2e",
    "N=a-$RANDOM; end() { docker rm -f $N; }; trap end EXIT; docker run -d --name $N redis; make e2e",
    'V=$(docker volume create) && docker run --rm -v "$V":/d alpine true; docker volume rm "$V"',
    (
        "kind create cluster --name a-tmp --kubeconfig /tmp/k1 && kubectl --kubeconfig /tmp/k1 apply -f k8s/"
        "; kind delete cluster --name a-tmp --kubeconfig /tmp/k1"
    ),
    "kind create cluster --kubeconfig=/tmp/k1 --name a && helm --kubeconfig /tmp/k1 install a ./chart",
    "docker volume create v$$ && docker run --rm -v v$$:/v alpine true; docker volume rm v$$",
    'id=$(docker run -d --rm redis:7) && make test; docker rm -f "$id"',
    "id=$(docker run -d --rm redis:7); trap 'docker rm -f \"$id\" >/dev/null' EXIT INT; make test",
    'id=$(docker run -d --rm redis:7); trap "docker stop $id" EXIT; docker exec $id redis-cli flushall',
    "id=$(docker run -d --rm \\\n  -p 1:1 redis:7 \\\n  redis-server); trap 'docker rm -f \"$id\"' EXIT; pwd",
    "id=$(docker run -d a); trap 'docker rm -f $id' EXIT; while read -r n; do echo $n; done < names.txt",
    'id=; end() { docker rm -f "$id"; }; trap end EXIT; id=$(docker run -d a); make e2e',
    "id=''\ntrap 'docker rm -f \"$id\"' EXIT\nid=$(docker run -d a)\nmake e2e",
    "kind create cluster -n e2e && make e2e; kind delete cluster --name e2e",
    "minikube start -p ci-1 && kubectl --context ci-1 apply -f k8s/; minikube delete -p ci-1",
    "conda create -y -n t-$$ python=3.12 && make; conda env remove -y -n t-$$",
    # inside of a container with nothing of the machine in it
    "docker run --rm debian:12 bash -c 'useradd ci && passwd -d ci && rm -rf /usr/share/doc'",
    "podman run --rm -it -w /srv -e LANG=C --network build alpine sh -c 'chmod -R 777 / && rm -rf /srv'",
    "docker run -i --rm alpine sh <<'END'\nrm -rf /var/cache\nEND",
    "docker run -d --name db postgres:16 && docker exec db psql -U postgres -c 'drop table a'",
    "docker run --rm -d -p 55432:5432 postgres && sleep 5 && psql -h localhost -p 55432 -c 'drop table a'",
    "docker run -itd -p 127.0.0.1:6390:6379 redis:7 && redis-cli -p 6390 flushall",
    "docker run -d -p 37017:27017 mongo:7 && mongorestore --drop --uri mongodb://localhost:37017 dump",
    "docker run -d -p 37017:27017 mongo && mongoimport --drop --host localhost --port 37017 -c a a.json",
    "docker run -d -p 5499:5432 postgres && psql postgres://u:p@localhost:5499/a -c 'truncate b'",
    "docker run -d -p 5499:5432 postgres && DB_URL=pg+asyncpg://u:p@localhost:5499/a alembic stamp a",
    "docker run -d -p 5499:5432 postgres && DB_URL=pg://localhost:5499/a uv run alembic upgrade head; id",
    "docker run --rm -v /home/ann/shop:/src:ro node:20 sh -c 'cp -r /src /w && cd /w && rm -rf node_modules'",
    "docker run -d --name pg-test postgres:16; sleep 3; docker exec pg-test dropdb -U postgres app",
    "docker run -d --name pg-test -e POSTGRES_HOST_AUTH_METHOD=trust postgres; docker exec pg-test dropdb a",
    "n=pg-$RANDOM; docker run -d --name $n postgres; docker exec -u postgres $n psql -c 'truncate a'",
    'id=$(docker run -d mysql:8); docker exec -i "$id" mysql -uroot <<< "drop database shop"',
    # a name that nothing else can have
    "createdb x_$$; psql -h localhost -d x_$$ -c 'drop schema public cascade'; dropdb x_$$",
    'N=t_$RANDOM; createdb $N; psql -v ON_ERROR_STOP=1 "$N" -c "truncate a"; dropdb "$N"',
    "createdb scratch && psql -d scratch -c 'drop schema public cascade' && dropdb scratch",
    "createdb -h db a && psql postgres://u@db/a?sslmode=disable -c 'delete from b' && dropdb -h db a",
    'psql -c "create database x_$$"; psql -d x_$$ -f reset.sql; psql -c "drop database if exists x_$$"',
    "mysqladmin -u a create t_$$ && mysql -u a t_$$ -e 'drop table b' && mysqladmin -u a -f drop t_$$",
    'mysql -e "CREATE DATABASE t_$$"; mysql -D t_$$ -e "truncate a"; mysql -e "DROP DATABASE t_$$"',
    "mongosh --quiet t_$$ --eval 'db.a.insertOne({b: 1})'; mongosh t_$$ --eval 'db.dropDatabase()'",
    "mongosh mongodb://localhost:27017/t_$$ --eval 'db.dropDatabase()'",
    "git init -q --bare /tmp/m.git && git push -q /tmp/m.git HEAD:refs/heads/main",
    "git clone -q --bare . /tmp/m.git && git push --mirror file:///tmp/m.git",
]
NOT_OWN = [
    "git push /tmp/m.git HEAD",
    "git init -q --bare /tmp/there && git push /tmp/there HEAD",
    "git init -q --bare /srv/m.git && git push /srv/m.git HEAD",
    "git init -q --bare nas:m.git && git push nas:m.git HEAD",
    "git init -q --bare /tmp/m.git && git push origin HEAD",
    "git init -q --bare /tmp/m.git && git push /tmp/m.git HEAD && git push origin HEAD",
    "git init -q --bare /tmp/m.git && cp x /tmp/m.git/hooks/update && git push /tmp/m.git HEAD",
    "git init -q --bare /tmp/m.git && echo x > /tmp/m.git/hooks/update && git push /tmp/m.git HEAD",
    "git init -q --bare /tmp/m.git && cd /tmp/m.git/hooks && cp ~/x update && git push /tmp/m.git HEAD",
    "git init -q --bare /tmp/m.git && git -c url.ssh://nas/.pushInsteadOf=/tmp/m git push /tmp/m.git HEAD",
    "git init -q --bare /tmp/m.git && git config url.ssh://nas/.insteadOf /tmp/m && git push /tmp/m.git HEAD",
    "git init -q --bare /tmp/m.git && git push --receive-pack=./x /tmp/m.git HEAD",
    "ln -s /srv/m.git /tmp/m.git; git init -q --bare /tmp/m.git && git push /tmp/m.git HEAD",
    "d=$(mktemp -d); git init -q --bare $d/m; cp x $d/m/hooks/post-receive; git push $d/m HEAD",
    "createdb x_$$; psql -d shop -c 'drop schema public cascade'",
    "createdb x_$$; psql -d x_$$ -d shop -c 'drop table a'",
    "createdb x_$$; psql shop x_$$ -c 'drop table a'",
    "createdb x_$$; psql -U x_$$ shop -c 'drop table a'",
    "createdb x_$$; psql 'postgres://localhost/x_$$?dbname=shop' -c 'drop table a'",
    "createdb x_$$; psql \"postgres://localhost/x_$$?dbname=shop\" -c 'drop table a'",
    "createdb x_$$; psql -d x_$$ -c '\\c shop' -c 'drop table a'",
    "createdb x_$$; psql -d x_$$ -c 'drop database shop'",
    "createdb x_$$; psql -d x_$$ -c 'drop role app; drop table a'",
    "createdb x_$$; psql -d x_$$ -c 'select pg_terminate_backend(1)'",
    "createdb x_$$; psql -d x_$$ -f elsewhere.sql",
    'createdb x_$$; psql -d x_$$ -f "$F"',
    'createdb x_$$; zcat dump.gz | psql -d x_$$; psql -d x_$$ -c "$SQL"',
    "createdb x_$$; PGDATABASE=shop psql -c 'drop table x_$$'",
    "createdb a && psql -h db -d a -c 'drop table b'",
    "createdb -p 5433 a && psql -d a -c 'drop table b'",
    "createdb a; psql -d a -c 'drop table b'",
    "dropdb -h db x_$$; pwd",  # a process of another machine may have such a number
    "createdb x_$$; psql -h db -d x_$$ -c 'drop table b'",
    "ssh db dropdb x_$$; pwd",
    "createdb x_$$; psql -c 'alter database shop rename to x_$$'; dropdb x_$$",
    'psql -c "create database x_$$"; psql -c "drop database shop"',
    'psql -c "create database shop"; psql -c "drop database shop"',
    "mysqladmin create t_$$ && mysql t_$$ -e 'drop table shop.a'",
    "mysqladmin create t_$$ && mysql t_$$ -e 'use shop; drop table a'",
    "mysqladmin create t_$$ && mysql t_$$ -e 'drop schema shop'",
    "mysqladmin create t_$$ && mysqladmin -f drop shop",
    "mysqladmin create t_$$ drop shop",
    "mysqladmin create t; mysqladmin -f drop t",
    "mongosh t_$$ --eval 'db.getSiblingDB(\"shop\").dropDatabase()'",
    "mongosh t_$$ --eval 'db.dropDatabase(); db.shutdownServer()'",
    "mongosh shop --eval 'db.dropDatabase()'; mongosh t_$$ --eval 'db.a.find()'",
    "id=$(docker run -d a); trap 'docker rm -f $id web' EXIT",
    "id=; trap 'docker rm -f \"$id\"' EXIT; id=$(docker run -d a); id=web",
    "id=; trap 'docker rm -f \"$id\"' EXIT; : ${id:=web}; id=$(docker run -d a)",
    'id=; end() { docker rm -f "$id"; }; trap end EXIT; id=$1; id=$(docker run -d a); make e2e',
    'id=; end() { docker rm -f "$id"; }; trap end EXIT; id=$(docker ps -q); make e2e',
    'id=${1:-}; end() { docker rm -f "$id"; }; trap end EXIT; id=$(docker run -d a); make e2e',
    "id=$(docker run -d a); trap 'docker rm -f $id' EXIT; while read -r id; do :; done < names.txt",
    "id=$(docker run -d a); trap 'docker rm -f $id' EXIT; read -r DOCKER_HOST < host; export DOCKER_HOST",
    "id=$(docker run -d a); trap 'docker rm -f $id' EXIT; read -r \"$NAME\" < names.txt",
    "id=$(docker run -d a); trap 'docker rm -f $other; echo $id' EXIT",
    "id=$(docker run -d a); trap 'docker rm -f $id $(docker ps -q)' EXIT",
    "id=$(docker run -d a); trap 'docker rm -f \"$@\"' EXIT",
    "id=$(docker run -d a); trap 'id=web' EXIT; trap 'docker rm -f $id' EXIT",
    "id=$(docker run -d a); trap 'read id' DEBUG; docker rm -f $id",
    # the removal runs although nothing was made
    "createdb shop; dropdb shop",
    "docker run -d -p 55432:5432 postgres; psql -h localhost -p 55432 -c 'drop table a'",
    "docker run -p 55432:5432 postgres && psql -h localhost -p 55432 -c 'drop table a'",
    "docker run -d -p 55432:5432 postgres && psql -h localhost -p 5432 -c 'drop table a'",
    "docker run -d -p 55432:5432 postgres && psql -p 55432 -c 'drop table a'",
    "docker run -d -p 5499:5432 postgres; DATABASE_URL=postgres://localhost:5499/a alembic upgrade head",
    "docker run -d -p 5499:5432 postgres && DATABASE_URL=postgres://localhost:5432/a alembic upgrade head",
    "docker run -d -p 5499:5432 postgres && DATABASE_URL=postgres://db.example.com:5499/a prisma db push",
    "docker run -d -p 6390:6379 redis && REDIS_URL=redis://localhost:6390 alembic upgrade head",
    "docker run -d -p 5499:5432 postgres && DB_HOST=db DB_URL=pg://localhost:5499/a alembic stamp a",
    "docker run --rm -v /home/ann/shop:/src node:20 sh -c 'cd /src && rm -rf data'",
    "docker run -d -p 55432:5432 postgres && psql -h db -p 55432 -c 'drop table a'",
    "docker run -d -p 5499:5432 postgres && PGHOSTADDR=10.0.0.1 psql -h localhost -p 5499 -c 'drop table a'",
    "docker run -d -p 55432:5432 -v /srv/a:/b postgres && psql -h localhost -p 55432 -c 'drop table a'",
    "docker run -d -p 6390:6379 redis && redis-cli -h cache -p 6390 flushall",
    "docker run -d -p 37017:27017 mongo && mongorestore --drop --uri mongodb://localhost:27017 dump",
    "docker run -d -p 37017:27017 mongo && mongorestore --drop --uri mongodb://localhost:37017@db/x dump",
    "docker run -d -p 37017:27017 mongo && mongoimport --drop 'mongodb://u:p@localhost:37017@db/x' -c a a",
    "docker run -d --name db mongo && docker exec db mongorestore --drop --host localhost.example.com dump",
    "docker run -d -p 37017:27017 mongo && mongorestore --drop --uri mongodb://localhost:37017,db:37017 dump",
    "docker run -d -p 37017:27017 mongo && mongorestore --drop --uri mongodb+srv://localhost:37017 dump",
    "docker run -d -p 37017:27017 mongo && mongorestore --drop --uri mongodb://localhost:37017 --config x a",
    "docker run -d -p 37017:27017 mongo; mongorestore --drop --uri mongodb://localhost:37017 dump",
    "createdb shop || true && dropdb shop",
    "true || createdb shop && dropdb shop",
    "createdb shop | cat && dropdb shop",
    "createdb shop & dropdb shop",
    "(createdb shop) && dropdb shop",
    "createdb shop && make; dropdb shop",
    "createdb $N; dropdb $N",
    "N=$RANDOM; N=shop; createdb t$N$(date); dropdb $N",
    "docker volume create data && docker volume rm data",
    'V=$(docker volume create data) && docker volume rm "$V"',
    'V=$(docker volume create); V=data; docker volume rm "$V"',
    'V=$(docker volume create); docker volume rm "$V" data',
    'V=$(docker volume create || echo data); docker volume rm "$V"',
    "V=$(docker volume create; echo data); docker volume rm $V",
    'V=$(docker volume create); docker --context prod volume rm "$V"',
    "kind create cluster --name a --kubeconfig /tmp/k1 && kubectl --kubeconfig ~/.kube/x apply -f k8s/",
    "kind create cluster --name a --kubeconfig /tmp/k1 && kubectl apply -f k8s/",
    "export KUBECONFIG=k1; kind create cluster -n t1 && KUBECONFIG=k2 kubectl --context kind-t1 apply -f x",
    "export KUBECONFIG=k1; kind create cluster --name t1 && kubectl --context kind-t2 delete ns x",
    "kind create cluster --name a --kubeconfig /tmp/k1; kubectl --kubeconfig /tmp/k1 apply -f k8s/",
    (
        "kind create cluster --name a --kubeconfig /tmp/k1 && cp ~/.kube/x /tmp/k1"
        " && kubectl --kubeconfig /tmp/k1 apply -f k8s/"
    ),
    (
        "kind create cluster --name a --kubeconfig /tmp/k1"
        " && kubectl --kubeconfig /tmp/k1 --context prod apply -f k8s/"
    ),
    "docker compose up -d && make test; docker compose down -v",
    "docker compose -p site up -d && make test && docker compose -p site down -v",
    "docker compose -p shop-test up -d; docker compose -p shop down -v",
    "COMPOSE_PROJECT_NAME=x-test; docker compose up -d; docker compose down -v",
    "make || export COMPOSE_PROJECT_NAME=x-test; docker compose up -d; docker compose down -v",
    "export COMPOSE_PROJECT_NAME=x-$$; docker compose up; COMPOSE_PROJECT_NAME=y docker compose down -v",
    "COMPOSE_PROJECT_NAME=x-$$ docker compose up -d; docker compose down -v",
    "export KUBECONFIG=~/.kube/prod; kind create cluster --name a && kubectl apply -f k8s/",
    "export KUBECONFIG=$(mktemp):$KUBECONFIG; kind create cluster && kubectl apply -f k8s/",
    "make; KUBECONFIG=$(mktemp); kind create cluster && kubectl apply -f k8s/",
    "PGHOST=$A createdb shop && PGHOST=$B dropdb shop",
    "trap 'docker compose -p a-$$ down -v; docker volume rm data' EXIT; docker compose -p a-$$ up -d",
    "trap 'docker rm -f web' EXIT; docker run -d --name web nginx && make e2e",
    "trap 'docker rm -f a-$$' EXIT; docker() { command docker -H ssh://b $@; }; docker run --name a-$$ x",
    "docker compose -p shop-$$ ps; docker compose -p shop-$$ down -v",
    "docker compose -p prod-test up -d; docker compose -p prod-test down -v",
    "DOCKER_HOST=ssh://b; export DOCKER_HOST; docker compose -p e-$$ up; docker compose -p e-$$ down -v",
    "docker compose -p e-$$ -f shared.yml up -d; docker compose -p e-$$ -f shared.yml down -v",
    "conda create -n t python=3.12 && conda env remove -n t",
    "minikube start -p dev && make && minikube delete -p dev",
    "minikube start -p dev && kubectl --context prod apply -f k8s/",
    "kind create cluster --name dev; kind delete cluster --name dev",
    "git branch tmp; git branch -D tmp",
    "id=$(docker run -d redis || cat id); docker rm -f $id",
    "id=$(docker run redis cat -d /id); docker rm -f $id",
    "id=$(cat id) && docker run -d redis && docker rm -f $id",
    "id=$(docker run -d redis); id=$(cat id); docker rm -f $id",
    'W=$(mktemp -d); git clone -q . "$W"; git -C "$W" reset --hard v1',
    "for i in shop x; do createdb $i && true; done && dropdb shop",
    "set -euo pipefail\ncreatedb shop\ndropdb shop",  # a client's shell may ignore -e
    "set -e; if createdb shop; then make; fi; dropdb shop",
    "set -e; ! createdb shop; dropdb shop",
    "set -e; createdb shop || true; dropdb shop",
    "set -e; createdb shop && make\ndropdb shop",
    "set -e; set +e; createdb shop; dropdb shop",
    "(set -e); createdb shop; dropdb shop",
    "set -e | cat; createdb shop; dropdb shop",
    "set -e\nf() {\ncreatedb shop\n}\nf || true\ndropdb shop",
    "set -- -e; createdb shop; dropdb shop",
    "kind create cluster; kubectl apply -f k8s/",
    # something else is changed
    "kind create cluster && kubectl --context prod apply -f k8s/",
    "kind create cluster && kubectl -s https://k8s.example.com apply -f k8s/",
    "kind create cluster && kubectl config use-context prod && kubectl delete ns x",
    "kind create cluster --kubeconfig x && kubectl apply -f k8s/",
    "kind create cluster && KUBECONFIG=x kubectl apply -f k8s/",
    "kind get clusters && kubectl apply -f k8s/",
    "k3d cluster create t1 --kubeconfig-switch-context=false && kubectl apply -f k8s/",
    "minikube start --keep-context && kubectl apply -f k8s/",
    # a container reaches something outside
    "docker run --rm -v $PWD:/w alpine rm -rf /w/src",
    "docker run --rm --mount type=bind,src=$PWD,dst=/w alpine rm -rf /w/src",
    "docker run --rm --volumes-from web alpine rm -rf /srv",
    "docker run --rm --pid host alpine chpasswd < users",
    "docker run --rm --new-option=1 alpine chpasswd < users",
    "docker run --rm -e A=$A alpine adduser x",  # its value may hold further options
    "docker run --rm alpine sh -c 'ssh web adduser x'",
    "docker run --rm -e T=$T alpine sh -c 'wget --post-data=x http://a.example'",
    "docker run --rm alpine sh -c 'kubectl delete ns x'",
    "docker run --rm postgres psql -h db.example.com -c 'drop table a'",
    "docker run --rm --network host postgres dropdb -h localhost shop",
    "docker run --rm --network container:db postgres dropdb shop",
    "docker run --rm team/tools psql -c 'drop table a'",
    "docker run -d --name pg-test -e PGHOST=b postgres; docker exec pg-test psql -c 'drop table a'",
    "docker run -d --name pg-test postgres; docker exec -e PGHOST=b pg-test psql -c 'drop table a'",
    "docker run -d --name pg-test postgres; docker exec pg-test psql service=b -c 'drop table a'",
    "docker run -d --name pg-test -v data:/d postgres; docker exec pg-test psql -c 'drop table a'",
    "docker run -d --name db postgres; docker exec db psql -c 'drop table a'",
    "docker run -d --name pg-test postgres; docker exec db psql -c 'drop table a'",
    "docker run -d --name pg-test postgres; podman exec pg-test psql -c 'drop table a'",
    "docker exec pg-test psql -c 'drop table a'",
    # something else is removed
    "createdb t && dropdb shop",
    "createdb t && dropdb t shop",
    "createdb -h a shop && dropdb shop",
    "createdb shop && dropdb -h b shop",
    "PGHOST=a createdb shop && dropdb shop",
    "createdb shop && ssh db dropdb shop",
    "createdb shop && export PGHOST=b && dropdb shop",
    "createdb $RANDOM && dropdb $RANDOM",
    "git branch x && git branch -D y",
    "git branch x && git -C ../other branch -D x",
    "git branch x && cd ../other && git branch -D x",
    "docker run img --name pg && docker rm -f pg",
    "docker run --name pg img && DOCKER_HOST=tcp://b:2375 docker rm -f pg",
    "docker build -t app . && docker image rm shop",
    "docker build -t app .; docker rmi app",
    "docker run --name pg img && podman rm -f pg",
    # nothing is made
    "git branch --list x && git branch -D x",
    "git tag -l v1 && git tag -d v1",
    "git branch -f x && git branch -D x",
    "createdb shop --help && dropdb shop",
    "docker run --name pg --help && docker rm -f pg",
    "docker volume create data && docker volume rm data",
    # the program is another one
    "./createdb shop && dropdb shop",
    "PATH=.:$PATH; createdb shop && dropdb shop",
    "createdb() { :; }; createdb shop && dropdb shop",
    "alias createdb=true && createdb shop && dropdb shop",
    "hash -p /bin/true createdb; createdb shop && dropdb shop",
    ". ./settings && createdb shop && dropdb shop",
    "export $(cat settings) && createdb shop && dropdb shop",
    "printf -v PGHOST b; createdb shop && dropdb shop",
    # what is made gets another name
    "git branch x && git branch -m x y && git branch -m main x && git branch -D x",
    "docker run --name x img && docker rename x y && docker rename pg x && docker rm -f x",
    "createdb t && psql -c 'alter database t rename to u; alter database shop rename to t' && dropdb t",
    # something of the person is in what is made
    "git worktree add ../wt && mv notes.txt ../wt/ && git worktree remove --force ../wt",
    "git init -q && git reset --hard",
    "git init -q /tmp/a; cd /tmp/a; git reset --hard",
    "git init -q /tmp/a && cd /tmp/b && git reset --hard",
    "git init -q /tmp/there && git -C /tmp/there reset --hard HEAD~3",
    "ln -s $PWD /tmp/a && cd /tmp/a && git init -q && git reset --hard",
    "git init /tmp/a --separate-git-dir $PWD/.git && git -C /tmp/a reset --hard",
    "git clone . /tmp/a && git -C /tmp/a config core.worktree $PWD && git -C /tmp/a reset --hard",
    "git clone . /tmp/a && cd /tmp/a && cd - && git reset --hard",
    "git clone . /tmp/a && pushd /tmp/a && popd && git reset --hard",
    "git clone . /tmp/a && git -C /tmp/a --git-dir=$PWD/.git reset --hard HEAD~3",
    "git clone . /tmp/a && GIT_DIR=$PWD/.git git -C /tmp/a reset --hard HEAD~3",
    "export GIT_DIR=$PWD/.git && git clone . /tmp/a && git -C /tmp/a reset --hard HEAD~3",
]


def effect(command):
    machine = Machine(
        files={
            "/tmp/there/.git": "gitdir: /home/ann/shop/.git/worktrees/there",
            f"{ROOT}/reset.sql": "drop schema public cascade;\ncreate schema public;\n",
            f"{ROOT}/elsewhere.sql": "\\connect shop\ndrop table a;\n",
            f"{ROOT}/shared.yml": "volumes:\n  data:\n    name: shop_data\n",
        }
    )
    verdict = assess(Call("Bash", {"command": command}, ROOT), PLACE, machine, RULES)
    return verdict.effect


@for_each("command", OWN)
def test_what_a_line_has_made_itself_needs_nobody(command):
    assert effect(command) == "allow"


@for_each("command", NOT_OWN)
def test_what_may_have_been_there_before_needs_a_person(command):
    assert effect(command) in ("junction", "block")


PG = "docker run --rm -d --name pg-$$ -p 5499:5432 postgres:16\n"
WAIT = "until pg_isready -p 5499; do sleep 1; done\n"
MIGRATE = "DATABASE_URL=postgres://u@localhost:5499/a npx prisma migrate reset --force\n"
OWN_PG = "n=c-$$\ndocker run -d --name $n --network none postgres\n"
IN_PG = 'run() { docker exec -i $n psql "$@"; }\n'
CLUSTER = "kind create cluster --name a\n"


def run(text, command="bash x.sh"):
    files = {"x.sh": text, "names.sh": "NAME=a\n"}
    return judged(command, files, committed=files).effect


@for_each(
    "text",
    [
        f"set -euo pipefail\n{PG}{WAIT}{MIGRATE}docker rm -f pg-$$\n",
        f'#!/bin/bash\n# a\nset -e\nif test -z "$CI"; then echo a; fi\n{PG}{MIGRATE}',
        f"set -x\nset -o errexit\n{PG}export DB_URL=pg://u@localhost:5499/a\nalembic upgrade head\n",
        f"set -e\n{CLUSTER}kubectl apply -f k8s/\nkubectl delete ns a\nkind delete cluster --name a\n",
        f"set -e\nreset() {{ kubectl delete ns a; }}\n{CLUSTER}reset\n",
        "set -e\ncreatedb app\nmake test\ndropdb app\n",
        f"{PG[:-1]} && until pg_isready; do sleep 1; done && {MIGRATE}",
        f"set -e\n{PG}trap 'docker rm -f pg-$$' EXIT\n{MIGRATE}",
        f"set -e\nend() {{ docker rm -f pg-$$; }}\ntrap end EXIT INT TERM\n{PG}{MIGRATE}",
        f"{OWN_PG}{IN_PG}run -c 'create table a (b int)'\nrun <<END\ndrop schema public cascade;\nEND\n",
    ],
)
def test_a_script_that_ends_at_the_first_failure_may_remove_what_it_has_made(text):
    assert run(text) == "allow"


@for_each(
    "text",
    [
        f"{PG}{MIGRATE}",
        f"set -e\nset +e\n{PG}{MIGRATE}",
        f"set -e\n{PG}{MIGRATE}set +o errexit\n",
        f"{PG}set -e\n{MIGRATE}",
        f"start() {{ set -e; }}\n{PG}{MIGRATE}",
        f"set -e\neval 'set +e'\n{PG}{MIGRATE}",
        f"set -e\nshopt -uo errexit\n{PG}{MIGRATE}",
        f"set -e\n{PG[:-1]} || true\n{MIGRATE}",
        f"set -e\n{PG[:-1]} && echo up\n{MIGRATE}",
        f"set -e\n{PG[:-1]} &\n{MIGRATE}",
        f"set -e\n{PG[:-1]} | cat\n{MIGRATE}",
        f"set -e\n! {PG}{MIGRATE}",
        f'set -e\ntest -n "$CI" && {PG}{MIGRATE}',
        f'set -e\nif test -n "$CI"; then\n{PG}fi\n{MIGRATE}',
        f"set -e\nif {PG[:-1]}; then echo up; fi\n{MIGRATE}",
        f"set -e\nfor one in $CI; do\n{PG}done\n{MIGRATE}",
        f"set -e\nup() {{ {PG}}}\nup || true\n{MIGRATE}",
        f"set -e\ntrap '{MIGRATE[:-1]}' EXIT\n{PG}",
        f"set -e\n{MIGRATE}{PG}",
        f"set -e\n{PG}{MIGRATE.replace('5499', '5432')}",
        f"set -e\n{PG}{MIGRATE.replace('localhost', 'localhost.shop.example')}",
        f"set -e\n{CLUSTER}kubectl config use-context prod\nkubectl delete ns a\n",
        "set -e\ncreatedb app || echo there\ndropdb app\n",
        f"set -e\n{PG}docker rm -f pg-$$\n{MIGRATE}",
        f"set -e\n{PG}ssh -fNL 5499:db:5432 bastion\n{MIGRATE}",
        f"set -e\n{PG}(trap 'docker rm -f pg-$$' EXIT)\n{MIGRATE}",
        f"set -e\n{PG}trap 'docker rm -f pg-$$' DEBUG\n{MIGRATE}",
        f"set -e\n{PG}trap 'docker rm -f pg-$$' EXIT $ALSO\n{MIGRATE}",
        f"set -e\n{PG}trap 'docker rm -f pg-$$' EXIT &\n{MIGRATE}",
        f"set -e\n{PG}trap 'ssh -fNL 5499:db:5432 b' TERM\nkill -TERM $$\n{MIGRATE}",
        f"set -e\n{PG}end() {{ docker rm -f pg-$$; }}\ntrap end EXIT\nend\n{MIGRATE}",
        f"set -e\n{PG}end() {{ docker rm -f pg-$$; }}\ntrap end EXIT\n(trap end EXIT)\n{MIGRATE}",
        f'set -e\n{OWN_PG}docker exec $n psql "$URL" -c "drop schema a"\n',
        f"{OWN_PG}run() {{ docker exec -i web psql; }}\nrun <<< 'drop database a'\n",
        f"{OWN_PG}run() {{ docker exec -i $1 psql -c 'drop database a'; }}\nrun $n\nrun web\n",
        f"n=c-$$\n{IN_PG}run -c 'drop database a'\n",
    ],
)
def test_a_script_that_may_go_on_after_a_failure_needs_a_person(text):
    assert run(text) == "junction"


@for_each(
    "line",
    [
        "docker exec -i $n psql < reset.sql",
        "cat reset.sql | docker exec -i $n psql",
        f"{IN_PG}run < reset.sql",
    ],
)
def test_what_a_file_has_the_client_do_in_a_container_counts(line):
    for first, effect in (("", "allow"), ("\\connect 'host=db.shop.example'\n", "junction")):
        files = {"x.sh": f"{OWN_PG}{line}\n", "reset.sql": f"{first}DROP SCHEMA public CASCADE;\n"}
        assert judged("bash x.sh", files, committed=files).effect == effect


@for_each("command", [". ./x.sh", "source x.sh || true", "if . ./x.sh; then pwd; fi"])
def test_a_text_that_is_sourced_may_run_where_failures_are_ignored(command):
    assert run(f"set -e\n{PG}{MIGRATE}", command) == "junction"


RUBY = 'n = "t_#{Process.pid}"\nsystem "createdb #{n}"\nsystem "psql #{n} -c \'drop table a\'"\n'
NODE = "const { execSync } = require('child_process');\nconst n = `t_${process.pid}`;\n"
PYTHON = "import os, subprocess\nn = f't_{os.getpid()}'\nsubprocess.run(['createdb', n])\n"
TASK = 'task :x do\n  n = "t_#{Process.pid}"\n  url = "postgres://localhost/#{n}"\n  sh "createdb #{n}"\n'
DROPS = "psql #{url.shellescape} -c 'drop schema public cascade'"


@for_each(
    ("program", "text"),
    [
        ("ruby x.rb", f'{RUBY}at_exit {{ system "dropdb", n }}\n'),
        ("ruby x.rb", f'{RUBY}system "dropdb --if-exists t_#{{$$}}"\n'),
        (
            "node x.js",
            f"{NODE}execSync(`createdb ${{n}}`);\nexecSync('dropdb t_' + process.pid);\n",
        ),
        ("perl x.pl", 'my $n = "t_$$";\nsystem(\'createdb\', $n);\nsystem("dropdb $n");\n'),
        (
            "php x.php",
            '<?php\n$n = \'t_\' . getmypid();\nexec("createdb $n");\nexec("dropdb $n");\n',
        ),
        ("python3 x.py", f"{PYTHON}subprocess.run(['dropdb', n])\n"),
        (
            "python3 x.py",
            (
                "import subprocess, uuid\nn = f't_{uuid.uuid4().hex}'\n"
                "subprocess.run(f'psql -d {n} -c \"drop table a\"', shell=True)\n"
            ),
        ),
        ("rake x", f'{TASK}  sh "{DROPS}"\nensure\n  sh "dropdb #{{n}}"\nend\n'),
        ("sh x.sh", "n=t_$$\ncreatedb $n\npsql -d $n -f db.sql\ndropdb $n\n"),
        ("make x", "x:\n\tcreatedb t_$$$$ && psql t_$$$$ -c 'drop table a'; dropdb t_$$$$\n"),
    ],
)
def test_a_program_may_drop_a_database_with_the_number_of_its_process(program, text):
    name = {"rake": "Rakefile", "make": "Makefile"}.get(program.split()[0], program.split()[-1])
    files = {name: text, "db.sql": "drop schema public cascade;\n"}
    assert judged(program, files, committed=files).effect == "allow"
    assert judged(program, files).effect == "allow"


@for_each(
    ("program", "text"),
    [
        ("ruby x.rb", 'system "createdb shop"\nsystem "dropdb shop"\n'),
        ("ruby x.rb", f'{RUBY}n = "shop"\nsystem "dropdb #{{n}}"\n'),
        ("ruby x.rb", f"{RUBY}system \"psql -d #{{n}} -c 'drop database shop'\"\n"),
        ("ruby x.rb", f'{RUBY}system({{"PGHOST" => "db"}}, "dropdb t_#{{$$}}")\n'),
        (
            "ruby x.rb",
            'module Process; def self.pid = "shop"; end\nsystem "dropdb #{Process.pid}"\n',
        ),
        (
            "ruby x.rb",
            'system "psql -c \'alter database shop rename to t_#{$$}\'"\nsystem "dropdb t_#{$$}"\n',
        ),
        ("node x.js", f"{NODE}execSync(`dropdb -h db.shop.example ${{n}}`);\n"),
        ("node x.js", f"process.pid = 'shop';\n{NODE}execSync(`dropdb ${{process.pid}}`);\n"),
        ("perl x.pl", 'my $n = "shop";\nmy $r = \\$n;\nsystem("dropdb $$r");\n'),
        ("python3 x.py", f"{PYTHON}subprocess.run(['dropdb', 'shop'])\n"),
        ("python3 x.py", f"{PYTHON}subprocess.run(['dropdb', n], env={{'PGHOST': 'db'}})\n"),
        (
            "python3 x.py",
            f"import os\nos.getpid = lambda: 'shop'\n{PYTHON}os.system(f'dropdb {{os.getpid()}}')\n",
        ),
        ("rake x", f'{TASK}  sh "{DROPS}"\n  n = "shop"\n  sh "dropdb #{{n}}"\nend\n'),
        ("rake x", f'{TASK.replace("localhost", "db.shop.example")}  sh "{DROPS}"\nend\n'),
    ],
)
def test_a_database_of_any_other_name_needs_a_person(program, text):
    name = "Rakefile" if program == "rake x" else program.split()[-1]
    assert judged(program, {name: text}, committed=(name,)).effect == "junction"
