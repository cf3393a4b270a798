"""What a service of a compose file runs from the project is judged with the service's own variables."""

from __future__ import annotations

import pytest
from tests.gate.disk.test_follow import judged

EXPIRE = (
    "import os, boto3\ns3 = boto3.client('s3', endpoint_url=os.environ.get('S3_ENDPOINT') or None)\n"
    "for one in s3.list_objects_v2(Bucket=os.environ['BUCKET'])['Contents']:\n"
    "    s3.delete_object(Bucket=os.environ['BUCKET'], Key=one['Key'])\n"
)
RESET = (
    "import os, psycopg\nwith psycopg.connect(os.environ['DATABASE_URL']) as c:\n"
    "    c.execute('DROP SCHEMA public CASCADE')\n"
)
DOCKERFILE = 'FROM python:3.12\nWORKDIR /app\nCOPY x.py .\nCMD ["python", "x.py"]\n'
PROD = "postgresql://shop:x@db.shop.example/shop"
HERE = "postgresql://shop:x@db/shop"


def compose(service, more=""):
    lines = "".join(f"    {line}\n" for line in service)
    return f"services:\n  db:\n    image: postgres:16\n  job:\n{lines}{more}"


def built(service, **files):
    return {
        "compose.yaml": compose(["build: ./jobs", *service]),
        "jobs/Dockerfile": DOCKERFILE,
        **files,
    }


RUN = "docker compose run --rm job"
PAIRS = {
    "a bucket, and one beside the service": (
        RUN,
        built(["environment: {BUCKET: uploads}"], **{"jobs/x.py": EXPIRE}),
        built(
            ["environment:", "  BUCKET: uploads", "  S3_ENDPOINT: http://minio:9000"],
            **{"jobs/x.py": EXPIRE},
        ),
    ),
    "a bucket, and one of a local cloud": (
        RUN,
        built(["environment: {BUCKET: uploads}"], **{"jobs/x.py": EXPIRE}),
        built(
            ["environment: [BUCKET=u, 'AWS_ENDPOINT_URL=http://localstack:4566']"],
            **{"jobs/x.py": EXPIRE},
        ),
    ),
    "a schema, by a file of variables": (
        RUN,
        built(["env_file: ./app.env"], **{"jobs/x.py": RESET, "app.env": f"DATABASE_URL={PROD}"}),
        built(["env_file: ./app.env"], **{"jobs/x.py": RESET, "app.env": f"DATABASE_URL={HERE}"}),
    ),
    "a schema, by the project's variables": (
        RUN,
        built(
            ["environment: {DATABASE_URL: '${URL}'}"], **{"jobs/x.py": RESET, ".env": f"URL={PROD}"}
        ),
        built(
            ["environment: {DATABASE_URL: '${URL}'}"], **{"jobs/x.py": RESET, ".env": f"URL={HERE}"}
        ),
    ),
    "a schema, by a word of the line": (
        f"docker compose run -e DATABASE_URL={PROD} job",
        built([], **{"jobs/x.py": RESET}),
        built([], **{"jobs/x.py": "print(1)"}),
    ),
    "an older name, and a mounted folder": (
        "docker-compose -f docker-compose.yml run job",
        {
            "docker-compose.yml": compose(
                [
                    "image: python:3.12",
                    "working_dir: /srv/app",
                    "command: python tools/x.py",
                    f"environment: ['DATABASE_URL={PROD}']",
                    "volumes: ['.:/srv/app']",
                ]
            ),
            "tools/x.py": RESET,
        },
        {
            "docker-compose.yml": compose(
                [
                    "image: python:3.12",
                    "working_dir: /srv/app",
                    "command: python tools/x.py",
                    f"environment: ['DATABASE_URL={HERE}']",
                    "volumes: ['.:/srv/app']",
                ]
            ),
            "tools/x.py": RESET,
        },
    ),
    "a command of the shell": (
        RUN,
        {
            "compose.yaml": compose(
                [
                    "image: postgres:16",
                    'command: sh -c \'psql "$$DATABASE_URL" -c "DROP TABLE orders"\'',
                    f"environment: {{DATABASE_URL: '{PROD}'}}",
                ]
            )
        },
        {
            "compose.yaml": compose(
                [
                    "image: postgres:16",
                    'command: sh -c \'psql "$$DATABASE_URL" -c "DROP TABLE orders"\'',
                    f"environment: {{DATABASE_URL: '{HERE}'}}",
                ]
            )
        },
    ),
    "a command of an image that is a program": (
        RUN,
        {"compose.yaml": compose(["image: amazon/aws-cli:2", "command: s3 rm s3://x --recursive"])},
        {"compose.yaml": compose(["image: amazon/aws-cli:2", "command: s3 ls s3://x"])},
    ),
    "a service that is started with another": (
        "docker compose up web",
        {
            "compose.yaml": compose(
                ["build: ./jobs", f"environment: ['DATABASE_URL={PROD}']"],
                "  web:\n    image: nginx\n    ports: ['80:80']\n    depends_on: [job]\n",
            ),
            "jobs/Dockerfile": DOCKERFILE,
            "jobs/x.py": RESET,
        },
        {
            "compose.yaml": compose(
                ["build: ./jobs", f"environment: ['DATABASE_URL={PROD}']"],
                "  web:\n    image: nginx\n    ports: ['80:80']\n",
            ),
            "jobs/Dockerfile": DOCKERFILE,
            "jobs/x.py": RESET,
        },
    ),
    "an override of the variables": (
        RUN,
        built(
            [f"environment: {{DATABASE_URL: '{HERE}'}}"],
            **{
                "jobs/x.py": RESET,
                "compose.override.yaml": f"services: {{job: {{environment: {{DATABASE_URL: '{PROD}'}}}}}}",
            },
        ),
        built([f"environment: {{DATABASE_URL: '{HERE}'}}"], **{"jobs/x.py": RESET}),
    ),
    "a network with a way out, and one without": (
        RUN,
        {
            **built([], **{"jobs/x.py": EXPIRE}),
            "compose.yaml": compose(
                ["build: ./jobs", "networks: [inner]"], "networks: {inner: {driver: bridge}}\n"
            ),
        },
        {
            **built([], **{"jobs/x.py": EXPIRE}),
            "compose.yaml": compose(
                ["build: ./jobs", "networks: [inner]"], "networks: {inner: {internal: true}}\n"
            ),
        },
    ),
    "a proxy beside the service": (
        RUN,
        {
            **built([], **{"jobs/x.py": RESET}),
            "compose.yaml": compose(
                ["build: ./jobs", "environment: {DATABASE_URL: 'postgresql://a:b@sql/shop'}"],
                "  sql:\n    image: gcr.io/cloud-sql-connectors/cloud-sql-proxy:2\n",
            ),
        },
        {
            **built([], **{"jobs/x.py": RESET}),
            "compose.yaml": compose(
                ["build: ./jobs", "environment: {DATABASE_URL: 'postgresql://a:b@sql/shop'}"],
                "  sql:\n    image: postgres:16\n",
            ),
        },
    ),
    "an address in the code": (
        RUN,
        built([], **{"jobs/x.py": RESET.replace("os.environ['DATABASE_URL']", repr(PROD))}),
        built([], **{"jobs/x.py": RESET.replace("os.environ['DATABASE_URL']", repr(HERE))}),
    ),
    "what is deleted elsewhere, and in the container": (
        RUN,
        built(
            [], **{"jobs/x.py": "import requests\nrequests.delete('https://api.shop.example/x')"}
        ),
        built([], **{"jobs/x.py": "import shutil\nshutil.rmtree('/data')"}),
    ),
    "a stage of several": (
        RUN,
        {
            **built([f"environment: ['DATABASE_URL={PROD}']"], **{"jobs/x.py": RESET}),
            "jobs/Dockerfile": (
                "FROM python:3.12 AS base\nWORKDIR /src\nCOPY . .\n"
                "FROM base AS tests\nCMD pytest\n"
                'FROM python:3.12\nCOPY --from=base /src /app\nWORKDIR /app\nENTRYPOINT ["python"]\n'
                'CMD ["x.py"]\n'
            ),
        },
        {
            **built([f"environment: ['DATABASE_URL={PROD}']"], **{"jobs/x.py": RESET}),
            "jobs/Dockerfile": (
                'FROM python:3.12\nWORKDIR /app\nCOPY . .\nENTRYPOINT ["python"]\nCMD ["y.py"]\n'
            ),
        },
    ),
}


@pytest.mark.parametrize("case", PAIRS.values(), ids=PAIRS)
def test_what_a_service_does_elsewhere_needs_a_person_and_beside_it_does_not(case):
    command, dangerous, harmless = case
    assert judged(command, dangerous, committed=dangerous).effect == "junction"
    assert judged(command, harmless, committed=harmless).effect == "allow"


@pytest.mark.parametrize("option", ["--check", "--list", "--print"])
def test_an_option_of_a_service_turns_nothing_off(option):
    text = "services:\n  app:\n    image: postgres\n    command: psql -h db.shop.example -c 'DROP TABLE x'\n"
    files = {"docker-compose.yml": text}
    assert judged(f"docker compose {option} run app", files).effect == "junction"


def test_a_server_that_is_asked_to_act_is_not_taken_for_a_job():
    service = ["build: ./jobs", "ports: ['80:80']"]
    text = "import requests\nrequests.delete('https://api.shop.example/x')"
    files = {"compose.yaml": compose(service), "jobs/Dockerfile": DOCKERFILE, "jobs/x.py": text}
    assert judged("docker compose up", files, committed=files).effect == "allow"
    assert judged(RUN, files, committed=files).effect == "junction"


def test_a_worker_that_waits_for_others_is_not_taken_for_a_job():
    text = "import boto3\ndef task():\n    boto3.client('s3').delete_bucket(Bucket='x')\n"
    for command in ("celery -A x worker", "python x.py worker"):
        files = built([f"command: {command}"], **{"jobs/x.py": f"{text}task()\n"})
        assert judged("docker compose up", files, committed=files).effect == "allow"


@pytest.mark.parametrize(
    "keys",
    [
        "depends_on: 5\n    environment: [1, {a: b}]\n    volumes: {a: b}\n    command: {a: b}",
        'networks: [{a: b}]\n    extra_hosts: 1\n    env_file: {a: b}\n    command: "\'open"',
    ],
)
def test_a_service_that_is_not_written_as_it_should_be_breaks_nothing(keys):
    text = f"services:\n  app:\n    {keys}\n"
    assert judged("docker compose run app", {"docker-compose.yml": text}).effect == "allow"


def test_what_a_job_sends_when_all_services_start_asks_nobody_and_what_it_deletes_does():
    sends = "import requests\nrequests.post('https://hooks.shop.example/x')\n"
    deletes = "import boto3\nboto3.client('s3').delete_bucket(Bucket='x')\n"
    for text, effect in ((sends, "allow"), (deletes, "junction")):
        files = built([], **{"jobs/x.py": text})
        assert judged("docker compose up", files, committed=files).effect == effect


@pytest.mark.parametrize(
    "text", ["", "services: [", "services: {job: 3}", "services:\n  job: {build: 7}\n"]
)
def test_a_file_without_such_services_names_none(text):
    assert judged(RUN, {"compose.yaml": text}).effect == "allow"


SWEEP = "#!/bin/sh\nfind /data -type f -mtime +30 -delete\n"


def sweeper(mount, command="sh /jobs/sweep.sh"):
    service = [
        "image: alpine",
        f"command: {command}",
        "volumes:",
        "  - ./jobs:/jobs:ro",
        f"  - {mount}",
    ]
    return {"compose.yaml": compose(service), "jobs/sweep.sh": SWEEP, "cache/.keep": ""}


@pytest.mark.parametrize(
    ("mount", "command", "is_lost"),
    [
        ("${HOME}:/data", "sh /jobs/sweep.sh", True),
        ("~/photos:/data", "sh /jobs/sweep.sh", True),
        ("../other:/data", "find /data -delete", True),
        ("{type: bind, source: /srv/shop, target: /data}", "sh /jobs/sweep.sh", True),
        ("${HOME}:/data:ro", "sh /jobs/sweep.sh", False),
        ("./cache:/data", "sh /jobs/sweep.sh", False),
        ("files:/data", "sh /jobs/sweep.sh", False),
        ("${HOME}:/else", "sh /jobs/sweep.sh", False),
    ],
)
def test_a_service_that_deletes_in_a_folder_outside_of_the_project_needs_a_person(
    mount, command, is_lost
):
    files = sweeper(mount, command)
    found = {one.rule for one in judged(RUN, files, committed=files).findings}
    assert ("fs-find-delete" in found) == is_lost


@pytest.mark.parametrize(("host", "effect"), [("db.shop.example", "junction"), ("db", "allow")])
def test_a_service_runs_each_file_of_a_folder_that_is_mounted(host, effect):
    service = ["image: postgres:16", f"environment: {{PGHOST: {host}}}", "volumes: ['./db:/db:ro']"]
    files = {
        "compose.yaml": compose([*service, "command: [sh, /db/apply.sh]"]),
        "db/apply.sh": 'for f in /db/sql/*.sql; do\n  psql -v ON_ERROR_STOP=1 -f "$f"\ndone\n',
        "db/sql/1.sql": "ALTER ROLE bi SUPERUSER;\n",
    }
    assert judged(RUN, files, committed=files).effect == effect
