"""A run of a DAG on this machine is judged by what its tasks do."""

from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

HEAD = "from airflow import DAG\nfrom airflow.operators.python import PythonOperator\n"
MAIL = "from sendgrid import SendGridAPIClient\ndef mail(**_):\n    SendGridAPIClient(key).send(text)\n"
PLAIN = "def rows(**_):\n    return [1]\n"
USES = "with DAG(%s) as dag:\n    PythonOperator(task_id='one', python_callable=%s)\n"
OPERATOR = (
    "from airflow.%s import %s as One\nwith DAG('digest') as dag:\n    One(task_id='one', %s)\n"
)
BASH = OPERATOR % ("operators.bash", "BashOperator", "bash_command='%s'")
SQL = ("providers.common.sql.operators.sql", "SQLExecuteQueryOperator")
HTTP = ("providers.http.operators.http", "SimpleHttpOperator")
FLOW = (
    "from airflow.decorators import dag, task\nimport requests\n@dag(schedule=None)\ndef digest():\n"
    "    @task\n    def send():\n        requests.%s('https://hooks.example.com/x')\n    send()\ndigest()\n"
)
WIPE = "gsutil -m rm -r gs://raw/2024"
CASES = [
    ("dags test digest 2024-01-01", HEAD + MAIL + USES % ("'digest'", "mail"), "junction"),
    ("dags test digest", HEAD + MAIL + USES % ("f'{team}_digest'", "mail"), "junction"),
    ("dags test digest", HEAD + PLAIN + USES % ("'digest'", "rows"), "allow"),
    ("dags test other", HEAD + MAIL + USES % ("'digest'", "mail"), "allow"),
    ("dags list", HEAD + MAIL + USES % ("'digest'", "mail"), "allow"),
    ("tasks test digest one", HEAD + BASH % WIPE, "junction"),
    ("tasks test digest two", HEAD + BASH % WIPE, "allow"),
    ("dags test digest", HEAD + BASH % "ls data", "allow"),
    ("dags test digest", HEAD + OPERATOR % (*SQL, "sql='TRUNCATE TABLE orders'"), "junction"),
    ("dags test digest", HEAD + OPERATOR % (*SQL, "sql=['SELECT 1', 'DROP TABLE x']"), "junction"),
    ("dags test digest", HEAD + OPERATOR % (*SQL, "sql='sql/wipe.sql'"), "junction"),
    ("dags test digest", HEAD + OPERATOR % (*SQL, "sql='SELECT 1'"), "allow"),
    ("dags test digest", HEAD + OPERATOR % (*HTTP, "endpoint='x'"), "junction"),
    ("dags test digest", HEAD + OPERATOR % (*HTTP, "method='GET'"), "allow"),
    ("dags test digest", HEAD + OPERATOR % ("operators.email", "EmailOperator", "to='x'"), "junction"),
    ("dags test digest", HEAD + OPERATOR % ("operators.empty", "EmptyOperator", "a=1"), "allow"),
    ("dags test digest", FLOW % "post", "junction"),
    ("dags test digest", FLOW % "get", "allow"),
]  # fmt: skip


@for_each(("words", "text", "effect"), CASES)
def test_a_run_of_a_dag_is_judged_by_its_tasks(words, text, effect):
    files = {"dags/team/digest.py": text, "dags/sql/wipe.sql": "TRUNCATE TABLE orders;\n"}
    assert judged(f"airflow {words}", files, committed=files).effect == effect


def test_modules_beside_the_file_of_a_dag_count():
    files = {
        "dags/digest.py": HEAD + "from lib.post import mail\n" + USES % ("'digest'", "mail"),
        "dags/lib/__init__.py": "",
        "dags/lib/post.py": MAIL,
    }
    assert judged("airflow dags test digest", files, committed=files).effect == "junction"


def test_statements_of_hooks_and_other_folders_of_dags_count():
    hook = "from airflow.providers.postgres.hooks.postgres import PostgresHook\n"
    for statement, effect in (("TRUNCATE TABLE orders", "junction"), ("SELECT 1", "allow")):
        code = f"def clean():\n    PostgresHook('dwh').run('{statement}')\n"
        files = {"airflow/dags/digest.py": HEAD + hook + code + USES % ("'digest'", "clean")}
        assert judged("airflow dags test digest", files, committed=files).effect == effect
